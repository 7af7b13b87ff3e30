"""Hostile pages: whatever a page contains, nothing that comes out runs, loads or opens anything, or ends its markup."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date as day

import pytest
import turbohtml
import yaml
from lxml import etree
from markdown_it import MarkdownIt

import dehusk
from cpu_time import assert_quick
from dehusk.document import Document
from dehusk.read import parse
from dehusk.sites.outline import outline_html
from dehusk.sites.wisdom import InformativeStructure, Wisdom
from dehusk.write import WRITERS
from dehusk.write.bounds import largest
from dehusk.write.safety import BLOCK, EMPTY, INLINE, MATH
from hostile_pages import CANARY, PAYLOADS, TEMPLATES, hostile_pages

SCHEMES = {"", "http", "https", "ftp", "mailto", "tel"}
ADDRESS_ATTRIBUTES = {
    *("href", "src", "srcset", "cite", "action", "formaction", "data", "poster", "background", "ping", "xlink:href"),
    *("longdesc", "profile", "manifest", "srcdoc", "target", "ref"),
}
CHOICES = {
    "title": ("always", "auto", "never"),
    "links": ("keep", "drop", "footnotes"),
    "images": (True, False),
    "tracking": (True, False),
    "front_matter": ("none", "yaml"),
}
ELEMENTS = {
    "html": BLOCK | INLINE | EMPTY | MATH | {"html", "head", "meta", "title", "body"},
    "markdown": {
        *("html", "head", "body", "p", "h1", "h2", "h3", "h4", "h5", "h6", "a", "img", "em", "strong", "s", "code"),
        *("pre", "br", "hr", "blockquote", "ol", "ul", "li", "table", "thead", "tbody", "tr", "th", "td"),
    },
    "overlay": BLOCK | INLINE | {"html", "head", "meta", "title", "body", "style", "br", "hr", "wbr"},
    "outline": BLOCK | INLINE | MATH | {"html", "head", "body", "br", "hr", "wbr"},
}
"""Format -> the elements that it may have."""

_CREDULOUS = MarkdownIt("commonmark", {"html": True, "maxNesting": 2000}).enable(["table", "strikethrough"])
_CREDULOUS.validateLink = lambda _: True  # type: ignore[method-assign]


def rendered(markdown: str) -> str:
    """Return Markdown as HTML by a reader that lets through any HTML and any link."""
    return _CREDULOUS.render(markdown)


def clean(html: str) -> Document:
    return dehusk.clean(html, method="keep-all")


def faults(html: str, format_name: str) -> list[str]:
    """Return what may not be in HTML: elements, attributes and addresses."""
    found = []
    for element in turbohtml.parse(html).select("*"):
        name, given = element.tag.lower(), dict(element.attrs)
        if name not in ELEMENTS[format_name]:
            found.append(f"element {name}")
        if name == "meta" and given.get("http-equiv", "").lower() == "refresh":
            found.append("a page that leads elsewhere")
        for key, value in given.items():
            if key.lower().startswith("on") or key.lower() in {"style", "srcset", "srcdoc", "action", "formaction"}:
                found.append(f"attribute {key}")
            if key.lower() in ADDRESS_ATTRIBUTES and not is_harmless(str(value or "")):
                found.append(f"address {value}")
    return found


def is_harmless(address: str) -> bool:
    """Return whether browsers see no scheme in an address but those of the web and of mail and telephone."""
    read = re.sub(r"[\t\n\r]", "", address).strip("".join(map(chr, range(0x21))))
    scheme = re.match(r"([a-zA-Z][a-zA-Z0-9+.-]*):", read)
    return (scheme[1].lower() if scheme else "") in SCHEMES


PARTS = 3
"""Of the choices that are not defaults, a page has one of so many parts; each template meets all of them."""
LEFT_OUT = ("images", False)
"""Every page has this one: what is around an image is seldom empty without it."""


def variants(doc: Document, part: int | None) -> Iterator[tuple[str, str]]:
    """Yield (format, output) for each format, with the defaults and with each other value of a part of its choices."""
    for writer in WRITERS:
        yield writer.name, doc.render(writer.name)
        chosen = [(o, v) for o in sorted(writer.options) for v in (writer.posts if o == "posts" else CHOICES[o])]
        for number, (option, value) in enumerate(chosen):
            if part is not None and number % PARTS != part % PARTS and (option, value) != LEFT_OUT:
                continue
            yield writer.name, doc.render(writer.name, **{option: value})
    yield "markdown", doc.render("markdown", title="always", links="footnotes", posts="quotes", front_matter="yaml")
    yield "overlay", doc.overlay


def check(doc: Document, part: int | None = None) -> None:
    """Check every output of a page, or those with a part of the choices."""
    for name, output in dict.fromkeys(
        variants(doc, part)
    ):  # choices that change nothing of this page give equal outputs
        assert len(output) <= largest(name, doc.labels), name
        output.encode()
        if name == "json":
            json.loads(output, parse_constant=pytest.fail)
        elif name == "tei":
            etree.fromstring(output.encode())
        elif name in ("html", "overlay"):
            assert faults(output, name) in ([], ["element style"]), name
        elif name == "markdown":
            assert faults(rendered(output), name) == [], output
            assert_front_matter_is_read(output)
    for chunk in doc.chunks(max_words=20):
        chunk.markdown.encode()
        assert faults(rendered(chunk.markdown), "markdown") == [], chunk.markdown
    check_values(doc)


def assert_front_matter_is_read(output: str) -> None:
    if output.startswith(("---\nstatus: ", "---\ntitle: ")):
        values = yaml.safe_load(output[4:].partition("\n---\n")[0])
        assert isinstance(values, dict)
        assert {"status", "dehusk"} <= values.keys()


def check_values(doc: Document) -> None:
    """Check the addresses and dates among a page's posts and metadata."""
    metadata = doc.metadata
    addresses = [metadata.canonical, metadata.image, metadata.license, doc.page.url]
    dates = [metadata.date, metadata.modified]
    for post in doc.posts:
        addresses += [post.author_url, post.permalink]
        dates.append(post.date)
    assert [each for each in addresses if each and not is_harmless(each)] == []
    for date in filter(None, dates):
        assert re.fullmatch(r"\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?)?", date)
        assert day.fromisoformat(date[:10])


