"""Read a page: decode it, guard the parser against hostile markup, and build the `Page`.

turbohtml builds the tree of the WHATWG standard, scripting off, so `noscript` is content; `nodes` turns it into
columns. docs/decisions/0001-parser.md explains why turbohtml was chosen.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from dehusk.base.errors import Status, require_type
from dehusk.base.lazy import pattern
from dehusk.base.processes import risk
from dehusk.base.tags import TAG_NUMBER
from dehusk.compiled.text import chars_of_texts
from dehusk.compiled.tree import has_text, without_controls
from dehusk.read.decoding import decode
from dehusk.read.guards import MARKUP, cut_markup, guarded, is_binary
from dehusk.read.islands.shells import LONG, MAX_SHOWN, MUCH_TEXT, SHELL_CHARS, is_shell, may_hold_data
from dehusk.read.limits import Deadline, Limits, TooMuchMarkupError
from dehusk.read.nodes import PARSER_DEPTH, NodeColumns, read_nodes
from dehusk.read.page import Encoding, Form, Island, Page
from dehusk.read.self_closed import expand, expand_in_noscript, expand_raw
from dehusk.read.text_pages import NOTES, as_html, form_of, is_feed, with_line_feeds

STREAMED = b'<div hidden id="S:'
"""How parts start that React streams: `islands.streams` puts them into place."""

# ---------------------------------------------------------------- raw text
# Text lost to an element of raw text, such as a script or an iframe, that swallows what follows it.
#
# Browsers lose that text, too. It is recovered where the element is self-closed, as in XML, or never closed, so that
# it holds the rest of the page; if it is unclear where the element should have ended, a note tells what is lost.

MIN_CHARS = 100
_BLOCK_END = pattern(r"</(?:p|div|td|tr|li|h[1-6]|article|section|body|table|ul)\s*>", re.IGNORECASE)
_PAGE_TAG = pattern(r"^[ \t]*</?(?:head|body)\b", re.IGNORECASE | re.MULTILINE)
_LINE_TAG = pattern(
    r"^[ \t]*</?(?:head|body|div|p|table|tr|td|ul|ol|li|h[1-6]|article|section|main|header|nav|footer|form)\b[^<>`]*>",
    re.IGNORECASE | re.MULTILINE,
)
_TAG = pattern(r"<[^<>]*>")
_WORD = pattern(r"[^\W\d_]{2,}")
_MIN_WORDS = 5
_PROBE = 60  # characters by which the content of an element is found in the source


def holds_markup(content: str) -> bool:
    """Return whether the content of an element of raw text looks like a part of the page."""
    return "</" in content and len(content) >= MIN_CHARS and _BLOCK_END.search(content) is not None


def release(source: str, swallowing: Sequence[tuple[str, str]]) -> tuple[str, tuple[str, ...]]:
    """Return a page without elements of raw text that swallow a part of it, and notes.

    Args:
        source: the page.
        swallowing: tag and content of the elements whose content holds markup, in document order.
    """
    for tag, content in swallowing:
        start = _place(source, tag, content) if _starts_as_markup(content) else -1
        if start > 0 and source[:start].endswith("/>") and _has_text(content):
            return expand_raw(source)
    for tag, content in swallowing:
        at_end = tag != "xmp" and _reaches_end(source, content)
        if (at_end or (tag == "script" and "`" not in content and _PAGE_TAG.search(content))) and _has_text(content):
            return _closed(source, tag, content)
    return source, ()


def _closed(source: str, tag: str, content: str) -> tuple[str, tuple[str, ...]]:
    """Return the page with an element closed where its own content ends, or the page and a note."""
    start = _place(source, tag, content)
    end = _line_of_markup(source, content, max(start, 0)) if tag in ("script", "style") else start
    if end < 0:
        return source, (f"an unclosed {tag} holds {len(content)} characters of markup, which are not read",)
    return f"{source[:end]}</{tag}>{source[end:]}", (f"unclosed {tag} closed before the markup in it",)


def _line_of_markup(source: str, content: str, at: int) -> int:
    """Return where in the source, from a place on, the first line of the content starts that is markup; else -1."""
    line = _LINE_TAG.search(content)
    if line is None or "`" in content[: line.start()]:
        return -1
    probe = content[line.start() : line.start() + _PROBE]
    return max(source.find(probe, at), source.find(probe.replace("\n", "\r\n"), at))


def _place(source: str, tag: str, content: str) -> int:
    """Return where in the source the content of an element starts, -1 if it cannot be found."""
    probe = _squeezed(content[: 4 * _PROBE])[:_PROBE]
    for start in re.finditer(rf"<{tag}(?=[\s/>])[^<>]*+>", source, re.IGNORECASE):
        if _squeezed(source[start.end() : start.end() + 8 * _PROBE]).startswith(probe):
            return start.end()
    return -1


def _reaches_end(source: str, content: str) -> bool:
    return _squeezed(source[-8 * _PROBE :]).endswith(_squeezed(content[-4 * _PROBE :])[-_PROBE:])


def _squeezed(text: str) -> str:
    """Return a text without white space and NUL, which the parser may have changed."""
    return "".join(text.replace("\0", "").replace("\ufffd", "").split())


def _starts_as_markup(content: str) -> bool:
    return content.lstrip()[:1] == "<"


def _has_text(content: str) -> bool:
    return len(_WORD.findall(_TAG.sub(" ", content[:20_000]))) >= _MIN_WORDS


# ---------------------------------------------------------------- parsing

_SAVED_FROM = pattern(r"<!--\s*saved from url=(?:\(\d+\))?(https?://[^\s>]+)\s*-->", re.IGNORECASE)
_HEAD = 2048  # characters of a page that may contain it
_ZONE = "http://internet.e-mail"  # Internet Explorer names a zone by it, not a page
_WRAPPER = pattern(r"\A\s*<text\s([^>]{0,16384})>", re.IGNORECASE)
_WRAPPER_ID = pattern(r"\bid\s*+=", re.IGNORECASE)
_WRAPPER_END = pattern(r"</text>\s*\Z", re.IGNORECASE)
_ATTRIBUTE = pattern(r"([\w:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_NOT_LIKE_ASCII = frozenset({"utf-16le", "utf-16be", "iso-2022-jp", "replacement"})
FROM_FRAMES = "text taken from noframes"
"""What is noted of a page that has frames in place of a body."""
_MAX_REPAIRS = 3
_TITLE, _TITLE_END = pattern(r"<title[^<>]{0,200}>", re.IGNORECASE), pattern(r"</title[\s>/]", re.IGNORECASE)
_LINE_END = pattern(r"[\r\n]|<(?=[a-zA-Z!])")
_LIMITS = Limits()
_MOST_NAMED = 500  # characters of an address or a path
_ADDRESS = pattern(r"\s*https?://[^\s<>]+\s*", re.IGNORECASE)
_FILE = pattern(  # only a path that starts as one may have spaces: "as it says in /robots.txt" is a sentence
    r"\s*(?:(?:[a-z]:[/\\]|[/\\~.])[^<>\n]{0,400}[/\\]|[^<>\s]{1,400}[/\\])?"
    r"[^<>\s/\\]{1,200}\.(?:x?html?|mhtml|txt)(?:\.gz)?\s*",
    re.IGNORECASE,
)
LARGE = 50_000
"""Number of nodes above which the parser's tree is freed at once; reading attributes parses the page again."""


