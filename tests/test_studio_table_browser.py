"""The list of pages in a real browser: every action, by mouse and by keyboard, without a complaint."""

import json
import re

import pytest

from studio_server import Served, browser, served, window

pytest.importorskip("starlette", reason="the extra studio is not installed")
pytest.importorskip("uvicorn", reason="the extra studio is not installed")

__all__ = ["browser"]
PAGES = 250
PROSE = "Good leaves give three cups, says Ann, and the last one is the best of all. "


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    folder = tmp_path_factory.mktemp("table")
    lines = []
    for number in range(PAGES):
        menu = "<ul>" + "".join(f"<li><a href=/{n}>Shelf {n}</a></li>" for n in range(number % 7 * 5)) + "</ul>"
        text = PROSE * (1 + number % 9) if number % 10 else ""
        html = f"<title>Tea {number:03}</title>{menu}<p>word{number} {text}</p>"
        lines.append(f'{{"url": "https://site{number % 5}.example/{number}", "html": "{html}"}}\n')
    (folder / "pages.jsonl").write_text("".join(lines) + "not JSON\n", "utf-8")
    with served(folder / "project", [str(folder / "pages.jsonl")]) as running:
        yield running


@pytest.fixture
def shown(studio: Served, browser):
    with window(browser) as opened:
        opened.page.goto(studio.url())
        opened.page.locator("#rows [data-page]").first.wait_for()
        yield opened.page


def titles(page) -> list[str]:
    return page.locator("#rows [data-page] .title a").all_text_contents()


def count(page, text: str) -> None:
    page.wait_for_function(f"() => document.getElementById('count').textContent === {text!r}")


def cursor(page, number: int) -> None:
    page.wait_for_selector(f"#row-{number}[aria-selected]")


def test_only_rows_in_view_are_in_the_document(shown) -> None:
    count(shown, f"{PAGES} pages")
    assert len(titles(shown)) < 40
    assert titles(shown)[0] == "Tea 000"
    shown.evaluate("document.getElementById('rows').scrollTop = 1e6")
    shown.get_by_text("Tea 249").first.wait_for()
    assert len(titles(shown)) < 40


def test_keys_move_open_and_return_to_the_same_row(shown) -> None:
    for key in ("j", "j", "ArrowDown", "k"):
        shown.keyboard.press(key)
    cursor(shown, 2)
    shown.keyboard.press("End")
    cursor(shown, PAGES - 1)
    shown.keyboard.press("PageUp")
    shown.keyboard.press("g")
    cursor(shown, 0)
    shown.keyboard.press("G")
    cursor(shown, PAGES - 1)
    shown.keyboard.press("Enter")
    shown.wait_for_url(re.compile(r"/page/\d+"))
    shown.locator("#page[data-ready]").wait_for()
    shown.go_back()
    cursor(shown, PAGES - 1)


def test_a_row_on_its_way_is_opened_once_it_comes(shown) -> None:
    held = []

    def hold(route) -> None:
        held.append(route)

    shown.route("**/api/pages?*start=200*", hold)
    shown.keyboard.press("End")
    shown.keyboard.press("Enter")
    shown.wait_for_function("() => document.body.hasAttribute('data-busy')")
    shown.wait_for_selector(f"#row-{PAGES - 1}[aria-selected]")
    while not held:
        shown.wait_for_timeout(10)
    held.pop().continue_()
    shown.wait_for_url(re.compile(r"/page/\d+"))


def test_a_page_knows_the_list_it_was_opened_from(shown) -> None:
    shown.get_by_role("button", name=re.compile("Confid")).click()
    shown.wait_for_url("**/?sort=confidence")
    shown.locator("#rows [data-page] a[href*='sort=confidence']").first.click()
    shown.wait_for_url(re.compile(r"/page/\d+\?sort=confidence"))
    shown.wait_for_function(f"() => document.getElementById('position').textContent === '1 / {PAGES}'")


