"""`dehusk annotate --to-cleaneval`: what is annotated, as texts with CLEANEVAL's tags."""

from pathlib import Path

import pytest

from command_line import EXAMPLE, dehusk
from dehusk.blocks.labels import LABELS
from dehusk.lab.annotate import Session, annotated_text, annotation_path
from dehusk.lab.gold.datasets import Sample
from dehusk.lab.train.labelled_pages import label_sample
from dehusk.label.baseline import KeepAll

PAGE = (
    "<ul><li>Home</ul><h1>Tea &amp; &lt;h> milk</h1><p>Pour the <b>water</b> on.</p><ul><li>Two leaves</ul><p>Imprint"
)
LABELS_OF = {"Home": "other", "Tea & <h> milk": "header", "Two leaves": "list", "Imprint": "other"}
TEXT = "<h>Tea & &lt;h> milk\n<p>Pour the water on.\n<l>Two leaves\n"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "tea.html"
    path.write_text(PAGE)
    return path


def annotate(path: Path, *, every_tag: bool = True, most: int = 99) -> None:
    """Label the first segments of a page."""
    session = Session.open(path, annotation_path(path), every_tag=every_tag)
    for number, text in enumerate(session.blocks.texts[:most]):
        session.cursor = number
        label = LABELS_OF.get(text, "continuation" if text in ("water", "on.") else "paragraph")
        session.label(LABELS.index(label))
    session.save()


def test_a_page_that_is_annotated_whole_becomes_a_text(page: Path) -> None:
    for every_tag in (True, False):
        annotate(page, every_tag=every_tag)
        assert annotated_text(page, annotation_path(page), every_tag=every_tag) == TEXT
        annotation_path(page).unlink()


def test_the_text_labels_the_page_as_the_annotation_does(page: Path) -> None:
    annotate(page, every_tag=False)
    text = annotated_text(page, annotation_path(page), every_tag=False)
    labelled = label_sample(Sample("", "tea", page.read_bytes(), None, None, None, text), KeepAll())
    kept = [text for text, code in zip(labelled.blocks.texts, labelled.codes, strict=True) if code < 4]
    assert kept == ["Tea & <h> milk", "Pour the water on.", "Two leaves"]


def test_the_command_writes_texts_and_names_what_is_not_finished(page: Path, tmp_path: Path) -> None:
    annotate(page)
    half, other, none = (tmp_path / f"{name}.html" for name in ("half", "other", "none"))
    half.write_text(PAGE)
    annotate(half, most=2)
    other.write_text(PAGE)
    annotate(other)
    other.write_text(f"{PAGE} of others")
    none.write_text(PAGE)
    done = dehusk("annotate", "--to-cleaneval", tmp_path / "texts", tmp_path)
    assert done.returncode == 1
    assert [(path.name, path.read_text()) for path in (tmp_path / "texts").iterdir()] == [("tea.txt", TEXT)]
    told = done.stderr.decode()
    assert "half.html: 5 of 7 segments unlabelled" in told
    assert "other.html: annotation of another page" in told
    assert "none.html" not in told
    assert "1 text in " in told


def test_without_annotations_nothing_is_written(tmp_path: Path) -> None:
    done = dehusk("annotate", "--to-cleaneval", tmp_path / "texts", EXAMPLE)
    assert (done.returncode, done.stdout) == (3, b"")
    assert not (tmp_path / "texts").exists()
