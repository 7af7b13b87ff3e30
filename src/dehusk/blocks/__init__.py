"""Blocks: the unit that methods label and writers write.

A block is a run of text nodes without a block boundary in between: the start or end of a block-level element, a `br`,
an `hr` or, in preformatted text, the end of a line. With `every_tag`, every tag is a boundary, as in Victor's thesis.
White space is folded as in a browser, except in preformatted text, and white space alone does not form a block. Every
visible character of the page is in exactly one block. "Common blocks" are those split with
the default options.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_property, state_without_cache
from dehusk.base.characters import CharClass
from dehusk.base.errors import require_type
from dehusk.base.tags import PREFORMATTED, numbers
from dehusk.compiled import blocks
from dehusk.compiled.blocks import columns as _columns
from dehusk.compiled.text import text_of
from dehusk.read.page import Bools, Ints, Page

_PRE = numbers(PREFORMATTED)
_SPACELESS = ((0x0E01, 0x0E4E), (0x0E81, 0x0ECD), (0x1000, 0x109D), (0x1780, 0x17D3))
"""First and last letters of Thai, Lao, Burmese and Khmer."""
_PIECE = 5


@dataclass(frozen=True, eq=False, repr=False)
class Blocks:
    """The blocks of one page as columns: b blocks in document order."""

    page: Page
    first: Ints
    """(b,) first text node of each block."""
    last: Ints
    """(b,) last text node of each block (inclusive)."""
    node: Ints
    """(b,) innermost element that contains the whole block."""
    code_points: npt.NDArray[np.uint32]
    """(len(text),) code point of each character of `text`."""
    start: Ints
    """(b,) offset into `text`, in characters, where each block starts."""
    end: Ints
    """(b,) offset into `text` where each block ends."""
    char_class: npt.NDArray[np.uint8]
    """(len(text),) `CharClass` of each character of `text`."""
    source: Ints
    """(len(text),) offset of each character in `page.text`."""
    linked: Bools
    """(len(text),) whether each character is in a link."""

    __getstate__ = state_without_cache  # pyright: ignore[reportAssignmentType]

    def __len__(self) -> int:
        return len(self.first)

    def __repr__(self) -> str:
        """Return one line: numbers of blocks and words, the page's status and URL."""
        url = f", {self.page.url!r}" if self.page.url else ""
        return f"<Blocks {self.page.status}{url}, {len(self)} blocks, {int(self.words.sum())} words>"

    @cached_property
    def text(self) -> str:
        """Folded texts of all blocks, concatenated."""
        return text_of(self.code_points)

    @cached_property
    def texts(self) -> list[str]:
        """(b,) folded text of each block."""
        return blocks.texts(self)

    def text_of(self, block: int) -> str:
        """Return the folded text of a block."""
        return self.texts[block]

    @cached_property
    def chars(self) -> Ints:
        """(b,) number of characters in each block."""
        return self.end - self.start

    @cached_property
    def in_pre(self) -> Bools:
        """(b,) whether each block is preformatted."""
        return self._inside(_PRE)

    @cached_property
    def is_alt(self) -> Bools:
        """(b,) whether each block is an image's alternative text."""
        mask: Bools = np.isin(self.first, self.page.alt_nodes)
        return mask

    @cached_property
    def block_of(self) -> Ints:
        """(len(text),) block of each character."""
        return np.arange(len(self), dtype=np.int32).repeat(self.chars)

    @property
    def link_chars(self) -> Ints:
        """(b,) number of characters of each block in links, including white space."""
        return self._counts[2]

    @cached_property
    def word_start(self) -> Bools:
        """(len(text),) whether a word starts at each character; see `word_starts`."""
        return self.token_start | self.is_han_or_kana | _starts_piece(self.code_points, self.start)

    @cached_property
    def is_han_or_kana(self) -> Bools:
        """(len(text),) whether each character is Han or kana, and therefore counts as a word.

        Chinese and Japanese do not put spaces between words, so a page would otherwise have only a few words.
        """
        return _is_han_or_kana(self.code_points, self.char_class)

    @cached_property
    def token_start(self) -> Bools:
        """(len(text),) whether a token, a run of characters other than white space, starts at each character."""
        return _starts_token(self.char_class, self.start)

    @cached_property
    def words(self) -> Ints:
        """(b,) number of words in each block; see `word_start`."""
        return self._counts[0]

    @cached_property
    def link_words(self) -> Ints:
        """(b,) number of words of each block that start in a link."""
        return self._counts[1]

    @cached_property
    def _counts(self) -> tuple[Ints, Ints, Ints, Ints]:
        """`words`, `link_words`, `link_chars` and `digits`."""
        return blocks.counts(self)

    @cached_property
    def digits(self) -> Ints:
        """(b,) number of digits in each block."""
        return self._counts[3]

    def sums(self, values: npt.NDArray[np.bool_] | npt.NDArray[np.integer]) -> Ints:
        """Return the sum over each block, shape (b,), of values per character, shape (len(text),)."""
        if values.dtype == np.bool_:
            offsets = values.nonzero()[0]  # searching these few is faster than a running sum over all characters
            return (offsets.searchsorted(self.end) - offsets.searchsorted(self.start)).astype(np.int32)
        total = np.zeros(len(values) + 1, dtype=np.int64)
        values.cumsum(out=total[1:])
        return (total[self.end] - total[self.start]).astype(np.int32)

    def texts_without(self, nodes: Ints) -> list[str]:
        """Return the text of each block without that of some text nodes; white space is folded again where they were.

        Args:
            nodes: distinct text nodes of the page.
        """
        texts, stays = [*self.texts], np.ones(len(self.source), dtype=np.bool_)
        places = (self.source.searchsorted(of[nodes]) for of in (self.page.text_start, self.page.text_end))
        ranges = np.array([(start, end) for start, end in zip(*places, strict=True) if start < end]).reshape(-1, 2)
        for start, end in ranges.tolist():
            stays[start:end] = False
        changed = sorted({*(self.start.searchsorted(ranges[:, 0], "right") - 1).tolist()})
        if not changed:
            return texts
        inside = np.concatenate([np.arange(self.start[block], self.end[block]) for block in changed])
        chosen = inside[stays[inside]]
        block, is_pre = (np.repeat(of, self.chars[changed])[stays[inside]] for of in (changed, self.in_pre[changed]))
        kept = _fold(self.code_points.take(chosen), self.char_class.take(chosen), block, is_pre)
        text = self.code_points.take(chosen.take(kept)).tobytes().decode("utf-32-le")
        ends = block.take(kept).searchsorted(changed, "right").tolist()
        for row, start, end in zip(changed, [0, *ends], ends, strict=False):
            texts[row] = text[start:end]
        return texts

    def extents(self, nodes: npt.NDArray[np.integer]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Return for some nodes, of shape (k,), the first block that starts in each, and the one after the last."""
        return self.first.searchsorted(nodes), self.first.searchsorted(self.page.end[nodes])

    def span(self, block: int) -> tuple[int, int]:
        """Return the (start, end) of a block in `page.text`, in characters."""
        return int(self.source[self.start[block]]), int(self.source[self.end[block] - 1]) + 1

    def _inside(self, tags: npt.NDArray[np.uint16]) -> Bools:
        mask: Bools = self.page.within_at(self.page.nodes_of(tags), self.first) > 0
        return mask


def segment(page: Page, *, every_tag: bool = False, alt: bool = False) -> Blocks:
    """Split a page into blocks.

    Args:
        page: the page; a page without nodes has no blocks.
        every_tag: split at every tag, as Victor's thesis does (section 3.2), not only at block-level tags.
        alt: make each image's alternative text a block, as the thesis does.

    Raises:
        TypeError: `page` is not a `Page`.
    """
    require_type(page, Page, "segment() takes a Page, which dehusk.parse() returns")
    return Blocks(page, *_columns(page, every_tag, alt))


def word_starts(points: npt.NDArray[np.uint32], classes: npt.NDArray[np.uint8], start: Ints) -> Bools:
    """Return whether a word starts at each character of a text, shape (m,).

    Words are tokens, Han and kana characters, and each five letters of a script without spaces.

    Args:
        points: (m,) code points of the text.
        classes: (m,) `CharClass` of each.
        start: offsets at which a word starts even without white space before it, such as the starts of blocks.
    """
    return _starts_token(classes, start) | _is_han_or_kana(points, classes) | _starts_piece(points, start)


def _starts_token(classes: npt.NDArray[np.uint8], start: Ints) -> Bools:
    has_ink: Bools = classes != CharClass.WHITE
    starts = has_ink.copy()
    starts[1:] &= ~has_ink[:-1]
    starts[start] = has_ink[start]
    return starts


def _is_han_or_kana(points: npt.NDArray[np.uint32], classes: npt.NDArray[np.uint8]) -> Bools:
    if points.max(initial=0) < 0x3040:
        return np.zeros(len(points), dtype=np.bool_)
    mask: Bools = (points >= 0x3040) & (points < 0xA000) & (classes == CharClass.ALPHA)
    return mask


def _starts_piece(points: npt.NDArray[np.uint32], start: Ints) -> Bools:
    """Return whether each character follows five letters of Thai, Lao, Burmese or Khmer, or ten, and so on.

    These scripts put spaces between phrases only. Their words have four to six letters, marks included.
    """
    mask: Bools = np.zeros(len(points), dtype=np.bool_)
    lowest, highest = np.uint32(_SPACELESS[0][0]), np.uint32(_SPACELESS[-1][1])
    for first, last in _SPACELESS if (points - lowest <= highest - lowest).any() else ():
        mask |= (points >= first) & (points <= last)
    if not mask.any():
        return mask
    starts = mask.copy()
    starts[1:] &= ~mask[:-1]
    starts[start] = mask[start]
    index = np.arange(len(points))
    letter = index - np.maximum.accumulate(np.where(starts, index, 0))
    pieces: Bools = mask & (letter > 0) & (letter % _PIECE == 0)
    return pieces


def _fold(
    points: npt.NDArray[np.uint32], classes: npt.NDArray[np.uint8], run: Ints, preformatted: Bools
) -> npt.NDArray[np.intp]:
    """Return the indices of the characters to keep.

    A run of white space keeps its first character; in preformatted text, all characters except line ends. White space
    at the start of a block is dropped, except in preformatted text, and at its end always.
    """
    is_white: Bools = classes == CharClass.WHITE
    keep = ~is_white
    keep[1:] |= ~is_white[:-1] & (run[1:] == run[:-1])
    keep |= preformatted & (points != 10) & (points != 13)
    if not len(run):
        return keep.nonzero()[0]
    starts, index = np.append(True, run[1:] != run[:-1]).nonzero()[0], np.arange(len(run), dtype=np.int32)
    last_ink = np.maximum.reduceat(np.where(is_white, np.int32(-1), index), starts)
    return (keep & (index <= last_ink.repeat(np.diff(np.append(starts, len(run)))))).nonzero()[0]
