"""Units and decisions against what defines them."""

from dataclasses import fields
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.blocks import Blocks, segment
from dehusk.blocks.headlines import HEADING_TAGS
from dehusk.blocks.labels import Labels
from dehusk.blocks.units.records import Records
from dehusk.compiled import decide, write
from dehusk.compiled.blocks import skeleton_of
from dehusk.label.features import FeatureSettings
from dehusk.label.united.columns import settings
from dehusk.label.united.decisions import Evidence
from dehusk.read import parse
from oracle import alike as alike_oracle
from oracle import cases
from oracle import decisions as decisions_oracle
from oracle import groups as groups_oracle
from oracle import headings as headings_oracle
from oracle import kinds as kinds_oracle
from oracle import pruning as pruning_oracle
from oracle import records as records_oracle
from oracle import skeleton as skeleton_oracle
from oracle import structures as structures_oracle
from strategies import htmls


def check_skeleton(blocks: Blocks) -> None:
    found, expected = skeleton_of(blocks), skeleton_oracle.skeleton_of(blocks)
    for field in fields(found):
        value = getattr(found, field.name)
        assert (value.tolist() if isinstance(value, np.ndarray) else value) == getattr(expected, field.name), field.name


def test_skeletons_of_pages() -> None:
    for blocks in (*cases.segmented(2), *cases.rows(200)):
        check_skeleton(blocks)


@given(htmls)
def test_skeletons_of_random_pages(html: str) -> None:
    for blocks in cases.blocks_of(html):
        check_skeleton(blocks)


def check_records(found: Records, expected: records_oracle.Records) -> None:
    for name in expected._fields:
        assert getattr(found, name).tolist() == getattr(expected, name), name


def check_structures(blocks: Blocks) -> None:
    masks, pairs, lists = structures_oracle.find_structures(blocks)
    found = decide.find_structures(blocks)
    assert decide.data_tables(blocks).tolist() == masks.tables
    for name in ("lists", "items", "tables", "rows", "listings", "definitions"):
        assert getattr(found, name).tolist() == getattr(masks, name), name
    for pairs_found in (found.pairs, decide.find_pairs(blocks)):
        check_records(pairs_found, pairs)
    for records_found in (found.records, decide.find_records(blocks, np.array(masks.taken))):
        check_records(records_found, lists)


def test_structures_of_pages() -> None:
    for blocks in (*cases.segmented(2), *cases.rows(200)):
        check_structures(blocks)


@given(htmls)
def test_structures_of_random_pages(html: str) -> None:
    for blocks in cases.blocks_of(html):
        check_structures(blocks)


def check_grouping(blocks: Blocks) -> None:
    found = decide.grouping(blocks)
    assert (found.field.tolist(), found.is_bound.tolist(), found.group.tolist()) == groups_oracle.grouping(blocks)


def test_groups_of_pages() -> None:
    for blocks in (*cases.segmented(2), *cases.rows(200)):
        check_grouping(blocks)


@given(htmls)
def test_groups_of_random_pages(html: str) -> None:
    for blocks in cases.blocks_of(html):
        check_grouping(blocks)


SETTINGS = (settings(), FeatureSettings(classes={"x": ("x",), "comment": ("x", "reply")}), FeatureSettings())


def check_kinds(blocks: Blocks, random: Random) -> None:
    for share, chosen in product((1.0, 0.8), SETTINGS):
        kept = [random.random() < share for _ in range(len(blocks))]
        assert decide.block_kinds(blocks, np.array(kept), chosen).tolist() == kinds_oracle.block_kinds(
            blocks, kept, chosen
        )


def test_kinds_of_pages() -> None:
    random = Random(3)  # noqa: S311 (nothing secret)
    for blocks in (*cases.segmented(2), *cases.rows(200)):
        check_kinds(blocks, random)


@given(htmls, st.randoms(use_true_random=False))
def test_kinds_of_random_pages(html: str, random: Random) -> None:
    for blocks in cases.blocks_of(html):
        check_kinds(blocks, random)


def check_decision(blocks: Blocks, random: Random) -> None:
    never = decisions_oracle.never_content(blocks)
    assert decide.never_content(blocks).tolist() == never
    b = len(blocks)
    for beta, has_site, share in product((1.0, 0.5, 2.0), (False, True), (0.0, 0.1)):
        levels = random.choice(((-3, -1, 0, 2), (-2, -1.5, -1, 3), (-12, 12, 1, -0.5), (-2.5, -4)))
        scores, with_site = ([random.choice(levels) + random.gauss(0, 0.3) for _ in range(b)] for _ in range(2))
        template, excluded = ([random.random() < part for _ in range(b)] for part in (0.5, share))
        excluded = [a or out for a, out in zip(never, excluded, strict=True)]
        evidence = Evidence(np.array(with_site), np.array(template)) if has_site else None
        found = decide.decide(blocks, np.array(scores), excluded=np.array(excluded), evidence=evidence, beta=beta)
        case, plain = decisions_oracle.Case(blocks, excluded), (with_site, template) if has_site else None
        probability, kept = decisions_oracle.decide(case, scores, plain, beta)
        assert found.kept.tolist() == kept
        assert found.probability.tolist() == pytest.approx(probability, rel=1e-12)


def test_decisions_about_pages() -> None:
    random = Random(4)  # noqa: S311 (nothing secret)
    for blocks in (*cases.segmented(3), *cases.rows(80)):
        check_decision(blocks, random)


@given(htmls, st.randoms(use_true_random=False))
def test_decisions_about_random_pages(html: str, random: Random) -> None:
    for blocks in cases.blocks_of(html):
        check_decision(blocks, random)


