"""Stand-off annotations: the file, what it refuses, and labels carried to other segmentations."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dehusk.blocks import Blocks, segment
from dehusk.errors import GoldError, InputError
from dehusk.gold import UNLABELLED, Annotation, Span
from dehusk.labels import CONTINUATION, HEADER, LABELS, LIST, OTHER, PARAGRAPH
from dehusk.page import digest
from dehusk.read.parsing import parse

H, L, P, C, O, NONE = HEADER, LIST, PARAGRAPH, CONTINUATION, OTHER, UNLABELLED  # noqa: E741 (as on the keys)

THESIS = b'<p>See <a href="http://example.org">our website</a>\nfor more details.</p>'
PAGE = b"<h1>Title</h1><p>One <b>two</b> three</p><ul><li>item <i>x</i></ul><div>menu | <a>link</a> | more</div>"


def cut(data: bytes, *, every_tag: bool = True) -> Blocks:
    return segment(parse(data), every_tag=every_tag, alt=every_tag)


def carried(data: bytes, codes: list[int], *, from_tags: bool = True) -> list[int]:
    """Labels of one segmentation, given to the other one."""
    annotation = Annotation.from_labels(data, cut(data, every_tag=from_tags), codes)
    return annotation.labels_for(cut(data, every_tag=not from_tags)).tolist()


TEXT = ["word ", "two words", "\u00e4\u00f6 ", "\U0001f600", " ", "\n", "\u200b", "&lt;p&gt;", '"quoted" \\']
TAGS = ["<b>", "</b>", "<p>", "</p>", "<li>", "<br>", "<a href=x>", "</a>", "<div>", "</div>", "<img alt='a picture'>"]
pieces = st.sampled_from([*TEXT, *TAGS, "<pre>\ta\nb\n</pre>"])
pages = st.lists(pieces, max_size=25).map(lambda parts: "".join(parts).encode())
codes_of = st.integers(UNLABELLED, len(LABELS) - 1)


@settings(max_examples=150, deadline=None)
@given(data=pages, every_tag=st.booleans(), draw=st.data())
def test_codes_survive_the_file(data: bytes, every_tag: bool, draw: st.DataObject, tmp_path_factory) -> None:
    blocks = cut(data, every_tag=every_tag)
    codes = draw.draw(st.lists(codes_of, min_size=len(blocks), max_size=len(blocks)))
    path = tmp_path_factory.mktemp("anno") / "page.anno.json"
    annotation = Annotation.from_labels(data, blocks, codes, url="http://x/", annotator="\u00c4nne")
    annotation.save(path)
    loaded = Annotation.load(path)
    assert loaded == annotation
    loaded.check(data, blocks.page)
    given_back = loaded.labels_for(cut(data, every_tag=every_tag))
    assert given_back.dtype == np.int8
    assert given_back.tolist() == codes


@settings(max_examples=150, deadline=None)
@given(data=pages, every_tag=st.booleans(), draw=st.data())
def test_any_segmentation_gets_labels_that_keep_the_units(data: bytes, every_tag: bool, draw: st.DataObject) -> None:
    blocks, others = cut(data, every_tag=every_tag), cut(data, every_tag=not every_tag)
    codes = draw.draw(st.lists(codes_of, min_size=len(blocks), max_size=len(blocks)))
    annotation = Annotation.from_labels(data, blocks, codes)
    result = annotation.labels_for(others).tolist()
    assert all(NONE <= code < len(LABELS) for code in result)
    starts = [LABELS[code] for code in result if code in (H, L, P)]
    assert len(starts) <= sum(span.label in LABELS[:3] for span in annotation.spans), "no unit begins twice"
    if not every_tag:  # every block is cut into whole pieces, so that nothing is lost on the way back
        finer = Annotation.from_labels(data, others, result)
        assert finer.labels_for(blocks).tolist() == codes


def test_the_thesis_example_is_one_paragraph() -> None:
    assert carried(THESIS, [P, C, C]) == [P]
    assert carried(THESIS, [P], from_tags=False) == [P, C, C]


@pytest.mark.parametrize(
    ("codes", "expected"),
    [
        ([H, P, C, C, L, C, O, O, O], [H, P, L, O]),
        ([H, P, C, C, NONE, NONE, O, O, O], [H, P, NONE, O]),
        ([O, C, C, C, O, L, O, P, O], [O, C, O, O]),  # c after nothing stays c; a short item or link is outvoted
        ([H, O, C, P, O, O, P, C, C], [H, P, O, P]),  # "three" outweighs what is left of the title
        ([P, C, C, C, C, C, O, O, O], [P, C, C, O]),  # one unit over several blocks
        ([NONE, P, NONE, NONE, L, NONE, NONE, O, NONE], [NONE, NONE, L, NONE]),  # most of the ink decides
    ],
)
def test_several_spans_in_one_block(codes: list[int], expected: list[int]) -> None:
    assert cut(PAGE).texts == ["Title", "One", "two", "three", "item", "x", "menu |", "link", "| more"]
    assert carried(PAGE, codes) == expected


def test_a_span_over_several_blocks_begins_once() -> None:
    assert carried(PAGE, [H, P, L, O], from_tags=False) == [H, P, C, C, L, C, O, O, O]
    assert carried(PAGE, [C, NONE, C, C], from_tags=False) == [C, NONE, NONE, NONE, C, C, C, C, C]


def test_text_that_the_other_segmentation_lacks_passes_its_label_on() -> None:
    data = b"<p><img alt='A cat'>sleeps all day</p><p>Next</p>"
    assert cut(data).texts == ["A cat", "sleeps all day", "Next"]
    assert carried(data, [P, C, P]) == [P, P]
    assert carried(data, [P, P], from_tags=False) == [NONE, P, P]


def test_text_without_blocks() -> None:
    blocks = cut(b"")
    annotation = Annotation.from_labels(b"", blocks, [])
    assert annotation.labels_for(blocks).shape == (0,)


def test_the_file_has_one_line_a_span(tmp_path: Path) -> None:
    path = tmp_path / "x.anno.json"
    long = b"<h1>Title</h1><p>" + b"word " * 50 + b"</p>"
    Annotation.from_labels(long, cut(long), [H, P], url="http://x/").save(path)
    lines = path.read_text("utf-8").splitlines()
    assert lines[0] == "{"
    assert lines[3] == f'  "page": "{digest(long)}",'
    assert lines[7:11] == [
        '  "spans": [',
        '    [0, 5, "header", "Title"],',
        f'    [5, 254, "paragraph", "{"word " * 12}"]',
        "  ]",
    ]
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.anno.json"], "no temporary file stays"


def test_a_failed_save_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.anno.json"
    path.write_text("old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="No space"):
        Annotation.from_labels(PAGE, cut(PAGE), [O] * 9).save(path)
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.anno.json"]


@pytest.mark.parametrize("codes", [[P], [P] * 10, [5] * 9, [-2] * 9])
def test_codes_must_fit(codes: list[int]) -> None:
    with pytest.raises(ValueError, match="9 numbers from -1 to 4"):
        Annotation.from_labels(PAGE, cut(PAGE), codes)


def test_an_annotation_belongs_to_bytes_and_text() -> None:
    blocks = cut(PAGE)
    annotation = Annotation.from_labels(PAGE, blocks, [O] * 9)
    annotation.check(PAGE, blocks.page)
    with pytest.raises(GoldError, match="another page"):
        annotation.check(PAGE + b" ", blocks.page)
    with pytest.raises(GoldError, match="another text"):
        annotation.check(PAGE, cut(THESIS).page)
    with pytest.raises(GoldError, match="another text"):
        annotation.labels_for(cut(THESIS))
    beyond = replace(annotation, spans=(Span(0, 10_000, "other", ""),))
    with pytest.raises(GoldError, match="ends at 10000, the text at"):
        beyond.check(PAGE, blocks.page)


GOOD = {"format": "dehusk-annotation", "version": 1, "page": "a" * 64, "text": "b" * 64, "url": None, "annotator": None,
        "spans": [[0, 5, "header", "Title"], [5, 9, "other", ""]]}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"format": "other"}, 'not an annotation: "format" is not "dehusk-annotation"'),
        ({"version": 2}, "version 2 is not 1"),
        ({"version": True}, "version True is not 1"),
        ({"page": "a" * 63}, "page must be a SHA-256 in hex"),
        ({"text": None}, "text must be a SHA-256 in hex"),
        ({"url": 1}, "url must be text or null"),
        ({"annotator": ["me"]}, "annotator must be text or null"),
        ({"more": 1}, "unknown key 'more'"),
        ({"spans": {}}, "spans must be a list"),
        ({"spans": [[0, 5, "header"]]}, "span 1 is not [start, end, label, text]"),
        ({"spans": [[0, True, "header", ""]]}, "span 1 is not [start, end, label, text]"),
        ({"spans": ["0123"]}, "span 1 is not [start, end, label, text]"),
        ({"spans": [[0, 5, "heading", ""]]}, "span 1: unknown label 'heading'"),
        ({"spans": [[-1, 5, "header", ""]]}, "span 1: -1 to 5 is out of range"),
        ({"spans": [[5, 5, "header", ""]]}, "span 1: 5 to 5 is out of range"),
        ({"spans": [[0, 2**80, "header", ""]]}, "is out of range"),
        ({"spans": [[0, 5, "header", ""], [4, 9, "other", ""]]}, "span 2 overlaps"),
        ({"spans": [[5, 9, "header", ""], [0, 4, "other", ""]]}, "span 2 overlaps or comes before"),
    ],
)
def test_malformed_files_are_refused_by_name(tmp_path: Path, change: dict[str, object], problem: str) -> None:
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
def test_files_that_are_no_annotation(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "bad.anno.json"
    path.write_bytes(raw)
    with pytest.raises(GoldError, match=r"not JSON|not an annotation"):
        Annotation.load(path)


def test_a_file_that_cannot_be_read_is_the_callers_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        Annotation.load(tmp_path / "none.anno.json")
