"""Bylines and dates at the headline, captions of pictures, facts of products: what fills a slot, and what does not."""

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import dehusk
from cpu_time import assert_linear, assert_quick
from dehusk import parse, segment
from dehusk.base.tags import numbers
from dehusk.blocks.labels import Labels, by_markup
from dehusk.label import STYLES
from dehusk.label.united import side_parts
from dehusk.label.united.rubric import LIKELY, with_slots
from dehusk.read.page import ElementNames

TEXT = "<p>" + "The farmers of the valley have sold their tea at the market for three hundred years now. " * 4
ARTICLE = (
    "<html><head><title>Tea of the valley - The Leaf</title></head><body><nav><a href=/>Home</a></nav>"
    "<main><article><h1>Tea of the valley</h1>{byline}{text}<figure><img src=a.jpg><figcaption>{caption}</figcaption>"
    "</figure>{text}</article></main><footer><a href=/i>Imprint</a></footer></body></html>"
)


def labelled(html: str) -> Labels:
    """Return labels that keep the headline and the paragraphs, before the slots are filled."""
    blocks = segment(parse(html))
    kept = (blocks.words >= 20) | np.array([text in ("Tea of the valley", "Kettle K2") for text in blocks.texts])
    return Labels(blocks, by_markup(blocks, kept), np.where(kept, 0.95, 0.06), kept, reasons=["why"] * len(blocks))


def filled(html: str) -> list[str]:
    """Return the texts that fill slots."""
    before = labelled(html)
    after = with_slots(before)
    after.validate()
    return [after.blocks.texts[block] for block in (after.kept & ~before.kept).nonzero()[0]]


def article(byline: str = "", caption: str = "", head: str = "") -> str:
    return ARTICLE.format(byline=byline, caption=caption, text=TEXT).replace("<head>", f"<head>{head}")


@pytest.mark.parametrize(
    ("markup", "line"),
    [
        ("<div class=byline>By Ann Lee</div>", "By Ann Lee"),
        ("<div>Submitted by Ann Lee</div>", "Submitted by Ann Lee"),
        ("<p>Von Anna Lehmann</p>", "Von Anna Lehmann"),
        ("<div class=author-name><a href=/ann>Ann Lee</a></div>", "Ann Lee"),
        ("<div><time datetime=2024-03-05>5 March 2024</time></div>", "5 March 2024"),
        ("<div class=posted-on>05.03.2024, 14:46</div>", "05.03.2024, 14:46"),
        ("<div>2024年3月5日</div>", "2024年3月5日"),
        (
            "<p>2024-03-05 作者：安娜 出处：茶叶日报 责任编辑：何顺</p>",
            "2024-03-05 作者：安娜 出处：茶叶日报 责任编辑：何顺",
        ),
        ("<p>Uppdaterad 15.59 | Publicerad 14.14</p>", "Uppdaterad 15.59 | Publicerad 14.14"),
        ("<p class=author>Ann Lee, @annlee1130</p>", "Ann Lee, @annlee1130"),
        ("<div><b>Tea Press</b><time>March 5, 2024</time></div>", "Tea PressMarch 5, 2024"),
        ("<div class=day-comments-box><div>5 March 2024</div><a href=#c>9 comments</a></div>", "5 March 2024"),
        (
            f"<p>{'A line below the headline says more. ' * 4}<p>{'So does a second one. ' * 6}<p>By Ann Lee",
            "By Ann Lee",
        ),
    ],
)
def test_bylines_and_dates_at_the_headline_are_kept(markup: str, line: str) -> None:
    assert filled(article(markup)) == [line]


@pytest.mark.parametrize("headline", ["<div class=t>Tea of the valley</div>", "<h3>Tea of the valley</h3>"])
def test_a_line_that_is_the_title_is_the_headline(headline: str) -> None:
    page = article("<div class=byline>By Ann Lee</div>").replace("<h1>Tea of the valley</h1>", headline)
    assert filled(page) == ["By Ann Lee"]
    assert not filled(page.replace("<title>Tea of the valley", "<title>Tea and more"))


@pytest.mark.parametrize(
    ("line", "probability", "found"),
    [
        ("<h1>Tea of the valleys</h1>", 0.03, True),
        ("<div class=t>Tea of the valleys</div>", 0.3, True),
        ("<h2>Tea of the valleys</h2>", 0.1, False),
        ("<h1>Tea of the hills</h1>", 0.3, False),
        (f"<h1>Tea of the valleys</h1>{'<p>Menu' * 40}", 0.3, False),
        ("<h1><a href=/>Tea of the valleys</a></h1>", 0.3, False),
    ],
    ids=["a main heading", "a likely line", "an unlikely one", "another title", "far above", "the name of the site"],
)
def test_the_title_of_the_page_is_kept(line: str, probability: float, found: bool) -> None:
    before = labelled(
        f"<title>Tea of the valleys | The Leaf</title>{line}<div class=by>By Ann Lee</div>{TEXT}{TEXT[:-60]}"
    )
    likely = np.where(before.kept, 0.95, probability)
    after = with_slots(replace(before, probability=likely, kept=before.kept))
    expected = ["Tea of the valleys", "By Ann Lee"] if found else []
    assert [before.blocks.texts[block] for block in (after.kept & ~before.kept).nonzero()[0]] == expected


def test_a_kept_heading_that_is_a_part_of_the_title_is_enough() -> None:
    page = f"<title>The Tea Leaf: Kettle K2</title><h1>The Tea Leaf</h1><h3>Kettle K2</h3>{TEXT}{TEXT[:-60]}"
    assert filled(page) == []


SUMMARY = "The farmers of the valley sell their tea again."
DESCRIBED = '<meta name=description content="The farmers of the valley sell their tea again, and more.">'


@pytest.mark.parametrize(
    ("sentence", "probability", "is_kept"),
    [
        ("The farmers sell these kinds of tea:", 0.4, True),
        ("The farmers sell these kinds of tea:", 0.06, True),
        ("The farmers sell these kinds of tea:", 0.02, False),
        ("The farmers sell many kinds of tea.", 0.4, False),
        ("You may be interested in these:", 0.4, False),
        ("More of our recent articles are these:", 0.4, False),
        ("Related:", 0.4, False),
    ],
    ids=["a colon", "hardly likely", "unlikely", "no colon", "what leads elsewhere", "other articles", "a word"],
)
def test_a_list_that_a_sentence_announces_is_kept(sentence: str, probability: float, is_kept: bool) -> None:
    items = "<ul><li><a href=/g>Green</a><li><a href=/b>Black</a></ul>"
    before = labelled(article(f"{TEXT}<p>{sentence}</p>{items}"))
    kept = before.kept | np.array([text == sentence for text in before.blocks.texts])
    likely = np.where(kept, 0.95, probability)
    after = with_slots(replace(before, kept=kept, label=by_markup(before.blocks, kept), probability=likely))
    added = [before.blocks.texts[block] for block in (after.kept & ~kept).nonzero()[0]]
    assert added == ["Green", "Black"] * is_kept


CAPTION = "A farmer of the valley with her basket"


@pytest.mark.parametrize(
    ("picture", "is_kept"),
    [
        ("<div class=wp-caption><img src=a.jpg><p class=wp-caption-text>{}</p></div>", True),
        ("<div><a href=a.jpg><img src=a.jpg></a><div class=photo-caption>{}</div></div>", True),
        ("<div><div><img src=a.jpg></div><span class=caption><b>{}</b></span></div>", True),
        ("<div class=box><img src=a.jpg><p class=text>{}</p></div>", False),
        ("<div class=wp-caption><p class=wp-caption-text>{}</p></div>", False),
        ("<div><img src=a.jpg><p class=caption><a href=/b>{}</a></p></div>", False),
        ("<div><img src=a.jpg><p class=caption>Ann</p></div>", False),
        (f"<div><img src=a.jpg><div class=caption>{{}}</div>{'<span>Menu</span> ' * 120}</div>", False),
    ],
    ids=["wordpress", "beside a link", "further apart", "no name", "no picture", "a link", "a word", "much beside"],
)
def test_captions_that_classes_name_are_kept(picture: str, is_kept: bool) -> None:
    page = article(f"{TEXT}{picture.format(CAPTION)}{TEXT}{picture.format(CAPTION)}")
    assert filled(page) == [CAPTION] * is_kept  # the second is what a click opens


