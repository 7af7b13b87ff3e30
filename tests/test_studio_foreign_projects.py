"""Projects, folders and label files that somebody else made: reading has bounds, writing stays in the project."""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from pathlib import Path

import pytest

from dehusk.base.errors import ConfigError, InputError
from dehusk.studio.adding import Adding
from dehusk.studio.autosave import save_changed
from dehusk.studio.bodies import read_body
from dehusk.studio.exporting import annotation_of, label_files
from dehusk.studio.importing import LabelFile, files_beside, import_labels
from dehusk.studio.labelling import Change, apply_changes, checked_annotator, labels_of
from dehusk.studio.opened import OpenedPages
from dehusk.studio.project import Project
from dehusk.studio.sources import find_sources
from dehusk.studio.training import accept, result_of

PAGE = "<title>Tea</title><h1>Tea</h1><p>" + "Good leaves give three cups, says Ann. " * 9
needs_links = pytest.mark.skipif(os.name != "posix", reason="links need a right elsewhere")


@pytest.fixture
def project(tmp_path):
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "tea.html").write_text(PAGE, "utf-8")
    opened = Project(tmp_path / "project")
    Adding(opened, find_sources([str(tmp_path / "pages")]), workers=1).run()
    yield opened
    opened.close()


def label(project: Project, annotator: str = "Ann") -> None:
    apply_changes(project, annotator, [Change(1, 2, [0, 1], [0, 2])], {1: read_body(project, 1).data})


