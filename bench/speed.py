"""Measure the CPU time per page from bytes to text and to Markdown: dehusk, other tools, and the stages.

All are measured in one run, one after the other in each of several rounds. Of the tools, the least time of the rounds
counts for each page, because what else a machine does only adds to it: medians of rounds of the same code differed by a
tenth. Of all else, the median of the rounds counts. CPU time is that of all threads of the process, four of which BLAS
may use.
"""

import argparse
import datetime as dt
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "4"
os.environ["OPENBLAS_NUM_THREADS"] = "4"

import dehusk
from dehusk.blocks.units import decision_groups
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import read_set
from dehusk.label.united import United
from dehusk.label.united.inputs import net_inputs
from dehusk.read import decode
from dehusk.write import to_text
from sets import set_path, write_results
from tools import TOOLS, run

PAGES, SEED, ROUNDS = 300, 1, 5
SITE, SITE_PAGES = "site-asp-forums", 100
EXAMPLE = Path(__file__).parent.parent / "examples" / "tea.html"
TINY = (
    "<html><head><title>Tea</title></head><body><p>"
    + "Good leaves give three cups, says Ann. " * 7
    + "</p></body></html>"
).encode()
RIVAL = next(name for name in TOOLS if name.startswith("resiliparse"))
SLOW = next(name for name in TOOLS if name.startswith("trafilatura"))
STARTS = {
    "Python": ["-c", "pass"],
    "import numpy, turbohtml": ["-c", "import numpy, turbohtml"],
    "import dehusk and first page": ["-c", f"import dehusk; dehusk.clean(open({str(EXAMPLE)!r}, 'rb').read()).text"],
    "command line on one page": ["-m", "dehusk", "clean", str(EXAMPLE)],
}  # fmt: skip
Tasks = dict[str, Callable[[], object]]


def medians(tasks: Tasks, rounds: int = ROUNDS) -> dict[str, float]:
    """Return the CPU seconds of each task: the median of rounds in which all tasks run one after the other."""
    spent = defaultdict(list)
    for _ in range(rounds):
        for name, task in tasks.items():
            start = time.process_time()
            task()
            spent[name].append(time.process_time() - start)
    return {name: statistics.median(times) for name, times in spent.items()}


def each(pages: list[bytes], work: Callable[[bytes], object]) -> Callable[[], None]:
    """Return a task: work on each page."""

    def task() -> None:
        for page in pages:
            work(page)

    return task


def text(page: bytes) -> str:
    return dehusk.clean(page).text


def markdown(page: bytes) -> str:
    return dehusk.clean(page).markdown


def tool_seconds(pages: list[bytes]) -> dict[str, float]:
    """Return the CPU seconds of each tool on the same pages: the sum of the least of each page."""
    works: dict[str, Callable[[bytes], object]] = {"dehusk: text": text, "dehusk: Markdown": markdown}
    for name, tool in TOOLS.items():
        works[name] = lambda page, tool=tool: run(tool, decode(page).text)
    least = {name: [float("inf")] * len(pages) for name in works}
    for _ in range(ROUNDS):
        for name, work in works.items():
            for at, page in enumerate(pages):
                start = time.process_time()
                work(page)
                least[name][at] = min(least[name][at], time.process_time() - start)
    return {name: sum(seconds) for name, seconds in least.items()}


def site_tasks(data: Path) -> Tasks:
    """Return the tasks on pages of one site: without and with what its pages share."""
    pages = [sample.bare for _, sample in zip(range(SITE_PAGES), read_set(set_path(data, SITE)), strict=False)]
    site = dehusk.Site(mixed=True).fit(pages)
    with_site = dehusk.load_method(site=site)
    return {
        "page of a site": each(pages, text),
        "page of a site, with its evidence": each(pages, lambda page: dehusk.clean(page, method=with_site).text),
    }


def tiny_tasks() -> Tasks:
    return {
        "tiny page (50 words)": each([TINY] * SITE_PAGES, text),
        "tiny page, resiliparse": each([TINY] * SITE_PAGES, lambda page: run(TOOLS[RIVAL], decode(page).text)),
    }