def test_time_of_captions_grows_linearly() -> None:
    pictures = "<div>" * 60 + "<p class=caption>A farmer of the valley</p>" + "</div>" * 60

    def prepare(size: int) -> Callable[[], object]:
        before = labelled(article(f"{TEXT}{pictures * size}<img src=a.jpg>{TEXT}"))
        return partial(with_slots, before)

    assert_linear(prepare, 20)


def test_a_summary_that_the_page_declares_is_kept() -> None:
    page = article(f"<p class=lead>{SUMMARY}", head=DESCRIBED)
    assert filled(page) == [SUMMARY]
    assert filled(article(f"<p class=lead>{SUMMARY}<p>{SUMMARY}", head=DESCRIBED)) == [SUMMARY]
    dated = article(f"<p class=lead>Tea Hill. {SUMMARY}", head=DESCRIBED)
    assert filled(dated) == [f"Tea Hill. {SUMMARY}"]
    assert filled(page.replace("their tea again.", "coffee to the town.")) == []
    assert filled(page.replace("<title>Tea of the valley", "<title>Coffee")) == []  # such as that of a forum
    assert filled(article(f"{TEXT[:-80]} {'<p>One more line of it.' * 12}<p>{SUMMARY}", head=DESCRIBED)) == []


@pytest.mark.parametrize(
    ("line", "said", "is_kept"),
    [
        ("How we loved it!", "How we loved it! ", True),
        ("<a href=/share>Share this page</a>", "Share this page ", False),
        ("How we loved it!", "", False),
        ("Ah!", "Ah! ", False),
    ],
)
def test_the_line_that_starts_the_declared_text_is_kept(line: str, said: str, is_kept: bool) -> None:
    start = "The farmers of the valley have sold their tea"
    page = article(f"<div>{line}</div>", head=f'<meta name=description content="{said}{start} at">')
    labels = labelled(page)
    block = next(at for at, text in enumerate(labels.texts) if text in line)
    before = replace(
        labels,
        kept=labels.kept & (np.arange(len(labels)) != block),
        probability=np.where(np.arange(len(labels)) == block, 0.4, labels.probability),
    )
    assert with_slots(before).kept[block] == is_kept


def test_the_label_of_what_fills_a_slot_is_kept_with_it() -> None:
    page = article("<div><div>Last updated:</div><div>5 March 2024</div></div>")
    assert filled(page) == ["Last updated:", "5 March 2024"]
    assert filled(page.replace("Last updated:", "Read on")) == ["5 March 2024"]


@pytest.mark.parametrize(
    ("quotation", "speaker"),
    [
        (
            f"<blockquote class=bbCodeBlock><div><a>Ann Lee said:</a></div><div>{TEXT}</div></blockquote>",
            "Ann Lee said:",
        ),
        (f"<div class=quote><b>Ann Lee schrieb:</b>{TEXT}</div>", "Ann Lee schrieb:"),
        (f"<aside class=quote><div class=title>annlee:</div>{TEXT}</aside>", "annlee:"),
        (f"<blockquote>{TEXT}<footer>Ann Lee, farmer</footer></blockquote>", "Ann Lee, farmer"),
        (f"<div class=quote>{TEXT}<p>— Ann Lee</div>", "— Ann Lee"),
        (f"<blockquote>{TEXT}</blockquote><cite><div><p>Ann Lee</p></div><a href=/x>Her story</a></cite>", "Ann Lee"),
        (f"<div class=forumQuoter>Ann Lee said:</div><div class=forumQuote>{TEXT}</div>", "Ann Lee said:"),
        (f"<blockquote>{TEXT}<p>Ann Lee</blockquote>", None),
        (f"<blockquote><b>Quote:</b>{TEXT}</blockquote>", None),
        (f"<blockquote><b>Click to expand</b>{TEXT}</blockquote>", None),
        ("<blockquote><b>Ann Lee said:</b><p>Buy it.</blockquote>", None),
        (f"<div><b>Ann Lee said:</b>{TEXT}</div>", None),
    ],
    ids=[
        "XenForo",
        "a class",
        "Discourse",
        "a footer",
        "a dash",
        "a source right after it",
        "a class of its own",
        "no sign",
        "no one",
        "a button",
        "nothing of it is kept",
        "no quotation",
    ],
)
def test_who_is_quoted_is_kept_with_the_quotation(quotation: str, speaker: str | None) -> None:
    assert filled(article(TEXT + quotation)) == [speaker] * (speaker is not None)


@pytest.mark.parametrize(
    "markup",
    [
        "<div class=author-follow>Follow Ann Lee</div>",
        "<div class=read-time>5 min read</div>",
        "<div class=tags><a href=/x>Markets</a></div>",
        "<div class=message-user><b class=author>annlee</b><time>5 March 2024</time></div>",
        "<div class=player-time>0:00 / 3:14</div>",
        "<div class=author-box>sign in to hear this article</div>",
        "<div class=date>« 5 March 2024 | Main</div>",
        "<div class=author>Home -> Archives -> Ann Lee</div>",
        "<div class=author>RSS</div>",
        "<div class=post_author><b class=author>Ann Lee</b><i class=author_statistics>Joined 5 March 2024</i></div>",
        "<i class=d>2024-03-05</i><br><i class=d>2023-03-05</i><br><i class=d>2022-03-05</i>",
        "<div class=author-bio>Ann is an editor at The Leaf.</div>",
        "<ul>" + "<li class=date>5 March 2024</li>" * 5 + "</ul>",
        "<div class=status>Last post 5 March 2024 by annlee</div>",
        "<div class=author-rank>✭✭✭</div>",
        f"<div class=question><div class=time>asked 5 March 2024</div>{TEXT * 2}</div>",
    ],
)
def test_what_only_stands_there_is_not(markup: str) -> None:
    assert filled(article(markup)) == []


@pytest.mark.parametrize("before", ["", '"image": {"url": "/zoe.jpg", "height": 100}, '])
def test_a_declared_author_is_found_without_names_of_classes(before: str) -> None:
    person = f'{{"@type": "Person", {before}"name": "Zo\\u00eb Lee"}}'
    declared = f'<script type="application/ld+json">{{"author": [{person}]}}</script>'
    markup = "<div><span>Zoë Lee</span></div>"
    assert filled(article(markup, head=declared)) == ["Zoë Lee"]
    assert filled(article(markup)) == []


def test_a_date_as_teasers_have_it_elsewhere_is_kept_and_those_of_a_list_are_not() -> None:
    date = "<div class=card><div class=when>{0} March 2024</div></div>"
    teasers = "".join(f"{date.format(day)}<a href=/{day}>A teaser</a>" for day in range(11, 17))
    assert filled(article(date.format(5)) + TEXT + teasers) == ["5 March 2024"]
    assert filled(article("".join(date.format(day) for day in range(5, 10)))) == []


def test_a_declared_author_of_a_meta_element_is_found() -> None:
    markup = "<div><span>Ann Lee</span></div>"
    assert filled(article(markup, head="<meta name=author content='Ann Lee'>")) == ["Ann Lee"]


@pytest.mark.parametrize(
    ("markup", "is_deck"),
    [
        ("<h3 class='subtitle x-1'>What farmers hope for</h3>", True),
        ("<div class=content__standfirst><p>What farmers hope for</p></div>", True),
        ("<div class=byline>By Ann Lee</div><p class=dek>What farmers hope for</p>", True),
        ("<p class=dek><a href=/hope>What farmers hope for</a></p>", False),
        ("<p class=ai-summary-button>What farmers hope for</p>", False),
        ("<p>What farmers hope for</p>", False),
        ("<p class=subtitle>Hope</p>", False),
        (f"{TEXT}<p class=subtitle>What farmers hope for</p>", False),
        ("<div class=excerpt><p>What farmers hope for</p><p>And what they do when the rain stays out</p></div>", False),
    ],
)
def test_the_deck_right_below_the_headline_is_kept(markup: str, *, is_deck: bool) -> None:
    blocks = segment(parse(article(markup)))
    kept = (blocks.words >= 20) | np.array([text in ("Tea of the valley", "By Ann Lee") for text in blocks.texts])
    after = with_slots(Labels(blocks, by_markup(blocks, kept), np.where(kept, 0.9, 0.2), kept))
    assert ("What farmers hope for" in np.array(blocks.texts, dtype=object)[after.kept]) == is_deck


