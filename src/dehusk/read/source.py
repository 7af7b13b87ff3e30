"""The way from a page's text to the bytes of its source, and back.

The parser does not tell where a text begins. The source is therefore read again by tokens, which have their places: the
text between two tags is a text node of the page, so each node is found in the source by its text, after that of the
node before it. Text that the parser moves (out of a table, for example) is found before it. A character reference is
one place: `&amp;` is the source of `&`. Text of scripts and of feeds has no place.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape

import numpy as np
import numpy.typing as npt
import turbohtml
import turbohtml.detect  # it registers the codecs
from turbohtml import TokenType

from dehusk.base.lazy import pattern
from dehusk.read.decoding import BOMS
from dehusk.read.page import Page
from dehusk.read.parsing import SIGNS_OF_1252

Offsets = npt.NDArray[np.int64]
Span = tuple[int, int]

_SHORT, _NEAR, _FAR = 4, 300, 20_000
"""Within a longer text, a text of fewer characters is looked for so near, and another one so far: what is nowhere, as
on a page that was encoded twice, must not be looked for in all of the source each time."""
_ALT = pattern(r"""\salt\s{0,50}=\s{0,50}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_TEXTS, _START = frozenset((TokenType.TEXT, TokenType.CHARACTER_REFERENCE)), TokenType.START_TAG
_Piece = tuple[str, int, int]
"""A text, where it begins in the source, and how many characters it has there."""


@dataclass(frozen=True, eq=False)
class SourceSpans:
    """Where each character of `page.text` is in the source, as characters of the decoded source."""

    data: bytes
    """The source: `page.data`."""
    text: str
    """The decoded source, with its line ends."""
    encoding: str
    """Name of the codec."""
    starts: Offsets
    """(len(page.text),) the first character of each; -1 where it is not known."""
    ends: Offsets
    """(len(page.text),) one past the last character of each."""

    def of_text(self, start: int, end: int) -> Span | None:
        """Return (start, end) of a part of the page's text in the bytes of the source; None if it is not known.

        Raises:
            ValueError: it is no part of the text.
        """
        _check(start, end, len(self.starts), "characters of page.text")
        known = (self.starts[start:end] >= 0).nonzero()[0] + start
        if not len(known):
            return None
        first, last = int(self.starts[known].min()), int(self.ends[known].max())
        return self._bytes_before(first), self._bytes_before(last)

    def of_source(self, start: int, end: int) -> Span | None:
        """Return (start, end) in the page's text of what a part of the bytes of the source has; None if it has none.

        Raises:
            ValueError: it is no part of the source.
        """
        _check(start, end, len(self.data), "bytes of page.data")
        first, last = (len(self._decoded(at)) for at in (start, end))
        inside = ((self.starts >= first) & (self.ends <= last) & (self.starts >= 0)).nonzero()[0]
        return (int(inside[0]), int(inside[-1]) + 1) if len(inside) else None

    def _decoded(self, end: int) -> str:
        return _decode(self.data[:end], self.encoding)

    def _bytes_before(self, count: int) -> int:
        """Return how many bytes the first characters of the source take."""
        if self.encoding == "utf-8" and "\ufffd" not in self.text[:count]:
            return _mark(self.data) + len(self.text[:count].encode())
        text = self.text[:count]
        return bisect_left(range(len(self.data)), True, key=lambda end: self._decoded(end)[:count] == text)


def _check(start: int, end: int, size: int, what: str) -> None:
    if not 0 <= start <= end <= size:
        raise ValueError(f"a span must be (start, end) with 0 <= start <= end <= {size} {what}, not ({start}, {end})")


def source_spans(page: Page) -> SourceSpans:
    """Return where the text of a page is in its source."""
    encoding = "utf-8" if page.encoding.name in ("str", "utf-8", "") else f"whatwg-{page.encoding.name}"
    source = _decode(page.data, encoding)
    text, at = _with_line_feeds(source)
    text = text.translate(SIGNS_OF_1252)
    runs = _Runs.of_markup(text) if page.form == "html" else _Runs.of_text(text)
    starts, ends = (np.full(len(page.text), -1, dtype=np.int64) for _ in range(2))
    for start, end, place in _matches(page, runs):
        starts[start:end] = at[runs.starts[place : place + end - start]]
        ends[start:end] = at[runs.ends[place : place + end - start]]
    return SourceSpans(page.data, source, encoding, starts, ends)


def _decode(data: bytes, encoding: str) -> str:
    return data[_mark(data) :].decode(encoding, "replace")


