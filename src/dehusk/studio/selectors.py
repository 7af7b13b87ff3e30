"""Selectors that cover some blocks of a page: candidates from the elements around them, judged on the page itself.

As with SelectorGadget, clicked blocks are wanted or unwanted; a selector must cover wanted blocks and no unwanted one.
`proposing` judges the best of them on the other pages of the site.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from dehusk.blocks import Blocks
from dehusk.label.rules import covered
from dehusk.read.page import Bools, Page
from dehusk.studio.selector_parts import is_telling, nth_of_type, simple_selectors

_DEPTH = 10  # elements around a block that a selector may name
_ANCHORS = 4
_MOST_CANDIDATES = 400
_MOST_STARTS = 6  # wanted blocks whose elements are looked at
_MOST_STEPS = 6


@dataclass(frozen=True, eq=False)
class Candidate:
    """A selector, and what it covers on the page that it was made for."""

    selector: str
    covered: Bools
    """(b,) the blocks that it covers."""
    is_fragile: bool
    """Whether it counts elements or names only tags, so that a small change of the design makes it miss."""

    @property
    def cost(self) -> tuple[int, bool, int]:
        """How long it is to read: its steps, whether it is only a tag, its characters."""
        return len(self.selector.split()), self.selector.isalnum(), len(self.selector)


def find_candidates(blocks: Blocks, wanted: Sequence[int], unwanted: Sequence[int]) -> list[Candidate]:
    """Return selectors that cover at least one of the wanted blocks of a page and none of the unwanted ones.

    Args:
        blocks: the common blocks of the page.
        wanted: at least one block.
        unwanted: blocks that must not be covered.
    """
    starts = _spread(wanted, _MOST_STARTS)
    found: dict[str, bool] = {}
    for block in starts:
        for selector, is_fragile in islice(
            _around(blocks.page, int(blocks.node[block])), _MOST_CANDIDATES // len(starts)
        ):
            found.setdefault(selector, is_fragile)
    names = list(found)
    candidates = [Candidate(name, mask, found[name]) for name, mask in zip(names, covered(blocks, names), strict=True)]
    return [each for each in candidates if each.covered[wanted].any() and not each.covered[unwanted].any()]


def _spread(blocks: Sequence[int], count: int) -> list[int]:
    if len(blocks) <= count:
        return list(blocks)
    return [blocks[index] for index in np.linspace(0, len(blocks) - 1, count).astype(int).tolist()]


def _around(page: Page, node: int) -> Iterator[tuple[str, bool]]:
    """Yield selectors of an element and of those around it, and whether they are fragile; the likely ones first."""
    chain = list(_ancestors(page, node, _DEPTH))
    simple = {each: simple_selectors(page, each) for each in chain}
    for each in chain:
        yield from ((selector, False) for selector in simple[each] if is_telling(selector))
    for index, each in enumerate(chain):
        for anchor in _anchors(chain[index + 1 :], simple):
            yield from _below(simple, anchor, each)
    for index, each in enumerate(chain):
        yield from _counted(page, chain[index:], simple, each)


def _ancestors(page: Page, node: int, most: int) -> Iterator[int]:
    """Yield an element and those around it, up to and without the body."""
    while node > 0 and most:
        yield node
        node, most = int(page.parent[node]), most - 1


def _anchors(chain: Iterable[int], simple: dict[int, list[str]]) -> list[int]:
    return [each for each in chain if any(map(is_telling, simple[each]))][:_ANCHORS]


def _below(simple: dict[int, list[str]], anchor: int, node: int) -> Iterator[tuple[str, bool]]:
    """Yield selectors of an element inside another one that has a name."""
    for outer in [selector for selector in simple[anchor] if is_telling(selector)][:3]:
        for inner in simple[node]:
            yield f"{outer} {inner}", False
            yield f"{outer} > {inner}", False


def _counted(page: Page, chain: Sequence[int], simple: dict[int, list[str]], node: int) -> Iterator[tuple[str, bool]]:
    """Yield paths of tags with the numbers of children, from an element that has a name or from the body."""
    path = ""
    for each in chain[:_MOST_STEPS]:
        if each != node and (telling := [selector for selector in simple[each] if is_telling(selector)]):
            yield f"{telling[0]} > {path}", True
        step = f"{page.tag_name(each)}:nth-of-type({nth_of_type(page, each)})"
        path = f"{step} > {path}" if path else step
        if int(page.parent[each]) == 0:
            yield f"body > {path}", True
