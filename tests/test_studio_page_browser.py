"""The view of a page in a real browser: every action, without a complaint."""

import re
import time
from pathlib import Path

import pytest

from studio_server import Served, browser, drag, served, window

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


@pytest.fixture
def view(studio: Served, browser):
    """The view of the first page, marked."""
    with window(browser) as shown:
        shown.page.goto(studio.url("/page/1"))
        shown.page.wait_for_selector("#page[data-ready]")
        yield shown.page


def block(view, number: int):
    return view.frame_locator("#frame").locator(f'dh-b[data-b="{number}"]').first


def first(view, verdict: str) -> int:
    mark = view.frame_locator("#frame").locator(f'dh-b[data-m^="{verdict}"]').first
    return int(mark.get_attribute("data-b"))


def test_blocks_are_marked_and_the_outcome_is_beside_them(view) -> None:
    kept, dropped = block(view, first(view, "keep")), block(view, first(view, "drop"))
    lines = [each.evaluate("e => getComputedStyle(e).textDecorationStyle") for each in (kept, dropped)]
    assert len(set(lines)) == 2, "verdicts differ by form, not only by colour"
    assert kept.inner_text() in view.locator("#outcome").inner_text()
    assert view.locator("#page-legend").inner_text().startswith("kept")


def test_hovering_shows_why(view) -> None:
    block(view, first(view, "keep")).hover()
    view.locator("#details .why", has_text="Kept: ").wait_for()
    assert not view.locator("#details .bars").is_visible(), "the sum is folded"
    block(view, first(view, "keep")).click()  # so that it stays while the pointer moves on
    view.locator("#details summary").press("Enter")
    view.locator("#details .bars").wait_for()
    numbers = view.locator("#details .bars .number").all_inner_texts()
    base, *parts, total = (float(each.split(" ")[0].replace("−", "-")) for each in numbers)
    assert abs(base + sum(parts) - total) < 0.05 * (len(parts) + 2), "each is rounded"
    assert view.locator("#outcome .hovered").count() == 1


def test_both_sides_select_each_other(view) -> None:
    number = first(view, "keep")
    block(view, number).click()
    assert view.locator("#outcome .selected").first.get_attribute("data-b") == str(number)
    view.locator("#outcome .b").last.click()
    last = view.locator("#outcome .b").last.get_attribute("data-b")
    assert block(view, int(last)).get_attribute("data-selected") == ""
    assert block(view, number).get_attribute("data-selected") is None


def test_keys_move_extend_and_clear_the_selection(view) -> None:
    view.keyboard.press("Home")
    view.keyboard.press("j")
    view.keyboard.press("J")
    selected = view.frame_locator("#frame").locator("dh-b[data-selected]")
    assert {each.get_attribute("data-b") for each in selected.all()} == {"1", "2"}
    view.keyboard.press("Escape")
    assert selected.count() == 0


def test_the_slider_applies_at_once_and_is_kept_in_the_address(view) -> None:
    before = view.locator("#outcome").inner_text()
    for _ in range(10):
        view.keyboard.press(".")
    view.wait_for_function("() => document.querySelector('#settings [name=favour]').value === '1'")
    view.wait_for_function("before => document.getElementById('outcome').innerText !== before", arg=before)
    assert "with-favour=1" in view.url
    view.reload()
    view.wait_for_selector("#page[data-ready]")
    assert view.locator("#settings [name=favour]").input_value() == "1"


def test_methods_and_formats_can_be_chosen(view) -> None:
    view.locator("#settings [name=method]").select_option("keep-all")
    view.wait_for_function(
        "() => !document.getElementById('frame').contentDocument.querySelector('dh-b[data-m^=drop]')"
    )
    assert view.locator("#settings [name=favour]").is_disabled()
    view.keyboard.press("Escape")
    view.keyboard.press("2")
    view.wait_for_function("() => document.getElementById('outcome').innerText.includes('# ')")
    view.keyboard.press("3")
    view.wait_for_function("() => document.getElementById('outcome').innerText.startsWith('{')")
    view.keyboard.press("6")
    view.wait_for_function("() => document.getElementById('outcome').innerText.startsWith('document')")


