"""Labels in a real browser: every key and every action, without a complaint."""

import json
import sqlite3
import time
from contextlib import closing

import pytest

from studio_server import Served, browser, served, window
from test_studio_correct import PAGES

pytest.importorskip("starlette", reason="the extra studio is not installed")
pytest.importorskip("uvicorn", reason="the extra studio is not installed")

__all__ = ["browser"]
HEADER, LIST, PARAGRAPH, CONTINUATION, OTHER = range(5)


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    for name, html in PAGES.items():
        (folder / name).write_text(html, "utf-8")
    with served(tmp_path_factory.mktemp("studio") / "project", [str(folder)]) as running:
        yield running


@pytest.fixture
def studio(running: Served, request):
    """The studio of all tests; each test is another annotator."""
    running.studio.annotator = request.node.name
    return running


@pytest.fixture
def shown(studio: Served, browser):
    """A window with the page of the kettle, ready to be corrected."""
    with window(browser) as shown:
        open_page(shown.page, studio, "kettle.html")
        shown.page.keyboard.press("m")
        shown.page.wait_for_selector("#correct:not([hidden])")
        yield shown


@pytest.fixture
def view(shown):
    """The page of that window."""
    return shown.page


def until(view, condition) -> None:
    """Wait until something is so outside of the page."""
    end = time.monotonic() + 30
    while not condition() and time.monotonic() < end:
        view.wait_for_timeout(20)
    assert condition()


def forgive(shown, words: str) -> None:
    """Wait for a complaint with some words, and allow it; all others still fail the test."""
    shown.allow(words)
    until(shown.page, lambda: any(words in each for each in shown.complaints))


def number(studio: Served, name: str) -> int:
    rows = studio.studio.project.reading.execute("SELECT id, name FROM page").fetchall()
    return next(row["id"] for row in rows if name.partition(".")[0] in row["name"])


def open_page(page, studio: Served, name: str, query: str = "") -> None:
    page.goto(f"{studio.url(f'/page/{number(studio, name)}')}{query}")
    page.wait_for_selector("#correct[data-ready]", state="attached")


def block(view, text: str):
    return view.frame_locator("#frame").locator("dh-b", has_text=text).first


def stored(studio: Served, name: str = "kettle.html") -> list[int]:
    from dehusk.studio.labelling import labels_of

    return labels_of(studio.studio.project, number(studio, name), studio.studio.annotator, 0).tolist()


def drag(view, first: str, last: str) -> None:
    """Drag from one block to another; `mouse.move` of Playwright waits forever for frames that run no scripts."""
    devices = view.context.new_cdp_session(view)
    for kind, text in (("mousePressed", first), ("mouseMoved", last), ("mouseReleased", last)):
        box = block(view, text).bounding_box()
        place = {"x": box["x"] + 5, "y": box["y"] + 5}
        devices.send(
            "Input.dispatchMouseEvent", {"type": kind, "button": "left", "buttons": 1, "clickCount": 1, **place}
        )


def saved(view) -> None:
    """Wait until the actions of all keys have ended, and the studio has confirmed every label."""
    view.wait_for_selector("body:not([data-busy])")
    view.wait_for_function("() => document.getElementById('label-saved').textContent === 'saved'")


def press(view, *keys: str) -> None:
    for key in keys:
        view.keyboard.press(key)


def test_keys_label_and_go_on(view, studio) -> None:
    press(view, "Home", "o", "o", "h")
    saved(view)
    assert stored(studio)[:4] == [OTHER, OTHER, HEADER, -1]
    assert block(view, "A kettle").get_attribute("data-label") == "header"
    assert block(view, "Ann").get_attribute("data-selected") == ""
    assert view.locator("#label-count").inner_text() == "3 of 10 blocks"


def test_ranges_are_labelled_and_cleared(view, studio) -> None:
    press(view, "Home", "J", "o")
    saved(view)
    assert stored(studio)[:3] == [OTHER, OTHER, -1]
    press(view, "Home", "J", "x")
    saved(view)
    assert set(stored(studio)) == {-1}