def test_of_copies_the_first_is_kept() -> None:
    assert filled(article("<div class=byline>By Ann Lee</div>" * 2)) == ["By Ann Lee"]


def test_captions_between_kept_text_are_kept_and_teasers_are_not() -> None:
    caption = "Pickers on the eastern slope in spring"
    assert filled(article(caption=caption)) == [caption]
    assert filled(article(caption=f"<a href=/slope>{caption}</a>")) == []


@pytest.mark.parametrize(
    ("before", "after", "is_kept"),
    [("", TEXT, True), ("<div>", f"</div>{TEXT}", False), ("", f"<p>Menu</p>{TEXT}", False)],
    ids=["right above the text", "in another element", "above something else"],
)
def test_the_caption_of_the_first_picture_is_kept(before: str, after: str, *, is_kept: bool) -> None:
    picture = "<figure><img src=a.jpg><figcaption>Ann picks tea</figcaption></figure>"
    assert filled(f"<main>{before}{picture}{after}{TEXT}</main>") == ["Ann picks tea"] * is_kept


def test_captions_of_a_gallery_and_below_many_buttons_are_kept() -> None:
    gallery = "".join(f"<figure><img src={n}.jpg><figcaption>Pickers, day {n}</figcaption></figure>" for n in range(20))
    assert len(filled(article() + gallery + TEXT)) == 20
    buttons = "<ul>" + "<li><button>Share</button>" * 9 + "</ul>"
    picture = "<figure><img src=b.jpg><figcaption>The valley in spring</figcaption></figure>"
    assert filled(article(buttons + picture)) == ["The valley in spring"]


def test_headings_that_are_left_over_nothing_go_with_what_they_head() -> None:
    end = "<h2>Also in this shop</h2><ul><li><a href=/1>Other tea</a><li><a href=/2>More tea</a></ul>"
    for page, heading in (
        (article() + end, True),
        (article() + f"<h2>Sources</h2>{TEXT}", False),
    ):
        labels = labelled(page)
        headings = labels.blocks.page.within_at(labels.blocks.page.nodes_of(numbers("h2")), labels.blocks.node) > 0
        before = replace(labels, kept=labels.kept | headings)
        after = with_slots(before)
        assert (before.kept & ~after.kept).any() == heading
        assert not heading or "without content" in after.reasons[int((before.kept & ~after.kept).argmax())]


@pytest.mark.parametrize(
    ("page", "values"),
    [
        ("<div><b>Release date:</b><p>16 May 2011</div>", ["16 May 2011"]),
        ("<ul><li>Answered:<p>Dr Ann Leaf<p>botanist</ul>", ["Dr Ann Leaf", "botanist"]),
        ("<div><b>Release date</b><p>16 May 2011</div>", []),
        (f"<div><b>Related:</b>{'<p>Other tea' * 6}</div>", []),
        ("<div><b>Release date:</b></div><p>16 May 2011", []),
    ],
)
def test_a_label_goes_with_its_value(page: str, values: list[str]) -> None:
    labels = labelled(f"<h1>Tea</h1>{TEXT}{page}" + "<p>More of the tea." * 6)
    is_label = np.array([text.rstrip(":") in ("Release date", "Answered", "Related") for text in labels.blocks.texts])
    likely = np.where(labels.kept, labels.probability, 0.3)
    after = with_slots(replace(labels, kept=labels.kept | is_label, probability=likely))
    assert [text for text, why in zip(after.blocks.texts, after.reasons, strict=True) if "value of" in why] == values
    unlikely = with_slots(replace(labels, kept=labels.kept | is_label, probability=np.where(labels.kept, 0.9, 0.05)))
    assert not any("value of" in why for why in unlikely.reasons)


ASKED = "<div><h3>{}</h3><div>Steep it for three minutes in water that has just boiled, and no longer.</div></div>"


@pytest.mark.parametrize(
    ("question", "number", "is_kept"),
    [
        ("<button>How long does it take {}?</button>", 1, True),
        ("<b class=q>How long does it take {}?</b>", 4, True),
        ("<b class=q>How long does it take {}?</b>", 3, False),
        ("<button>How long does it take {}</button>", 1, False),
        ("<button>Really {}?</button>", 1, False),
    ],
    ids=["a button", "records", "few records", "no question", "two words"],
)
def test_a_question_goes_with_its_answer(question: str, number: int, is_kept: bool) -> None:
    parts = [ASKED.format(question.format(count)).replace("h3", "p") for count in range(number)]
    labels = labelled(f"<h1>Tea of the valley</h1>{TEXT}{''.join(parts)}" + "<p>More of it." * 8)
    is_answer = np.array([text.startswith("Steep") for text in labels.blocks.texts])
    added = filled_in(replace(labels, kept=labels.kept | is_answer))
    assert added == ([f"How long does it take {count}?" for count in range(number)] if is_kept else [])


def all_kept(page: str) -> Labels:
    labels = labelled(page)
    return replace(labels, kept=np.ones(len(labels), dtype=np.bool_))


def texts_dropped(labels: Labels) -> list[str]:
    """Return the texts that the slots drop."""
    return [labels.blocks.texts[block] for block in (labels.kept & ~with_slots(labels).kept).nonzero()[0]]


def test_the_heading_of_a_video_goes_where_nothing_is_below_it() -> None:
    page = f"<h1>Tea</h1>{TEXT}<h3>Video</h3><div class=player></div><h3>Notes</h3>{TEXT}<h3>A video of tea</h3>{TEXT}"
    assert texts_dropped(all_kept(page)) == ["Video"]


def test_parts_of_one_heading_are_not_over_nothing() -> None:
    page = f"<h1>Tea</h1>{TEXT}<h3>Leaves<div><b>1x</b></div><i>2x</i><div>3x</div></h3>{TEXT}"
    labels = all_kept(page)
    kept = np.array([text != "2x" for text in labels.blocks.texts])
    assert "2x" in labels.blocks.texts
    assert texts_dropped(replace(labels, kept=kept)) == []


def test_a_heading_that_never_ends_is_none() -> None:
    lines = "".join(f"<p>Line {number} about the tea of the valley, which is green." for number in range(12))
    page = f"<h1>Tea</h1><h2>{lines}<hr><p>Imprint of the shop."
    labels = all_kept(page)
    kept = np.array([text != "Imprint of the shop." for text in labels.blocks.texts])
    assert texts_dropped(replace(labels, kept=kept)) == []


BAKED = (
    '<script type="application/ld+json">{"@type": "Recipe", "recipeIngredient": ["20 g Butter", "Mehl"]}</script>'
    f"<h1>Kuchen</h1>{TEXT}"
)


def test_an_element_with_the_ingredients_is_no_side_part() -> None:
    pane = "<div class=pane--reviews><h2>Zutaten</h2><ul><li>{}</li><li>300 g Mehl</li></ul></div>"
    assert texts_dropped(all_kept(BAKED + pane.format("20 g Butter"))) == []
    assert len(texts_dropped(all_kept(BAKED.replace("Mehl", "Milch") + pane.format("30 g Salz")))) == 3
    for broken in ("[1]", '["\\q"]', "[[]]"):
        page = BAKED.replace('["20 g Butter", "Mehl"]', broken) + pane.format("20 g Butter")
        assert len(texts_dropped(all_kept(page))) == 3


