"""Compare the CPU time of a page with that of one half its size, for shapes that take other tools minutes.

    python bench/growth.py [SHAPE...]

Cleaning and each output are measured alone; what outputs share is part of the first that needs it. A second table has the
slowest of all shapes at the limits of a page.
"""

import datetime as dt
import sys
import time
from collections.abc import Callable
from functools import partial

import dehusk
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.write import format_names
from sets import write_results
from shapes import SHAPES

SMALL = 20_000
"""Items of the smaller page. Three steps are no growth, and no shape has one between its two pages: at 16,384 blocks the
net goes on in pieces, above 50,000 nodes the parser's tree is freed early, and above 300,000 a page is cut."""
LARGEST, LONGEST = 200_000, 20_000_000
"""Items and characters of a page at the limits: it has more than 300,000 nodes, or is as long as a page may be."""
CLEAR = 2.15
"""A ratio below this shows linear growth; what is above is measured in further rounds."""
LEAST_ROUNDS, MOST_ROUNDS = 2, 8
MEASURED = 0.05
"""Seconds of the larger page below which a ratio says nothing: it is of what costs the same for each page."""

OUTPUTS: dict[str, Callable[[dehusk.Document], object]] = {
    **{name: partial(lambda document, name: document.render(name), name=name) for name in format_names()},
    "posts": lambda document: document.posts,
    "chunks": lambda document: document.chunks(max_words=100),
    "metadata": lambda document: document.metadata,
}
STEPS = ("clean", *OUTPUTS)


def seconds(html: str) -> dict[str, float]:
    """Return the CPU seconds of cleaning a page and of each output."""
    start = time.process_time()
    document = dehusk.clean(html)
    found = {"clean": time.process_time() - start}
    for name, output in OUTPUTS.items():
        start = time.process_time()
        output(document)
        found[name] = time.process_time() - start
    return found


def growth_of(shape: Callable[[int], str]) -> dict[str, tuple[float, float]]:
    """Return for each step the CPU seconds of the large page, and their ratio to those of the small one.

    Both are measured in turn. What else the machine does only adds to times, so further rounds lower a ratio that it
    raised, but none that growth raised.
    """
    pages, best = (shape(SMALL), shape(2 * SMALL)), [dict.fromkeys(STEPS, float("inf")) for _ in range(2)]
    for done in range(1, MOST_ROUNDS + 1):
        for page, known in zip(pages, best, strict=True):
            known |= {name: min(known[name], found) for name, found in seconds(page).items()}
        small, large = best
        if done >= LEAST_ROUNDS and all(large[name] < max(MEASURED, CLEAR * small[name]) for name in STEPS):
            break
    return {name: (large[name], large[name] / max(small[name], 1e-9)) for name in STEPS}


def growth(names: list[str]) -> tuple[str, float]:
    """Return a table of times and ratios, and the worst ratio."""
    rows = [["shape", *(f"{name}: s for {2 * SMALL}, ratio" for name in STEPS)]]
    worst = 0.0
    for name in names:
        found = growth_of(SHAPES[name])
        worst = max([worst, *(ratio for large, ratio in found.values() if large >= MEASURED)])
        rows.append([name, *(cell(large, ratio) for large, ratio in found.values())])
        print(*rows[-1], sep="; ", flush=True)
    return markdown_table(rows), worst


def cell(large: float, ratio: float) -> str:
    return f"{large:.2f}, {ratio:.2f}" if large >= MEASURED else f"{large:.3f}"


def at_the_limits(names: list[str]) -> tuple[str, float]:
    """Return a table of the slowest shapes of each step, and the seconds of the slowest of all."""
    found: dict[str, list[tuple[float, str]]] = {name: [] for name in STEPS}
    for name in names:
        for step, cost in seconds(SHAPES[name](LARGEST)[:LONGEST]).items():
            found[step].append((cost, name))
        print(name, *(f"{step} {found[step][-1][0]:.2f}" for step in STEPS), flush=True)
    slowest = {step: sorted(costs, reverse=True)[:2] for step, costs in found.items()}
    rows = [[step, *(f"{cost:.2f} s, {name}" for cost, name in costs)] for step, costs in slowest.items()]
    return markdown_table([["", "slowest", "second"][: 1 + min(2, len(names))], *rows]), max(slowest.values())[0][0]


def main() -> None:
    names = sys.argv[1:] or [*SHAPES]
    dehusk.clean("<p>warm up</p>")
    table, worst = growth(names)
    limits, longest = at_the_limits(names)
    if names != [*SHAPES]:
        return
    text = (
        f"# Growth\n\n`python bench/growth.py`, {dt.date.today()}: CPU seconds for a page with {2 * SMALL} items, and "
        f"their ratio to those for a page with {SMALL}, of cleaning and of each output alone; fastest of "
        f"{LEAST_ROUNDS} rounds, of up to {MOST_ROUNDS} if the ratio is {CLEAR} or more; no ratio below {MEASURED} s. "
        f"{len(SHAPES)} shapes; worst ratio: {worst:.2f}.\n\n{table}\n\n## At the limits\n\nThe slowest of these shapes "
        f"with {LARGEST} items, or {LONGEST / 1e6:.0f} million characters: cut at 300,000 nodes. One run.\n\n{limits}"
    )
    write_results("growth", text, {"worst": worst, "shapes": len(SHAPES), "longest": longest})


if __name__ == "__main__":
    main()
