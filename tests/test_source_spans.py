"""The way from a page's text to the bytes of its source and back: what stands there is what the page has."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dehusk
from dehusk.read import parse
from dehusk.read.page import Page
from dehusk.read.source import SourceSpans, source_spans

TESTS = Path(__file__).parent
PAGES = sorted(TESTS.glob("page_engines/*.html"))
PLAIN = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le"}
"""Encodings with a byte order mark -> those without one."""
WORDS = "<title>Tea</title><p>Caf&eacute; <b>au</b> lait &amp; tea</p>\r\n<p>日本 <i>茶</i> 日本</p>"


def known(page: Page, spans: SourceSpans) -> list[int]:
    """Return the text nodes with a place."""
    nodes = page.is_text.nonzero()[0].tolist()
    return [node for node in nodes if spans.starts[page.text_start[node]] >= 0]


def source(page: Page, span: tuple[int, int] | None) -> str:
    assert span is not None
    encoding = page.encoding.name.replace("str", "utf-8")
    return page.data[slice(*span)].decode(encoding)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_source_of_a_text_is_that_text_and_back(path: Path) -> None:
    page = parse(path.read_bytes())
    spans, images = source_spans(page), set(page.alt_nodes.tolist())
    texts = [node for node in page.is_text.nonzero()[0].tolist() if node not in images]
    texts = [node for node in texts if not page.text[page.text_start[node] : page.text_end[node]].isspace()]
    found = set(known(page, spans))
    assert len(found & set(texts)) == len(texts) or page.islands
    for node in found:
        start, end = int(page.text_start[node]), int(page.text_end[node])
        there = spans.of_text(start, end)
        markup = source(page, there)
        assert markup == page.text[start:end] or "&" in markup or "\r" in markup
        assert there is not None
        assert spans.of_source(*there) == (start, end)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "shift_jis", "euc_jp", "gb18030"])
def test_places_are_bytes_of_the_page_as_it_was_given(encoding: str) -> None:
    head = f"<meta charset={encoding.removesuffix('-sig')}>" if encoding != "utf-16" else ""
    document = dehusk.clean((head + WORDS).encode(encoding))
    for quote, markup in (
        ("café au lait & tea", "Caf&eacute; <b>au</b> lait &amp; tea"),
        ("茶 日本", "茶</i> 日本"),
    ):
        (place,) = document.locate(quote)
        assert place.source is not None
        assert document.page.data[slice(*place.source)] == markup.encode(PLAIN.get(encoding, encoding))
        assert document.text_span(place.source) == place.span
        assert document.source_span(place.span) == place.source


def test_characters_that_cannot_be_decoded_and_those_of_windows_1252_take_their_bytes() -> None:
    damaged = b"<meta charset=utf-8><p>\xff\xfe" + "Grün café ".encode() * 20 + "cafés".encode()
    for data, text in ((damaged, "cafés"), ("<p>it\x92s tea".encode(), "it’s tea")):
        document = dehusk.clean(data)
        (place,) = document.locate(text)
        assert place.source is not None
        assert data[slice(*place.source)].decode() in {"cafés", "it\x92s tea"}


def test_text_that_the_parser_moves_is_found_where_it_was() -> None:
    html = b"<table><tr><td>the cell of the table</td>moved out of the table</tr></table><p>and a paragraph</p>"
    page = parse(html)
    spans = source_spans(page)
    assert page.text.startswith("moved out")
    for text in ("moved out of the table", "the cell of the table", "and a paragraph"):
        at = page.text.index(text)
        assert source(page, spans.of_text(at, at + len(text))) == text


def test_alternative_texts_are_found_in_their_attributes() -> None:
    document = dehusk.clean(b"<p>A long enough paragraph of tea.</p><img src=a.png alt='A pot &amp; a cup'><p>More</p>")
    (place,) = document.locate("A pot & a cup")
    assert place.source is not None
    assert document.page.data[slice(*place.source)] == b"A pot &amp; a cup"


def test_repeated_texts_have_places_of_their_own() -> None:
    page = parse(b"<ul>" + b"<li>Reply</li><li>1</li>" * 50 + b"</ul>")
    spans = source_spans(page)
    begins = [int(spans.starts[page.text_start[node]]) for node in known(page, spans)]
    assert len(begins) == 100
    assert begins == sorted(set(begins))


@pytest.mark.parametrize(
    "html",
    [
        "",
        "no markup at all, but a line of text",
        "# Markdown\n\nA *paragraph* of text.",
        "<rss version='2.0'><channel><title>News</title><item><title>One</title></item></channel></rss>",
    ],
)
def test_other_forms_and_empty_pages(html: str) -> None:
    page = parse(html)
    spans = source_spans(page)
    there = spans.of_text(0, len(page.text))
    assert there is None or 0 <= there[0] <= there[1] <= len(page.data)
    assert spans.of_source(0, 0) is None


def test_data_of_scripts_has_no_place() -> None:
    body = "A paragraph that only the data of a script has, long enough to be read from there. " * 8
    document = dehusk.clean(
        f'<body><div id=app></div><script type="application/ld+json">'
        f'{{"@type":"NewsArticle","articleBody":"{body}"}}</script>'
    )
    assert document.page.islands
    assert document.source_span(document.blocks[0].span) is None


def test_spans_that_are_none() -> None:
    document = dehusk.clean("<p>tea")
    with pytest.raises(ValueError, match=r"0 <= start <= end <= 3 characters of page\.text, not \(2, 9\)"):
        document.source_span((2, 9))
    with pytest.raises(ValueError, match=r"0 <= start <= end <= 6 bytes of page\.data, not \(5, 4\)"):
        document.text_span((5, 4))


@settings(max_examples=200)
@given(st.text("ab<>&;/=p'\"\r\n é日\0\x85-!", max_size=80))
def test_any_source(html: str) -> None:
    page = parse(html)
    spans = source_spans(page)
    for node in known(page, spans):
        start, end = int(page.text_start[node]), int(page.text_end[node])
        there = spans.of_text(start, end)
        assert there is not None
        assert 0 <= there[0] <= there[1] <= len(page.data)
        back = spans.of_source(*there)
        assert back is not None