def test_titles_of_other_recipes_go() -> None:
    other = "<h3><a href=/{0}>Kuchen {0}</a></h3><a href=/{0}><img src={0}.jpg></a>"
    page = BAKED + "".join(map(other.format, range(3))) + f"<h2><a href=#t>Teig</a></h2>{TEXT}"
    assert texts_dropped(all_kept(page)) == ["Kuchen 0", "Kuchen 1", "Kuchen 2"]
    assert texts_dropped(all_kept(page.replace('"Recipe"', '"Thing"'))) == []


def cards_kept(page: str) -> Labels:
    """Return the labels of a page of which the texts that begin with Tea are kept, too."""
    labels = labelled(page)
    return replace(labels, kept=labels.kept | np.array([text.startswith("Tea") for text in labels.blocks.texts]))


def kept_tea(labels: Labels) -> list[str]:
    """Return the texts of two words that begin with Tea and are kept with the slots filled."""
    kept = with_slots(labels).kept
    texts = [text for text, is_kept in zip(labels.blocks.texts, kept, strict=True) if is_kept]
    return [text for text in texts if text.startswith("Tea") and text.count(" ") == 1]


CARDS = "".join(f"<h3>Tea {number}</h3><a href=/{number}>Read on</a>" for number in range(6))


def test_headings_that_are_a_list_stay() -> None:
    labels = cards_kept(f"<h1>Tea of the valley</h1>{TEXT}{CARDS}")
    assert with_slots(labels).kept.tolist() == labels.kept.tolist()


def test_of_a_list_of_headings_those_that_repeat_one_before_them_go() -> None:
    labels = cards_kept(f"<h1>Tea of the valley</h1>{TEXT}{CARDS}<div>{CARDS}</div>")
    kept = with_slots(labels).kept
    assert [text for text, is_kept in zip(labels.blocks.texts, kept, strict=True) if is_kept and "Tea " in text] == [
        "Tea of the valley",
        *(f"Tea {number}" for number in range(6)),
    ]


RECORD = "<li><a class=pic href=/{0}></a><div class=info><h3 class=name><a href=/{0}>Pot of iron {0}</a></h3>"
RECORD += "<div class=now>€ {0}9,00</div><div class=old>instead of € {0}9,00</div><div class=sent>€ 4,90 delivery</div>"
RECORD += "<p class=about>{1}</p></div></li>"


def records(
    kept: int, about: str = "Holds a litre, and keeps its heat for an hour or two if you wrap it up in wool."
) -> Labels:
    """Return labels of a list of eight records, of which the teasers of some are kept."""
    page = (
        "<main><h1>Tea of the valley</h1><ul>" + "".join(RECORD.format(n, about) for n in range(1, 9)) + "</ul></main>"
    )
    labels = labelled(page)
    teasers = [block for block, text in enumerate(labels.blocks.texts) if text == about]
    is_kept = np.isin(np.arange(len(labels)), teasers[:kept]) | (np.array(labels.blocks.texts) == "Tea of the valley")
    return replace(labels, kept=is_kept, probability=np.where(is_kept, 0.9, 0.2))


def filled_in(labels: Labels) -> list[str]:
    after = with_slots(labels)
    return [labels.blocks.texts[block] for block in (after.kept & ~labels.kept).nonzero()[0]]


def test_of_records_that_are_kept_title_and_price_are_kept_too() -> None:
    expected = [line for n in range(1, 9) for line in (f"Pot of iron {n}", f"€ {n}9,00")]
    assert filled_in(records(8)) == expected
    assert filled_in(records(7)) == expected[:-2]  # nothing is kept of the last one
    half = records(4)
    half = replace(
        half, probability=np.where(half.kept, 0.9, 0.02)
    )  # else the page is there for the list (test_offers)
    assert filled_in(half) == []  # of most nothing is kept: these are parts of something else
    titles = [text for text in filled_in(records(5)) if text.startswith("Pot")]
    assert titles == [f"Pot of iron {number}" for number in range(1, 6)]  # a list of its own, above others alike


def test_prices_in_an_article_are_those_of_buttons_and_names_of_people_are_no_titles() -> None:
    labels = records(8)
    article = replace(labels.blocks.page.meta, entries=(("og:type", "article"),))
    page = replace(labels.blocks.page, meta=article)
    assert filled_in(replace(labels, blocks=segment(page))) == [f"Pot of iron {n}" for n in range(1, 9)]
    people = "".join(f"<li><h3 class=user>Guest number {n}</h3>{TEXT}</li>" for n in range(8))
    assert filled_in(labelled(f"<h1>Tea of the valley</h1><ul>{people}</ul>")) == []


CARD_OF_EVENT = (
    "<li><div><a href=/{0}>{1}</a></div><h3><a href=/{0}>{1}</a></h3><p>Every week.</p>"
    "<div class=save>Save this event: {1}</div><div class=about>{1} {2}</div></li>"
)
EVENTS = ("Tea for beginners", "A walk to the old kilns", "Pots of iron", "Steaming leaves", "The third cup")


def test_labels_of_buttons_and_copies_that_say_a_title_again_are_dropped() -> None:
    hosts = ("by Ann", "with Bo", "by Cy and Di", "in Japanese", "for free")
    cards = "".join(CARD_OF_EVENT.format(n, *event) for n, event in enumerate(zip(EVENTS, hosts, strict=True)))
    labels = labelled(f"<main><h1>Tea of the valley</h1><ul>{cards}</ul></main>")
    labels = replace(labels, kept=np.ones(len(labels), dtype=np.bool_))
    after = with_slots(labels)
    dropped = (labels.kept & ~after.kept).nonzero()[0].tolist()
    assert [labels.blocks.texts[block] for block in dropped] == [
        text for event in EVENTS for text in (event, f"Save this event: {event}")
    ]
    assert all(after.reasons[block].endswith("title of its record again") for block in dropped)
    headings = labels.blocks.page.within_at(labels.blocks.page.nodes_of(numbers("h3")), labels.blocks.node) > 0
    assert after.kept[headings].all()


SHOP = (
    "<html><head><title>Kettle K2</title>{head}</head><body><main><h1>Kettle K2</h1><div class=price-now>{price}</div>"
    "<button class=add-to-cart>Add to cart</button><h2>Description</h2>{text}<h2>Details</h2>{text}</main>"
    "<aside><h3>Others bought</h3>{others}</aside></body></html>"
)
CARD = "<div class=card><a href=/{0}>Pot {0}</a> <b class=price-now>€ {0}9,00</b></div>"
OTHERS = "".join(map(CARD.format, range(2, 9)))


def product(price: str, head: str = "") -> str:
    text = "<p>" + "A kettle of steel that boils a litre of water in two minutes and keeps it warm for an hour. " * 4
    return SHOP.format(price=price, head=head, text=text, others=OTHERS)


def offer(price: str) -> str:
    return f'<script type="application/ld+json">{{"@type": "Product", "offers": {{"price": {price}}}}}</script>'


@pytest.mark.parametrize(
    ("declared", "shown"),
    [
        ('"49.90"', "€ 49,90"),
        ("1299", "1.299,00 €"),
        ('"450.00"', "£450"),
        ('"0.99"', "CHF 0.99"),
        ("44890", "44 890 тг."),
    ],
)
def test_a_declared_price_that_is_shown_is_kept(declared: str, shown: str) -> None:
    assert filled(product(shown, offer(declared))) == [shown]


@pytest.mark.parametrize(
    ("beside", "kept"),
    [
        ("<b class=price-now>€ 29,90</b>", ["€ 49,90", "€ 29,90"]),
        ("<b class=price-now>+€ 4,90</b>", ["€ 49,90"]),
        ("<b class=loan>€ 29,90</b>", ["€ 49,90"]),
        ("<p>Only today</p><b class=price-now>€ 29,90</b>", ["€ 49,90"]),
    ],
)
def test_the_price_of_today_is_kept_beside_the_declared_one(beside: str, kept: list[str]) -> None:
    assert filled(product(f"€ 49,90</div><div>{beside}", offer('"49.90"'))) == kept


def test_a_price_in_a_heading_stays() -> None:
    page = (
        product("€ 49,90", offer('"49.90"'))
        .replace("<div class=price-now>", "<h2>")
        .replace("</div><button", "</h2><button")
    )
    assert filled(page) == ["€ 49,90"]


