"""Cleaning in child processes beside cleaning in the own one: `python bench/isolation.py DATA`. Wall time, 300 WCXB pages."""

import datetime as dt
import random
import statistics
import time
from collections.abc import Callable

import dehusk
from dehusk.lab.evaluate.text_tables import markdown_table
from sets import data_argument, set_path, write_results

PAGES, ROUNDS, SEED = 300, 9, 1
WAYS: dict[str, tuple[Callable[[bytes], object], Callable[[bytes], object]]] = {
    "text": (lambda page: dehusk.clean(page).text, lambda page: dehusk.clean(page, isolated=True).text),
    "Markdown": (lambda page: dehusk.clean(page).markdown, lambda page: dehusk.clean(page, isolated=True).markdown),
}


def seconds(work: Callable[[bytes], object], pages: list[bytes]) -> float:
    start = time.perf_counter()
    for page in pages:
        work(page)
    return time.perf_counter() - start


def main() -> None:
    data = data_argument(__doc__ or "")
    paths = sorted((set_path(data, "wcxb-dev") / "html").iterdir())
    pages = [path.read_bytes() for path in random.Random(SEED).sample(paths, PAGES)]
    rows, figures = [["", "ms in the own process", "ms in a child", "ratio, median of rounds in turn"]], {}
    for name, ways in WAYS.items():
        assert [ways[0](page) for page in pages] == [ways[1](page) for page in pages]  # and all is warm
        times = [[seconds(way, pages) for way in ways] for _ in range(ROUNDS)]
        own, child = (1000 * statistics.median(column) / PAGES for column in zip(*times, strict=True))
        figures[name] = statistics.median(isolated / plain for plain, isolated in times)
        rows.append([name, f"{own:.2f}", f"{child:.2f}", f"{figures[name]:.3f}"])
    size = sum(map(len, pages)) / PAGES / 1000
    head = f"`python bench/isolation.py DATA`, {dt.date.today()}: {PAGES} WCXB pages of {size:.0f} kB, {ROUNDS} rounds."
    write_results("isolation", f"# Isolation\n\n{head}\n\n{markdown_table(rows)}", figures, judges="shipped")


if __name__ == "__main__":
    main()