def test_search_filters_while_typing_and_back_returns(shown) -> None:
    shown.keyboard.press("/")
    shown.keyboard.type("word24")
    count(shown, f"11 of {PAGES} pages")
    assert "search=word24" in shown.url
    assert shown.locator("#chips .chip").count() == 1
    shown.keyboard.press("Enter")
    shown.keyboard.press("j")
    cursor(shown, 1)
    shown.go_back()
    count(shown, f"{PAGES} pages")
    shown.go_forward()
    count(shown, f"11 of {PAGES} pages")
    assert shown.locator("#search").input_value() == "word24"


def test_values_filter_and_chips_remove(shown) -> None:
    shown.get_by_role("checkbox", name=re.compile("site0.example")).check()
    count(shown, f"50 of {PAGES} pages")
    shown.get_by_role("checkbox", name=re.compile("without labels")).check()
    shown.wait_for_function("() => document.querySelectorAll('#chips .chip').length === 2")
    shown.get_by_role("button", name="Remove the filter Site: site0.example").click()
    shown.wait_for_url("**/?labelled=no")
    shown.keyboard.press("x")
    count(shown, f"{PAGES} pages")


def test_an_address_is_a_list(studio: Served, shown) -> None:
    shown.goto(f"{studio.address}/?host=site1.example&sort=words&descending=yes&kept=0.5,1")
    shown.locator("#chips .chip").nth(1).wait_for()
    assert shown.locator("[aria-sort=descending]").text_content().startswith("Words")
    shown.goto(f"{studio.address}/?colour=red&kept=7,2")
    count(shown, f"{PAGES} pages")


def test_a_drag_over_a_histogram_filters(shown) -> None:
    plot = shown.locator(".plot").nth(1)
    shown.wait_for_function("() => document.querySelectorAll('.plot:not([hidden]) .bars i').length === 80")
    box = plot.bounding_box()
    shown.mouse.move(box["x"] + box["width"] / 2, box["y"] + 20)
    shown.mouse.down()
    shown.mouse.move(box["x"] + box["width"] * 0.7, box["y"] + 20, steps=4)
    shown.mouse.move(box["x"] + box["width"] - 1, box["y"] + 20, steps=4)
    shown.mouse.up()
    shown.wait_for_url("**/?kept=0.5%2C1")
    shown.go_back()  # one step for the whole drag
    count(shown, f"{PAGES} pages")


def test_the_ends_of_a_histogram_move_by_keys(shown) -> None:
    shown.wait_for_function("() => document.querySelectorAll('.plot:not([hidden]) .bars i').length === 80")
    end = shown.get_by_role("slider", name="Confidence: least")
    end.focus()
    shown.keyboard.press("PageUp")
    shown.keyboard.press("ArrowRight")
    shown.wait_for_url("**/?confidence=0.125%2C1")
    assert end.get_attribute("aria-valuetext") == "0.13"
    shown.keyboard.press("Home")
    shown.wait_for_url(re.compile(r"/$"))


def test_columns_sort_by_keyboard(shown) -> None:
    shown.keyboard.press("t")
    shown.keyboard.press("ArrowRight")
    shown.keyboard.press("ArrowLeft")
    shown.keyboard.press("Enter")
    shown.wait_for_url("**/?sort=title")
    shown.keyboard.press("Enter")
    shown.wait_for_url("**/?sort=title&descending=yes")
    shown.wait_for_function("() => document.querySelector('#row-0 a').textContent === 'Tea 249'")


def test_next_pages_least_confident_and_of_the_same_site(shown) -> None:
    shown.keyboard.press("s")
    cursor(shown, 5)
    shown.get_by_role("button", name="Next of its site").click()
    cursor(shown, 10)
    shown.keyboard.press("n")
    shown.wait_for_function("() => !document.getElementById('row-10')?.hasAttribute('aria-selected')")
    first = shown.locator("[aria-selected] a").text_content()
    shown.keyboard.press("n")
    another = f"() => ![undefined, {first!r}].includes(document.querySelector('[aria-selected] a')?.textContent)"
    shown.wait_for_function(another)
    shown.keyboard.press("S")
    count(shown, f"50 of {PAGES} pages")