def test_a_price_that_is_not_declared_needs_a_shop_and_a_name() -> None:
    assert filled(product("€ 49,90")) == ["€ 49,90"]
    assert filled(product("€ 49,90").replace("add-to-cart", "send").replace("Add to cart", "Send")) == []
    assert filled(product("€ 0,00")) == []


def test_a_price_that_says_so_needs_no_class() -> None:
    assert filled(product("</div><div>Price: € 49,90")) == ["Price: € 49,90"]
    assert filled(product("</div><div>From € 49,90")) == []


def test_a_price_with_tax_and_one_without_are_both_kept_whatever_their_labels_are_named() -> None:
    both = "<span class=text>{}</span> <span class=price>{}</span>"
    lines = [both.format("bez DPH", "3,56 €"), both.format("s DPH", "4,27 €")]
    page = product(f"</div><div>{lines[0]}</div><div>{lines[1]}</div><div>")
    assert filled(page) == ["bez DPH 3,56 €", "s DPH 4,27 €"]


def test_the_kept_prices_of_a_list_are_none_of_the_product() -> None:
    tracks = "".join(f"<tr><td>{n}<td>Song {n}<td><b class=cost>$1.29</b>" for n in range(1, 9))
    page = product("€ 49,90").replace("<h2>Details</h2>", f"<h2>Songs</h2><table>{tracks}</table>")
    labels = labelled(page)
    songs = np.array(["$1.29" in text for text in labels.blocks.texts])
    after = with_slots(replace(labels, kept=labels.kept | songs))
    assert "€ 49,90" in [labels.blocks.texts[block] for block in after.kept.nonzero()[0]]


def test_the_prices_of_other_products_and_those_that_are_not_shown_stay_out() -> None:
    assert filled(product("not sold any more", offer('"29.50"'))) == []
    assert filled(product("not sold any more")) == []


REVIEW = "<p>I boil water for the tea of the whole family with it, every morning, and it has never let me down so far."
PARTS = {
    "a class": f"<section class=product-reviews><b>Ann</b>{REVIEW}</section>",
    "an id": f"<section id=customerReviews>{REVIEW}</section>",
    "a heading": f"<h2>Customer reviews (12)</h2>{REVIEW}<h3>Ann</h3>{REVIEW}<h2>Care</h2>",
    "terms": f"<h3>Versand und Rückgabe</h3>{REVIEW}<h3>Care</h3>",
    "a heading with a place of its own": f"<div><div><h3>Delivery</h3></div>{REVIEW}</div>",
    "a class of terms": f"<div class=deliveryInfo_shipping><div class='box delivery'>{REVIEW}</div></div>",
}


def shop_page(part: str, head: str = offer('"49.90"')) -> Labels:
    labels = labelled(product("€ 49,90", head).replace("</main>", f"{part}<p>Wipe it with a soft cloth. </main>"))
    texts = labels.blocks.texts
    return replace(
        labels, kept=np.array([keep or "cloth" in text for keep, text in zip(labels.kept, texts, strict=True)])
    )


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_reviews_and_terms_of_a_page_with_a_product_are_dropped(part: str) -> None:
    before = shop_page(part)
    after, whole = with_slots(before), with_slots(before, keep_sides=True)
    dropped = [after.blocks.texts[block] for block in (before.kept & ~after.kept).nonzero()[0]]
    assert dropped
    assert all("boil water" in text for text in dropped)
    assert "cloth" in after.blocks.texts[after.kept.nonzero()[0][-1]]
    assert (whole.kept >= before.kept).all()
    assert any("beside what" in reason for reason in after.reasons)


@pytest.mark.parametrize(
    "part",
    [
        f"<section class='preview presentation return-top shipping-taxable'>{REVIEW}</section>",
        f"<h2>Our review of the kettle</h2>{REVIEW}",
        f"<h2>Delivery rooms of the valley</h2>{REVIEW}",
        f"<h2>Reviews</h2>{REVIEW * 40}",
    ],
)
def test_what_is_no_part_of_the_shop_or_most_of_the_page_stays(part: str) -> None:
    before = shop_page(part)
    assert (with_slots(before).kept >= before.kept).all()


RECIPE = '<script type=\'application/ld+json\'>{"@type": "Recipe", "name": "Tea"}</script>'


@pytest.mark.parametrize(
    ("head", "markup"), [(RECIPE, "<div>"), ("", "<div itemscope itemtype=https://schema.org/Recipe>")]
)
def test_comments_of_a_recipe_are_dropped_however_many_they_are(head: str, markup: str) -> None:
    comments = f"<ul class=comments-list>{'<li class=comment>' + REVIEW * 30}</ul>"
    before = shop_page(f"{markup}Six cups of tea for the evening</div>{comments}", head)
    after = with_slots(before)
    dropped = [after.blocks.texts[block] for block in (before.kept & ~after.kept).nonzero()[0]]
    assert len(dropped) == 30
    assert all("boil water" in text for text in dropped)


def test_a_recipe_within_an_element_named_as_comments_stays() -> None:
    page = product("€ 49,90", RECIPE).replace("<main>", "<main class=comments>")
    assert (with_slots(before := labelled(page)).kept >= before.kept).all()


@pytest.mark.parametrize("inside", ["<h1>Kettle K2</h1>", "<p>Only € 49,90 for a kettle of steel that boils a litre"])
def test_an_element_with_the_main_heading_or_the_price_is_no_side_part(inside: str) -> None:
    text = "<p>A kettle of steel that boils a litre of water in two minutes and keeps it warm for an hour. " * 2
    page = (
        f"<html><head>{offer('49.90')}</head><body>{REVIEW}<p>{REVIEW * 2}<div class=has-reviews>{inside}{text}</div>"
    )
    before = labelled(page)
    before = replace(before, kept=np.ones(len(before), dtype=np.bool_))
    assert (with_slots(before).kept >= before.kept).all()


def test_an_article_about_products_keeps_its_reviews() -> None:
    before = shop_page(PARTS["a class"], f'{offer("49.90")}<meta property="og:type" content="article">')
    assert (with_slots(before).kept >= before.kept).all()


SHOP_NAMES = (
    "product-reviews kundenbewertung recensioni opinie-lista resenas otzyvy yotpo-main bazaarvoice-box avis delivery"
    " shipping returns return-policy refunds versand lieferung livraison envios spedizione payment financing retours"
    " pickup productDelivery"
)


READERS_NAMES = (
    "comments comment-list disqus_thread kommentare comentarios commentaires commenti komentare pageComments reviews "
    "wprm-prevent-sleep-container tasty-recipes-scale-label wprm-call-to-action hubbub-save-this-form"
)


@pytest.mark.parametrize(
    ("probability", "kept", "expected"),
    [(0.3, "term", ["of leaves"]), (0.3, "of leaves", ["term"]), (0.1, "term", []), (0.3, "", [])],
)
def test_a_term_and_its_definition_are_kept_together(probability: float, kept: str, expected: list[str]) -> None:
    before = labelled(f"<h1>Tea of the valley</h1>{TEXT}<dl><dt>term<dd>of leaves</dl>{TEXT[:-40]}")
    is_kept = before.kept | np.array([text == kept for text in before.blocks.texts])
    likely = np.where(is_kept, 0.95, probability)
    labels = replace(before, kept=is_kept, label=by_markup(before.blocks, is_kept), probability=likely)
    after = with_slots(labels)
    assert [before.blocks.texts[block] for block in (after.kept & ~is_kept).nonzero()[0]] == expected


def no_longer_kept(html: str) -> list[str]:
    """Return the texts that are dropped, of those that are kept: all but those of a `nav`."""
    blocks = segment(parse(html))
    kept = np.array([not text.startswith("Menu") for text in blocks.texts])
    before = Labels(blocks, by_markup(blocks, kept), np.where(kept, 0.95, 0.06), kept, reasons=["why"] * len(blocks))
    after = with_slots(before)
    return [blocks.texts[block] for block in (before.kept & ~after.kept).nonzero()[0]]


