"""What a studio can be started with, and pages whose files change or whose adding was interrupted."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import warcs
from dehusk.base.errors import InputError
from dehusk.many.files.options import Columns
from dehusk.studio.adding import GONE, Adding, Progress
from dehusk.studio.labelling import Change, apply_changes, set_note
from dehusk.studio.opened import OpenedPages
from dehusk.studio.page_rows import PageFilter, list_losses
from dehusk.studio.project import Project
from dehusk.studio.sources import find_sources
from studio_table import count_pages, list_pages

PROSE = "Good leaves give three cups, says Ann, and the last one is the best of all. " * 5


@pytest.fixture
def project(tmp_path):
    opened = Project(tmp_path / "project")
    yield opened
    opened.close()


def add(project: Project, *arguments: Path, columns: Columns | None = None) -> Progress:
    return Adding(project, find_sources([str(each) for each in arguments]), workers=1, columns=columns).run()


def page(word: str) -> str:
    return f"<title>{word}</title><p>{word}. {PROSE}</p>"


def save(folder: Path, *words: str, listed: bool = False) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for word in words:
        (folder / f"{word}.html").write_text(page(word), "utf-8")
    if listed:
        lines = "".join(json.dumps({"id": word, "url": f"https://tea.example/{word}"}) + "\n" for word in words)
        (folder / "pages.jsonl").write_text(lines, "utf-8")
    return folder


def titles(project: Project) -> list[str]:
    return [row["title"] for row in list_pages(project, PageFilter(), count=500)]


def paths(*arguments: Path) -> list[tuple[str, str]]:
    return [(file.name, file.format) for file in find_sources([str(each) for each in arguments])]


def test_a_folder_of_folders_with_lists_is_an_input_for_each(tmp_path, project) -> None:
    save(tmp_path / "sets" / "tea", "green", "black", listed=True)
    save(tmp_path / "sets" / "pots" / "html", "kettle")
    (tmp_path / "sets" / "pots" / "pages.jsonl").write_text(
        '{"id": "kettle", "url": "https://pots.example/"}\n', "utf-8"
    )
    save(tmp_path / "sets", "alone")
    assert paths(tmp_path / "sets") == [("pots", "folder"), ("tea", "folder"), ("alone.html", "page")]
    add(project, tmp_path / "sets")
    assert titles(project) == ["kettle", "black", "green", "alone"]
    assert [row["url"] for row in list_pages(project, PageFilter())][:2] == [
        "https://pots.example/",
        "https://tea.example/black",
    ]


def test_pages_and_files_of_pages_of_one_folder_are_both_read(tmp_path, project) -> None:
    save(tmp_path / "mixed" / "saved", "green")
    (tmp_path / "mixed" / "more.jsonl").write_text(
        json.dumps({"url": "https://tea.example/", "html": page("black")}), "utf-8"
    )
    add(project, tmp_path / "mixed")
    assert sorted(titles(project)) == ["black", "green"]


def test_a_page_is_added_once_however_often_it_is_named(tmp_path, project) -> None:
    folder = save(tmp_path / "saved", "green", "black")
    assert paths(folder / "green.html", folder, folder / "..//saved", folder / "green.html") == [("saved", "folder")]
    add(project, folder / "green.html", folder / "green.html")
    assert titles(project) == ["green"]


def test_the_job_folder_of_a_crawl_is_its_pages(tmp_path, project) -> None:
    job = tmp_path / "job"
    job.mkdir()
    (job / "job.json").write_text("{}", "utf-8")
    (job / "addresses.jsonl").write_text('{"url": "https://tea.example/", "html": "<p>no page</p>"}\n', "utf-8")
    warcs.write(job / "pages-00000.warc.gz", [warcs.record(1, warcs.answer(page("green").encode()))])
    add(project, job)
    assert titles(project) == ["green"]


def test_a_corpus_is_the_files_that_it_was_made_from(tmp_path, project) -> None:
    folder, output = save(tmp_path / "saved", "green", "black"), tmp_path / "out"
    subprocess.run(
        [sys.executable, "-m", "dehusk", "corpus", str(folder), "-o", str(output), "-f", "jsonl", "-q"], check=True
    )
    add(project, output)
    assert titles(project) == ["black", "green"]
    folder.rename(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="which no longer exists: name the inputs"):
        find_sources([str(output)])
    inputs = output / "state" / "inputs.json"
    inputs.write_text(json.dumps([{"name": "a", "path": "s3://bucket/a.parquet", "format": "parquet"}]), "utf-8")
    with pytest.raises(InputError, match=r"s3://bucket/a\.parquet is on a remote filesystem: copy it"):
        find_sources([str(output)])
    inputs.unlink()
    with pytest.raises(InputError, match="does not say what it was made from: name the inputs"):
        find_sources([str(output)])


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("https://tea.example/a", "is a URL: fetch it with `dehusk crawl https://tea.example/a -o FOLDER`"),
        ("s3://bucket/a.parquet", "is on a remote filesystem: copy it to this machine"),
        ("nowhere", "nowhere: no such file or folder"),
        ("*.warc", "no file matches"),
        ("empty", "contains neither pages nor files of pages"),
        ("notes.txt", "unsupported file type; supported: .asp, .aspx, .htm, .html, "),
        ("project", "open it with --project project"),
    ],
)
def test_what_cannot_be_opened_is_said_in_one_line(tmp_path, monkeypatch, argument, message) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("tea", "utf-8")
    Project(tmp_path / "project").close()
    with pytest.raises(InputError) as caught:
        find_sources([argument])
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_input_that_cannot_be_read_does_not_stop_the_others(tmp_path, project) -> None:
    (tmp_path / "bad.jsonl").write_text('{"colour": "red"}\n', "utf-8")
    progress = add(project, tmp_path / "bad.jsonl", save(tmp_path / "saved", "green"))
    assert titles(project) == ["green"]
    assert len(progress.messages) == 1
    assert progress.messages[0].startswith("bad.jsonl: ")
    add(project, tmp_path / "bad.jsonl", columns=Columns(html="colour"))
    assert count_pages(project, PageFilter()) == 2


def test_pages_of_a_changed_file_keep_their_rows_and_what_was_worked_on_stays(tmp_path, project) -> None:
    folder = save(tmp_path / "saved", "assam", "green", "oolong", "white")
    add(project, folder)
    ids = {row["title"]: row["id"] for row in list_pages(project, PageFilter())}
    data = OpenedPages(project).body(ids["oolong"]).data
    apply_changes(project, "Ann", [Change(ids["oolong"], 1, [0], 1)], {ids["oolong"]: data})
    set_note(project, ids["green"], "Ann", comment="look again")
    (folder / "white.html").unlink()
    (folder / "oolong.html").write_text(page("oolong of today"), "utf-8")
    save(folder, "black")
    progress = add(project, folder)
    rows = {row["title"]: row for row in list_pages(project, PageFilter())}
    assert progress.pages == 4
    assert sorted(rows) == ["assam", "black", "green", "oolong", "oolong of today"]
    assert [rows[title]["id"] for title in ("assam", "green", "oolong")] == [
        ids[t] for t in ("assam", "green", "oolong")
    ]
    assert rows["oolong"]["message"] == GONE
    assert rows["green"]["comment"] == "look again"
    opened = OpenedPages(project)
    for title, row in rows.items():
        assert title.encode() in opened.body(row["id"]).data
    assert add(project, folder).pages == 0


def test_a_file_that_did_not_change_is_not_read_again(tmp_path, project) -> None:
    folder = save(tmp_path / "saved", "green")
    assert add(project, folder).pages == 1
    assert add(project, folder).pages == 0


def test_adding_that_was_killed_continues_where_it_was(tmp_path) -> None:
    lines = [json.dumps({"url": f"https://tea.example/{n}", "html": page(f"word{n}")}) for n in range(400)]
    (tmp_path / "pages.jsonl").write_text("\n".join([*lines[:200], "damaged", *lines[200:]]), "utf-8")
    script = (
        "import sys; from pathlib import Path; from dehusk.studio.adding import Adding;"
        "from dehusk.studio.project import Project; from dehusk.studio.sources import find_sources;"
        "Adding(Project(Path(sys.argv[1])), find_sources([sys.argv[2]]), workers=1).run()"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "project"), str(tmp_path / "pages.jsonl")]
    process = subprocess.Popen(command)
    database = tmp_path / "project" / "project.db"
    limit = time.monotonic() + 60
    while (not database.exists() or _pages(tmp_path / "project") == 0) and time.monotonic() < limit:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    project = Project(tmp_path / "project")
    before = count_pages(project, PageFilter())
    assert 0 < before < 400
    assert add(project, tmp_path / "pages.jsonl").pages == 400 - before
    assert sorted(titles(project)) == sorted(f"word{n}" for n in range(400))
    assert count_pages(project, PageFilter(search="word399")) == 1
    assert list_losses(project)[1] == 1
    project.close()


def _pages(folder: Path) -> int:
    project = Project(folder)
    number = count_pages(project, PageFilter())
    project.close()
    return number


def test_a_page_that_was_stored_as_text_is_read_as_utf_8(tmp_path, project) -> None:
    html = f"<meta charset=iso-8859-1><title>Thé</title><p>Thé. {PROSE}</p>"
    (tmp_path / "pages.jsonl").write_text(json.dumps({"html": html}, ensure_ascii=False), "utf-8")
    add(project, tmp_path / "pages.jsonl")
    assert titles(project) == ["Thé"]