@dataclass(frozen=True)
class _Origin:
    """What is known about a page before it is parsed."""

    url: str | None
    encoding: Encoding
    wrapper: tuple[tuple[str, str], ...]
    data: bytes


def parse(
    data: bytes | str,
    url: str | None = None,
    headers: Mapping[str, str] | None = None,
    *,
    limits: Limits | None = None,
) -> Page:
    """Parse one page.

    Args:
        data: the bytes as received, or decoded text.
        url: the page's address, against which its links are resolved; it is never fetched. By default the one that a
            browser noted in a page that it saved ("saved from url").
        headers: the HTTP headers; `Content-Type` helps to decode the bytes.
        limits: limits on size, depth and time.

    Returns:
        The page. Its `status` is `ok`, `truncated`, `not-html`, `undecodable` or `limit`; `data` never causes
        an error, whatever it contains. With `not-html` and `limit`, the page has no nodes. In a command, the status of
        a page that ended its process before is `error`.

    Raises:
        TypeError: an argument has the wrong type.
    """
    require_type(data, str | bytes | bytearray | memoryview, "a page must be bytes or str")
    check_types(url, headers, limits)
    if risk.watch is None:
        return _parse(data, url, headers, limits or _LIMITS)
    handling = risk.Handling(data)
    if died := handling.deadly:
        return _assemble(NodeColumns.empty(), (Status.ERROR, died), _Origin(url, Encoding("str", "given"), (), b""))
    with handling:
        return _parse(data, url, headers, limits or _LIMITS)