def test_a_tab_without_text_asks_for_none_and_the_text_is_up_to_date_afterwards(view) -> None:
    requests: list[str] = []
    view.on("request", lambda request: requests.append(request.url))
    view.get_by_role("tab", name="Blocks").click()
    with view.expect_response(lambda response: "format=none" in response.url):
        view.locator("#settings [name=method]").select_option("keep-all")
    view.wait_for_function("() => !document.querySelector('[data-m^=drop].block-row')")
    view.get_by_role("tab", name="Text").click()
    view.locator("#outcome", has_text=block(view, 0).inner_text()).wait_for()
    asked = len(requests)
    view.get_by_role("tab", name="Blocks").click()
    view.get_by_role("tab", name="Text").click()
    assert len(requests) == asked, "nothing changed meanwhile"


def test_heat_shows_probabilities(view) -> None:
    kept = block(view, first(view, "keep"))
    ground = "e => getComputedStyle(e).backgroundColor"
    before = kept.evaluate(ground)
    view.keyboard.press("H")
    assert kept.evaluate(ground) != before


def test_the_list_of_blocks_reaches_what_the_page_does_not_show(view) -> None:
    view.keyboard.press("4")
    view.locator("#block-list .block-row").first.wait_for()
    total = view.evaluate("() => document.querySelectorAll('#block-list .block-row').length")
    view.locator("#block-filter [name=which]").select_option("keep")
    view.wait_for_function(
        "total => document.querySelectorAll('#block-list .block-row').length < total && "
        "document.querySelector('#block-list .block-row')",
        arg=total,
    )
    row = view.locator("#block-list .block-row").nth(1)
    row.click()
    number = row.get_attribute("data-b")
    assert row.get_attribute("aria-selected") == "true"
    assert block(view, int(number)).get_attribute("data-selected") == ""
    view.locator("#block-filter [name=words]").fill("no such words")
    view.wait_for_function("() => !document.querySelector('#block-list .block-row')")
    assert view.locator("#block-count").inner_text().startswith("0 of")


def test_two_methods_are_compared_word_by_word(view) -> None:
    view.keyboard.press("5")
    view.locator("#compare [name=method]").select_option("keep-all")
    view.locator("#diff ins").first.wait_for()
    assert "words in both" in view.locator("#diff-facts").inner_text()
    columns = view.locator("#diff.columns")
    assert columns.count() == 1
    view.locator("#compare [name=columns]").uncheck()
    columns.wait_for(state="detached")
    view.locator("#diff").focus()
    view.keyboard.press("d")
    assert view.locator("#diff .current").count() == 1
    assert view.locator("#diff .fold").count() or view.locator("#diff .diff-row").count() > 1


def test_the_text_of_another_tool_is_pasted_or_read_from_a_file(view, tmp_path) -> None:
    own = view.locator("#outcome").inner_text()
    view.locator("#tab-compare").click()
    view.locator("#compare [name=with]").select_option("text")
    view.locator("#compare [name=text]").fill(own)
    view.get_by_text("No word differs.").wait_for()
    file = tmp_path / "other.txt"
    file.write_text(own.replace("tea", "<img src=x onerror=alert(1)>coffee"), "utf-8")
    view.locator("#compare [name=file]").set_input_files(file)
    view.locator("#diff ins").first.wait_for()
    assert view.locator("#diff img").count() == 0
    assert "F1" in view.locator("#diff-facts").inner_text()


def position(view) -> str:
    view.wait_for_selector("#page[data-ready]")
    view.wait_for_function("() => document.getElementById('position').textContent")
    return view.locator("#position").inner_text().split(" / ")[0]


def test_pages_of_the_list_follow_each_other(view, studio: Served) -> None:
    view.goto(f"{studio.address}/page/2?sort=id&descending=yes")
    before = int(position(view))
    with view.expect_navigation():
        view.keyboard.press("]")
    assert int(position(view)) == before + 1
    assert view.url.startswith(f"{studio.address}/page/1?sort=id&descending=yes")
    with view.expect_navigation():
        view.locator("#previous").click()
    assert int(position(view)) == before
    assert view.url.startswith(f"{studio.address}/page/2?")


