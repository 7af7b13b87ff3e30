"""Measure the resident memory of one process that cleans many pages."""

import datetime as dt
import os
from itertools import cycle, islice
from pathlib import Path

import dehusk
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import read_set
from sets import data_argument, set_path, write_results

PAGES, EVERY = 10_000, 1000


def resident() -> float:
    """Return the resident memory of this process in MB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> None:
    data = data_argument(__doc__ or "")
    samples = [sample for name in ("wcxb-dev", "dragnet-a") for sample in read_set(set_path(data, name))]
    pages = [sample.bare for sample in samples if len(sample.data) < 1e6]
    sizes = [("0", resident())]
    for number, page in enumerate(islice(cycle(pages), PAGES), start=1):
        document = dehusk.clean(page)
        _ = document.text, document.markdown
        if number % EVERY == 0:
            sizes.append((str(number), resident()))
    grown = sizes[-1][1] - sizes[1][1]
    table = markdown_table([["pages", "resident MB"], *([count, f"{size:.0f}"] for count, size in sizes)])
    text = (
        f"# Memory\n\n`python bench/memory.py DATA`, {dt.date.today()}: text and Markdown of {PAGES} pages in one "
        f"process; {grown:+.0f} MB after the first {EVERY}.\n\n{table}"
    )
    write_results("memory", text, {"sizes": sizes, "grown": grown}, judges="shipped")


if __name__ == "__main__":
    main()
