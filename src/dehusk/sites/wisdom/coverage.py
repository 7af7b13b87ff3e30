"""Significant node coverage (SNC) and information coverage (IC): how much of the marked blocks is found (section 4.1).

    P = AW / (AW + WO),  R = AW / (AW + AO),  F = 2 P R / (P + R)

AW counts what answer and result share, AO what only the answer has, WO what only the result has. Both are sets of
nodes; everything below them counts. SNC counts nodes: links for TOC blocks, all elements for article blocks. IC counts
characters: of links for TOC blocks, of all text for article blocks. Figure 10, the example for the numbers in table 3,
is lost; with this reading one tree gives all numbers of table 3.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.base.tags import numbers
from dehusk.blocks import Blocks
from dehusk.read.page import Bools, Page
from dehusk.sites.wisdom.blocksets import BlockType

_ANCHOR = numbers("a")


@dataclass(frozen=True)
class Coverage:
    """Counts for one page; counts of several pages add up."""

    AW: int = 0
    """In both the answer and the result."""
    AO: int = 0
    """Only in the answer."""
    WO: int = 0
    """Only in the result."""

    @classmethod
    def between(cls, answer: Bools, result: Bools) -> Coverage:
        """Compare two masks over the same nodes or characters, of equal shape."""
        both = int((answer & result).sum())
        return cls(both, int(answer.sum()) - both, int(result.sum()) - both)

    def __add__(self, other: Coverage) -> Coverage:
        return Coverage(self.AW + other.AW, self.AO + other.AO, self.WO + other.WO)

    @property
    def precision(self) -> float:
        """P; for an empty result 1 if the answer is empty too, otherwise 0."""
        in_result = self.AW + self.WO
        return self.AW / in_result if in_result else float(not self.AO)

    @property
    def recall(self) -> float:
        """R; for an empty answer 1 if the result is empty too, otherwise 0."""
        in_answer = self.AW + self.AO
        return self.AW / in_answer if in_answer else float(not self.WO)

    @property
    def f(self) -> float:
        """F, the harmonic mean of P and R; 1 if answer and result are empty."""
        size = 2 * self.AW + self.AO + self.WO
        return 2 * self.AW / size if size else 1.0


def snc(blocks: Blocks, answer: Iterable[int], result: Iterable[int], block_type: BlockType) -> Coverage:
    """Return the significant node coverage on a page.

    Args:
        blocks: the common blocks of the page.
        answer: root nodes of the marked blocks; they may be nested.
        result: root nodes of the blocks that were found; they may be nested.
        block_type: "toc" counts links, "article" all elements.

    Raises:
        ValueError: a node is not on the page, or the type does not exist.
    """
    page = blocks.page
    counted = _counted(block_type, page.is_one_of(_ANCHOR), ~page.is_text)
    return Coverage.between(counted & _below(page, answer), counted & _below(page, result))


def ic(blocks: Blocks, answer: Iterable[int], result: Iterable[int], block_type: BlockType) -> Coverage:
    """Return the information coverage on a page, in characters with white space folded.

    The arguments are those of `snc`; "toc" counts the characters of links, "article" all characters.

    Raises:
        ValueError: a node is not on the page, or the type does not exist.
    """
    page = blocks.page
    counted = _counted(block_type, blocks.linked, np.ones(len(blocks.text), dtype=np.bool_))
    texts = np.flatnonzero(page.is_text)
    node = texts.take(np.searchsorted(page.text_start.take(texts), blocks.source, side="right") - 1)
    return Coverage.between(counted & _below(page, answer).take(node), counted & _below(page, result).take(node))


def _counted(block_type: BlockType, toc: Bools, article: Bools) -> Bools:
    if block_type not in ("toc", "article"):
        raise ValueError(f"the type of a block must be 'toc' or 'article', not {block_type!r}")
    return toc if block_type == "toc" else article


def _below(page: Page, roots: Iterable[int]) -> Bools:
    """Return which nodes of the page, shape (n,), are one of the roots or below one."""
    nodes: npt.NDArray[np.intp] = np.unique(np.fromiter(roots, dtype=np.intp))
    if len(nodes) and not 0 <= nodes[0] <= nodes[-1] < len(page):
        raise ValueError(f"nodes must be from 0 to {len(page) - 1}, not from {nodes[0]} to {nodes[-1]}")
    mask: Bools = page.within(nodes) > 0
    return mask