def test_a_page_is_turned_before_its_neighbours_are_known(studio: Served, browser) -> None:
    def late(route) -> None:
        time.sleep(0.5)
        route.fallback()

    with window(browser) as shown:
        shown.page.route("**/neighbours?*", late)
        shown.page.goto(studio.url("/page/1"))
        shown.page.wait_for_selector("#page[data-ready]")
        shown.page.keyboard.press("]")
        shown.page.wait_for_url("**/page/2**")


def test_both_sides_scroll_together(studio: Served, browser) -> None:
    with window(browser, height=500) as shown:
        shown.page.goto(studio.url("/page/1"))
        shown.page.wait_for_selector("#page[data-ready]")
        shown.page.locator("#panel-outcome").hover()
        shown.page.mouse.wheel(0, 400)
        shown.page.wait_for_function(
            "() => document.getElementById('frame').contentDocument.scrollingElement.scrollTop > 0"
        )


LEAF = "The leaves of the first harvest are picked by hand in April, when the buds are still closed. "
SPAM = "Cheap pills and online casinos are what people who read about tea look for, day and night."
ODD = f"""<html><head><title>Odd</title><link rel=stylesheet href=tea.css>
<style>body {{ display: none !important }}</style>
</head><body><h1>Tea</h1><p class="first">{LEAF * 4}</p><p style="font-size:0">{SPAM}</p><p>{LEAF} Steamed.</p>
<p style="display:none">A note that is not displayed.</p><select><option>One choice</option></select>
<p>All rights belong to the house.</p></body></html>"""


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """A page that hides itself and some of its text, with a style sheet and a gold text beside it."""
    folder = tmp_path_factory.mktemp("odd")
    (folder / "odd.html").write_text(ODD, "utf-8")
    (folder / "tea.css").write_text(".first { color: rgb(1, 2, 3) }", "utf-8")
    (folder / "odd.txt").write_text(f"<h> Tea\n<p> {LEAF * 4}\n<p> All rights belong to the house.", "utf-8")
    with served(folder / "project", [str(folder / "odd.html")]) as running:
        yield running


@pytest.fixture
def odd_view(odd: Served, browser):
    with window(browser) as shown:
        shown.page.goto(odd.url("/page/1"))
        shown.page.wait_for_selector("#page[data-ready]")
        yield shown.page


def test_a_page_that_waits_for_scripts_is_shown_with_its_sheets(odd_view) -> None:
    assert block(odd_view, 0).is_visible()
    assert block(odd_view, 1).evaluate("e => getComputedStyle(e).color") == "rgb(1, 2, 3)"


def test_hidden_text_is_reached_through_the_list(odd_view) -> None:
    odd_view.keyboard.press("4")
    rows = odd_view.locator("#block-list .block-row")
    odd_view.locator("#block-filter [name=which]").select_option("nowhere")
    rows.filter(has_text="A note that is not displayed.").wait_for()
    rows.filter(has_text="One choice").click()
    assert "One choice" in odd_view.locator("#details .excerpt").inner_text()
    odd_view.locator("#block-filter [name=which]").select_option("hidden")
    hidden = rows.filter(has_text="Cheap pills")
    hidden.wait_for()
    hidden.click()
    odd_view.get_by_text("Readers of the page do not see it").wait_for()


def test_gold_shows_what_is_missing_and_too_much(odd_view) -> None:
    odd_view.locator("#gold-switch").wait_for()
    missing = odd_view.frame_locator("#frame").locator('dh-b[data-gold="missing"]')
    odd_view.locator("#settings [name=method]").select_option("keep-all")
    odd_view.frame_locator("#frame").locator('dh-b[data-gold="extra"]').first.wait_for()
    assert missing.count() == 0
    assert odd_view.locator("#gold-extra").inner_text().strip() != "0 words"
    odd_view.keyboard.press("Escape")
    odd_view.keyboard.press("g")
    assert odd_view.frame_locator("#frame").locator("dh-b[data-gold]").count() == 0
    odd_view.locator("#tab-compare").click()
    odd_view.locator("#diff-facts").filter(has_text="gold text odd.txt").wait_for()
    odd_view.locator("#diff del").first.wait_for()


