"""The studio, the service and the adapters where they went wrong once: what users found by running them."""

import http.client
import json
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest

pytest.importorskip("starlette", reason="the extra studio is not installed")
pytest.importorskip("uvicorn", reason="the extra studio is not installed")
pytest.importorskip("jinja2", reason="the extra studio is not installed")

from dehusk.base.errors import InputError
from dehusk.cli import main
from dehusk.studio.adding import Adding
from dehusk.studio.bodies import read_body
from dehusk.studio.exporting import annotation_of
from dehusk.studio.importing import LabelFile, files_beside, import_labels
from dehusk.studio.labelling import Change, apply_changes, labels_of
from dehusk.studio.list_export import ListFile, export_list
from dehusk.studio.page_rows import PageFilter, PageList
from dehusk.studio.project import Project, explained
from dehusk.studio.receiving import receive_file, receive_text
from dehusk.studio.sources import find_sources
from studio_server import SECRET, Served, browser, served, window

__all__ = ["browser"]

TEXT = "Steep sencha at seventy degrees, and gyokuro at less, for a minute or two, says Ann. "
PAGE = f"<title>Tea</title><h1>Green tea</h1><p>{TEXT * 3}</p><p>{TEXT * 2}</p>"


def run_command(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["dehusk", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    project = Project(tmp_path / "project")
    yield project
    project.close()


def add(project: Project, *files: Path) -> None:
    Adding(project, find_sources([*map(str, files)]), workers=1).run()


# ---------------------------------------------------------------- searches


@pytest.mark.parametrize(
    ("text", "search", "finds"),
    [
        ("Green_tea", "Green_tea", True),
        ("green tea", "_", True),
        (normalize("NFD", "Käse"), "Käse", True),
        ("Käse", normalize("NFD", "Käs"), True),
        (normalize("NFD", "한국"), "한국", True),
        ("हिन्दी", "हिन्दी", True),
        ("हिन्दी", "हिन", True),
        ("ह न द", "हिन्दी", False),
        ("שָׁלוֹם", "שלום", True),
        ("ชาเขียว", "เขียว", True),
        ("tea ❤\ufe0f you", "you", True),
    ],
)
def test_a_search_takes_words_as_readers_do(project: Project, text: str, search: str, finds: bool) -> None:
    receive_text(project, PAGE.replace("Ann", text))
    assert len(PageList(project, PageFilter(search)).ids()) == finds


def test_errors_of_the_database_are_one_line_and_true(
    project: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "the disk is full" not in explained(sqlite3.OperationalError("phrase queries (detail!=full)"))
    assert "the disk is full" in explained(sqlite3.OperationalError("database or disk is full"))
    project.reading.execute("DROP TABLE word")
    words = ["--project", str(project.folder), "--list", "search=tea", "--export", "out.jsonl"]
    assert run_command(monkeypatch, "studio", *words) == 2
    assert capsys.readouterr().err.startswith("dehusk: the project's database: it is damaged")


# ---------------------------------------------------------------- files


@pytest.mark.parametrize("name", ["pages.jsonl", "folder", "folder/out.jsonl"])
def test_an_export_never_replaces_pages(project: Project, tmp_path: Path, name: str) -> None:
    (tmp_path / "pages.jsonl").write_text(json.dumps({"html": PAGE}))
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "tea.html").write_text(PAGE)
    add(project, tmp_path / "pages.jsonl", tmp_path / "folder")
    with pytest.raises(InputError, match="choose another file"):
        export_list(project, [1], ListFile(".jsonl"), tmp_path / name)
    export_list(project, [1], ListFile(".jsonl"), project.folder / "out.jsonl")


def gold_of(project: Project, folders: dict[str, str], text: str) -> tuple[list[str], list[str]]:
    """Return the folders of the pages that a gold text labels, and what is told."""
    root = project.folder.parent / "pages"
    for folder, page in folders.items():
        (root / folder).mkdir(parents=True)
        (root / folder / "index.html").write_text(page)
    (root / text).parent.mkdir(exist_ok=True, parents=True)
    (root / text).write_text(f"<h>Green tea\n<p>{TEXT * 3}\n<p>{TEXT * 2}")
    add(project, root)
    report = import_labels(project, "Ann", files_beside(project))
    labelled = project.reading.execute("SELECT name FROM page WHERE labelled > 0 ORDER BY name")
    return [Path(name).parent.name for (name,) in labelled], report.messages


@pytest.mark.parametrize(
    ("text", "labelled"),
    [("a/index.txt", ["a"]), ("a/gold/index.txt", ["a"]), ("gold/b/index.txt", ["b"]), ("gold/index.txt", [])],
)
def test_gold_is_of_the_page_beside_it(project: Project, text: str, labelled: list[str]) -> None:
    found, messages = gold_of(project, {"a": PAGE, "b": PAGE.replace("Ann", "Bob")}, text)
    assert found == labelled
    assert messages == ([] if labelled else ["index.txt: pages in several folders have its name"])


def test_an_annotation_of_a_page_with_headers_is_read_back(project: Project, tmp_path: Path) -> None:
    html = PAGE.replace("Ann", "Zoë for 4 €").encode("iso-8859-15")
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=iso-8859-15\r\n\r\n"
    (tmp_path / "tea.warc").write_bytes(
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://tea.example/\r\n"
        b"Content-Type: application/http\r\nContent-Length: %d\r\n\r\n" % len(head + html) + head + html + b"\r\n\r\n"
    )
    add(project, tmp_path / "tea.warc")
    body = read_body(project, 1)
    size = len(body.blocks())
    apply_changes(project, "Ann", [Change(1, size, [0, 1], 2)], {1: body.data})
    data, annotation = annotation_of(project, 1, "Ann")
    assert data != body.data
    report = import_labels(project, "Ann", [LabelFile("1.html.anno.json", annotation.json().replace('"Ann"', '"Ben"'))])
    assert (report.messages, report.labels) == ([], 2)
    assert labels_of(project, 1, "Ben", size).tolist() == labels_of(project, 1, "Ann", size).tolist()


@pytest.mark.parametrize("name", ["新闻报道" * 14 + "标题.html", "A very long title of an article " * 8 + ".warc.HTML"])
def test_a_page_may_have_a_long_name(project: Project, name: str) -> None:
    assert receive_file(project, name, PAGE.encode()).page == 1


# ---------------------------------------------------------------- requests


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("studio")
    (folder / "tea.html").write_text(PAGE)
    with served(folder / "project", [str(folder / "tea.html")]) as running:
        yield running


def ask(studio: Served, method: str, path: str, **values: object) -> tuple[int, Any]:
    cookie = f'dehusk_studio_{studio.port}="{SECRET}"'
    headers = {"Cookie": cookie, "Origin": studio.address, "Content-Type": "application/json"}
    with closing(http.client.HTTPConnection("127.0.0.1", studio.port, timeout=20)) as connection:
        connection.request(method, path, json.dumps(values), headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())


def test_invalid_rules_do_not_hinder_who_labels_and_are_named(studio: Served) -> None:
    rules = studio.studio.project.rules
    rules.write_text("[broken")
    try:
        assert ask(studio, "POST", "/api/page/1/labels", blocks=[1], label=2)[0] == 200
        code, state = ask(studio, "PUT", "/api/page/1/note", flag="broken")
        assert (code, state["flag"], state["codes"][1]) == (200, "broken", 2)
        for expected in ("", ""):
            code, state = ask(studio, "POST", "/api/page/1/labels/undo")
            assert (code, state["flag"]) == (200, expected)
        assert state["codes"][1] == -1
        code, answer = ask(studio, "GET", "/api/page/1/outcome")
        assert code == 400
        assert answer["error"].startswith("rules rules.toml: ")
    finally:
        rules.unlink()


@pytest.mark.parametrize("path", ["reason/99", "alike?blocks=99"])
def test_blocks_that_a_page_lacks_are_told(studio: Served, path: str) -> None:
    code, answer = ask(studio, "GET", f"/api/page/1/{path}")
    assert (code, answer["error"]) == (404, "the page has 3 blocks, numbered from 0: there is no block 99")


@pytest.mark.parametrize("values", [{"page": 1, "wanted": [True]}, {"page": True, "wanted": [1]}])
def test_true_is_no_number(studio: Served, values: dict[str, object]) -> None:
    assert ask(studio, "POST", "/api/rules/propose", **values)[0] == 400


def test_the_queue_tells_of_units_that_cannot_be_shown(studio: Served, browser: Any) -> None:
    project = studio.studio.project
    project.reading.execute("DELETE FROM unsure")
    project.reading.execute("INSERT INTO unsure VALUES (1, 0, 1, 'block', 0.5, 1, 1, 1)")
    project.rules.write_text("[broken")
    try:
        with window(browser) as shown:
            shown.allow("400 (Bad Request)")
            shown.page.goto(studio.url("/queue"))
            shown.page.get_by_text("One unit cannot be shown: rules rules.toml: ").wait_for()
    finally:
        project.rules.unlink()
