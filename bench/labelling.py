"""Label 20 pages by a saved script of keys, in `dehusk studio` and in `dehusk annotate`; kill the studio meanwhile.

    python bench/labelling.py DATA            # play bench/labelling_keys.json
    python bench/labelling.py DATA --write    # make it anew, after the pages or the suggestions changed

The script of a page corrects the suggestions of the default method until they are the labels of the gold text, then
confirms the rest. Both tools label whole blocks and start from the same suggestions; the terminal is a simulated one of
80 by 24 characters. Kills: a studio is killed by SIGKILL while keys are pressed, and started again.
"""

import argparse
import asyncio
import datetime as dt
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, sync_playwright

import dehusk
from dehusk.blocks import Blocks, segment
from dehusk.blocks.labels import LABELS
from dehusk.lab.annotate import Session, annotation_path
from dehusk.lab.annotate.app import AnnotateApp
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold import Annotation, Codes
from dehusk.lab.gold.alignment import label_blocks
from dehusk.lab.gold.datasets import Sample, read_set
from dehusk.read import parse
from dehusk.studio.labelling import labels_of
from dehusk.studio.outcome import suggested_codes
from dehusk.studio.project import Project
from sets import set_path, write_results
from studio import CHROMIUM, SWITCHES, Running, running

SET, PAGES, KILLS = "cleaneval-dev", 20, 10
LEAST, MOST = 20, 400  # blocks of a page
KEYS = Path(__file__).with_name("labelling_keys.json")
KEYSTROKE, DECISION = 0.28, 1.35  # seconds: an average typist, and to decide (Card, Moran and Newell, 1980)
LETTERS = {"header": "h", "list": "l", "paragraph": "p", "continuation": "c", "other": "o"}


@dataclass(frozen=True, eq=False)
class Task:
    """A page, and the labels that it is to have."""

    name: str
    data: bytes
    suggested: Codes
    goal: Codes

    def runs(self) -> Iterator[tuple[int, int, int]]:
        """Yield the first block, one past the last block and the right label of each run of wrong suggestions."""
        start, size = 0, len(self.goal)
        wrong = self.suggested != self.goal
        while start < size:
            end = start + 1
            while wrong[start] and end < size and wrong[end] and self.goal[end] == self.goal[start]:
                end += 1
            if wrong[start]:
                yield start, end, int(self.goal[start])
            start = end


