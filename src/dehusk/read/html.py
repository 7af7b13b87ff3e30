"""Text of a page to its columns; the one module that knows the parser.

turbohtml builds the WHATWG tree (scripting off, so `noscript` is content) and reports it as events; one pass over the
events fills the columns. docs/decisions/0001-parser.md has the figures behind the choice.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from turbohtml.saxparse import sax_parse

from dehusk.errors import Status
from dehusk.page import Encoding, Page
from dehusk.read.decode import decode
from dehusk.read.events import PARSER_DEPTH, EventLog, Tree, tree
from dehusk.read.limits import Deadline, Limits
from dehusk.tags import KNOWN, TEXT

_WRAPPER = re.compile(r"\A\s*<text\s([^>]{0,8192}?\bid\s*=[^>]{0,8192})>", re.IGNORECASE)
_WRAPPER_END = re.compile(r"</text>\s*\Z", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"([\w:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_FORMATTING = r"(?i:b(?:ig)?|code|em|font|i|nobr|s(?:mall|trike|trong)?|tt|u)(?=[\s>/])"
_FORMATTING_START = re.compile("<(?=/?[bcefinstuBCEFINSTU])(/?)" + _FORMATTING)  # the look-ahead halves the time
_FORMATTING_TAG = re.compile("</?" + _FORMATTING + "[^>]*>?")
_CONTROLS = [chr(c) for c in range(32) if c not in (9, 10, 12, 13)]
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f]")


@dataclass(frozen=True)
class _Source:
    url: str | None
    encoding: Encoding
    wrapper: tuple[tuple[str, str], ...]


def parse(
    data: bytes | str,
    url: str | None = None,
    headers: Mapping[str, str] | None = None,
    *,
    limits: Limits | None = None,
) -> Page:
    """Read one page.

    Args:
        data: the bytes as they came, or text that was decoded already.
        url: where the page is from; kept, never fetched.
        headers: the transport's headers; `Content-Type` helps to decode.
        limits: bounds on size, depth and time.

    Returns:
        The page. Whatever the bytes hold, `status` says what became of them: `ok`, `truncated`, `not-html`,
        `undecodable`, `limit`; a page without nodes is empty or was no page at all.

    Raises:
        TypeError: `data` is neither bytes nor str.
    """
    limits = limits or Limits()
    if isinstance(data, str):
        text, cut = _cut_text(data, limits.bytes)
        encoding, foreign = Encoding("str", "given"), ""
    elif isinstance(data, bytes | bytearray | memoryview):
        cut = len(data) > limits.bytes
        decoded = decode(bytes(data[: limits.bytes]), headers)
        text, encoding, foreign = decoded.text, decoded.encoding, decoded.foreign
    else:
        raise TypeError(f"a page is bytes or str, not {type(data).__name__}")
    text, wrapper = _unwrap(text)
    source = _Source(url, encoding, wrapper)
    if foreign or _binary(text):
        return _assemble(Tree.empty(), (Status.NOT_HTML, foreign or "binary data"), source)
    status = (Status.TRUNCATED, f"longer than {limits.bytes} bytes") if cut else (Status.OK, "")
    if encoding.errors > len(text) // 10:
        status = (Status.UNDECODABLE, f"{encoding.errors} of {len(text)} characters undecodable")
    return _page(text, status, source, limits)


def _binary(text: str) -> bool:
    """Return whether one character in twenty of the beginning is a control character: no page has that."""
    head = text[:4096]
    return len(_CONTROL.findall(head)) > max(4, len(head) // 20)


def _page(text: str, status: tuple[Status, str], source: _Source, limits: Limits) -> Page:
    deadline = Deadline(limits.seconds)
    text, notes = _guard(text, limits)
    built, numbers = _read(text, limits)
    if built.frames and not any(map(str.strip, built.texts)):
        built, numbers = _read(built.frames, limits)
        notes += ("text of noframes",)
    if built.cut:
        status = (Status.TRUNCATED, f"more than {limits.nodes} nodes")
    if built.capped:
        notes += (f"elements below depth {PARSER_DEPTH} flattened by the parser",)
    if built.flattened:
        notes += (f"{built.flattened} elements below depth {limits.depth} flattened",)
    if deadline.passed():
        return _assemble(Tree.empty(), (Status.LIMIT, f"reading took over {limits.seconds:g} s"), source)
    return _assemble(built, status, source, extra_tags=numbers[KNOWN:], notes=notes)


def _read(text: str, limits: Limits) -> tuple[Tree, tuple[str, ...]]:
    log = EventLog()
    sax_parse(text, log)
    return tree(log, max_nodes=limits.nodes, max_depth=limits.depth), tuple(log.numbers)


def _assemble(
    built: Tree,
    status: tuple[Status, str],
    source: _Source,
    *,
    extra_tags: tuple[str, ...] = (),
    notes: tuple[str, ...] = (),
) -> Page:
    """Join columns and facts into a page; the columns become read-only."""
    lengths = np.zeros(len(built.tag) + 1, dtype=np.int32)
    lengths[np.flatnonzero(built.tag == TEXT) + 1] = np.fromiter(map(len, built.texts), np.int32, len(built.texts))
    offset = np.cumsum(lengths, dtype=np.int32)
    columns = (built.tag, built.parent, built.end, offset[:-1], offset[built.end], built.alt_nodes, built.line_nodes)
    for column in columns:
        column.flags.writeable = False
    return Page(
        tag=built.tag,
        parent=built.parent,
        end=built.end,
        text_start=columns[3],
        text_end=columns[4],
        alt_nodes=built.alt_nodes,
        line_nodes=built.line_nodes,
        text=_without_controls("".join(built.texts)),
        attributes=built.attributes,
        extra_tags=extra_tags,
        meta=replace(built.meta, wrapper=source.wrapper),
        url=source.url,
        encoding=source.encoding,
        status=status[0],
        message=status[1],
        notes=notes,
    )


def _without_controls(text: str) -> str:
    """Replace control characters by spaces; looking for each of them first is faster than one expression for all."""
    return _CONTROL.sub(" ", text) if any(map(text.__contains__, _CONTROLS)) else text


def _cut_text(text: str, size: int) -> tuple[str, bool]:
    """Bound text to `size` bytes of UTF-8 and replace lone surrogates, which no encoding can hold, by U+FFFD."""
    try:
        raw = text.encode("utf-8")
    except UnicodeEncodeError:
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        raw = text.encode("utf-8")
    return (raw[:size].decode("utf-8", "ignore"), True) if len(raw) > size else (text, False)


def _unwrap(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Take off CLEANEVAL's `<text id=…>` wrapper; return the page and the wrapper's attributes."""
    match = _WRAPPER.match(text)
    if match is None:
        return text, ()
    return _WRAPPER_END.sub("", text[match.end() :]), tuple(
        (name, double or single) for name, double, single in _ATTRIBUTE.findall(match.group(1))
    )


def _guard(text: str, limits: Limits) -> tuple[str, tuple[str, ...]]:
    """Drop formatting tags where the parser would multiply them beyond the node limit.

    The adoption agency algorithm reopens every formatting element left open in each following block, so a page of
    70 KB can ask for millions of nodes. Tags times unclosed formatting elements bounds what it may create.
    """
    tags = text.count("<")
    if tags * 2 < limits.nodes // 512:
        return text, ()
    found = _FORMATTING_START.findall(text)
    unclosed = len(found) - 2 * found.count("/")
    if tags * min(max(unclosed, 0), 512) <= limits.nodes:
        return text, ()
    return _FORMATTING_TAG.sub("", text), ("unclosed formatting tags dropped",)
