"""Warnings of a page: each is there where a page shows its reason, and not where a page only resembles it."""

import json

import numpy as np
import pytest

import dehusk
from dehusk import Document, Metadata, PageWarning, parse, segment
from dehusk.about.verdict import WARNINGS, warnings_of
from dehusk.blocks.labels import Labels, by_markup

TEXT = "The farmers of the valley have sold their tea at the market for three hundred years now. " * 3


def warned(body: str, *, head: str = "", dropped: str = "(drop)") -> list[PageWarning]:
    """Return the warnings of a page of which all blocks are kept but those that contain `dropped`."""
    blocks = segment(parse(f"<html><head>{head}</head><body>{body}</body></html>"))
    kept = np.array([dropped not in text for text in blocks.texts])
    labels = Labels(blocks, by_markup(blocks, kept), np.where(kept, 0.95, 0.06), kept)
    return warnings_of(labels, Metadata)


def names(body: str, **options: str) -> list[str]:
    return [warning.name for warning in warned(body, **options)]


@pytest.mark.parametrize(
    "line",
    [
        "Subscribe now to continue reading this article.",
        "Log in or create an account to continue",
        "This article is for subscribers only",
        "Weiterlesen mit dem Abo",
        "Il vous reste 57.09% de cet article à lire. La suite est réservée aux abonnés.",
        "Contenido exclusivo para suscriptores",
        "この記事は会員限定です。",
        "Статья доступна только для подписчиков",
        "You’ve reached your monthly limit of free articles",
        "Read the full story in the app",
        "This is a preview of subscription content, log in via an institution to check access.",
        "You’re reading a free preview",
        "Weiter geht es mit Bote+",
        "Pozostało 78% tekstu",
        "Você atingiu o limite de matérias gratuitas deste mês.",
        "להמשך קריאת הכתבה, הצטרפו למינוי דיגיטלי",
        "本文共计6218字，请订阅后继续阅读",
        "더중앙플러스 구독 후 이용하실 수 있습니다",
        "계속 읽으려면 구독하세요",
        "Este contenido es exclusivo para suscriptores",
        "Questo articolo è riservato agli abbonati",
        "Статья доступна только подписчикам",
        "Стаття доступна лише передплатникам",
        "Czytaj dalej w prenumeracie cyfrowej",
        "Pokračovat ve čtení můžete s předplatným",
        "Denne saken er for abonnenter",
        "Läs vidare – prova en månad för 1 krona",
        "Få adgang til hele artiklen",
        "您已读完免费内容，余下全文请登录订阅",
        "Artikel ini khusus untuk pelanggan",
    ],
)
def test_a_line_that_asks_to_pay_is_named(line: str) -> None:
    found = warned(f"<h1>Tea</h1><p>{TEXT}</p><div>{line}</div>", dropped=line[:12])
    assert [(each.name, each.blocks) for each in found] == [("paywall", (2,))]
    assert line[:30] in found[0].message


@pytest.mark.parametrize(
    "line",
    [
        "Subscribe to our newsletter",
        "Continue reading",
        "Log in",
        "Read more about tea",
        "Members of the club meet on Mondays",
        "Members-Only App",
        "Subscribe to breaking news alerts and keep your inbox happy",
        "Abonnieren Sie unseren Newsletter",
        "Sign up and get ten per cent off your first order",
        "Subscribe to support us: all articles stay free",
        "Already a subscriber? Sign in",
        "Läs vidare om te",
        "Artykuł opisuje prenumeratę gazet",
        "Questo articolo è stato scritto ieri",
    ],
)
def test_other_invitations_are_no_paywall(line: str) -> None:
    assert names(f"<h1>Tea</h1><p>{TEXT}</p><div>{line}</div>", dropped=line[:12]) == []


def test_two_hints_below_a_short_text_say_that_it_is_not_whole() -> None:
    hints = "<div>Subscribe for unlimited access (drop)</div><div>Already a subscriber? Log in (drop)</div>"
    assert [(each.name, each.blocks) for each in warned(f"<p>{TEXT}</p>{hints}")] == [("paywall", (1, 2))]
    assert names(f"<p>{TEXT * 20}</p>{hints}") == []


