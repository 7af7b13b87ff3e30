"""What `dehusk.compiled.blocks` computes: the elements with blocks; and the walks over them that units need."""

import re
from functools import lru_cache
from typing import NamedTuple

from dehusk.base.tags import HEADINGS, KNOWN
from dehusk.blocks import Blocks
from dehusk.blocks.units.skeleton import names_post
from dehusk.read.page import Page
from oracle.blocks import BLOCK_LEVEL
from oracle.subtrees import count_subtrees
from oracle.tree import tag_names

ANCHORED = frozenset({"a", "p", "li", "dt", "dd", "tr", "td", "th", *HEADINGS})
"""Elements whose ids name single elements."""
CELLS = frozenset({"td", "th"})


class Tree(NamedTuple):
    """The elements in which blocks start, as `Skeleton` has them, and the names of their tags."""

    node: list[int]
    tag: list[int]
    parent: list[int]
    close: list[int]
    first: list[int]
    end: list[int]
    depth: list[int]
    signature: list[int]
    n_tags: int
    is_post: list[bool]
    innermost: list[int]
    is_holder: list[bool]
    names: list[str]


def name_of(page: Page, node: int) -> str:
    """Return the class attribute of an element, or else its id after a number sign."""
    if page.class_code[node]:
        return page.class_names[int(page.class_code[node])]
    return "" if tag_names(page)[node] in ANCHORED else f"#{page.id_names[page.id_code[node]]}"


def token_of(name: str) -> str:
    """Return the first word of a name, without digits; an id alone is none."""
    word = re.sub("[0-9]", "", (name.split() or [""])[0])
    return "" if word == "#" else word


def token_codes(page: Page, nodes: list[int]) -> dict[str, int]:
    """Return a number for each token of some elements: 0 for none, others from 2 in the order of the page's names."""
    used, codes = {name_of(page, node) for node in nodes}, {"": 0}
    for name in (*page.class_names, *(f"#{name}" for name in page.id_names)):
        if name in used and token_of(name) not in codes:
            codes[token_of(name)] = len(codes) + 1
    return codes


@lru_cache(maxsize=4)
def skeleton_of(blocks: Blocks) -> Tree:
    """Return the elements in which blocks start."""
    page, counts, names = blocks.page, count_subtrees(blocks), tag_names(blocks.page)
    nodes = [node for node, name in enumerate(names) if name != "#text" and counts.blocks[node]]
    parents = [nodes.index(page.parent[node]) if node else -1 for node in nodes]
    codes, n_tags = token_codes(page, nodes), KNOWN + len(page.extra_tags) + 1
    tokens, tags, depths = [token_of(name_of(page, node)) for node in nodes], page.tag[nodes].tolist(), [0] * len(nodes)
    for element, parent in enumerate(parents):
        depths[element] = depths[parent] + 1 if element else 0
    return Tree(
        node=nodes,
        tag=tags,
        parent=parents,
        close=[sum(other < page.end[node] for other in nodes) for node in nodes],
        first=[counts.before[node] for node in nodes],
        end=[counts.before[node] + counts.blocks[node] for node in nodes],
        depth=depths,
        signature=[codes[token] * n_tags + tag for token, tag in zip(tokens, tags, strict=True)],
        n_tags=n_tags,
        is_post=[names_post(token) for token in tokens],
        innermost=[nodes.index(node) for node in blocks.node],
        is_holder=[names[node] in BLOCK_LEVEL - {"br", "hr"} for node in nodes],
        names=[names[node] for node in nodes],
    )


def lineage(tree: Tree, element: int) -> list[int]:
    """Return an element and those around it, innermost first."""
    found = []
    while element >= 0:
        found.append(element)
        element = tree.parent[element]
    return found


def below(tree: Tree, element: int) -> range:
    """Return the elements inside an element, itself not included."""
    return range(element + 1, tree.close[element])


def nearest(tree: Tree, element: int, targets: list[bool]) -> int:
    """Return the innermost target that an element is or lies in, or -1."""
    return next((outer for outer in lineage(tree, element) if targets[outer]), -1)


def outermost(tree: Tree, element: int, targets: list[bool]) -> int:
    """Return the outermost target that an element is or lies in, or -1."""
    return next((outer for outer in reversed(lineage(tree, element)) if targets[outer]), -1)


def with_tag(tree: Tree, tags: str) -> list[bool]:
    """Return whether each element has one of some tags."""
    chosen = set(tags.split())
    return [name in chosen for name in tree.names]


def path_between(tree: Tree, outer: int, inner: int) -> list[tuple[int, int]]:
    """Return the signatures below an element down to another one in it; the cells of a row differ by their columns."""
    path = []
    for element in lineage(tree, inner)[: tree.depth[inner] - tree.depth[outer]]:
        siblings = [e for e, parent in enumerate(tree.parent) if parent == tree.parent[element]]
        cells = [e for e in siblings if tree.names[e] in CELLS and tree.names[element] in CELLS]
        path.append((tree.signature[element], sum(e < element for e in cells)))
    return path
