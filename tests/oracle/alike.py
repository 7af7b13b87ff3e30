"""Blocks that start in elements alike, the record of each, and runs of equal texts."""

from collections.abc import Sequence

from dehusk.blocks import Blocks


def _kind(blocks: Blocks, block: int) -> tuple[object, ...]:
    """Return the tags and the classes of the element in which a block starts, and of the one around that."""
    page, node = blocks.page, int(blocks.page.parent[blocks.first[block]])
    around = max(int(page.parent[node]), 0)
    return tuple((page.tag[one], page.class_names[page.class_code[one]]) for one in (node, around))


def fields_of(blocks: Blocks, of: Sequence[int], least: int, apart: float, words: float) -> list[list[int]]:
    """Return the blocks of each kind that has enough of them, with words, most of which are not side by side."""
    fields: dict[tuple[object, ...], list[int]] = {}
    for block in of:
        fields.setdefault(_kind(blocks, block), []).append(block)
    return [
        field
        for field in fields.values()
        if len(field) >= least
        and sum(block + 1 not in field for block in field) >= apart * len(field)
        and sum(int(blocks.words[block]) for block in field) >= words * len(field)
    ]


def records_of(blocks: Blocks, field: Sequence[int]) -> list[tuple[int, int]]:
    """Return the blocks that start in the largest element around each of a field that has no other one of it."""
    page, leaves, found = blocks.page, [int(blocks.first[block]) for block in field], []
    for leaf in leaves:
        node = leaf
        while page.parent[node] >= 0 and not _others_in(leaves, leaf, int(page.parent[node]), page.end):
            node = int(page.parent[node])
        inside = [block for block, first in enumerate(blocks.first.tolist()) if node <= first < page.end[node]]
        found.append((inside[0], inside[-1] + 1))
    return found


def _others_in(leaves: Sequence[int], leaf: int, node: int, end: Sequence[int]) -> list[int]:
    return [other for other in leaves if other != leaf and node <= other < end[node]]


def repeated_runs(blocks: Blocks, of: Sequence[int], size: int) -> list[int]:
    """Return which of some blocks are in a run whose texts are those of another one."""
    texts = [blocks.texts[block] for block in of]
    runs = [texts[at : at + size] for at in range(len(texts) - size + 1)]
    twice = [at for at, run in enumerate(runs) if runs.count(run) > 1]
    return sorted({at + more for at in twice for more in range(size)})