def linked(data: str) -> str:
    return f'<script type="application/ld+json">{data}</script>'


def test_a_page_that_declares_that_it_is_not_free_is_named_if_little_is_kept() -> None:
    declared = linked('{"@type": "NewsArticle", "isAccessibleForFree": "False"}')
    assert names(f"<p>{TEXT}", head=declared) == ["paywall"]
    assert names(f"<p>{TEXT * 20}", head=declared) == []
    assert names(f"<p>{TEXT}", head=declared.replace("False", "True")) == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("Page 1 of 3", "the page is number 1 of 3"),
        ("Seite 2 von 12", "the page is number 2 of 12"),
        ("Página 1 de 9", "the page is number 1 of 9"),
        ("Page: 1 2 3 Next", "the page is the first of several"),
        ("Page 3 of 3", None),
        ("Page 7 of 3", None),
        ("Page 12", None),
        ("Homepage 1 of 3", None),
    ],
)
def test_a_page_of_several_says_so(line: str, message: str | None) -> None:
    found = warned(f"<p>{TEXT}</p><div>{line} (drop)</div>")
    assert [each.message for each in found] == ([message] if message else [])


def pager(*numbers: str, word: str = "", address: str = "/tea?page=") -> str:
    links = (number if "*" in number else f"<a href='{address}{number}'>{number}</a>" for number in numbers)
    return f"<div>(drop) {word} {' | '.join(links)}</div>".replace("*", "")


@pytest.mark.parametrize(
    ("line", "is_said"),
    [
        (pager("1*", "2", "3"), True),
        (pager("1", "2*", "3"), True),
        (pager("1", "2", "3*"), False),
        (pager("1", "2", "3"), False),
        (pager("1*", "2", word="Pages: "), True),
        (pager("1*", "2", address="/tea/comment-page-"), False),
        (f"<p>(drop) 14 Comments</p>{pager('1*', '2')}", False),
        (pager("1*", "2", address="javascript:turn("), False),
        (pager("1*", "2", address="#note"), False),
        ("<div>(drop) 1 | <a href=/tea>2</a> | <a href=/cups>3</a></div>", False),
        (f"<div>(drop) 16 posts • Page 1 of 1</div>{pager('2', address='/posts/')}", False),
    ],
)
def test_numbers_of_which_the_next_one_is_a_link_are_of_pages(line: str, is_said: bool) -> None:
    assert (names(f"<p>{TEXT}</p>{line}") == ["continues"]) is is_said
    assert (names(f"{line}<p>{TEXT}</p>") == ["continues"]) is (is_said and "Comments" not in line)


def test_a_strip_within_a_page_is_not_the_page() -> None:
    text, strip = 30 * f"<p>{TEXT}</p>", "<p>Page 1 of 10 (drop)</p><p>Cups (2)</p>"
    assert names(text + strip + text) == []
    assert names(f"{text}{strip}<a href=?2>Next (drop)</a>{text}") == ["continues"]
    assert names(f"<p>{TEXT}</p><p>Books: page 1 of 5 (drop)</p>") == []


def test_a_text_with_the_numbers_of_its_pages_is_whole() -> None:
    pages = "".join(f"<p>{TEXT}</p><div>Page {number} of 3</div>" for number in (1, 2, 3))
    assert names(pages) == []
    assert names("<div>Page 1 of 3</div>" + f"<p>{TEXT}</p>" + "<div>Page 1 of 3</div>") == ["continues"]


@pytest.mark.parametrize(
    "more", ["Read more", "Continue reading …", "Continued...", "Weiterlesen", "lire la suite", "続きを読む"]
)
def test_a_text_that_is_cut_short(more: str) -> None:
    start = "<p>And so the story of the tea of the valley goes on and…</p>"
    found = warned(f"<p>{TEXT}</p>{start}<div>{more}</div>")
    assert [(each.name, each.blocks) for each in found] == [("cut-short", (1, 2))]


@pytest.mark.parametrize(
    "body",
    [
        "<p>And so the story of the tea of the valley goes on and…</p><div>Share</div>",
        "<p>And so the story of the tea of the valley goes on and on.</p><div>Read more</div>",
        f"<p>And so the story of the tea of the valley goes on and…</p><p>{TEXT}</p><div>Read more</div>",
        "<p>And so the story of the tea of the valley goes on and…</p><div>Read more about tea</div>",
    ],
)
def test_an_ellipsis_alone_is_how_some_people_write(body: str) -> None:
    assert names(body) == []


