"""Compare the CPU time of labelling with one BLAS thread and with four, and the speed of one thread and of two.

Idle BLAS threads must not burn CPU, and threads that clean pages at the same time must not wait for each other.

Each count of threads runs in a child process, because OpenBLAS reads `OPENBLAS_NUM_THREADS` once, when it is loaded. CPU
time is the time of all threads of the process. A method that uses BLAS on its hot path wakes all threads for products
that are too small to share, and they spin while they wait.
"""

import argparse
import datetime as dt
import json
import os
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

SET = "wcxb-dev"
PAGES = 60
THREADS = (1, 4)
METHODS: dict[str, dict[str, Any]] = {"victor": {"model": "web"}, "united": {}, "site": {"site": True}}
ROUNDS = 5
TOLERANCE = 0.10
"""Largest allowed increase of CPU time with four threads."""
VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def cpu_of_labelling(data: Path) -> dict[str, float]:
    """Return the CPU milliseconds per page that each method takes to label pages; called in the child process."""
    import dehusk
    from clock import cpu
    from dehusk.lab.gold.datasets import read_set
    from dehusk.label import PageMethod, load_method
    from sets import set_path

    samples = [sample for _, sample in zip(range(PAGES), read_set(set_path(data, SET)), strict=False)]
    pages = [dehusk.parse(sample.bare, url=sample.url) for sample in samples]
    times = {}
    for name, options in METHODS.items():
        if options.get("site"):
            method = load_method(name, site=dehusk.Site(mixed=True).fit(pages))
        else:
            method = load_method(name, **options)

        def label(method: PageMethod = method) -> None:
            for page in pages:
                method.label(method.segment(page))

        label()  # loads what the method needs
        times[name] = 1000 * cpu(label) / len(pages)
    return times


def in_child(data: Path, threads: int) -> dict[str, float]:
    """Return what `cpu_of_labelling` measures in a process with this number of BLAS threads."""
    environment = {**os.environ, **dict.fromkeys(VARIABLES, str(threads))}
    command = [sys.executable, __file__, str(data), "--child"]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def speed_up(data: Path) -> float:
    """Return how many times as fast two threads clean pages as one: the median of rounds, by the clock on the wall."""
    import dehusk
    from dehusk.lab.gold.datasets import read_set
    from sets import set_path

    pages = [sample.bare for _, sample in zip(range(PAGES), read_set(set_path(data, SET)), strict=False)] * 2

    def seconds(threads: int) -> float:
        with ThreadPoolExecutor(threads) as pool:
            start = time.perf_counter()
            list(pool.map(lambda page: dehusk.clean(page).text, pages))
            return time.perf_counter() - start

    seconds(2)  # loads what cleaning needs
    return statistics.median(seconds(1) / seconds(2) for _ in range(ROUNDS))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the sets, each a folder or a .tar.xz")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        print(json.dumps(cpu_of_labelling(arguments.data)))
        return
    from dehusk.lab.evaluate.text_tables import markdown_table
    from sets import write_results

    faster = speed_up(arguments.data)
    times = {threads: in_child(arguments.data, threads) for threads in THREADS}
    one, four = (times[threads] for threads in THREADS)
    rows = [["method", "1 thread: CPU ms per page", "4 threads", "change"]]
    rows += [[name, f"{one[name]:.2f}", f"{four[name]:.2f}", f"{four[name] / one[name] - 1:+.0%}"] for name in METHODS]
    report = (
        f"# BLAS threads\n\n`python bench/threads.py DATA`, {dt.date.today()}: CPU time of all threads to segment and label "
        f"the first {PAGES} pages of {SET} with one BLAS thread and with four. The change must stay below "
        f"{TOLERANCE:.0%}.\n\n{markdown_table(rows)}\n## Threads that clean pages\n\nTwo threads clean {2 * PAGES} pages "
        f"{faster:.2f} times as fast as one.\n"
    )
    write_results(
        "threads",
        report,
        {**{str(threads): times[threads] for threads in THREADS}, "speed-up": faster},
        judges="shipped",
    )
    if any(four[name] > (1 + TOLERANCE) * one[name] for name in METHODS):
        sys.exit("labelling takes more CPU time with four BLAS threads")


if __name__ == "__main__":
    main()
