"""Labels beyond one page and one person: alike blocks, suggestions, files, agreement, progress, notes, keys."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("jinja2", reason="the extra studio is not installed")

from dehusk import clean, parse, segment
from dehusk.base.errors import ConfigError, InputError
from dehusk.blocks.annotation import Annotation
from dehusk.blocks.labels import HEADER, LIST, OTHER, PARAGRAPH
from dehusk.lab.train.labelled_pages import gather_pages
from dehusk.label import load_method
from dehusk.label.registry import DEFAULT
from dehusk.studio.adding import Adding
from dehusk.studio.agreeing import agreement_report, list_annotators
from dehusk.studio.autosave import Autosave, save_changed
from dehusk.studio.exporting import annotation_of, annotator_folder, cleaneval_of, label_files, save_labels
from dehusk.studio.importing import LabelFile, files_beside, import_labels
from dehusk.studio.labelling import (
    Change,
    add_seconds,
    apply_changes,
    count_done,
    flags_of,
    keys_of_actions,
    labels_of,
    redo,
    set_label_keys,
    set_note,
    sources_of,
    undo,
)
from dehusk.studio.likeness import SitePlaces, alike_on_page, units_around
from dehusk.studio.outcome import suggested_codes
from dehusk.studio.page_rows import PageFilter
from dehusk.studio.project import Project
from dehusk.studio.sources import find_sources

ROOT = Path(__file__).parent.parent
MENU = "<ul class=menu><li><a href=/>Home</a></li><li><a href=/shop>Shop</a></li></ul>"


def page(title: str, *reviews: str) -> str:
    posts = "".join(
        f"<div class=review><h3>{name}</h3><p>A review by {name} of some length.</p></div>" for name in reviews
    )
    return f"<body>{MENU}<h1>{title}</h1>{posts}<footer>All rights reserved</footer></body>"


PAGES = {
    "kettle.html": page("A kettle", "Ann", "Bob", "Cem"),
    "pot.html": page("A pot", "Dan", "Eve", "Fay", "Gus"),
    "cup.html": page("A cup"),
}
TEXTS = ["Home", "Shop", "A kettle", "Ann", "A review by Ann of some length.", "Bob"]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    folder = tmp_path / "pages"
    folder.mkdir()
    for name, html in PAGES.items():
        (folder / name).write_text(html, "utf-8")
    project = Project(tmp_path / "project")
    Adding(project, find_sources([str(folder)]), workers=1).run()
    return project


def number(project: Project, name: str) -> int:
    query = "SELECT id FROM page WHERE name LIKE ?"
    return int(project.reading.execute(query, (f"%{name.partition('.')[0]}%",)).fetchone()["id"])


def blocks_of(name: str):
    return segment(parse(PAGES[name].encode()))


def label(project: Project, name: str, codes: dict[int, int], annotator: str = "Ann") -> int:
    own = number(project, name)
    change = Change(own, len(blocks_of(name)), list(codes), list(codes.values()))
    return apply_changes(project, annotator, [change], {own: PAGES[name].encode()})


def texts(name: str, blocks: list[int]) -> list[str]:
    return [blocks_of(name).texts[block] for block in blocks]


def test_blocks_at_the_same_place_or_in_the_same_field_are_alike():
    blocks = blocks_of("kettle.html")
    assert blocks.texts[: len(TEXTS)] == TEXTS
    assert texts("kettle.html", alike_on_page(blocks, [3])) == ["Ann", "Bob", "Cem"]
    assert texts("kettle.html", alike_on_page(blocks, [0])) == ["Home", "Shop"]
    assert texts("kettle.html", alike_on_page(blocks, [0, 3])) == ["Home", "Shop", "Ann", "Bob", "Cem"]
    with pytest.raises(KeyError):
        alike_on_page(blocks, [99])


def test_units_around_a_block_grow():
    blocks = blocks_of("kettle.html")
    around = units_around(blocks, [3])
    sizes = [unit.end - unit.first for unit in around]
    assert {"record", "records"} <= {unit.kind for unit in around}
    assert sizes == sorted(set(sizes))
    assert all(unit.first <= 3 < unit.end for unit in around)
    record = next(unit for unit in around if unit.kind == "records")
    wider = units_around(blocks, list(range(record.first, record.end)))
    assert all(unit.end - unit.first > record.end - record.first for unit in wider)


def test_alike_blocks_of_the_site_are_previewed_and_labelled_as_one_action(project):
    first = number(project, "kettle.html")
    places = SitePlaces(project)
    others = places.pages_of_site(first)
    assert sorted(others) == sorted({number(project, name) for name in PAGES} - {first})
    rows = places.preview(first, [3], others, same_text=False)
    assert [row["texts"] for row in rows] == [["Dan", "Eve", "Fay", "Gus"]], "a page without such blocks is left out"
    menu = places.preview(first, [0], others, same_text=True)
    assert [row["texts"] for row in menu] == [["Home"], ["Home"]], "with the same text, other items of the menu are not"
    label(project, "kettle.html", {3: HEADER})
    bodies = {first: PAGES["kettle.html"].encode(), rows[0]["page"]: PAGES["pot.html"].encode()}
    changes = [Change(first, len(blocks_of("kettle.html")), [3], HEADER)]
    changes.append(Change(rows[0]["page"], rows[0]["size"], rows[0]["blocks"], HEADER))
    assert apply_changes(project, "Ann", changes, bodies) == 4
    assert set(undo(project, "Ann", first)) == set(bodies), "also from the page on which nothing changed"
    assert (labels_of(project, rows[0]["page"], "Ann", rows[0]["size"]) == -1).all()
    assert labels_of(project, first, "Ann", 0)[3] == HEADER


def test_a_page_that_cannot_be_read_is_named_in_the_preview(project, tmp_path):
    first, gone = number(project, "kettle.html"), number(project, "pot.html")
    (tmp_path / "pages" / "pot.html").write_text("<p>something else", "utf-8")
    [row] = SitePlaces(project).preview(first, [3], [gone], same_text=False)
    assert "has changed" in row["error"]


def test_suggestions_of_any_method_are_labels_of_the_common_blocks():
    html = (ROOT / "examples" / "tea.html").read_bytes()
    document = clean(html)
    codes = suggested_codes(document)
    assert len(codes) == len(segment(document.page))
    assert ((codes != OTHER) == document.labels.kept).all()
    assert {HEADER, LIST, PARAGRAPH, OTHER} <= set(codes.tolist())
    everything = suggested_codes(clean(html, method=load_method("keep-all")))
    assert (everything != OTHER).all()


def test_the_folder_of_an_annotator_can_be_trained_on(project):
    codes = [OTHER, OTHER, HEADER, HEADER, PARAGRAPH, HEADER, PARAGRAPH, HEADER, PARAGRAPH, OTHER]
    label(project, "kettle.html", dict(enumerate(codes)))
    files = save_labels(project, number(project, "kettle.html"), "Ann")
    assert files.page.read_bytes() == PAGES["kettle.html"].encode()
    [gathered] = gather_pages([str(annotator_folder(project, "Ann"))], load_method(DEFAULT))
    assert gathered.codes.tolist() == codes
    assert files.text.read_text("utf-8").splitlines()[:2] == ["<h>A kettle", "<h>Ann"]
    assert cleaneval_of(project, number(project, "kettle.html"), "Ann") == files.text.read_text("utf-8")


def test_a_text_is_written_once_all_blocks_have_a_label(project):
    label(project, "kettle.html", {2: HEADER})
    files = save_labels(project, number(project, "kettle.html"), "Ann")
    assert files.annotation.is_file()
    assert not files.text.exists()


def test_files_of_labels_that_were_all_removed_are_removed(project):
    own = number(project, "kettle.html")
    label(project, "kettle.html", {2: HEADER})
    save_labels(project, own, "Ann")
    undo(project, "Ann", own)
    assert not any(path.exists() for path in save_labels(project, own, "Ann"))


def test_a_page_decoded_by_its_headers_is_saved_so_that_it_needs_none(tmp_path):
    data = "<p>Grüße aus der Küche</p>".encode("cp1251", "ignore") + "<p>Привет, мир, как дела".encode("cp1251")
    warc = tmp_path / "one.warc"
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=windows-1251\r\n\r\n"
    warc.write_bytes(
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:1>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
        b"WARC-Target-URI: http://a.example/\r\nContent-Type: application/http; msgtype=response\r\n"
        b"Content-Length: %d\r\n\r\n" % len(head + data) + head + data + b"\r\n\r\n"
    )
    project = Project(tmp_path / "project")
    Adding(project, find_sources([str(warc)]), workers=1).run()
    size = int(project.reading.execute("SELECT blocks FROM page").fetchone()[0])
    apply_changes(project, "Ann", [Change(1, size, [1], PARAGRAPH)], {1: data})
    files = save_labels(project, 1, "Ann")
    annotation = Annotation.load(files.annotation)
    alone = files.page.read_bytes()
    annotation.check(alone, parse(alone, annotation.url))
    assert [span.excerpt for span in annotation.spans] == ["Привет, мир, как дела"]


def test_names_of_annotators_cannot_leave_the_project(project):
    for name in ("../../x", "..", ".", "a/b", "C:\\x", "x" * 300, "\u202e"):
        folder = annotator_folder(project, name)
        assert folder.parent == project.annotations
        assert folder.name not in ("", ".", "..")
    assert annotator_folder(project, "a b") != annotator_folder(project, "a-b")
    assert label_files(project, 1, "Ann").page.parent == project.annotations / "Ann"


def test_names_that_differ_in_case_have_folders_that_differ_in_more(project):
    label(project, "kettle.html", {2: HEADER})
    folders = [annotator_folder(project, name).name for name in ("Ann", "ann", "ANN", "Ben")]
    assert folders[0] == "Ann", "who was first keeps the plain name"
    assert folders[3] == "Ben"
    assert len({name.casefold() for name in folders}) == 4


def test_labels_are_saved_in_the_background_and_after_a_kill(project):
    own = number(project, "kettle.html")
    label(project, "kettle.html", {2: HEADER})
    assert save_changed(project, {}) == 1, "what a killed studio left"
    assert save_changed(project, {}) == 0
    label(project, "kettle.html", {3: HEADER})
    saving = Autosave(project)
    saving.wake()
    saving.stop()
    assert len(Annotation.load(label_files(project, own, "Ann").annotation).spans) == 2


def test_what_cannot_be_saved_is_said(project):
    own = number(project, "kettle.html")
    label(project, "kettle.html", {2: HEADER})
    project.annotations.write_text("a file where the folder should be", "utf-8")
    failures: dict[tuple[int, str], str] = {}
    save_changed(project, failures)
    assert list(failures) == [(own, "Ann")]
    project.annotations.unlink()
    label(project, "kettle.html", {3: HEADER})
    save_changed(project, failures)
    assert not failures


def test_annotations_find_their_page_by_its_hash(project):
    own = number(project, "kettle.html")
    blocks = blocks_of("kettle.html")
    codes = np.full(len(blocks), OTHER)
    annotation = Annotation.from_labels(PAGES["kettle.html"].encode(), blocks, codes, annotator="Zoe")
    report = import_labels(project, "Ann", [LabelFile("any name.anno.json", annotation.json())])
    assert (report.pages, report.labels, report.messages) == (1, len(blocks), [])
    assert (labels_of(project, own, "Zoe", len(blocks)) == OTHER).all()
    again = import_labels(project, "Ann", [LabelFile("any name.anno.json", annotation.json())])
    assert (again.pages, again.unchanged) == (0, 1)
    assert undo(project, "Zoe", own) == [own]


def test_what_is_exported_can_be_imported(project, tmp_path):
    own = number(project, "kettle.html")
    label(project, "kettle.html", {2: HEADER, 4: PARAGRAPH, 0: OTHER})
    size, data = len(blocks_of("kettle.html")), PAGES["kettle.html"].encode()
    apply_changes(project, "Ann", [Change(own, size, [1, 3], OTHER, [1, 3])], {own: data})
    _, annotation = annotation_of(project, own, "Ann")
    other = Project(tmp_path / "other")
    Adding(other, find_sources([str(tmp_path / "pages")]), workers=1).run()
    import_labels(other, "Bob", [LabelFile("x.anno.json", annotation.json())])
    assert labels_of(other, own, "Ann", size).tolist() == labels_of(project, own, "Ann", size).tolist()
    assert sources_of(other, own, "Ann", size)[:4].tolist() == [-1, 1, -1, 3], "one by one, and all of the page"


def test_texts_find_their_page_by_its_name(project):
    text = "URL: x\n\n<h> A kettle\n<h> Ann\n<p> A review by Ann of some length.\n"
    report = import_labels(project, "Ann", [LabelFile("kettle.txt", text), LabelFile("nothing.txt", text)])
    assert report.pages == 1
    assert report.messages == ["nothing.txt: the project has no such page"]
    codes = labels_of(project, number(project, "kettle.html"), "Ann", 0)
    assert codes[[0, 2, 3, 4]].tolist() == [OTHER, HEADER, HEADER, PARAGRAPH]


def test_a_text_of_another_page_is_refused(project):
    report = import_labels(project, "Ann", [LabelFile("kettle.txt", "<p> Words that nobody wrote on it")])
    assert report.pages == 0
    assert "0% of its words are on the page" in report.messages[0]


def test_damaged_files_are_named(project):
    report = import_labels(project, "Ann", [LabelFile("x.anno.json", "{"), LabelFile("y.anno.json", '{"format": 1}')])
    assert [message.partition(":")[0] for message in report.messages] == ["x.anno.json", "y.anno.json"]


def test_files_beside_the_pages_are_found(project, tmp_path):
    folder = tmp_path / "pages"
    blocks = blocks_of("pot.html")
    annotation = Annotation.from_labels(PAGES["pot.html"].encode(), blocks, np.full(len(blocks), OTHER))
    annotation.save(folder / "pot.html.anno.json")
    (folder / "kettle.txt").write_text("<h> A kettle\n<h> Ann", "utf-8")
    (folder / "notes.txt").write_text("no tags: not a gold text", "utf-8")
    assert {file.name for file in files_beside(project)} == {"pot.html.anno.json", "kettle.txt"}
    assert import_labels(project, "Ann", files_beside(project)).pages == 2


def test_agreement_is_counted_by_label_and_by_page(project):
    label(project, "kettle.html", {0: OTHER, 1: OTHER, 2: HEADER, 3: HEADER, 4: PARAGRAPH})
    label(project, "kettle.html", {0: OTHER, 1: OTHER, 2: HEADER, 3: PARAGRAPH, 5: HEADER}, "Bob")
    label(project, "pot.html", {0: OTHER})
    label(project, "pot.html", {0: OTHER}, "Bob")
    label(project, "cup.html", {0: OTHER})
    assert [(each["name"], each["pages"]) for each in list_annotators(project)] == [("Ann", 3), ("Bob", 2)]
    report = agreement_report(project, "Ann", "Bob")
    assert report["blocks"] == 5
    assert report["observed"] == 4 / 5
    assert report["content"]["kappa"] == 1
    assert report["confusion"][HEADER] == [1, 0, 1, 0, 0]
    assert [(row["page"], row["differences"]) for row in report["pages"]] == [
        (number(project, "kettle.html"), 1),
        (number(project, "pot.html"), 0),
    ]
    of_header = report["labels"][HEADER]
    assert (of_header["both"], of_header["first"], of_header["second"]) == (1, 1, 0)
    assert of_header["kappa"] == pytest.approx((0.8 - (0.4 * 0.2 + 0.6 * 0.8)) / (1 - (0.4 * 0.2 + 0.6 * 0.8)))


def test_progress_counts_pages_that_are_done_and_the_time_left(project):
    everything = PageFilter()
    assert count_done(project, everything, "Ann") == {"pages": 3, "done": 0, "median": None, "left": None}
    size = len(blocks_of("cup.html"))
    label(project, "cup.html", dict.fromkeys(range(size), OTHER))
    add_seconds(project, number(project, "cup.html"), "Ann", 30, size)
    label(project, "pot.html", {0: OTHER})
    assert count_done(project, everything, "Ann") == {"pages": 3, "done": 1, "median": 30, "left": 60}
    set_note(project, number(project, "pot.html"), "Ann", flag="broken")
    assert count_done(project, everything, "Ann")["done"] == 2
    assert count_done(project, everything, "Bob")["done"] == 1, "a flag holds for everyone"


def test_time_alone_is_no_label(project):
    add_seconds(project, 1, "Ann", 5, 4)
    add_seconds(project, 1, "Ann", 1_000, 4)
    assert list_annotators(project) == []
    assert save_changed(project, {}) == 0
    assert project.reading.execute("SELECT seconds FROM labelling").fetchone()["seconds"] == 65


def test_notes_are_checked(project):
    set_note(project, 1, "Ann", flag="no content", comment="a log-in")
    set_note(project, 1, "Ann", comment="a log-in page")
    row = project.reading.execute("SELECT flag, comment FROM page WHERE id = 1").fetchone()
    assert tuple(row) == ("no content", "a log-in page")
    with pytest.raises(ConfigError, match="flag"):
        set_note(project, 1, "Ann", flag="nice")
    with pytest.raises(ConfigError, match="5000 characters"):
        set_note(project, 1, "Ann", comment="x" * 5001)
    with pytest.raises(KeyError):
        set_note(project, 99, "Ann", flag="broken")


def test_keys_can_be_changed_but_not_doubled(project):
    assert keys_of_actions(project)["other"] == "o"
    assert set_label_keys(project, {"other": "z"})["other"] == "z"
    assert keys_of_actions(project)["other"] == "z"
    with pytest.raises(ConfigError, match="header: a title"):
        set_label_keys(project, {"other": "h"})
    with pytest.raises(ConfigError, match="key of the view itself"):
        set_label_keys(project, {"other": "j"})
    with pytest.raises(ConfigError, match="action"):
        set_label_keys(project, {"dance": "z"})
    assert set_label_keys(project, {"other": "h", "header": "o"})["header"] == "o", "two keys can be exchanged"


def test_the_rubric_of_the_studio_is_that_of_the_documentation():
    shown = ROOT / "src" / "dehusk" / "studio" / "static" / "rubric.md"
    assert shown.read_text("utf-8") == (ROOT / "docs" / "rubric.md").read_text("utf-8")


def test_labels_of_a_page_whose_file_is_gone_are_still_saved(project, tmp_path):
    own = number(project, "kettle.html")
    label(project, "kettle.html", {2: HEADER})
    for name in PAGES:
        (tmp_path / "pages" / name).unlink()
    assert save_labels(project, own, "Ann").annotation.is_file()
    with pytest.raises(InputError):
        save_labels(project, number(project, "pot.html"), "Ann")


def test_each_annotator_has_a_flag_and_undoes_it_like_labels(project: Project) -> None:
    page = number(project, "pot.html")

    def shown() -> str:
        return project.reading.execute("SELECT flag FROM page WHERE id = ?", (page,)).fetchone()["flag"]

    apply_changes(project, "Ann", [Change(page, 3, [0], OTHER)], {page: b""})
    set_note(project, page, "Ann", flag="broken")
    set_note(project, page, "Ann", flag="broken")  # changes nothing
    set_note(project, page, "Bob", flag="no content")
    assert flags_of(project, page) == {"Ann": "broken", "Bob": "no content"}
    assert shown() == "no content"
    assert undo(project, "Bob", page) == [page]
    assert flags_of(project, page) == {"Ann": "broken"}
    assert shown() == "broken"
    assert undo(project, "Ann", page) == [page]
    assert shown() == ""
    assert labels_of(project, page, "Ann", 3)[0] == OTHER, "only the flag was undone"
    assert redo(project, "Ann", page) == [page]
    assert shown() == "broken"
    assert undo(project, "Ann", page) == undo(project, "Ann", page) == [page]
    assert (flags_of(project, page), labels_of(project, page, "Ann", 3)[0]) == ({}, -1)
    assert redo(project, "Bob", page) == [page]
    assert shown() == "no content"
