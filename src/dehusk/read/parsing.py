"""Text of a page to its columns; the one module that knows the parser.

turbohtml builds the WHATWG tree (scripting off, so `noscript` is content); one pass over its nodes fills the columns.
docs/decisions/0001-parser.md has the figures behind the choice.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from dehusk.errors import Status
from dehusk.page import Encoding, Page
from dehusk.read.decoding import decode
from dehusk.read.limits import Deadline, Limits
from dehusk.read.nodes import PARSER_DEPTH, NodeColumns, read_nodes
from dehusk.tags import TEXT

_WRAPPER = re.compile(r"\A\s*<text\s([^>]{0,8192}?\bid\s*=[^>]{0,8192})>", re.IGNORECASE)
_WRAPPER_END = re.compile(r"</text>\s*\Z", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"([\w:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_FORMATTING = ("b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u")
_FORMATTING_TAG = re.compile(rf"</?(?:{'|'.join(_FORMATTING)})(?=[\s>/])[^>]*>?", re.IGNORECASE)
_PACKED = np.sort(np.array([name.ljust(8, "\0").encode() for name in _FORMATTING]).view(np.uint64))
_NOT_LIKE_ASCII = frozenset({"utf-16le", "utf-16be", "iso-2022-jp", "replacement"})
_TITLE, _TITLE_END = re.compile(r"<title[^<>]{0,200}>", re.IGNORECASE), re.compile(r"</title[\s>/]", re.IGNORECASE)
_LINE_END = re.compile(r"[\r\n]|<(?=[a-zA-Z!])")
_CONTROLS = [chr(c) for c in range(32) if c not in (9, 10, 12, 13)]
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f]")


@dataclass(frozen=True)
class _Origin:
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
        text, raw, cut = _cut_text(data, limits.bytes)
        encoding, foreign = Encoding("str", "given"), ""
    elif isinstance(data, bytes | bytearray | memoryview):
        cut = len(data) > limits.bytes
        raw = bytes(data[: limits.bytes])
        decoded = decode(raw, headers)
        text, encoding, foreign = decoded.text, decoded.encoding, decoded.foreign
    else:
        raise TypeError(f"a page is bytes or str, not {type(data).__name__}")
    text, wrapper = unwrap(text)
    source = _Origin(url, encoding, wrapper)
    if foreign or _binary(text):
        return _assemble(NodeColumns.empty(), (Status.NOT_HTML, foreign or "binary data"), source)
    status = (Status.TRUNCATED, f"longer than {limits.bytes} bytes") if cut else (Status.OK, "")
    if encoding.errors > len(text) // 10:
        status = (Status.UNDECODABLE, f"{encoding.errors} of {len(text)} characters undecodable")
    text, notes = _guard(text, text.encode() if encoding.name in _NOT_LIKE_ASCII else raw, limits)
    return _page(text, status, source, limits, notes)


def _binary(text: str) -> bool:
    """Return whether one character in twenty of the beginning is a control character: no page has that."""
    head = text[:4096]
    return len(_CONTROL.findall(head)) > max(4, len(head) // 20)


def _page(text: str, status: tuple[Status, str], source: _Origin, limits: Limits, notes: tuple[str, ...]) -> Page:
    deadline = Deadline(limits.seconds)
    built = read_nodes(text, max_nodes=limits.nodes, max_depth=limits.depth)
    if built.frames and not any(map(str.strip, built.texts)):
        built = read_nodes(built.frames, max_nodes=limits.nodes, max_depth=limits.depth)
        notes += ("text of noframes",)
    if not any(map(str.strip, built.texts)) and (repaired := _with_title_closed(text)) is not None:
        built = read_nodes(repaired, max_nodes=limits.nodes, max_depth=limits.depth)
        notes += ("title that was never closed ended with its line",)
    if built.cut:
        status = (Status.TRUNCATED, f"more than {limits.nodes} nodes")
    if built.capped:
        notes += (f"elements below depth {PARSER_DEPTH} flattened by the parser",)
    if built.flattened:
        notes += (f"{built.flattened} elements below depth {limits.depth} flattened",)
    if deadline.passed():
        return _assemble(NodeColumns.empty(), (Status.LIMIT, f"reading took over {limits.seconds:g} s"), source)
    return _assemble(built, status, source, notes)


def _with_title_closed(text: str) -> str | None:
    """Return a page whose title swallowed all of it with the title closed at its line's end; None for another page.

    By the standard such a page is empty, and so browsers show it; damaged crawls have some whose text is all there.
    """
    opened = _TITLE.search(text)
    if opened is None or _TITLE_END.search(text, opened.end()):
        return None
    line = _LINE_END.search(text, opened.end())
    return None if line is None else f"{text[: line.start()]}</title>{text[line.start() :]}"


def _assemble(built: NodeColumns, status: tuple[Status, str], source: _Origin, notes: tuple[str, ...] = ()) -> Page:
    """Join columns and facts into a page; the columns become read-only."""
    lengths = np.zeros(len(built.tag) + 1, dtype=np.int32)
    lengths[np.flatnonzero(built.tag == TEXT) + 1] = np.fromiter(map(len, built.texts), np.int32, len(built.texts))
    offset = np.cumsum(lengths, dtype=np.int32)
    starts, ends = offset[:-1], offset[built.end]
    for column in (built.tag, built.parent, built.end, starts, ends, built.alt_nodes, built.line_nodes):
        column.flags.writeable = False
    for column in (built.classes[0], built.ids[0], built.hidden_nodes):
        column.flags.writeable = False
    return Page(
        tag=built.tag,
        parent=built.parent,
        end=built.end,
        text_start=starts,
        text_end=ends,
        alt_nodes=built.alt_nodes,
        line_nodes=built.line_nodes,
        text=_without_controls("".join(built.texts)),
        elements=built.elements,
        class_code=built.classes[0],
        class_names=built.classes[1],
        id_code=built.ids[0],
        id_names=built.ids[1],
        hidden_nodes=built.hidden_nodes,
        extra_tags=built.extra_tags,
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


def _cut_text(text: str, size: int) -> tuple[str, bytes, bool]:
    """Bound text to `size` bytes of UTF-8 and replace lone surrogates, which no encoding can hold, by U+FFFD.

    Returns the text, its bytes, whether it was cut.
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
    match = _WRAPPER.match(text)
    if match is None:
        return text, ()
    return _WRAPPER_END.sub("", text[match.end() :]), tuple(
        (name, double or single) for name, double, single in _ATTRIBUTE.findall(match.group(1))
    )


