"""Keys do not depend on the position of a value; tables of counts do not depend on order and split."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.base import hashing
from dehusk.base.hashing import mix, pair_keys, span_keys
from dehusk.compiled.text import text_key
from dehusk.counts.table import Table

numbers = st.integers(0, 2**64 - 1)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=40), st.data())
def test_equal_spans_have_equal_keys_and_others_do_not(values, data):
    ends = st.tuples(st.integers(0, len(values)), st.integers(0, len(values))).map(sorted)
    spans = data.draw(st.lists(ends, min_size=1, max_size=10))
    start, end = np.array(spans).T
    keys = span_keys(np.array(values, dtype=np.uint32), start, end).tolist()
    by_value = {tuple(values[a:b]): key for (a, b), key in zip(spans, keys, strict=True)}
    assert [by_value[tuple(values[a:b])] for a, b in spans] == keys
    assert len(set(by_value.values())) == len(by_value)


def test_keys_do_not_change():
    assert text_key("") == 0
    assert text_key("word") == 15712049386578756744
    assert int(pair_keys(np.array([1], np.uint64), np.array([2], np.uint64))[0]) == 583880340377267059


def test_keys_of_texts_longer_than_the_cached_powers(monkeypatch):
    values = np.arange(40, dtype=np.uint32)
    start, end = np.array([0, 3, 39]), np.array([40, 9, 40])
    keys = span_keys(values, start, end)
    monkeypatch.setattr(hashing, "_CACHED_POWERS", 16)
    assert span_keys(values, start, end).tolist() == keys.tolist()


def test_words_of_few_letters_share_no_key():
    words = [chr(97 + a) + chr(97 + b) + chr(97 + c) for a in range(26) for b in range(26) for c in range(26)]
    assert len({text_key(word) for word in words[:3000]}) == 3000
    assert len(set(mix(np.arange(100_000, dtype=np.uint64)).tolist())) == 100_000


def test_a_pair_is_ordered():
    keys = np.array([1, 2], dtype=np.uint64)
    assert pair_keys(keys, keys[::-1]).tolist() != pair_keys(keys[::-1], keys).tolist()


rows = st.lists(st.tuples(st.integers(0, 3), st.sampled_from([0, 1, 2**63, 2**64 - 1])), max_size=30)


def table(pairs):
    return Table.of(*(np.array([pair[i] for pair in pairs], dtype=np.uint64) for i in (0, 1)))


@given(rows)
def test_a_table_counts_rows(pairs):
    counts = table(pairs)
    counted = Counter(pairs)
    assert [tuple(row) for row in counts.keys.tolist()] == sorted(counted)
    assert counts.counts.tolist() == [counted[pair] for pair in sorted(counted)]


@given(rows, st.lists(st.integers(0, 30), max_size=4), st.randoms(use_true_random=False))
def test_any_order_and_split_gives_the_same_bytes(pairs, cuts, random):
    shuffled = random.sample(pairs, len(pairs))
    edges = [0, *sorted(cuts), len(pairs)]
    parts = [table(shuffled[a:b]) for a, b in pairwise(edges)]
    total = Table.total([Table.empty(2), *parts])
    assert total.keys.tobytes() == table(pairs).keys.tobytes()
    assert total.counts.tobytes() == table(pairs).counts.tobytes()


@given(st.lists(numbers, max_size=20), st.lists(numbers, max_size=20))
def test_look_up(counted, asked):
    single = Table.of(np.array(counted, dtype=np.uint64))
    keys = np.array(counted + asked, dtype=np.uint64)
    assert single.look_up(keys).tolist() == [Counter(counted)[key] for key in counted + asked]


def test_counts_of_rows_add_up_and_rows_can_be_selected():
    counts = Table.of(np.array([5, 3, 5], np.uint64), counts=np.array([1, 2, 3]))
    assert (counts.keys[:, 0].tolist(), counts.counts.tolist()) == ([3, 5], [2, 4])
    assert counts.select(counts.counts > 2).keys.tolist() == [[5]]
    with pytest.raises(ValueError, match="concatenate"):
        Table.total([])


def test_spans_of_a_long_text_have_the_keys_of_short_texts() -> None:
    words = np.random.default_rng(1).integers(32, 0x2FFF, 700_000).astype(np.uint32)
    start = np.sort(np.random.default_rng(2).integers(0, len(words) - 300, 2_000))[::-1]
    end = start + np.arange(len(start)) % 300
    alone = [span_keys(words[a:b], np.array([0]), np.array([b - a]))[0] for a, b in zip(start, end, strict=True)]
    assert span_keys(words, start, end).tolist() == alone
    whole = span_keys(words, np.append(start, 0), np.append(end, len(words)))  # one span longer than the window
    assert whole[:-1].tolist() == alone