def test_clicks_and_drags_choose_what_is_labelled(shown, view, studio) -> None:
    block(view, "A kettle").click()
    press(view, "h")
    drag(view, "Home", "Shop")
    press(view, "o")
    saved(view)
    forgive(shown, "Blocked script execution")  # which the browser's remote control tries, and says some time later
    assert stored(studio)[:4] == [OTHER, OTHER, HEADER, -1]


def test_rows_of_the_list_and_places_in_the_outcome_are_labelled(view, studio) -> None:
    view.locator("#outcome .b", has_text="A kettle").click()
    press(view, "h")
    press(view, "4")
    view.locator(".block-row", has_text="Shop").click()
    press(view, "o")
    saved(view)
    assert stored(studio)[:3] == [-1, OTHER, HEADER]
    assert view.locator(".block-row", has_text="Shop").get_attribute("data-label") == "other"


def test_the_brush_labels_what_is_clicked(view, studio) -> None:
    press(view, "b", "o")
    block(view, "Home").click()
    block(view, "All rights reserved").click()
    saved(view)
    assert [stored(studio)[index] for index in (0, 1, -1)] == [OTHER, -1, OTHER]
    press(view, "b")
    block(view, "Shop").click()
    saved(view)
    assert stored(studio)[1] == -1


def test_undo_and_redo_go_all_the_way(view, studio) -> None:
    press(view, "Home", "o", "o", "h", "h", "p")
    saved(view)
    states = [stored(studio)]
    for key in ("u", "Control+z", "u", "u", "Control+z"):
        press(view, key)
        saved(view)
        states.append(stored(studio))
    assert set(states[-1]) == {-1}
    assert view.locator('#correct [data-action="undo"]').is_disabled()
    for key, state in zip(("U", "Control+Shift+Z", "Control+y", "U", "U"), states[-2::-1], strict=True):
        press(view, key)
        saved(view)
        assert stored(studio) == state


def test_a_label_that_is_given_while_an_undo_is_on_its_way_stays_on_screen(view, studio) -> None:
    press(view, "Home", "o")
    saved(view)

    def late(route) -> None:
        time.sleep(0.5)
        route.fallback()

    view.route("**/labels/undo", late)
    press(view, "u", "End", "h")
    saved(view)
    assert view.locator("#label-count").inner_text() == "1 of 10 blocks"
    assert stored(studio) == [-1] * 9 + [HEADER]


def test_suggestions_count_only_once_they_are_confirmed(view, studio) -> None:
    view.wait_for_function("() => Number(document.getElementById('suggested-count').textContent) === 10")
    assert block(view, "A kettle").get_attribute("data-label") == "header-suggested"
    assert stored(studio) == []
    press(view, "Home", "Enter")
    saved(view)
    assert sum(code >= 0 for code in stored(studio)) == 1
    press(view, "a")
    saved(view)
    assert -1 not in stored(studio)
    press(view, "u")
    saved(view)
    assert sum(code >= 0 for code in stored(studio)) == 1, "all together are one action"


def test_suggestions_are_those_of_any_method(view) -> None:
    view.locator("#settings [name=method]").select_option("keep-all")
    suggested = view.frame_locator("#frame").locator("[data-label=other-suggested]")
    suggested.first.wait_for(state="detached")
    view.locator("#suggest-from").select_option("none")
    view.wait_for_function("() => document.getElementById('suggested-count').textContent === ''")
    press(view, "Escape")
    press(view, "a")
    view.get_by_text("there is no suggestion to confirm").wait_for()


def test_blocks_without_a_label_are_found(view, studio) -> None:
    press(view, "Home", "o", "n", "n", "o", "N")
    saved(view)
    codes = stored(studio)
    assert [index for index, code in enumerate(codes) if code >= 0] == [0, 3]
    assert block(view, "A kettle").get_attribute("data-selected") == ""