def product(line: str) -> list[PageWarning]:
    declared = linked('{"@type": "Product", "offers": {"price": "1299.00"}}')
    return warned(f"<h1>Kettle</h1><p>{TEXT}</p><div>{line}</div>", head=declared)


def test_a_declared_price_that_is_shown_and_dropped() -> None:
    found = product("1.299 € (drop)")
    assert [(each.name, each.blocks) for each in found] == [("price-dropped", (2,))]
    assert product("1.299 €") == product("899 € (drop)") == product("No price (drop)") == []


def test_a_heading_over_dropped_text() -> None:
    page = (
        f"<h1>Tea</h1><p>{TEXT}</p><h2>Related</h2><p>Other teas (drop)</p><h2>History</h2><h3>Early</h3><p>{TEXT}</p>"
    )
    found = warned(page)
    assert [(each.name, each.blocks) for each in found] == [("heading-without-content", (2,))]
    several = warned(page + "<h2>More</h2><p>(drop)</p>")[0]
    assert several.blocks == (2, 7)
    assert several.message == '2 headings stand over nothing, such as "Related"'
    many = "".join(f"<h3>Tea {number}</h3><p>(drop)</p>" for number in range(4))
    assert names(f"<h1>Tea</h1><p>{TEXT}</p>{many}") == [], "a list of headings"
    assert names(f"<h1>Tea<br>of the valley</h1><p>{TEXT}</p>") == [], "two blocks of one heading"


def test_links_and_hidden_text_that_are_kept() -> None:
    links = "".join(f"<li><a href=/{n}>A tea of the valley, number {n}, by the farmers</a>" for n in range(20))
    assert names(f"<ul>{links}</ul>") == ["mostly-links"]
    assert names(f"<ul>{links}</ul><p>{TEXT * 5}</p>") == []


def test_hidden_text_that_is_kept() -> None:
    page = f"<h1>Tea</h1><p>{TEXT}</p><p style='display:none'>{TEXT}</p>"
    assert dehusk.clean(page).warnings == [], "it is dropped"
    blocks = segment(parse(page))
    kept = np.ones(3, dtype=np.bool_)
    labels = Labels(blocks, by_markup(blocks, kept), kept * 0.9, kept, hidden={2: "display:none"})
    assert [(each.name, each.blocks) for each in warnings_of(labels, Metadata)] == [("hidden-text", (2,))]


def test_the_language_of_the_kept_text_is_that_of_the_page() -> None:
    german = "Die Bauern des Tals verkaufen ihren Tee seit dreihundert Jahren auf dem Markt der kleinen Stadt. "
    page = f"<p>{TEXT}</p>" + f"<div>{german * 12}</div>"
    document = dehusk.clean(page)
    other = document.blocks[1].text[:30]
    blocks = segment(parse(page))
    kept = np.array([not text.startswith(other) for text in blocks.texts])
    labels = Labels(blocks, by_markup(blocks, kept), np.where(kept, 0.95, 0.06), kept)
    metadata = dehusk.about.metadata.read_metadata(blocks.page, labels)
    assert [each.name for each in warnings_of(labels, lambda: metadata)] == ["other-language"]
    assert document.metadata.page_language is not None


def test_warnings_are_in_the_record_and_in_the_order_of_their_names() -> None:
    page = f"<h1>Tea</h1><p>{TEXT * 3}</p><p>Page 1 of 3</p><p>Subscribe now to continue reading this article.</p>"
    document = dehusk.clean(page, explain=True)
    found = [warning.name for warning in document.warnings]
    assert found == sorted(found, key=list(WARNINGS).index)
    assert found == ["paywall", "continues"]
    record = json.loads(json.dumps(document.record(evidence=True)))
    assert [each["name"] for each in record["warnings"]] == found
    assert "warnings" not in document.record()


def test_a_page_without_kept_text_has_none() -> None:
    assert dehusk.clean("").warnings == []
    assert dehusk.clean("<nav><a href=/>Page 1 of 3</a></nav>").warnings == []


