"""A parser's events to the columns of a page.

The event pass is the only Python work that is done once per node, so it does nothing but append; all structure
(matching start and end, what is dropped, parents, offsets) is computed afterwards on arrays.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import compress

import numpy as np
import numpy.typing as npt
from turbohtml.saxparse import SaxHandler

from dehusk.page import Attributes, Meta
from dehusk.tags import DROPPED, PREFORMATTED, TAG_NUMBER, TEXT, numbers

_END = -1
_APART = 1000  # events of a usual head: the node limit is about the body, this bound only about memory
PARSER_DEPTH = 512
"""Open elements at which the parser stops to nest, as browsers do."""
_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_Index = npt.NDArray[np.intp]
_Mask = npt.NDArray[np.bool_]


class _Numbers(dict[str, int]):
    """Tag numbers that grow by the names a page invents; past 65,535 names share the last number."""

    def __missing__(self, tag: str) -> int:
        number = min(len(self), 0xFFFF)
        self[tag] = number
        return number


class EventLog(SaxHandler):
    """One list of codes in document order: a tag's number (start), 0 (text), -1 (end)."""

    def __init__(self) -> None:
        self.codes: list[int] = []
        self.texts: list[str] = []
        self.attributed: list[int] = []
        """Positions in `codes` of the starts that have attributes."""
        self.attributes: list[Attributes] = []
        self.numbers = _Numbers(TAG_NUMBER)

    def start_element(self, tag: str, attrs: Attributes) -> None:
        """Log the start of an element."""
        if attrs:
            self.attributed.append(len(self.codes))
            self.attributes.append(attrs)
        self.codes.append(self.numbers[tag])

    def end_element(self, tag: str) -> None:  # noqa: ARG002 (the start says which)
        """Log the end of the innermost open element."""
        self.codes.append(_END)

    def characters(self, data: str) -> None:
        """Log a run of text."""
        self.codes.append(TEXT)
        self.texts.append(data)


@dataclass
class Tree:
    """Columns of a page as `Page` documents them, before the page's other facts are known."""

    tag: npt.NDArray[np.uint16]
    parent: npt.NDArray[np.int32]
    end: npt.NDArray[np.int32]
    texts: list[str]
    attributes: dict[int, Attributes]
    alt_nodes: npt.NDArray[np.int32]
    line_nodes: npt.NDArray[np.int32]
    meta: Meta = field(default_factory=Meta)
    frames: str = ""
    """Text of noframes elements, which is markup."""
    flattened: int = 0
    cut: bool = False
    capped: bool = False
    """Whether elements nest as deep as the parser lets them: what the page nests deeper stands beside them."""

    @classmethod
    def empty(cls) -> Tree:
        """Return the columns of a page without nodes."""
        none = np.zeros(0, dtype=np.int32)
        return cls(none.astype(np.uint16), none, none, [], {}, none, none)


def tree(log: EventLog, *, max_nodes: int, max_depth: int) -> Tree:
    """Turn a log into columns.

    Args:
        log: a parser's complete log.
        max_nodes: nodes after so many are left away (`cut` is then set).
        max_depth: elements nested deeper are dissolved into their ancestor (`flattened` counts them).
    """
    codes, cut = _closed(np.array(log.codes, dtype=np.int32), 4 * max_nodes + _APART)
    match, level = _match(codes)
    keep = _body(codes, match)
    keep &= ~_inside(codes, match, _IS_DROPPED)
    deep = keep & (codes != TEXT) & (level > max_depth + 1)  # the html element is a level, too
    made = _Nodes(codes, match, keep & ~deep, log)
    made.split_lines()
    made.add_alts()
    built = made.build(max_nodes)
    built.flattened = int(deep.sum()) // 2
    built.cut |= cut
    built.capped = int(level.max(initial=0)) > PARSER_DEPTH
    built.meta, built.frames = _head(codes, match, log)
    return built


def _table(names: frozenset[str]) -> _Mask:
    """Return a mask over codes (the end's -1 is the last row) that is true for the tags named."""
    mask = np.zeros(0x10000 + 1, dtype=np.bool_)
    mask[numbers(names)] = True
    return mask


_IS_DROPPED = _table(DROPPED)
_IS_ROOT = _table(frozenset({"body", "frameset"}))
_IS_PRE = _table(PREFORMATTED)
_IS_DRAWING = _table(frozenset({"svg", "template"}))
_IS_NOTED = _table(frozenset({"html", "base", "link", "meta"}))


