"""Take the pictures of docs/studio*.md: `examples/tea_sites.py` in headless Chromium.

With a folder, all views are taken instead, light and dark, 1440 and 900 pixels wide, to be looked at.
"""

import argparse
import io
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from dehusk.blocks.labels import OTHER, PARAGRAPH
from dehusk.studio.bodies import read_body
from dehusk.studio.choosing import next_pages
from dehusk.studio.labelling import Change, apply_changes
from dehusk.studio.project import Project
from studio_server import CHROMIUM, SWITCHES, Served, served
from tea_pages import FIRST, NOTICE_HOST, TEMPLATES, SitePage, labelled, write_sites

ROOT = Path(__file__).parents[1]
CORRECTED = 15
PAGE = "leaf-post-2"
TABS = ("template", "structure", "grey", "information", "methods")


class Study:
    """A project with corrected pages and a trained model, and its pages."""

    def __init__(self, studio: Served, pages: dict[str, SitePage]) -> None:
        self.studio, self.pages = studio, pages
        rows = self.project.reading.execute("SELECT id, name FROM page")
        self.numbers = {row["name"]: row["id"] for row in rows}

    @property
    def project(self) -> Project:
        """The project that is served."""
        return self.studio.studio.project

    def correct(self) -> None:
        """Correct pages as in the tutorial, some of them by a second annotator, and train."""
        names = {number: name for name, number in self.numbers.items()}
        for _ in range(CORRECTED):
            self.label(names[next_pages(self.project, 1)[0]["page"]], "Ann")
        for name in ("gaiwan-8", "the-cosy-6"):
            self.label(name, "Ann")
            self.label(name, "Ben", differing=4)
        self.studio.studio.training.start("united")

    def label(self, name: str, annotator: str, *, differing: int = 0) -> None:
        """Label a page as its owner wants it, but for the last blocks."""
        codes, number = labelled(self.pages[name]).codes, self.numbers[name]
        codes[len(codes) - differing :] = PARAGRAPH
        for code in (PARAGRAPH, OTHER):
            change = Change(number, len(codes), np.flatnonzero(codes == code).tolist(), code)
            apply_changes(self.project, annotator, [change], {number: read_body(self.project, number).data})

    def notice(self) -> int:
        """Return the block of the notice."""
        return labelled(self.pages[PAGE]).blocks.texts.index(self.pages[PAGE].notice)