def tasks(data: Path) -> list[Task]:
    """Return the pages to label: those of a set with gold texts that have neither few nor very many blocks."""
    fitting = []
    for sample in read_set(set_path(data, SET)):
        blocks = segment(parse(sample.bare))
        if sample.structured and LEAST <= len(blocks) <= MOST:
            fitting.append((sample, blocks))
    return [task(*fitting[number * len(fitting) // PAGES]) for number in range(PAGES)]


def task(sample: Sample, blocks: Blocks) -> Task:
    """Return a page with the labels of its gold text."""
    goal, _ = label_blocks(blocks, sample.segments)
    return Task(f"{sample.id}.html", sample.bare, suggested_codes(dehusk.clean(sample.bare)), goal.astype(np.int8))


def studio_keys(page: Task) -> list[str]:
    """Return the keys for the studio."""
    keys, cursor = ["Home"], 0
    for start, end, code in page.runs():
        keys += [*["j"] * (start - cursor), *["J"] * (end - start - 1), LETTERS[LABELS[code]]]
        cursor = min(end, len(page.goal) - 1)
    return [*keys, "a"]


def terminal_keys(page: Task) -> list[str]:
    """Return the keys for the terminal."""
    keys, cursor = [], 0
    for start, end, code in page.runs():
        keys += ["down"] * (start - cursor)
        if end - start > 1:
            keys += ["space", *["down"] * (end - start - 1)]
        keys.append(LETTERS[LABELS[code]])
        cursor = min(end, len(page.goal) - 1)
    return [*keys, "a", "s"]


@dataclass
class Played:
    """How a tool took the keys of one page; seconds."""

    keys: int
    opening: float
    typing: float
    saving: float
    decisions: int

    @property
    def tool(self) -> float:
        """What the tool takes if keys come as fast as it takes them."""
        return self.opening + self.typing + self.saving

    @property
    def person(self) -> float:
        """What somebody takes by the keystroke-level model: keys, a decision for each wrong run, one for the rest."""
        return self.opening + max(self.typing, self.keys * KEYSTROKE) + self.decisions * DECISION + self.saving


Script = dict[str, dict[str, list[str]]]


def play_studio(folder: Path, project: Path, pages: list[Task], script: Script) -> list[Played]:
    """Label all pages in the studio."""
    played = []
    with running(project, str(folder), "--annotator", "bench") as studio, browser_page() as page:
        numbers = wait_for_pages(project, len(pages))
        page.goto(studio.address)
        for each in pages:
            start = time.perf_counter()
            open_labelling(page, studio, numbers[each.name])
            page.wait_for_function("() => document.getElementById('suggested-count').textContent !== ''")
            opened = time.perf_counter()
            keys = script[each.name]["studio"]
            for key in keys:
                page.keyboard.press(key)
            typed = time.perf_counter()
            page.wait_for_function("() => document.getElementById('label-saved').textContent === 'saved'")
            done = time.perf_counter()
            check(each, labels_of(Project(project), numbers[each.name], "bench", len(each.goal)))
            decisions = len(list(each.runs())) + 1
            played.append(Played(len(keys), opened - start, typed - opened, done - typed, decisions))
    return played


class BrowserPage:
    """A page of a browser that ends with the block."""

    def __enter__(self) -> Page:
        self._playwright = sync_playwright().start()
        self._browser = self._playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        return self._browser.new_page(viewport={"width": 1440, "height": 900})

    def __exit__(self, *_: object) -> None:
        self._browser.close()
        self._playwright.stop()


browser_page = BrowserPage


def wait_for_pages(project: Path, count: int) -> dict[str, int]:
    """Return the numbers of the pages of a project by name, once it has all of them."""
    while True:
        rows = Project(project).reading.execute("SELECT id, name FROM page").fetchall()
        if len(rows) == count:
            return {f"{Path(row['name']).stem}.html": row["id"] for row in rows}
        time.sleep(0.1)


def open_labelling(page: Page, studio: Running, number: int) -> None:
    """Open a page so that keys label its blocks."""
    page.goto(f"{studio.address.partition('?')[0]}page/{number}?correct=yes")
    page.wait_for_selector("#correct[data-ready]:not([hidden])")


def play_terminal(folder: Path, pages: list[Task], script: Script) -> list[Played]:
    """Label all pages in the terminal tool."""
    played: list[Played] = []

    def open_page(path: Path) -> Session:
        session = Session.open(path, annotation_path(path), every_tag=False)
        session.set_suggestions(suggested_codes(dehusk.clean(session.data)))
        return session

    async def run() -> None:
        start = time.perf_counter()
        app = AnnotateApp([folder / each.name for each in pages], open_page)
        async with app.run_test(size=(80, 24)) as pilot:
            for number, each in enumerate(pages):
                if number:
                    start = time.perf_counter()
                    await pilot.press("right_square_bracket")
                opened = time.perf_counter()
                *keys, save = script[each.name]["terminal"]
                for key in keys:
                    await pilot.press(key)
                typed = time.perf_counter()
                await pilot.press(save)
                done = time.perf_counter()
                check(each, Annotation.load(annotation_path(folder / each.name)).labels_for(app.session.blocks))
                decisions = len(list(each.runs())) + 1
                played.append(Played(len(keys) + 1, opened - start, typed - opened, done - typed, decisions))

    asyncio.run(run())
    return played


def check(page: Task, found: Codes) -> None:
    """Raise an error if the keys did not give the labels of the gold text."""
    if found.tolist() != page.goal.tolist():
        wrong = np.flatnonzero(found != page.goal).tolist()
        raise SystemExit(f"{page.name}: blocks {wrong[:5]} have other labels than the script should give: --write it")


@dataclass
class Killed:
    """What a kill of the studio cost."""

    pressed: int = 0
    lost: int = 0
    seconds: float = 0.0
    """From the first key that was lost to the kill; 0 if none was."""
    failures: list[str] = field(default_factory=list)


def kill(folder: Path, project: Path, turn: int) -> Killed:
    """Kill a studio while keys are pressed; compare what was pressed with what a new process finds."""
    with browser_page() as page, running(project, str(folder), "--annotator", f"kill {turn}") as studio:
        page.goto(studio.address)
        open_labelling(page, studio, 1)
        pressed: list[float] = []
        end = time.perf_counter() + 0.3 + 0.17 * turn
        while time.perf_counter() < end:  # the first block gets one label after the other: each key is a change
            page.keyboard.press("Home")
            page.keyboard.press(LETTERS[LABELS[len(pressed) % len(LABELS)]])
            pressed.append(time.perf_counter())
        studio.process.kill()
        at = time.perf_counter()
        studio.process.wait()
        shown = page.evaluate("() => document.getElementById('label-saved').textContent")
    return judged(project, turn, pressed, at, shown)


def judged(project: Path, turn: int, pressed: list[float], at: float, shown: str) -> Killed:
    """Return what is missing in the project of the keys that were pressed, each of which is a change."""
    opened = Project(project)
    changes = opened.reading.execute("SELECT count(*) FROM change WHERE annotator = ?", (f"kill {turn}",)).fetchone()[0]
    opened.close()
    lost = len(pressed) - changes
    first = pressed[changes] if lost > 0 else at
    return Killed(len(pressed), max(0, lost), at - first, [] if lost <= 0 or at - first < 1 else [shown])


def report(studio: list[Played], terminal: list[Played], kills: list[Killed]) -> str:
    """Return the figures as Markdown."""
    rows = [["median of a page", "studio", "terminal"]]
    figures: dict[str, Callable[[Played], float]] = {
        "keys": lambda page: page.keys,
        "opening, ms": lambda page: 1000 * page.opening,
        "a key, ms": lambda page: 1000 * page.typing / page.keys,
        "all keys, ms": lambda page: 1000 * page.typing,
        "saving after the last key, ms": lambda page: 1000 * page.saving,
        "the tool, s": lambda page: page.tool,
        "a person, s (keystroke-level model)": lambda page: page.person,
    }
    for name, figure in figures.items():
        values = [statistics.median(map(figure, tool)) for tool in (studio, terminal)]
        rows.append([name, *(f"{value:.1f}" for value in values)])
    lost = [["kill", "keys pressed", "changes lost", "seconds from the first lost key to the kill"]]
    lost += [
        [str(turn + 1), str(each.pressed), str(each.lost), f"{each.seconds:.3f}"] for turn, each in enumerate(kills)
    ]
    return (
        f"# Labelling by keyboard\n\n`python bench/labelling.py DATA`, {dt.date.today()}: {len(studio)} pages of {SET}, "
        "labelled by `bench/labelling_keys.json` until they have the labels of their gold texts. The keys correct the "
        "suggestions of the default method and confirm the rest. Labels of gold texts are stricter about headers and "
        "lists than the method, so that more is corrected than if only content were told from noise.\n\n"
        f"{markdown_table(rows)}\n{slowness(studio)}\n"
        f"## SIGKILL while labelling in the browser\n\n{markdown_table(lost)}\n"
    )


def slowness(studio: list[Played]) -> str:
    """Return what makes labelling slow, from the figures."""
    person = sum(page.person for page in studio)
    keys = sum(max(page.typing, page.keys * KEYSTROKE) for page in studio) / person
    thinking = sum(page.decisions * DECISION for page in studio) / person
    return (
        f"**What makes it slow.** Of a person's time, {keys:.0%} are keys, nearly all of them moves from one mistake to the "
        f"next, {thinking:.0%} decisions, and {1 - keys - thinking:.0%} the tool. The studio saves moves where blocks are "
        "alike (`t`, `T`), in one unit (`e`), or clicked; the script uses none of that, so that both tools do the same. A key "
        "of the terminal includes that its simulation waits until the screen is drawn and nothing is left to do.\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder with the sets, each a folder or a .tar.xz")
    parser.add_argument("--write", action="store_true", help="make the script of keys anew")
    arguments = parser.parse_args()
    pages = tasks(arguments.data)
    if arguments.write:
        made = {page.name: {"studio": studio_keys(page), "terminal": terminal_keys(page)} for page in pages}
        lines = (f" {json.dumps(name)}: {json.dumps(keys)}" for name, keys in made.items())
        KEYS.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    script: Script = json.loads(KEYS.read_text("utf-8"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "pages")
        folder.mkdir()
        for page in pages:
            (folder / page.name).write_bytes(page.data)
        studio = play_studio(folder, Path(name, "project"), pages, script)
        terminal = play_terminal(folder, pages, script)
        kills = [kill(folder, Path(name, "project"), turn) for turn in range(KILLS)]
    if failed := [each for each in kills if each.failures]:
        raise SystemExit(f"{len(failed)} kills lost more than the last second: {failed}")
    figures = {
        "studio": list(map(vars, studio)),
        "terminal": list(map(vars, terminal)),
        "kills": list(map(vars, kills)),
    }
    write_results("labelling", report(studio, terminal, kills), figures, judges="none")


if __name__ == "__main__":
    main()