def _closed(codes: npt.NDArray[np.int32], most: int) -> tuple[npt.NDArray[np.int32], bool]:
    """Cut the log after `most` events and end what is then open."""
    if len(codes) <= most:
        return codes, False
    codes = codes[:most]
    open_ = int((codes > TEXT).sum() - (codes == _END).sum())
    return np.append(codes, np.full(open_, _END, dtype=np.int32)), True


def _match(codes: npt.NDArray[np.int32]) -> tuple[_Index, npt.NDArray[np.int32]]:
    """Return for each start the position of its end (and the reverse), and each event's level.

    At one level starts and ends alternate, so a stable sort by level puts each start next to its end.
    """
    started = codes > TEXT
    level = np.cumsum(np.where(started, 1, np.where(codes == _END, -1, 0)), dtype=np.int32)
    level[codes == _END] += 1
    tags = np.flatnonzero(codes != TEXT)
    paired = tags[np.argsort(level[tags], kind="stable")]
    match = np.arange(len(codes))
    match[paired[0::2]], match[paired[1::2]] = paired[1::2], paired[0::2]
    return match, level


def _inside(codes: npt.NDArray[np.int32], match: _Index, table: _Mask) -> _Mask:
    """Return which events lie in an element of the table, its own start and end included."""
    starts = np.flatnonzero(table[codes])
    return _covered(starts, match[starts] + 1, len(codes))


def _covered(starts: _Index, stops: _Index, size: int) -> _Mask:
    change = np.bincount(starts, minlength=size + 1) - np.bincount(stops, minlength=size + 1)
    mask: _Mask = np.cumsum(change[:size]) > 0
    return mask


def _body(codes: npt.NDArray[np.int32], match: _Index) -> _Mask:
    """Return which events belong to the first body or frameset."""
    mask = np.zeros(len(codes), dtype=np.bool_)
    roots = np.flatnonzero(_IS_ROOT[codes])
    if len(roots):
        mask[roots[0] : match[roots[0]] + 1] = True
    return mask


class _Nodes:
    """The kept events, with what is inserted among them."""

    def __init__(self, codes: npt.NDArray[np.int32], match: _Index, keep: _Mask, log: EventLog) -> None:
        kept = np.flatnonzero(keep)
        place = np.cumsum(keep) - 1
        self.codes = codes[kept]
        self.match = place[match[kept]]
        self.texts = list(compress(log.texts, keep[codes == TEXT].tolist()))
        at = np.array(log.attributed, dtype=np.intp)
        at = at[: np.searchsorted(at, len(keep))]
        self.attributes = list(compress(log.attributes, keep[at].tolist()))
        self.attributed = place[at[keep[at]]]
        self.alts = np.zeros(len(kept), dtype=np.bool_)
        self.lines = np.zeros(len(kept), dtype=np.bool_)

    def split_lines(self) -> None:
        """Make each line of preformatted text a text event of its own."""
        inside = _inside(self.codes, self.match, _IS_PRE)
        if not inside.any():
            return
        where = np.flatnonzero(self.codes == TEXT)
        counts = np.ones(len(self.codes), dtype=np.intp)
        texts, done = [], 0
        for index in np.flatnonzero(inside[where]).tolist():
            lines = _LINES.findall(self.texts[index]) or [""]
            texts += [*self.texts[done:index], *lines]
            counts[where[index]], done = len(lines), index + 1
        inside = np.repeat(inside, counts)
        self._repeat(counts)
        self.texts = texts + self.texts[done:]
        ended = np.array([False, *(text.endswith("\n") for text in self.texts[:-1])], dtype=np.bool_)
        where = np.flatnonzero(self.codes == TEXT)
        self.lines[where] = ended[: len(where)] & inside[where]

    def add_alts(self) -> None:
        """Give each image its alternative text as a text child."""
        images = np.flatnonzero(self.codes[self.attributed] == TAG_NUMBER["img"]).tolist()
        alts = {i: _value(self.attributes[i], "alt").strip() for i in images}
        found = {int(self.attributed[i]): alt for i, alt in alts.items() if alt}
        if not found:
            return
        counts = np.ones(len(self.codes), dtype=np.intp)
        counts[list(found)] = 2
        before, texts, done = np.cumsum(self.codes == TEXT), [], 0
        for position, alt in found.items():
            texts += [*self.texts[done : before[position]], alt]
            done = int(before[position])
        self.texts = texts + self.texts[done:]
        self._repeat(counts)
        new = (np.cumsum(counts) - 1)[list(found)]
        self.codes[new] = TEXT
        self.match[new] = new
        self.alts[new] = True

    def _repeat(self, counts: _Index) -> None:
        """Repeat events; what pointed to an event points to its first copy."""
        first = np.cumsum(counts) - counts
        self.match = first[np.repeat(self.match, counts)]
        self.codes = np.repeat(self.codes, counts)
        self.attributed = first[self.attributed]
        self.alts, self.lines = np.repeat(self.alts, counts), np.repeat(self.lines, counts)

    def build(self, max_nodes: int) -> Tree:
        """Return the columns of the nodes."""
        is_node = self.codes != _END
        number = np.cumsum(is_node) - 1
        events = np.flatnonzero(is_node)
        tag = self.codes[events].astype(np.uint16)
        end = np.where(tag == TEXT, np.arange(len(tag)) + 1, number[self.match[events]] + 1).astype(np.int32)
        n = min(len(tag), max_nodes)
        tag, end, short = tag[:n], np.minimum(end[:n], n), n < len(tag)
        attributed = _below(number[self.attributed], n)
        return Tree(
            tag=tag,
            parent=_parents(end),
            end=end,
            texts=self.texts[: int((tag == TEXT).sum())],
            attributes=dict(zip(attributed.tolist(), self.attributes, strict=False)),
            alt_nodes=_below(number[self.alts], n),
            line_nodes=_below(number[self.lines], n),
            cut=short,
        )


