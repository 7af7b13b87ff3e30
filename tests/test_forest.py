"""Oblivious trees as arrays: scores, contributions, model files."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.methods.united.forest import Forest


def random_forest(seed: int, trees: int = 7, depth: int = 3, features: int = 5) -> Forest:
    random = np.random.default_rng(seed)
    return Forest(
        feature=random.integers(0, features, (trees, depth)).astype(np.int16),
        border=random.normal(size=(trees, depth)).astype(np.float32),
        value=random.normal(size=(trees, 1 << depth)).astype(np.float32),
        weight=random.random((trees, 1 << depth)).astype(np.float32),
        bias=float(random.normal()),
    )


def columns(seed: int, blocks: int, features: int = 5) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(features, blocks)).astype(np.float32)


def one_by_one(forest: Forest, table: np.ndarray) -> list[float]:
    """Walk every tree for every block by its definition."""
    scores = []
    for block in table.T:
        total = forest.bias
        for feature, border, value in zip(forest.feature, forest.border, forest.value, strict=True):
            leaf = sum(1 << d for d in range(len(feature)) if block[feature[d]] > border[d])
            total += float(value[leaf])
        scores.append(total)
    return scores


@given(st.integers(0, 50), st.integers(1, 9), st.integers(1, 9))
def test_scores_are_those_of_walking_each_tree(seed: int, depth: int, blocks: int) -> None:
    forest, table = random_forest(seed, depth=depth), columns(seed, blocks)
    np.testing.assert_allclose(forest.scores(table), one_by_one(forest, table), rtol=1e-5, atol=1e-5)


def test_a_page_of_many_blocks_is_scored_in_parts() -> None:
    forest, table = random_forest(1), columns(2, 5000)
    np.testing.assert_array_equal(forest.scores(table)[4000:], forest.scores(table[:, 4000:]))


def test_no_blocks_have_no_scores() -> None:
    assert forest_scores_shape(0) == (0,)


def forest_scores_shape(blocks: int) -> tuple[int, ...]:
    return random_forest(3).scores(columns(3, blocks)).shape


@given(st.integers(0, 50))
def test_contributions_add_up_to_the_score(seed: int) -> None:
    forest, table = random_forest(seed), columns(seed + 1, 6)
    rest = forest.scores(table) - forest.contributions(table).sum(axis=0)
    np.testing.assert_allclose(rest, rest[0], atol=1e-5)
    weight = forest.weight.astype(np.float64)
    mean = (forest.value * weight).sum(axis=1) / weight.sum(axis=1)
    assert rest[0] == pytest.approx(forest.bias + mean.sum(), abs=1e-5)


def test_a_feature_that_no_tree_asks_adds_nothing() -> None:
    forest = random_forest(4)
    forest.feature[forest.feature == 2] = 1
    assert not forest.contributions(columns(4, 5))[2].any()


def test_arrays_come_back() -> None:
    forest, table = random_forest(5), columns(5, 9)
    again = Forest.from_arrays(forest.arrays(), 5)
    np.testing.assert_array_equal(again.scores(table), forest.scores(table))
    np.testing.assert_allclose(again.contributions(table), forest.contributions(table), atol=0.01)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("feature", np.full((7, 3), 5, np.int16)),
        ("feature", np.full((7, 3), -1, np.int16)),
        ("border", np.zeros((7, 2), np.float32)),
        ("value", np.zeros((7, 4), np.float32)),
        ("value", np.full((7, 8), np.nan, np.float32)),
        ("bias", np.zeros(0)),
    ],
)
def test_arrays_that_do_not_fit_are_refused(name: str, wrong: np.ndarray) -> None:
    arrays = random_forest(6).arrays() | {name: wrong}
    with pytest.raises(ValueError, match="forest"):
        Forest.from_arrays(arrays, 5)


def test_missing_arrays_are_refused() -> None:
    arrays = random_forest(6).arrays()
    del arrays["border"]
    with pytest.raises(ValueError, match="not those of a forest"):
        Forest.from_arrays(arrays, 5)
