"""Annotating one page without a screen, and what `annotate` passes on."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import dehusk
from dehusk.base.errors import ConfigError, GoldError, InputError, MissingExtraError
from dehusk.blocks import Blocks, segment
from dehusk.blocks.labels import HEADER, KINDS, OTHER, PARAGRAPH, Labels
from dehusk.lab.annotate import (
    Session,
    annotate,
    annotation_path,
    next_steps,
    read_progress,
    suggest_by,
    suggesting_method,
    summary_line,
)
from dehusk.lab.annotate.app import AnnotateApp
from dehusk.label.baseline import KeepAll
from dehusk.read.page import Page

HTML = (
    "<ul><li><a>Home</a><li><a>News</a><li><a>Shop</a></ul><h1>Title</h1><p>See <a>our site</a> for more.</p><p>x<div>y"
)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_bytes(HTML.encode())
    return path


def open_page(path: Path) -> Session:
    return Session.open(path, annotation_path(path))


def test_a_session_starts_empty(page: Path) -> None:
    session = open_page(page)
    assert session.blocks.texts == ["Home", "News", "Shop", "Title", "See", "our site", "for more.", "x", "y"]
    assert (len(session), session.labelled, session.cursor, session.unsaved) == (9, 0, 0, False)


def test_labels_undo_and_range(page: Path) -> None:
    session = open_page(page)
    session.toggle_mark()
    session.move(2)
    assert session.selection == (0, 3)
    session.label(OTHER)
    assert (session.cursor, session.mark, session.labelled) == (3, None, 3)
    session.label(HEADER)
    session.move(3)
    session.label(HEADER)  # changes nothing, so there is nothing to undo
    session.label(-1)  # clears nothing
    assert session.undo()
    assert (session.cursor, session.labelled) == (3, 3)
    assert session.undo()
    assert (session.cursor, session.labelled, session.unsaved) == (2, 0, False)
    assert not session.undo()


def test_a_range_can_extend_upwards_and_be_cancelled(page: Path) -> None:
    session = open_page(page)
    session.move(4)
    session.toggle_mark()
    session.move(2)
    session.label(OTHER)
    assert session.codes.tolist() == [-1, -1, 4, 4, 4, -1, -1, -1, -1]
    session.toggle_mark()
    session.toggle_mark()
    session.label(-1)
    assert session.labelled == 3


def test_the_cursor_stays_on_the_page(page: Path) -> None:
    session = open_page(page)
    session.move(-5)
    assert session.cursor == 0
    session.move(500)
    session.label(OTHER)
    assert session.cursor == 8


def test_seeking_wraps_around(page: Path) -> None:
    session = open_page(page)
    session.move(8)
    session.seek_unlabelled()
    assert session.cursor == 0
    session.seek_unlabelled(-1)
    assert session.cursor == 8
    session.codes[:] = OTHER
    session.codes[4] = -1
    session.seek_unlabelled(-1)
    assert session.cursor == 4
    session.codes[:] = OTHER
    assert not session.seek_unlabelled()


def test_suggestions_count_when_confirmed(page: Path) -> None:
    session = open_page(page)
    session.set_suggestions(np.array([4, 4, -1, 0, 2, 3, 3, 2, 4]))
    assert (session.labelled, session.suggested.sum(), session.unsaved) == (0, 8, False)
    assert session.confirm()
    assert (session.codes[0], session.cursor) == (OTHER, 1)
    session.label(HEADER)
    assert not session.confirm(), "the third segment has no suggestion"
    assert session.confirm_all() == 6
    assert session.codes.tolist() == [4, 0, -1, 0, 2, 3, 3, 2, 4], "a person's label is not overwritten"
    assert session.confirm_all() == 0
    session.undo()
    assert session.labelled == 2


@pytest.mark.parametrize("codes", [[0] * 8, [5] * 9, [[0] * 9]])
def test_suggestions_must_be_valid_and_one_per_segment(page: Path, codes: object) -> None:
    with pytest.raises(ValueError, match="9 codes"):
        open_page(page).set_suggestions(codes)


def test_a_label_must_be_valid(page: Path) -> None:
    with pytest.raises(ValueError, match="invalid label code 5"):
        open_page(page).label(5)


def test_saving_and_resuming(page: Path, tmp_path: Path) -> None:
    target = tmp_path / "made" / "for it" / "x.anno.json"
    session = Session.open(page, target, annotator="me")
    for code in (OTHER, HEADER):
        session.label(code)
    session.save()
    assert not session.unsaved
    session.undo()
    assert session.unsaved
    again = Session.open(page, target)
    assert (again.labelled, again.cursor, again.unsaved, again.annotator) == (2, 2, False, "me")
    assert again.notice == "resumed x.anno.json: 2 of 9 segments labelled"
    assert not again.undo()
    other = Session.open(page, target, every_tag=False)
    assert other.notice == "resumed x.anno.json: 2 of 7 segments labelled", "both segmentations share these two blocks"
    again.move(4)
    again.label(PARAGRAPH)
    again.save()
    assert "other segments" in Session.open(page, target, every_tag=False).notice


def test_unsaved_labels_are_in_a_draft_until_they_are_saved_or_discarded(page: Path) -> None:
    session = open_page(page)
    session.save_draft()
    assert not session.draft.exists(), "nothing to keep"
    session.label(OTHER)
    session.save_draft()
    again = open_page(page)
    assert (again.labelled, again.cursor, again.unsaved) == (1, 1, True)
    assert again.notice == "recovered unsaved labels: 1 of 9 segments labelled; s saves, Q discards"
    again.save()
    assert not again.draft.exists()
    assert not open_page(page).unsaved
    again.label(HEADER)
    again.save_draft()
    assert open_page(page).labelled == 2, "the draft is newer than the annotation"
    again.undo()
    again.save_draft()
    assert not again.draft.exists(), "the labels are those of the annotation"
    again.label(HEADER)
    again.save_draft()
    again.discard_draft()
    assert open_page(page).labelled == 1


def test_a_draft_is_written_only_after_changes(page: Path) -> None:
    session = open_page(page)
    session.label(OTHER)
    session.save_draft()
    session.draft.unlink()
    session.save_draft()
    assert not session.draft.exists()
    session.label(OTHER)
    session.save_draft()
    assert session.draft.exists()


def test_a_draft_of_another_page_is_an_error(page: Path) -> None:
    session = open_page(page)
    session.label(OTHER)
    session.save_draft()
    page.write_bytes(page.read_bytes() + b" ")
    with pytest.raises(GoldError, match=r"page\.html\.anno\.json\.draft: annotation of another page"):
        open_page(page)


@pytest.mark.parametrize("every_tag", [True, False])
@pytest.mark.parametrize("model", ["united", "cleaneval", "web"])
def test_every_model_suggests_labels_for_any_segmentation(page: Path, model: str, every_tag: bool) -> None:
    session = Session.open(page, annotation_path(page), every_tag=every_tag)
    codes = suggest_by(dehusk.load_method(model=model))(session.blocks)
    assert codes.shape == (len(session),)
    assert (codes >= 0).all(), "every segment gets a label"
    session.set_suggestions(codes)


def test_suggestions_are_the_labels_of_the_method(page: Path) -> None:
    session = Session.open(page, annotation_path(page), every_tag=False)
    method = dehusk.load_method("united")
    labels = method.label(method.segment(session.blocks.page))
    assert suggest_by(method)(session.blocks).tolist() == labels.label.tolist()


class _Tables:
    """A method that keeps everything, as tables, listings or as what is no content."""

    def __init__(self, kind: int) -> None:
        self.kind = kind

    def segment(self, page: Page) -> Blocks:
        return segment(page)

    def label(self, blocks: Blocks) -> Labels:
        kept = np.arange(len(blocks)) % 2 == 0
        label = np.full(len(blocks), self.kind, dtype=np.uint8)
        return replace(KeepAll().label(blocks), kept=kept, label=np.where(kept, label, OTHER).astype(np.uint8))


@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_every_kind_of_block_is_suggested_as_a_label(page: Path, kind: int) -> None:
    session = Session.open(page, annotation_path(page), every_tag=False)
    codes = suggest_by(_Tables(kind))(session.blocks)
    wanted = kind if kind < OTHER else PARAGRAPH
    assert codes[::2].tolist() == [wanted] * len(codes[::2])
    assert codes[1::2].tolist() == [OTHER] * len(codes[1::2])


@pytest.mark.parametrize("name", ["united", "web", "victor", "keep-all", "site", "cst", "wisdom"])
def test_every_method_suggests_labels(tmp_path: Path, name: str) -> None:
    paths = []
    for number in range(6):
        path = tmp_path / f"{number}.html"
        words = " ".join(f"word{number}x{index}" for index in range(30))
        path.write_text(
            f"<nav><a>Home</a></nav><h1>Page {number}</h1><p>{words}</p><footer>The house</footer>", "utf-8"
        )
        paths.append(path)
    session = open_page(paths[0])
    codes = suggest_by(suggesting_method(name, [*paths, tmp_path / "missing.html"]))(session.blocks)
    assert codes.shape == (len(session),)
    assert ((codes >= 0) & (codes <= OTHER)).all()


def test_names_that_cannot_suggest_say_what_would(page: Path) -> None:
    with pytest.raises(ConfigError, match=r"model or method 'unitd'.*united.*model folder"):
        suggesting_method("unitd", [page])
    with pytest.raises(ConfigError, match="dehusk site learn PAGES --method alternation"):
        suggesting_method("alternation", [page])


def test_words_are_sought_in_both_directions(page: Path) -> None:
    session = open_page(page)
    assert session.matches("  ") == []
    assert session.matches("OUR  site") == [5]
    assert session.seek_words("nowhere") == (0, 0)
    assert (session.seek_words("s", 0), session.cursor) == ((1, 4), 1)
    assert (session.seek_words("s", 1), session.cursor) == ((2, 4), 2)
    session.move(8)
    assert (session.seek_words("s"), session.cursor) == ((1, 4), 1)
    assert (session.seek_words("s", -1), session.cursor) == ((4, 4), 5)


def test_the_progress_of_pages_and_what_to_do_next(page: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.html").write_bytes(b"")
    bad = tmp_path / "bad.html"
    bad.write_bytes(b"<p>x")
    annotation_path(bad).write_text("{}")
    paths = [page, tmp_path / "empty.html", bad, tmp_path / "missing.html"]
    before = [read_progress(path) for path in paths]
    assert [(each.labelled, each.segments, each.finished) for each in before[:2]] == [(0, 9, False), (0, 0, True)]
    assert "not an annotation" in before[2].problem
    assert summary_line(before) == "1 of 4 pages labelled, 2 cannot be opened"
    assert next_steps(["a page.html"], before[:1]) == ["dehusk annotate 'a page.html'  (goes on where you stopped)"]
    session = open_page(page)
    session.label(OTHER)
    session.save_draft()
    begun = read_progress(page)
    assert (begun.begun, begun.unsaved) == (True, True)
    assert summary_line([begun]) == "0 of 1 page labelled, 1 in part"
    steps = next_steps(["p"], [begun], "my gold", every_tag=False)
    assert steps[0] == "dehusk train p --gold 'my gold' -o my-model"
    assert steps[1].startswith("dehusk eval p --gold 'my gold'")
    assert steps[2].startswith("dehusk annotate --blocks --annotation-dir 'my gold' p")
    assert any(step.startswith("dehusk studio PAGE...") for step in next_steps(list("abcd"), [begun]))


def test_an_annotation_of_another_page_is_an_error(page: Path) -> None:
    session = open_page(page)
    session.label(OTHER)
    session.save()
    page.write_bytes(page.read_bytes() + b" ")
    with pytest.raises(GoldError, match=r"page\.html\.anno\.json: annotation of another page"):
        open_page(page)


def test_a_page_without_text_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "empty.html").write_bytes(b"")
    session = open_page(tmp_path / "empty.html")
    session.move(1)
    session.toggle_mark()
    session.label(OTHER)
    session.set_suggestions([])
    assert not session.confirm()
    assert not session.seek_unlabelled()
    assert not session.undo()
    session.save()
    open_page(tmp_path / "empty.html")


def test_annotate_passes_its_options_to_the_session(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def run(app: AnnotateApp) -> int:
        seen.append(app.session)
        app.session.confirm_all()
        app.session.save()
        return 0

    monkeypatch.setattr(AnnotateApp, "run", run)
    folder = tmp_path / "gold"
    suggest = lambda blocks: np.full(len(blocks), OTHER)  # noqa: E731
    assert annotate([page], every_tag=False, suggest=suggest, annotation_dir=folder, annotator="me") == 0
    assert len(seen[0]) == 7
    saved = json.loads((folder / "page.html.anno.json").read_text("utf-8"))
    assert (len(saved["spans"]), saved["annotator"]) == (7, "me")
    assert not annotation_path(page).exists()


def test_annotate_rejects_invalid_input(page: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no pages"):
        annotate([])
    with pytest.raises(InputError, match="No such file"):
        annotate([tmp_path / "none.html"])
    with pytest.raises(InputError, match="would share the annotation"):
        annotate([page, tmp_path / "other" / "page.html"], annotation_dir=tmp_path)
    annotation_path(page).write_text("[]")
    with pytest.raises(GoldError, match="not an annotation"):
        annotate([page])


def test_without_the_extra_the_error_names_the_install_line(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "textual", None)
    with pytest.raises(MissingExtraError, match=r"needs textual.*pip install 'dehusk\[terminal\]'"):
        annotate([page])


def test_every_command_but_annotate_works_without_the_extra(page: Path) -> None:
    blocked = "import sys; sys.modules |= {'rich': None, 'textual': None}; import dehusk.cli; dehusk.cli.main()"
    done = subprocess.run([sys.executable, "-c", blocked, "clean", str(page)], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"our site" in done.stdout
