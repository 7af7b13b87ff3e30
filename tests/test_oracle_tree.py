"""The tree of a page, its blocks and its characters against what defines them."""

import sys
from collections.abc import Iterable, Sequence
from itertools import product
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dehusk.base.characters import PLANE, CharClass
from dehusk.base.tags import KNOWN
from dehusk.blocks import Blocks, segment
from dehusk.compiled import blocks as compiled_blocks
from dehusk.compiled import text as compiled_text
from dehusk.compiled import tree
from dehusk.read import parse
from dehusk.read.page import Page
from oracle import blocks as block_oracle
from oracle import cases
from oracle import characters as character_oracle
from oracle import layout as layout_oracle
from oracle import tree as tree_oracle
from strategies import htmls

MODES = tuple(product((False, True), repeat=2))
"""Values of `every_tag` and `alt`."""


def check_tree(page: Page, random: Random) -> None:
    assert tree.depth(page).tolist() == tree_oracle.depth(page)
    for share in (0.0, 0.1, 1.0):
        targets = [random.random() < share for _ in range(len(page))]
        assert tree.nearest(page, np.array(targets, dtype=np.bool_)).tolist() == tree_oracle.nearest(page, targets)
    bits = [1 << random.randrange(64) if random.random() < 0.1 else 0 for _ in range(len(page))]
    assert tree.above(page, np.array(bits, dtype=np.uint64)).tolist() == tree_oracle.above(page, bits)
    tags = KNOWN + len(page.extra_tags)
    order, starts = tree.order_of_tags(page.tag, tags)
    assert (order.tolist(), starts) == tree_oracle.order_of_tags(page.tag.tolist(), tags)
    chosen = np.array(sorted(random.sample(range(KNOWN), 30)), dtype=np.uint16)
    found = tree.nodes_of_tags(order, starts, chosen)
    assert found.tolist() == np.isin(page.tag, chosen).nonzero()[0].tolist()
    inside, rows = tree_oracle.within(page, found.tolist()), [*range(len(page))]
    random.shuffle(rows)
    assert tree.within(page, found).tolist() == inside
    assert tree.within_at(page, found, np.array(rows, dtype=np.int32)).tolist() == [inside[row] for row in rows]


def test_trees_of_pages() -> None:
    random = Random(1)  # noqa: S311 (nothing secret)
    for source in cases.sources(3):
        check_tree(parse(source), random)


@given(htmls, st.randoms(use_true_random=False))
def test_trees_of_random_pages(html: str, random: Random) -> None:
    check_tree(parse(html), random)


def check_blocks(page: Page) -> None:
    for every_tag, alt in MODES:
        found = [column.tolist() for column in compiled_blocks.columns(page, every_tag, alt)]
        found[3] = [chr(point) for point in found[3]]
        assert tuple(found) == block_oracle.columns(page, every_tag, alt)
        blocks = segment(page, every_tag=every_tag, alt=alt)
        assert compiled_blocks.texts(blocks) == block_oracle.texts(blocks)
        assert tuple(column.tolist() for column in compiled_blocks.counts(blocks)) == block_oracle.counts(blocks)


def test_blocks_of_pages() -> None:
    for source in cases.sources(3):
        check_blocks(parse(source))


@given(htmls)
def test_blocks_of_random_pages(html: str) -> None:
    check_blocks(parse(html))


def check_gaps(blocks: Blocks, random: Random) -> None:
    for share in (1.0, 0.7, 0.2):
        kept = [block for block in range(len(blocks)) if random.random() < share]
        assert compiled_blocks.gaps(blocks, np.array(kept, dtype=np.intp)).tolist() == layout_oracle.gaps(blocks, kept)


def test_gaps_of_pages() -> None:
    random = Random(2)  # noqa: S311 (nothing secret)
    for source, (every_tag, alt) in product(cases.sources(3), MODES):
        check_gaps(segment(parse(source), every_tag=every_tag, alt=alt), random)


@given(htmls, st.sampled_from(MODES), st.randoms(use_true_random=False))
def test_gaps_of_random_pages(html: str, mode: tuple[bool, bool], random: Random) -> None:
    check_gaps(segment(parse(html), every_tag=mode[0], alt=mode[1]), random)


def check_characters(points: Sequence[int]) -> None:
    array, text = np.array(points, dtype=np.uint32), list(map(chr, points))
    assert compiled_text.classify(array).tolist() == list(map(character_oracle.class_of, text))
    assert compiled_text.lower(array).tolist() == [ord(character_oracle.lower(character)) for character in text]


def without_surrogates(points: Iterable[int]) -> list[int]:
    return [point for point in points if not 0xD800 <= point < 0xE000]


def test_every_character_of_the_first_plane() -> None:
    check_characters(range(PLANE))


def test_characters_beyond_the_first_plane() -> None:
    check_characters(range(PLANE, sys.maxunicode, 101))
    check_characters([*range(0x10400, 0x10450), *range(0x1D400, 0x1D800, 3), *range(0x1F600, 0x1F640), sys.maxunicode])


def test_texts_of_code_points() -> None:
    for step in (1, 101, 65537):
        points = without_surrogates(range(0, sys.maxunicode, step))
        assert compiled_text.text_of(np.array(points, dtype=np.uint32)) == character_oracle.text_of(points)
    assert compiled_text.text_of(np.zeros(0, dtype=np.uint32)) == ""


@given(st.text(st.characters(), max_size=40))
def test_keys_of_texts(text: str) -> None:
    for each in (text, text * 9, f"{text}\ud800"):
        assert compiled_text.text_key(each) == character_oracle.text_key(each)


def test_the_oracle_knows_all_classes() -> None:
    assert {character_oracle.class_of(character) for character in "$a1. \u00ad"} == set(range(CharClass.INVISIBLE + 1))
