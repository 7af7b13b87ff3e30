"""How much of marked blocks was found: significant node coverage and information coverage (section 4.1).

    P = AW / (AW + WO),  R = AW / (AW + AO),  F = 2 P R / (P + R)

AW is what answer and result have in common, AO what the answer alone has, WO what the result alone has. Both are sets
of nodes; what counts is below them. SNC counts nodes: links for TOC blocks, all elements for article blocks. IC counts
characters: of links for TOC blocks, of all text for article blocks. Figure 10, whose numbers table 3 prints, is lost;
with this reading one tree gives all of table 3.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.methods.wisdom.blocksets import BlockType
from dehusk.page import Bools, Page
from dehusk.tags import numbers

_ANCHOR = numbers("a")


@dataclass(frozen=True)
class Coverage:
    """Counts of one page; counts of several pages add up. What does not exist cannot be missed."""

    AW: int = 0
    """In the answer and in the result."""
    AO: int = 0
    """In the answer only."""
    WO: int = 0
    """In the result only."""

    def __add__(self, other: Coverage) -> Coverage:
        return Coverage(self.AW + other.AW, self.AO + other.AO, self.WO + other.WO)

    @property
    def precision(self) -> float:
        """P; for an empty result 1 if there is no answer either, else 0."""
        found = self.AW + self.WO
        return self.AW / found if found else float(not self.AO)

    @property
    def recall(self) -> float:
        """R; for an empty answer 1 if there is no result either, else 0."""
        wanted = self.AW + self.AO
        return self.AW / wanted if wanted else float(not self.WO)

    @property
    def f(self) -> float:
        """F, the harmonic mean of both; 1 if answer and result are empty."""
        size = 2 * self.AW + self.AO + self.WO
        return 2 * self.AW / size if size else 1.0


def snc(blocks: Blocks, answer: Iterable[int], result: Iterable[int], kind: BlockType) -> Coverage:
    """Return the significant node coverage of one page.

    Args:
        blocks: the common blocks of the page.
        answer: root nodes of the marked blocks; they may lie within each other.
        result: root nodes of the blocks that were found.
        kind: "toc" counts links, "article" all elements.

    Raises:
        ValueError: a node that the page does not have, or no such kind.
    """
    page = blocks.page
    counted = _kind(kind, page.is_one_of(_ANCHOR), ~page.is_text)
    return _compare(counted, _below(page, answer), _below(page, result))


def ic(blocks: Blocks, answer: Iterable[int], result: Iterable[int], kind: BlockType) -> Coverage:
    """Return the information coverage of one page, in characters with white space folded.

    Args are those of `snc`; "toc" counts the characters of links, "article" all.

    Raises:
        ValueError: a node that the page does not have, or no such kind.
    """
    page = blocks.page
    counted = _kind(kind, blocks.linked, np.ones(len(blocks.text), dtype=np.bool_))
    texts = np.flatnonzero(page.is_text)
    node = texts.take(np.searchsorted(page.text_start.take(texts), blocks.source, side="right") - 1)
    return _compare(counted, _below(page, answer).take(node), _below(page, result).take(node))


def _kind(kind: BlockType, toc: Bools, article: Bools) -> Bools:
    if kind not in ("toc", "article"):
        raise ValueError(f"blocks are toc or article, not {kind!r}")
    return toc if kind == "toc" else article


def _below(page: Page, roots: Iterable[int]) -> Bools:
    """Return which nodes, shape (n,), are below some nodes or are one of them."""
    nodes: npt.NDArray[np.intp] = np.unique(np.fromiter(roots, dtype=np.intp))
    if len(nodes) and not 0 <= nodes[0] <= nodes[-1] < len(page):
        raise ValueError(f"nodes of a page of {len(page)} are from 0 on, not {nodes[0]} to {nodes[-1]}")
    mask: Bools = page.within(nodes) > 0
    return mask


def _compare(counted: Bools, answer: Bools, result: Bools) -> Coverage:
    both, answer_only, result_only = answer & result, answer & ~result, result & ~answer
    return Coverage(*(int((counted & one).sum()) for one in (both, answer_only, result_only)))
