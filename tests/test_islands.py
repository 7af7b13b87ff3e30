"""Text that a page holds only in its scripts, attributes and templates, as the large frameworks write it."""

import json
import re
from html import escape

import numpy as np
import pytest

from dehusk import Blocks, Document, Labels, Page, clean, parse, segment
from dehusk.base.errors import Status
from dehusk.blocks.labels import OTHER
from framework_pages import CONSENT, FRAMEWORKS, HTML, POST, TEXT, script, shell


def data_texts(document: Document) -> list[str]:
    return [block.text for block in document.blocks if block.source == "data"]


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_the_text_that_a_framework_keeps_in_data(framework: str) -> None:
    document = clean(FRAMEWORKS[framework], explain=True)
    assert document.status is Status.OK
    assert [line for line in TEXT if line in data_texts(document)] == TEXT
    assert all(block.kept for block in document.blocks if block.source == "data")
    assert "<" not in document.text
    assert "cookies" not in " ".join(data_texts(document))
    assert any(note.startswith("text taken from ") for note in document.notes)


def test_a_title_in_the_data_heads_its_text() -> None:
    for framework in ("next-pages", "discourse", "wordpress", "sveltekit", "angular"):
        assert data_texts(clean(FRAMEWORKS[framework]))[0] == "How to brew", framework


def test_a_block_of_data_says_where_it_is_from() -> None:
    document = clean(FRAMEWORKS["wordpress"])
    block = next(block for block in document.blocks if block.text == TEXT[0])
    assert block.xpath == "/html/head/script[1]"
    assert document.page.text[slice(*block.span)] == TEXT[0]
    assert document.notes == ("text taken from the JSON-LD of the page (articleBody)",)
    assert {block.source for block in document.blocks} == {"data", "elements"}
    preloaded = clean(FRAMEWORKS["discourse"]).blocks[-1]
    assert preloaded.xpath == "/html/body/div[2]/@data-preloaded"


class DropsAll:
    """A method that keeps nothing."""

    def segment(self, page: Page) -> Blocks:
        return segment(page)

    def label(self, blocks: Blocks, *, explain: bool = False) -> Labels:
        b = len(blocks)
        return Labels(
            blocks, np.full(b, OTHER, dtype=np.uint8), np.zeros(b), np.zeros(b, dtype=np.bool_), ["no"] * b * explain
        )


def test_text_of_data_is_kept_whatever_the_method_decides() -> None:
    document = clean(FRAMEWORKS["wordpress"], method=DropsAll(), explain=True)
    assert [(block.text, block.kept, block.reason) for block in document.blocks][:2] == [
        ("Home Tea About us", False, "no"),
        ("How to brew", True, "text of the page's data"),
    ]
    assert [block.label for block in document.blocks] == ["other", "header", *["paragraph"] * 4]
    assert document.confidence > 0.5


def test_a_page_that_shows_its_text_stays_as_it_is() -> None:
    data = script({"post": POST, "related": [{"title": "More", "content": HTML.replace("tea", "coffee")}]})
    with_data, without = (f"<body><h1>How to brew</h1>{HTML}{more}</body>" for more in (data, "<script>1</script>"))
    assert parse(with_data).text == parse(without).text
    assert not parse(with_data).islands
    assert clean(with_data).markdown == clean(without).markdown


@pytest.mark.parametrize(
    "data",
    [
        {"consent": {"body": CONSENT * 3}},
        {"banner": {"text": CONSENT, "more": CONSENT.replace("accept", "agree")}},
        {"messages": {f"key{n}": f"This is message {n} of our shop, and says so. " * 2 for n in "abcdefghijklmnopq"}},
        {"css": "body { color: red; } " * 40},
        {"query": "query Post($id: ID!) { post(id: $id) { id title body } } " * 10},
        {"image": "https://tea.example/" + "a" * 500},
        {"tags": ["tea", "green tea", "water", "leaves", "kettle", "watch", "cups"] * 30},
        {"token": "QUJD" * 300},
        {"i18n": {"greeting": "\n".join(TEXT)}},
        {"hint": " ".join(f"Hello {{name}}, you have {{count}} new messages in {n} threads." for n in range(9))},
    ],
)  # fmt: skip
def test_what_is_not_text(data: object) -> None:
    document = clean(shell(body=script(data)))
    assert not document.page.islands
    assert not data_texts(document)


def test_a_text_that_stands_twice_is_taken_once() -> None:
    linked = script({"@type": "Article", "articleBody": "\n".join(TEXT)}, 'type="application/ld+json"')
    document = clean(shell(head=linked, body=script({"post": POST, "copy": POST})))
    assert [data_texts(document).count(line) for line in TEXT] == [1, 1, 1, 1]


def test_descriptions_are_left_if_the_text_is_there_in_full() -> None:
    summary = "A short summary of the whole matter, which says in one sentence how green tea is brewed at home by Ann."
    document = clean(shell(body=script({"post": {**POST, "description": summary}})))
    assert summary not in document.text
    assert TEXT[0] in document.text


