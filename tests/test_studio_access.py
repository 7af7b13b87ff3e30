"""The studio for everyone: axe finds nothing in any view, keys are announced, letters can be turned off."""

import re
from pathlib import Path

import pytest

from studio_server import Served, browser, served, window
from test_studio_sites_browser import LEAF, VIEWS, learn, ready

pytest.importorskip("starlette", reason="the extra studio is not installed")
pytest.importorskip("uvicorn", reason="the extra studio is not installed")

__all__ = ["browser"]
EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    with served(
        tmp_path_factory.mktemp("studio") / "project", [str(EXAMPLES / name) for name in ("tea.html", "tea-magazine")]
    ) as running:
        learn(running, LEAF)
        yield running


OF_COLOURS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
"""The rules of axe that look at colours; to all others, a dark page is the light one."""


def violations(page, **options: object) -> dict[str, list[str]]:
    """Return what axe finds: rule -> what it is about; not in the frame of a page, which runs no scripts."""
    sync_playwright = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    found = sync_playwright.Axe().run(page, options={"resultTypes": ["violations"], "iframes": False, **options})
    return {each["id"]: [node["html"][:200] for node in each["nodes"]] for each in found.response["violations"]}


def open_page(page, studio: Served, query: str = "", *, number: int = 1) -> None:
    page.goto(studio.url("/"))
    page.goto(f"{studio.address}/page/{number}{query}")
    page.wait_for_selector("#correct[data-ready]" + ("" if not query else ":not([hidden])"), state="attached")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_in_any_view(studio: Served, browser, dark: bool) -> None:
    with window(browser, dark=dark) as shown:
        page, found = shown.page, {}
        options = {"runOnly": OF_COLOURS} if dark else {}

        def look(name: str) -> None:
            page.wait_for_load_state("networkidle")
            if wrong := violations(page, **options):
                found[name] = wrong

        page.goto(studio.url("/"))
        page.locator("#rows [data-page]").first.wait_for()
        look("pages")
        for key, name in (
            ("?", "help"),
            ("Control+k", "palette"),
            ("f", "flag of a row"),
            ("A", "adding"),
            ("D", "comparing"),
            ("E", "export"),
        ):
            page.keyboard.press(key)
            page.locator("dialog[open]").wait_for()
            look(name)
            page.keyboard.press("Escape")
        page.set_viewport_size({"width": 1440, "height": 420})
        assert page.locator("#rows").evaluate("e => e.scrollHeight > e.clientHeight")
        look("a list that scrolls")
        page.set_viewport_size({"width": 1440, "height": 900})
        for path in ("/queue", "/rules", "/agreement", "/train", "/sites", "/report"):
            page.goto(studio.address + path)
            look(path)
        for view in VIEWS:
            page.goto(f"{studio.address}/site/{LEAF}?view={view}")
            ready(page, view)
            look(view)
        open_page(page, studio)
        page.keyboard.press("j")
        look("page")
        for number in "23456":
            page.keyboard.press(number)
            look(f"tab {number}")
        open_page(page, studio, "?correct=yes")
        page.keyboard.press("j")
        look("correct")
        for opener in ("#correct [data-action=note]", "text=Keys…", "text=Files…"):
            page.locator(opener).click()
            page.locator("dialog[open]").wait_for()
            look(opener)
            page.keyboard.press("Escape")
        page.locator("dialog[open]").wait_for(state="detached")
        page.keyboard.press("r")
        page.locator(".rubric h2").first.wait_for()
        look("rubric")
        assert found == {}


def test_axe_finds_nothing_in_the_page_that_asks_for_the_key(studio: Served, browser) -> None:
    with window(browser) as shown:
        shown.allow("403")
        shown.page.goto(studio.address)
        assert violations(shown.page) == {}


def test_the_block_that_keys_are_at_is_announced(studio: Served, browser) -> None:
    with window(browser) as shown:
        page = shown.page
        open_page(page, studio, "?correct=yes")
        spoken = page.locator("#spoken")
        assert (spoken.get_attribute("aria-live"), spoken.inner_text()) == ("polite", "")
        page.keyboard.press("Home")
        facts = page.evaluate("async () => (await (await fetch('/api/page/1/outcome')).json()).blocks")
        verdict = "kept" if facts["kept"][0] else "dropped"
        likely = f"{facts['probability'][0]:.2f}".removeprefix("0")
        text = page.frame_locator("#frame").locator('dh-b[data-b="0"]').first.inner_text()
        said = spoken.inner_text()
        assert said.startswith(verdict)
        assert f", {likely}, {facts['label'][0]}" in said
        assert said.endswith(text)
        page.keyboard.press("J")
        assert spoken.inner_text().startswith("2 blocks selected; ")
        page.keyboard.press("Home")
        page.keyboard.press("o")
        page.keyboard.press("k")
        assert ", labelled other: " in spoken.inner_text()


