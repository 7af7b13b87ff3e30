"""The labels of kept blocks, and that the additional ones do not affect code that only knows the five of the thesis."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk import write
from dehusk.base.errors import Status
from dehusk.blocks import Blocks, segment
from dehusk.blocks.labels import KINDS, LABELS, Labels, as_labels
from dehusk.compiled.decide import block_kinds
from dehusk.document import Document
from dehusk.lab.evaluate.verdicts import judge
from dehusk.lab.gold.datasets import Sample
from dehusk.lab.train.labelled_pages import label_sample
from dehusk.label.features.family import FeatureSettings
from dehusk.label.victor.config import load_config
from dehusk.read import parse
from dehusk.read.page import Page

SETTINGS = load_config("web").settings


def labelled(html: str, dropped: tuple[int, ...] = ()) -> Labels:
    blocks = segment(parse(html))
    kept = ~np.isin(np.arange(len(blocks)), dropped)
    return Labels(blocks, block_kinds(blocks, kept, SETTINGS), np.where(kept, 0.9, 0.1), kept)


def kinds(html: str, *dropped: int) -> list[str]:
    labels = labelled(html, dropped)
    labels.validate()
    return [KINDS[kind] for kind in labels.label.tolist()]


ROWS = "<tr><th>Tea<th>Minutes<tr><td>Sencha<td>1<tr><td>Gyokuro<td>2"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h2>A</h2><p>b</p><ul><li>c</ul>", ["header", "paragraph", "list"]),
        ("<p>a<br>b<br>c</p><p>d</p>", ["paragraph", "continuation", "continuation", "paragraph"]),
        ("<p><b>a</b><br>b</p>", ["paragraph", "continuation"]),
        ("<p>a<br><br>b</p>", ["paragraph", "paragraph"]),
        ("<p>a<hr>b</p>", ["paragraph", "paragraph"]),
        ("<div>a<br>b</div>", ["paragraph", "paragraph"]),
        ("<ul><li>a<br>b</ul>", ["list", "list"]),
        ("<h1>a<br>b</h1>", ["header", "header"]),
        (f"<table>{ROWS}</table>", ["table"] * 6),
        (f"<table><caption>Times{ROWS}</table>", ["paragraph", *["table"] * 6]),
        ("<table><tr><td>all<td><h2>H</h2><p>text</table>", ["paragraph", "header", "paragraph"]),
        ("<table><tr><td>one column<tr><td>of text</table>", ["paragraph", "paragraph"]),
        ("<table><tr><td><ul><li>a</ul><td>b<tr><td>c<td>d</table>", ["table"] * 4),
        ("<pre>a\nb</pre><p>c</p>", ["code", "code", "paragraph"]),
        ("<p>run <code>a</code> now</p><div><code>pip</code></div>", ["paragraph", "code"]),
        ("<ul><li><code>a</code></ul>", ["list"]),
        (f"<table>{ROWS}<tr><td><code>a</code><td>3</table>", ["table"] * 8),
        ("<p>a</p><div class='comments'><h3>C</h3><p>b</p><ul><li>c</ul><pre>d</pre></div>",
         ["paragraph", "header", "comment", "comment", "code"]),
        ("<section id='replies'><p>b<br>c</section>", ["comment", "comment"]),
        ("<article class='comments-open'><h1>A</h1><p>b</p><div id=comment-1>c</div></article>",
         ["header", "paragraph", "comment"]),
        ("<body class='comments'><p>a</p>", ["paragraph"]),
        ("<p class='commerce'>a</p>", ["paragraph"]),
        ("", []),
    ],
)  # fmt: skip
def test_kinds(html, expected):
    assert kinds(html) == expected


def test_a_dropped_block_has_no_kind_and_does_not_continue_another():
    assert kinds("<p>a<br>b<br>c</p><pre>d</pre>", 1, 3) == ["paragraph", "other", "paragraph", "other"]
    assert kinds("<p>a<br>b</p>", 0) == ["other", "paragraph"]


def test_a_table_with_one_kept_column_is_for_layout():
    assert kinds("<table><tr><td>menu<td>text</table>", 0) == ["other", "paragraph"]


def test_without_words_for_comments_no_block_is_a_comment():
    blocks = segment(parse("<div class=comments>a</div>"))
    assert KINDS[block_kinds(blocks, np.array([True]), FeatureSettings())[0]] == "paragraph"


def test_the_five_labels_come_first():
    assert KINDS[: len(LABELS)] == LABELS
    labels = as_labels(np.arange(len(KINDS), dtype=np.uint8))
    assert [LABELS[label] for label in labels.tolist()] == [*LABELS, "paragraph", "paragraph", "paragraph"]


PAGE = f"""<h1>Tea</h1><p>One<br>two.</p><table>{ROWS}</table><pre>a = 1
b = 2</pre><ul><li>x<li>y</ul><div id=comments><p>Nice.</p></div>"""


def test_markdown_follows_the_page_and_not_the_kinds():
    labels = labelled(PAGE)
    assert write.to_markdown(labels) == (
        "# Tea\n\nOne  \ntwo.\n\n| Tea | Minutes |\n| --- | --- |\n| Sencha | 1 |\n| Gyokuro | 2 |\n\n"
        "```\na = 1\nb = 2\n```\n\n- x\n- y\n\nNice.\n"
    )
    assert write.to_markdown(replace(labels, label=as_labels(labels.label))) == write.to_markdown(labels)


@pytest.mark.parametrize("form", [writer.name for writer in write.WRITERS if not writer.includes_dropped])
def test_additional_kinds_are_written_as_paragraphs(form):
    labels = labelled(PAGE)
    assert {5, 6, 7} < set(labels.label.tolist())
    plain = replace(labels, label=as_labels(labels.label))
    with_kinds, without = (Document(Status.OK, "", each).render(form) for each in (labels, plain))
    assert with_kinds == without


def test_a_line_break_of_the_page_ends_a_line_of_text_but_not_a_segment_of_cleaneval():
    labels = labelled("<p>a<br>b</p>")
    assert write.to_text(labels) == "a\nb\n"
    assert write.to_cleaneval(labels) == "<p>a b\n"


def test_json_and_blocks_name_the_kinds():
    labels = labelled(PAGE)
    document = Document(Status.OK, "", labels)
    assert {block.label for block in document.blocks} == {
        "header", "paragraph", "continuation", "table", "code", "list", "comment",
    }  # fmt: skip
    assert [block["label"] for block in document.record()["blocks"]] == [block.label for block in document.blocks]


class Structured:
    """A method that keeps all blocks and labels them by their structure."""

    def segment(self, page: Page) -> Blocks:
        return segment(page)

    def label(self, blocks: Blocks, *, explain: bool = False) -> Labels:  # noqa: ARG002 (the protocol's shape)
        kept = np.ones(len(blocks), dtype=np.bool_)
        return Labels(blocks, block_kinds(blocks, kept, SETTINGS), kept.astype(np.float64), kept)


def test_comparing_labels_treats_additional_kinds_as_paragraphs():
    sample = Sample("s", "1", b"<h1>Tea</h1><pre>a = 1</pre>", None, None, None, "<h>Tea\n<p>a = 1")
    verdict = judge(Structured(), label_sample(sample, Structured()))
    assert verdict.labels is not None
    header, paragraph = LABELS.index("header"), LABELS.index("paragraph")
    assert verdict.labels.confusion[header][header] == verdict.labels.confusion[paragraph][paragraph] == 1
    assert sum(map(sum, verdict.labels.confusion)) == 2


def test_a_label_that_is_not_in_kinds_is_refused():
    labels = labelled("<p>a</p>")
    with pytest.raises(ValueError, match="a label is not in KINDS"):
        replace(labels, label=np.array([len(KINDS)], dtype=np.uint8)).validate()


@given(
    st.lists(st.sampled_from(["<p>", "a", "<br>", "<table><tr><td>", "<td>", "<pre>", "<div class=reply>"])), st.data()
)
def test_kept_blocks_and_only_those_have_a_kind(parts, data):
    blocks = segment(parse("".join(parts)))
    kept = np.array(data.draw(st.lists(st.booleans(), min_size=len(blocks), max_size=len(blocks))), dtype=np.bool_)
    assigned = block_kinds(blocks, kept, SETTINGS)
    assert ((assigned != LABELS.index("other")) == kept).all()
