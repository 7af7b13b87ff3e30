"""The words of a page as columns; what looks at a site's words shares this one tokenisation a page.

A word is a run of letters, combining marks and numbers in lower case; each Han or kana character is a word of its
own, as in `Blocks.word_start`. Nothing depends on the language: no stop words, no stemming. A word may begin in one
text node and end in another (`<b>W</b>ord`) but never crosses a block's border; it belongs where it begins.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks, segment
from dehusk.caching import cached_per_object, cached_property
from dehusk.characters import CharClass, lower
from dehusk.page import Ints, Page
from dehusk.site.hashing import Keys, span_keys


@dataclass(frozen=True, eq=False)
class Terms:
    """The w words of one page in document order."""

    blocks: Blocks
    key: Keys
    """(w,) key of each word in lower case; equal words have equal keys on every page."""
    start: Ints
    """(w,) offset into `blocks.text` where the word begins."""
    end: Ints
    """(w,) offset into `blocks.text` where it ends."""
    block: Ints
    """(w,) the block it stands in."""
    node: Ints
    """(w,) the text node of the page that its first character stands in; rises."""

    def __len__(self) -> int:
        return len(self.key)

    @cached_property
    def words(self) -> list[str]:
        """Each word in lower case."""
        return self.strings(np.arange(len(self)))

    @cached_property
    def distinct(self) -> tuple[Keys, list[str]]:
        """The different keys of the page, rising, and the word of each."""
        keys, first = np.unique(self.key, return_index=True)
        return keys, self.strings(first)

    @cached_property
    def before(self) -> Ints:
        """(n + 1,) words that begin before each node of the page.

        The words of the subtree of node i are the slice before[i]:before[page.end[i]], so that any sum over the words
        of subtrees is a difference of two prefix sums.
        """
        counts = np.bincount(self.node, minlength=len(self.blocks.page))
        return np.append(0, np.cumsum(counts)).astype(np.int32)

    def strings(self, which: npt.NDArray[np.integer]) -> list[str]:
        """Return the words of the given numbers, in lower case."""
        text = self._lowered.tobytes().decode("utf-32-le")
        starts, ends = self.start[which].tolist(), self.end[which].tolist()
        return [text[a:b] for a, b in zip(starts, ends, strict=True)]

    @property
    def _lowered(self) -> npt.NDArray[np.uint32]:
        return lower(self.blocks.points)


def page_terms(source: Page | Blocks) -> Terms:
    """Find the words of a page, by its common blocks, or of blocks; a page without text has none."""
    blocks = segment(source) if isinstance(source, Page) else source
    return Terms(blocks, *_term_columns(blocks))


@cached_per_object
def _term_columns(blocks: Blocks) -> tuple[Keys, Ints, Ints, Ints, Ints]:
    """Return the columns of `Terms` after its blocks."""
    classes = blocks.char_class
    in_word = (classes == CharClass.ALPHA) | (classes == CharClass.DIGIT)
    joins = in_word & ~blocks.unspaced  # goes on with what is beside it
    goes_on = np.zeros(len(classes) + 1, dtype=np.bool_)  # whether a character's word began before it
    goes_on[1:-1] = joins[1:] & joins[:-1]
    goes_on[blocks.start] = False
    start = np.flatnonzero(in_word & ~goes_on[:-1])
    end = np.flatnonzero(in_word & ~goes_on[1:]) + 1
    texts = np.flatnonzero(blocks.page.is_text)
    # An empty text node begins where the next one does: the last that begins at or before a character holds it.
    holder = np.searchsorted(blocks.page.text_start[texts], blocks.source[start], side="right") - 1
    return (
        span_keys(lower(blocks.points), start, end),
        start.astype(np.int32),
        end.astype(np.int32),
        blocks.block_of[start],
        texts[holder].astype(np.int32),
    )
