"""What can go wrong around a studio gives one clear line, in the terminal or in the browser, and loses nothing."""

import json
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest

import warcs
from dehusk.base.errors import InputError
from dehusk.studio.adding import Adding
from dehusk.studio.autosave import Autosave
from dehusk.studio.exporting import label_files
from dehusk.studio.labelling import Change, apply_changes, labels_of
from dehusk.studio.page_rows import PageFilter, list_losses
from dehusk.studio.project import VERSION, Project
from dehusk.studio.serving import only_studio
from dehusk.studio.sources import find_sources
from studio_server import SECRET, Served, browser, served, wait_until_saved, window
from studio_table import count_pages

pytest.importorskip("starlette", reason="the extra studio is not installed")
pytest.importorskip("uvicorn", reason="the extra studio is not installed")

__all__ = ["browser"]
TEA = "<title>Tea</title><h1>Tea</h1><p>" + "Good leaves give three cups, says Ann. " * 9
VIEWS = ("/", "/rules", "/agreement", "/train", "/sites")


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "tea.html").write_text(TEA, "utf-8")
    return tmp_path


def ask(studio: Served, path: str, body: object = None, method: str | None = None) -> dict[str, str]:
    """Return what the studio answers, an error as well as a success."""
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    opener.open(f"{studio.address}/?key={SECRET.replace(' ', '%20')}", timeout=20).close()
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", "Origin": studio.address}
    request = urllib.request.Request(studio.address + path, data, headers, method=method)  # noqa: S310
    try:
        with opener.open(request, timeout=20) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return json.load(error)


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "dehusk", "studio", "--no-open", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)


def test_a_second_studio_on_a_project_is_told_which_one_has_it(folder) -> None:
    project = Project(folder / "project")
    with only_studio(project, 4321):
        result = run("--project", "project", folder=folder)
    assert result.returncode == 2
    [line] = result.stderr.splitlines()
    assert "project project is open in another studio: end it (process " in line
    assert line.endswith("), or open http://127.0.0.1:4321/")
    with only_studio(project, 1):
        pass
    (folder / "project" / "studio.lock").unlink()
    (folder / "project" / "studio.lock").symlink_to(folder / "elsewhere")
    with pytest.raises(InputError, match="link out of the project"), only_studio(project, 1):
        pass
    assert not (folder / "elsewhere").exists()
    project.close()


def test_a_project_of_a_newer_version_says_so(tmp_path) -> None:
    Project(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "project.db")) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(InputError, match="made by a newer dehusk: upgrade dehusk, or name another folder"):
        Project(tmp_path)