def test_a_flag_and_a_comment_are_set_from_the_row(studio: Served, shown) -> None:
    shown.keyboard.press("j")
    shown.keyboard.press("f")
    shown.keyboard.press("2")
    shown.keyboard.press("Enter")
    shown.locator("#row-1 .flag").get_by_text("broken").wait_for()
    shown.keyboard.press("c")
    shown.keyboard.type("half of it <b>is</b> missing")
    shown.keyboard.press("Control+Enter")
    shown.locator("#details").get_by_text("half of it <b>is</b> missing").wait_for()
    shown.goto(f"{studio.address}/?flag=broken")
    count(shown, f"1 of {PAGES} pages")
    shown.locator("#row-0[data-page]").wait_for()
    shown.keyboard.press("f")
    shown.keyboard.press("0")
    shown.get_by_role("button", name="Save").click()
    shown.locator("#row-0 .flag").get_by_text("comment").wait_for()


def test_nothing_found_says_what_to_do(studio: Served, shown) -> None:
    shown.goto(f"{studio.address}/?search=nowhere")
    shown.get_by_role("heading", name="No page passes these filters").wait_for()
    shown.get_by_role("button", name="Show all pages").click()
    count(shown, f"{PAGES} pages")


def test_views_of_pages_lead_back_to_the_list_and_its_row(shown) -> None:
    shown.get_by_role("button", name="Words").click()
    shown.wait_for_url("**/?sort=words")
    shown.keyboard.press("Tab")
    shown.locator("#rows").focus()
    for _ in range(3):
        shown.keyboard.press("j")
    cursor(shown, 3)
    shown.keyboard.press("Enter")
    shown.wait_for_url(re.compile(r"/page/\d+"))
    shown.get_by_role("link", name="Pages", exact=True).click()
    shown.wait_for_url("**/?sort=words")
    cursor(shown, 3)


def test_a_list_that_cannot_be_shown_says_why_and_tries_again(studio: Served, browser) -> None:
    context = browser.new_context()  # its console may complain
    page = context.new_page()
    page.goto(studio.url())
    page.locator("#rows [data-page]").first.wait_for()
    page.route("**/api/pages?*", lambda route: route.abort())
    page.get_by_role("button", name="Words").click()
    page.get_by_role("heading", name="The studio does not answer").wait_for()
    page.unroute("**/api/pages?*")
    page.get_by_role("button", name="Try again").click()
    page.locator("#rows [data-page]").first.wait_for()
    page.goto(f"{studio.address}/?sort=colour")
    page.get_by_text("colour").last.wait_for()
    context.close()


def test_keys_before_the_first_answer_do_nothing(studio: Served, browser) -> None:
    with window(browser) as opened:
        page, waiting = opened.page, []
        page.route("**/api/pages?*", lambda route: waiting.append(route))  # noqa: PLW0108 (Playwright reads its name)
        page.goto(studio.url())
        page.locator("#values fieldset").first.wait_for()
        for key in ("j", "G", "f", "Enter", "S"):
            page.keyboard.press(key)
        assert page.locator("#toast").text_content() == ""
        for route in waiting:
            route.continue_()
        cursor(page, 0)
        count(page, f"{PAGES} pages")


def test_what_could_not_be_read_is_listed(shown) -> None:
    shown.get_by_text("1 part of the input could not be read").click()
    shown.get_by_text("is not a JSON object").wait_for()


def test_filters_hide_and_show(shown) -> None:
    shown.keyboard.press("h")
    shown.locator("#filters").wait_for(state="hidden")
    shown.get_by_role("button", name="Filters", exact=True).click()
    shown.locator("#filters").wait_for(state="visible")


def test_a_narrow_window_keeps_the_list(studio: Served, browser) -> None:
    with window(browser, width=900, height=700, dark=True) as opened:
        page = opened.page
        page.goto(studio.url())
        page.locator("#rows [data-page]").first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 900
        page.keyboard.press("h")
        page.locator("#filters").wait_for(state="visible")
        assert page.evaluate("document.documentElement.scrollWidth") <= 900


def test_an_empty_project_says_how_to_begin(tmp_path, browser) -> None:
    with served(tmp_path / "project") as running, window(browser) as opened:
        opened.page.goto(running.url())
        opened.page.get_by_role("heading", name="No pages yet").wait_for()


