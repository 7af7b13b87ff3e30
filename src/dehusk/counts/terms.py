"""The words of a page as columns: the tokenisation shared by everything that counts a site's words.

A word is a run of letters, combining marks and digits, in lower case; each Han or kana character is a separate word, as
in `Blocks.word_start`. Nothing depends on the language: no stop words, no stemming. A word may start in one text node
and end in another (`<b>W</b>ord`), but never crosses the boundary of a block; it belongs to the node where it starts.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_per_object, cached_property
from dehusk.base.hashing import Keys
from dehusk.blocks import Blocks, segment
from dehusk.compiled import site
from dehusk.compiled.text import lower
from dehusk.read.page import Ints, Page


@dataclass(frozen=True, eq=False)
class Terms:
    """The w words of one page in document order."""

    blocks: Blocks
    key: Keys
    """(w,) key of each word in lower case; equal words have equal keys on all pages."""
    start: Ints
    """(w,) offset in `blocks.text` of the start of the word."""
    end: Ints
    """(w,) offset in `blocks.text` of its end."""
    block: Ints
    """(w,) the block that contains it."""
    node: Ints
    """(w,) the text node of the page that contains its first character; ascending."""

    def __len__(self) -> int:
        return len(self.key)

    @cached_property
    def words(self) -> list[str]:
        """Each word in lower case."""
        return self.strings(np.arange(len(self)))

    @cached_property
    def distinct(self) -> tuple[Keys, list[str]]:
        """The distinct keys of the page, ascending, and the word of each."""
        keys, first = np.unique(self.key, return_index=True)
        return keys, self.strings(first)

    @cached_property
    def before(self) -> Ints:
        """(n + 1,) number of words that start before each node of the page.

        The words of the subtree of node i are the slice before[i]:before[page.end[i]], so any sum over the words of
        subtrees is a difference of two prefix sums.
        """
        counts = np.bincount(self.node, minlength=len(self.blocks.page))
        return np.append(0, counts.cumsum()).astype(np.int32)

    def strings(self, which: npt.NDArray[np.integer]) -> list[str]:
        """Return the words with the given indices, in lower case."""
        text = self._lowered.tobytes().decode("utf-32-le")
        starts, ends = self.start[which].tolist(), self.end[which].tolist()
        return [text[a:b] for a, b in zip(starts, ends, strict=True)]

    @property
    def _lowered(self) -> npt.NDArray[np.uint32]:
        return lower(self.blocks.code_points)


def page_terms(source: Page | Blocks) -> Terms:
    """Return the words of blocks, or of a page cut into the default blocks; a page without text has none."""
    blocks = segment(source) if isinstance(source, Page) else source
    return Terms(blocks, *_term_columns(blocks))


_term_columns = cached_per_object(site.term_columns)
"""Return the columns of `Terms`, in their order."""


term_spans = cached_per_object(site.term_spans)
"""Return `Terms.start`, `Terms.end` and `Terms.block`, without the other columns, which take longer."""