def test_a_page_that_shows_only_the_start_of_its_text() -> None:
    article = {
        "@type": "NewsArticle",
        "headline": "How to brew",
        "description": TEXT[0],
        "articleBody": "\n".join(TEXT),
    }
    linked = script({**article, "author": {"name": "Ann"}}, 'type="application/ld+json"')
    document = clean(shell(head=linked, body=f"<h1>How to brew</h1><p>{TEXT[0]}</p><p>Subscribe to read on.</p>"))
    assert [line for line in TEXT if line in document.text] == TEXT


def test_posts_come_in_the_order_of_the_data() -> None:
    posts = [{"author": "Ann", "body": f"<p>Post {n}: {TEXT[n % 4]}</p>"} for n in range(12)]
    texts = data_texts(clean(shell(body=script({"thread": {"posts": posts}}))))
    assert texts[:4] == [f"Post {n}: {TEXT[n]}" for n in range(4)]


SCRIPTS = (
    '<p>{}</p><script>alert(1)</script><img src=x onerror="alert(2)"><a href="javascript:alert(3)">click here</a>'
    '<iframe src="javascript:alert(4)"></iframe><svg onload="alert(5)"></svg></article></div>'
    "<plaintext><p onclick=alert(6)>"
)


@pytest.mark.parametrize("key", ["content", "articleBody"])
def test_scripts_in_data_are_harmless(key: str) -> None:
    hostile = SCRIPTS.format("</p><p>".join(TEXT))
    for text in (hostile, escape(hostile), escape(escape(hostile))):
        document = clean(shell(body=script({"post": {key: text}})))
        assert TEXT[0] in document.text
        for output in (document.html, document.overlay, document.markdown):
            tags = " ".join(re.findall("<[^<>]*>", output.split("</style>")[-1].lower()))
            assert not re.search(r"<script|\bon[a-z]+=|javascript:|<iframe|<svg|<plaintext", tags), output
            assert "alert(1)" not in output


def test_broken_json_is_read_as_far_as_it_goes() -> None:
    whole = json.dumps({"post": POST})
    for broken in (
        whole[:-1],
        whole[:-60],
        whole.replace('"slug"', "slug"),
        "}}]]" + whole,
        whole + "]]]}",
        f"<!-- {whole} -->",
    ):
        document = clean(shell(body=f"<script type='application/json'>{broken}</script>"))
        assert TEXT[0] in document.text, broken
    raw_lines = '{"articleBody": "' + "\n\n".join(TEXT) + '"}'
    document = clean(shell(head=f'<script type="application/ld+json">{raw_lines}</script>'))
    assert data_texts(document) == TEXT


def test_a_page_cut_within_its_data() -> None:
    page = shell(body=script({"post": POST}))
    document = clean(page[: page.index("Good leaves") + 30])
    assert TEXT[0] in document.text


def test_data_of_any_depth() -> None:
    for opening, closing in (("[", "]"), ('{"a":', "}")):
        deep = opening * 10_000 + json.dumps({"body": HTML}) + closing * 10_000
        assert TEXT[0] in clean(shell(body=f'<script type="application/json">{deep}</script>')).text
    nested = HTML
    for _ in range(30):
        nested = json.dumps({"body": nested}) if len(nested) < 200_000 else nested
    assert clean(shell(body=f'<script type="application/json">{nested}</script>')).status is not Status.ERROR


def test_markup_of_any_depth_in_data() -> None:
    deep = "<div>" * 10_000 + HTML
    assert TEXT[0] in clean(shell(body=script({"body": deep}))).text


@pytest.mark.parametrize(
    "unit", ['"a b",', "[", "{", '"', "'", '\\"', '"\\', '{"a":"', "//", "/*", '"<p>', "&lt;p&gt;", "\\u00"]
)
def test_twenty_megabytes_of_data_take_bounded_time(unit: str) -> None:
    size = 19_000_000 if unit in ('"a b",', '{"a":"') else 3_000_000
    source = shell(body=f'<script type="application/json">{unit * (size // len(unit))}</script>')
    page = parse(source)
    assert page.status in (Status.OK, Status.TRUNCATED)
    source = shell(body=f"<script>x={unit * (1_000_000 // len(unit))}</script>")
    assert parse(source).status is Status.OK


def test_a_shell_says_that_scripts_render_it() -> None:
    for body in ("", "<noscript>You need to enable JavaScript to run this app.</noscript>"):
        document = clean(
            f"<html><head><title>App</title></head><body><div id=root></div>{body}<script src=a.js></script>"
        )
        assert document.status is Status.NO_CONTENT
        assert "rendered by scripts" in document.message
        assert not document.text
    for page in ("<body><app-root></app-root><script src=a.js></script>", "<body><main></main><script>go()</script>"):
        assert "rendered by scripts" in clean(page).message


def test_an_empty_page_is_no_shell() -> None:
    for page in (
        "",
        "<body></body>",
        "<body><p></p><script></script>",
        "<div id=a></div>",
        f"<div id=a></div>{HTML}<script></script>",
    ):
        assert "rendered by scripts" not in clean(page).message