def _parse(data: bytes | str, url: str | None, headers: Mapping[str, str] | None, limits: Limits) -> Page:
    # `str.__str__` returns the same, or of a subclass, such as `Markup`, a plain str, as compiled code needs it
    if isinstance(data, str):
        text, raw, cut = _cut_text(str.__str__(data), limits.bytes)
        encoding, foreign, given, note = Encoding("str", "given"), "", raw, ""
    else:
        cut = len(data) > limits.bytes
        given = bytes(data)
        raw = given[: limits.bytes]
        decoded = decode(raw, headers)
        text, encoding, foreign, note = decoded.text, decoded.encoding, decoded.foreign, decoded.note
    text, wrapper = unwrap(text)
    origin = _Origin(str.__str__(url) if url else saved_from(text), encoding, wrapper, given)
    if foreign or is_binary(text):
        return _assemble(NodeColumns.empty(), (Status.NOT_HTML, foreign or "binary data"), origin)
    form, stand_in = _form_of(text, headers)
    if stand_in:
        text, raw = stand_in, stand_in.encode("utf-8", "replace")
    status = (Status.TRUNCATED, f"longer than {limits.bytes} bytes") if cut else (Status.OK, "")
    if encoding.errors > len(text) // 10:
        status = (Status.UNDECODABLE, f"{encoding.errors} of {len(text)} characters cannot be decoded")
    if encoding.name in _NOT_LIKE_ASCII and form == "html":
        raw = text.encode()
    if (shorter := cut_markup(text, raw, MARKUP * limits.nodes)) is not None:
        text, raw = shorter, shorter.encode()
        status = (Status.TRUNCATED, f"more than {MARKUP * limits.nodes} tags")
    text, notes = _prepare(text, raw, limits)
    notes = (note, *notes) if note else notes
    try:
        page = _parse_text(text, status, origin, limits, notes)
        return page if form == "html" else replace(page, form=form, notes=(*page.notes, NOTES[form]))
    except TooMuchMarkupError as error:
        return _assemble(NodeColumns.empty(), (Status.LIMIT, str(error)), origin)


def _form_of(text: str, headers: Mapping[str, str] | None) -> tuple[Form, str]:
    """Return what a page is, and the HTML that stands for it, "" if it is HTML."""
    if is_feed(text):
        from dehusk.read.feeds import feed_as_html  # noqa: PLC0415 (few pages are feeds)

        if html := feed_as_html(text):
            return "feed", html
    text = with_line_feeds(text)
    form = form_of(text, headers)
    return form, as_html(text, form) if form != "html" else ""


def _prepare(text: str, raw: bytes, limits: Limits) -> tuple[str, tuple[str, ...]]:
    """Return the source to parse, and what was changed."""
    text, expanded = expand(text, raw)
    if has_text(raw, STREAMED, STREAMED.index(b"S:")):
        from dehusk.read.islands.streams import NOTE, in_place  # noqa: PLC0415 (few pages are streamed)

        if (whole := in_place(text)) != text:
            text, expanded = whole, (*expanded, NOTE)
    text, changed = guarded(text, text.encode() if expanded else raw, MARKUP * limits.nodes)
    return text, expanded + changed


def place_of(data: object) -> Literal["an address", "a path", ""]:
    """Return what a text names that is no page but the place of one; "" for a page."""
    if not isinstance(data, str) or len(data) > _MOST_NAMED:
        return ""
    if _ADDRESS.fullmatch(data):
        return "an address"
    return "a path" if _FILE.fullmatch(data) else ""


def check_types(url: object, headers: Any, limits: object) -> None:
    """Raise TypeError for what comes with a page and is of the wrong type."""
    require_type(url, str | None, "url must be a str")
    if headers is not None and not hasattr(headers, "items"):
        raise TypeError(f"headers must be a mapping of names to values, not {type(headers).__name__}")
    if headers and not all(isinstance(part, str) for header in headers.items() for part in header):
        raise TypeError("headers must be a mapping of names to values, both str")
    require_type(limits, Limits | None, "limits must be Limits")