def test_the_site_is_named_and_used(studio: Served, browser) -> None:
    row = studio.studio.project.reading.execute(
        "SELECT id FROM page WHERE host IN (SELECT host FROM page WHERE host != '' GROUP BY 1 HAVING count(*) > 2)"
    ).fetchone()
    with window(browser) as shown:
        shown.page.goto(studio.url(f"/page/{row['id']}"))
        shown.page.wait_for_selector("#page[data-ready]")
        shown.page.locator("#settings [name=site]").check()
        shown.page.wait_for_function("() => document.getElementById('frame').contentDocument")
        block(shown.page, 0).hover()
        shown.page.locator("#details").filter(has_text="Site: ").wait_for()
        shown.page.locator("#details .bars").filter(has_text="repeated on the site").wait_for(state="attached")
        shown.page.locator("#settings [name=method]").select_option("site")
        shown.page.wait_for_function("() => location.search.includes('with-method=site')")


def selected(view) -> set[int]:
    marks = view.frame_locator("#frame").locator("dh-b[data-selected]").all()
    return {int(mark.get_attribute("data-b")) for mark in marks}


def place(view, number: int) -> tuple[float, float]:
    """Return a point of the window in a block; Playwright's `bounding_box` would try to run a script in the frame."""
    return tuple(
        view.evaluate(
            """number => {
              const frame = document.getElementById('frame');
              const outer = frame.getBoundingClientRect();
              const inner = frame.contentDocument.querySelector(`dh-b[data-b="${number}"]`).getBoundingClientRect();
              const scale = outer.width / frame.clientWidth;
              return [outer.left + scale * (inner.left + 3), outer.top + scale * (inner.top + 3)];
            }""",
            number,
        )
    )


def test_blocks_are_selected_by_dragging_and_with_modifiers(view) -> None:
    drag(view, place(view, 8), place(view, 11))
    assert selected(view) == {8, 9, 10, 11}
    block(view, 9).click(modifiers=["Control"])
    assert selected(view) == {8, 10, 11}
    block(view, 12).click(modifiers=["Shift"])
    assert selected(view) == {9, 10, 11, 12}
    view.keyboard.press("j")  # the frame has the focus; its keys are the studio's
    assert selected(view) == {13}


def test_links_and_forms_of_the_page_lead_nowhere(view) -> None:
    before = view.evaluate("() => document.getElementById('frame').contentDocument.URL")
    for link in view.frame_locator("#frame").locator("a dh-b").all()[:3]:
        link.click()
    assert view.evaluate("() => document.getElementById('frame').contentDocument.URL") == before


def test_settings_are_reset_and_the_splitter_moves_by_keys(view) -> None:
    view.locator("#settings [name=style]").select_option("whole")
    view.wait_for_function("() => location.search.includes('with-style=whole')")
    view.get_by_role("button", name="Reset").click()
    view.wait_for_function("() => location.search.includes('with-style=auto')")
    width = "() => document.getElementById('frame').getBoundingClientRect().width"
    before = view.evaluate(width)
    view.locator("#splitter").focus()
    view.keyboard.press("ArrowLeft")
    view.wait_for_function(f"before => ({width})() < before", arg=before)


def test_the_address_with_wrong_settings_says_so(studio: Served, view) -> None:
    for path in ("outcome?favour=2", "outcome?method=none", "outcome?favour=x", "outcome?format=pdf", "reason/9999"):
        answer = view.request.get(f"{studio.address}/api/page/1/{path}")
        assert answer.status in (400, 404)
        assert answer.json()["error"]


