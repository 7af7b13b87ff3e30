"""`clean -f annotation`: the labels of a cleaned page as an annotation that the other commands read."""

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import dehusk
from dehusk.blocks.annotation import Annotation
from dehusk.blocks.labels import LABELS, OTHER
from dehusk.cli import command
from dehusk.lab.train.labelled_pages import gather_pages
from dehusk.label.victor.method import Victor

EXAMPLES = Path(__file__).parents[1] / "examples"
TEA = EXAMPLES / "tea.html"


def annotated(data: bytes, tmp_path: Path, **options: object) -> tuple[dehusk.Document, Annotation]:
    document = dehusk.clean(data, **options)  # type: ignore[arg-type]
    path = tmp_path / "page.anno.json"
    path.write_text(document.render("annotation"), "utf-8")
    annotation = Annotation.load(path)
    annotation.check(data, dehusk.parse(data))
    return document, annotation


@pytest.mark.parametrize("method", ["united", "victor", "keep-all"])
def test_an_annotation_has_the_label_of_every_block(method: str, tmp_path: Path) -> None:
    document, annotation = annotated(TEA.read_bytes(), tmp_path, method=method)
    labels = document.labels
    codes = annotation.labels_for(labels.blocks)
    assert ((codes < OTHER) == labels.kept).all()
    same = labels.kept & (labels.label < OTHER)
    first = np.flatnonzero(same & (labels.label != LABELS.index("continuation")))
    assert (codes[first] == labels.label[first]).all()
    assert annotation.annotator == (document.model or None)


def test_tables_listings_and_comments_are_paragraphs(tmp_path: Path) -> None:
    page = b"<h1>Tea</h1><table><tr><th>Tea<th>Water<tr><td>Sencha<td>70</table><pre>brew(3)</pre><p>Pour it slowly."
    document, annotation = annotated(page, tmp_path, method="keep-all")
    assert {span.label for span in annotation.spans} <= {"header", "list", "paragraph", "continuation"}
    assert [span.excerpt for span in annotation.spans] == document.labels.blocks.texts


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x89PNG\r\n\x1a\n",
        "<p>Täa in Wörds".encode("utf-16"),
        "<p>Tea \U000e0041\U000e0042\U000e0043 in the garden of the old house</p><p>and more".encode(),
        b"<p>one<script/><p>two",
    ],
    ids=["empty", "an image", "UTF-16", "invisible message", "closed with a slash"],
)
def test_any_page_has_an_annotation_that_fits_it(data: bytes, tmp_path: Path) -> None:
    document, annotation = annotated(data, tmp_path)
    assert len(annotation.spans) == len(document.labels)


def test_text_that_was_given_as_text(tmp_path: Path) -> None:
    document = dehusk.clean("<p>Tea \ud800 and cups")
    (tmp_path / "a.json").write_text(document.render("annotation"), "utf-8")
    Annotation.load(tmp_path / "a.json").check(document.page.data, document.page)


def test_a_folder_of_annotations_trains_a_model(tmp_path: Path) -> None:
    for name in ("tea.html", "second.htm"):
        (tmp_path / name).write_bytes(TEA.read_bytes())
    arguments = ["clean", str(tmp_path), "-f", "annotation", "--output-dir", str(tmp_path), "-q"]
    assert CliRunner().invoke(command, arguments).exit_code == 0
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == ["second.htm", "second.htm.anno.json", "tea.html", "tea.html.anno.json"]
    pages = gather_pages([str(tmp_path)], Victor())
    assert len(pages) == 2
    kept = dehusk.clean(TEA.read_bytes()).text.split()
    assert " ".join(pages[0].sample.gold_text.split())[:60] == " ".join(kept)[:60]