def _below(nodes: _Index, n: int) -> npt.NDArray[np.int32]:
    return nodes[nodes < n].astype(np.int32)


def _parents(end: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """Return each node's parent: among the nodes one level up, the last that began before it."""
    n = len(end)
    index = np.arange(n)
    depth = index - np.cumsum(np.bincount(end, minlength=n + 1)[:n])
    key = depth * (n + 1) + index
    order = np.argsort(key)
    above = np.searchsorted(key[order], key - (n + 1)) - 1
    parent: npt.NDArray[np.int32] = np.where(depth > 0, order[above], -1).astype(np.int32)
    return parent


def _value(attrs: Attributes, name: str) -> str:
    for key, value in attrs:
        if key == name:
            return value or ""
    return ""


def _head(codes: npt.NDArray[np.int32], match: _Index, log: EventLog) -> tuple[Meta, str]:
    """Return what stands beside the body's text, and the text of noframes elements."""

    def text_of(tag: str, first: bool) -> str:
        starts = np.flatnonzero(codes == TAG_NUMBER[tag])
        if not len(starts):
            return ""
        starts = starts[~_inside(codes, match, _IS_DRAWING)[starts]][: 1 if first else None]
        inside = _covered(starts, match[starts] + 1, len(codes))[codes == TEXT]
        return "".join(compress(log.texts, inside.tolist()))

    found: dict[str, str] = {}
    entries: list[tuple[str, str]] = []
    at = np.array(log.attributed, dtype=np.intp)
    at = at[: np.searchsorted(at, len(codes))]
    for row in np.flatnonzero(_IS_NOTED[codes[at]]).tolist():
        given, tag = log.attributes[row], int(codes[at[row]])
        if tag != TAG_NUMBER["meta"]:
            for key, value in _facts(tag, given):
                found.setdefault(key, value)
        elif name := _value(given, "name") or _value(given, "property"):
            entries.append((name, _value(given, "content")))
    title = " ".join(text_of("title", first=True).split())
    meta = Meta(title, found.get("language"), found.get("base"), found.get("canonical"), tuple(entries))
    return meta, text_of("noframes", first=False)


def _facts(tag: int, attrs: Attributes) -> list[tuple[str, str]]:
    if tag == TAG_NUMBER["html"]:
        facts = [("language", _value(attrs, "lang") or _value(attrs, "xml:lang"))]
    elif tag == TAG_NUMBER["base"]:
        facts = [("base", _value(attrs, "href"))]
    else:
        facts = [("canonical", _value(attrs, "href") if _value(attrs, "rel").lower() == "canonical" else "")]
    return [(key, value) for key, value in facts if value]
