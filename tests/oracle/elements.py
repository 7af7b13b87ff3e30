"""What the pages of a site say of the element of each block, and the headings over kept text: with loops."""

from collections.abc import Sequence
from statistics import fmean

Page = Sequence[tuple[int, float]]
"""The slot and the log-odds of each block."""


def pooled(pages: Sequence[Page], slot: int) -> tuple[int, float, float]:
    """Return n, m and w of a slot, as `dehusk.label.united.elements` defines them; log-odds are in steps of 1/64."""
    x, squares = [], []
    for page in pages:
        inside = [round(64 * min(max(score, -6), 6)) for place, score in page if place == slot]
        if inside:
            x.append(round(fmean(inside)) / 64)
            squares.append(round(fmean(step**2 for step in inside)) / 64**2)
    n = len(x)
    if n < 2:
        return n, x[0] if x else 0.0, 0.0
    v = (n * max(fmean(squares) - fmean(x) ** 2, 0) + 4 * 2.5**2) / (n + 4)
    return n, fmean(x), min(1, 1 / v) * n / (n + 1)


def headings_over_text(levels: Sequence[int], kept: Sequence[bool], template: Sequence[bool]) -> list[int]:
    """Return the dropped headings of the template that stand over kept text, before a heading that is not deeper."""
    found = []
    for block, level in enumerate(levels):
        if level and template[block] and not kept[block]:
            for below in range(block + 1, len(levels)):
                if 0 < levels[below] <= level:
                    break
                if kept[below] and not levels[below]:
                    found.append(block)
                    break
    return found
