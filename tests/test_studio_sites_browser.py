"""The views of sites in a real browser: every action, without a complaint."""

from pathlib import Path

import pytest

from made_sites import FOOTER, HOST, MENU, article, page, site, write
from studio_server import Served, browser, served, window

pytest.importorskip("starlette", reason="the extra studio is not installed")
pytest.importorskip("uvicorn", reason="the extra studio is not installed")

__all__ = ["browser"]
MAGAZINE = Path(__file__).parent.parent / "examples" / "tea-magazine"
LEAF = "leaf.example"
INDEX = "Stories about tea | The Leaf"
HOSTILE = "<img src=x onerror=alert(1)>"
VIEWS = ("template", "structure", "grey", "information", "methods")
READY = 20_000


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    """Two sites to learn, one of two pages; a page of it tries to run scripts in every view."""
    root = tmp_path_factory.mktemp("sites")
    pages = site(6)
    escaped = HOSTILE.replace("<", "&lt;")
    extra = f'<div class="x&quot;>{escaped}" id="{escaped}"><p>{escaped} {escaped}</p>{HOSTILE}</div>'
    pages[1] = page([escaped, *article(1)], name=escaped, extra=extra)
    pages[2] = page([escaped, *article(2)], name="page2", extra=extra)
    write(root / "big", pages)
    write(root / "small", site(2, first=50, host="small.example"))
    with served(root / "project", [str(root / "big"), str(root / "small"), str(MAGAZINE)]) as running:
        yield running


def learn(studio: Served, host: str) -> None:
    """Learn a site without the browser, unless that was done."""
    from dehusk.studio.site_learning import SiteLearning
    from dehusk.studio.site_store import learned_record

    if learned_record(studio.studio.project, host) is None:
        assert SiteLearning(studio.studio.project, host).run().state == "done"


def open_view(shown, studio: Served, host: str, name: str, title: str = ""):
    shown.page.goto(studio.url("/sites"))
    shown.page.goto(f"{studio.address}/site/{host}?view={name}")
    ready(shown.page, name)
    if title:
        shown.page.locator("#pages").select_option(label=title, timeout=READY)
        ready(shown.page, name)
    return shown.page


def test_pages_beyond_the_list_are_found_by_a_search_and_by_turning(studio: Served, browser, monkeypatch) -> None:
    monkeypatch.setattr("dehusk.studio.site_rows._MOST_LISTED", 4)
    learn(studio, HOST)
    with window(browser) as shown:
        page = open_view(shown, studio, HOST, "template")
        names = page.locator("#pages option")
        assert names.count() == 4
        first = page.locator("#pages").input_value()
        for _ in range(5):
            page.keyboard.press("]")
            page.wait_for_function("(before) => document.getElementById('pages').value !== before", arg=first)
            first = page.locator("#pages").input_value()
            ready(page, "template")
        assert int(first) >= 6
        page.evaluate("document.getElementById('find-page').hidden = false")  # as on a site of more than 20 pages
        page.keyboard.press("/")
        page.keyboard.type("page5")
        page.wait_for_function("() => document.getElementById('pages').options.length === 1")
        assert "page5" in page.locator("#pages option").first.inner_text()
        ready(page, "template")
        page.keyboard.type(" nothing")
        page.locator("#toast").filter(has_text="no page of the site has these words").wait_for()


def ready(view, name: str) -> None:
    view.wait_for_selector(f"#site[data-ready={name}]", timeout=READY)


@pytest.fixture
def at(studio: Served, browser):
    """A function that opens a view of a learned site in one window."""
    learn(studio, HOST)
    learn(studio, LEAF)
    with window(browser) as shown:
        yield lambda host, name, title="": open_view(shown, studio, host, name, title)


def mark(view, text: str):
    return view.frame_locator("#frame").locator("dh-b", has_text=text).first


def test_sites_are_listed_sorted_and_searched(studio: Served, browser) -> None:
    with window(browser) as shown:
        shown.page.goto(studio.url("/sites"))
        rows = shown.page.locator("#sites tbody tr")
        shown.page.get_by_role("link", name=LEAF).wait_for()
        assert rows.count() == 3
        assert "needs 5 pages" in rows.filter(has_text="small.example").inner_text()
        shown.page.get_by_role("button", name="Site", exact=True).click()
        shown.page.wait_for_selector("th[data-sort=host][aria-sort=ascending]")
        assert rows.first.locator("a").inner_text() == LEAF
        shown.page.keyboard.press("j")
        shown.page.keyboard.press("j")
        assert shown.page.evaluate("document.activeElement.textContent") == "small.example"
        shown.page.keyboard.press("/")
        shown.page.keyboard.type("tea")
        shown.page.wait_for_function("() => document.querySelectorAll('#sites tbody tr').length === 1")
        rows.first.locator("a").click()
        shown.page.wait_for_url(f"**/site/{HOST}*")


