"""The studio in a real browser: every view and every action, without a complaint."""

from pathlib import Path

import pytest

from studio_server import Served, browser, served, window

pytest.importorskip("starlette", reason="the extra studio is not installed")
pytest.importorskip("uvicorn", reason="the extra studio is not installed")

__all__ = ["browser"]
EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    with served(
        tmp_path_factory.mktemp("studio") / "project",
        [str(EXAMPLES / name) for name in ("tea.html", "tea-magazine", "tea-room")],
    ) as running:
        yield running


def test_the_table_lists_the_pages(studio: Served, browser) -> None:
    with window(browser) as shown:
        shown.page.goto(studio.url())
        shown.page.get_by_role("link", name="Tea").first.wait_for()
        assert "key=" not in shown.page.url


def test_a_page_shows_itself_and_its_text(studio: Served, browser) -> None:
    with window(browser) as shown:
        shown.page.goto(studio.url("/page/1"))
        shown.page.frame_locator("#frame").locator("dh-b").first.wait_for()
        shown.page.wait_for_function("() => document.getElementById('outcome').textContent.length > 50")


def test_an_answer_that_is_cut_off_is_none(studio: Served, browser) -> None:
    with window(browser) as shown:
        shown.page.goto(studio.url())
        shown.page.get_by_role("link", name="Tea").first.wait_for()
        outcome = shown.page.evaluate(
            """async () => {
                const { ask } = await import(document.querySelector("script[src]").src);
                const own = window.fetch;
                window.fetch = async () => new Response('{"kept": [1,', { status: 200 });
                try { return await ask("/api/pages"); }
                catch (error) { return error.name; }
                finally { window.fetch = own; }
            }"""
        )
        assert outcome == "SyntaxError"
