"""Measure the view of one page in headless Chromium: a usual page and one of 6,000 blocks, in every format.

The pages are made: chapters of a heading, paragraphs with links and emphasis, a list, and a table now and then. The
server is the command `dehusk studio` in a process of its own. Times are those of the browser, from the action until the
result is on the screen.
"""

import random
import statistics
import tempfile
from pathlib import Path
from urllib.parse import urljoin

from playwright.sync_api import Page, sync_playwright

from dehusk.blocks import segment
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.read import parse
from sets import write_results
from studio import CHROMIUM, SEED, SWITCHES, WATCH, first_rows, measured, running

PAGES = {"usual": 30, "long": 600}
"""Name of a page -> its chapters, of about 10 blocks each."""
ROUNDS, FAVOURS, TURNS = 5, (0.3, 0.7, 0.5), 50
NOTE_KEY = """() => addEventListener(
    "keydown", () => sessionStorage.setItem("turn", performance.timeOrigin + performance.now()), true)"""
FROM_KEY = """() => performance.timeOrigin + Number(document.getElementById("page").dataset.ready)
    - sessionStorage.getItem("turn")"""
TABS = {
    "text": "slider, text",
    "markdown": "slider, Markdown",
    "json": "slider, JSON",
    "blocks": "slider, list of blocks",
}
WORDS = [
    "leaf",
    "cup",
    "water",
    "kettle",
    "steam",
    "first",
    "harvest",
    "tea",
    "pot",
    "and",
    "the",
    "of",
    "in",
    "a",
    "to",
    "is",
    "was",
    "from",
    "they",
    "which",
    "hot",
    "dark",
]


def made_page(chapters: int, seed: int = SEED) -> str:
    """Return a page of about ten blocks a chapter."""
    chance = random.Random(seed)

    def words(least: int, most: int) -> str:
        return " ".join(chance.choices(WORDS, k=chance.randint(least, most)))

    parts = []
    for number in range(chapters):
        parts.append(f"<h2>Chapter {number}: {words(2, 6)}</h2>")
        parts += [
            f"<p>{words(8, 40)} <a href='/{number}'>{words(1, 3)}</a>, <b>{words(1, 2)}</b>.</p>" for _ in range(3)
        ]
        items = "".join(f"<li>{words(3, 9)}</li>" for _ in range(3))
        cells = "".join(f"<td>{words(1, 3)}</td>" for _ in range(3))
        parts.append(f"<table><tr>{cells}</tr></table>" if number % 4 == 3 else f"<ul>{items}</ul>")
        parts.append(f"<div class=nav><a href=/{number + 1}>Next</a></div><p>{words(1, 4)}: {words(2, 12)}</p>")
    return f"<!DOCTYPE html><title>Tea</title><body><main>{''.join(parts)}</main></body>"


def slide(value: float) -> str:
    """Return the action that moves the slider."""
    return (
        f"const s = document.querySelector('#settings [name=favour]'); s.value = {value};"
        " for (const n of ['input', 'change']) s.dispatchEvent(new Event(n, { bubbles: true }))"
    )


def choose_tab(name: str) -> str:
    """Return the action that shows what is beside the page."""
    return f"document.getElementById('tab-{name}').click()"


def page_figures(page: Page, address: str) -> dict[str, list[float]]:
    """Return milliseconds of each action on the first page of a studio, several times."""
    figures: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        page.goto(urljoin(address, "/page/1"))
        page.locator("#page[data-ready]").wait_for()
        ready = page.evaluate("() => performance.now()")
        paint = page.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0].startTime")
        figures.setdefault("first paint", []).append(paint)
        figures.setdefault("page and outcome shown", []).append(ready)
        page.evaluate("() => window.after(() => 0)")
        for tab, name in TABS.items():
            shown = measured(page, choose_tab(tab))
            figures.setdefault(f"to the tab of {name.partition(', ')[2]}", []).append(shown)
            figures.setdefault(name, []).extend(measured(page, slide(value)) for value in FAVOURS)
        figures.setdefault("side by side with another method", []).append(measured(page, choose_tab("compare")))
        figures.setdefault("slider, side by side", []).extend(measured(page, slide(value)) for value in FAVOURS)
    return figures


def turn_figures(page: Page, address: str) -> tuple[list[float], list[int]]:
    """Return, for turns of pages, milliseconds from the key until the page and its outcome are shown, and requests."""
    times, requests, sent = [], [], set()
    session = page.context.new_cdp_session(page)
    session.on("Network.requestWillBeSent", lambda event: sent.add(event["requestId"]))
    session.on("Network.requestServedFromCache", lambda event: sent.discard(event["requestId"]))
    session.send("Network.enable")
    page.goto(urljoin(address, "/page/1"))
    for number in range(2, TURNS + 2):
        page.locator("#correct[data-ready]").wait_for(state="attached")
        page.wait_for_timeout(1000)  # somebody looks at the page, and the next one is prepared
        page.evaluate(NOTE_KEY)
        sent.clear()
        page.keyboard.press("]")
        page.locator(f"#page[data-page='{number}'][data-ready]").wait_for()
        times.append(page.evaluate(FROM_KEY))
        page.locator("#correct[data-ready]").wait_for(state="attached")
        requests.append(len(sent))
    return times, requests


def report(
    figures: dict[str, dict[str, list[float]]], blocks: dict[str, int], turns: list[float], requests: list[int]
) -> str:
    """Return the report in Markdown."""
    about = (
        f"Headless Chromium and `dehusk studio` on the same machine, {ROUNDS} runs. Milliseconds from the action until "
        "all that it shows is painted; a slider waits for nothing before it asks. Side by side waits 120 ms for further "
        "changes."
    )
    parts = ["# The view of a page", about]
    for name, own in figures.items():
        rows = [[action, f"{statistics.median(times):.0f}", f"{max(times):.0f}"] for action, times in own.items()]
        parts += [
            f"## A {name} page: {blocks[name]:,} blocks",
            markdown_table([["action", "median ms", "most ms"], *rows]),
        ]
    parts.append(
        f"## A turn\n\nFrom the key `]` until the next usual page and its outcome are shown, {TURNS} turns: median "
        f"{statistics.median(turns):.0f} ms, nine of ten within {sorted(turns)[TURNS * 9 // 10]:.0f} ms, with "
        f"{statistics.median(requests):.0f} requests until labels can be given (another one prepares the page after it)."
    )
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


def main() -> None:
    """Run the bench."""
    figures: dict[str, dict[str, list[float]]] = {}
    blocks: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.add_init_script(WATCH)
        for name, chapters in PAGES.items():
            source = Path(folder, f"{name}.html")
            source.write_text(made_page(chapters), "utf-8")
            blocks[name] = len(segment(parse(source.read_bytes())))
            with running(Path(folder, name), str(source)) as studio:
                page.goto(studio.address)  # which has the key, and opens the only page
                figures[name] = page_figures(page, studio.address)
        pages = Path(folder, "pages")
        pages.mkdir()
        for number in range(TURNS + 1):
            (pages / f"{number:02}.html").write_text(made_page(PAGES["usual"], SEED + number), "utf-8")
        with running(Path(folder, "turns"), str(pages)) as studio:
            first_rows(page, studio.address)
            turns, requests = turn_figures(page, studio.address)
        browser.close()
    write_results(
        "studio-page",
        report(figures, blocks, turns, requests),
        {"blocks": blocks, "figures": figures, "turns": turns, "requests": requests},
        judges="shipped",
    )


if __name__ == "__main__":
    main()
