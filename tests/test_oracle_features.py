"""The families of features and the counts that they are made of against what defines them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given

from dehusk.blocks import Blocks, segment
from dehusk.compiled import features
from dehusk.label.features import FeatureSettings
from dehusk.label.features.family import Compute
from dehusk.label.united.columns import NAMES, settings
from dehusk.label.victor.config import load_config
from dehusk.read import parse
from dehusk.read.page import Page
from oracle import cases
from oracle import features as oracle
from oracle import features_names as names_oracle
from oracle import features_text as text_oracle
from oracle import subtrees as subtrees_oracle
from strategies import htmls

VICTOR = replace(
    load_config("cleaneval").settings,
    splits={**load_config("cleaneval").settings.splits, "body": ("body", "p")},
    classes={"menu": ("nav", "menu"), "x": ("x",), "ad": ("ad", "addr"), "z": ("z", "user", "body", "none")},
)
SETTINGS = (VICTOR, settings())


def compiled(name: str) -> Compute:
    found: Compute = getattr(features, name)
    return found


def check(found: Mapping[str, np.ndarray], expected: Mapping[str, Sequence[float]]) -> None:
    assert sorted(found) == sorted(expected)
    for name, column in found.items():
        assert column.tolist() == list(expected[name]), name


@pytest.mark.parametrize("name", oracle.PLAIN)
def test_a_family(name: str) -> None:
    for blocks in cases.segmented():
        check(compiled(name)(blocks, FeatureSettings()), oracle.PLAIN[name](blocks))


@pytest.mark.parametrize("name", oracle.CONFIGURED)
def test_a_family_with_settings(name: str) -> None:
    for blocks in cases.segmented():
        for chosen in SETTINGS:
            check(compiled(name)(blocks, chosen), oracle.CONFIGURED[name](blocks, chosen))


def test_more_than_a_thousand_blocks_after_a_heading() -> None:
    blocks = segment(parse("<h1>Items</h1>" + "<p>one" * 1005))
    name = "link_features"
    check(compiled(name)(blocks, FeatureSettings()), oracle.PLAIN[name](blocks))


@pytest.mark.parametrize("every_tag", [False, True])
@given(html=htmls)
def test_families_of_random_pages(every_tag: bool, html: str) -> None:
    blocks = segment(parse(html), every_tag=every_tag, alt=every_tag)
    for name, compute in oracle.PLAIN.items() if len(blocks) else ():
        check(compiled(name)(blocks, FeatureSettings()), compute(blocks))
    for name, compute_configured in oracle.CONFIGURED.items() if len(blocks) else ():
        check(compiled(name)(blocks, VICTOR), compute_configured(blocks, VICTOR))


def check_counts(blocks: Blocks) -> None:
    found, expected = features.count_subtrees(blocks), subtrees_oracle.count_subtrees(blocks)
    columns = (found.running_words, found.before, found.count, found.words, found.linked, found.running)
    assert [column.tolist() for column in columns] == list(expected)
    assert features.running_words(blocks).tolist() == expected.running_words
    assert features.topmost(blocks).tolist() == subtrees_oracle.topmost(blocks)
    assert features.match_title(blocks).tolist() == text_oracle.match_title(blocks)


def test_counts_of_pages() -> None:
    for blocks in cases.segmented():
        check_counts(blocks)


@given(htmls)
def test_counts_of_random_pages(html: str) -> None:
    check_counts(segment(parse(f"<title>A 2nd one! It works. It does?</title>{html}")))


def check_names(page: Page) -> None:
    found = features.parts_of_names(page)
    parts = [bytes(found.source[a:b]).decode() for a, b in zip(found.start.tolist(), found.end.tolist(), strict=True)]
    first = found.first.tolist()
    of_names = [parts[a:b] for a, b in pairwise(first)]
    assert of_names == names_oracle.parts_of_names(page)
    for chosen in SETTINGS:
        assert features.bits_of_names(page, chosen).tolist() == names_oracle.bits_of_names(page, chosen)


def test_names_of_pages() -> None:
    for source in cases.sources():
        check_names(parse(source))


@given(htmls)
def test_names_of_random_pages(html: str) -> None:
    check_names(parse(html))


def test_the_table_of_pages() -> None:
    for blocks in cases.segmented():
        expected = oracle.table(blocks, settings(), NAMES)
        assert features.table(blocks).tolist() == expected.tolist()


@given(htmls)
def test_the_table_of_random_pages(html: str) -> None:
    for blocks in cases.blocks_of(html):
        assert features.table(blocks).tolist() == oracle.table(blocks, settings(), NAMES).tolist()
