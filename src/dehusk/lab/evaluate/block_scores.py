"""Score a tool's blocks against the gold text: calibration of probabilities, coverage of nodes and characters.

Gold texts do not mark blocks. Therefore the page is cut into dehusk's own blocks; a block is content if at least half
of its words align with the gold text (`dehusk.lab.gold.alignment`), and the characters of content blocks are gold.

* **Calibration**: each block of the tool is an event, which happens if at least half of the block's characters, white
  space excluded, are gold.
* **SNC and IC** (Kao, Ho & Chen, section 4.1): nodes and characters below marked nodes. A node is marked if all of its
  text is gold, or all of it is kept. An element with both kept and dropped text is not marked; its children may be.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dehusk.base.characters import CharClass
from dehusk.blocks import Blocks, segment
from dehusk.blocks.labels import OTHER
from dehusk.lab.evaluate.predictions import BlockMark
from dehusk.lab.gold.alignment import label_blocks
from dehusk.lab.gold.datasets import Sample
from dehusk.measures.probabilities import Calibration, calibration
from dehusk.read import decode, parse
from dehusk.read.page import Bools
from dehusk.sites.wisdom.coverage import Coverage, ic, snc


@dataclass(frozen=True)
class BlockScores:
    """The counts of one page."""

    calibration: Calibration | None
    """None if any block has no probability."""
    snc: Coverage
    ic: Coverage


@dataclass(frozen=True, eq=False)
class _GoldPage:
    """A page with its gold characters marked."""

    blocks: Blocks
    words: Bools
    """(len(page.text),) whether a character is in a block and not white space."""
    gold: Bools
    """(len(page.text),) whether such a character is in a content block."""


def score_blocks(sample: Sample, marks: Sequence[BlockMark]) -> BlockScores | None:
    """Score the blocks that a tool reports for a page; None if a block extends beyond the page's text."""
    page = _gold_page(sample)
    size = len(page.words)
    if max((mark.end for mark in marks), default=0) > size:
        return None
    kept = np.zeros(size, dtype=np.bool_)
    for mark in marks:
        if mark.kept:
            kept[mark.start : mark.end] = True
    gold_nodes, kept_nodes = _marked(page, page.gold), _marked(page, kept & page.words)
    return BlockScores(
        _calibration(page, marks),
        snc(page.blocks, gold_nodes, kept_nodes, "article"),
        ic(page.blocks, gold_nodes, kept_nodes, "article"),
    )


@lru_cache(maxsize=2)
def _gold_page(sample: Sample) -> _GoldPage:
    page = parse(decode(sample.bare).text, url=sample.url)
    blocks = segment(page)
    codes, _ = label_blocks(blocks, sample.segments)
    words, gold = (np.zeros(len(page.text), dtype=np.bool_) for _ in range(2))
    black = blocks.char_class < CharClass.WHITE
    words[blocks.source[black]] = True
    gold[blocks.source[black & (codes != OTHER)[blocks.block_of]]] = True
    return _GoldPage(blocks, words, gold)


def _marked(page: _GoldPage, chosen: Bools) -> list[int]:
    """Return the nodes that have text, all of which is chosen."""
    total, selected = (_count_below(page.blocks, mask) for mask in (page.words, chosen))
    return [int(node) for node in np.flatnonzero((total > 0) & (selected == total))]


def _count_below(blocks: Blocks, mask: Bools) -> npt.NDArray[np.int64]:
    """Return how many of the masked characters are below each node, shape (n,)."""
    page = blocks.page
    texts = np.flatnonzero(page.is_text)
    index = np.searchsorted(page.text_start.take(texts), np.flatnonzero(mask), side="right") - 1
    counts = np.bincount(texts.take(index), minlength=len(page))
    sums = np.concatenate([[0], np.cumsum(counts)])
    below: npt.NDArray[np.int64] = sums[page.end] - sums[:-1]
    return below


def _calibration(page: _GoldPage, marks: Sequence[BlockMark]) -> Calibration | None:
    probabilities = [mark.probability for mark in marks if mark.probability is not None]
    if not marks or len(probabilities) < len(marks):
        return None
    start, end = (np.array(column) for column in list(zip(*marks, strict=True))[:2])
    total, gold = (
        np.concatenate([[0], np.cumsum(mask)])[end] - np.concatenate([[0], np.cumsum(mask)])[start]
        for mask in (page.words, page.gold)
    )
    return calibration(probabilities, (total > 0) & (2 * gold >= total))