def test_all_like_this_on_the_page(view, studio) -> None:
    block(view, "Ann").click()
    press(view, "t")
    view.get_by_text("3 like this on the page").wait_for()
    press(view, "h")
    saved(view)
    assert [index for index, code in enumerate(stored(studio)) if code == HEADER] == [3, 5, 7]


def test_the_unit_around_is_selected_and_left_again(view) -> None:
    selected = view.frame_locator("#frame").locator("dh-b[data-selected]")
    block(view, "Ann").click()
    press(view, "e")
    view.wait_for_function("() => document.getElementById('toast').textContent.startsWith('record: 2')")
    assert selected.count() == 2
    press(view, "e")
    view.wait_for_function("() => document.getElementById('toast').textContent.startsWith('records: 6')")
    press(view, "E", "E")
    assert selected.all_inner_texts() == ["Ann"]


def test_all_like_this_on_the_site_is_previewed_applied_and_undone_as_a_whole(view, studio) -> None:
    block(view, "Ann").click()
    press(view, "h", "k")
    block(view, "Ann").click()
    saved(view)
    press(view, "T")
    dialog = view.locator("dialog[open]")
    dialog.get_by_text("4 blocks on 1 page get the label").wait_for()
    assert stored(studio, "pot.html") == [], "nothing is changed before"
    dialog.locator("summary").click()
    assert "Gus" in dialog.locator("li").all_inner_texts()
    dialog.locator("#same-text").check()
    dialog.get_by_text("0 blocks on 0 pages").wait_for()
    assert dialog.get_by_role("button", name="Label them").is_disabled()
    dialog.locator("#same-text").uncheck()
    dialog.get_by_text("4 blocks on 1 page").wait_for()
    dialog.get_by_role("button", name="Label them").click()
    view.get_by_text("4 blocks on 1 page labelled").wait_for()
    assert stored(studio, "pot.html").count(HEADER) == 4
    press(view, "u")
    view.get_by_text("undone on 2 pages").wait_for()
    assert set(stored(studio, "pot.html")) == {-1}
    assert stored(studio)[3] == HEADER


def test_the_site_is_labelled_without_a_label_first(view, studio) -> None:
    block(view, "Ann").click()
    press(view, "T")
    dialog = view.locator("dialog[open]")
    dialog.get_by_text("4 blocks on 1 page get the label").wait_for()
    give, choice = dialog.get_by_role("button", name="Label them"), dialog.get_by_label("Label", exact=True)
    assert choice.input_value() != "-1", "what is suggested for the block"
    choice.select_option("choose a label")
    assert give.is_disabled()
    assert give.get_attribute("title") == "choose a label first"
    choice.select_option("list")
    give.click()
    view.get_by_text("5 blocks on 2 pages labelled").wait_for()
    assert stored(studio, "pot.html").count(LIST) == 4
    assert stored(studio).count(LIST) == 1


def test_reading_a_site_is_stopped_and_given_up(view, studio) -> None:
    held: list = []
    view.route("**/site-preview", lambda route: held.append(route))  # noqa: PLW0108 (Playwright reads its name)
    block(view, "Ann").click()
    press(view, "h", "k", "T")
    dialog = view.locator("dialog[open]")
    dialog.get_by_role("button", name="Stop reading").click()
    dialog.get_by_text("0 of 2 pages of the site were read").wait_for()
    assert dialog.get_by_role("button", name="Stop reading").is_hidden()
    assert dialog.get_by_role("button", name="Label them").is_disabled()
    press(view, "Escape", "T")
    until(view, lambda: len(held) == 2)
    dialog.get_by_role("button", name="Cancel").click()
    dialog.wait_for(state="detached")
    assert stored(studio, "pot.html") == []


