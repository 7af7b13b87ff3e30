"""Lists of pages as files: what is written is what the list shows, and our own readers read it back."""

import csv
import io
import json
import sys
import time
import zipfile

import pytest
from click.testing import CliRunner

import dehusk
from dehusk.base.errors import ConfigError, InputError
from dehusk.blocks import segment
from dehusk.blocks.annotation import Annotation
from dehusk.cli import command, main
from dehusk.many.rows import COLUMNS
from dehusk.read import parse
from dehusk.studio.adding import Adding
from dehusk.studio.labelling import Change, apply_changes
from dehusk.studio.list_export import LABELS, Exported, ListExports, ListFile, export_command, export_list
from dehusk.studio.project import Project
from dehusk.studio.sources import find_sources
from dehusk.studio.web.answers import BadRequestError
from dehusk.studio.web.parameters import listed_pages

pytest.importorskip("starlette", reason="the extra studio is not installed")

PROSE = "Good leaves give three cups, says Ann, and the last one is the best of all. " * 6
SECOND = f"<p class=second>Second cup: {PROSE}</p>"
CODES = [0, 2, 4]
NAMES = ("black", "green", "white")


def page_of(name: str) -> str:
    head = f"<html lang=en><title>{name.title()} tea</title><meta name=author content='Ann Leaf'>"
    return f"{head}<h1>{name.title()} tea</h1><p>=1+1 {name} {PROSE}</p>{SECOND}"


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    for name in NAMES:
        (folder / f"{name}.html").write_text(page_of(name), "utf-8")
    made = Project(tmp_path / "study")
    Adding(made, find_sources([str(folder)]), workers=1).run()
    yield made
    made.close()


def exported(project: Project, name: str, query: str = "", **wanted: str) -> bytes:
    path = project.folder / name
    export_list(project, listed_pages(project, query), ListFile(path.suffix, **wanted), path)
    return path.read_bytes()


def json_rows(data: bytes) -> list[dict]:
    return [json.loads(line) for line in data.splitlines()]


def test_a_row_is_what_cleaning_gives(project) -> None:
    rows = json_rows(exported(project, "list.jsonl", "sort=title&descending=yes"))
    assert [row["title"] for row in rows] == ["White tea", "Green tea", "Black tea"]
    assert [list(row) for row in rows] == [list(COLUMNS)] * 3
    document = dehusk.clean(page_of("white"))
    assert rows[0]["text"] == document.markdown
    assert (rows[0]["authors"], rows[0]["id"], rows[0]["file"]) == (["Ann Leaf"], "white.html", "pages")


def test_filters_of_the_list_are_those_of_the_file(project) -> None:
    assert [row["id"] for row in json_rows(exported(project, "list.jsonl", "search=green"))] == ["green.html"]
    assert exported(project, "list.jsonl", "status=error") == b""
    with pytest.raises(BadRequestError, match=r"unknown filter 'stats'\. Did you mean status"):
        listed_pages(project, "stats=ok")


def test_all_kinds_of_rows_are_equal(project) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra corpus is not installed")
    rows = json_rows(exported(project, "list.jsonl", content="text"))
    assert parquet.read_table(io.BytesIO(exported(project, "list.parquet", content="text"))).to_pylist() == rows
    cells = list(csv.DictReader(io.StringIO(exported(project, "list.csv", content="text").decode())))
    assert [list(row) for row in cells] == [list(COLUMNS)] * 3
    assert [row["text"] for row in cells] == [row["text"] for row in rows]
    assert [json.loads(row["authors"]) for row in cells] == [row["authors"] for row in rows]


def test_a_spreadsheet_sees_no_formulas(project) -> None:
    (project.folder.parent / "pages/black.html").write_text("<p>=HYPERLINK(1) " + PROSE, "utf-8")
    Adding(project, find_sources([str(project.folder.parent / "pages")]), workers=1).run()
    cells = csv.DictReader(io.StringIO(exported(project, "list.csv", "search=hyperlink", content="text").decode()))
    assert next(cells)["text"].startswith("'=HYPERLINK")


@pytest.mark.parametrize(("content", "suffix"), [("markdown", ".md"), ("tei", ".tei.xml"), ("html", ".html")])
def test_an_archive_has_a_file_for_each_page(project, content, suffix) -> None:
    data = exported(project, "list.zip", content=content)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        rows = json_rows(archive.read("rows.jsonl"))
        assert archive.namelist() == [*(f"{number:06d}{suffix}" for number in (1, 2, 3)), "rows.jsonl"]
        assert [row["text_file"] for row in rows] == archive.namelist()[:3]
        found = archive.read(f"000001{suffix}").decode()
    assert found == dehusk.clean(page_of("black")).render(content)
    assert exported(project, "again.zip", content=content) == data


def test_a_page_that_is_gone_is_a_row_that_says_so(project) -> None:
    (project.folder.parent / "pages/green.html").unlink()
    path = project.folder / "list.jsonl"
    done = export_list(project, listed_pages(project, ""), ListFile(".jsonl"), path)
    rows = json_rows(path.read_bytes())
    assert (done.state, done.done, done.failed) == ("done", 3, 1)
    assert [row["status"] for row in rows] == ["ok", "error", "ok"]
    assert "green" in rows[1]["id"]
    assert rows[1]["message"]


