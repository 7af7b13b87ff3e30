"""Heat maps as self-contained SVG text, on a light background."""

from collections.abc import Sequence
from math import ceil, isfinite

import numpy as np

from dehusk.lab.papers.plots import (
    _BOTTOM,
    _RIGHT,
    _TOP,
    _WIDTH,
    Limits,
    Reals,
    _number,
    _picture,
    _span,
    _text,
    ticks,
)  # fmt: skip

_LOW, _HIGH = np.array((247, 251, 245)), np.array((16, 82, 48))  # colours of the least and greatest value of a heat map
_MOST_NAMES = 25  # largest number of rows whose names all fit
_MOST_TEXTS = 16  # largest number of columns whose cells have room for their values


def heatmap(
    grid: Sequence[Sequence[float]] | Reals,
    *,
    rows: Sequence[object],
    columns: Sequence[object],
    title: str,
    x_label: str,
    y_label: str,
) -> str:
    """Return a heat map, light for the least and dark for the greatest value; values that are not finite are empty.

    Args:
        grid: values, shape (rows, columns); if there are few columns, the cells show their values.
        rows: names of the rows, from the top.
        columns: names of the columns.
        title: title of the picture.
        x_label: what the columns are.
        y_label: what the rows are.
    """
    values = np.asarray(grid, dtype=float)
    left, top, cell = _cells(rows, columns)
    low, high = _span(values[np.isfinite(values)].tolist())
    parts = []
    for (i, j), value in np.ndenumerate(values):
        if isfinite(value):
            corner = (left + j * cell[0], top + i * cell[1])
            parts.append(_cell(corner, cell, value, (value - low) / (high - low), len(columns) <= _MOST_TEXTS))
    height = cell[1] * len(rows)
    parts += [
        _text((left - 6, top + (i + 0.5) * cell[1] + 4), str(rows[i]), anchor="end")
        for i in range(0, len(rows), ceil(len(rows) / _MOST_NAMES))
    ]
    parts += [
        _text((left + (j + 0.5) * cell[0], top + height + 16), str(columns[j]), anchor="middle")
        for j in range(0, len(columns), ceil(len(columns) / 12))
    ]
    parts.append(_text((left + cell[0] * len(columns) / 2, top + height + 36), x_label, anchor="middle"))
    if y_label:
        parts.append(_text((_RIGHT, top - 8), f"{y_label} ↓"))
    parts.append(_scale((_WIDTH - _RIGHT - 74, top), max(height, 90), (low, high)))
    return _picture(title, "".join(parts), top + max(height, 90) + _BOTTOM + 24)


def _cells(rows: Sequence[object], columns: Sequence[object]) -> tuple[float, float, tuple[float, float]]:
    """Return left and top of a heat map, and width and height of a cell, in pixels."""
    left = 40 + 7 * max(len(str(row)) for row in rows)
    height = max(26.0 if len(rows) <= _MOST_TEXTS else 420 / len(rows), 1)
    return left, _TOP + 14, ((_WIDTH - left - _RIGHT - 90) / len(columns), height)


def _shade(share: float) -> str:
    red, green, blue = np.round(_LOW + (_HIGH - _LOW) * share).astype(int)
    return f"rgb({red},{green},{blue})"


def _cell(at: tuple[float, float], size: tuple[float, float], value: float, share: float, written: bool) -> str:
    box = (
        f'<rect x="{at[0]:.2f}" y="{at[1]:.2f}" width="{size[0] + 0.3:.2f}" height="{size[1] + 0.3:.2f}" '
        f'fill="{_shade(share)}" shape-rendering="crispEdges"/>'
    )
    middle = (at[0] + size[0] / 2, at[1] + size[1] / 2 + 4)
    return box + (
        _text(middle, f"{value:.3g}", anchor="middle", colour="#fff" if share > 0.5 else "#222") if written else ""
    )


def _scale(at: tuple[float, float], height: float, limits: Limits) -> str:
    """Return the colour scale with its numbers."""
    steps = 40
    boxes = "".join(
        f'<rect x="{at[0]:.1f}" y="{at[1] + height * i / steps:.2f}" width="14" height="{height / steps + 0.3:.2f}" '
        f'fill="{_shade(1 - (i + 0.5) / steps)}"/>'
        for i in range(steps)
    )
    low, high = limits
    return boxes + "".join(
        _text((at[0] + 20, at[1] + height * (high - value) / (high - low) + 4), _number(value))
        for value in ticks(low, high, most=5)
    )
