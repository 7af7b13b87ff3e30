"""Measure the studio in headless Chromium: a list of 100,000 pages. The view of a page is in `studio_page.py`.

The rows are made of all pages of the open sets, cleaned once each; their copies differ in site and figures. The server is
the command `dehusk studio` in a process of its own. Times are those of the browser, from the action until the result is
on the screen.
"""

import argparse
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import read_set
from dehusk.studio.adding import AddingTask, store_pages
from dehusk.studio.page_facts import PageFacts, find_facts
from dehusk.studio.project import Project
from sets import OPEN_SETS, set_path, write_results

ROWS, BATCH, SEED, ROUNDS = 100_000, 1_000, 1, 5
BROWSERS = ("chromium", "chromium-browser", "chromium-headless-shell", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
SWITCHES = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
WATCH = """
window.open_requests = 0;
const watched = (original) => async function (...given) {
  window.open_requests += 1;
  try { return await original.apply(this, given); } finally { setTimeout(() => { window.open_requests -= 1; }, 0); }
};
window.fetch = watched(window.fetch);
Response.prototype.json = watched(Response.prototype.json);
const painted = () => new Promise((resolve) => requestAnimationFrame(() => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = resolve;
  port2.postMessage(0);
}));
window.after = async (act) => {
  const start = performance.now();
  act();
  const limit = start + 20000;
  let calm = 0;
  let shown = 0;
  while (calm < 12 && performance.now() < limit) { // the last request may follow a short rest
    await painted();
    if (window.open_requests) { calm = 0; shown = 0; } else { calm += 1; shown ||= performance.now(); }
  }
  return shown - start;
};
"""
"""`after(act)` gives the milliseconds until all that an action asked for has arrived and is painted."""


@dataclass(frozen=True)
class OpenPage:
    """A page of the open sets, and what the table says about it."""

    id: str
    url: str
    facts: PageFacts


def open_pages(data: Path, workers: int) -> list[OpenPage]:
    """Return all pages of the open sets, cleaned."""
    samples = (sample for name in OPEN_SETS for sample in read_set(set_path(data, name)))
    items = ((sample.id, sample.data, sample.url or "") for sample in samples)
    with ProcessPoolExecutor(workers) as processes:
        return list(processes.map(_cleaned, items, chunksize=16))


def _cleaned(item: tuple[str, bytes, str]) -> OpenPage:
    return OpenPage(item[0], item[2], find_facts(item[1], item[2], {}))


def fill(project: Project, pages: list[OpenPage], rows: int) -> None:
    """Store rows made of pages; each time round with other sites and slightly different figures."""
    chance = random.Random(SEED)
    with project.writing() as connection:
        connection.execute("INSERT INTO input (path, name, format, stamp, complete) VALUES ('/', '', 'warc', '', 1)")
    for start in range(0, rows, BATCH):
        batch = [_row(pages, number, chance) for number in range(start, min(rows, start + BATCH))]
        store_pages(project, 1, batch, keeps_body=False)


def _row(pages: list[OpenPage], number: int, chance: random.Random) -> tuple[AddingTask, PageFacts]:
    page, copy = pages[number % len(pages)], number // len(pages)
    host = f"{copy}.{page.facts.host or 'local.example'}" if copy else page.facts.host
    facts = page.facts._replace(
        sha=f"{number:064x}",
        host=host,
        confidence=round(min(1, max(0, page.facts.confidence + chance.gauss(0, 0.03))), 4),
        kept=round(min(1, max(0, page.facts.kept + chance.gauss(0, 0.03))), 4),
        words=int(page.facts.words * chance.uniform(0.7, 1.3)),
    )
    return AddingTask(number, number, page.id, page.url or f"https://{host}/{page.id}", {}, b""), facts


@dataclass
class Running:
    """A studio in a process of its own."""

    address: str
    process: subprocess.Popen[str]

    def memory(self) -> float:
        """Return the most memory that the server had, in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text("utf-8")
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024


@contextmanager
def running(project: Path, *arguments: str) -> Iterator[Running]:
    """Start `dehusk studio` on a project, and end it."""
    command = [sys.executable, "-m", "dehusk", "studio", *arguments, "--project", str(project), "--no-open"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        line = process.stderr.readline()
        yield Running(re.search(r"http://\S+", line)[0], process)
    finally:
        process.terminate()
        process.wait(20)


def measured(page: Page, action: str) -> float:
    """Return the milliseconds that an action, an expression of JavaScript, takes until all is painted."""
    return page.evaluate(f"() => window.after(() => {{ {action} }})")


def first_rows(page: Page, address: str) -> float:
    """Return the milliseconds from opening an address until rows are on the screen."""
    page.goto(address, wait_until="commit")
    return page.evaluate(
        "async () => { while (!document.querySelector('#rows [data-page]'))"
        " await new Promise((r) => requestAnimationFrame(r)); return performance.now(); }"
    )


def sort(name: str) -> str:
    """Return the action that sorts by a column."""
    return f"document.querySelector('[data-sort={name}]').click()"


def choose(text: str) -> str:
    """Return the action that chooses the value of a filter."""
    return f"[...document.querySelectorAll('[data-choice]')].find((box) => box.dataset.choice === '{text}').click()"


def search(text: str) -> str:
    """Return the action that types a search."""
    return f"const s = document.getElementById('search'); s.value = '{text}'; s.dispatchEvent(new Event('input'))"


ACTIONS = {
    "sort by confidence": sort("confidence"),
    "sort by confidence, descending": sort("confidence"),
    "sort by title": sort("title"),
    "sort by site": sort("host"),
    "sort by words": sort("words"),
    "only articles": choose("type article"),
    "only English": choose("language en"),
    "end of the list": "document.getElementById('rows').scrollTop = 1e9",
    "all again": "document.querySelector('#chips .plain').click()",
    "search: tea": search("tea"),
    "search: the": search("the"),
    "search: t, any word that begins so": search("t"),
    "search: nothing": search(""),
    "middle of the list": "document.getElementById('rows').scrollTop = 2.8e6",
}


def list_figures(page: Page, project: Path) -> tuple[dict[str, list[float]], float]:
    """Return milliseconds of each action on the list, several times, and memory in MB."""
    figures: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        with running(project) as studio:
            figures.setdefault("first view, server just started", []).append(first_rows(page, studio.address))
            page.evaluate("() => window.after(() => 0)")
            again = first_rows(page, studio.address.partition("?")[0])
            figures.setdefault("first view, again", []).append(again)
            page.evaluate("() => window.after(() => 0)")
            for name, action in ACTIONS.items():
                figures.setdefault(name, []).append(measured(page, action))
            memory = studio.memory()
    return figures, memory


def report(rows: dict[str, list[float]], memory: float, pages: int) -> str:
    """Return the report in Markdown."""
    about_rows = (
        f"Made of {pages:,} pages of the open sets. The server took at most {memory:.0f} MB of memory. A search waits "
        "150 ms for the next letter."
    )
    about = (
        f"Headless Chromium and `dehusk studio` on the same machine, {ROUNDS} runs. Milliseconds from the action until "
        "all that it shows, counts and histograms too, is painted."
    )
    lines = [
        "# The studio",
        about,
        f"## A list of {ROWS:,} pages",
        about_rows,
        _table(rows),
    ]
    return "\n\n".join(line.rstrip() for line in lines) + "\n"


def _table(figures: dict[str, list[float]]) -> str:
    rows = [[name, f"{statistics.median(times):.0f}", f"{max(times):.0f}"] for name, times in figures.items()]
    return markdown_table([["action", "median ms", "most ms"], *rows])


def main() -> None:
    """Run the bench."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with the sets, each a folder or a .tar.xz")
    parser.add_argument("--rows", type=int, default=ROWS, help="try fewer, without writing results")
    given = parser.parse_args()
    start = time.perf_counter()
    pages = open_pages(given.data, min(4, os.cpu_count() or 1))
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        project = Project(folder / "project")
        fill(project, pages, given.rows)
        project.close()
        print(f"{given.rows} rows after {time.perf_counter() - start:.0f} s", file=sys.stderr)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.add_init_script(WATCH)
        rows, memory = list_figures(page, folder / "project")
        browser.close()
    text, values = report(rows, memory, len(pages)), {"rows": rows, "memory": memory}
    if given.rows == ROWS:
        write_results("studio", text, values, judges="shipped")
    else:
        print(text)


if __name__ == "__main__":
    main()
