"""Levels of headings, and headings of which nothing below is kept."""

from collections.abc import Sequence

from dehusk.base.tags import HEADINGS
from dehusk.blocks import Blocks
from oracle.tree import lineages, tag_names


def heading_levels(blocks: Blocks) -> list[int]:
    """Return the level of the innermost heading around the first text of each block, 0 for none."""
    names, around = tag_names(blocks.page), lineages(blocks.page)
    found = []
    for first in blocks.first.tolist():
        inside = [names[node] for node in around[first] if names[node] in HEADINGS]
        found.append(int(inside[0][1]) if inside else 0)
    return found


def bare_headings(levels: Sequence[int], kept: Sequence[bool]) -> list[tuple[int, int, bool]]:
    """Return (block, level, whether blocks are dropped below) of kept headings that no text or deeper one follows."""
    written = [block for block, keep in enumerate(kept) if keep]
    found = []
    for at, block in enumerate(written):
        after = [*written, len(kept)][at + 1]
        following = levels[after] if after < len(kept) else 1
        if levels[block] and 0 < following <= levels[block]:
            found.append((block, levels[block], after > block + 1))
    return found
