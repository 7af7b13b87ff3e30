"""Vectors of any page by `paper_vectors`, from the page's nodes and words; those have their own tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import count

import paper_vectors
from dehusk.counts.display import PRESENTATION, normalise_attribute
from dehusk.counts.terms import page_terms
from dehusk.read.page import Page


class Tag:
    """An element of a page as `paper_vectors.Node` reads it; its words are their numbers in the page's vocabulary."""

    def __init__(self, tag: str, attributes: frozenset[str]) -> None:
        self.tag, self.attributes = tag, attributes
        self.children: list[Tag] = []
        self.words: list[str] = []

    def __iter__(self) -> Iterator[Tag]:
        return iter(self.children)

    def items(self) -> frozenset[str]:
        return self.attributes

    def xpath(self, _: str) -> list[str]:
        return self.words


def tree(page: Page, numbers: dict[str, str]) -> Tag:
    """Return the page's elements under a virtual root; `numbers` is word -> number, and gets new words."""
    root = Tag("root", frozenset())
    tags = {-1: root}
    for node in range(len(page)):
        if not page.is_text[node]:
            attributes = {
                normalise_attribute(name, value or "")
                for name, value in page.attributes.get(node, ())
                if name in PRESENTATION or (name == "class" and node)
            }
            tags[node] = Tag(page.tag_name(node), frozenset(attributes - {""}))
            tags[int(page.parent[node])].children.append(tags[node])
    terms = page_terms(page)
    for word, node in zip(terms.words, terms.node.tolist(), strict=True):
        tags[int(page.parent[node])].words.append(numbers.setdefault(word, str(len(numbers))))
    return root


def height(node: paper_vectors.Node) -> int:
    return max((1 + height(child) for child in node.children), default=0)


def mark_leaves(node: paper_vectors.Node, leaves: int | str, above: tuple[paper_vectors.Node, ...] = ()) -> None:
    """Set the kinds of all nodes below the virtual root."""
    for child in node.children:
        child.kind = "leaf" if leaves != "grandparent" and height(child) <= int(leaves) else "inner"
        mark_leaves(child, leaves, (*above, child))
        if leaves == "grandparent" and not child.children:
            (*above, child)[-3:][0].kind = "leaf"


def vectors_of(pages: list[Page], leaves: int | str, *gamma_and_lambda: float) -> list[dict[str, float]]:
    """Return word -> weight of each page; in mode "style" with gamma and lambda, in mode "ordinal" without."""
    numbers: dict[str, str] = {}
    places, vectors = count(), [Counter() for _ in pages]
    trees = [tree(page, numbers) for page in pages]
    roots = [paper_vectors.Node(root, vector, places) for root, vector in zip(trees, vectors, strict=True)]
    for root in roots:
        mark_leaves(root, leaves)
    paper_vectors.weigh(roots, "inner", 1, *gamma_and_lambda)
    return [{word: vector[number] for word, number in numbers.items() if number in vector} for vector in vectors]