def _parse_text(text: str, status: tuple[Status, str], origin: _Origin, limits: Limits, notes: tuple[str, ...]) -> Page:
    deadline = Deadline(limits.seconds)
    columns = read_nodes(text, max_nodes=limits.nodes, max_depth=limits.depth)
    if columns.frames and _is_blank(columns.text):
        meta = columns.meta
        _, columns, changed = _read_changed(columns.frames, limits)
        columns = replace(columns, meta=meta)
        notes += (FROM_FRAMES, *changed)
    for _ in range(_MAX_REPAIRS):
        repaired, repairs = _repaired(text, columns)
        if repaired == text:
            notes += tuple(note for note in repairs if note not in notes)
            break
        text, columns, changed = _read_changed(repaired, limits)
        notes += tuple(note for note in repairs + changed if note not in notes)
    islands: tuple[Island, ...] = ()
    chars = chars_of_texts(columns, LONG, MUCH_TEXT)
    if chars < MUCH_TEXT and chars_of_texts(columns, 1, MAX_SHOWN + 1) <= MAX_SHOWN:
        columns, islands, found = _with_islands(text, columns, limits)
        notes += found
    if columns.cut:
        status = (Status.TRUNCATED, f"more than {limits.nodes} nodes")
    if columns.capped:
        notes += (f"elements below depth {PARSER_DEPTH} flattened by the parser",)
    if columns.flattened:
        notes += (f"{columns.flattened} elements below depth {limits.depth} flattened",)
    if deadline.passed():
        return _assemble(NodeColumns.empty(), (Status.LIMIT, f"parsing took longer than {limits.seconds:g} s"), origin)
    page = _assemble(columns, status, origin, notes)
    if islands:
        return replace(page, islands=islands)
    return replace(page, rendered_by_scripts=True) if chars < SHELL_CHARS and is_shell(columns) else page


def _read_changed(text: str, limits: Limits) -> tuple[str, NodeColumns, tuple[str, ...]]:
    """Read a source that is not the page's as it came: it may nest what was raw text before, so it is guarded, too."""
    text, notes = guarded(text, text.encode(), MARKUP * limits.nodes)
    return text, read_nodes(text, max_nodes=limits.nodes, max_depth=limits.depth), notes


def _with_islands(
    text: str, columns: NodeColumns, limits: Limits
) -> tuple[NodeColumns, tuple[Island, ...], tuple[str, ...]]:
    """Return the columns with the text of the page's data after all other nodes, if the elements hold little text."""
    if not may_hold_data(columns.elements):
        return columns, (), ()
    from dehusk.read.islands.offer import MARK, find_offer  # noqa: PLC0415 (most pages have text in elements)

    if (offer := find_offer(columns.elements, columns.texts)) is None:
        return columns, (), ()
    _, extended, changed = _read_changed(text + offer.markup, limits)
    articles = (extended.tag == TAG_NUMBER["article"]).nonzero()[0]
    marks = extended.elements.values(articles, MARK)
    rows = [row for row, mark in zip(articles.tolist(), marks, strict=True) if mark is not None][-len(offer.places) :]
    if len(rows) < len(offer.places) or rows[0] < len(columns.tag):
        return columns, (), ("the page's data holds text that cannot be placed after its elements",)
    islands = (Island(row, place.xpath) for row, place in zip(rows, offer.places, strict=True))
    return extended, tuple(islands), offer.notes + changed


_LISTING, _LISTING_END = '<div class="fragment">', "</div><!-- fragment -->"
"""What Doxygen has around a listing, the lines of which are `div` elements."""


def _repaired(text: str, columns: NodeColumns) -> tuple[str, tuple[str, ...]]:
    """Return a page without an element of raw text that swallows a part of it, and what was changed or is lost.

    Before that, the images of AMP become those of HTML, and the code of Doxygen becomes preformatted.
    """
    if "amp-img" in columns.extra_tags and "<amp-img" in text:
        return text.replace("<amp-img", "<img"), ("images of AMP are read as images",)
    if "fragment" in columns.classes[1] and (count := text.count(_LISTING)) == text.count(_LISTING_END) and count:
        text = text.replace(_LISTING, '<pre class="fragment">').replace(_LISTING_END, "</pre>")
        return text, ("code of Doxygen is read as preformatted",)
    repaired: tuple[str, tuple[str, ...]] = text, ()
    if columns.swallowed:
        repaired = expand_in_noscript(text)
    elif _is_blank(columns.text):
        repaired = _with_raw_text_closed(text)
    if repaired[1] or not columns.swallowing:
        return repaired
    return release(text, columns.swallowing)


def _is_blank(text: str) -> bool:
    return not text or text.isspace()


