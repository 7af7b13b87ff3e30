"""Blocks: the unit that every method scores and every writer writes.

The common definition: a block is a run of text nodes between which no block-level tag opens or closes, no `br` or
`hr` stands and, in preformatted text, no line ends. Victor's thesis splits at every tag; that is the option
`every_tag`. White space is folded as a browser folds it, except in preformatted text. Runs of white space alone are
no blocks, so kept and dropped blocks together are all the text that the parser saw.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.caching import cached_property
from dehusk.characters import CharClass, classify
from dehusk.page import Bools, Ints, Page
from dehusk.tags import PREFORMATTED, TEXT, is_block_level, numbers

_BLOCK_LEVEL = is_block_level()
_PRE = numbers(PREFORMATTED)
_NOSCRIPT = numbers("noscript")
_ANCHOR = numbers("a")


@dataclass(frozen=True, eq=False)
class Blocks:
    """The blocks of one page as columns; b blocks in document order."""

    page: Page
    first: Ints
    """(b,) the first text node of the block."""
    last: Ints
    """(b,) the last text node of the block (itself included)."""
    node: Ints
    """(b,) the innermost element that holds all of the block."""
    text: str
    """Folded texts of all blocks, one after the other."""
    start: Ints
    """(b,) offset into `text` (characters) where the block begins."""
    end: Ints
    """(b,) offset into `text` where the block ends."""
    char_class: npt.NDArray[np.uint8]
    """(len(text),) `CharClass` of each character of `text`."""
    source: Ints
    """(len(text),) offset of each character in `page.text`."""
    linked: Bools
    """(len(text),) whether the character stands in a link."""

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def texts(self) -> list[str]:
        """The folded text of each block."""
        text = self.text
        return [text[a:b] for a, b in zip(self.start.tolist(), self.end.tolist(), strict=True)]

    @property
    def chars(self) -> Ints:
        """(b,) characters in each block."""
        return self.end - self.start

    @cached_property
    def in_pre(self) -> Bools:
        """(b,) whether the block is preformatted."""
        return self._inside(_PRE)

    @cached_property
    def in_noscript(self) -> Bools:
        """(b,) whether the block stands in a noscript element."""
        return self._inside(_NOSCRIPT)

    @cached_property
    def is_alt(self) -> Bools:
        """(b,) whether the block is an image's alternative text."""
        mask: Bools = np.isin(self.first, self.page.alt_nodes)
        return mask

    @cached_property
    def block_of(self) -> Ints:
        """(len(text),) the block of each character."""
        return np.repeat(np.arange(len(self), dtype=np.int32), self.chars)

    @cached_property
    def points(self) -> npt.NDArray[np.uint32]:
        """(len(text),) the folded text as code points."""
        return np.frombuffer(self.text.encode("utf-32-le"), dtype=np.uint32)

    @cached_property
    def link_chars(self) -> Ints:
        """(b,) characters of each block that stand in links, white space included."""
        return self.sums(self.linked)

    @cached_property
    def word_start(self) -> Bools:
        """(len(text),) whether a word begins at the character: a token, or any Han or kana character."""
        return self.token_start | self.unspaced

    @cached_property
    def unspaced(self) -> Bools:
        """(len(text),) whether the character is Han or kana, and hence a word of its own.

        Chinese and Japanese put no spaces between words, so that a page of theirs would have a few words only.
        """
        points = self.points
        mask: Bools = (points >= 0x3040) & (points < 0xA000) & (self.char_class == CharClass.ALPHA)
        return mask

    @cached_property
    def token_start(self) -> Bools:
        """(len(text),) whether a token (characters without white space between) begins at the character."""
        ink: Bools = self.char_class != CharClass.WHITE
        begins = ink.copy()
        begins[1:] &= ~ink[:-1]
        begins[self.start] = ink[self.start]
        return begins

    @cached_property
    def words(self) -> Ints:
        """(b,) words in each block; see `word_start`."""
        return self.sums(self.word_start)

    @cached_property
    def link_words(self) -> Ints:
        """(b,) words of each block that begin in a link."""
        return self.sums(self.word_start & self.linked)

    def sums(self, values: npt.NDArray[np.bool_] | npt.NDArray[np.integer]) -> Ints:
        """Return the sum over each block, shape (b,), of one value a character."""
        if values.dtype == np.bool_:
            places = np.flatnonzero(values)  # searching among few places is faster than a running sum over all
            return (np.searchsorted(places, self.end) - np.searchsorted(places, self.start)).astype(np.int32)
        total = np.zeros(len(values) + 1, dtype=np.int64)
        np.cumsum(values, out=total[1:])
        return (total[self.end] - total[self.start]).astype(np.int32)

    def span(self, block: int) -> tuple[int, int]:
        """Return where a block stands in `page.text`, as (start, end) in characters."""
        return int(self.source[self.start[block]]), int(self.source[self.end[block] - 1]) + 1

    def _inside(self, tags: npt.NDArray[np.uint16]) -> Bools:
        mask: Bools = self.page.within(self.page.nodes_of(tags))[self.first] > 0
        return mask