def _mark(data: bytes) -> int:
    """Return the length of the byte order mark."""
    return next((len(mark) for mark, _ in BOMS if data.startswith(mark)), 0)


def _with_line_feeds(source: str) -> tuple[str, Offsets]:
    """Return a text with line feeds for all ends of lines, and where each of its characters and its end are."""
    if "\r" not in source:
        return source, np.arange(len(source) + 1)
    points = np.frombuffer(source.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    kept = np.append((points != ord("\r")) | (np.append(points[1:], 0) != ord("\n")), True)
    return source.replace("\r\n", "\n").replace("\r", "\n"), kept.nonzero()[0]


@dataclass(frozen=True, eq=False)
class _Runs:
    """The texts between the tags of a source, in one text."""

    text: str
    begins: dict[str, list[int]]
    """Text -> where it is in `text` as a whole run."""
    starts: Offsets
    """(len(text),) first character of each in the source."""
    ends: Offsets
    """(len(text),) one past the last."""

    @classmethod
    def of_text(cls, text: str) -> "_Runs":
        """Return the runs of a source without markup."""
        return cls(text, {}, np.arange(len(text)), np.arange(1, len(text) + 1))

    @classmethod
    def of_markup(cls, source: str) -> "_Runs":
        """Return the runs of HTML."""
        texts, pieces, begins, size = list[str](), list[tuple[int, int, int]](), dict[str, list[int]](), 0
        for run in _token_runs(source):
            text = "".join([piece for piece, _, _ in run])
            begins.setdefault(text, []).append(size)
            pieces += [(start, len(piece), width) for piece, start, width in run]
            texts.append(text)
            size += len(text)
        first, chars, widths = np.array(pieces, dtype=np.int64).reshape(-1, 3).T
        before, steps = (chars.cumsum() - chars).repeat(chars), np.arange(size)
        is_whole = (chars == widths).repeat(chars)  # the others are references: all they say has one place
        starts = first.repeat(chars) + np.where(is_whole, steps - before, 0)
        return cls("".join(texts), begins, starts, starts + np.where(is_whole, 1, widths.repeat(chars)))

    def find(self, text: str, after: int) -> int:
        """Return where a text is: the next whole run, or part of one, or the last whole run before; -1 if nowhere."""
        places = self.begins.get(text, [])
        if (next_one := bisect_left(places, after)) < len(places):
            return places[next_one]
        reach = len(text) + (_FAR if len(text.strip()) >= _SHORT else _NEAR)
        inside = self.text.find(text, after, after + reach)
        return inside if inside >= 0 or not places else places[-1]


def _token_runs(source: str, offset: int = 0) -> Iterator[list[_Piece]]:
    """Yield the texts between tags, as pieces, and the alternative texts of images; places get `offset`."""
    lines = (np.append(0, np.flatnonzero(_points(source) == ord("\n")) + 1) + offset).tolist()
    run, around, has_alt = list[_Piece](), "", _ALT.search(source) is not None
    for token in turbohtml.tokenize(source, resolve_references=False, capture_source=True, capture_attributes=False):
        if (kind := token.type) in _TEXTS:
            place = lines[token.line - 1] + token.col
            if around == "noscript":  # whose markup the tokenizer takes for text
                yield from _token_runs(token.data or "", place)
            elif data := token.data:
                run.append((data, place, len(data if token.source is None else token.source)))
            continue
        if run:
            yield run
            run = []
        around = (token.tag or "") if kind == _START else ""
        if around and has_alt and (alt := _ALT.search(token.source or "")):
            place, (begin, end) = lines[token.line - 1] + token.col, alt.span(alt.lastindex or 0)
            yield [(unescape(alt[alt.lastindex or 0]), place + begin, end - begin)]
    if run:
        yield run


def _points(text: str) -> npt.NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def _matches(page: Page, runs: _Runs) -> Iterator[tuple[int, int, int]]:
    """Yield (start, end) of each text node that is found, in the page's text, and its place among the runs."""
    if page.form == "feed":  # whose text may be escaped twice, and in another order
        return
    text, after = page.parsed_text or page.text, 0
    nodes = page.is_text.nonzero()[0]
    nodes = nodes[: nodes.searchsorted(min((island.node for island in page.islands), default=len(page)))]
    for start, end in zip(page.text_start[nodes].tolist(), page.text_end[nodes].tolist(), strict=True):
        if not (node := text[start:end]).isspace() and (place := runs.find(node, after)) >= 0:
            yield start, end, place
            after = place + end - start
