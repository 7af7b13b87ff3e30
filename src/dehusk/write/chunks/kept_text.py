"""The plain text of a page, and where in it each of its blocks is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_property
from dehusk.base.characters import CharClass
from dehusk.blocks import word_starts
from dehusk.blocks.labels import Labels
from dehusk.compiled.text import classify
from dehusk.read.page import Bools
from dehusk.write.plain import plain_texts
from dehusk.write.text import separated_lines

Offsets = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class KeptText:
    """The text that `to_text` returns, in which each of the k written blocks has a slice."""

    labels: Labels
    text: str
    start: Offsets
    """(k,) where the text of each block starts, after its list marker."""
    end: Offsets
    """(k,) where each block ends."""
    line_start: Offsets
    """(k,) where each block starts, with its indentation, list marker and the tabs of empty cells before it."""
    starts_line: Bools
    """(k,) whether each block starts a line."""

    @classmethod
    def of(cls, labels: Labels) -> KeptText:
        """Return the kept text of a page."""
        separators, lines = separated_lines(labels)
        texts = plain_texts(labels)
        own = np.array([len(texts[block]) for block in labels.written.tolist()], dtype=np.int64)
        before = np.array([len(each) for each in separators], dtype=np.int64)
        ends = np.cumsum(before + np.array([len(line) for line in lines], dtype=np.int64))
        lengths = np.diff(ends, prepend=0)
        breaks = np.array([each.rfind("\n") + 1 for each in separators], dtype=np.int64)
        starts_line = breaks > 0
        starts_line[:1] = True
        text = "".join(part for pair in zip(separators, lines, strict=True) for part in pair)
        skipped = np.where(starts_line, breaks, before)
        return cls(labels, f"{text}\n" if lines else "", ends - own, ends, ends - lengths + skipped, starts_line)

    @cached_property
    def points(self) -> npt.NDArray[np.uint32]:
        """(len(text),) the code points of the text."""
        return np.frombuffer(self.text.encode("utf-32-le"), dtype=np.uint32)

    @cached_property
    def classes(self) -> npt.NDArray[np.uint8]:
        """(len(text),) the `CharClass` of each character."""
        return classify(self.points)

    @cached_property
    def own(self) -> Bools:
        """(len(text),) whether each character is of a block, rather than a list marker or between blocks."""
        change = np.bincount(self.start, minlength=len(self.text) + 1)
        change -= np.bincount(self.end, minlength=len(self.text) + 1)
        mask: Bools = np.cumsum(change[:-1]) > 0
        return mask

    @cached_property
    def word_starts(self) -> Bools:
        """(len(text),) whether a word of a block starts at each character, as `Blocks.word_start`."""
        return word_starts(self.points, self.classes, self.start.astype(np.int32)) & self.own

    @cached_property
    def ink_before(self) -> Offsets:
        """(len(text) + 1,) number of characters of blocks other than white space before each offset."""
        sums = np.zeros(len(self.text) + 1, dtype=np.int64)
        np.cumsum(self.own & (self.classes < CharClass.WHITE), out=sums[1:])
        return sums

    @cached_property
    def is_whole(self) -> list[bool]:
        """(k,) whether each block is written as it is, so that places in the text are places in the block."""
        texts, written = self.labels.blocks.texts, self.labels.written.tolist()
        slices = zip(self.start.tolist(), self.end.tolist(), written, strict=True)
        return [self.text[start:end] == texts[block] for start, end, block in slices]

    def in_page(self, block: int, start: int, end: int) -> tuple[int, int]:
        """Return (start, end) in `page.text` of a slice of the text in one written block.

        Args:
            block: index among the written blocks.
            start: start of the slice.
            end: end of the slice.
        """
        blocks, number = self.labels.blocks, int(self.labels.written[block])
        whole = blocks.span(number)
        own = slice(int(self.start[block]), int(self.end[block]))
        if not self.is_whole[block]:
            return whole
        first = int(blocks.start[number]) + max(start, own.start) - own.start
        last = int(blocks.start[number]) + min(end, own.stop) - own.start - 1
        return (int(blocks.source[first]), int(blocks.source[last]) + 1) if first <= last else whole