def test_the_filtered_list_is_exported_with_the_command_that_does_it_again(shown, studio) -> None:
    shown.locator("#search").fill("word249")
    count(shown, f"1 of {PAGES} pages")
    shown.locator("#rows").focus()
    shown.keyboard.press("E")
    shown.locator("#export [name=content]").select_option("text")
    shown.get_by_role("button", name="Write the file").click()
    with shown.expect_download() as saved:
        shown.get_by_role("link", name="Save pages-text.jsonl").click()
    (row,) = [json.loads(line) for line in saved.value.path().read_text("utf-8").splitlines()]
    assert row["title"] == "Tea 249"
    assert "word249 " in row["text"]
    command = shown.locator("#export pre").text_content()
    folder = studio.studio.project.folder
    assert command == f"dehusk studio --project {folder} --list search=word249 --content text --export pages-text.jsonl"
    shown.locator("#export [name=content]").select_option("labels")
    assert shown.locator("#export [name=suffix]").input_value() == ".zip"
    shown.keyboard.press("Escape")
    shown.locator("#export").wait_for(state="hidden")


def test_pages_are_added_by_address_text_and_file(browser, tmp_path) -> None:
    names = ["one.html", "two.html"]
    for name in names:
        (tmp_path / name).write_text(f"<title>{name}</title><p>{PROSE}", "utf-8")
    with served(tmp_path / "empty") as running, window(browser) as opened:
        opened.allow("409")
        page = opened.page
        page.goto(running.url())
        page.get_by_role("button", name="Add an address, files").click()
        page.locator("#add [name=address]").fill("http://127.0.0.1:9/")
        page.keyboard.press("Enter")
        page.get_by_text("not on the public internet").wait_for()
        page.locator("#add [name=address]").fill("")
        page.locator("#add [name=html]").fill(
            f"<!-- saved from url=https://tea.example/x -->\n<title>Tea</title><p>{PROSE}"
        )
        page.get_by_role("button", name="Add", exact=True).click()
        page.wait_for_url("**/page/1")
        page.goto(running.address)
        page.locator("#rows [data-page]").first.wait_for()
        page.keyboard.press("A")
        page.locator("#add [name=files]").set_input_files([tmp_path / name for name in names])
        count(page, "3 pages")
        page.locator("#add").wait_for(state="hidden")
        page.keyboard.press("A")
        page.locator("#add [name=files]").set_input_files({"name": "x.docx", "mimeType": "x", "buffer": b"x"})
        page.get_by_text("There are no pages among these files").wait_for()
        opened.allow("net::ERR_FAILED")
        page.route("**/api/add", lambda route: route.abort())
        page.locator("#add [name=html]").fill("<p>Tea")
        page.get_by_role("button", name="Add", exact=True).click()
        page.get_by_text("the studio does not answer: if it was ended, start it again (dehusk studio").wait_for()


def test_the_list_is_filtered_by_how_far_a_tool_agrees(browser, tmp_path) -> None:
    for name, text in {"one.html": f"<article><p>{PROSE * 9}</article>", "two.html": "<p>Tea"}.items():
        (tmp_path / name).write_text(f"<title>{name}</title>{text}", "utf-8")
    with served(tmp_path / "project", [str(tmp_path)]) as running, window(browser) as opened:
        page = opened.page
        page.goto(running.url())
        count(page, "2 pages")
        plot = page.get_by_role("slider", name="Agreement: most")
        assert not plot.is_visible()
        page.keyboard.press("D")
        page.locator("#tools [name=tool]").select_option("turbohtml")
        page.get_by_role("button", name="Compare", exact=True).click()
        page.get_by_text("2 pages compared with turbohtml").wait_for()
        page.keyboard.press("Escape")
        plot.focus()
        shares = running.studio.project.reading.execute("SELECT page, share FROM agreement ORDER BY share").fetchall()
        assert shares[0]["share"] < 0.5 < shares[1]["share"]
        for _ in range(15):
            page.keyboard.press("PageDown")
        count(page, "1 of 2 pages")
        page.locator("#details").get_by_text("agreement with the other tool 0.").wait_for()
