"""The surface of alternation counts over n and a, as heat maps with the path of the search."""

import numpy as np

from dehusk.methods.alternation import FindOptimal
from plots import draw_path, heatmap
from sets import RESULTS

SURFACES = {
    "android.stackexchange.com": "alternation-surface",
    "forbes.com + latimes.com": "alternation-surface-two-sites",
    "zhihu.com + android.stackexchange.com": "alternation-surface-two-languages",
}
"""Set of section 4 -> file name of its picture."""
LENGTHS, PERCENTS = tuple(range(2, 61)), tuple(range(1, 31))
PATHS = {"look-ahead 2": 2, "as printed": 0}  # in drawing order


def surface(documents: list[str], title: str) -> tuple[str, dict[str, list[int]]]:
    """Draw the surface of some documents; return the picture, the ends of the searches, and the minimum."""
    grid = FindOptimal("printed").surface(documents, LENGTHS, PERCENTS)
    counts = np.where(grid.alternation > 0, grid.alternation, np.nan).T  # 0: no useless gram
    picture = heatmap(
        np.log10(counts),
        rows=PERCENTS,
        columns=LENGTHS,
        title=f"log10 of alternation counts: {title}",
        x_label="n, characters",
        y_label="a, percent of the distinct n-grams",
    )
    row, column = np.unravel_index(int(np.nanargmin(counts)), counts.shape)
    ends = {"least": [LENGTHS[column], PERCENTS[row], int(counts[row, column])]}
    for number, (name, look_ahead) in enumerate(PATHS.items()):
        path = FindOptimal("printed", look_ahead=look_ahead).fit(documents).path_
        inside = [step for step in path if step.n in LENGTHS and step.a in PERCENTS]
        steps = [(step.a - PERCENTS[0], step.n - LENGTHS[0]) for step in inside]
        picture = draw_path(picture, steps, rows=PERCENTS, columns=LENGTHS, name=f"search, {name}", number=number)
        ends[name] = [path[-1].n, path[-1].a, path[-1].alternation]
    return picture, ends


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