def segment(page: Page, *, every_tag: bool = False, alt: bool = False) -> Blocks:
    """Cut a page into blocks.

    Args:
        page: a page; one without nodes gives no blocks.
        every_tag: split at every tag as Victor's thesis does (section 3.2), not only at block-level ones.
        alt: make an image's alternative text a block of its own, as the thesis does.
    """
    nodes = _text_nodes(page, alt)
    run, is_pre = _runs(page, every_tag, alt)[nodes], page.within(page.nodes_of(_PRE))[nodes] > 0
    lengths = (page.text_end - page.text_start)[nodes]
    of_node, source = np.repeat(np.arange(len(nodes)), lengths), _ranges(page.text_start[nodes], lengths)
    points = page.code_points.take(source)
    classes = classify(points)
    if (classes == CharClass.INVISIBLE).any():
        seen = np.flatnonzero(classes != CharClass.INVISIBLE)
        points, source = points.take(seen), source.take(seen)
        classes, of_node = classes.take(seen), of_node.take(seen)
    kept = _fold(points, classes, run.take(of_node), is_pre.take(of_node) if is_pre.any() else None)
    points, classes, of_node = points.take(kept), classes.take(kept), of_node.take(kept)
    points[(classes == CharClass.WHITE) & ~((points == 9) & is_pre.take(of_node))] = 32
    run = run.take(of_node)
    starts = np.flatnonzero(np.append(True, run[1:] != run[:-1])) if len(run) else kept
    ends = np.append(starts[1:], len(of_node)) if len(starts) else starts
    first, last = nodes[of_node[starts]], nodes[of_node[ends - 1]]
    return Blocks(
        page=page,
        first=first.astype(np.int32),
        last=last.astype(np.int32),
        node=_holder(page, first, last),
        text=points.tobytes().decode("utf-32-le"),
        start=starts.astype(np.int32),
        end=ends.astype(np.int32),
        char_class=classes,
        source=source.take(kept).astype(np.int32),
        linked=(page.within(page.nodes_of(_ANCHOR))[nodes] > 0).take(of_node),
    )


def _text_nodes(page: Page, alt: bool) -> npt.NDArray[np.intp]:
    mask = page.tag == TEXT
    if not alt:
        mask[page.alt_nodes] = False
    return np.flatnonzero(mask)


def _ranges(starts: Ints, lengths: Ints) -> npt.NDArray[np.intp]:
    """Return start, start + 1, … of each range, one after the other."""
    before = np.cumsum(lengths) - lengths
    return np.repeat(starts - before, lengths) + np.arange(int(lengths.sum()))


def _runs(page: Page, every_tag: bool, alt: bool) -> Ints:
    """Return for each node, shape (n,), the number of block boundaries at or before it."""
    is_element = page.tag != TEXT
    if every_tag:
        splits = is_element
    else:
        splits = is_element & np.take(_BLOCK_LEVEL, page.tag, mode="clip")
        splits &= page.tag < len(_BLOCK_LEVEL)
    boundary = np.zeros(len(page) + 1, dtype=np.bool_)
    boundary[np.flatnonzero(splits)] = True
    boundary[page.end[splits]] = True
    boundary[page.line_nodes] = True
    if alt:
        boundary[page.alt_nodes] = True
        boundary[page.alt_nodes + 1] = True
    return np.cumsum(boundary[:-1], dtype=np.int32)


def _fold(
    points: npt.NDArray[np.uint32], classes: npt.NDArray[np.uint8], run: Ints, preformatted: Bools | None
) -> npt.NDArray[np.intp]:
    """Return which characters stay: white space once between ink, and all of it but line ends where preformatted."""
    white = classes == CharClass.WHITE
    ink_before = np.zeros(len(white), dtype=np.bool_)
    ink_before[1:] = ~white[:-1] & (run[1:] == run[:-1])
    stays = ~white | ink_before
    if preformatted is not None:
        stays |= preformatted & (points != 10) & (points != 13)
    if not len(run):
        return np.flatnonzero(stays)
    starts, place = np.flatnonzero(np.append(True, run[1:] != run[:-1])), np.arange(len(run), dtype=np.int32)
    last_ink = np.maximum.reduceat(np.where(white, np.int32(-1), place), starts)
    return np.flatnonzero(stays & (place <= np.repeat(last_ink, np.diff(np.append(starts, len(run))))))


def _holder(page: Page, first: npt.NDArray[np.intp], last: npt.NDArray[np.intp]) -> Ints:
    """Return the innermost element that holds both nodes, for each pair: go up until the subtree reaches `last`."""
    node = page.parent[first]
    short = np.flatnonzero(page.end[node] <= last)
    while len(short):
        node[short] = page.parent[node[short]]
        short = short[page.end[node[short]] <= last[short]]
    return node.astype(np.int32)