def test_a_page_is_flagged_and_commented(view, studio) -> None:
    press(view, "f", "1")
    view.locator("dialog textarea").fill("only a <b>log-in</b>")
    view.keyboard.press("Control+Enter")
    view.wait_for_function("() => document.getElementById('flag-shown').textContent.startsWith('no content')")
    saved(view)
    assert set(stored(studio)) == {OTHER}, "a page without content is husk"
    row = studio.studio.project.reading.execute("SELECT * FROM page WHERE flag != ''").fetchone()
    assert (row["flag"], row["comment"]) == ("no content", "only a <b>log-in</b>")
    press(view, "f")
    assert view.locator("dialog textarea").input_value() == "only a <b>log-in</b>"
    press(view, "0", "Enter")
    view.wait_for_function("() => !document.getElementById('flag-shown').textContent.includes('no content')")
    saved(view)
    press(view, "u")
    view.wait_for_function("() => document.getElementById('flag-shown').textContent.startsWith('no content')")
    press(view, "U")
    view.wait_for_function("() => !document.getElementById('flag-shown').textContent.includes('no content')")


def test_keys_can_be_chosen_and_are_shown(shown, view, studio) -> None:
    view.get_by_role("button", name="Keys…").click()
    view.locator('[data-key-of="other"]').click()
    view.keyboard.press("z")
    view.locator('[data-key-of="other"]', has_text="z").wait_for()
    view.locator('[data-key-of="list"]').click()
    with view.expect_response(lambda answer: answer.url.endswith("/api/label-keys") and answer.status == 400):
        view.keyboard.press("z")
    view.get_by_role("button", name="Close").click()
    assert view.locator('#label-buttons [data-action="other"] kbd').inner_text() == "z"
    press(view, "Home", "z")
    saved(view)
    assert stored(studio)[0] == OTHER
    press(view, "?")
    assert "other: text to remove" in view.locator("#help").inner_text()
    forgive(shown, "400 (Bad Request)")
    studio.studio.project.set_setting("label-keys", {})


def test_the_rubric_is_beside_the_page(view) -> None:
    press(view, "r")
    view.get_by_role("heading", name="By kind of page").wait_for()
    assert view.locator("#panel-rubric table").count() == 1
    press(view, "r")
    assert view.locator("#outcome").is_visible()


def test_time_and_progress_are_shown(view, studio) -> None:
    view.wait_for_timeout(1_100)
    press(view, "a")
    view.get_by_text("1 of 3 pages done").wait_for()
    view.wait_for_timeout(1_100)
    press(view, "Home")
    view.locator("#label-progress").get_by_text("about").wait_for()
    query = "SELECT seconds FROM labelling WHERE annotator = ?"
    row = studio.studio.project.reading.execute(query, (studio.studio.annotator,)).fetchone()
    assert 0.9 < row["seconds"] < 300


def test_labelling_goes_on_when_the_page_is_turned(view) -> None:
    press(view, "a")
    saved(view)
    before = view.url
    view.keyboard.press("]" if not view.url.endswith("3") else "[")
    view.wait_for_url(lambda url: url != before)
    view.wait_for_selector("#correct[data-ready]:not([hidden])")
    assert view.locator("#label-count").inner_text().startswith("0 of")


def test_a_page_is_left_only_once_its_labels_are_saved(view, studio) -> None:
    def late(route) -> None:
        time.sleep(0.5)
        route.fallback()

    view.route("**/suggestions?*", late)
    view.route("**/labels", late)
    view.reload()
    view.wait_for_selector("#correct[data-ready]")
    view.locator("#next[href], #previous[href]").first.wait_for()
    before = view.url
    press(view, "a", "]" if view.locator("#next[href]").count() else "[")
    view.wait_for_url(lambda url: url != before)
    assert len(stored(studio)) == 10
    assert -1 not in stored(studio)


def test_two_annotators_and_where_they_differ(view, studio) -> None:
    press(view, "a")
    saved(view)
    view.locator("#annotator").fill("Bob")
    view.locator("#annotator").press("Enter")
    view.wait_for_function("() => document.getElementById('label-count').textContent.startsWith('0 of')")
    press(view, "Escape", "a")
    block(view, "A kettle").click()
    press(view, "o")
    saved(view)
    view.goto(f"{studio.address}/agreement?first={studio.studio.annotator}&second=Bob")
    view.get_by_text("the same label for 90.0 % of 10 blocks").wait_for()
    view.keyboard.press("Enter")
    view.wait_for_selector("#correct[data-ready]:not([hidden])")
    view.get_by_text("1 block", exact=True).wait_for()
    press(view, "v")
    marked = view.frame_locator("#frame").locator("dh-b[data-differs]")
    assert marked.all_inner_texts() == ["A kettle"]
    assert marked.get_attribute("data-selected") == ""


