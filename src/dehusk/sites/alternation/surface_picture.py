"""The surface A_D(n, a) as a heat map, with the paths of searches over it."""

from collections.abc import Mapping, Sequence
from html import escape
from math import ceil

import numpy as np
import numpy.typing as npt

from dehusk.sites.alternation.path_search import CutPoint
from dehusk.sites.alternation.surface import Surface

_LEFT, _TOP, _WIDTH, _HEIGHT, _SCALE = 44, 58, 640, 480, 120  # of the map, in pixels; the scale is on its right
_LOW, _HIGH = np.array((247, 251, 245)), np.array((16, 82, 48))  # colours of the least and the greatest count
_COLOURS = ("#c2552d", "#31688e", "#8a5a9e", "#b8860b")
_MOST_NAMES = 25  # rows or columns whose numbers all fit

Reals = npt.NDArray[np.float64]


def draw_surface(surface: Surface, paths: Mapping[str, Sequence[CutPoint]], *, title: str) -> str:
    """Return the surface as a self-contained SVG picture: the darker a cell, the more alternations.

    The scale is of powers of ten; cells without a useless n-gram are empty. A path starts at a ring and ends at a dot.

    Args:
        surface: alternation counts; n grows to the right, a grows downwards.
        paths: name -> cut points of a search; those outside of the picture are left out.
        title: title of the picture.
    """
    counts = surface.alternation.T.astype(np.float64)
    logs = np.log10(counts, out=np.full(counts.shape, np.nan), where=counts > 0)
    present = logs[np.isfinite(logs)]
    low, high = (float(present.min()), float(present.max())) if len(present) else (0.0, 1.0)
    cells = _cells(counts, (logs - low) / max(high - low, 1e-9))
    lines = [_path(surface, path, number) for number, path in enumerate(paths.values())]
    keys = [_key(name, number) for number, name in enumerate(paths)]
    height = _TOP + _HEIGHT + 52 + 20 * len(paths)
    width = _LEFT + _WIDTH + _SCALE
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="12"><title>{escape(title)}</title>'
        f'<rect width="100%" height="100%" fill="#fff"/>{_text(_LEFT, 22, title, "start", bold=True)}'
        f"{cells}{_numbers(surface)}{_legend(low, high)}{''.join(lines)}{''.join(keys)}</svg>\n"
    )


def _cells(counts: Reals, shades: Reals) -> str:
    rows, columns = counts.shape
    x = (_LEFT + np.arange(columns + 1) * _WIDTH / columns).round().astype(int).tolist()
    y = (_TOP + np.arange(rows + 1) * _HEIGHT / rows).round().astype(int).tolist()
    parts = []
    for (row, column), shade in np.ndenumerate(shades):
        if np.isfinite(shade):
            width, height = x[column + 1] - x[column], y[row + 1] - y[row]
            parts.append(
                f'<rect x="{x[column]}" y="{y[row]}" width="{width}" height="{height}" fill="{_colour(shade)}" '
                f'shape-rendering="crispEdges"><title>{counts[row, column]:,.0f}</title></rect>'
            )
    return "".join(parts)


def _colour(shade: float) -> str:
    red, green, blue = (_LOW + shade * (_HIGH - _LOW)).round().astype(int).tolist()
    return f"#{red:02x}{green:02x}{blue:02x}"


def _numbers(surface: Surface) -> str:
    """Return the numbers and names of the axes."""
    width, height = _WIDTH / len(surface.lengths), _HEIGHT / len(surface.percents)
    parts = [
        _text(_LEFT + (i + 0.5) * width, _TOP + _HEIGHT + 16, str(surface.lengths[i]), "middle")
        for i in range(0, len(surface.lengths), ceil(len(surface.lengths) / _MOST_NAMES))
    ]
    parts += [
        _text(_LEFT - 6, _TOP + (i + 0.5) * height + 4, str(surface.percents[i]), "end")
        for i in range(0, len(surface.percents), ceil(len(surface.percents) / _MOST_NAMES))
    ]
    parts.append(_text(_LEFT + _WIDTH / 2, _TOP + _HEIGHT + 36, "n, characters", "middle"))
    parts.append(_text(14, _TOP - 10, "a, percent of the distinct n-grams ↓", "start"))
    return "".join(parts)


def _legend(low: float, high: float) -> str:
    x, steps = _LEFT + _WIDTH + 22, 24
    parts = [
        f'<rect x="{x}" y="{_TOP + 160 * i / steps:.1f}" width="16" height="{160 / steps:.2f}" '
        f'fill="{_colour(1 - i / (steps - 1))}" shape-rendering="crispEdges"/>'
        for i in range(steps)
    ]
    parts.append(_text(x, _TOP - 10, "alternations", "start"))
    parts += [_text(x + 21, _TOP + y, f"{10**value:,.0f}", "start") for y, value in ((10, high), (160, low))]
    return "".join(parts)


def _path(surface: Surface, path: Sequence[CutPoint], number: int) -> str:
    """Return a path as a line with a ring and a dot at its ends."""
    columns = {n: index for index, n in enumerate(surface.lengths)}
    rows = {a: index for index, a in enumerate(surface.percents)}
    width, height = _WIDTH / len(columns), _HEIGHT / len(rows)
    inside = [(columns[step.n], rows[step.a]) for step in path if step.n in columns and step.a in rows]
    if not inside:
        return ""
    dots = [(_LEFT + (column + 0.5) * width, _TOP + (row + 0.5) * height) for column, row in inside]
    colour = _COLOURS[number % len(_COLOURS)]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in dots)
    line = f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2.5"/>'
    for (x, y), fill, radius in ((dots[0], "none", 6), (dots[-1], colour, 5)):
        line += f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{fill}" stroke="{colour}" stroke-width="2.5"/>'
    return line


def _key(name: str, number: int) -> str:
    y = _TOP + _HEIGHT + 60 + 20 * number
    line = f'<line x1="{_LEFT}" y1="{y - 4}" x2="{_LEFT + 24}" y2="{y - 4}" '
    return (
        f'{line}stroke="{_COLOURS[number % len(_COLOURS)]}" stroke-width="2.5"/>{_text(_LEFT + 30, y, name, "start")}'
    )


def _text(x: float, y: float, text: str, anchor: str, *, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{weight}>{escape(text)}</text>'
