"""Pages that come through the browser: by address, as pasted text, as files; what is no page is named."""

import time
import zipfile
from io import BytesIO

import pytest

from dehusk.base.errors import DehuskError, FetchError, InputError
from dehusk.many.crawl.fetching import FetchedPage
from dehusk.studio.bodies import read_body
from dehusk.studio.exporting import label_files
from dehusk.studio.page_rows import find_page
from dehusk.studio.project import Project
from dehusk.studio.receiving import receive_address, receive_file, receive_text

PAGE = "<title>Tea</title><h1>Tea für drei</h1><p>" + "Good leaves give three cups, says Ann. " * 9


@pytest.fixture
def project(tmp_path):
    made = Project(tmp_path / "study")
    yield made
    made.close()


def test_pasted_text_is_a_page_and_is_there_once(project) -> None:
    first = receive_text(project, PAGE, "https://tea.example/three")
    row = find_page(project, first.page)
    assert (row["title"], row["host"], row["url"]) == ("Tea", "tea.example", "https://tea.example/three")
    assert "Tea für drei" in row["preview"]
    assert receive_text(project, PAGE, "https://tea.example/three") == first
    assert read_body(project, first.page).data.decode() == PAGE


@pytest.mark.parametrize(
    "mark",
    ["<!-- saved from url=(0025)https://tea.example/three -->", "<!-- saved from url=https://tea.example/three -->"],
)
def test_a_copied_page_says_where_it_is_from(project, mark: str) -> None:
    data = f"{mark}\n{PAGE}"
    for page in (receive_text(project, data).page, receive_file(project, "tea.html", data.encode()).page):
        assert find_page(project, page)["url"] == "https://tea.example/three"


def test_a_fetched_page_has_its_last_address_and_its_characters(project, monkeypatch) -> None:
    headers = {"content-type": "text/html; charset=iso-8859-15"}
    page = FetchedPage("https://tea.example/drei", headers, PAGE.encode("iso-8859-15"), "")
    monkeypatch.setattr("dehusk.many.crawl.fetch", lambda _: page)
    row = find_page(project, receive_address(project, "tea.example").page)
    assert row["url"] == "https://tea.example/drei"
    assert "für" in row["preview"]


def test_a_page_of_which_only_a_part_came_is_not_taken_for_whole(project, monkeypatch) -> None:
    page = FetchedPage("https://tea.example/", {}, PAGE.encode(), "the connection was closed")
    monkeypatch.setattr("dehusk.many.crawl.fetch", lambda _: page)
    with pytest.raises(InputError, match="cut short: the connection was closed"):
        receive_address(project, "tea.example")
    assert not (project.folder / "received").exists()


def test_a_private_address_is_refused(project) -> None:
    with pytest.raises(FetchError, match="not on the public internet"):
        receive_address(project, "http://127.0.0.1:9/")


def test_a_file_keeps_its_bytes_and_cannot_leave_the_project(project) -> None:
    data = PAGE.encode("utf-16")
    page = receive_file(project, "../../a b/tea für drei.html", data).page
    assert read_body(project, page).data == data
    assert [path.name for path in (project.folder / "received").glob("*/*")] == ["tea-für-drei.html"]
    assert find_page(project, page)["name"] == "tea-für-drei.html"


def test_two_files_of_one_name_are_two_pages(project) -> None:
    pages = [receive_file(project, "tea.html", f"{PAGE}{number}".encode()).page for number in (1, 2, 1)]
    assert pages[0] != pages[1]
    assert pages[0] == pages[2]
    assert [find_page(project, page)["name"] for page in pages] == ["tea.html"] * 3
    files = [label_files(project, page, "ann").annotation for page in pages[:2]]
    assert files[0] != files[1]


def test_a_file_of_many_is_added_in_the_background(project) -> None:
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for number in range(3):
            archive.writestr(f"{number}.html", f"<p>{number} {PAGE}")
    received = receive_file(project, "pages.zip", stream.getvalue())
    assert received.page is None
    for _ in range(600):
        if received.adding.progress.done:
            break
        time.sleep(0.05)
    assert project.reading.execute("SELECT count(*) FROM page").fetchone()[0] == 3


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("tea.docx", b"abc", r"^tea.docx: unsupported file type"),
        ("tea.html", b"", "tea.html is empty"),
        ("", b"abc", "^page: unsupported file type"),
        ("project.db", b"abc", "unsupported file type"),
    ],
)
def test_a_file_that_is_no_page_is_named_and_not_kept(project, name, data, message) -> None:
    with pytest.raises(InputError, match=message):
        receive_file(project, name, data)
    assert not list((project.folder / "received").glob("*"))


def test_text_without_a_page_is_named(project) -> None:
    with pytest.raises(InputError, match="there is no page: the text is empty"):
        receive_text(project, " \n")


def test_a_huge_text_is_cut_and_says_so(project) -> None:
    page = receive_text(project, PAGE + "<p>" + "tea " * 6_000_000).page
    assert find_page(project, page)["status"] == "truncated"


def test_a_folder_that_cannot_be_written_is_named(project) -> None:
    (project.folder / "received").write_text("in the way")
    with pytest.raises((DehuskError, OSError), match="received"):
        receive_text(project, PAGE)