def test_files_are_read_and_offered(view, studio, tmp_path) -> None:
    text = tmp_path / "kettle.txt"
    text.write_text("<h> A kettle\n<h> Ann\n<p> A review by Ann of some length.", "utf-8")
    damaged = tmp_path / "x.anno.json"
    damaged.write_text("{", "utf-8")
    view.get_by_role("button", name="Files…").click()
    view.locator("dialog input[type=file]").set_input_files([text, damaged])
    view.get_by_text("10 labels on 1 page").wait_for()
    assert "x.anno.json" in view.locator("dialog .error").inner_text()
    with view.expect_download() as download:
        view.get_by_role("link", name="CLEANEVAL text").click()
    assert download.value.path().read_text("utf-8").startswith("<h>A kettle")
    view.get_by_role("button", name="Close").click()
    assert stored(studio)[2] == HEADER


def test_files_of_labels_follow_by_themselves(view, studio) -> None:
    from dehusk.studio.exporting import label_files

    press(view, "a")
    saved(view)
    files = label_files(studio.studio.project, number(studio, "kettle.html"), studio.studio.annotator)
    until(view, lambda: all(path.is_file() for path in files))


def test_suggestions_that_are_on_their_way_are_waited_for(view, studio) -> None:
    def late(route) -> None:
        time.sleep(1)
        route.fallback()

    view.route("**/suggestions?*", late)
    view.reload()
    view.wait_for_selector("#correct[data-ready]")
    press(view, "a")
    view.get_by_text("10 of 10 blocks", exact=True).wait_for()
    saved(view)
    assert -1 not in stored(studio)


def test_what_the_studio_does_not_hear_is_sent_again(shown, view, studio) -> None:
    address = "**/api/page/*/labels"
    view.route(address, lambda route: route.abort() if route.request.method == "POST" else route.fallback())
    press(view, "Home", "o", "h")
    view.get_by_text("not saved: the studio does not answer").wait_for()
    view.unroute(address)
    saved(view)
    forgive(shown, "ERR_FAILED")
    assert stored(studio)[:2] == [OTHER, HEADER]


def test_what_the_studio_refuses_is_named_and_taken_back(shown, view, studio) -> None:
    press(view, "Home", "o")
    saved(view)

    def spoil(route) -> None:
        body = json.loads(route.request.post_data)
        route.continue_(post_data=json.dumps(body | {"blocks": [999], "labels": [0]}))

    view.route(
        "**/api/page/*/labels", lambda route: spoil(route) if route.request.method == "POST" else route.fallback()
    )
    press(view, "End", "h")
    dialog = view.locator("dialog[open]", has_text="The studio refused a change")
    dialog.get_by_text("has the blocks 0 to 9. It was taken back.").wait_for()
    dialog.get_by_role("button", name="Close").click()
    saved(view)
    assert view.locator("#label-count").inner_text() == "1 of 10 blocks"
    assert stored(studio) == [OTHER] + [-1] * 9
    forgive(shown, "400 (Bad Request)")


def test_what_cannot_be_stored_now_is_kept_and_tried_again(shown, view, studio) -> None:
    press(view, "Home", "o")
    saved(view)
    database = studio.studio.project.folder / "project.db"
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        press(view, "h")
        view.get_by_text("1 change is not saved, but kept in this browser. The project's database: another").wait_for()
        assert view.locator("#label-saved").inner_text().startswith("not saved: the project's database: another")
        assert view.locator("#label-count").inner_text() == "2 of 10 blocks", "what was typed stays on the screen"
    saved(view)
    assert view.locator("#unsaved").is_hidden()
    assert stored(studio)[:2] == [OTHER, HEADER]
    forgive(shown, "409 (Conflict)")