def check_pruning(blocks: Blocks, random: Random) -> None:
    b, texts = len(blocks), np.flatnonzero(blocks.page.is_text)
    for share, left_out in product((1.0, 0.7, 0.3), (0.0, 0.2)):
        kept = np.array([random.random() < share for _ in range(b)])
        omitted = np.array([node for node in texts.tolist() if random.random() < left_out], dtype=np.int32)
        labels = Labels(blocks, np.zeros(b, np.uint8), np.zeros(b), kept, omitted=omitted)
        nodes, seams = write.kept_nodes(labels)
        assert nodes.tolist() == pruning_oracle.kept_nodes(labels)
        assert seams == pruning_oracle.seams(labels)


IMAGES = (
    "<p>a<img src=x alt=' tea '><br><br>b<figure><p><img src=y><img src=y width=1>c</figure><hr><img alt=t><p>d"
    "<pre>e\nf</pre><table><tr><td>g<td><td><img src='data:,'><tr><td></table><span> </span><b>h</b> <i>i</i><wbr>j"
)


def test_pruning_of_pages() -> None:
    random = Random(7)  # noqa: S311 (nothing secret)
    for blocks in (*cases.segmented(3), *cases.rows(40), *cases.blocks_of(IMAGES), *cases.blocks_of(IMAGES[60:])):
        if len(blocks.page) < 200:
            check_pruning(blocks, random)


@given(htmls, st.randoms(use_true_random=False))
def test_pruning_of_random_pages(html: str, random: Random) -> None:
    for blocks in cases.blocks_of(html):
        check_pruning(blocks, random)


def check_headings(blocks: Blocks, seed: int) -> None:
    levels = decide.heading_levels(blocks, HEADING_TAGS)
    assert levels.tolist() == headings_oracle.heading_levels(blocks)
    kept = np.random.default_rng(seed).random(len(blocks)) < 0.6
    assert decide.bare_headings(levels, kept) == headings_oracle.bare_headings(levels.tolist(), kept.tolist())


def test_headings_of_pages() -> None:
    for seed, blocks in enumerate(cases.segmented(2)):
        check_headings(blocks, seed)


PARTS_OF_HEADINGS = ("<h1>a</h1>", "<h2>b", "<h3>c</h3>", "</h2>", "<p>d", "<h6><b>e<p>f</b></h6>")


@given(st.lists(st.sampled_from(PARTS_OF_HEADINGS)).map("".join), st.integers(0, 99))
def test_headings_of_random_pages(html: str, seed: int) -> None:
    for blocks in cases.blocks_of(html):
        check_headings(blocks, seed)


def test_columns_of_headings_that_do_not_fit_are_refused() -> None:
    blocks = next(iter(cases.segmented(2)))
    with pytest.raises(ValueError, match="six levels"):
        decide.heading_levels(blocks, HEADING_TAGS[:5])
    levels = decide.heading_levels(blocks, HEADING_TAGS)
    with pytest.raises(ValueError, match="one truth value for each block"):
        decide.bare_headings(levels, np.ones(len(blocks) + 1, dtype=np.bool_))


def check_alike(blocks: Blocks, seed: int) -> None:
    of = (np.random.default_rng(seed).random(len(blocks)) < 0.7).nonzero()[0]
    for least, apart, words in ((1, 0.0, 0), (2, 0.75, 2), (4, 0.5, 0)):
        options = {"least": least, "apart": apart, "words": words}
        fields = decide.fields_of(blocks, of, **options, probability=None, likely=1)
        assert [field.tolist() for field in fields] == alike_oracle.fields_of(blocks, of.tolist(), **options)
        for field in fields:
            starts, ends = decide.records_of(blocks, field)
            records = list(zip(starts.tolist(), ends.tolist(), strict=True))
            assert records == alike_oracle.records_of(blocks, field.tolist())
    for size in (1, 2, 3):
        assert decide.repeated_runs(blocks, of, size) == alike_oracle.repeated_runs(blocks, of.tolist(), size)


def test_fields_records_and_runs_of_pages() -> None:
    for seed, blocks in enumerate(cases.segmented(2)):
        check_alike(blocks, seed)


PARTS_OF_RECORDS = ("<li>a", "<li><b>a b</b>", "<p class=x>c", "<p class=x>c", "<div class=y>", "<ul>", "d", "</div>")


@given(st.lists(st.sampled_from(PARTS_OF_RECORDS), max_size=40).map("".join), st.integers(0, 99))
def test_fields_records_and_runs_of_random_pages(html: str, seed: int) -> None:
    for blocks in cases.blocks_of(html):
        check_alike(blocks, seed)


def test_a_field_is_as_likely_as_asked() -> None:
    blocks = segment(parse("<ul>" + "<li><b>a</b><p>b" * 4 + "</ul>"))
    of, likely = np.arange(0, 8, 2), np.linspace(0, 0.7, 8)
    options = {"least": 4, "apart": 1, "words": 0, "probability": likely}
    assert [field.tolist() for field in decide.fields_of(blocks, of, **options, likely=0.29)] == [[0, 2, 4, 6]]
    assert decide.fields_of(blocks, of, **options, likely=0.31) == []


def test_indices_that_do_not_fit_are_refused() -> None:
    blocks = segment(parse("<p>a<p>b<p>c"))
    with pytest.raises(ValueError, match="ascend"):
        decide.records_of(blocks, np.array([1, 0]))
    with pytest.raises(ValueError, match="index 3 is not below 3"):
        decide.repeated_runs(blocks, np.array([0, 3]), 1)
