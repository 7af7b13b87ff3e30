"""Cleaning in child processes beside cleaning in the own one: `python bench/isolation.py DATA`.

Wall time of 300 WCXB pages, the least of several rounds for each page, as `speed.py` counts: medians of the same rounds
differed by a fifth, with what else the machine did.
"""

import datetime as dt
import random
import statistics
import time
from collections.abc import Callable

import dehusk
from dehusk.lab.evaluate.text_tables import markdown_table
from sets import data_argument, set_path, write_results

PAGES, ROUNDS, SEED = 300, 9, 1
Ways = tuple[Callable[[bytes], object], Callable[[bytes], object]]
WAYS: dict[str, Ways] = {
    "text": (lambda page: dehusk.clean(page).text, lambda page: dehusk.clean(page, isolated=True).text),
    "Markdown": (lambda page: dehusk.clean(page).markdown, lambda page: dehusk.clean(page, isolated=True).markdown),
}


def least_seconds(ways: Ways, pages: list[bytes]) -> tuple[list[float], list[float]]:
    """Return the least seconds of each way and page, one list a way; what else a machine does only adds to them."""
    least = tuple([float("inf")] * len(pages) for _ in ways)
    for _ in range(ROUNDS):
        for way, seconds in zip(ways, least, strict=True):
            for at, page in enumerate(pages):
                start = time.perf_counter()
                way(page)
                seconds[at] = min(seconds[at], time.perf_counter() - start)
    return least[0], least[1]


def main() -> None:
    data = data_argument(__doc__ or "")
    paths = sorted((set_path(data, "wcxb-dev") / "html").iterdir())
    pages = [path.read_bytes() for path in random.Random(SEED).sample(paths, PAGES)]
    rows, figures = [["", "ms in the own process", "ms in a child", "ratio", "ratio of half of the pages, at most"]], {}
    for name, ways in WAYS.items():
        assert [ways[0](page) for page in pages] == [ways[1](page) for page in pages]  # and all is warm
        own, child = least_seconds(ways, pages)
        figures[name] = sum(child) / sum(own)
        middle = statistics.median(isolated / plain for plain, isolated in zip(own, child, strict=True))
        means = (f"{1000 * sum(seconds) / PAGES:.2f}" for seconds in (own, child))
        rows.append([name, *means, f"{figures[name]:.3f}", f"{middle:.3f}"])
    size = sum(map(len, pages)) / PAGES / 1000
    head = (
        f"`python bench/isolation.py DATA`, {dt.date.today()}: {PAGES} WCXB pages of {size:.0f} kB, the least of {ROUNDS}"
        " rounds for each page."
    )
    write_results("isolation", f"# Isolation\n\n{head}\n\n{markdown_table(rows)}", figures, judges="shipped")


if __name__ == "__main__":
    main()