def status_of(body: str) -> tuple[str, str]:
    document = dehusk.clean(f"<html><body>{body}</body></html>", method="keep-all")
    return document.status, document.message


def test_a_page_with_a_part_of_its_text_is_partial_and_done() -> None:
    asking = f"<h1>Tea</h1><p>{TEXT}</p><p>Subscribe now to continue reading this article.</p>"
    assert status_of(asking) == (
        "partial",
        'the page asks to pay for the rest: "Subscribe now to continue reading this article."',
    )
    assert status_of(f"<p>{TEXT}</p><p>Page 1 of 3</p>") == ("partial", "the page is number 1 of 3")
    assert status_of(f"<p>{TEXT}</p>") == ("ok", "")
    assert status_of("<p>Page 1 of 3</p>" + 9 * "<p>Tea.</p>")[0] == "partial"
    assert dehusk.Status.PARTIAL.is_fine
    assert dehusk.Status.PARTIAL.is_readable


def test_a_part_of_a_text_is_never_sure_to_be_whole() -> None:
    page = f"<h1>Tea of the valley</h1>{f'<p>{TEXT}</p>' * 4}"
    whole, part = dehusk.clean(page), dehusk.clean(f"{page}<p>Page 1 of 3</p>")
    assert (whole.status, part.status) == (dehusk.Status.OK, dehusk.Status.PARTIAL)
    assert whole.confidence > 0.9
    assert part.confidence == 0.75


def test_confidence_takes_the_errors_of_a_page_together() -> None:
    """The expected F1 of two of three blocks, word for word; more is wrong than that, but nothing of a sure text."""
    blocks = segment(dehusk.parse("<p>one two three four</p><p>five six</p><p>seven</p>"))
    words, probability, kept = [4, 2, 1], [0.9, 0.6, 0.2], [True, True, False]
    labels = Labels(blocks, by_markup(blocks, np.array(kept)), np.array(probability), np.array(kept))
    right = sum(n * p for n, p, keep in zip(words, probability, kept, strict=True) if keep)
    expected = 2 * right / (6 + sum(n * p for n, p in zip(words, probability, strict=True)))
    confidence = Document(dehusk.Status.OK, "", labels).confidence
    sure = Labels(blocks, labels.label, np.ones(3), np.ones(3, bool))
    assert confidence == pytest.approx(1 - (1 - expected) ** 0.76)
    assert confidence < expected
    assert Document(dehusk.Status.OK, "", sure).confidence == 1


@pytest.mark.parametrize(
    ("link", "is_said"),
    [
        ("<link rel=next href=/t/tea/page-2>", True),
        ("<a rel='nofollow next' href='viewtopic.php?t=7&start=15'>›</a>", True),
        ("<link rel=next href=/t/another-tea>", False),
        ("<link rel=next>", False),
        ("<link rel=prev href=/t/tea/page-2>", False),
    ],
)
def test_a_thread_of_a_known_engine_names_its_next_page(link: str, *, is_said: bool) -> None:
    post = '<div class="postbody"><p class="author"><a class="username">Ann</a></p><div class="content">{}</div></div>'
    posts = "".join(
        f'<div class="post has-profile"><dl class="postprofile">Ann</dl>{post.format(TEXT)}</div>' for _ in "ab"
    )
    assert (names(f"{posts}{link}") == ["continues"]) is is_said
    assert names(f"<article><p>{TEXT}</p></article>{link}") == [], "a blog links so to its next article"


def test_a_number_far_from_what_is_kept_is_of_another_part() -> None:
    far = "<div>Page 1 of 3 (drop)</div>" + 9 * "<p>Other (drop)</p>"
    assert names(f"{far}<p>{TEXT}</p>") == []
    assert names(f"<div>Page 1 of 3 (drop)</div><p>{TEXT}</p>") == ["continues"]


def test_a_page_cut_at_a_limit_stays_truncated() -> None:
    html = f"<p>{TEXT}</p><p>Page 1 of 3</p>" + "<p>Tea.</p>" * 3000
    assert dehusk.clean(html, limits=dehusk.Limits(nodes=2000), method="keep-all").status == "truncated"
