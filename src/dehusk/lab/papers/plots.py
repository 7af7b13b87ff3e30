"""Plots as self-contained SVG text: histograms and lines on a light background."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, isfinite, log10

import numpy as np
import numpy.typing as npt

COLOURS = ("#2b7a4b", "#c2552d", "#31688e", "#8a5a9e", "#b8860b", "#5f6b73", "#b03060", "#2f9e9e")
"""Green, orange, blue, violet, ochre, grey, crimson, teal: they differ in brightness too."""
_WIDTH, _LEFT, _RIGHT, _TOP, _BOTTOM = 760, 62, 16, 40, 46
Limits = tuple[float, float]
Points = Sequence[tuple[float, float]]
Reals = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Axes:
    """A rectangle of a picture in pixels, and the values at its edges.

    Attributes:
        box: left, top, width, height.
        x: values at the left and right edges.
        y: values at the lower and upper edges.
        log: whether the x axis is logarithmic; its limits are then positive.
    """

    box: tuple[float, float, float, float]
    x: Limits
    y: Limits
    log: bool = False

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the position of a point in pixels."""
        left, top, width, height = self.box
        low, high, value = (log10(number) for number in (*self.x, x)) if self.log else (*self.x, x)
        return left + width * (value - low) / (high - low), top + height * (self.y[1] - y) / (self.y[1] - self.y[0])

    def draw(self, x_label: str, y_label: str) -> str:
        """Return the grid, its numbers and the labels of the axes."""
        left, top, width, height = self.box
        parts = []
        for value in _powers(*self.x) if self.log else ticks(*self.x):
            x = self.at(value, self.y[0])[0]
            parts.append(_line((x, top), (x, top + height), "#e4e4e4"))
            parts.append(_text((x, top + height + 16), _number(value), anchor="middle"))
        for value in ticks(*self.y, most=6 if height > 120 else 3):
            y = self.at(self.x[0], value)[1]
            parts.append(_line((left, y), (left + width, y), "#e4e4e4"))
            parts.append(_text((left - 7, y + 4), _number(value), anchor="end"))
        parts.append(_line((left, top + height), (left + width, top + height), "#555"))
        parts.append(_text((left + width / 2, top + height + 34), x_label, anchor="middle"))
        middle = top + height / 2
        parts.append(
            f'<text x="14" y="{middle:.1f}" text-anchor="middle" transform="rotate(-90 14 {middle:.1f})">'
            f"{escape(y_label)}</text>"
        )
        return "".join(parts)


def histogram(
    series: Mapping[str, Sequence[float] | Reals],
    *,
    title: str,
    x_label: str,
    unit: str = "runs",
    edges: Sequence[float] | None = None,
    marks: Sequence[float] = (),
) -> str:
    """Return histograms, one below the other on the same axes, each with a line at its mean.

    Args:
        series: name -> values; values outside the edges count in the first or last bar.
        title: title of the picture.
        x_label: what the values are.
        unit: what is counted.
        edges: edges of the bars, of equal width; by default fifty bars from 0 to 1.
        marks: values to mark with dashed lines.
    """
    sides = np.linspace(0, 1, 51) if edges is None else np.array(edges, dtype=float)
    limits = (float(sides[0]), float(sides[-1]))
    counts = {name: np.histogram(np.clip(values, *limits), sides)[0] for name, values in series.items()}
    high = max((int(bars.max()) for bars in counts.values()), default=0) or 1
    panel, parts = 104, []
    for number, (name, values) in enumerate(series.items()):
        top = _TOP + number * (panel + 60) + 16
        axes = Axes((_LEFT, top, _WIDTH - _LEFT - _RIGHT, panel), limits, (0, high * 1.05))
        parts.append(axes.draw(x_label if number == len(series) - 1 else "", unit))
        parts += [_bar(axes, sides[i : i + 2], n, number) for i, n in enumerate(counts[name].tolist()) if n]
        parts += [_line(axes.at(mark, 0), axes.at(mark, axes.y[1]), "#555", dash=True) for mark in marks]
        average = float(np.mean(values))
        parts.append(_line(axes.at(average, 0), axes.at(average, axes.y[1]), "#000", width=2))
        parts.append(_text((_LEFT, top - 6), f"{name}: {len(values)} {unit}, mean {average:.3f}"))
    return _picture(title, "".join(parts), _TOP + len(series) * (panel + 60) + 16)


def stems(
    panels: Mapping[str, tuple[Points, Sequence[Limits]]], *, title: str, x_label: str, y_labels: Sequence[str]
) -> str:
    """Return a panel for each series, one below the other, with a vertical line for each of its points.

    Args:
        panels: name -> points (x, y), and the ranges of x to shade.
        title: title of the picture.
        x_label: what x is.
        y_labels: what y is in each panel.
    """
    height, parts = 180, []
    for number, (name, (points, shaded)) in enumerate(panels.items()):
        top = _TOP + number * (height + 66) + 16
        xs, high = [x for x, _ in points], max((y for _, y in points), default=0) or 1
        axes = Axes((_LEFT, top, _WIDTH - _LEFT - _RIGHT, height), _span(xs), (0, high * 1.05))
        for low, end in shaded:
            (left, _), (right, _) = axes.at(low, 0), axes.at(end, 0)
            box = f'x="{left:.1f}" y="{top}" width="{max(right - left, 1):.1f}" height="{height}"'
            parts.append(f'<rect {box} fill="#f6e3b4"/>')
        parts.append(axes.draw(x_label if number == len(panels) - 1 else "", y_labels[number]))
        parts += [_line(axes.at(x, 0), axes.at(x, y), COLOURS[number % len(COLOURS)]) for x, y in points if y > 0]
        parts.append(_text((_LEFT, top - 6), name))
    return _picture(title, "".join(parts), _TOP + len(panels) * (height + 66) + 16)