@pytest.mark.parametrize(
    ("line", "is_teaser"),
    [
        ("<p>Read more: <a href=/b>Tea of the hills</a></p>", True),
        ("<p><b>LESEN SIE AUCH – <a href=/b>Tee der Berge</a></b></p>", True),
        ("<h4><a href=/b>Related: Tea of the hills</a></h4>", True),
        ("<blockquote><b>Read: <a href=/b>Tea of the hills</a></b></blockquote>", True),
        ("<p>(MORE: <a href=/b>Tea of the hills</a>)</p>", True),
        ("<p>More: <a href=/b>Tea of the hills</a></p>", False),
        ("<p>You may also like:</p><p>Menu of teas</p>", True),
        ("<p>You may also like:</p><p>Tea of the hills</p>", False),
        ("<h2>Table of contents</h2><p>Menu of teas</p>", True),
        ("<p>In this article</p><p>Tea of the hills</p>", False),
        ("<p>See also: <a href=/b>Tea of the hills</a></p>", False),
        ("<p><a href=/b>More on self-help of farmers</a></p>", False),
        ("<p>Read more <a href=/b>about the teas of the hills</a></p>", False),
        ("<p>Related: the farmers sell tea of the hills, <a href=/b>too</a></p>", False),
        ("<ul><li>Read more: <a href=/b>Tea of the hills</a></ul>", False),
    ],
)
def test_lines_that_lead_to_other_articles_are_dropped(line: str, is_teaser: bool) -> None:
    page = f"<title>Tea of the valley</title><h1>Tea of the valley</h1>{TEXT}{line}{TEXT[:-40]}"
    assert len(no_longer_kept(page)) == is_teaser
    assert not with_sides(page)


def test_a_path_of_links_that_ends_with_the_title_is_dropped() -> None:
    title, path = "Tea of the valley", "<div><a href=/>Home</a> > <a href=/t>Tea</a> > Tea of the valley</div>"
    page = f"<title>{title}</title>{path}<h1>{title}</h1>{TEXT}{TEXT[:-40]}"
    assert no_longer_kept(page) == ["Home > Tea > Tea of the valley"]
    assert no_longer_kept(page.replace(f"<h1>{title}</h1>", "")) == []


@pytest.mark.parametrize(
    ("line", "goes"),
    [
        ("<p><a href=/>Home</a> › <a href=/t>Tea</a> › Tea of the valley</p>", True),
        ("<p><a href=/>Home</a> › <a href=/t>Tea</a> › more about Tea of the valley</p>", False),
        ("<p><a href=/>Ann</a> likes Tea of the valley</p>", False),
        ("<p><a href=/>Home</a> › <a href=/t>Tea</a></p>", False),
    ],
)
def test_a_path_of_links_right_below_the_title_is_dropped(line: str, goes: bool) -> None:
    page = f"<title>Tea of the valley</title><h1>Tea of the valley</h1>{line}{TEXT}{TEXT[:-40]}"
    assert bool(no_longer_kept(page)) == goes


def with_sides(html: str) -> list[str]:
    """Return the texts that are dropped where the sides of a page are kept."""
    before = labelled(html)
    after = with_slots(before, keep_sides=True)
    return [before.blocks.texts[block] for block in (before.kept & ~after.kept).nonzero()[0]]


def test_all_words_for_side_parts_are_found() -> None:
    for names, wanted in ((SHOP_NAMES, side_parts._OF_SHOP), (READERS_NAMES, side_parts._OF_READERS)):
        for name in names.split():
            assert side_parts._which(ElementNames(("main", f"box {name}")), wanted).tolist() == [False, True], name


def test_names_of_side_parts_are_found_in_linear_time() -> None:
    names = "".join(f'<p class="returned x{number} {"d" * 250}">Tea of the valley {number}' for number in range(9_000))
    begin = time.perf_counter()
    before = shop_page(names)
    assert (with_slots(before).kept >= before.kept).all()
    assert time.perf_counter() - begin < 10  # a second here


def test_reviews_stay_where_no_price_is_declared() -> None:
    before = shop_page(PARTS["a class"], head="")
    assert (with_slots(before).kept >= before.kept).all()


def test_a_price_and_what_is_in_stock_stay_in_parts_of_the_shop() -> None:
    more = "to all of the valley before the end of this week, and to the hills by the end of the next one too"
    lines = f"<p>Only € 49,90 with delivery {more}<p>In stock and sent {more}"
    before = shop_page(f"<div class=delivery>{lines}{REVIEW}</div>")
    after = with_slots(before)
    assert ["boil" in before.blocks.texts[block] for block in (before.kept & ~after.kept).nonzero()[0]] == [True]


def test_contradictory_and_damaged_declarations_are_read_the_plain_way() -> None:
    for head in (
        offer('"49.90"') + offer('"29.00"') * 3,
        offer('"."'),
        offer("{"),
        '<meta property="og:price:amount" content="">',
    ):
        assert dehusk.clean(product("€ 49,90", head)).status == "ok"


def test_what_fills_a_slot_is_likely_and_says_so() -> None:
    labels = with_slots(labelled(article("<div class=byline>By Ann Lee</div>")))
    block = labels.blocks.texts.index("By Ann Lee")
    assert labels.probability[block] == LIKELY
    assert labels.reasons[block] == "why; byline or date at the headline"


def test_only_the_styles_that_want_them_have_slots() -> None:
    page = article("<div><span>05.03.2024</span></div>", "Pickers on the eastern slope in spring")
    texts = {style: dehusk.clean(page, style=style).text for style in STYLES}
    assert all("05.03.2024" in texts[style] and "Pickers" in texts[style] for style in ("auto", "whole"))
    assert "05.03.2024" not in texts["body"]


OFFER = (
    '<script type="application/ld+json">{"@type": "Product", "sku": "K2-4711", "brand": {"@type": "Brand", '
    '"name": "Kanne"}, "offers": {"price": 49.90, "availability": "https://schema.org/InStock"}}</script>'
)


def shown(markup: str, head: str = OFFER) -> list[str]:
    """Return what fills slots of a product, but for its price, if some markup follows that."""
    return [line for line in filled(product(f"€ 49,90</div><div>{markup}", head)) if line != "€ 49,90"]


@pytest.mark.parametrize(
    "line",
    [
        "In stock",
        "Availability: out of stock",
        "Only 3 left in stock",
        "Auf Lager",
        "Nicht lieferbar",
        "En stock",
        "Rupture de stock",
        "Esgotado",
        "Dostępny",
        "Нет в наличии",
        "在庫あり",
        "SKU: K2-4711",
        "Art. K2-4711",
        "Kanne",
        "Hersteller: Kanne",
    ],
)
def test_availability_number_and_brand_of_a_declared_product_are_kept(line: str) -> None:
    assert shown(f"<span>{line}</span>") == [line]
    assert shown(f"<span>{line}</span>", head="") == []


@pytest.mark.parametrize(
    "markup",
    [
        "<span>More options available</span>",
        "<span>Check the availability in our stores</span>",
        "<span>SKU: K2-47112</span>",
        "<span>AK2-4711</span>",
        "<span>Kannenwelt</span>",
        "<span>Kanne For Business</span>",
        "<span>All the pots and kettles by the makers of Kanne</span>",
        "".join(f"<b class=size>{size} <i class=stock>In stock</i></b>" for size in "SMLX"),
    ],
)
def test_what_only_resembles_a_fact_of_the_product_stays_out(markup: str) -> None:
    assert shown(markup) == []


def test_a_number_that_is_not_declared_is_one_by_its_name() -> None:
    head = OFFER.replace('"sku": "K2-4711", ', "")
    assert shown("<p>SKU: K2-4711<p>SKU: K2-4712", head) == ["SKU: K2-4711"]
    assert shown("<span>Model of 2024</span>", head) == []


def test_of_several_lines_the_one_that_is_named_says_whether_it_is_in_stock() -> None:
    assert shown("<p>In stock</p><p class=stock-level>Only 3 left</p>") == ["Only 3 left"]
    assert shown("<p>SKU: K2-4711</p><p>Art. K2-4711</p>") == ["SKU: K2-4711"]


ROWS = "".join(f"<tr><td>Property {number}<td>Value {number}" for number in range(3))