@contextmanager
def study() -> Iterator[Study]:
    """Serve a project with corrected pages."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        pages = {page.name: page for page in write_sites(folder / "tea-sites", TEMPLATES[:FIRST])}
        with served(folder / "tea-study", [str(folder / "tea-sites")]) as studio:
            found = Study(studio, pages)
            found.correct()
            yield found


def settle(view: Page) -> None:
    view.wait_for_load_state("networkidle")
    view.wait_for_timeout(700)


def go(view: Page, found: Study, path: str) -> None:
    view.goto(found.studio.address + path)
    settle(view)


def open_rule(view: Page, found: Study) -> None:
    go(view, found, f"/page/{found.numbers[PAGE]}")
    view.frame_locator("#frame").locator(f'dh-b[data-b="{found.notice()}"]').first.click()
    view.keyboard.press("R")
    view.wait_for_selector("#make[data-ready]")
    view.locator("#effects .effect").nth(3).wait_for()
    settle(view)


def open_correct(view: Page, found: Study) -> None:
    go(view, found, f"/page/{found.numbers[PAGE]}?correct=yes")
    card = labelled(found.pages[PAGE]).blocks.texts.index("At the kettle")
    view.frame_locator("#frame").locator(f'dh-b[data-b="{card}"]').first.click()
    for key in ("p", "p", "p"):
        view.keyboard.press(key)
    view.get_by_text("Site: ").wait_for()
    view.get_by_text("Site: its pages are being read").wait_for(state="detached")
    settle(view)


def undo(view: Page) -> None:
    """Take back the labels of `open_correct`."""
    for _ in range(3):
        view.keyboard.press("u")
    settle(view)


def tutorial(browser: Browser, found: Study) -> None:
    """Write the pictures of the tutorial."""
    view = browser.new_page(viewport={"width": 1180, "height": 760})
    view.goto(found.studio.url())
    open_rule(view, found)
    write(view, "tutorial-rule")
    open_correct(view, found)
    write(view, "tutorial-correct")
    go(view, found, "/train")
    view.locator("#verdict .better").wait_for()
    view.locator("#result").scroll_into_view_if_needed()
    settle(view)
    view.evaluate("() => document.getElementById('result').scrollIntoView({ block: 'end' })")
    write(view, "tutorial-train")


def overview(browser: Browser, found: Study) -> None:
    """Write the pictures of docs/studio.md and the pages of its views."""
    light, dark = (
        browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme=scheme).new_page()
        for scheme in ("light", "dark")
    )
    for view in (light, dark):
        view.goto(found.studio.url())
    open_report(light, found)
    write(light, "report")
    go(light, found, "/")
    write(light, "pages")
    go(light, found, f"/page/{found.numbers[PAGE]}")
    light.frame_locator("#frame").locator(f'dh-b[data-b="{found.notice()}"]').first.click()
    light.get_by_text("Site: ").wait_for()
    light.get_by_text("Site: its pages are being read").wait_for(state="detached")
    settle(light)
    write(light, "page")
    open_correct(dark, found)
    write(dark, "correct")
    undo(dark)
    open_queue(light, found)
    write(light, "queue")
    open_site(light, found)
    write(light, "site")
    open_site(dark, found)
    dark.keyboard.press("2")
    settle(dark)
    write(dark, "structure")


def open_queue(view: Page, found: Study) -> None:
    """Decide on ten units and some second readings as somebody who has no labels yet."""
    go(view, found, "/queue?annotator=Zoe")
    for key in "kdkkdkkkdkdkk":
        view.keyboard.press(key)
        settle(view)


def open_report(view: Page, found: Study) -> None:
    go(view, found, "/report")
    view.keyboard.press("m")
    view.locator("#report[data-state=done]").wait_for(timeout=120_000)
    view.wait_for_function("() => !document.getElementById('toast').textContent")
    settle(view)


def write(view: Page, name: str) -> None:
    """Store a picture with 128 colours, which text and marks do not miss."""
    picture = Image.open(io.BytesIO(view.screenshot())).convert("RGB").quantize(128, dither=Image.Dither.NONE)
    picture.save(ROOT / "docs/images" / f"studio-{name}.png", optimize=True)


def every_view(browser: Browser, found: Study, folder: Path) -> None:
    """Write all views to a folder."""
    for width, scheme in ((1440, "light"), (1440, "dark"), (900, "light"), (900, "dark")):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        view = context.new_page()
        view.goto(found.studio.url())
        paths = {name: f"/{name}" for name in ("", "queue", "rules", "agreement", "train", "report", "sites")}
        for name, path in (paths | {"page": f"/page/{found.numbers[PAGE]}"}).items():
            go(view, found, path)
            view.screenshot(path=folder / f"{name or 'pages'}-{width}-{scheme}.png")
        for name, act in {"make": open_rule, "correct": open_correct}.items():
            act(view, found)
            view.screenshot(path=folder / f"{name}-{width}-{scheme}.png")
            undo(view)
        of_site(view, found, folder, f"{width}-{scheme}")
        open_report(view, found)
        view.screenshot(path=folder / f"report-measured-{width}-{scheme}.png")
        context.close()


def open_site(view: Page, found: Study) -> None:
    """Open the site of the notice, learned."""
    go(view, found, "/sites")
    view.get_by_role("link", name=NOTICE_HOST).first.click()
    settle(view)
    if "again" not in view.locator("#learn").inner_text().lower():
        view.keyboard.press("L")
        view.get_by_text("learned from").first.wait_for(timeout=60_000)
        settle(view)


def of_site(view: Page, found: Study, folder: Path, suffix: str) -> None:
    open_site(view, found)
    for number, name in enumerate(TABS, 1):
        view.keyboard.press(str(number))
        settle(view)
        view.screenshot(path=folder / f"site-{name}-{suffix}.png")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="write all views to this folder")
    folder = parser.parse_args().folder
    with study() as found, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        if folder is None:
            overview(browser, found)
            tutorial(browser, found)
        else:
            folder.mkdir(parents=True, exist_ok=True)
            every_view(browser, found, folder)
        browser.close()


if __name__ == "__main__":
    main()
