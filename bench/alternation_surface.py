"""The surface of alternation counts over n and a as heat maps, with the way that the search goes on it."""

import numpy as np

from dehusk.methods.alternation import FindOptimal
from plots import heatmap, walked
from sets import RESULTS

SURFACES = {
    "android.stackexchange.com": "alternation-surface",
    "forbes.com + latimes.com": "alternation-surface-two-sites",
    "zhihu.com + android.stackexchange.com": "alternation-surface-two-languages",
}
"""Set of section 4 -> name of its picture."""
LENGTHS, PERCENTS = tuple(range(2, 61)), tuple(range(1, 31))
PATHS = {"look-ahead 2": 2, "as printed": 0}  # in the order in which they are drawn


def surface(documents: list[str], title: str) -> tuple[str, dict[str, list[int]]]:
    """Draw the surface of documents; return the picture, and where each search and the surface's least count are."""
    found = FindOptimal("search").surface(documents, LENGTHS, PERCENTS)
    counts = np.where(found.alternation > 0, found.alternation, np.nan).T  # 0: nothing is useless there
    drawn = heatmap(
        np.log10(counts),
        rows=PERCENTS,
        columns=LENGTHS,
        title=f"log10 of alternation counts: {title}",
        x_label="n, characters",
        y_label="a, percent of the different n-grams",
    )
    row, column = np.unravel_index(int(np.nanargmin(counts)), counts.shape)
    ends = {"least": [LENGTHS[column], PERCENTS[row], int(counts[row, column])]}
    for number, (name, look_ahead) in enumerate(PATHS.items()):
        path = FindOptimal("search", look_ahead=look_ahead).fit(documents).path_
        shown = [(one.a - PERCENTS[0], one.n - LENGTHS[0]) for one in path if one.n in LENGTHS and one.a in PERCENTS]
        drawn = walked(drawn, shown, rows=PERCENTS, columns=LENGTHS, name=f"search, {name}", number=number)
        ends[name] = [path[-1].n, path[-1].a, path[-1].alternation]
    return drawn, ends


def surfaces(sets: dict[str, list[str]]) -> tuple[str, dict[str, dict[str, list[int]]]]:
    """Draw the surface of each set; return the report's section and where the searches end."""
    RESULTS.mkdir(exist_ok=True)
    parts, values = [], {}
    for name, documents in sets.items():
        svg, values[name] = surface(documents, f"{name}, {len(documents)} pages")
        (RESULTS / f"{SURFACES[name]}.svg").write_text(svg, "utf-8")
        ends = "; ".join(f"{way}: ({n}, {a}), A = {count:,}" for way, (n, a, count) in values[name].items())
        parts.append(f"### {name}\n\n{ends}.\n\n![{name}]({SURFACES[name]}.svg)\n")
    head = (
        "Dark cells have many alternations, empty ones no useless gram. The search goes from the ring at (2, 1) to the dot. "
        "“Least” is the smallest count within the picture.\n"
    )
    return "\n".join([head, *parts]), values
