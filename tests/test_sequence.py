"""Order in long texts: the same figures as the plain algorithm, which stops if it would take too long."""

from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq, Levenshtein

from dehusk.lab.evaluate import scores
from dehusk.lab.evaluate.scores import edit_distance, longest_common
from dehusk.measures.probabilities import Calibration, calibration
from dehusk.measures.tokens import words

TEXTS = st.lists(st.sampled_from("abcdef"), max_size=60)


@given(TEXTS, TEXTS)
def test_short_texts_are_exact(first: list[str], second: list[str]) -> None:
    assert longest_common(first, second) == LCSseq.similarity(first, second)
    assert edit_distance(first, second) == Levenshtein.distance(first, second)


@given(st.integers(0, 2**20), st.integers(0, 900), st.integers(0, 900))
def test_bands_are_exact(seed: int, cut: int, changed: int) -> None:
    first = [str((seed + number * number) % 97) for number in range(1500)]
    second = first[cut:]
    for at in range(0, changed, 2):
        second[at % len(second)] = "x" * (at % 7)
    assert longest_common(first, second) == LCSseq.similarity(first, second)
    assert edit_distance(first, second) == Levenshtein.distance(first, second)


def test_comparisons_that_take_too_long_are_skipped(monkeypatch) -> None:
    first = [str(number) for number in range(2000)]
    second = first[::-1]
    assert longest_common(first, second) == 1
    assert edit_distance(first, second) == 2000
    monkeypatch.setattr(scores, "LIMIT", 1_000_000)
    assert longest_common(first, second) is None
    assert edit_distance(first, second) is None
    near = [*first[:1000], "new", *first[1000:]]  # as long, but nearly the same
    assert longest_common(first, near) == 2000
    assert edit_distance(first, near) == 1
    assert longest_common(first, ["none"] * 2000) == 0  # no word in common


def test_words_are_the_callers_own() -> None:
    words("A b a").append("c")
    assert words("A b a") == ["a", "b", "a"]


def test_many_counts_add_up_at_once() -> None:
    counts = [calibration([0.1, 0.5, number / 7], [0, 1, number % 2]) for number in range(7)]
    assert Calibration.total(counts) == sum(counts, Calibration())
    assert Calibration.total(counts).events == 21
    assert Calibration.total([]) == Calibration()
