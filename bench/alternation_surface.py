"""The surface of alternation counts over n and a, as heat maps with the path of the search."""

from typing import Any

import numpy as np

from dehusk.sites.alternation import FindOptimal
from dehusk.sites.alternation.surface_picture import draw_surface
from sets import RESULTS

SURFACES = {
    "android.stackexchange.com": "alternation-surface",
    "forbes.com + latimes.com": "alternation-surface-two-sites",
    "zhihu.com + android.stackexchange.com": "alternation-surface-two-languages",
}
"""Set of section 4 -> file name of its picture."""
LENGTHS, PERCENTS = tuple(range(2, 61)), tuple(range(1, 46))
PATHS: dict[str, dict[str, Any]] = {"look-ahead 2": {"look_ahead": 2}, "as printed": {}}


def surface(documents: list[str], title: str) -> tuple[str, dict[str, list[int]]]:
    """Draw the surface of some documents; return the picture, the ends of the searches, and the minimum."""
    grid = FindOptimal("printed").surface(documents, LENGTHS, PERCENTS)
    counts = np.where(grid.alternation > 0, grid.alternation, np.iinfo(np.int64).max)  # 0: no useless gram
    row, column = np.unravel_index(int(counts.argmin()), counts.shape)
    ends = {"least": [LENGTHS[row], PERCENTS[column], int(counts[row, column])]}
    paths = {}
    for name, options in PATHS.items():
        path = FindOptimal("printed", **options).fit(documents).path_
        ends[name] = [path[-1].n, path[-1].a, path[-1].alternation]
        paths[name] = path
    return draw_surface(grid, paths, title=f"Alternation counts: {title}"), ends


def surfaces(sets: dict[str, list[str]]) -> tuple[str, dict[str, dict[str, list[int]]]]:
    """Draw the surface of each set; return the section of the report, and the ends of the searches."""
    RESULTS.mkdir(exist_ok=True)
    parts, values = [], {}
    for name, documents in sets.items():
        svg, values[name] = surface(documents, f"{name}, {len(documents)} pages")
        (RESULTS / f"{SURFACES[name]}.svg").write_text(svg, "utf-8")
        ends = "; ".join(f"{search}: ({n}, {a}), A = {count:,}" for search, (n, a, count) in values[name].items())
        parts.append(f"### {name}\n\n{ends}.\n\n![{name}]({SURFACES[name]}.svg)\n")
    head = (
        "Dark cells have many alternations, empty cells no useless gram. The search starts at the ring at (2, 1) and ends at the "
        "dot. “Least” is the smallest count in the picture.\n"
    )
    return "\n".join([head, *parts]), values
