"""Entropies of terms: the paper's examples, its definition and its proofs against exact counts."""

from collections import Counter
from itertools import pairwise
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.compiled.text import text_key
from dehusk.counts.entropy import TermCounter, TermCounts, TermEntropy
from dehusk.counts.terms import page_terms
from dehusk.read import parse


def counted(*pages):
    return TermCounts.total([TermCounts.of(np.array(page, dtype=np.uint64)) for page in pages])


def spread(*tf):
    """Return the entropies of a single term, 7, with the given occurrences on each page."""
    return TermEntropy.of(counted(*([7] * count for count in tf)))


def test_figure_5():
    even, skewed = spread(2, 2, 2, 0), spread(1, 1, 4, 0)
    idf = log(4 / 3, 4)
    assert even.W[0] == pytest.approx(0.207519, abs=5e-7)
    assert even.W[0] == pytest.approx(idf, abs=1e-12)
    assert skewed.W[0] == pytest.approx(0.374185, abs=5e-7)
    assert (skewed.TF[0], skewed.df[0], skewed.n) == (6, 3, 4)
    assert skewed.S[0] == pytest.approx(4 * log(4))


def by_the_definition(tf, n):
    """Compute the equation of section 3.1, summand by summand."""
    shares = [count / sum(tf) for count in tf if count]
    return -sum(w * log(w, n) for w in shares)


series = st.lists(st.one_of(st.just(0), st.integers(0, 60)), min_size=2, max_size=40).filter(any)


@given(series)
def test_entropy_matches_the_paper(tf):
    entropies = spread(*tf)
    assert entropies.EN[0] == pytest.approx(by_the_definition(tf, len(tf)), abs=1e-12)
    assert entropies.W[0] == 1 - entropies.EN[0]


@given(st.integers(2, 30), st.integers(1, 30), st.integers(1, 30))
def test_the_weight_of_an_evenly_spread_term_is_its_idf(n, df, tf):
    df = min(df, n)
    assert spread(*[tf] * df, *[0] * (n - df)).W[0] == pytest.approx(log(n / df, n), abs=1e-12)


@given(series)
def test_the_weight_of_a_term_is_at_least_its_idf(tf):
    entropies = spread(*tf)
    idf = log(entropies.n / entropies.df[0], entropies.n)
    assert entropies.W[0] >= idf - 1e-12
    if len({count for count in tf if count}) > 1:
        assert entropies.W[0] > idf


@given(st.integers(1, 9), st.integers(1, 9), st.integers(2, 9))
def test_more_skewed_terms_have_higher_weights(small, more, n):
    assert spread(small, small + more, *[0] * n).W[0] < spread(small, small + more + 1, *[0] * n).W[0]


page_lists = st.lists(st.lists(st.integers(0, 4), max_size=12), max_size=6)


@given(page_lists, st.lists(st.integers(0, 6), max_size=3), st.randoms(use_true_random=False))
def test_any_order_and_split_gives_the_same_bytes(pages, cuts, random):
    whole = counted(*pages)
    shuffled = random.sample(pages, len(pages))
    edges = [0, *sorted(min(cut, len(pages)) for cut in cuts), len(pages)]
    parts = [counted(*shuffled[a:b]) for a, b in pairwise(edges)]
    total = sum(parts[1:], parts[0])
    counter = TermCounter()
    for page in shuffled:
        counter.add(np.array(page, dtype=np.uint64))
    for counts in (total, counter.counts(), TermCounts.from_arrays(whole.arrays())):
        assert counts.pages == len(pages)
        assert counts.table.keys.tobytes() == whole.table.keys.tobytes()
        assert counts.table.counts.tobytes() == whole.table.counts.tobytes()


@given(page_lists)
def test_columns(pages):
    entropies = TermEntropy.of(counted(*pages))
    total = Counter(word for page in pages for word in page)
    assert entropies.key.tolist() == sorted(total)
    assert entropies.TF.tolist() == [total[key] for key in sorted(total)]
    assert entropies.df.tolist() == [sum(key in page for page in pages) for key in sorted(total)]
    assert ((entropies.EN >= 0) & (entropies.EN <= 1)).all()
    asked = np.arange(6, dtype=np.uint64)
    entropy_of = dict(zip(entropies.key.tolist(), entropies.EN.tolist(), strict=True))
    assert entropies.entropy(asked).tolist() == [entropy_of.get(key, 0.0) for key in range(6)]
    assert entropies.weight(asked).tolist() == [1 - entropy_of.get(key, 0.0) for key in range(6)]


def test_pending_counts_are_added_before_the_end(monkeypatch):
    monkeypatch.setattr("dehusk.counts.entropy._MIN_PENDING", 2)
    counter = TermCounter()
    pages = [[1, 2, 2], [2, 3], [], [1], [4, 4, 1, 3]]
    for page in pages:
        counter.add(np.array(page, dtype=np.uint64))
        assert counter.counts().pages == pages.index(page) + 1
    assert counter.counts().table.keys.tolist() == counted(*pages).table.keys.tolist()


def test_few_pages():
    single = TermEntropy.of(counted([1, 1, 2]))
    assert single.W.tolist() == [1, 1]
    twins = TermEntropy.of(counted([1, 1, 2], [1, 1, 2]))
    assert twins.W.tolist() == [0, 0]
    for nothing in (counted(), counted([], [])):
        empty = TermEntropy.of(nothing)
        assert len(empty) == 0
        assert empty.weight(np.array([3], dtype=np.uint64)).tolist() == [1]


def test_words_of_a_page():
    pages = [parse("<p>tea and milk"), parse("<p>tea, <b>Tea</b>")]
    entropies = TermEntropy.of(TermCounts.total([TermCounts.of(page_terms(page).key) for page in pages]))
    rows = dict(
        zip(entropies.key.tolist(), zip(entropies.TF.tolist(), entropies.df.tolist(), strict=True), strict=True)
    )
    assert rows == {text_key("tea"): (3, 2), text_key("and"): (1, 1), text_key("milk"): (1, 1)}


@pytest.mark.parametrize(
    "damage", [{"pages": None}, {"pages": np.array(-1)}, {"term_keys": np.zeros((1, 3))}, {"term_counts": np.zeros(5)}]
)
def test_damaged_arrays(damage):
    arrays = {**counted([1, 2]).arrays(), **damage}
    with pytest.raises(ValueError, match="not the arrays of term counts"):
        TermCounts.from_arrays({name: value for name, value in arrays.items() if value is not None})