def test_a_page_whose_file_changed_says_so(tmp_path, browser) -> None:
    file = tmp_path / "tea.html"
    file.write_text(ODD, "utf-8")
    with served(tmp_path / "project", [str(file)]) as running:
        file.write_text("<p>Other</p>", "utf-8")
        context = browser.new_context()  # not a `window`: the browser itself reports the refused requests
        page = context.new_page()
        page.goto(running.url("/page/1"))
        page.locator("#outcome").filter(has_text="has changed since its pages were added").wait_for()
        context.close()


def test_a_page_turn_loads_no_static_file_and_asks_for_each_thing_once(view, studio: Served) -> None:
    session = view.context.new_cdp_session(view)
    sent, cached = {}, set()
    session.on("Network.requestWillBeSent", lambda event: sent.update({event["requestId"]: event["request"]["url"]}))
    session.on("Network.requestServedFromCache", lambda event: cached.add(event["requestId"]))
    session.on(
        "Network.responseReceived",
        lambda event: cached.add(event["requestId"]) if event["response"]["fromDiskCache"] else None,
    )
    session.send("Network.enable")
    for _ in range(100):
        if studio.studio.ahead[0] == 2:
            break
        view.wait_for_timeout(50)
    assert studio.studio.ahead[0] == 2, "the next page is prepared"
    view.wait_for_load_state("networkidle")
    sent.clear()
    view.keyboard.press("]")
    view.wait_for_url("**/page/2*")
    view.wait_for_selector("#correct[data-ready]", state="attached")
    view.wait_for_load_state("networkidle")
    paths = [url.removeprefix(studio.address).partition("?")[0] for number, url in sent.items() if number not in cached]
    asked = [path for path in paths if path != "/api/page/3/ahead"]
    assert sorted(asked) == ["/api/page/2/labels", "/api/page/2/outcome", "/frame/2", "/page/2"]
    assert len(cached) > 20, "modules and styles"


def test_the_element_that_the_sentence_quotes_is_outlined_while_its_block_is_selected(view) -> None:
    view.get_by_role("tab", name="Blocks").click()
    outlined = view.frame_locator("#frame").locator("[data-deciding]")
    seen = 0
    view.keyboard.press("Home")
    for _ in range(12):
        view.wait_for_function("() => document.querySelector('#details .why')")
        why = view.locator("#details .why").inner_text()
        if quoted := re.search(r"<(\w+)", why):
            outlined.wait_for()
            assert outlined.count() == 1
            assert outlined.evaluate("e => e.localName") == quoted[1]
            seen += 1
        view.keyboard.press("j")
    assert seen > 3
    view.keyboard.press("Escape")
    assert outlined.count() == 0


def test_keys_go_to_unsure_and_kept_blocks_and_to_those_that_the_comparison_decides_otherwise(view) -> None:
    def cursor() -> int:
        return int(view.frame_locator("#frame").locator("dh-b[data-selected]").first.get_attribute("data-b") or -1)

    def marks(start: str) -> list[int]:
        every = view.frame_locator("#frame").locator(f"dh-b[data-m{start}]")
        return sorted({int(each) for each in every.evaluate_all("all => all.map((e) => e.dataset.b)")})

    for key, wanted in (("w", marks("^=keep")), ("s", marks("$=unsure"))):
        view.keyboard.press("Escape")
        if not wanted:
            view.keyboard.press(key)
            view.locator("#toast", has_text="no unsure block").wait_for()
            continue
        found = []
        for _ in wanted:
            view.keyboard.press(key)
            found.append(cursor())
        assert found == wanted
        view.keyboard.press(key)
        assert cursor() == wanted[-1]
        if len(wanted) > 1:
            view.keyboard.press(key.upper())
            assert cursor() == wanted[-2]
    view.keyboard.press("Escape")
    view.get_by_role("tab", name="Compare").click()
    with view.expect_response(lambda answer: '"keep-all"' in (answer.request.post_data or "")) as answer:
        view.locator("#compare [name=method]").select_option("keep-all")
    assert all(answer.value.json()["kept"])
    view.locator("#diff-facts", has_text="only in the other").wait_for()
    view.locator("#page-legend").click(position={"x": 2, "y": 2})
    view.keyboard.press("y")
    view.wait_for_function("() => document.getElementById('frame').contentDocument.querySelector('[data-selected]')")
    assert cursor() == marks("^=drop")[0]