@pytest.mark.parametrize("seed", range(4))
def test_outputs_of_hostile_pages_are_safe_whole_and_bounded(seed: int) -> None:
    for number, page in enumerate(hostile_pages(PAGES, seed)):
        check(clean(page), seed + number + number // len(TEMPLATES))


PAGES = 5 * len(TEMPLATES)


def test_hostile_pages_reach_every_feature_of_the_writers() -> None:
    """The pages would prove little if hardly any of them had a footnote or a formula."""
    docs = [clean(page) for page in hostile_pages(PAGES, seed=0)]
    outputs = "\n".join(doc.markdown for doc in docs)
    for feature in (
        r"^\[\^\d+\]: ",
        r"\[\^\d+\](?!:)",
        r"\$x_\{1\}\^\{2\}\$",
        r"!\[.*?\]\(",
        r"^\| --- ",
        r"^> ",
        r"^```\w+$",
    ):
        assert re.search(feature, outputs, re.MULTILINE), feature
    assert sum(len(doc.posts) for doc in docs) >= 3
    assert any(doc.metadata.authors for doc in docs)
    assert any(block.source == "data" for doc in docs for block in doc.blocks)


def test_every_payload_is_on_some_page() -> None:
    pages = "".join(hostile_pages(40 * len(TEMPLATES)))
    missing = [payload for payloads in PAYLOADS.values() for payload in payloads if payload not in pages]
    assert missing == []


FORMULA = "<p>Sum <script type='math/tex'>x^2</script></p>"
NOTE = "<p>Text<sup><a href='#fn1' id=r1>1</a></sup>{after} more</p><ol><li id=fn1>{note} <a href='#r1'>↩</a></ol>"
IMAGE = f"&lt;img src=x onerror={CANARY}>"
LISTING = f"<pre>{IMAGE}\n\n{IMAGE}</pre>"
LONG = "<pre>" + "a\n" * 3_000 + f"{IMAGE}\n" * 20
MARKDOWN = {
    "a label with an escaped bracket": f"<p>[a](b]: javascript:{CANARY}<p>see [a](b]",
    "a label that goes on in the next line": f"<p>[a<br>b]: javascript:{CANARY}<p>see [a b]",
    "a note that is an address": NOTE.format(note=f"javascript:{CANARY}", after=""),
    "a note that is a listing": NOTE.format(note=LISTING, after=""),
    "a note that is a quoted listing": NOTE.format(note=f"<blockquote>{LISTING}</blockquote>", after=""),
    "a note that is a list of listings": NOTE.format(note=f"<ul><li>{LISTING}<li>{LISTING}</ul>", after=""),
    "an address after a reference to a note": NOTE.format(note="Note", after=f"(javascript:{CANARY})"),
    "a link in a formula": f"<p>Sum <script type='math/tex'>[x](javascript:{CANARY})</script></p>",
    "a tag in a formula": f"<p>Sum <script type='math/tex'>a<img src=x onerror={CANARY}></script></p>",
    "a tag in two texts of a page with formulas": f"{FORMULA}<p>$&lt;<a href='javascript:x'>img src=x onerror=x></a>",
    "a listing nested deeper than the page is long": "<ul><li>x" * 100 + "<p>y" * 50 + LONG,
    "a listing quoted deeper than the page is long": "<blockquote>" * 99 + "<p>y" * 50 + LONG,
    "tags and links in metadata": f"<title>{IMAGE} [x](javascript:{CANARY})</title><p>Words",
}


@pytest.mark.parametrize("page", MARKDOWN.values(), ids=MARKDOWN)
def test_text_does_not_become_markup_for_any_reader_of_markdown(page: str) -> None:
    doc = clean(page)
    assert "data-ran" in doc.markdown or "onerror=x" in doc.markdown, "the text is there"
    check(doc)


def test_front_matter_keeps_the_text_of_tags_and_links() -> None:
    title = 'if a <b or [x](y) \\ "q"'
    output = clean(f"<title>{title.replace('<', '&lt;')}</title><p>Words").render("markdown", front_matter="yaml")
    assert yaml.safe_load(output.split("---\n")[1])["title"] == title


SIZES = {
    "a title of 1 MB": f"<title>{'t' * 1_000_000}</title><h1>Tea</h1><p>Words",
    "a title of 1 MB of markup": f"<title>{'[&lt;b>](x) ' * 90_000}</title><h1>{'*_`[' * 250_000}</h1><p>Words",
    "an author of 1 MB": f"<meta name=author content='{'a;' * 500_000}'><p>By {'x' * 100_000}",
    "an alternative text of 1 MB": f"<p>Words <img src=x.png alt='{'`[](' * 250_000}'>",
    "a class of 1 MB": f"<pre class='{'language-a ' * 90_000}'>x</pre><p class='{'c' * 1_000_000}'>y",
    "an address of 1 MB": f"<p><a href='/{'(%' * 500_000}'>x</a><img src='/{'a,' * 500_000}'>",
    "a list of images of 1 MB": f"<p>Words <img srcset='{'a 1x, ' * 150_000}'>",
    "a formula of 1 MB": "<p>Sum <script type='math/tex'>" + "x$\\" * 300_000 + "</script>",
    "JSON-LD nested 10,000 deep": "<script type='application/ld+json'>" + '{"a":[' * 10_000 + "</script><p>Words",
    "JSON-LD of 20 MB": '<script type="application/ld+json">{"headline":"' + "<i>" * 6_700_000 + '"}</script><p>Words',
    "a date of 1 MB": f"<meta name=date content='{'9' * 1_000_000}'><time datetime='{'1-' * 500_000}'>x</time>",
}


@pytest.mark.parametrize("page", SIZES.values(), ids=SIZES)
def test_huge_parts_of_pages_are_safe_and_bounded(page: str) -> None:
    doc = clean(page)
    outputs = assert_quick(
        lambda: {writer.name: doc.render(writer.name) for writer in WRITERS} | {"overlay": doc.overlay}, 60
    )
    options = {"title": "always", "links": "footnotes", "posts": "quotes", "front_matter": "yaml"}
    full = assert_quick(lambda: doc.render("markdown", **options), 60)
    for name, output in (*outputs.items(), ("markdown", full)):
        output.encode()
        assert len(output) <= largest(name, doc.labels), name
    for name in ("html", "overlay"):
        assert faults(outputs[name], name) in ([], ["element style"]), name
    assert_front_matter_is_read(full)
    json.loads(outputs["json"])
    assert len(json.dumps(doc.metadata.record())) < 50_000
    check_values(doc)


@pytest.mark.parametrize("date", PAYLOADS["date"])
def test_dates_that_cannot_be_are_no_dates(date: str) -> None:
    time = f"<time datetime='{date}'>{date}</time>"
    check_values(
        clean(f"<meta name=date content='{date}'><article class=comment><b class=author>Ann</b> {time}<p>Words")
    )


def test_an_outline_of_hostile_pages_is_safe() -> None:
    for page in hostile_pages(PAGES, seed=5):
        parsed = [parse(page), parse("<p>other words")]
        informative = Wisdom(k=2).fit(parsed).blocks(parsed[0])
        outline = outline_html(InformativeStructure.of(informative.article, informative.toc))
        assert faults(outline, "outline") == []
