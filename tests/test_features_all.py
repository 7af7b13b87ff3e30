"""Properties of all features, with the settings of the preset and on random pages."""

import unicodedata
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import hostile_pages
from dehusk.backends import KERNELS, using
from dehusk.blocks import Blocks, segment
from dehusk.comparison import difference
from dehusk.errors import ConfigError
from dehusk.features import DOC, FEATURES, Family, FeatureSet, FeatureSettings, compute, is_known
from dehusk.methods.victor.config import load_config
from dehusk.read import parse
from strategies import htmls

EXAMPLES = Path(__file__).parents[1] / "examples"
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
        module,  # in `dehusk.features.families`, this is the line to add to `FEATURES`
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


BACKEND_PAGES = [
    *(path.read_text("utf-8", "replace") for path in sorted(EXAMPLES.glob("**/*.html"))[:8]),
    *hostile_pages.hostile_pages(60),
    (
        "<title>The great ΣΟΦΟΣ of İzmir, 2nd edition</title><meta property=OG:Type content=' Article '>"
        "<body class=menu><div class='topNav HTMLBody xmenu-2'><p>The great σοφος of i̇zmir<p>the great ΣΟΦΟΣ of İzmir"
        "<p>izmir</div><nav id=Menu><a href=/>Home</a></nav><div hidden><h2>The great</h2><p>Menu</div><noscript>x1"
    ),
    "<body>" + "<article><h3>One 2b</h3><p>It's late. “Go!” 中文。かな ไทยภาษา</p></article>" * 5 + "<td>a<td>b 1 c2",
    "<body>" + "".join(f"<li class='c{n % 7} é{n}'>{'word ' * (n % 30)}<a>l</a>" for n in range(70)) + "😀𝔸bc",
    "<body>" + "<div>" * 300 + "deep" + "<p>" + "a" * 700 + "<p>" + "aa " * 400 + "b.»)",
    "<title>" + "a" * 400 + "b</title>" + "".join(f"<p>{'a' * n}" for n in range(200, 700, 9)),
]
"""Pages on which the columns of both backends are compared."""


@pytest.fixture(scope="module")
def columns_of_backends() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return for each page the columns by numpy and those of the compiled modules."""
    pairs = []
    for html in BACKEND_PAGES:
        by_backend = []
        for backend in ("numpy", "compiled"):
            with using(backend):
                blocks = segment(parse(html))
                by_backend.append(compute(blocks, SETTINGS, NAMES))
        pairs.append((by_backend[0], by_backend[1]))
    return pairs


@pytest.mark.skipif(not KERNELS, reason="the compiled modules are not built: there was no C compiler")
@pytest.mark.parametrize(
    ("family", "name"),
    [
        pytest.param(family.compute.__name__, name, id=f"{family.compute.__name__}-{name}")
        for family in FEATURES.families
        for name in family.names(SETTINGS)
    ],
)
def test_a_column_has_the_same_bits_in_both_backends(columns_of_backends, family: str, name: str) -> None:
    for page, (by_numpy, compiled) in enumerate(columns_of_backends):
        assert not difference(compiled[name], by_numpy[name]), f"{name} of {family} on page {page}"


def test_every_family_has_a_compiled_twin_or_says_why_not():
    in_python = {"expression_features", "bullet_features"}  # regular expressions of users
    functions = {family.compute.__name__ for family in FEATURES.families}
    twins = {pair.reference.__name__ for pair in KERNELS.values()}
    assert not KERNELS or functions - twins == in_python


def char_class(character: str) -> str:
    category = unicodedata.category(character)
    names = {"L": "alpha", "M": "alpha", "N": "num", "P": "punct", "Z": "white"}
    return "white" if category == "Cc" or character == "\u200b" else names.get(category[0], "other")


def token_class(token: str) -> str:
    classes = {char_class(character) for character in token}
    return (
        "mix"
        if {"alpha", "num"} <= classes
        else "alpha"
        if "alpha" in classes
        else "num"
        if "num" in classes
        else "other"
    )


@given(htmls)
def test_characters_and_tokens_against_a_loop(html):
    blocks = segment(parse(html))
    columns = compute(blocks, SETTINGS, [name for name in NAMES if name.startswith(("char.", "token."))])
    for b, text in enumerate(blocks.texts):
        characters, tokens = Counter(map(char_class, text)), Counter(map(token_class, text.split()))
        for name in ("alpha", "num", "punct", "white", "other"):
            assert columns[f"char.{name}-rel"][b] == pytest.approx(characters[name] / len(text))
        for name in ("alpha", "num", "mix", "other"):
            assert columns[f"token.{name}-abs"][b] == tokens[name]
            assert columns[f"token.{name}-rel"][b] == pytest.approx(tokens[name] / tokens.total())


@given(htmls)
def test_duplicates_against_a_loop(html):
    blocks = segment(parse(html))
    letters = ["".join(c for c in text.lower() if char_class(c) == "alpha") for text in blocks.texts]
    columns = compute(blocks, SETTINGS, ["duplicate-count", "first-duplicate"])
    count = [letters.count(text) if text else 1 for text in letters]
    assert columns["duplicate-count"].tolist() == count
    assert columns["first-duplicate"].tolist() == [
        count[b] > 1 and letters.index(text) == b for b, text in enumerate(letters)
    ]


@given(htmls)
def test_word_groups_against_a_loop(html):
    page = parse(html)
    blocks = segment(page)
    words = (blocks.words - blocks.link_words).tolist()

    def innermost(node: int, tag: str) -> int:
        while node >= 0 and page.tag_name(node) != tag:
            node = int(page.parent[node])
        return node

    for tag in ("div", "td"):
        column = compute(blocks, SETTINGS, [f"{tag}-group.word-ratio"])[f"{tag}-group.word-ratio"]
        group = [innermost(int(node), tag) for node in blocks.node]
        size = [sum(w for w, other in zip(words, group, strict=True) if other == own) for own in group]
        expected = [s / max(sum(words), 1) if own >= 0 else 0 for s, own in zip(size, group, strict=True)]
        assert column.tolist() == pytest.approx(expected)
