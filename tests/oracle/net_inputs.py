"""What `dehusk.compiled.net` computes: the elements around blocks, their tags, and groups of blocks."""

from collections.abc import Hashable

from dehusk.base.tags import KNOWN
from dehusk.blocks import Blocks
from oracle.characters import lower
from oracle.subtrees import count_subtrees, topmost
from oracle.tree import lineages, parent_of

LEVELS = 10


def innermost_levels(blocks: Blocks) -> list[list[int]]:
    """Return the ten innermost elements around each block, -1 above the root."""
    return [(lineages(blocks.page)[node] + [-1] * LEVELS)[:LEVELS] for node in blocks.node.tolist()]


def innermost_tags(blocks: Blocks) -> list[list[int]]:
    """Return the tags of the three innermost elements around each block; unknown tags are one, above the root is 0."""
    tags = blocks.page.tag
    return [
        [min(int(tags[node]), KNOWN) if node >= 0 else 0 for node in levels[:3]] for levels in innermost_levels(blocks)
    ]


def first_class(names: str) -> str:
    """Return the first of the classes of an attribute, in lower case and without digits."""
    first = next(filter(None, "".join(max(" ", character) for character in names).split(" ")), "")
    return "".join(lower(character) for character in first if character not in "0123456789")


def path(blocks: Blocks, node: int) -> tuple[tuple[int, str], ...]:
    """Return the tags and the first classes of an element and of those around it."""
    page = blocks.page
    return tuple(
        (int(page.tag[e]), first_class(page.class_names[int(page.class_code[e])])) for e in lineages(page)[node]
    )


def containers(blocks: Blocks) -> list[list[int]]:
    """Return the three innermost elements around each block with more and more blocks, the first with two or more."""
    page, top, count, found = blocks.page, topmost(blocks), count_subtrees(blocks).blocks, []
    for innermost in blocks.node.tolist():
        node, around = innermost, list[int]()
        while len(around) < 3:
            if around or count[node] == 1:
                node = parent_of(page, top[node])
            around.append(node)
        found.append(around)
    return found


def groups_of(blocks: Blocks) -> list[list[Hashable]]:
    """Return what the blocks of a group have in common: the path, then each container, then the page."""
    around, one_page = containers(blocks), list[Hashable]([0] * len(blocks))
    by_container = [list[Hashable](own[level] for own in around) for level in range(3)]
    return [[path(blocks, node) for node in blocks.node.tolist()], *by_container, one_page]
