"""The texts of blocks as plain text has them: with formulas as TeX and raised numbers as raised characters."""

from __future__ import annotations

import numpy as np

from dehusk.blocks.labels import Labels
from dehusk.write.inserts import replacements


def plain_texts(labels: Labels) -> list[str]:
    """Return the text of each block, shape (b,), without omitted text nodes."""
    changed = changed_texts(labels)
    return [changed.get(block, text) for block, text in enumerate(labels.texts)] if changed else labels.texts


def changed_texts(labels: Labels) -> dict[int, str]:
    """Return block -> its text, for blocks with parts for which plain text has something else."""
    blocks, replaced = labels.blocks, replacements(labels.blocks.page)
    if not replaced:
        return {}
    nodes = np.fromiter(replaced, np.intp, len(replaced))
    changed = np.unique(blocks.first.searchsorted(nodes, "right") - 1).tolist()
    return {block: _replaced(labels, block, replaced) for block in changed if block >= 0}


def _replaced(labels: Labels, block: int, replaced: dict[int, str]) -> str:
    """Return the text of a block whose text nodes are replaced."""
    blocks = labels.blocks
    page, first, last = blocks.page, int(blocks.first[block]), int(blocks.last[block])
    omitted = set(labels.omitted[slice(*labels.omitted.searchsorted((first, last + 1)))].tolist())
    nodes = first + page.is_text[first : last + 1].nonzero()[0]
    starts = blocks.source.searchsorted(page.text_start[nodes]).tolist()
    ends = blocks.source.searchsorted(page.text_end[nodes]).tolist()
    parts = []
    for node, start, end in zip(nodes.tolist(), starts, ends, strict=True):
        text = blocks.text[max(start, blocks.start[block]) : min(end, blocks.end[block])]
        if node in replaced:
            text = text[: len(text) - len(text.lstrip())] + replaced[node] + text[len(text.rstrip()) :]
        parts.append(" " if node in omitted else text)
    whole, own = "".join(parts), blocks.text_of(block)
    is_literal = own != " ".join(own.split())  # a line of code, whose white space is text
    return whole if is_literal else " ".join(whole.split())
