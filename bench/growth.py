"""Compare the CPU time of a page with that of one half its size, for shapes that take other tools minutes."""

import datetime as dt
from collections.abc import Callable
from functools import partial

import dehusk
from clock import cpu
from dehusk.evaluate.text_tables import markdown_table
from dehusk.write import format_names
from sets import write_results
from shapes import SHAPES

SMALL = 20_000
"""Items of the smaller page. Three steps are no growth, and no shape has one between its two pages: at 16,384 blocks the
net goes on in pieces, above 50,000 nodes the parser's tree is freed early, and above 300,000 a page is cut."""
CLEAR = 2.1
"""A ratio below this shows linear growth; what is above is measured in further rounds."""
LEAST_ROUNDS, MOST_ROUNDS = 2, 8


OUTPUTS: dict[str, Callable[[dehusk.Document], object]] = {
    **{name: partial(lambda document, name: document.render(name), name=name) for name in format_names()},
    "posts": lambda document: document.posts,
    "chunks": lambda document: document.chunks(max_words=100),
    "metadata": lambda document: document.metadata,
}


def seconds(html: str, output: str) -> float:
    return cpu(lambda: OUTPUTS[output](dehusk.clean(html)), rounds=1)


def growth_of(shape: Callable[[int], str], output: str) -> tuple[float, float]:
    """Return the CPU seconds of the large page, and their ratio to those of the small one.

    Both are measured in turn. What else the machine does only adds to times, so further rounds lower a ratio that it
    raised, but none that growth raised.
    """
    small, large, best = shape(SMALL), shape(2 * SMALL), [float("inf"), float("inf")]
    for done in range(1, MOST_ROUNDS + 1):
        best = [min(known, seconds(html, output)) for known, html in zip(best, (small, large), strict=True)]
        if done >= LEAST_ROUNDS and best[1] < CLEAR * best[0]:
            break
    return best[1], best[1] / best[0]


def growth() -> tuple[str, float]:
    """Return a table of times and ratios, and the worst ratio."""
    rows = [["shape", *(f"{name}: s for {2 * SMALL}, ratio" for name in OUTPUTS)]]
    worst = 0.0
    dehusk.clean("<p>warm up</p>")
    for name, shape in SHAPES.items():
        found = [growth_of(shape, output) for output in OUTPUTS]
        worst = max(worst, *(ratio for _, ratio in found))
        rows.append([name, *(f"{large:.2f} s, {ratio:.2f}" for large, ratio in found)])
        print(*rows[-1], sep="; ", flush=True)
    return markdown_table(rows), worst


def main() -> None:
    table, worst = growth()
    text = (
        f"# Growth\n\n`python bench/growth.py`, {dt.date.today()}: CPU time of a page with {2 * SMALL} items, and its "
        f"ratio to a page with {SMALL}; fastest of {LEAST_ROUNDS} rounds, of up to "
        f"{MOST_ROUNDS} if the ratio is {CLEAR} or more. {len(SHAPES)} shapes; worst ratio: {worst:.2f}.\n\n{table}"
    )
    write_results("growth", text, {"worst": worst, "shapes": len(SHAPES)})


if __name__ == "__main__":
    main()
