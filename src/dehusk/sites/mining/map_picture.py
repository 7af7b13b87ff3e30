"""The map of pages before and after weighting, side by side, as a self-contained SVG picture."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil

import numpy as np

from dehusk.base.errors import counted
from dehusk.read.page import Bools
from dehusk.sites.mining.page_map import PageMap
from dehusk.sites.structure_tree.importance import Reals

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9", "#5b2a86", "#a6192e")
"""Colours that people with any colour vision tell apart on white; after the eighth they repeat with another mark."""
_GREY = "#8c8c8c"
_MARKS = (
    "M-4 0A4 4 0 1 1 4 0A4 4 0 1 1-4 0Z",  # circle
    "M0-5L4.6 3.4L-4.6 3.4Z",  # triangle
    "M-3.6-3.6H3.6V3.6H-3.6Z",  # square
    "M0-5.2L4.2 0L0 5.2L-4.2 0Z",  # diamond
    "M0 5L4.6-3.4L-4.6-3.4Z",  # triangle with its point below
    "M-1.5-4.6H1.5V-1.5H4.6V1.5H1.5V4.6H-1.5V1.5H-4.6V-1.5H-1.5Z",  # cross
    "M-4.8-2.4H4.8V2.4H-4.8Z",  # flat box
)
_CROSS = "M-2.6-2.6L2.6 2.6M2.6-2.6L-2.6 2.6"
_RING, _NO_MARK = "page-mark-ring", "page-mark-none"
_MOST_NAMES = len(COLOURS) * len(_MARKS)
MOST_POINTS = 4000
"""Most points of a panel."""
_SIDE, _GAP, _MARGIN, _HEAD = 460, 28, 20, 92  # a panel, the space between panels and around, the lines above panels
_KEYS, _KEY = 4, 22  # columns of the legend, height of its rows
_LETTERS = 28  # of a name in the legend


_NOT_XML = re.compile("[^\\t\\n\\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Panel:
    """One half of the picture.

    Attributes:
        title: what it shows.
        facts: a line of figures below the title.
        pages: where the pages are.
        groups: what the colour of each page says; "" for none.
        told: what the pointer on a page shows below its name, "" for nothing.
        is_wrong: whether to ring each page, for example because it was taken for another class; empty for no page.
    """

    title: str
    facts: str
    pages: PageMap
    groups: Sequence[str]
    told: Sequence[str]
    is_wrong: Sequence[bool] = ()


def map_svg(panels: Sequence[Panel], names: Sequence[str], *, title: str, rings: str = "") -> str:
    """Return the picture; the pointer on a page shows its name.

    Args:
        panels: the halves, with the same pages.
        names: (p,) name of each page.
        title: title of the picture.
        rings: what a ring says, for the legend.
    """
    groups = _in_order(panels)
    style = {group: f"page-mark-{number}" for number, group in enumerate(groups)}
    width = 2 * _MARGIN + len(panels) * _SIDE + (len(panels) - 1) * _GAP
    drawn = [_panel(panel, names, style, _MARGIN + n * (_SIDE + _GAP)) for n, panel in enumerate(panels)]
    below = _HEAD + _SIDE + 60
    legend, height = _legend(panels, style, (width - 2 * _MARGIN) / _KEYS, below, rings)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="13" fill="#222"><title>{_text(title)}</title>'
        f'{_definitions(style.values())}<rect width="100%" height="100%" fill="#fff"/>'
        f'<text x="{_MARGIN}" y="30" font-size="17" font-weight="bold">{_text(title)}</text>'
        f"{''.join(drawn)}{legend}</svg>\n"
    )


def _in_order(panels: Sequence[Panel]) -> list[str]:
    """Return the groups that get a colour: numbers in their order, other names by frequency; at most `_MOST_NAMES`."""
    counts = Counter(group for panel in panels for group in panel.groups if group)
    if all(group.isdecimal() for group in counts):
        return sorted(counts, key=int)[:_MOST_NAMES]
    return sorted(counts, key=lambda group: (-counts[group], group))[:_MOST_NAMES]


def _panel(panel: Panel, names: Sequence[str], style: Mapping[str, str], left: float) -> str:
    """Return a panel with its title; pages that are close to each other are drawn in the order of the pages."""
    place = panel.pages.place
    on_map = np.flatnonzero(np.isfinite(place[:, 0]))
    shown = (
        on_map[np.unique(np.linspace(0, len(on_map) - 1, MOST_POINTS).round().astype(int))] if len(on_map) else on_map
    )
    spots = _spots(place[shown], panel.pages.is_far[shown], left)
    points = "".join(_point(panel, row, spot, names, style) for row, spot in zip(shown.tolist(), spots, strict=True))
    below = _HEAD + _SIDE + 18
    return (
        f'<text x="{left}" y="58" font-weight="bold">{_text(panel.title)}</text>'
        f'<text x="{left}" y="78" fill="#555">{_text(panel.facts)}</text>'
        f'<rect x="{left}" y="{_HEAD}" width="{_SIDE}" height="{_SIDE}" fill="#fafafa" stroke="#ccc"/>{points}'
        f'<g font-size="11" fill="#555"><text x="{left}" y="{below}">two principal components, '
        f"{panel.pages.share:.0%} of the variance</text>"
        f'<text x="{left}" y="{below + 15}">{_text(_missing(panel.pages, len(shown)))}</text></g>'
    )


def _missing(pages: PageMap, shown: int) -> str:
    """Return a line on pages that are not where they belong, or not on the map."""
    on_map = int(np.isfinite(pages.place[:, 0]).sum())
    without, far = len(pages.place) - on_map, int(pages.is_far.sum())
    notes = [f"{shown} of {counted(on_map, 'page')} shown"] if shown < on_map else []
    notes += [f"{counted(without, 'page')} with an empty vector not shown"] if without else []
    notes += [f"{counted(far, 'page')} far outside, drawn at the edge"] if far else []
    return "; ".join(notes)


def _spots(place: Reals, is_far: Bools, left: float) -> list[tuple[float, float]]:
    """Return where points are in pixels: those that are not far fill the panel in both directions."""
    if not len(place):
        return []
    near = place if is_far.all() else place[~is_far]
    low, high = near.min(axis=0), near.max(axis=0)
    span = np.where(high - low > 1e-9, high - low, 1.0)
    part = np.where(high - low > 1e-9, (np.clip(place, low, high) - low) / span, 0.5)
    inner = _SIDE - 28
    x, y = left + 14 + inner * part[:, 0], _HEAD + 14 + inner * (1 - part[:, 1])
    return list(zip(x.tolist(), y.tolist(), strict=True))


def _point(panel: Panel, row: int, spot: tuple[float, float], names: Sequence[str], style: Mapping[str, str]) -> str:
    told = "\n".join(filter(None, (names[row], panel.told[row])))
    is_ringed = bool(panel.is_wrong) and panel.is_wrong[row]
    return (
        f'<g transform="translate({spot[0]:.1f} {spot[1]:.1f})"><title>{_text(told)}</title>'
        f"{_mark(style.get(panel.groups[row]))}{_mark(_RING) if is_ringed else ''}</g>"
    )


def _mark(name: str | None) -> str:
    return f'<use href="#{name or _NO_MARK}"/>'


def _definitions(names: Iterable[str]) -> str:
    """Return the marks, which points refer to by name; mark n looks the same in every picture."""
    marks = [
        f'<path id="{name}" d="{_MARKS[number % len(_MARKS)]}" fill="{COLOURS[number % len(COLOURS)]}" '
        f'fill-opacity=".75" stroke="#fff" stroke-width=".6"/>'
        for number, name in enumerate(names)
    ]
    none = f'<path id="{_NO_MARK}" d="{_CROSS}" stroke="{_GREY}" stroke-width="1.4" fill="none"/>'
    ring = f'<circle id="{_RING}" r="6.5" fill="none" stroke="#000" stroke-width="1.2"/>'
    return f"<defs>{''.join(marks)}{none}{ring}</defs>"


def _legend(panels: Sequence[Panel], style: Mapping[str, str], width: float, top: float, rings: str) -> tuple[str, int]:
    """Return the legend, and the height of the picture with it."""
    entries = [(_mark(look), name) for name, look in style.items()]
    every = {group for panel in panels for group in panel.groups}
    entries += [(_mark(None), f"{len(every - set(style) - {''})} others")] if every - set(style) - {""} else []
    entries += [(_mark(None), "none")] if "" in every else []
    entries += [(_mark(_RING), rings)] if rings else []
    keys = []
    for number, (mark, name) in enumerate(entries):
        x, y = _MARGIN + 8 + (number % _KEYS) * width, top + (number // _KEYS) * _KEY
        short = name if len(name) <= _LETTERS else name[: _LETTERS - 1] + "…"
        keys.append(
            f'<g transform="translate({x:.1f} {y:.1f})"><title>{_text(name)}</title>{mark}'
            f'<text x="12" y="4">{_text(short)}</text></g>'
        )
    return "".join(keys), ceil(top + ceil(len(entries) / _KEYS) * _KEY)


def _text(text: str) -> str:
    """Return text for XML; what XML cannot hold becomes U+FFFD."""
    return escape(_NOT_XML.sub("\ufffd", text))