def test_a_locked_database_is_named_and_works_again_afterwards(folder, monkeypatch) -> None:
    monkeypatch.setattr("dehusk.studio.project._BUSY", 0.2)
    with served(folder / "project", [str(folder / "tea.html")]) as studio:
        change = {"blocks": [0], "labels": [1]}
        with closing(sqlite3.connect(folder / "project" / "project.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            began = time.monotonic()
            answer = ask(studio, "/api/page/1/labels", change)
            assert time.monotonic() - began < 5
            assert "another program uses it: end that one, or wait for it" in answer["error"]
            assert ask(studio, "/api/pages")["count"] == 1, "reading goes on"
            with pytest.raises(InputError, match="another program uses it"):
                Project(folder / "project")
        assert "error" not in ask(studio, "/api/page/1/labels", change)


def test_a_full_disk_is_named_and_keeps_what_was_confirmed(folder) -> None:
    with served(folder / "project", [str(folder / "tea.html")]) as studio:
        project = studio.studio.project
        assert "error" not in ask(studio, "/api/page/1/labels", {"blocks": [0], "labels": [1]})
        connect, few = project.connect, project.reading.execute("PRAGMA page_count").fetchone()[0]

        def full() -> sqlite3.Connection:
            connection = connect()
            connection.execute(f"PRAGMA max_page_count = {few}")
            return connection

        project.connect, project._threads = full, threading.local()
        answers = [ask(studio, "/api/page/1/note", {"comment": letter * 5000}, "PUT") for letter in "abc"]
        assert "the disk is full: make room, then try again" in answers[-1]["error"]
        with pytest.raises(sqlite3.OperationalError, match="full"):
            project.set_setting("large", "x" * 100_000)
        assert labels_of(project, 1, "Ann", 2).tolist() == [1, -1]
        project.connect, project._threads = connect, threading.local()
        assert "error" not in ask(studio, "/api/page/1/note", {"comment": "d" * 5000}, "PUT")


def test_a_damaged_database_is_named_in_the_terminal_and_in_the_browser(folder) -> None:
    with served(folder / "project", [str(folder / "tea.html")]) as studio:
        with studio.studio.project.writing() as connection:
            connection.execute("DROP TABLE loss")
        assert "it is damaged, or not of this version: put a copy back" in ask(studio, "/api/losses")["error"]
    (folder / "project" / "project.db").write_bytes(b"no database" * 1000)
    result = run("--project", "project", folder=folder)
    assert result.returncode == 2
    [line] = result.stderr.splitlines()
    assert "damaged: put a copy back, or name another folder by --project" in line


def test_saving_files_of_labels_survives_a_locked_database(folder, monkeypatch) -> None:
    monkeypatch.setattr("dehusk.studio.project._BUSY", 0.1)
    monkeypatch.setattr("dehusk.studio.autosave._PAUSE", 0.01)
    monkeypatch.setattr("dehusk.studio.autosave._LONG_PAUSE", 0.05)
    project = Project(folder / "project")
    Adding(project, find_sources([str(folder / "tea.html")]), workers=1).run()
    apply_changes(project, "Ann", [Change(1, 2, [0, 1], [0, 2])], {1: (folder / "tea.html").read_bytes()})
    saving = Autosave(project)
    with closing(sqlite3.connect(folder / "project" / "project.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        saving.wake()
        time.sleep(0.5)
    assert wait_until_saved(project, 10)
    assert label_files(project, 1, "Ann").annotation.is_file()
    saving.stop()
    project.close()
    saving.wake()  # nothing is left to write, and nobody to hear of it


def test_a_crawl_that_ends_in_the_middle_gives_its_pages_and_says_what_is_missing(tmp_path) -> None:
    path = warcs.write(tmp_path / "tea.warc", warcs.page_records(4))
    data = path.read_bytes()
    path.write_bytes(data[: len(data) - len(data) // 8])
    project = Project(tmp_path / "project")
    progress = Adding(project, find_sources([str(path)]), workers=1).run()
    assert progress.done
    assert count_pages(project, PageFilter()) in (3, 4)
    truncated = project.reading.execute("SELECT count(*) FROM page WHERE status = 'truncated'").fetchone()[0]
    losses, count = list_losses(project)
    assert truncated + count >= 1, "what is missing is said"
    assert all("Traceback" not in loss and "\n" not in loss for loss in losses)
    project.close()


def test_every_view_of_an_empty_project_says_what_to_do(tmp_path, browser) -> None:
    with served(tmp_path / "project") as studio, window(browser) as shown:
        shown.page.goto(studio.url("/"))
        shown.page.get_by_text("No pages yet").wait_for()
        for view in VIEWS[1:]:
            shown.page.goto(studio.address + view)
            shown.page.wait_for_load_state("networkidle")
            assert len(shown.page.locator("main").inner_text().strip()) > 20, view


def test_a_page_whose_source_vanished_says_so_in_the_browser(folder, browser) -> None:
    with served(folder / "project", [str(folder / "tea.html")]) as studio, window(browser) as shown:
        (folder / "tea.html").unlink()
        shown.allow("no longer exists")
        shown.allow("Failed to load resource")  # the browser names requests that were refused
        shown.page.goto(studio.url("/page/1"))
        shown.page.locator("#outcome").filter(has_text="no longer exists: put it back").wait_for()


def test_an_empty_database_beside_labels_is_refused_and_left_alone(folder) -> None:
    project = folder / "project"
    (project / "annotations" / "Ann").mkdir(parents=True)
    (project / "annotations" / "Ann" / "tea.anno.json").write_text("{}", "utf-8")
    for empty in (None, b""):
        (project / "project.db").write_bytes(empty) if empty is not None else None
        result = run("--project", "project", folder=folder)
        assert result.returncode == 2
        [line] = result.stderr.splitlines()
        assert "project.db is empty, but there are labels in project/annotations: put a copy of project.db back" in line
    (project / "annotations").rename(folder / "away")
    Project(project).close()
    (folder / "away").rename(project / "annotations")
    with pytest.raises(InputError, match=r"project\.db is empty"):  # tables, and no page
        Project(project)


def test_a_copy_of_the_project_has_all_that_the_database_has(folder) -> None:
    with served(folder / "project", [str(folder / "tea.html")]) as studio:
        ask(studio, "/api/page/1/labels", {"blocks": [0], "labels": [1]})
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        opener.open(f"{studio.address}/?key={SECRET.replace(' ', '%20')}", timeout=20).close()
        with opener.open(f"{studio.address}/api/copy", timeout=20) as answer:
            assert answer.headers["Content-Disposition"] == 'attachment; filename="project.db"'
            (folder / "copy").mkdir()
            (folder / "copy" / "project.db").write_bytes(answer.read())
        command = [sys.executable, "-m", "dehusk", "studio", "--project", "project", "--save-copy", "saved.db"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stderr) == (0, "dehusk: saved saved.db\n")
        identity = studio.studio.project.identity
    assert not list((folder / "project").glob("copy-*")), "what was made for the answer is gone"
    (folder / "again").mkdir()
    (folder / "saved.db").rename(folder / "again" / "project.db")
    for name in ("copy", "again"):
        with closing(Project(folder / name)) as copy:
            assert labels_of(copy, 1, "Ann", 2).tolist() == [1, -1]
            assert count_pages(copy, PageFilter("leaves")) == 1, "the index of words, too"
            assert copy.identity == identity


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tea.html", "--save-copy", "x.db"), "--save-copy works on the project as it is: omit PAGES"),
        (("--port", "1", "--save-copy", "x.db"), "--save-copy works on the project as it is: omit --port"),
        (("--save-copy", "x.db"), "dehusk-studio is no project: name its folder by --project"),
        (("--project", "project", "--save-copy", "tea.html"), "tea.html exists: name another file"),
        (("--project", "project", "--save-copy", "tea.html/x"), "cannot be written: "),
    ],
)
def test_a_copy_that_cannot_be_saved_gives_one_line(folder, arguments, message) -> None:
    Project(folder / "project").close()
    command = [sys.executable, "-m", "dehusk", "studio", *arguments]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 2
    [line] = [line for line in result.stderr.splitlines() if not line.startswith(("Usage:", "Try "))]
    assert message in line
    assert (folder / "tea.html").read_text("utf-8") == TEA
    assert not (folder / "dehusk-studio").exists()


def test_a_project_of_an_earlier_dehusk_gets_what_it_lacks(tmp_path) -> None:
    Project(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "project.db")) as connection:
        connection.execute("DROP TABLE received")
        connection.execute("DELETE FROM setting")
        connection.commit()
    with closing(Project(tmp_path)) as project:
        assert len(project.identity) == 16
        assert project.reading.execute("SELECT count(*) FROM received").fetchone()[0] == 0


def test_a_browser_that_leaves_in_the_middle_is_not_a_fault(folder, caplog) -> None:
    with served(folder / "project", [str(folder / "tea.html")]) as studio:
        head = (
            f"POST /api/page/1/labels HTTP/1.1\r\nHost: 127.0.0.1:{studio.port}\r\nOrigin: {studio.address}\r\n"
            f'Cookie: dehusk_studio_{studio.port}="{SECRET}"\r\nContent-Type: application/json\r\n'
            "Content-Length: 99\r\n\r\n{"
        )
        with socket.create_connection(("127.0.0.1", studio.port), timeout=20) as connection:
            connection.sendall(head.encode())
            time.sleep(0.3)
        time.sleep(0.5)
        assert "error" not in ask(studio, "/api/page/1/labels", {"blocks": [0], "labels": [1]})
    assert caplog.text == ""
