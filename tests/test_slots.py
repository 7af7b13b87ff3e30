"""Bylines and dates at the headline, captions of pictures, prices of products: what fills a slot, and what does not."""

import time
from dataclasses import replace

import numpy as np
import pytest

import dehusk
from dehusk import parse, segment
from dehusk.base.tags import numbers
from dehusk.blocks.labels import Labels, by_markup
from dehusk.label import STYLES
from dehusk.label.united.rubric import LIKELY, with_slots

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
        ("<p>Von Anna Lehmann</p>", "Von Anna Lehmann"),
        ("<div class=author-name><a href=/ann>Ann Lee</a></div>", "Ann Lee"),
        ("<div><time datetime=2024-03-05>5 March 2024</time></div>", "5 March 2024"),
        ("<div class=posted-on>05.03.2024, 14:46</div>", "05.03.2024, 14:46"),
        ("<div>2024年3月5日</div>", "2024年3月5日"),
    ],
)
def test_bylines_and_dates_at_the_headline_are_kept(markup: str, line: str) -> None:
    assert filled(article(markup)) == [line]


@pytest.mark.parametrize(
    "markup",
    [
        "<div class=author-follow>Follow Ann Lee</div>",
        "<div class=read-time>5 min read</div>",
        "<div class=tags><a href=/x>Markets</a></div>",
        "<div class=message-user><b class=author>annlee</b><time>5 March 2024</time></div>",
        "<div class=player-time>0:00 / 3:14</div>",
        "<div class=author-box>sign in to hear this article</div>",
        "<div class=author-bio>Ann is an editor at The Leaf.</div>",
        "<ul>" + "<li class=date>5 March 2024</li>" * 5 + "</ul>",
    ],
)
def test_what_only_stands_there_is_not(markup: str) -> None:
    assert filled(article(markup)) == []


def test_a_declared_author_is_found_without_names_of_classes() -> None:
    declared = '<script type="application/ld+json">{"author": {"@type": "Person", "name": "Zo\\u00eb Lee"}}</script>'
    markup = "<div><span>Zoë Lee</span></div>"
    assert filled(article(markup, head=declared)) == ["Zoë Lee"]
    assert filled(article(markup)) == []


def test_of_copies_the_first_is_kept() -> None:
    assert filled(article("<div class=byline>By Ann Lee</div>" * 2)) == ["By Ann Lee"]


def test_captions_between_kept_text_are_kept_and_teasers_are_not() -> None:
    caption = "Pickers on the eastern slope in spring"
    assert filled(article(caption=caption)) == [caption]
    assert filled(article(caption=f"<a href=/slope>{caption}</a>")) == []


def test_headings_that_are_left_over_nothing_go_with_what_they_head() -> None:
    end = "<h2>You may also like</h2><ul><li><a href=/1>Other tea</a><li><a href=/2>More tea</a></ul>"
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


def test_headings_that_are_a_list_stay() -> None:
    cards = "".join(f"<h3>Tea {number}</h3><a href=/{number}>Read on</a>" for number in range(6))
    labels = labelled(f"<h1>Tea of the valley</h1>{TEXT}{cards}")
    kept = labels.kept | np.array([text.startswith("Tea") for text in labels.blocks.texts])
    assert with_slots(replace(labels, kept=kept)).kept.tolist() == kept.tolist()


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


def test_the_prices_of_other_products_and_those_that_are_not_shown_stay_out() -> None:
    assert filled(product("not sold any more", offer('"29.50"'))) == []
    assert filled(product("not sold any more")) == []


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
