"""Features of the united labeller on pages small enough for counting by hand."""

import numpy as np
import pytest
from hypothesis import given

from dehusk.blocks import segment
from dehusk.compiled.features import running_words
from dehusk.label.features import FeatureSettings, compute
from dehusk.label.features.place import count_subtrees
from dehusk.read import parse
from strategies import htmls

LONG = "one two three four five six seven eight nine ten"
PAGE = f"""<html><head><title>The great tea of China</title><meta property="og:type" content="article"></head><body>
<ul><li><a href=/>home page</a></li><li><a href=/b>shop</a></li></ul>
<div class=wrap><div class=main><h1>The great tea</h1><p>{LONG}</p><p>{LONG} {LONG}</p></div></div>
<p>end</p></body></html>"""


def columns(html: str, *names: str) -> dict[str, list[float]]:
    blocks = segment(parse(html))
    return {name: np.asarray(column).tolist() for name, column in compute(blocks, FeatureSettings(), names).items()}


def test_holders_by_level() -> None:
    values = columns(PAGE, "holder.tag", "holder.0.siblings", "holder.1.blocks", "holder.1.running", "holder.2.blocks")
    assert values["holder.tag"] == [5, 5, 2, 1, 1, 1]
    assert values["holder.0.siblings"] == [2, 2, 1, 2, 2, 1]  # the last p has no siblings in the body
    assert values["holder.1.blocks"] == [2, 2, 3, 3, 3, 6]  # the wrapper around .main is not a level
    assert values["holder.1.running"] == pytest.approx([0, 0, 30 / 33, 30 / 33, 30 / 33, 30 / 37])
    assert values["holder.2.blocks"] == [6] * 6


def test_neighbours_and_windows() -> None:
    values = columns(PAGE, "near.-1.words", "near.+1.words", "near.+1.link-density", "near.2.running")
    assert values["near.-1.words"] == [-1, 2, 1, 3, 10, 20]
    assert values["near.+1.words"] == [1, 3, 10, 20, 1, -1]
    assert values["near.+1.link-density"] == [1, 0, 0, 0, 0, -1]
    assert values["near.2.running"][0] == 0
    assert values["near.2.running"][3] == pytest.approx(30 / 35)


def test_sections_start_at_headings() -> None:
    values = columns(PAGE, "section.level", "section.number", "section.words", "section.running")
    assert values["section.level"] == [0, 0, 1, 1, 1, 1]
    assert values["section.number"] == [0, 0, 1, 1, 1, 1]
    assert values["section.words"] == [3, 3, 34, 34, 34, 34]
    assert values["section.running"][2] == pytest.approx(30 / 34)


def test_candidates() -> None:
    values = columns(PAGE, "candidate.half.place", "candidate.half.levels", "candidate.most.place", "candidate.heading")
    assert values["candidate.half.place"] == pytest.approx([-4 / 6, -3 / 6, -2 / 6, -1 / 6, 0, 1 + 1 / 6])
    assert values["candidate.half.levels"] == [30, 30, 30, 30, 0, 30]
    assert values["candidate.most.place"][2:5] == [0, 0.5, 1]
    assert values["candidate.heading"] == [-2, -1, 0, 1, 2, 3]
    assert columns(PAGE, "candidate.title")["candidate.title"] == [-2, -1, 0, 1, 2, 3]


def test_the_largest_group_of_siblings() -> None:
    posts = "".join(f"<div class=post>{LONG} {n}</div>" for n in ("a", "b", "c"))
    values = columns(
        f"<p>menu</p>{posts}<p>end</p>", "candidate.group", "candidate.group.size", "candidate.group.place"
    )
    assert values["candidate.group"] == [0, 1, 1, 1, 0]
    assert values["candidate.group.size"] == [3] * 5
    assert values["candidate.group.place"] == pytest.approx([-1 / 5, 0, 0.5, 1, 1 + 1 / 5])
    assert columns(PAGE, "candidate.group")["candidate.group"] == [0] * 6  # two paragraphs do not form a group


def test_features_of_the_page_type() -> None:
    names = ("page.article-type", "page.headings", "page.items", "page.running-blocks", "page.cells")
    values = columns(PAGE, *names)
    assert [values[name][0] for name in names] == [1, 1, 3 / 37, 2, 0]
    nested = columns("<table><tr><td>a b<table><tr><td>c</td></tr></table></td></tr></table>d", "page.cells")
    assert nested["page.cells"][0] == 3 / 4  # nested cells count once


def test_copies_are_equal_texts() -> None:
    assert columns("<p>a b<p>c<p>a b<p>A b", "block.copies")["block.copies"] == [2, 1, 2, 1]


@given(htmls)
def test_sums_against_a_loop(html: str) -> None:
    blocks = segment(parse(html))
    counts, page, running = count_subtrees(blocks), blocks.page, running_words(blocks)
    for node in range(len(page)):
        own = [n for n, first in enumerate(blocks.first.tolist()) if node <= first < page.end[node]]
        assert counts.count[node] == len(own)
        assert counts.words[node] == sum(blocks.words[own])
        assert counts.running[node] == sum(running[own])
        assert counts.before[node] == sum(first < node for first in blocks.first.tolist())
