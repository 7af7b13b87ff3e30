"""What goes with kept text: code listings, captions, headings above it, and what stands in the middle of it.

Gold texts differ in whether they have these, so the net gives them low probabilities, and the cut falls between a
paragraph and the listing that it explains. A reader misses them however short they are. So less than the cut is enough:

- for a listing `LISTING`, wherever it stands;
- for a caption `CAPTION`, if something else in its figure or table is kept, as the listing or the rows; `OF_IMAGE`
  otherwise, if its neighbours are kept;
- for a paragraph or quotation outside of lists and tables `INSIDE`, if its neighbours are kept;
- for a heading `BETWEEN`, if its neighbours are kept; `ABOVE`, if at least the one after it is.

The neighbours of an element are the blocks before and after it in the smallest element that has other text. Several
headings in a row head the same text, and several paragraphs in a row may be missing: their neighbours are the first
blocks beyond them.

docs/united.md has the figures.
"""

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.page import Bools
from dehusk.tags import HEADINGS
from dehusk.units import is_bound
from dehusk.units.skeleton import Skeleton, skeleton_of, tag_table
from dehusk.units.structures import find_structures

Reals = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]

LISTING = 0.2
CAPTION, OF_IMAGE = 0.1, 0.35
INSIDE = 0.45
BETWEEN, ABOVE = 0.1, 0.2

_HEADING = tag_table(tuple(HEADINGS))
_NOSCRIPT = tag_table("noscript")
_PROSE = tag_table("p blockquote")
_CAPTION = tag_table("caption figcaption")
_CAPTIONED = tag_table("table figure")


def completed(blocks: Blocks, kept: Bools, probability: Reals, excluded: Bools) -> Bools:
    """Return the kept blocks, and those that go with them, shape (b,).

    Args:
        blocks: the blocks of a page.
        kept: (b,) which of them are kept.
        probability: (b,) probability that each block is content, the same for all blocks of a group.
        excluded: (b,) which blocks must not be added.
    """
    if not kept.any():
        return kept
    tree, listings, open_ = skeleton_of(blocks), find_structures(blocks).listings, ~excluded
    if listings.any():
        inside = tree.inside_of(listings) > 0
        inside &= tree.inside_of(tree.has_tag(_NOSCRIPT)) == 0  # "This page needs JavaScript" in a pre
        kept = kept | (inside[tree.innermost] & (probability >= LISTING) & open_)
    kept = kept | (_captions(tree, kept, probability) & open_)
    kept = kept | _between(tree, kept, np.where(open_ & ~is_bound(blocks), probability, 0.0), _PROSE, INSIDE, 1.0)
    return kept | _between(tree, kept, np.where(open_, probability, 0.0), _HEADING, BETWEEN, ABOVE)


def _captions(tree: Skeleton, kept: Bools, probability: Reals) -> Bools:
    """Return the captions of what is kept, shape (b,)."""
    is_caption = tree.has_tag(_CAPTION)
    if not is_caption.any():
        return np.zeros(len(kept), dtype=np.bool_)
    own = tree.outermost(is_caption)[tree.innermost]
    found: Bools = (own >= 0) & (probability >= CAPTION)
    if not found.any():
        return found
    kept_before = np.append(0, kept.cumsum())
    around = tree.nearest(tree.has_tag(_CAPTIONED))[own]
    captioned = (around >= 0) & (kept_before[tree.end[around]] > kept_before[tree.first[around]])
    is_kept = np.append(kept, False)
    above, below = (is_kept[beside] for beside in _neighbours(tree, own))
    found &= captioned | (above & below & (probability >= OF_IMAGE))
    return found


def _between(tree: Skeleton, kept: Bools, probability: Reals, tags: Bools, between: float, above: float) -> Bools:
    """Return which dropped blocks in elements of these tags stand between kept blocks, or above one, shape (b,).

    Args:
        tree: the elements of the page.
        kept: (b,) which blocks are kept.
        probability: (b,) probability of each block, 0 if it must not be added.
        tags: a `tag_table`; of nested elements, the outermost counts.
        between: the least probability between kept blocks.
        above: the least probability above a kept block.
    """
    likely: Bools = ~kept & (probability >= between)
    if not likely.any():
        return likely
    own = tree.outermost(tree.has_tag(tags))[tree.innermost]
    likely &= own >= 0
    if not likely.any():
        return likely
    rounds, is_kept = int(likely.sum()).bit_length(), np.append(kept, False)
    before, after = (_beyond(beside, likely, rounds) for beside in _neighbours(tree, own))
    likely &= is_kept[after] & (is_kept[before] | (probability >= above))
    return likely


def _beyond(beside: Indices, likely: Bools, rounds: int) -> Indices:
    """Return the first block that is not likely on the way from each likely block to its neighbours, shape (b,)."""
    pointer = np.append(np.where(likely, beside, np.arange(len(beside))), len(beside))
    for _ in range(rounds):  # each round doubles the distance
        pointer = pointer[pointer]
    return pointer[:-1]


def _neighbours(tree: Skeleton, element: Indices) -> tuple[Indices, Indices]:
    """Return the blocks before and after some elements in the smallest element with other text, b if there is none."""
    outer, b = np.maximum(tree.parent, 0), len(tree.innermost)
    is_alone = (tree.first == tree.first[outer]) & (tree.end == tree.end[outer])
    is_alone[:1] = False
    around = outer[tree.nearest(~is_alone)[element]]
    first, end = tree.first[element], tree.end[element]
    return np.where(first > tree.first[around], first - 1, b), np.where(end < tree.end[around], end, b)
