"""The texts of blocks as plain text has them: formulas as TeX, raised numbers, listings without `pre` in lines."""

from __future__ import annotations

from textwrap import dedent

import numpy as np

from dehusk.base.tags import numbers
from dehusk.blocks.labels import Labels
from dehusk.write.inserts import replacements

_CODE = numbers("code")


def plain_texts(labels: Labels) -> list[str]:
    """Return the text of each block, shape (b,), without omitted text nodes."""
    changed = changed_texts(labels)
    return [changed.get(block, text) for block, text in enumerate(labels.texts)] if changed else labels.texts


def changed_texts(labels: Labels) -> dict[int, str]:
    """Return block -> its text, for blocks with parts for which plain text has something else."""
    blocks, replaced = labels.blocks, replacements(labels.blocks.page)
    listings = _listings(labels)
    if not replaced:
        return listings
    nodes = np.fromiter(replaced, np.intp, len(replaced))
    changed = sorted({*(blocks.first.searchsorted(nodes, "right") - 1).tolist()})
    return {block: _replaced(labels, block, replaced) for block in changed if block >= 0} | listings


def _listings(labels: Labels) -> dict[int, str]:
    """Return block -> its lines, for listings of several lines in `code` that is shown as a block."""
    blocks, page = labels.blocks, labels.blocks.page
    lined = [node for node in page.nodes_of(_CODE).tolist() if "\n" in page.text_of(node).strip()]
    if not lined:
        return {}
    from dehusk.write.content.code import other_listings  # noqa: PLC0415 (few pages have code of several lines)

    found = other_listings(page)
    places = [(node, int(blocks.first.searchsorted(node))) for node in lined if node in found]
    whole = [(node, block) for node, block in places if block < len(blocks) and blocks.last[block] < page.end[node]]
    return {
        block: dedent(page.text_of(node).strip("\n")).rstrip()
        for node, block in whole
        if _is_alone(labels, node, block)
    }


def _is_alone(labels: Labels, node: int, block: int) -> bool:
    """Return whether a block is all of an element, and nothing in it is omitted."""
    first, omitted = labels.blocks.first, labels.omitted
    end = labels.blocks.page.end[node]
    is_last = block + 1 == len(first) or first[block + 1] >= end
    return bool(is_last and omitted.searchsorted(node) == omitted.searchsorted(end))


def _replaced(labels: Labels, block: int, replaced: dict[int, str]) -> str:
    """Return the text of a block whose text nodes are replaced."""
    blocks = labels.blocks
    page, first, last = blocks.page, int(blocks.first[block]), int(blocks.last[block])
    low, high, omitted = int(blocks.start[block]), int(blocks.end[block]), set[int]()
    if len(labels.omitted):
        omitted.update(labels.omitted[slice(*labels.omitted.searchsorted((first, last + 1)))].tolist())
    nodes = first + page.is_text[first : last + 1].nonzero()[0]
    starts = blocks.source.searchsorted(page.text_start[nodes]).tolist()
    ends = blocks.source.searchsorted(page.text_end[nodes]).tolist()
    parts = []
    for node, start, end in zip(nodes.tolist(), starts, ends, strict=True):
        text = blocks.text[max(start, low) : min(end, high)]
        if node in replaced:
            text = text[: len(text) - len(text.lstrip())] + replaced[node] + text[len(text.rstrip()) :]
        parts.append(" " if node in omitted else text)
    whole, own = "".join(parts), blocks.text_of(block)
    is_literal = own != " ".join(own.split())  # a line of code, whose white space is text
    return whole if is_literal else " ".join(whole.split())
