"""The walk of docs/studio-tutorial.md in a real browser: 15 pages corrected, a rule, a model, better figures elsewhere.

Nothing is prepared: the studio chooses the pages, the owner's wishes are clicked and typed, and the figures come from
pages of four sites that are added only after training.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tea_pages
from dehusk.measures.metrics import word_bag
from studio_server import Served, browser, served, window
from tea_pages import ARTICLES, FIRST, NOTICE_HOST, TEMPLATES, SitePage, write_sites

pytest.importorskip("starlette", reason="the extra studio is not installed")
pytest.importorskip("uvicorn", reason="the extra studio is not installed")

from dehusk.studio.adding import Adding
from dehusk.studio.opened import ViewSettings
from dehusk.studio.sources import find_sources
from dehusk.studio.training_set import plan_training

__all__ = ["browser"]
PAGES = 15
PARAGRAPH, OTHER = "p", "o"


@dataclass
class Owner:
    """The owner of the corpus, at a browser."""

    studio: Served
    view: Any
    pages: dict[str, SitePage]
    """Name -> page."""

    def key(self, *keys: str) -> None:
        for key in keys:
            self.view.keyboard.press(key)

    def go(self, path: str) -> None:
        self.view.goto(f"{self.studio.address}{path}")

    def next_page(self) -> SitePage:
        """Open what the studio would like to have labelled next, ready to be corrected."""
        self.go("/train")
        self.view.locator("#next-pages a").first.wait_for()
        self.key("n")
        self.view.wait_for_selector("#correct[data-ready]", state="attached")
        self.key("m")
        self.view.wait_for_function("() => Number(document.getElementById('suggested-count')?.textContent) > 0")
        return self.shown()

    def shown(self) -> SitePage:
        number = int(self.view.url.partition("/page/")[2].partition("?")[0])
        reading = self.studio.studio.project.reading
        return self.pages[reading.execute("SELECT name FROM page WHERE id = ?", (number,)).fetchone()["name"]]

    def correct(self, page: SitePage) -> int:
        """Give what is cleaned wrongly another label, and confirm the rest; return the number of keys and clicks."""
        marks = self.view.evaluate(
            "() => [...document.getElementById('frame').contentDocument.querySelectorAll('[data-first]')]"
            ".map((each) => [Number(each.dataset.b), each.dataset.label])"
        )
        texts = tea_pages.labelled(page).blocks.texts
        wanted = [text in page.wanted for text in texts]
        kept = {block: label != "other-suggested" for block, label in marks}
        assert kept.keys() == set(range(len(texts)))
        done = 2
        for first, last in runs([block for block in sorted(kept) if kept[block] != wanted[block]], wanted):
            self.view.frame_locator("#frame").locator(f'dh-b[data-b="{first}"]').first.click()
            self.key(*["J"] * (last - first), PARAGRAPH if wanted[first] else OTHER)
            done += 2 + last - first
        self.key("a")
        self.view.wait_for_function("() => document.getElementById('label-saved').textContent === 'saved'")
        return done


def runs(blocks: list[int], wanted: list[bool]) -> list[tuple[int, int]]:
    """Return runs of neighbours that get the same label."""
    found: list[tuple[int, int]] = []
    for block in blocks:
        if found and found[-1][1] == block - 1 and wanted[found[-1][0]] == wanted[block]:
            found[-1] = (found[-1][0], block)
        else:
            found.append((block, block))
    return found


def numbers(studio: Served, hosts) -> dict[str, int]:
    rows = studio.studio.project.reading.execute("SELECT id, name, host FROM page").fetchall()
    return {row["name"]: row["id"] for row in rows if row["host"] in hosts}


def f1(owner: Owner, hosts, settings: ViewSettings | None = None) -> float:
    """Return the mean F1 of pages against what the owner wants; by default as the studio cleans them now."""
    found = [
        word_bag(owner.studio.studio.opened.document(number, settings).text, "\n".join(owner.pages[name].wanted)).f1
        for name, number in numbers(owner.studio, hosts).items()
    ]
    return float(np.mean(found))


def make_a_rule(owner: Owner) -> None:
    """Drop the notice of one site everywhere, by a click on it."""
    name, number = next(iter(numbers(owner.studio, {NOTICE_HOST}).items()))
    notice = tea_pages.labelled(owner.pages[name]).blocks.texts.index(owner.pages[name].notice)
    owner.go(f"/rules?page={number}")
    owner.view.wait_for_selector("#make[data-ready]")
    owner.view.locator("#clear").click()
    owner.view.frame_locator("#frame").locator(f'dh-b[data-b="{notice}"]').first.click()
    owner.view.wait_for_function("() => document.querySelector('#rule [name=selector]').value === '.house-note'")
    assert owner.view.locator("#rule [name=host]").input_value() == NOTICE_HOST
    owner.view.get_by_text("8 of 8 pages").first.wait_for()
    owner.key("Enter")
    owner.view.locator("tr[data-rule='drop .house-note']").wait_for()


def train(owner: Owner) -> None:
    """Train, read what the studio says of pages kept aside, and accept the model."""
    owner.go("/train")
    owner.view.wait_for_function("() => !document.querySelector('#start .primary').disabled")
    owner.view.locator("#plan").get_by_text("kept aside").first.wait_for()
    owner.key("t")
    owner.view.wait_for_selector("#train[data-state=done]", timeout=60_000)
    owner.view.locator("#verdict .better").wait_for()
    aside = sum(row.is_aside for row in plan_training(owner.studio.studio.project).rows)
    assert owner.view.locator("#figures tbody tr").count() == aside + 1
    owner.key("A")
    owner.view.locator("#result").wait_for(state="hidden")


def test_fifteen_corrected_pages_a_rule_and_a_model_clean_other_sites_better(tmp_path: Path, browser) -> None:
    pages = write_sites(tmp_path / "first", TEMPLATES[:FIRST]) + write_sites(tmp_path / "later", TEMPLATES[FIRST:])
    hosts, later = ({template.host for template in part} for part in (TEMPLATES[:FIRST], TEMPLATES[FIRST:]))
    with served(tmp_path / "project", [str(tmp_path / "first")]) as studio, window(browser) as shown:
        owner = Owner(studio, shown.page, {page.name: page for page in pages})
        shown.page.goto(studio.url())
        shown.page.get_by_text(f"{ARTICLES * FIRST} pages").first.wait_for()
        before = f1(owner, hosts)
        corrected: dict[str, int] = {}
        for _ in range(PAGES):
            page = owner.next_page()
            corrected[page.name] = owner.correct(page)
        assert len(corrected) == PAGES, "no page twice"
        assert {owner.pages[name].host for name in corrected} == hosts, "each site is among them"
        make_a_rule(owner)
        assert f1(owner, {NOTICE_HOST}) > f1(owner, {NOTICE_HOST}, ViewSettings(rules=False)) + 0.02
        train(owner)
        after = f1(owner, hosts)
        Adding(studio.studio.project, find_sources([str(tmp_path / "later")]), workers=1).run()
        shipped, now = f1(owner, later, ViewSettings()), f1(owner, later)
        assert after > before + 0.03
        assert now > shipped + 0.02
