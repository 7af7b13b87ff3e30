"""Properties of all features, with the settings of the preset and on random pages."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given

from dehusk.base.errors import ConfigError
from dehusk.blocks import Blocks, segment
from dehusk.label.features import DOC, FEATURES, Family, FeatureSet, FeatureSettings, compute, is_known
from dehusk.label.victor.config import load_config
from dehusk.read import parse
from oracle.cases import blocks_of
from oracle.features_text import character_features, duplicate_features, token_features
from oracle.features_words import group_features
from strategies import htmls

CONFIG = load_config("cleaneval")
SETTINGS = replace(CONFIG.settings, classes={"menu": ("nav", "menu"), "x": ("x",)})
CONFIGURED = {
    "container.*": SETTINGS.containers,
    "split.*": SETTINGS.splits,
    "regexp.*": SETTINGS.regexp,
    "lexicon.*": SETTINGS.classes,
    "nearby.*": SETTINGS.classes,
}
NAMES = [
    name
    for entry in DOC
    for name in ([entry.replace("*", key) for key in CONFIGURED[entry]] if entry.endswith("*") else [entry])
]
CHAPTER_4 = [
    "container.p", "container.a", "container.u", "container.img", "container.class-header", "container.class-bold",
    "container.class-italic", "container.class-list", "container.class-form", "split.p", "split.br", "split.hr",
    "split.class-inline", "split.class-block", "char.alpha-rel", "char.num-rel", "char.punct-rel", "char.white-rel",
    "char.other-rel", "token.alpha-rel", "token.num-rel", "token.mix-rel", "token.other-rel", "token.alpha-abs",
    "token.num-abs", "token.mix-abs", "token.other-abs", "sentence.count", "sentence.avg-length", "sentence-begin",
    "sentence-end", "first-duplicate", "duplicate-count", "regexp.url", "regexp.date", "regexp.time", "bullet",
    "div-group.word-ratio", "td-group.word-ratio", "position", "document.word-count", "document.sentence-count",
    "document.block-count", "document.max-div-group", "document.max-td-group",
]  # fmt: skip


def test_the_preset_has_every_feature_of_chapter_4_and_one_more():
    assert len(CHAPTER_4) == 45
    assert sorted(CONFIG.template.features) == sorted([*CHAPTER_4, "word-ratio"])
    assert set(CHAPTER_4) <= set(NAMES)


def test_every_documented_feature_is_computed_and_known():
    blocks = segment(parse("<title>A title of it</title><p>some text</p>"))
    columns = compute(blocks, SETTINGS, NAMES)
    assert list(columns) == NAMES
    assert all(is_known(name, SETTINGS) for name in NAMES)


def test_every_computed_feature_is_documented():
    blocks = segment(parse("<p>some text</p>"))
    for function in {family.compute for family in FEATURES.families}:
        documented = [
            name for family in FEATURES.families if family.compute is function for name in family.names(SETTINGS)
        ]
        assert sorted(function(blocks, SETTINGS)) == sorted(documented)


def test_the_set_lists_the_names_of_all_features():
    assert FEATURES.names(SETTINGS) == NAMES


@pytest.mark.parametrize("name", ["nosuch", "container.nosuch", "regexp.nosuch", "char.nosuch", "position2", "main."])
def test_an_unknown_feature_is_refused(name):
    assert not is_known(name, SETTINGS)
    with pytest.raises(ConfigError, match=f"unknown feature '{name}'"):
        compute(segment(parse("<p>a")), SETTINGS, ["position", name])


@pytest.mark.parametrize("name", ["container.nosuch", "char.nosuch", "main."])
def test_an_unknown_feature_is_refused_on_an_empty_page_too(name):
    with pytest.raises(ConfigError, match=f"unknown feature '{name}'"):
        compute(segment(parse("")), SETTINGS, [name])


def test_the_message_for_an_unknown_feature_names_the_nearest():
    with pytest.raises(ConfigError, match=r"Did you mean main\.most\?"):
        compute(segment(parse("<p>a")), SETTINGS, ["main.moist"])


def test_features_are_computed_from_blocks_only():
    with pytest.raises(TypeError, match=r"from Blocks, .* not Page$"):
        compute(parse("<p>a"), SETTINGS, ["position"])


def shout_features(blocks: Blocks, settings: FeatureSettings) -> dict[str, np.ndarray]:
    marks = {f"shout.{key}": [text.count(key) for text in blocks.texts] for key in settings.classes}
    return {name: np.array(counts) for name, counts in marks.items()}


def case_features(blocks: Blocks, _settings: FeatureSettings) -> dict[str, np.ndarray]:
    return {"capitals": np.array([sum(map(str.isupper, text)) for text in blocks.texts])}


def test_a_module_with_new_families_needs_one_line():
    module = SimpleNamespace(
        FAMILIES=(
            Family(case_features, {"capitals": "Capital letters in the block."}),
            Family(shout_features, {"shout.*": "Occurrences of the mark."}, lambda settings: settings.classes),
        )
    )
    features = FeatureSet(
        module,  # in `dehusk.label.features.families`, this is the line to add to `FEATURES`
    )
    settings, blocks = FeatureSettings(classes={"!": (), "?": ()}), segment(parse("<p>HEY! You!!<p>Yes?"))
    columns = features.compute(blocks, settings, ["shout.?", "capitals", "shout.!"])
    assert {name: column.tolist() for name, column in columns.items()} == {
        "shout.?": [0, 1],
        "capitals": [4, 1],
        "shout.!": [3, 0],
    }
    assert list(features.doc) == ["capitals", "shout.*"]
    assert features.names(settings) == ["capitals", "shout.!", "shout.?"]
    assert not features.is_known("shout.?", FeatureSettings())


def test_a_feature_is_declared_once():
    family = Family(case_features, {"capitals": "Capital letters in the block."})
    with pytest.raises(ConfigError, match="feature 'capitals' is declared twice"):
        FeatureSet(*[SimpleNamespace(FAMILIES=(family,))] * 2)


@pytest.mark.parametrize("data", ["", b"%PDF-", "<p> </p>", "<img alt=x>"])
def test_an_empty_page_has_empty_columns(data):
    columns = compute(segment(parse(data)), SETTINGS, NAMES)
    assert list(columns) == NAMES
    assert {np.shape(column) for column in columns.values()} == {(0,)}


@pytest.mark.parametrize("every_tag", [False, True])
@given(html=htmls)
def test_every_column_is_finite_and_has_one_row_per_block(every_tag, html):
    blocks = segment(parse(html), every_tag=every_tag, alt=every_tag)
    for name, column in compute(blocks, SETTINGS, NAMES).items():
        assert np.shape(column) == (len(blocks),), name
        assert np.isfinite(column).all(), name
        signed = name.startswith(("near.-1", "near.+1", "candidate."))
        assert signed or (np.asarray(column) >= 0).all(), name
        if name.endswith(("-rel", "ratio", "-group", "density", "share")) or name == "position":
            assert (np.asarray(column) <= 1).all(), name


@given(htmls)
def test_a_feature_is_the_same_alone_and_among_others(html):
    blocks = segment(parse(html))
    together = compute(blocks, SETTINGS, NAMES)
    for name in NAMES:
        assert np.array_equal(compute(blocks, SETTINGS, [name])[name], together[name]), name


@given(htmls)
def test_texts_and_word_groups_against_their_oracles(html):
    for blocks in blocks_of(html):
        for oracle in (character_features, token_features, duplicate_features, group_features):
            expected = oracle(blocks)
            for name, column in compute(blocks, SETTINGS, expected).items():
                assert column.tolist() == expected[name], name
