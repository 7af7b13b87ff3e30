"""Compare the CPU time of a page with that of one half its size, for shapes that take other tools minutes.

    python bench/growth.py [SHAPE...]

Cleaning and each output are measured alone; what outputs share is part of the first that needs it. A second table has the
slowest of all shapes at the limits of a page. With names of shapes, these are measured anew, and the others stay as they
are in the results.
"""

import datetime as dt
import gc
import json
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import dehusk
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.write import format_names
from sets import RESULTS, write_results
from shapes import SHAPES

SMALL = 20_000
"""Items of the smaller page. Three steps are no growth, and no shape has one between its two pages: at 16,384 blocks the
net goes on in pieces, above 50,000 nodes the parser's tree is freed early, and above 300,000 a page is cut."""
STEPPED = 10_000
"""Items of a third page, for shapes with a ratio of `CLEAR` or more. Memory that comes from the system, or no longer fits
in a cache, is a step, too: it raises the ratio of one doubling. Growth raises that of both, and the lesser one counts."""
LARGEST, LONGEST = 200_000, 20_000_000
"""Items and characters of a page at the limits: it has more than 300,000 nodes, or is as long as a page may be."""
CLEAR = 2.15
"""A ratio below this shows linear growth; what is above is measured in further rounds."""
ASKED = 2.2
"""The ratio below which all are to be."""
LEAST_ROUNDS, MOST_ROUNDS = 2, 4
MEASURED = 0.05
"""Seconds of the larger page below which a ratio says nothing: it is of what costs the same for each page."""

OUTPUTS: dict[str, Callable[[dehusk.Document], object]] = {
    **{name: partial(lambda document, name: document.render(name), name=name) for name in format_names()},
    "posts": lambda document: document.posts,
    "chunks": lambda document: document.chunks(max_words=100),
    "metadata": lambda document: document.metadata,
}
STEPS = ("clean", *OUTPUTS)
Values = dict[str, dict[str, dict[str, Any]]]
"""What was measured: growth and limits, of each shape and step."""


def seconds(html: str) -> dict[str, float]:
    """Return the CPU seconds of cleaning a page and of each output; none collects the garbage of another."""
    gc.collect()
    start = time.process_time()
    document = dehusk.clean(html)
    found = {"clean": time.process_time() - start}
    for name, output in OUTPUTS.items():
        gc.collect()
        start = time.process_time()
        output(document)
        found[name] = time.process_time() - start
    return found


def fastest(pages: dict[int, str], best: dict[int, dict[str, float]]) -> None:
    """Run a round: measure pages in turn, and keep the least of each step."""
    for size, page in pages.items():
        known = best.setdefault(size, dict.fromkeys(STEPS, float("inf")))
        known |= {name: min(known[name], found) for name, found in seconds(page).items()}


def growth_of(shape: Callable[[int], str]) -> dict[str, list[float]]:
    """Return for each step the CPU seconds of the large page, and how much a doubling multiplies them.

    What else the machine does only adds to times, so further rounds lower a ratio that it raised, but none that growth
    raised.
    """
    pages, best = {size: shape(size) for size in (SMALL, 2 * SMALL)}, dict[int, dict[str, float]]()
    for done in range(1, MOST_ROUNDS + 1):
        fastest(pages, best)
        found = {name: [best[2 * SMALL][name], ratio(best, name, SMALL)] for name in STEPS}
        if done >= LEAST_ROUNDS and not any(map(grows, found.values())):
            return found
    pages = {size: shape(size) for size in (STEPPED, SMALL)}
    for _ in range(MOST_ROUNDS):
        fastest(pages, best)
    return {name: [large, min(grown, ratio(best, name, STEPPED))] for name, (large, grown) in found.items()}


def ratio(best: dict[int, dict[str, float]], name: str, size: int) -> float:
    """Return the seconds of a step for the page of twice a size, in those for the page of this size."""
    return best[2 * size][name] / best[size][name]


def grows(value: list[float]) -> bool:
    large, grown = value
    return large >= MEASURED and grown >= CLEAR


def ratios(values: Values) -> list[float]:
    """Return the ratios of all that takes long enough to have one."""
    return [grown for steps in values["growth"].values() for large, grown in steps.values() if large >= MEASURED]


def growth_table(values: Values) -> str:
    rows = [[name, *(cell(*value) for value in steps.values())] for name, steps in values["growth"].items()]
    return markdown_table([["shape", *(f"{name}: s for {2 * SMALL}, ratio" for name in STEPS)], *rows])


def cell(large: float, grown: float) -> str:
    return f"{large:.2f}, {grown:.2f}" if large >= MEASURED else f"{large:.3f}"


def limits_table(values: Values) -> str:
    rows = []
    for step in STEPS:
        costs = sorted(((steps[step], name) for name, steps in values["limits"].items()), reverse=True)[:2]
        rows.append([step, *(f"{cost:.2f} s, {name}" for cost, name in costs)])
    return markdown_table([["", "slowest", "second"], *rows])


def measured(names: list[str], known: Values) -> Values:
    """Return what is known, with some shapes measured anew."""
    values: Values = {"growth": {}, "limits": {}}
    for name in SHAPES:
        if name in names:
            values["growth"][name] = growth_of(SHAPES[name])
            values["limits"][name] = seconds(SHAPES[name](LARGEST)[:LONGEST])
            print(name, *(cell(*pair) for pair in values["growth"][name].values()), sep="; ", flush=True)
            print(name, *(f"{cost:.2f}" for cost in values["limits"][name].values()), sep="; ", flush=True)
        elif name in known["growth"]:
            values["growth"][name], values["limits"][name] = known["growth"][name], known["limits"][name]
    return values


def main() -> None:
    names = sys.argv[1:] or [*SHAPES]
    if unknown := sorted(set(names) - set(SHAPES)):
        sys.exit(f"no shape is named {unknown[0]!r}; there are: {', '.join(SHAPES)}")
    dehusk.clean("<p>warm up</p>")
    stored = json.loads((RESULTS / "growth.json").read_text("utf-8")) if sys.argv[1:] else {"growth": {}, "limits": {}}
    if "growth" not in stored:
        sys.exit("the results have no times of single shapes yet: run all of them first")
    values = measured(names, stored)
    found = ratios(values)
    text = (
        f"# Growth\n\n`python bench/growth.py`, {dt.date.today()}: CPU seconds for a page with {2 * SMALL} items, and "
        f"their ratio to those for a page with {SMALL}, of cleaning and of each output alone; fastest of "
        f"{LEAST_ROUNDS} rounds, of up to {MOST_ROUNDS} if the ratio is {CLEAR} or more, and then the lesser one of this "
        f"doubling and of that from {STEPPED} to {SMALL} items; no ratio below {MEASURED} s. "
        f"{len(values['growth'])} shapes; of {len(found)} ratios the worst is {max(found):.2f}, and "
        f"{sum(each >= ASKED for each in found)} are {ASKED} or more.\n\n{growth_table(values)}\n\n## At the limits\n\n"
        f"The slowest of these shapes with {LARGEST} items, or {LONGEST / 1e6:.0f} million characters: cut at 300,000 "
        f"nodes. One run.\n\n{limits_table(values)}"
    )
    write_results("growth", text, values, judges="shipped")


if __name__ == "__main__":
    main()