def test_a_page_that_never_came_as_a_whole_says_so(project) -> None:
    with project.writing() as connection:
        connection.execute(
            "UPDATE page SET status = 'truncated', message = 'the record is cut' WHERE name = 'green.html'"
        )
    rows = json_rows(exported(project, "list.jsonl"))
    assert [(row["status"], row["message"]) for row in rows] == [
        ("ok", ""),
        ("truncated", "the record is cut"),
        ("ok", ""),
    ]


def test_labels_are_read_back(project) -> None:
    blocks = segment(parse(page_of("green").encode()))
    page = listed_pages(project, "search=green")[0]
    changes = [Change(page, len(blocks), [block], code) for block, code in enumerate(CODES)]
    apply_changes(project, "Ann", changes, {page: page_of("green").encode()})
    done = export_list(
        project, listed_pages(project, ""), ListFile(".zip", LABELS, "Ann"), project.folder / "list.zip"
    )  # fmt: skip
    assert (done.done, done.failed) == (3, 2)
    with zipfile.ZipFile(project.folder / "list.zip") as archive:
        archive.extractall(project.folder / "out")
    (found,) = (project.folder / "out").glob("*.anno.json")
    annotation = Annotation.load(found)
    own = segment(parse(found.with_name(found.name.removesuffix(".anno.json")).read_bytes()))
    assert annotation.labels_for(own).tolist() == CODES


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (ListFile(".docx"), "unknown kind of file '.docx'"),
        (ListFile(".jsonl", "markdwon"), "Did you mean markdown"),
        (ListFile(".csv", LABELS), "labels are exported as an archive: choose .zip"),
    ],
)
def test_what_cannot_be_exported_is_named(project, wanted, message) -> None:
    with pytest.raises(ConfigError, match=message):
        export_list(project, [], wanted, project.folder / "x")
    assert not (project.folder / "x").exists()


def ended(exports: ListExports) -> Exported:
    for _ in range(600):
        if exports.progress is not None and exports.progress.state != "running":
            return exports.progress
        time.sleep(0.05)
    raise TimeoutError


def test_a_cancelled_export_leaves_no_file(project) -> None:
    exports = ListExports(project)
    exports.start(listed_pages(project, "") * 500, ListFile(".jsonl"))
    with pytest.raises(InputError, match="another list is being exported"):
        exports.start([], ListFile(".jsonl"))
    exports.cancel()
    assert ended(exports).state == "cancelled"
    assert list(exports.folder.iterdir()) == []


def test_a_file_that_cannot_be_written_is_a_failure_with_its_reason(project) -> None:
    (project.folder / "exports").write_text("in the way")
    exports = ListExports(project)
    exports.start(listed_pages(project, ""), ListFile(".jsonl"))
    progress = ended(exports)
    assert progress.state == "failed"
    assert "exports" in progress.message


def test_the_command_writes_the_same(project, tmp_path) -> None:
    expected = exported(project, "list.jsonl", "sort=title&status=ok")
    typed = export_command(project.folder, "sort=title&status=ok", ListFile(".jsonl"))
    listed = "--list 'sort=title&status=ok' --content markdown --export pages-markdown.jsonl"
    assert typed == f"dehusk studio --project {project.folder} {listed}"
    path = tmp_path / "pages-markdown.jsonl"
    arguments = ["studio", "--project", str(project.folder), "--list", "sort=title&status=ok", "--export", str(path)]
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 0, result.output
    assert path.read_bytes() == expected
    assert "has 3 pages" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["page.html", "--export", "x.jsonl"], "--export works on the project as it is: omit PAGES"),
        (["--port", "80", "--export", "x.jsonl"], "omit --port"),
        (["--list", "status=ok"], "--list needs --export"),
        (["--content", "text"], "--content needs --export"),
        (["--project", "nowhere", "--export", "x.jsonl"], "nowhere is no project: name its folder by --project"),
    ],
)
def test_a_wrong_command_says_what_is_right(arguments, message, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["dehusk", "studio", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_clean_works_as_a_project_does(project, tmp_path, monkeypatch, capsys) -> None:
    page = tmp_path / "pages/black.html"
    project.rules.write_text('["*"]\ndrop = [".second"]\n', "utf-8")
    monkeypatch.setattr(sys, "argv", ["dehusk", "clean", "--project", str(project.folder), "-f", "markdown", str(page)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    (row,) = json_rows(exported(project, "list.jsonl", "search=black"))
    assert capsys.readouterr().out == row["text"]
    assert "Second cup" not in row["text"]
    assert "Second cup" in dehusk.clean(page.read_bytes()).text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["--method", "victor"], "omit --method"), (["--rules", "rules.toml"], "omit --rules")],
)
def test_a_project_brings_its_own_model_and_rules(project, arguments, message, monkeypatch, capsys) -> None:
    project.rules.write_text("", "utf-8")
    monkeypatch.chdir(project.folder)
    (project.folder / "page.html").write_text(page_of("red"), "utf-8")
    monkeypatch.setattr(sys, "argv", ["dehusk", "clean", "--project", ".", *arguments, "page.html"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


def test_a_folder_without_a_project_is_named(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.html").write_text(page_of("red"), "utf-8")
    monkeypatch.setattr(sys, "argv", ["dehusk", "clean", "--project", ".", "page.html"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert ". is no project of dehusk studio: it has no project.db" in capsys.readouterr().err