def starts() -> dict[str, float]:
    """Return the CPU seconds, user and system, of whole processes; the median of rounds."""
    spent = defaultdict(list)
    environment = {name: value for name, value in os.environ.items() if "_THREADS" not in name}  # as users have it
    environment["PYTHONDONTWRITEBYTECODE"] = ""
    for _ in range(ROUNDS + 1):  # the first may compile modules to bytecode
        for name, arguments in STARTS.items():
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([sys.executable, *arguments], env=environment, check=True, stdout=subprocess.DEVNULL)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            spent[name].append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return {name: statistics.median(times[1:]) for name, times in spent.items()}


def stages(pages: list[bytes]) -> dict[str, float]:
    """Return the CPU milliseconds per page of each stage of the default method, the medians of rounds."""
    rounds = defaultdict(list)
    for _ in range(ROUNDS):
        spent: dict[str, float] = defaultdict(float)
        for data in pages:
            clock = time.process_time()
            for name in _stages(data):
                now = time.process_time()
                spent[name] += now - clock
                clock = now
        for name, seconds in spent.items():
            rounds[name].append(1000 * seconds / len(pages))
    return {name: statistics.median(times) for name, times in rounds.items()}


def _stages(data: bytes) -> Iterator[str]:
    """Run the stages of a page, and yield the name of each after it."""
    method = dehusk.load_method()
    assert isinstance(method, United)
    decode(data)
    yield "decode"
    page = dehusk.parse(data)
    yield "parse and columns (including decoding)"
    blocks = method.segment(page)
    yield "segment"
    inputs = net_inputs(blocks)
    yield "inputs of the net"
    method.net.scores(inputs, 0)
    yield "net"
    decision_groups(blocks)
    yield "units"
    labels = method.label(blocks)
    yield "(all of labelling, including inputs, net, units, decision and kinds of blocks)"
    to_text(labels)
    yield "write text"


def report(pages: dict[str, float], single: dict[str, float], started: dict[str, float], rows: list[list[str]]) -> str:
    """Return the report of CPU milliseconds per page, of other pages, of whole processes, and of the stages."""
    rival, slow = pages[RIVAL], pages[SLOW]
    tools = [["tool", "CPU ms per page", "times resiliparse", "faster than trafilatura"]]
    tools += [[name, f"{ms:.2f}", f"{ms / rival:.2f}", f"{slow / ms:.1f} times"] for name, ms in pages.items()]
    others = [["what", "CPU ms per page"], *([name, f"{ms:.3f}"] for name, ms in single.items())]
    whole = [["process", "CPU s"], *([name, f"{seconds:.3f}"] for name, seconds in started.items())]
    return (
        f"{markdown_table(tools)}\n## Other pages\n\n{SITE_PAGES} pages of {SITE}, and a page of 50 words.\n\n"
        f"{markdown_table(others)}\n## Starts\n\nWhole processes, user and system time; each line includes those of "
        f"Python and its imports.\n\n{markdown_table(whole)}\n## By stage\n\n{markdown_table(rows)}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the sets, each a folder or a .tar.xz")
    data = parser.parse_args().data
    samples = [sample.bare for sample in read_set(set_path(data, "wcxb-dev"))]
    pages = random.Random(SEED).sample(samples, PAGES)
    text(pages[0])  # loads the model
    times = {name: 1000 * seconds / PAGES for name, seconds in tool_seconds(pages).items()}
    other = medians({**site_tasks(data), **tiny_tasks()})
    single = {name: 1000 * seconds / SITE_PAGES for name, seconds in other.items()}
    started, profile = starts(), stages(pages)
    rows = [["stage", "CPU ms per page"], *([name, f"{ms:.2f}"] for name, ms in profile.items())]
    size = sum(map(len, pages)) / len(pages) / 1000
    head = (
        f"# Speed\n\n`python bench/speed.py DATA`, {dt.date.today()}: {PAGES} WCXB pages (mean {size:.0f} kB), all in one "
        f"run, the least of {ROUNDS} rounds for each page, four threads allowed, from bytes to text or Markdown.\n\n"
    )
    values = {"ms": times, "other pages": single, "starts": started, "stages": profile}
    write_results(
        "speed", head + report(times, single, started, rows), json.loads(json.dumps(values)), judges="shipped"
    )


if __name__ == "__main__":
    main()