LONG_MENU = "".join(f"<li><a href=/{n}>Menu item {n}</a></li>" for n in range(120))
STORY = "".join(
    f"<p>{text}</p>" for text in ("Green tea turns bitter if the water is too hot for its leaves. " * 4,) * 5
)
COVER = "<style>#c{position:fixed;inset:0;background:#888;z-index:9}</style><div id=c></div>"


@pytest.fixture
def far_pages(tmp_path, browser):
    pages = {"1-far": "", "2-covered": COVER, "3-unseen": "<style>article{display:none}</style>"}
    for name, more in pages.items():
        body = f"<title>Tea</title>{more}<nav><ul>{LONG_MENU}</ul></nav><article><h1>Tea</h1>{STORY}</article>"
        (tmp_path / f"{name}.html").write_text(body, "utf-8")
    names = [str(tmp_path / f"{name}.html") for name in pages]
    with served(tmp_path / "project", names) as studio, window(browser) as shown:
        yield studio, shown.page


REACHED = """() => {
  const inner = document.getElementById("frame").contentDocument;
  const first = inner.querySelector("dh-b[data-m^=keep]"), box = first.getClientRects()[0];
  const isInView = box.top >= 0 && box.bottom <= inner.defaultView.innerHeight;
  return isInView && first.contains(inner.elementFromPoint(box.left + 4, box.top + 4));
}"""


def test_a_page_opens_at_its_first_kept_text_at_the_width_of_a_desktop(far_pages) -> None:
    studio, page = far_pages
    page.goto(studio.url("/page/1"))
    page.wait_for_selector("#page[data-ready]")
    frame = page.locator("#frame")
    assert page.evaluate(REACHED)
    assert frame.evaluate("e => e.contentWindow.scrollY") > 0
    assert frame.evaluate("e => e.contentWindow.innerWidth") == 1280
    assert frame.bounding_box()["width"] < 1280, "it is scaled to the room there is"
    assert page.locator("#plain").get_attribute("aria-pressed") == "false"
    first = int(page.frame_locator("#frame").locator("dh-b[data-m^=keep]").first.get_attribute("data-b"))
    page.mouse.click(*place(page, first))
    assert block(page, first).get_attribute("data-selected") == "", "a click is where the text is"


def test_an_address_names_a_block(studio, view) -> None:
    view.goto(f"{studio.address}/page/1#block-7")
    view.reload()  # only the fragment may differ from where the view was
    view.wait_for_selector("#page[data-ready]")
    assert block(view, 7).get_attribute("data-selected") == ""


@pytest.mark.parametrize("number", [2, 3])
def test_a_page_whose_text_is_covered_or_unseen_is_shown_in_a_plain_layout(far_pages, number: int) -> None:
    studio, page = far_pages
    page.goto(studio.url(f"/page/{number}"))
    page.wait_for_selector("#page[data-ready]")
    page.locator("#toast", has_text="plain layout").wait_for()
    assert page.locator("#plain").get_attribute("aria-pressed") == "true"
    assert page.evaluate(REACHED)
    page.keyboard.press("P")
    assert page.locator("#plain").get_attribute("aria-pressed") == "false"
    assert number == 3 or not page.evaluate(REACHED)
    page.locator("#plain").click()
    assert page.evaluate(REACHED)


def test_a_page_is_saved_as_one_file_that_shows_its_reasons(view, browser, tmp_path) -> None:
    with view.expect_download() as saved:
        view.get_by_role("link", name="Save as a file").click()
    path = tmp_path / "explained.html"
    saved.value.save_as(path)
    assert saved.value.suggested_filename.endswith("-explained.html")
    context = browser.new_context(java_script_enabled=False)
    try:
        page, asked = context.new_page(), []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri())
        assert asked == [path.as_uri()]
        assert "Kept: " in page.content()
    finally:
        context.close()