def test_a_site_with_too_few_pages_says_what_to_do(studio: Served, browser) -> None:
    with window(browser) as shown:
        shown.page.goto(studio.url("/site/small.example"))
        shown.page.get_by_text("Too few pages").wait_for()
        assert "add more pages" in shown.page.locator("#notice").inner_text()
        assert shown.page.locator("#learn").is_hidden()


def test_a_site_is_learned_in_the_background_and_can_be_cancelled(studio: Served, browser) -> None:
    with window(browser) as shown:
        view = shown.page
        view.goto(studio.url(f"/site/{LEAF}"))
        view.get_by_text("not learned yet").wait_for()
        view.keyboard.press("L")
        view.get_by_role("button", name="Cancel").click()
        view.get_by_text("Cancelled").wait_for()
        assert view.locator("#panes").is_hidden()
        view.get_by_role("button", name="Learn the site").click()
        ready(view, "template")
        assert "learned from 7 of 7 pages" in view.locator("#learned").inner_text()
        view.goto(f"{studio.address}/sites")
        view.get_by_text("learned from 7 pages").wait_for()


def test_learning_again_replaces_what_is_shown(at) -> None:
    view = at(LEAF, "structure")
    view.evaluate("() => { document.querySelector('.tree').dataset.old = ''; }")
    view.get_by_role("button", name="Learn again").click()
    view.wait_for_selector(".tree:not([data-old])", timeout=READY)
    ready(view, "structure")


def test_a_page_that_came_later_is_named(at, studio: Served, tmp_path: Path) -> None:
    from dehusk.studio.adding import Adding
    from dehusk.studio.sources import find_sources

    learn(studio, HOST)
    later = write(tmp_path, [page(article(90), name="later")])
    Adding(studio.studio.project, find_sources([str(later)]), workers=1).run()
    view = at(HOST, "template", "later")
    assert "not learned from this page" in view.locator("#notice").inner_text()
    assert "1 page came later" in view.locator("#learned").inner_text()
    assert mark(view, MENU[0]).get_attribute("data-m") == "template"
    view.keyboard.press("[")
    view.wait_for_selector("#notice", state="hidden")


@pytest.mark.parametrize("name", VIEWS)
def test_pages_are_turned_in_every_view(at, name: str) -> None:
    view = at(HOST, name)
    before = view.locator("#pages").input_value()
    view.keyboard.press("]")
    view.wait_for_function("before => document.getElementById('pages').value !== before", arg=before)
    ready(view, name)
    view.locator("#previous").click()
    view.wait_for_function("before => document.getElementById('pages').value === before", arg=before)
    ready(view, name)
    view.reload()
    ready(view, name)
    assert f"view={name}" in view.url


@pytest.mark.parametrize("name", VIEWS)
def test_hostile_content_is_shown_as_text(at, name: str) -> None:
    view = at(HOST, name, HOSTILE)
    assert view.locator("#site img, #site script").count() == 0
    if name != "methods":
        mark(view, HOSTILE).click()
    view.keyboard.press("j")
    assert view.evaluate("document.querySelectorAll('#site [onerror]').length") == 0
    if name in ("grey", "information"):
        assert HOSTILE in view.locator("#panel").inner_text()


def test_the_template_map_shows_how_often_blocks_occur(at) -> None:
    view = at(HOST, "template", "page0")
    assert mark(view, MENU[0]).get_attribute("data-h") == "10"
    assert mark(view, MENU[0]).get_attribute("data-m") == "template"
    own = mark(view, article(0)[0])
    assert (own.get_attribute("data-h"), own.get_attribute("data-m")) == ("0", None)
    mark(view, FOOTER).hover()
    detail = view.locator("#panel .detail")
    assert "5 of 5" in detail.inner_text()
    view.locator(".repeated button").first.click()
    assert view.frame_locator("#frame").locator("dh-b[data-selected]").count() == 1
    view.get_by_role("button", name="on about 100 % of the other pages").click()
    assert view.frame_locator("#frame").locator("dh-b[data-chosen]").count() == len(MENU) + 1
    view.keyboard.press("a")
    assert view.locator("#template-anywhere").is_checked()
    view.keyboard.press("Escape")
    assert view.frame_locator("#frame").locator("dh-b[data-selected], dh-b[data-chosen]").count() == 0


def test_the_structure_tree_and_the_page_select_each_other(at) -> None:
    view = at(HOST, "structure", "page0")
    mark(view, MENU[1]).click()
    row = view.locator('.tree-row[aria-selected="true"]')
    row.wait_for()
    assert "0.00" in row.inner_text()
    view.get_by_text("Mean NodeImp 0.00").wait_for()
    main = view.get_by_role("treeitem").filter(has_text="div.main").first
    main.click()
    chosen = view.frame_locator("#frame").locator("dh-b[data-chosen]")
    assert {each.inner_text() for each in chosen.all()} == set(article(0))
    main.focus()
    view.keyboard.press("ArrowLeft")
    folded = main.get_attribute("aria-expanded")
    view.keyboard.press("ArrowRight")
    assert (folded, main.get_attribute("aria-expanded")) in (("false", "true"), (None, None))
    view.keyboard.press("Home")
    assert "root" in view.evaluate("document.activeElement.textContent")