def _with_raw_text_closed(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a page without text with its self-closed scripts and the like expanded, or else its title closed."""
    text, notes = expand_raw(text) if "/>" in text else (text, ())
    if notes or (repaired := _with_title_closed(text)) is None:
        return text, notes
    return repaired, ("unclosed title closed at the end of its line",)


def _with_title_closed(text: str) -> str | None:
    """If the title element is never closed, return the page with a closed title; else None.

    The title then ends at the end of its line. By the standard, all of the page belongs to the title, and browsers show
    an empty page, but damaged crawls contain such pages with all of their text.
    """
    title = _TITLE.search(text)
    if title is None or _TITLE_END.search(text, title.end()):
        return None
    line_end = _LINE_END.search(text, title.end())
    return None if line_end is None else f"{text[: line_end.start()]}</title>{text[line_end.start() :]}"


def _signs_of_1252() -> dict[str, str]:
    """Return the control characters that Windows-1252 has signs for -> the signs."""
    codes = (code for code in range(0x80, 0xA0) if code not in (0x81, 0x8D, 0x8F, 0x90, 0x9D))
    return {chr(code): bytes([code]).decode("cp1252") for code in codes}


_OF_1252 = _signs_of_1252()
SIGNS_OF_1252 = str.maketrans(_OF_1252)
FROM_1252 = "control characters from U+0080 to U+009F are read as the signs that Windows-1252 has for them"


def _has_1252(text: str) -> bool:
    return not text.isascii() and any(map(text.__contains__, _OF_1252))


def _assemble(columns: NodeColumns, status: tuple[Status, str], origin: _Origin, notes: tuple[str, ...] = ()) -> Page:
    """Build the page and make its columns read-only; free the parser's tree of a large page."""
    if len(columns.tag) > LARGE:
        columns.elements.free_tree()
    text, meta = without_controls(columns.text), columns.meta
    if _has_1252(text):
        text, meta = text.translate(SIGNS_OF_1252), replace(meta, title=meta.title.translate(SIGNS_OF_1252))
        notes = (*notes, FROM_1252)
    for column in (columns.tag, columns.parent, columns.end, columns.text_start, columns.text_end):
        column.setflags(write=False)
    for column in (columns.alt_nodes, columns.line_nodes, columns.classes[0], columns.ids[0], columns.hidden_nodes):
        column.setflags(write=False)
    return Page(
        tag=columns.tag,
        parent=columns.parent,
        end=columns.end,
        text_start=columns.text_start,
        text_end=columns.text_end,
        alt_nodes=columns.alt_nodes,
        line_nodes=columns.line_nodes,
        text=text,
        elements=columns.elements,
        class_code=columns.classes[0],
        class_names=columns.classes[1],
        id_code=columns.ids[0],
        id_names=columns.ids[1],
        hidden_nodes=columns.hidden_nodes,
        extra_tags=columns.extra_tags,
        meta=replace(meta, wrapper=origin.wrapper) if origin.wrapper else meta,
        url=origin.url,
        data=origin.data,
        encoding=origin.encoding,
        status=status[0],
        message=status[1],
        notes=notes,
    )


def _cut_text(text: str, size: int) -> tuple[str, bytes, bool]:
    """Cut text to `size` bytes of UTF-8, and replace lone surrogates, which cannot be encoded, by U+FFFD.

    Returns:
        The text, its bytes, and whether it was cut.
    """
    try:
        raw = text.encode("utf-8")
    except UnicodeEncodeError:
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        raw = text.encode("utf-8")
    if len(raw) <= size:
        return text, raw, False
    return raw[:size].decode("utf-8", "ignore"), raw[:size], True


def unwrap(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Remove CLEANEVAL's `<text id=…>` wrapper; return the page and the wrapper's attributes."""
    if text[:1] == "<" and text[1:2] not in ("t", "T"):  # most pages, which no pattern needs to look at
        return text, ()
    match = _WRAPPER.match(text)
    if match is None or not _WRAPPER_ID.search(match[1]):
        return text, ()
    return _WRAPPER_END.sub("", text[match.end() :]), tuple(
        (name, double or single) for name, double, single in _ATTRIBUTE.findall(match.group(1))
    )


def saved_from(page: bytes | str) -> str | None:
    """Return the address that a browser noted at the start of a page that it saved; None if it did not."""
    start = page[:_HEAD]
    found = _SAVED_FROM.search(start if isinstance(start, str) else start.decode("latin-1"))
    return None if found is None or found[1] == _ZONE else found[1]