def _guard(text: str, raw: bytes, limits: Limits) -> tuple[str, tuple[str, ...]]:
    """Drop formatting tags where the parser would multiply them beyond the node limit.

    The adoption agency algorithm reopens every formatting element left open in each following block, so a page of
    70 KB can ask for millions of nodes. Tags times unclosed formatting elements bounds what it may create. They are
    counted in the bytes, which are at hand.
    """
    source = np.frombuffer(raw, dtype=np.uint8)
    tags = np.flatnonzero(source[:-2] == ord("<"))
    if len(tags) * 2 < limits.nodes // 512 or len(tags) * min(_unclosed(source, tags + 1), 512) <= limits.nodes:
        return text, ()
    return _FORMATTING_TAG.sub("", text), ("unclosed formatting tags dropped",)


def _unclosed(source: npt.NDArray[np.uint8], at: npt.NDArray[np.intp]) -> int:
    """Return how many more formatting elements a source opens than it closes; tags begin before `at`."""
    at = at + (source.take(at) == ord("/"))
    at = at[_MAY_FORMAT[source.take(at) | 32, source.take(at + 1, mode="clip") | 32]]
    name = source.take(at[:, None] + np.arange(8), mode="clip")
    ends = (name == ord(">")) | (name == ord("/")) | (name <= ord(" "))
    packed = np.where(np.logical_or.accumulate(ends, axis=1), 0, name | 32).astype(np.uint8).view(np.uint64)[:, 0]
    at = at[_PACKED.take(np.searchsorted(_PACKED, packed), mode="clip") == packed]
    return max(0, len(at) - 2 * int((source.take(at - 1) == ord("/")).sum()))


def _beginnings() -> npt.NDArray[np.bool_]:
    """Return which pairs of characters, in lower case, may begin the name of a formatting element."""
    table = np.zeros((256, 256), dtype=np.bool_)
    for name in _FORMATTING:
        table[ord(name[0]), [ord(name[1])] if name[1:] else [ord(end) | 32 for end in " >/\t\n\f\r"]] = True
    return table


_MAY_FORMAT = _beginnings()
