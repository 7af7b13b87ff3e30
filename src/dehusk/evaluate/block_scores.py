"""What a tool says of blocks against gold: calibration of its probabilities, coverage of nodes and of characters.

Gold texts say nothing of blocks. So the page is cut into the common blocks, those at least half of whose words align
with the gold text are content (`dehusk.gold.alignment`), and their characters are the gold characters.

* **Calibration**: an event is a block of the tool; it happened where at least half of its characters that are no white
  space are gold characters.
* **SNC and IC** (Kao, Ho & Chen, section 4.1): nodes and characters below marked nodes. The marked nodes of the gold,
  and of the tool, are those all of whose text is gold, or was kept; an element that holds some kept and some dropped
  text is not marked, its children may be.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks, segment
from dehusk.characters import CharClass
from dehusk.evaluate.predictions import Mark
from dehusk.gold.alignment import label_blocks
from dehusk.gold.datasets import Sample
from dehusk.labels import OTHER
from dehusk.measures.probabilities import Calibration, calibration
from dehusk.methods.wisdom.coverage import Coverage, ic, snc
from dehusk.page import Bools
from dehusk.read import decode, parse


@dataclass(frozen=True)
class BlockScores:
    """Counts of one page; see the module."""

    calibration: Calibration | None
    """None where a block has no probability."""
    snc: Coverage
    ic: Coverage


@dataclass(frozen=True, eq=False)
class _Gold:
    """A page with its gold characters."""

    blocks: Blocks
    words: Bools
    """(len(page.text),) characters of blocks that are no white space."""
    gold: Bools
    """(len(page.text),) those of them in content blocks."""


def score_blocks(sample: Sample, marks: Sequence[Mark]) -> BlockScores | None:
    """Judge what a tool says of a page's blocks; None where its blocks do not lie within the page's text."""
    page = _gold(sample)
    size = len(page.words)
    if max((mark.end for mark in marks), default=0) > size:
        return None
    kept = np.zeros(size, dtype=np.bool_)
    for mark in marks:
        if mark.kept:
            kept[mark.start : mark.end] = True
    answer, result = _marked(page, page.gold), _marked(page, kept & page.words)
    return BlockScores(
        _calibration(page, marks),
        snc(page.blocks, answer, result, "article"),
        ic(page.blocks, answer, result, "article"),
    )


@lru_cache(maxsize=2)
def _gold(sample: Sample) -> _Gold:
    page = parse(decode(sample.bare).text, url=sample.url)
    blocks = segment(page)
    codes, _ = label_blocks(blocks, sample.segments)
    words, gold = (np.zeros(len(page.text), dtype=np.bool_) for _ in range(2))
    black = blocks.char_class < CharClass.WHITE
    words[blocks.source[black]] = True
    gold[blocks.source[black & (codes != OTHER)[blocks.block_of]]] = True
    return _Gold(blocks, words, gold)


def _marked(page: _Gold, chosen: Bools) -> list[int]:
    """Return the nodes that hold text, all of which is chosen."""
    held, own = (_below(page.blocks, mask) for mask in (page.words, chosen))
    return [int(node) for node in np.flatnonzero((held > 0) & (own == held))]


def _below(blocks: Blocks, mask: Bools) -> npt.NDArray[np.int64]:
    """Return how many of some characters are below each node, shape (n,)."""
    page = blocks.page
    texts = np.flatnonzero(page.is_text)
    where = np.searchsorted(page.text_start.take(texts), np.flatnonzero(mask), side="right") - 1
    counts = np.bincount(texts.take(where), minlength=len(page))
    sums = np.concatenate([[0], np.cumsum(counts)])
    below: npt.NDArray[np.int64] = sums[page.end] - sums[:-1]
    return below


def _calibration(page: _Gold, marks: Sequence[Mark]) -> Calibration | None:
    chances = [mark.probability for mark in marks if mark.probability is not None]
    if not marks or len(chances) < len(marks):
        return None
    start, end = (np.array(column) for column in list(zip(*marks, strict=True))[:2])
    held, gold = (
        np.concatenate([[0], np.cumsum(mask)])[end] - np.concatenate([[0], np.cumsum(mask)])[start]
        for mask in (page.words, page.gold)
    )
    return calibration(chances, (held > 0) & (2 * gold >= held))