def test_a_specification_that_is_fairly_probable_is_kept_as_a_whole() -> None:
    html = product(f"€ 49,90</div><table>{ROWS}</table><dl><dt>a<dd>b<dt>c<dd>d<dt>e<dd>f</dl><div>", OFFER)
    assert "Property 0" not in filled(html)  # its probability is .06
    before = labelled(html)
    inside = np.array([text.startswith(("Property", "Value")) or len(text) == 1 for text in before.blocks.texts])
    fair = replace(before, probability=np.where(inside, 0.3, before.probability))
    assert with_slots(fair).kept[inside].all()
    assert not with_slots(replace(fair, blocks=labelled(html.replace(OFFER, "")).blocks)).kept[inside].any()
    short = product("€ 49,90</div><table><tr><td>a<td>b<tr><td>c<td>d</table><div>", OFFER)
    cells = labelled(short)
    cells = replace(cells, probability=np.full(len(cells.blocks), 0.3))
    assert not with_slots(cells).kept[[text in tuple("abcd") for text in cells.blocks.texts]].any()


def test_of_a_heading_that_is_repeated_the_first_is_kept() -> None:
    cards = "".join(f"<h3>Pot {n}</h3><a href=/{n}><h3>Pot {n}</h3></a><p>{TEXT}" for n in range(3))
    other = f"<h3>Pot 2</h3><h4>Pot 2</h4><p>{TEXT}<h3>Pot 2</h3><p>{TEXT}"
    blocks = segment(parse(f"<h1>Pots</h1>{cards}{other}"))
    kept = np.ones(len(blocks), dtype=np.bool_)
    after = with_slots(Labels(blocks, by_markup(blocks, kept), np.where(kept, 0.95, 0.06), kept))
    texts = [blocks.texts[block] for block in (after.kept & (blocks.words < 5)).nonzero()[0]]
    assert texts == ["Pots", "Pot 0", "Pot 1", "Pot 2", "Pot 2", "Pot 2", "Pot 2"]


def enclosed(html: str, probability: float = 0.3) -> list[str]:
    """Return the texts of a page that are kept because they are between kept text."""
    before = labelled(f"<main><h1>Tea of the valley</h1>{TEXT}<p>Two pots stand out{html}{TEXT}</main>{TEXT}")
    kept = before.kept | np.array([text.startswith("Two pots") for text in before.blocks.texts])
    fair = replace(before, kept=kept, probability=np.where(kept, 0.95, probability))
    after = with_slots(fair)
    return [after.blocks.texts[block] for block in (after.kept & ~kept).nonzero()[0]]


def test_lists_and_code_between_kept_text_are_kept() -> None:
    assert enclosed("<ul><li>The clay pot<li>The <a href=/i>iron</a> pot</ul>") == ["The clay pot", "The iron pot"]
    assert enclosed("<pre>pour(tea)\nsteep(3)</pre>") != []
    assert enclosed("<ol start=2><li>Cups</ol>") == ["Cups"]


@pytest.mark.parametrize(
    "html",
    [
        "<ul><li><a href=/c>The clay pot</a><li><a href=/i>The iron pot</a></ul>",
        "<ul><li>In <a href=/p>pots</a> of the valley</ul>",
        "<ul><li>The clay pot<li>The iron pot</ul><p>more pots",
        "<div><ul><li>The clay pot<li>The iron pot</ul></div>",
        "<p>The clay pot",
    ],
    ids=["links", "a category", "text after it", "in an element of its own", "a paragraph"],
)
def test_other_parts_between_kept_text_are_judged_alone(html: str) -> None:
    assert enclosed(html) == []


def test_a_list_that_is_improbable_between_kept_text_stays_out() -> None:
    assert enclosed("<ul><li>The clay pot<li>The iron pot</ul>", 0.1) == []


@pytest.mark.parametrize(
    ("below", "is_dropped"),
    [
        ("<h2>tea of the  Valley</h2>", True),
        ("<h1>Tea of the valley</h1><h3><a href=/>Tea of the valley</a></h3>", True),
        ("<p>Green, and black.<h2>Tea of the valley</h2>", True),
        (f"<p>{'Green, and black, and white. ' * 5}<h2>Tea of the valley</h2>", False),
        ("<img src=/tea.jpg alt=Leaves><h2>Tea of the valley</h2>", False),
        ("<table><tr><td><h2>Tea of the valley</h2><td>Green</table>", False),
        ("<p>Tea of the valley", True),
        ("<p>Tea of the valley and more", False),
    ],
)
def test_the_headline_again_right_below_it_goes(below: str, is_dropped: bool) -> None:
    dropped = texts_dropped(all_kept(f"<h1>Tea of the valley</h1>{below}{TEXT}"))
    assert bool(dropped) == is_dropped
    assert {text.lower() for text in dropped} <= {"tea of the valley"}


def test_a_section_that_was_dropped_is_no_record_of_a_list() -> None:
    page = f"<h1>Tea</h1>{TEXT}{{}}<h2>Tea</h2>{TEXT}"
    records = "".join(f"<h2>Tea {n}</h2>{'<p>more' * 3}" for n in range(4))
    assert kept_tea(cards_kept(page.format(records))) == [f"Tea {n}" for n in range(4)]
    assert kept_tea(cards_kept(page.format(records.replace("<p>more" * 3, "<p>more" * 15)))) == []
    assert kept_tea(cards_kept(page.format(records.replace("<p>more" * 3, "<p>more" * 15, 1)))) == []


def test_many_equal_headings_and_many_over_nothing_take_little_time() -> None:
    empty = "".join(f"<h2>Tea {n}</h2><p>x<h3>Tea {n} b</h3><p>y" for n in range(10_000))
    labels = cards_kept("<h1>Tea</h1>" * 10_000 + empty)
    assert assert_quick(lambda: with_slots(labels), 10).kept.any()


def test_of_several_main_headings_over_nothing_the_first_stays() -> None:
    page = f"{TEXT}<h1>Tea one</h1><p>a<h1>Tea two</h1><p>b<h1>Tea three</h1>{TEXT}"
    assert kept_tea(cards_kept(page)) == ["Tea one", "Tea three"]


def test_of_copies_for_screens_of_two_widths_the_first_is_kept() -> None:
    times = "<p>Steep 3 min<p>Cool 5 min"
    narrow = "<div class='{}'>{}</div>"
    for wide, other in (("hide-phone", "show-phone"), ("hidden md:block", "md:hidden"), ("desktop-box", "mobile-box")):
        page = narrow.format(wide, times) + narrow.format(other, times)
        assert copies(page) == ["Steep 3 min", "Cool 5 min"]
        assert copies(page.replace(other, wide)) == []
        assert copies(page + narrow.format(other, times + "<p>Pour")) == ["Steep 3 min", "Cool 5 min"]
        assert copies(page.replace(other, "")) == []


def test_the_names_of_records_are_no_byline_of_the_page() -> None:
    record = "<div class=box><h3><a href=/{0}>Tea {0}</a></h3>{1}</div>"
    names = [f"<div class=byline><i>Ann {name}</i></div>" for name in ("Leaf", "Lee", "Lang", "Lund", "Lowe", "Lamb")]
    page = "<h1>Tea of the valley</h1>{}" + TEXT
    records = "".join(record.format(n, name) for n, name in enumerate(names))
    assert filled(page.format(records)) == []
    assert filled(page.format(record.format(1, names[0]))) == ["Ann Leaf"]
    assert filled(page.format(names[0]) + records) == ["Ann Leaf"]


PART = "".join(
    f"<p>{n} leaves of the spring are rolled by hand in the valley, and dried at night.</p>" for n in range(3, 9)
)


def reasons(body: str) -> tuple[list[str], list[str]]:
    """Return the texts of a page, all of them kept before, and why each is dropped."""
    blocks = segment(parse(body))
    kept = np.ones(len(blocks), dtype=np.bool_)
    labels = Labels(blocks, by_markup(blocks, kept), np.full(len(blocks), 0.95), kept, reasons=["why"] * len(blocks))
    return blocks.texts, list(with_slots(labels).reasons)


