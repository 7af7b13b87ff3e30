"""What `dehusk.compiled.blocks` computes: the gaps between blocks."""

from collections.abc import Sequence

from dehusk.blocks import Blocks
from dehusk.blocks.layout import Gap
from oracle.blocks import BLOCK_LEVEL
from oracle.tree import tag_names

HOLDERS = BLOCK_LEVEL - {"br", "hr"}


def gap(blocks: Blocks, before: int, after: int) -> int:
    """Return what separates two blocks, of those between which none is kept."""
    page, names = blocks.page, tag_names(blocks.page)
    between = range(int(blocks.last[before]) + 1, int(blocks.first[after]) + 1)
    holders = [node for node, name in enumerate(names) if name in HOLDERS]
    breaks = sum(names[node] == "br" for node in between)
    if any(node in between or page.end[node] in between for node in holders):
        return Gap.BREAK
    if breaks > 1 or any(names[node] == "hr" for node in between):
        return Gap.BREAK
    if breaks or any(node in between for node in page.line_nodes):
        return Gap.LINE
    touches = blocks.span(before)[1] == blocks.span(after)[0]
    return Gap.NOTHING if after == before + 1 and touches else Gap.SPACE


def gaps(blocks: Blocks, kept: Sequence[int]) -> list[int]:
    """Return what is before each kept block; the first has a break before it."""
    return [gap(blocks, kept[at - 1], block) if at else Gap.BREAK for at, block in enumerate(kept)]