def lines(
    series: Mapping[str, Points],
    *,
    title: str,
    x_label: str,
    y_label: str,
    y: Limits | None = None,
    log: bool = False,
) -> str:
    """Return a line plot, with the names of the lines below the picture.

    Args:
        series: name -> points (x, y) in the order of x; points that are not finite are ignored.
        title: title of the picture.
        x_label: what x is.
        y_label: what y is.
        y: limits of the y axis; by default those of the points.
        log: whether the x axis is logarithmic.
    """
    shown = {name: [point for point in points if all(map(isfinite, point))] for name, points in series.items()}
    all_points = [point for points in shown.values() for point in points]
    xs, ys = [point[0] for point in all_points], [point[1] for point in all_points]
    axes = Axes((_LEFT, _TOP, _WIDTH - _LEFT - _RIGHT, 300), _span(xs, wide=log), y or _padded(_span(ys)), log)
    parts = [axes.draw(x_label, y_label)]
    for number, (name, points) in enumerate(shown.items()):
        colour = COLOURS[number % len(COLOURS)]
        dots = [axes.at(*point) for point in points]
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in dots)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.6" fill="{colour}"/>' for a, b in dots if len(dots) <= 60]
        parts.append(_key(number, name, colour, top=_TOP + 300 + _BOTTOM))
    return _picture(title, "".join(parts), _TOP + 300 + _BOTTOM + 20 * ceil(len(series) / 2) + 8)


def ticks(low: float, high: float, most: int = 8) -> list[float]:
    """Return about `most` round numbers from low to high: multiples of 1, 2 or 5 times a power of ten."""
    rough = (high - low) / most
    power = 10.0 ** floor(log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    return [round(i * step, 10) for i in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def _powers(low: float, high: float) -> list[float]:
    """Return powers of ten, with 2 and 5 times each if there are few."""
    powers = [10.0**i for i in range(floor(log10(low)), ceil(log10(high)) + 1)]
    factors = (1,) if len(powers) > 4 else (1, 2, 5)
    values = [power * factor for power in powers for factor in factors]
    return [value for value in values if low * 0.999 <= value <= high * 1.001]


def _span(values: Sequence[float], *, wide: bool = False) -> Limits:
    """Return the least and the greatest value, spread apart if they are equal."""
    low, high = min(values, default=0.0), max(values, default=1.0)
    if low < high:
        return low, high
    return (low / 2, low * 2) if wide else (low - 0.5, low + 0.5)


def _padded(limits: Limits) -> Limits:
    """Return limits with a margin, but not below 0 if no value is negative."""
    room = (limits[1] - limits[0]) * 0.05
    return (max(limits[0] - room, 0.0) if limits[0] >= 0 else limits[0] - room), limits[1] + room


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def _line(
    start: tuple[float, float], end: tuple[float, float], colour: str, *, width: int = 1, dash: bool = False
) -> str:
    dashes = ' stroke-dasharray="4 3"' if dash else ""
    return (
        f'<line x1="{start[0]:.1f}" y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}" '
        f'stroke="{colour}" stroke-width="{width}"{dashes}/>'
    )


def _text(at: tuple[float, float], text: str, *, anchor: str = "start", colour: str = "#222") -> str:
    return f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" text-anchor="{anchor}" fill="{colour}">{escape(text)}</text>'


def _bar(axes: Axes, edges: Reals, count: int, number: int) -> str:
    (left, top), (right, bottom) = axes.at(float(edges[0]), count), axes.at(float(edges[1]), 0)
    return (
        f'<rect x="{left + 0.5:.1f}" y="{top:.1f}" width="{max(right - left - 1, 1):.1f}" '
        f'height="{bottom - top:.1f}" fill="{COLOURS[number % len(COLOURS)]}"/>'
    )


def _key(number: int, name: str, colour: str, *, top: float) -> str:
    x, y = _LEFT + number % 2 * (_WIDTH - _LEFT) / 2, top + number // 2 * 20
    return _line((x, y), (x + 22, y), colour, width=3) + _text((x + 28, y + 4), name)


def _picture(title: str, body: str, height: float) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height:.0f}" width="{_WIDTH}" '
        f'height="{height:.0f}" role="img" aria-label="{escape(title)}" font-family="sans-serif" font-size="12">'
        f'<rect width="100%" height="100%" fill="#fff"/>'
        f'<text x="16" y="20" font-size="15" font-weight="600" fill="#111">{escape(title)}</text>{body}</svg>\n'
    )
