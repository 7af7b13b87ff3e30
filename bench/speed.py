"""Measure the CPU time per page from bytes to text: dehusk, other tools, and the stages of dehusk."""

import datetime as dt
import os
import random
import time
from collections import defaultdict
from collections.abc import Callable

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

import dehusk
from clock import ROUNDS, cpu
from dehusk.evaluate.text_tables import markdown_table
from dehusk.gold.datasets import read_set
from dehusk.methods.united import United
from dehusk.methods.united.inputs import net_inputs
from dehusk.read import decode
from dehusk.units import decision_groups
from dehusk.write import to_text
from sets import data_argument, set_path, write_results
from tools import TOOLS, run

PAGES, SEED = 300, 1


def measure(pages: list[bytes], tool: Callable[[bytes], object]) -> float:
    """Return the CPU milliseconds per page in the fastest of several rounds."""
    return 1000 * cpu(lambda: [tool(page) for page in pages]) / len(pages)


def stages(pages: list[bytes]) -> dict[str, float]:
    """Return the CPU milliseconds per page of each stage of the default method, each from its fastest round."""
    best: dict[str, float] = {}
    method = dehusk.load_method()
    assert isinstance(method, United)
    for _ in range(ROUNDS):
        spent: dict[str, float] = defaultdict(float)
        for data in pages:
            clock = _Clock(spent)
            decode(data)
            clock.stop("decode")
            page = dehusk.parse(data)
            clock.stop("parse and columns (including decoding)")
            blocks = method.segment(page)
            clock.stop("segment")
            inputs = net_inputs(blocks)
            clock.stop("inputs of the net")
            method.net.scores(inputs, 0)
            clock.stop("net")
            decision_groups(blocks)
            clock.stop("units")
            labels = method.label(blocks)
            clock.stop("(all of labelling, including inputs, net, units, decision and kinds of blocks)")
            to_text(labels)
            clock.stop("write text")
        for name, seconds in spent.items():
            best[name] = min(best.get(name, np.inf), 1000 * seconds / len(pages))
    return best


class _Clock:
    def __init__(self, spent: dict[str, float]) -> None:
        self.spent, self.start = spent, time.process_time()

    def stop(self, name: str) -> None:
        now = time.process_time()
        self.spent[name] += now - self.start
        self.start = now


def main() -> None:
    samples = [sample.bare for sample in read_set(set_path(data_argument(__doc__ or ""), "wcxb-dev"))]
    pages = random.Random(SEED).sample(samples, PAGES)
    dehusk.clean(pages[0])  # loads the model
    victor = dehusk.load_method("victor")
    times = {
        "dehusk (text)": measure(pages, lambda data: dehusk.clean(data).text),
        "dehusk, method victor": measure(pages, lambda data: dehusk.clean(data, method=victor).text),
    }
    times |= {
        name: measure(pages, lambda data, tool=tool: run(tool, decode(data).text)) for name, tool in TOOLS.items()
    }
    ours = times["dehusk (text)"]
    rows = [["tool", "CPU ms per page", "dehusk takes"]]
    rows += [[name, f"{ms:.2f}", f"{ours / ms:.2f} times as long"] for name, ms in times.items()]
    profile = stages(pages)
    stage_rows = [["stage", "CPU ms per page"], *([name, f"{ms:.2f}"] for name, ms in profile.items())]
    size = sum(map(len, pages)) / len(pages) / 1000
    report = (
        f"# Speed\n\n`python bench/speed.py DATA`, {dt.date.today()}: {PAGES} WCXB pages (mean {size:.0f} kB), "
        f"one thread, fastest of {ROUNDS} rounds, from bytes to text.\n\n{markdown_table(rows)}\n## By stage\n\n"
        f"{markdown_table(stage_rows)}"
    )
    write_results("speed", report, {"ms": times, "stages": profile})


if __name__ == "__main__":
    main()