def test_a_label_is_given_by_names_and_roles_alone(studio: Served, browser) -> None:
    """As by a screen reader: the list of blocks, the buttons, and what is announced."""
    with window(browser) as shown:
        page = shown.page
        open_page(page, studio, number=2)
        page.get_by_role("button", name="Correct", exact=False).first.click()
        page.get_by_role("tab", name="Blocks").click()
        page.get_by_role("listbox", name="Blocks in the order of the page").get_by_role("option").nth(2).click()
        page.get_by_role("toolbar", name="Labels").get_by_role("button", name="header").click()
        page.get_by_role("status").filter(has_text="saved").wait_for()
        page.get_by_role("status").filter(has_text=re.compile(r"^1 of \d+ blocks$")).wait_for()


def test_single_letters_can_be_turned_off_in_all_views(studio: Served, browser) -> None:
    with window(browser) as shown:
        page = shown.page
        open_page(page, studio, "?correct=yes")
        page.get_by_title("Keys on this view").click()
        page.get_by_label("single letters and signs act").uncheck()
        page.keyboard.press("Escape")
        page.keyboard.press("j")
        page.keyboard.press("o")
        page.keyboard.press("?")
        assert page.locator("dialog[open]").count() == 0
        assert page.locator("#spoken").inner_text() == ""
        page.keyboard.press("ArrowDown")
        assert page.locator("#spoken").inner_text() != "", "keys with a name act"
        page.goto(f"{studio.address}/")
        page.locator("#rows [data-page]").first.wait_for()
        page.keyboard.press("f")
        assert page.locator("dialog[open]").count() == 0
        page.get_by_title("Keys on this view").click()
        page.get_by_label("single letters and signs act").check()
        page.keyboard.press("Escape")
        page.keyboard.press("f")
        page.locator("dialog[open]").wait_for()


def test_a_key_of_a_view_can_be_changed(studio: Served, browser) -> None:
    with window(browser) as shown:
        page, said = shown.page, "#keys-changed"

        def change(key: str, other: str) -> str:
            page.keyboard.press("?")
            page.locator("#help").get_by_role("button", name=key, exact=True).click()
            page.keyboard.press(other)
            words = page.locator(said).inner_text()
            page.keyboard.press("Escape")
            return words

        page.goto(studio.url("/"))
        page.locator("#rows [data-page]").first.wait_for()
        assert change("f", "c") == "c is taken: comment on the page"
        assert change("f", "u") == "f is u now, in this browser"
        for reloads in range(2):
            page.keyboard.press("f")
            assert page.locator("dialog[open]").count() == 0
            page.keyboard.press("u")
            page.locator("dialog[open]").wait_for()
            page.keyboard.press("Escape")
            if not reloads:
                page.reload()
                page.locator("#rows [data-page]").first.wait_for()
        page.keyboard.press("?")
        page.get_by_role("button", name="Usual keys").click()
        page.locator("#rows [data-page]").first.wait_for()
        page.keyboard.press("f")
        page.locator("dialog[open]").wait_for()


def test_the_palette_lists_the_actions_of_a_view_and_does_them(studio: Served, browser) -> None:
    with window(browser) as shown:
        page = shown.page
        open_page(page, studio, "?correct=yes")
        page.frame_locator("#frame").locator("dh-b").first.click()
        page.keyboard.press("Control+k")
        options = page.get_by_role("listbox", name="Actions").get_by_role("option")
        assert {"heat map of probabilityH", "undou, Ctrl+Z", "go to Rules"} <= set(options.all_text_contents())
        page.keyboard.type("heat ma")
        assert options.count() == 1
        page.keyboard.press("Enter")
        page.locator("#palette").wait_for(state="detached")
        assert page.locator("#settings [name=heat]").is_checked()
        page.keyboard.press("Control+k")
        page.keyboard.type("to ru")
        page.keyboard.press("Enter")
        page.wait_for_url("**/rules")
        page.keyboard.press("Control+k")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Escape")
        page.locator("#palette").wait_for(state="detached")