def useless(view) -> list[str]:
    return view.evaluate(
        "() => [...document.getElementById('frame').contentWindow.CSS.highlights.get('useless')].map(String)"
    )


def test_the_surface_colours_the_page_at_any_cut_point(at) -> None:
    view = at(HOST, "grey", "page0")
    facts = view.locator("#panel .detail")
    assert "Cut point" in facts.inner_text()
    assert FOOTER in useless(view)
    assert article(0)[0] not in useless(view)
    assert view.locator("svg.surface .path").count() == 2
    view.get_by_role("button", name="cut of the method").click()
    view.get_by_text("The method's own: 32-grams").wait_for()
    before = view.locator(".grey-page").inner_text()
    box = view.locator("svg.surface .ground").bounding_box()
    view.mouse.move(box["x"] + 12, box["y"] + 5)
    view.wait_for_function("() => document.querySelector('.readout').textContent.includes('A = ')")
    view.mouse.down()
    view.mouse.up()
    view.get_by_text("alternations in all documents").wait_for()
    assert view.locator(".grey-page").inner_text() == before or view.locator(".grey-page i").count() > 0
    view.get_by_label("Step of the search").fill("0")
    view.get_by_text("Cut point (2, 1)").wait_for()
    view.get_by_label("n", exact=True).fill("20")
    view.get_by_text("Cut point (20, 1)").wait_for()


def test_wisdom_shows_its_tree_and_its_blocks_at_any_setting(at) -> None:
    view = at(HOST, "information", "page0")
    assert mark(view, article(0)[0]).get_attribute("data-m") == "article"
    mark(view, article(0)[1]).click()
    assert article(0)[1] in view.locator('.tree-row[aria-selected="true"]').inner_text()
    view.locator(".found button").first.click()
    assert view.frame_locator("#frame").locator("dh-b[data-chosen]").count() > 0
    found = view.locator(".found li")
    before = found.count()
    with view.expect_response(lambda answer: "st=1" in answer.url):
        view.locator("[name=st]").fill("1")  # no node is filled more evenly than 1: only leaves are blocks
    view.wait_for_function("before => document.querySelectorAll('.found li').length !== before", arg=before)
    assert view.evaluate("document.activeElement.name") == "st", "one can go on typing"
    view.locator("[name=st]").fill("")
    view.wait_for_function("before => document.querySelectorAll('.found li').length === before", arg=before)
    view.get_by_label("shade by").uncheck()
    assert mark(view, article(0)[0]).get_attribute("data-h") is None


def test_wisdom_finds_the_contents_of_the_magazine(at) -> None:
    view = at(LEAF, "information", INDEX)
    assert mark(view, "Why a kettle sings").get_attribute("data-m") == "toc"
    assert "TOC" in view.locator(".found").inner_text()


def test_five_methods_scroll_together(at) -> None:
    view = at(HOST, "methods", "page0")
    frames = view.locator(".small-frame iframe")
    assert frames.count() == 5
    kept = [frame.content_frame.locator('dh-b[data-m="keep"]').count() for frame in frames.all()]
    assert all(kept)
    frames.first.content_frame.locator("dh-b", has_text=FOOTER).hover()
    for frame in frames.all():
        assert frame.content_frame.locator("dh-b[data-hover]").count() == 1
    assert view.locator(".method-foot .badge").count() == 5
    frames_of = "[...document.querySelectorAll('.small-frame iframe')].map(frame => frame.contentDocument)"
    view.evaluate(f"() => {frames_of}.forEach(page => {{ page.body.style.height = '9000px'; }})")
    box = view.locator(".small-frame").nth(2).bounding_box()
    view.mouse.move(box["x"] + 40, box["y"] + 300)
    view.mouse.wheel(0, 200)
    view.wait_for_function(f"() => {frames_of}.every(page => page.scrollingElement.scrollTop > 50)")
    tops = view.evaluate(f"() => {frames_of}.map(page => page.scrollingElement.scrollTop)")
    assert max(tops) - min(tops) <= 1


def test_tabs_are_chosen_by_keys(at) -> None:
    view = at(HOST, "template")
    for number, name in enumerate(VIEWS, 1):
        view.keyboard.press(str(number))
        ready(view, name)
        assert view.locator("[role=tab][aria-selected=true]").get_attribute("data-view") == name


@pytest.mark.parametrize("dark", [False, True])
def test_views_fit_a_narrow_window(studio: Served, browser, dark: bool) -> None:
    learn(studio, HOST)
    with window(browser, width=900, dark=dark) as shown:
        for name in VIEWS:
            view = open_view(shown, studio, HOST, name)
            assert view.evaluate("document.documentElement.scrollWidth") <= 900