def dropped(body: str) -> list[int]:
    """Return the blocks of a page that are dropped as a copy of a part."""
    return [block for block, why in enumerate(reasons(body)[1]) if why.endswith("; copy of a part before it")]


def copies(body: str) -> list[str]:
    """Return the texts of a page that are dropped as a copy for another width of the screen."""
    return [text for text, why in zip(*reasons(body), strict=True) if "another width" in why]


def test_a_part_that_is_there_twice_is_kept_once() -> None:
    assert dropped(f"<div class=wide>{PART}</div><div class=narrow>{PART}</div><p>The end.") == [*range(6, 12)]
    assert dropped(f"<div>{PART}<p>One more.</div><div>{PART}</div>" * 2) == [*range(7, 13), *range(13, 26)]


@pytest.mark.parametrize(
    "body",
    [
        f"<div>{PART}<p>A verse of its own.</p>{PART}</div>",
        f"<div>{PART}</div><blockquote>{PART}</blockquote>",
        f"<blockquote>{PART}</blockquote><div>{PART}</div>",
        f"<div>{PART}</div><div class=bbcode_quote>{PART}</div>",
        f"<div>{PART}</div><table><tr><td>{PART}</table>",
        "<div><p>Leaves of spring.<p>Tea.<p>Hot.</div>" * 2,
        "".join(f"<div>{PART[: PART.index('/p>') + 3]}</div><p>Between them stands line {n}.</p>" for n in range(9)),
    ],
    ids=["a refrain", "a quotation", "what is quoted", "a named quotation", "a table", "few words", "single blocks"],
)
def test_what_is_said_twice_on_purpose_stays(body: str) -> None:
    assert dropped(body) == []


def test_thousands_of_declarations_captions_and_prices() -> None:
    others = "<figure><figcaption>A € 3.50 pot</figcaption></figure><b class=price>€ 3.50</b>" * 10_000
    page = product("€ 49,90", offer('"49.90"') * 3_000) + others
    assert dehusk.clean(page).status == "ok"
    assert "€ 49,90" in filled(page)
    nested = "<figcaption>" * 200 + "<p>A pot of tea" * 10_000
    assert dehusk.clean(article() + nested).status == "ok"


@pytest.mark.parametrize("html", ["", "<p>", "<h2>Tea</h2>", "<h2></h2><img src=a.png>"])
def test_a_page_of_next_to_nothing(html: str) -> None:
    blocks = segment(parse(html))
    kept = np.ones(len(blocks), dtype=np.bool_)
    labels = Labels(blocks, by_markup(blocks, kept), kept * 0.9, kept)
    assert with_slots(labels).kept.tolist() == kept.tolist()
    assert dehusk.clean(html).status in ("ok", "no-content")


def test_spaces_in_linked_data_take_no_more_time_than_their_length() -> None:
    data = '<script type="application/ld+json">{"author":' + " " * 300_000 + "x</script>"
    start = time.process_time()
    assert filled(article("<div>By Ann Lee</div>", head=data)) == ["By Ann Lee"]
    assert time.process_time() - start < 5


NOTE = "The harvest of the valley was first written down in a letter of that year."


def noted(mark: str, note: str) -> str:
    return ARTICLE.format(byline="", caption="", text=f"{TEXT}{mark}</p>").replace("</article>", f"{note}</article>")


def test_a_footnote_whose_mark_is_kept_is_kept() -> None:
    html = noted("<sup><a href=#n>1</a></sup>", f"<ol><li id=n>{NOTE}</ol>")
    before = labelled(html)
    for probability, is_kept in ((0.01, False), (0.06, True), (0.2, True)):
        drops = np.where(before.kept, before.probability, probability)
        after = with_slots(replace(before, probability=drops))
        filled_in = (after.kept & ~before.kept).nonzero()[0]
        assert (NOTE in [after.blocks.texts[block] for block in filled_in]) is is_kept


@pytest.mark.parametrize(("marks", "notes"), [(12, 12), (0, 1)])
def test_a_bibliography_and_a_list_without_marks_stay_out(marks: int, notes: int) -> None:
    mark = "".join(f"<sup><a href=#n{index}>{index}</a></sup>" for index in range(1, marks + 1))
    html = noted(mark, "<ol>" + "".join(f"<li id=n{index}>{NOTE}" for index in range(1, notes + 1)) + "</ol>")
    before = labelled(html)
    after = with_slots(replace(before, probability=np.maximum(before.probability, 0.2)))
    assert NOTE not in [after.blocks.texts[block] for block in after.kept.nonzero()[0]]


def test_a_formula_between_kept_text_is_kept() -> None:
    formula = "<div><math><mi>Q</mi><mo>=</mo><mi>m</mi></math></div>"
    assert "Q=m" in filled(ARTICLE.format(byline="", caption="", text=f"{TEXT}</p>{formula}{TEXT}</p>"))
    assert "Q=m" not in filled(ARTICLE.format(byline="", caption="", text=TEXT).replace("</nav>", f"</nav>{formula}"))


def with_banner(banner: str, title: str = "Tea of the valley - The Leaf", head: str = "") -> Labels:
    html = article(head=head).replace("<main>", f"{banner}<main>").replace("Tea of the valley - The Leaf", title)
    labels = labelled(html)
    named = np.array([text in ("The Leaf", "Tea time") for text in labels.blocks.texts])
    return replace(labels, kept=labels.kept | named)


@pytest.mark.parametrize(
    ("banner", "title", "head"),
    [
        ("<h1>The Leaf</h1>", "Tea of the valley - The Leaf", ""),
        ("<h2>The Leaf</h2>", "Tea of the valley", "<meta property=og:site_name content='The Leaf'>"),
        ("<h1><a href=/>The Leaf</a></h1>", "The Leaf: Tea of the valley", ""),
        ("<h1><a href='https://leaf.example/?from=post'>The Leaf</a></h1>", "Tea of the valley", ""),
        ("<div id=site-header><h1>Tea time</h1></div>", "Tea of the valley - The Leaf", ""),
    ],
)
def test_the_name_of_the_site_above_the_title_is_dropped(banner: str, title: str, head: str) -> None:
    before = with_banner(banner, title, head)
    after, whole = with_slots(before), with_slots(before, keep_sides=True)
    dropped = (before.kept & ~after.kept).nonzero()[0]
    assert [after.blocks.texts[block] for block in dropped] == ["Tea time" if "Tea time" in banner else "The Leaf"]
    assert "name of the site above the title" in after.reasons[dropped[0]]
    assert (whole.kept >= before.kept).all()


@pytest.mark.parametrize(
    ("banner", "title"),
    [
        ("<h1>Tea time</h1>", "Tea of the valley - The Leaf"),
        ("<h1>The Leaf</h1>", "The Leaf"),
        ("<div class=header><h1>The Leaf</h1><h2>Tea of the valley</h2></div>", "Tea of the valley"),
        ("<h1><a href=/teas/>Tea time</a></h1>", "Tea of the valley - The Leaf"),
    ],
    ids=["a series", "no title below", "a head with the title", "a section"],
)
def test_another_heading_above_the_title_is_kept(banner: str, title: str) -> None:
    before = with_banner(banner, title)
    assert (with_slots(before).kept >= before.kept).all()


def test_the_name_of_a_site_that_is_the_author_is_kept() -> None:
    head = '<meta name=author content="The Leaf"><meta property=og:site_name content="The Leaf">'
    before = with_banner("<h1>The Leaf</h1>", head=head)
    assert (with_slots(before).kept >= before.kept).all()


def test_facts_side_by_side_at_a_headline_are_no_fields_of_records() -> None:
    facts = "".join(f"<p><b class=x>{text}</b></p>" for text in ("Dec 19, 2025", "•", "12 min read", "Berlin"))
    text = "Green tea is brewed with water of seventy degrees, so that it does not turn bitter in the second cup."
    page = f"<header><a href=/>Home</a></header><main><h1>Green tea</h1><div>{facts}</div><p>{text}</p><p>{text}</p>"
    assert "Dec 19, 2025" in dehusk.clean(page).text
