"""What `dehusk.compiled.tree` computes, and the walk from a node to the root that most other oracles use."""

from collections.abc import Sequence
from functools import lru_cache

from dehusk.read.page import Page


@lru_cache(maxsize=4)
def lineages(page: Page) -> list[list[int]]:
    """Return for each node the node itself and the elements around it, innermost first."""
    found: list[list[int]] = []
    for node, parent in enumerate(page.parent.tolist()):
        found.append([node, *found[parent]] if node else [node])
    return found


@lru_cache(maxsize=4)
def tag_names(page: Page) -> list[str]:
    """Return the name of each node's tag."""
    return [page.tag_name(node) for node in range(len(page))]


def parent_of(page: Page, node: int) -> int:
    """Return the element around a node; of the root, the root."""
    return max(int(page.parent[node]), 0)


def is_in(page: Page, node: int, tags: frozenset[str]) -> bool:
    """Return whether a node is, or lies in, an element with one of some tags."""
    return any(tag_names(page)[outer] in tags for outer in lineages(page)[node])


def depth(page: Page) -> list[int]:
    """Return how many elements are above each node."""
    return [len(lineage) - 1 for lineage in lineages(page)]


def nearest(page: Page, targets: Sequence[bool]) -> list[int]:
    """Return for each node the innermost target that it is or lies in; -1 if there is none."""
    return [next((outer for outer in lineage if targets[outer]), -1) for lineage in lineages(page)]


def above(page: Page, bits: Sequence[int]) -> list[int]:
    """Return for each node the bits that it has or that an element above it has."""
    found = []
    for lineage in lineages(page):
        joined = 0
        for outer in lineage:
            joined |= bits[outer]
        found.append(joined)
    return found


def order_of_tags(tag: Sequence[int], tags: int) -> tuple[list[int], list[int]]:
    """Return the nodes of tag 0, then those of tag 1, and so on; and how many nodes come before those of each tag."""
    order: list[int] = []
    starts = [0]
    for number in range(tags):
        order += [node for node, its in enumerate(tag) if its == number]
        starts.append(len(order))
    return order, starts


def within(page: Page, nodes: Sequence[int]) -> list[int]:
    """Return in how many of some nodes each node lies."""
    return [len(set(nodes) & set(line)) for line in lineages(page)]