def everything_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@needs_links
@pytest.mark.parametrize("link", ["annotations", "annotations/Ann"])
def test_labels_are_not_written_through_links(project: Project, tmp_path: Path, link: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (project.folder / link).parent.mkdir(exist_ok=True)
    (project.folder / link).symlink_to(outside)
    label(project)
    failures: dict[tuple[int, str], str] = {}
    save_changed(project, failures)
    assert everything_in(outside) == []
    assert "link out of the project" in failures[1, "Ann"]
    assert labels_of(project, 1, "Ann", 2).tolist() == [0, 2], "the project itself has them"


@needs_links
def test_a_link_instead_of_a_file_is_replaced(project: Project, tmp_path: Path) -> None:
    target = tmp_path / "notes.txt"
    target.write_text("mine")
    for path in label_files(project, 1, "Ann"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(target)
    label(project)
    assert save_changed(project, {}) == 1
    assert target.read_text() == "mine"
    assert json.loads(label_files(project, 1, "Ann").annotation.read_text("utf-8"))["annotator"] == "Ann"


@pytest.mark.parametrize(
    "name", ["../../etc/x", "a/b", "", "...", "é" * 90, "名" * 90, "x" * 500, "\\\\host\\share", "C:x"]
)
def test_files_of_labels_are_named_within_bounds(project: Project, name: str) -> None:
    with project.writing() as connection:
        connection.execute("UPDATE page SET name = ?, title = ? WHERE id = 1", (name, name))
    for annotator in ("Ann", "é" * 80, "名" * 80, "..", "a/b"):
        label(project, annotator)
        for path in label_files(project, 1, annotator):
            assert path.parent.parent == project.annotations
            assert len(os.fsencode(path.name)) < 200
    failures: dict[tuple[int, str], str] = {}
    assert save_changed(project, failures) == 5
    assert failures == {}


@needs_links
def test_files_beside_pages_are_not_read_through_links(project: Project, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("<p> a secret of elsewhere")
    pages = tmp_path / "pages"
    (pages / "tea.txt").symlink_to(secret)
    (pages / "away").symlink_to(tmp_path)
    assert list(files_beside(project)) == []
    (pages / "tea.txt").unlink()
    (pages / "tea.txt").write_text("<p> Good leaves")
    assert [file.name for file in files_beside(project)] == ["tea.txt"]


def annotation(project: Project, **changes: object) -> LabelFile:
    label(project, "Bea")
    record = json.loads(annotation_of(project, 1, "Bea")[1].json()) | changes
    return LabelFile("tea.html.anno.json", json.dumps(record))


BAD_NAMES = ["\n", "a\nb", "\x1b[31mred", "\u202egnp.exe", "\u200b", "x" * 81, " ", "a\0b", "\u2028"]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_annotators_of_imported_files_have_names(project: Project, name: str) -> None:
    report = import_labels(project, "Ann", [annotation(project, annotator=name)])
    assert report.labels == 0
    assert "an annotator is named by" in report.messages[0]
    with pytest.raises(ConfigError, match="printable"):
        checked_annotator(name)


HOSTILE_ANNOTATIONS = [
    "[" * 100_000, '{"format":' * 50_000, "{}", "null", "\0", "1e999",
    '{"format": "dehusk-annotation", "version": 1e400}', '{"format": "dehusk-annotation", "version": 1, "spans": 1}',
]  # fmt: skip


def test_hostile_annotations_are_named_and_change_nothing(project: Project) -> None:
    span = [0, 2**62, "paragraph", "x"]
    changed = [annotation(project, **change) for change in (
        {"spans": [span]}, {"spans": [[0, 1, "__proto__", ""]]}, {"spans": [[-1, 5, "other", ""]]}, {"page": "../x"},
        {"page": ["x"]}, {"url": 1}, {"text": "0" * 64}, {"spans": [[0, 1, "other", ""]] * 3}, {"annotator": {}},
    )]  # fmt: skip
    files = [LabelFile("x.anno.json", text) for text in HOSTILE_ANNOTATIONS] + changed
    report = import_labels(project, "Ann", [LabelFile(file.name, file.content) for file in files])
    assert (report.labels, len(report.messages)) == (0, len(files))
    assert all("\n" not in message for message in report.messages)


@pytest.mark.parametrize(
    "name", ["../../etc/passwd.txt", "%.txt", "_____.txt", "tea\0.txt", ".txt", "/tea.txt", "x" * 9_000]
)
def test_names_of_imported_texts_only_find_pages(project: Project, name: str) -> None:
    report = import_labels(project, "Ann", [LabelFile(name, "<p> nothing of this is there")])
    assert report.labels == 0
    assert len(report.messages) == 1


def test_a_stored_page_cannot_grow_without_bounds(project: Project) -> None:
    bomb = zlib.compressobj(9)
    data = b"".join(bomb.compress(b"\0" * 1_000_000) for _ in range(200)) + bomb.flush()
    for stored, message in ((data, "has changed"), (b"no zlib", "is damaged"), (b"", "has changed")):
        with project.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO body VALUES (1, ?)", (stored,))
        with pytest.raises(InputError, match=message):
            read_body(project, 1)


def test_triggers_of_a_foreign_database_call_no_functions_of_ours(project: Project) -> None:
    assert project.reading.execute("PRAGMA trusted_schema").fetchone()[0] == 0
    with pytest.raises(sqlite3.OperationalError, match="not authorized"):
        project.reading.execute("SELECT load_extension('x')")


def forge(project: Project, **changes: object) -> None:
    folder = project.folder / "training"
    (folder / "model").mkdir(parents=True, exist_ok=True)
    record = {"method": "victor", "at": "2026-01-01T00:00:00", "rows": []} | changes
    (folder / "record.json").write_text(json.dumps(record))


@pytest.mark.parametrize("method", ["../../../moved", "/moved", "wisdom", "", None, ["victor"], "victor/../../../x"])
def test_a_training_result_names_no_other_folder(project: Project, tmp_path: Path, method: object) -> None:
    forge(project, method=method)
    before = everything_in(tmp_path)
    with pytest.raises(InputError, match="no trained model"):
        accept(project)
    assert everything_in(tmp_path) == before


@pytest.mark.parametrize(
    "text", ["", "[]", "[" * 100_000, '{"method": "victor"}', '{"method": "victor", "at": "../..", "rows": []}']
)
def test_a_damaged_training_result_is_none(project: Project, text: str) -> None:
    forge(project)
    assert result_of(project) is not None
    (project.folder / "training" / "record.json").write_text(text)
    assert result_of(project) is None


@needs_links
def test_models_are_not_moved_through_links(project: Project, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    project.models.symlink_to(tmp_path / "outside")
    forge(project)
    with pytest.raises(InputError, match="link out of the project"):
        accept(project)
    assert everything_in(tmp_path / "outside") == []


@pytest.mark.parametrize(
    "rules", [b"\xff\xfe", b"x = " + b"[" * 100_000, b'["a"]\nkeep = ["p:::q"]', b"[a]\nkeep = 1", b"\0"]
)
def test_a_damaged_rules_file_is_named(project: Project, rules: bytes) -> None:
    project.rules.write_bytes(rules)
    with pytest.raises((ConfigError, InputError), match="rules"):
        OpenedPages(project).document(1)


def test_a_page_never_gives_bytes_that_the_project_did_not_add(project: Project, tmp_path: Path) -> None:
    """A project of somebody else can name any file of this machine; without its hash nothing of it is shown."""
    (tmp_path / "secret.html").write_text("<p>a secret")
    with project.writing() as connection:
        connection.execute("UPDATE input SET path = ?, format = 'page'", (str(tmp_path / "secret.html"),))
    with pytest.raises(InputError, match="has changed since"):
        read_body(project, 1)
