"""Plain text against what defines it."""

from itertools import product
from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dehusk.blocks import Blocks, segment
from dehusk.blocks.labels import CONTINUATION, KINDS, LIST, PARAGRAPH, Labels
from dehusk.compiled.write import to_text, touching_texts
from dehusk.read import parse
from oracle import cases
from oracle import plain_text as oracle
from oracle import touching as touching_oracle
from strategies import htmls


def check(blocks: Blocks, random: Random) -> None:
    b, texts = len(blocks), np.flatnonzero(blocks.page.is_text)
    for share, left_out in product((1.0, 0.6), (0.0, 0.2)):
        kinds = random.choice(((PARAGRAPH,), (PARAGRAPH, LIST, CONTINUATION), range(len(KINDS))))
        label = np.array([random.choice(kinds) for _ in range(b)], dtype=np.uint8)
        kept = np.array([random.random() < share for _ in range(b)], dtype=np.bool_)
        omitted = np.array([node for node in texts.tolist() if random.random() < left_out], dtype=np.int32)
        labels = Labels(blocks, label, np.zeros(b), kept, omitted=omitted)
        assert to_text(labels) == oracle.to_text(labels)


ODD = (
    "<table><td><table><caption>x</caption><tr><td>a<td>b<tr><td>c<td>d</table></table>",
    *("<ul><li>a<li>b<p>c<ul><li>d</ul>e</ul>", "<ol start=7><li>a<dt>b<li>c</ol>"),
    *("<ol start=' -2x'><li>a<ul><li>b<li>c", "<ol start=y><li><p>a<p>b<li>c</ol>", "<li>a<h2>b</h2><ul><li>c</ul>"),
    *("<h3><li>a</h3>", "<dl><dt>a<dd>b<dd>c</dl>", "<table><tr><td>a<td><td>b<p>c<tr><th>d<td>e</table>"),
    *("<table><tr><td><ul><li>a<li>b</ul><td>c<tr><td>d<td>e</table>",),
    *("<table><tr><td><pre>a\n\nb</pre><td>c<tr><td>d<td>e</table>", "<table><tr><td><td>a<tr><td><td>b</table>"),
    *("<pre>a\n\n\n  b\tc\n</pre>", "<pre>a<b> b\n</b>\n<li>c\n\nd</pre>", "<pre><div>a</div> \n <div>b</div></pre>"),
    *("<menu><li>m", "a<br>b<br><br>c", "<hr>", "<p>• a<p>12) b<p>1234. c<p>- d<p>-e", "<p>a</p>b"),
    *("<b>a</b><!-- --><i>b</i>", "H<sub>2</sub>O", "<img alt='an image'>", "<ul><p>a<li><img alt=b>c</ul>"),
    *("x<sup>2</sup>", "<li>" * 40 + "deep", "<ul><li>" * 9 + "deep<li>er"),
)
odd_htmls = st.lists(st.one_of(st.sampled_from(ODD), st.sampled_from(ODD), htmls), max_size=6).map("".join)


@settings(max_examples=50)
@given(odd_htmls, st.booleans(), st.booleans(), st.randoms(use_true_random=False))
def test_texts_of_random_pages(html: str, every_tag: bool, alt: bool, random: Random) -> None:
    check(segment(parse(html), every_tag=every_tag, alt=alt), random)


def test_texts_of_pages() -> None:
    random = Random(9)  # noqa: S311 (nothing secret)
    for blocks in (*(segment(parse(html * 2)) for html in ODD), *cases.segmented(6), *cases.rows(20)):
        if len(blocks.page) < 300:
            check(blocks, random)


def test_indentation_that_is_longer_than_half_of_the_source() -> None:
    for items, more in product((9, 33, 40), (0, 5, 30, 60)):
        check(segment(parse("<li>".join(["<ul>"] * items) + "a<li>" + "<li>b" * more)), Random(1))  # noqa: S311


def test_texts_that_touch_on_pages() -> None:
    for blocks in cases.segmented(2):
        assert touching_texts(blocks.page) == touching_oracle.touching_texts(blocks.page)


PARTS_OF_LINES = ("a", "ab", " ", "-c", "<b>", "</b>", "<i>d</i>", "<br>", "<p>", "<div>", "</div>", "<hr>", "<x-y>é")


@given(st.lists(st.sampled_from(PARTS_OF_LINES)).map("".join))
def test_texts_that_touch_on_random_pages(html: str) -> None:
    page = parse(html)
    assert touching_texts(page) == touching_oracle.touching_texts(page)
