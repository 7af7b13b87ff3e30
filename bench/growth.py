"""Compare the CPU time of a page with that of one half its size, for shapes that take other tools minutes.

    python bench/growth.py [SHAPE...]

Cleaning and each output are measured alone; what outputs share is part of the first that needs it. A second table has the
slowest of all shapes at the limits of a page. With names of shapes, these are measured anew, and the others stay as they
are in the results.
"""

import datetime as dt
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
LARGEST, LONGEST = 200_000, 20_000_000
"""Items and characters of a page at the limits: it has more than 300,000 nodes, or is as long as a page may be."""
CLEAR = 2.15
"""A ratio below this shows linear growth; what is above is measured in further rounds."""
ASKED = 2.2
"""The ratio below which all are to be."""
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
Values = dict[str, dict[str, dict[str, Any]]]
"""What was measured: growth and limits, of each shape and step."""


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


def growth_of(shape: Callable[[int], str]) -> dict[str, list[float]]:
    """Return for each step the CPU seconds of the small page and of the large one.

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
    return {name: [small[name], large[name]] for name in STEPS}


def ratios(values: Values) -> list[float]:
    """Return the ratios of all that takes long enough to have one."""
    pairs = [pair for steps in values["growth"].values() for pair in steps.values()]
    return [large / small for small, large in pairs if large >= MEASURED]


def growth_table(values: Values) -> str:
    rows = [[name, *(cell(*pair) for pair in steps.values())] for name, steps in values["growth"].items()]
    return markdown_table([["shape", *(f"{name}: s for {2 * SMALL}, ratio" for name in STEPS)], *rows])


def cell(small: float, large: float) -> str:
    return f"{large:.2f}, {large / small:.2f}" if large >= MEASURED else f"{large:.3f}"


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
        f"{LEAST_ROUNDS} rounds, of up to {MOST_ROUNDS} if the ratio is {CLEAR} or more; no ratio below {MEASURED} s. "
        f"{len(values['growth'])} shapes; of {len(found)} ratios the worst is {max(found):.2f}, and "
        f"{sum(each >= ASKED for each in found)} are {ASKED} or more.\n\n{growth_table(values)}\n\n## At the limits\n\n"
        f"The slowest of these shapes with {LARGEST} items, or {LONGEST / 1e6:.0f} million characters: cut at 300,000 "
        f"nodes. One run.\n\n{limits_table(values)}"
    )
    write_results("growth", text, values)


if __name__ == "__main__":
    main()
