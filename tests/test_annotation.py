"""Stand-off annotations: the file, its errors, and labels transferred to other segmentations."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.base.errors import GoldError, InputError
from dehusk.blocks import Blocks, segment
from dehusk.blocks.labels import CONTINUATION, HEADER, LABELS, LIST, OTHER, PARAGRAPH
from dehusk.lab.gold import UNLABELLED, Annotation, Span
from dehusk.read.page import digest
from dehusk.read.parsing import parse

H, L, P, C, O, NONE = HEADER, LIST, PARAGRAPH, CONTINUATION, OTHER, UNLABELLED  # noqa: E741 (as on the keys)

THESIS = b'<p>See <a href="http://example.org">our website</a>\nfor more details.</p>'
PAGE = b"<h1>Title</h1><p>One <b>two</b> three</p><ul><li>item <i>x</i></ul><div>menu | <a>link</a> | more</div>"


def split(data: bytes, *, every_tag: bool = True) -> Blocks:
    return segment(parse(data), every_tag=every_tag, alt=every_tag)


def transferred(data: bytes, codes: list[int], *, from_tags: bool = True) -> list[int]:
    """Annotate one segmentation and return the labels of the other one."""
    annotation = Annotation.from_labels(data, split(data, every_tag=from_tags), codes)
    return annotation.labels_for(split(data, every_tag=not from_tags)).tolist()


TEXT = ["word ", "two words", "\u00e4\u00f6 ", "\U0001f600", " ", "\n", "\u200b", "&lt;p&gt;", '"quoted" \\']
TAGS = ["<b>", "</b>", "<p>", "</p>", "<li>", "<br>", "<a href=x>", "</a>", "<div>", "</div>", "<img alt='a picture'>"]
pieces = st.sampled_from([*TEXT, *TAGS, "<pre>\ta\nb\n</pre>"])
pages = st.lists(pieces, max_size=25).map(lambda parts: "".join(parts).encode())
codes_of = st.integers(UNLABELLED, len(LABELS) - 1)


@given(data=pages, every_tag=st.booleans(), draw=st.data())
def test_codes_survive_saving_and_loading(data: bytes, every_tag: bool, draw: st.DataObject, tmp_path_factory) -> None:
    blocks = split(data, every_tag=every_tag)
    codes = draw.draw(st.lists(codes_of, min_size=len(blocks), max_size=len(blocks)))
    path = tmp_path_factory.mktemp("anno") / "page.anno.json"
    annotation = Annotation.from_labels(data, blocks, codes, url="http://x/", annotator="\u00c4nne")
    annotation.save(path)
    loaded = Annotation.load(path)
    assert loaded == annotation
    loaded.check(data, blocks.page)
    labels = loaded.labels_for(split(data, every_tag=every_tag))
    assert labels.dtype == np.int8
    assert labels.tolist() == codes


@given(data=pages, every_tag=st.booleans(), draw=st.data())
def test_labels_for_another_segmentation_keep_the_units(data: bytes, every_tag: bool, draw: st.DataObject) -> None:
    blocks, others = split(data, every_tag=every_tag), split(data, every_tag=not every_tag)
    codes = draw.draw(st.lists(codes_of, min_size=len(blocks), max_size=len(blocks)))
    annotation = Annotation.from_labels(data, blocks, codes)
    result = annotation.labels_for(others).tolist()
    assert all(NONE <= code < len(LABELS) for code in result)
    starts = [LABELS[code] for code in result if code in (H, L, P)]
    assert len(starts) <= sum(span.label in LABELS[:3] for span in annotation.spans), "no unit starts twice"
    if not every_tag:  # splitting at every tag only divides blocks, so nothing is lost on the way back
        finer = Annotation.from_labels(data, others, result)
        assert finer.labels_for(blocks).tolist() == codes


def test_how_labels_were_given_is_in_the_file_and_comes_back(tmp_path: Path) -> None:
    blocks, path = split(PAGE), tmp_path / "page.anno.json"
    codes = [H, P, C, NONE, L, C, O, O, O]
    sources = np.array([1, -1, 0, 3, 2, 5, 3, 4, -1], dtype=np.int8)
    Annotation.from_labels(PAGE, blocks, codes, sources=sources).save(path)
    assert json.loads(path.read_text())["version"] == 2
    found = Annotation.load(path).sources_for(blocks)
    assert found.tolist() == [1, -1, 0, -1, 2, 5, 3, 4, -1], "a block without a label was not given one"
    Annotation.from_labels(PAGE, blocks, codes).save(path)
    assert json.loads(path.read_text())["version"] == 1, "which every dehusk reads"
    assert (Annotation.load(path).sources_for(blocks) == -1).all()


def test_the_thesis_example_is_one_paragraph() -> None:
    assert transferred(THESIS, [P, C, C]) == [P]
    assert transferred(THESIS, [P], from_tags=False) == [P, C, C]


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        ([H, P, C, C, L, C, O, O, O], [H, P, L, O]),
        ([H, P, C, C, NONE, NONE, O, O, O], [H, P, NONE, O]),
        ([O, C, C, C, O, L, O, P, O], [O, C, O, O]),  # c after nothing stays c; a short item or link is in the minority
        ([H, O, C, P, O, O, P, C, C], [H, P, O, P]),  # "three" outweighs "two", which continues the title
        ([P, C, C, C, C, C, O, O, O], [P, C, C, O]),  # one unit over several blocks
        ([NONE, P, NONE, NONE, L, NONE, NONE, O, NONE], [NONE, NONE, L, NONE]),  # the majority of characters decides
    ],
)
def test_several_spans_in_one_block(codes: list[int], expected: list[int]) -> None:
    assert split(PAGE).texts == ["Title", "One", "two", "three", "item", "x", "menu |", "link", "| more"]
    assert transferred(PAGE, codes) == expected


def test_a_span_over_several_blocks_starts_once() -> None:
    assert transferred(PAGE, [H, P, L, O], from_tags=False) == [H, P, C, C, L, C, O, O, O]
    assert transferred(PAGE, [C, NONE, C, C], from_tags=False) == [C, NONE, NONE, NONE, C, C, C, C, C]


def test_the_label_of_text_missing_from_the_other_segmentation_passes_to_the_next_block() -> None:
    data = b"<p><img alt='A cat'>sleeps all day</p><p>Next</p>"
    assert split(data).texts == ["A cat", "sleeps all day", "Next"]
    assert transferred(data, [P, C, P]) == [P, P]
    assert transferred(data, [P, P], from_tags=False) == [NONE, P, P]


def test_text_without_blocks() -> None:
    blocks = split(b"")
    annotation = Annotation.from_labels(b"", blocks, [])
    assert annotation.labels_for(blocks).shape == (0,)


def test_the_file_has_one_line_per_span(tmp_path: Path) -> None:
    path = tmp_path / "x.anno.json"
    long = b"<h1>Title</h1><p>" + b"word " * 50 + b"</p>"
    Annotation.from_labels(long, split(long), [H, P], url="http://x/").save(path)
    lines = path.read_text("utf-8").splitlines()
    assert lines[0] == "{"
    assert lines[3] == f'  "page": "{digest(long)}",'
    assert lines[7:11] == [
        '  "spans": [',
        '    [0, 5, "header", "Title"],',
        f'    [5, 254, "paragraph", "{"word " * 12}"]',
        "  ]",
    ]
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.anno.json"], "no temporary file is left behind"


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.anno.json"
    path.write_text("old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="No space"):
        Annotation.from_labels(PAGE, split(PAGE), [O] * 9).save(path)
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.anno.json"]


@pytest.mark.parametrize("codes", [[P], [P] * 10, [5] * 9, [-2] * 9])
def test_codes_must_be_valid_and_one_per_block(codes: list[int]) -> None:
    with pytest.raises(ValueError, match="9 numbers from -1 to 4"):
        Annotation.from_labels(PAGE, split(PAGE), codes)


def test_an_annotation_belongs_to_bytes_and_text() -> None:
    blocks = split(PAGE)
    annotation = Annotation.from_labels(PAGE, blocks, [O] * 9)
    annotation.check(PAGE, blocks.page)
    with pytest.raises(GoldError, match="another page"):
        annotation.check(PAGE + b" ", blocks.page)
    with pytest.raises(GoldError, match="another text"):
        annotation.check(PAGE, split(THESIS).page)
    with pytest.raises(GoldError, match="another text"):
        annotation.labels_for(split(THESIS))
    beyond = replace(annotation, spans=(Span(0, 10_000, "other", ""),))
    with pytest.raises(GoldError, match="ends at 10000, the text at"):
        beyond.check(PAGE, blocks.page)


GOOD = {"format": "dehusk-annotation", "version": 1, "page": "a" * 64, "text": "b" * 64, "url": None, "annotator": None,
        "spans": [[0, 5, "header", "Title"], [5, 9, "other", ""]]}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"format": "other"}, 'not an annotation: "format" is not "dehusk-annotation"'),
        ({"version": 3}, "version 3 is not supported; supported: 1 and 2"),
        ({"version": True}, "version True is not supported"),
        ({"page": "a" * 63}, "page must be a SHA-256 in hexadecimal"),
        ({"text": None}, "text must be a SHA-256 in hexadecimal"),
        ({"url": 1}, "url must be text or null"),
        ({"annotator": ["me"]}, "annotator must be text or null"),
        ({"more": 1}, "unknown key 'more'"),
        ({"spans": {}}, "spans must be a list"),
        ({"spans": [[0, 5, "header"]]}, "span 1 must be [start, end, label, text]"),
        ({"spans": [[0, True, "header", ""]]}, "span 1 must be [start, end, label, text]"),
        ({"spans": ["0123"]}, "span 1 must be [start, end, label, text]"),
        ({"spans": [[0, 5, "heading", ""]]}, "span 1: unknown label 'heading'"),
        ({"spans": [[0, 5, "header", "", "guessed"]]}, "span 1: unknown source 'guessed'"),
        ({"spans": [[-1, 5, "header", ""]]}, "span 1: -1 to 5 is out of range"),
        ({"spans": [[5, 5, "header", ""]]}, "span 1: 5 to 5 is out of range"),
        ({"spans": [[0, 2**80, "header", ""]]}, "is out of range"),
        ({"spans": [[0, 5, "header", ""], [4, 9, "other", ""]]}, "span 2 overlaps"),
        (
            {"spans": [[5, 9, "header", ""], [0, 4, "other", ""]]},
            "span 2 overlaps the previous span or comes before",
        ),
    ],
)
def test_errors_name_the_malformed_file(tmp_path: Path, change: dict[str, object], problem: str) -> None:
    path = tmp_path / "bad.anno.json"
    path.write_text(json.dumps(GOOD | change))
    with pytest.raises(GoldError, match=re.escape(problem)) as caught:
        Annotation.load(path)
    assert "bad.anno.json: " in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("key", [key for key in GOOD if key not in ("format", "version")])
def test_missing_keys_are_named(tmp_path: Path, key: str) -> None:
    path = tmp_path / "bad.anno.json"
    path.write_text(json.dumps({name: value for name, value in GOOD.items() if name != key}))
    with pytest.raises(GoldError, match=f"missing key '{key}'"):
        Annotation.load(path)


@pytest.mark.parametrize("raw", [b"", b"{", b"\xff", b"[]", b"null", b"[" * 100_000, b"9" * 10_000, b"\xef\xbb\xbf{}"])
def test_files_that_are_not_annotations(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "bad.anno.json"
    path.write_bytes(raw)
    with pytest.raises(GoldError, match=r"not JSON|not an annotation"):
        Annotation.load(path)


def test_a_missing_file_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        Annotation.load(tmp_path / "none.anno.json")


@pytest.mark.parametrize("text", ["[" * 500_000, '{"a":' * 300_000, "1" * 10_000, "\ufeff{}", '{"format": NaN}', "\0"])
def test_a_hostile_file_is_one_line(tmp_path, text):
    path = tmp_path / "x.anno.json"
    path.write_text(text, "utf-8")
    with pytest.raises(GoldError, match=r"\A[^\n]+\Z"):
        Annotation.load(path)


def test_a_file_that_is_too_long(tmp_path, monkeypatch):
    monkeypatch.setattr("dehusk.blocks.annotation._MOST_BYTES", 100)
    (tmp_path / "x.anno.json").write_text(" " * 101)
    with pytest.raises(GoldError, match="longer than 100 bytes"):
        Annotation.load(tmp_path / "x.anno.json")
