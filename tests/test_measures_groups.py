"""Clustering, classification, calibration, bootstrap intervals: worked examples, slow references, properties."""

import subprocess
import sys
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.base.errors import ConfigError
from dehusk.measures.intervals import Interval, bootstrap_interval
from dehusk.measures.metrics import Overlap, WordBag
from dehusk.measures.mining import Classification, Clustering, classification, clustering
from dehusk.measures.probabilities import CELLS, Bin, Calibration, calibration

pairs = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcde")), max_size=20)
events = st.lists(st.tuples(st.one_of(st.floats(0, 1), st.integers(0, 20).map(lambda k: k / 20)), st.booleans()))


def columns(rows: list[tuple]) -> tuple[list, list]:
    return [a for a, _ in rows], [b for _, b in rows]


def brute_clustering_f(clusters: list[str], gold: list[str]) -> float:
    """The best mean F over all one-to-one assignments, each tried."""
    classes, names = sorted(set(gold)), sorted(set(clusters))
    names += [f"none {i}" for i in range(len(classes))]  # a class may have no cluster
    best = 0.0
    for chosen in permutations(names, len(classes)):
        total = 0.0
        for own, cluster in zip(classes, chosen, strict=True):
            both = sum(c == cluster and g == own for c, g in zip(clusters, gold, strict=True))
            total += 2 * both / (clusters.count(cluster) + gold.count(own))
        best = max(best, total / len(classes))
    return best


def test_clustering_f_of_a_worked_example():
    # x = {a a a b}, y = {b b}: F_a = 2*3/(4+3), F_b = 2*2/(2+3)
    counts = clustering(list("xxxxyy"), list("aaabbb"))
    assert counts.assignment == {"a": "x", "b": "y"}
    assert counts.by_class == {"a": Overlap(3, 4, 3), "b": Overlap(2, 2, 3)}
    assert counts.f == pytest.approx((6 / 7 + 4 / 5) / 2)


def test_the_best_assignment_is_not_the_greedy_one():
    # greedy gives x to a (F .8), which leaves b with nothing; the best gives y to a and x to b
    table = {("a", "x"): 4, ("a", "y"): 4, ("b", "x"): 3}
    gold, clusters = columns([pair for pair, n in table.items() for _ in range(n)])
    counts = clustering(clusters, gold)
    assert counts.assignment == {"a": "y", "b": "x"}
    assert counts.f == pytest.approx((2 * 4 / 12 + 2 * 3 / 10) / 2)


@given(pairs.filter(bool))
def test_clustering_f_is_that_of_the_best_of_all_assignments(rows):
    gold, clusters = columns(rows)
    f = clustering(clusters, gold).f
    assert f == pytest.approx(brute_clustering_f(clusters, gold), abs=1e-12)
    assert 0 < f <= 1


@given(pairs.filter(bool), st.permutations(list("abcde")))
def test_names_of_clusters_do_not_matter(rows, names):
    gold, clusters = columns(rows)
    renamed = [names["abcde".index(cluster)] for cluster in clusters]
    assert clustering(renamed, gold).f == pytest.approx(clustering(clusters, gold).f)
    assert clustering(gold, gold).f == 1


def test_clusters_that_do_not_fit_the_number_of_classes():
    assert clustering([0, 0, 0, 0], list("aabb")).f == pytest.approx((2 * 2 / 6 + 0) / 2)
    assert clustering([0, 1, 2, 3], list("aabb")).f == pytest.approx(2 / 3)
    assert clustering([], []).f == 1
    assert clustering([], []).assignment == clustering([], []).by_class == {}
    with pytest.raises(ValueError, match="not 1 groups and 2 classes"):
        clustering([1], ["a", "b"])


def test_many_more_clusters_than_a_search_could_try():
    gold = np.arange(3000) % 60
    counts = clustering((gold * 7 + 3) % 60, gold)
    assert counts.f == 1
    assert counts.assignment["1"] == "10"


def test_only_clustering_f_needs_scipy():
    code = """
import sys
sys.modules["scipy"] = sys.modules["scipy.optimize"] = None
from dehusk.base.errors import DehuskError
from dehusk.measures.mining import classification, clustering
print(classification("ab", "ab").macro_f)
try:
    clustering("ab", "ab").f
except DehuskError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1.0\nclustering F needs scipy, which is not installed: pip install 'dehusk[vectors]'\n"


def test_classification_of_a_worked_example():
    counts = classification(predicted=list("aabbc"), gold=list("aabab"))
    assert counts.accuracy == 3 / 5
    assert counts.by_class == {"a": Overlap(2, 2, 3), "b": Overlap(1, 2, 2), "c": Overlap(0, 1, 0)}
    assert counts.macro_f == pytest.approx((4 / 5 + 2 / 4 + 0) / 3)
    assert counts.micro_f() == 3 / 5
    assert counts.micro_f(["a", "b"]) == pytest.approx(2 * 3 / 9)
    assert counts.micro_f(["z"]) == 1


def test_classification_of_nothing():
    counts = classification([], [])
    assert (counts.accuracy, counts.macro_f, counts.micro_f()) == (1, 1, 1)
    with pytest.raises(ValueError, match="not 0 groups and 1 classes"):
        classification([], ["a"])


@given(pairs.filter(bool))
def test_classification_figures_are_scikit_learns(rows):
    metrics = pytest.importorskip("sklearn.metrics")
    gold, predicted = columns(rows)
    counts = classification(predicted, gold)
    assert counts.accuracy == pytest.approx(metrics.accuracy_score(gold, predicted))
    assert counts.macro_f == pytest.approx(metrics.f1_score(gold, predicted, average="macro", zero_division=0))
    assert counts.micro_f() == pytest.approx(counts.accuracy)


@given(pairs, pairs)
def test_groups_of_two_sets_add_up_to_those_of_all_items(first, second):
    for measure, zero in ((classification, Classification()), (clustering, Clustering())):
        (a, b), (c, d) = columns(first), columns(second)
        assert measure(a, b) + measure(c, d) == measure(a + c, b + d) == measure(c, d) + measure(a, b)
        assert measure(a, b) + zero == measure(a, b)
        assert measure(a, b).items == len(first)


def test_different_groupings_do_not_add():
    for one, other in ((Classification(), Clustering()), (Calibration(), WordBag())):
        with pytest.raises(TypeError):
            one + other


def slow_ece(rows: list[tuple[float, bool]], bins: int) -> float:
    """Guo et al.'s sum over bins ((b - 1)/M, b/M], event by event."""
    total = Fraction(0)
    for b in range(1, bins + 1):
        own = [(Fraction(p), y) for p, y in rows if (b - 1) / bins < p <= b / bins or (b == 1 and p == 0)]
        total += abs(sum((p for p, _ in own), Fraction(0)) - sum(y for _, y in own))
    return float(total / len(rows))


@given(events.filter(bool), st.sampled_from([1, 10, 15, 20, 1200]))
def test_ece_and_brier_are_those_of_the_definitions(rows, bins):
    counts = calibration(*columns(rows))
    assert counts.ece(bins) == pytest.approx(slow_ece(rows, bins), abs=1e-9)
    brier = sum((Fraction(p) - int(y)) ** 2 for p, y in rows) / len(rows)
    assert counts.brier == pytest.approx(float(brier), abs=1e-9)


def test_calibration_of_a_worked_example():
    counts = calibration([0.1, 0.1, 0.9, 0.85], [0, 1, 1, 1])
    assert counts.events == 4
    assert counts.brier == pytest.approx((0.01 + 0.81 + 0.01 + 0.0225) / 4)
    assert counts.ece(10) == pytest.approx((2 * 0.4 + 2 * 0.125) / 4)
    (low, high) = counts.reliability(10)
    assert low == pytest.approx(Bin(0.0, 0.1, 2, 0.1, 0.5))
    assert high == pytest.approx(Bin(0.8, 0.9, 2, 0.875, 1.0))


def test_calibration_of_certain_and_of_no_events():
    assert calibration([0, 1], [False, True]).ece() == calibration([0, 1], [0, 1]).brier == 0
    assert calibration([0, 1], [1, 0]).ece() == calibration([0, 1], [1, 0]).brier == 1
    assert calibration([], []) == Calibration()
    assert (Calibration().ece(), Calibration().brier, Calibration().reliability()) == (0, 0, [])


@given(events)
def test_no_bin_is_lost_and_fewer_bins_hide_more(rows):
    counts = calibration(*columns(rows))
    for equal in ("width", "mass"):
        table = counts.reliability(15, equal=equal)
        assert sum(row.events for row in table) == len(rows)
        assert [row.low for row in table] == sorted(row.low for row in table)
        assert all(row.low - 1e-9 <= row.probability <= row.high + 1e-9 for row in table)
        assert counts.ece(1, equal=equal) - 1e-12 <= counts.ece(15, equal=equal) <= 1
    assert counts.ece(10) <= counts.ece(20) + 1e-12


@given(st.integers(1, 12), st.integers(1, 9), st.randoms(use_true_random=False))
def test_bins_of_equal_mass_contain_equally_many_events_if_all_cells_differ(bins, each, chance):
    cells = sorted(chance.sample(range(CELLS), bins * each))
    p = [(cell + 0.5) / CELLS for cell in cells]
    y = [chance.random() < 0.5 for _ in p]
    table = calibration(p, y).reliability(bins, equal="mass")
    assert [row.events for row in table] == [each] * bins
    literal = sum(abs(sum(p[i : i + each]) - sum(y[i : i + each])) for i in range(0, len(p), each)) / len(p)
    assert calibration(p, y).ece(bins, equal="mass") == pytest.approx(literal, abs=1e-9)


def test_events_of_one_cell_stay_in_one_bin_of_equal_mass():
    counts = calibration([0.2, 0.6, 0.6, 0.6], [0, 1, 1, 0])
    assert [row.events for row in counts.reliability(2, equal="mass")] == [1, 3]
    assert [row.events for row in calibration([0.5] * 9, [1] * 9).reliability(3, equal="mass")] == [9]


@given(events, events, events)
def test_calibration_adds_up_exactly(first, second, third):
    a, b, c = (calibration(*columns(rows)) for rows in (first, second, third))
    assert (a + b) + c == a + (b + c) == calibration(*columns(first + second + third)) == c + b + a
    assert a + Calibration() == a


@pytest.mark.parametrize(
    ("p", "y", "message"),
    [
        ([0.5], [0, 1], r"not \(1,\) and \(2,\)"),
        ([[0.5]], [[1]], "must have the same shape"),
        ([1.01], [1], "not between 0 and 1"),
        ([float("nan")], [1], "not between 0 and 1"),
        ([0.5], [0.5], "neither 0 nor 1"),
    ],
)
def test_invalid_probabilities_and_events_are_refused(p, y, message):
    with pytest.raises(ValueError, match=message):
        calibration(p, y)


def test_impossible_numbers_of_bins_are_refused():
    for bins, equal in ((0, "width"), (7, "width"), (0, "mass"), (CELLS + 1, "mass")):
        with pytest.raises(ConfigError, match=f"not {bins}"):
            Calibration().ece(bins, equal=equal)
    with pytest.raises(ConfigError, match="'depth'"):
        Calibration().reliability(10, equal="depth")


def slow_interval(values: list[float], sites: list[str], below: list[float], draws: int, seed: int) -> Interval:
    """Draw sites one draw at a time and take percentiles."""
    names = list(dict.fromkeys(sites))
    rng, figures = np.random.default_rng(seed), []
    for _ in range(draws):
        chosen = [names[i] for i in rng.integers(0, len(names), len(names))]
        pages = [i for site in chosen for i in range(len(sites)) if sites[i] == site]
        figures.append(sum(values[i] for i in pages) / sum(below[i] for i in pages))
    low, high = np.percentile(figures, [2.5, 97.5])
    return Interval(float(low), float(high))


@given(
    st.lists(st.tuples(st.floats(0, 1), st.sampled_from("abcdef"), st.integers(1, 9)), min_size=1, max_size=12),
    st.integers(0, 3),
)
def test_interval_is_that_of_literal_draws(rows, seed):
    values, sites, sizes = ([row[i] for row in rows] for i in range(3))
    for below in (None, sizes):
        literal = slow_interval(values, sites, below or [1] * len(rows), 40, seed)
        assert bootstrap_interval(values, sites, denominator=below, draws=40, seed=seed) == pytest.approx(
            literal, abs=1e-12
        )


def test_draws_in_parts_are_the_draws_at_once(monkeypatch):
    values, sites = np.linspace(0, 1, 30), [f"s{i % 11}" for i in range(30)]
    whole = bootstrap_interval(values, sites, draws=101)
    monkeypatch.setattr("dehusk.measures.intervals._AT_ONCE", 40)
    assert bootstrap_interval(values, sites, draws=101) == whole


def test_interval_widens_with_sites_that_differ_and_with_level():
    values = [0.0] * 50 + [1.0] * 50
    by_page = bootstrap_interval(values, [str(i) for i in range(100)])
    by_two = bootstrap_interval(values, ["a"] * 50 + ["b"] * 50)
    assert 0.38 < by_page.low < 0.45
    assert 0.55 < by_page.high < 0.62
    assert by_two == (0, 1)
    assert bootstrap_interval(values, ["a"] * 100) == (0.5, 0.5)
    narrow = bootstrap_interval(values, [str(i) for i in range(100)], level=0.5)
    assert by_page.low < narrow.low < narrow.high < by_page.high
    assert str(Interval(0.1234, 0.5)) == "0.123–0.500"


def test_draws_without_a_figure_are_ignored():
    assert bootstrap_interval([1, 0], ["a", "b"], denominator=[2, 0]) == (0.5, 0.5)


@pytest.mark.parametrize(
    ("values", "sites", "options", "message"),
    [
        ([], [], {}, "there are no pages"),
        ([1], ["a", "b"], {}, "each page needs a site, a numerator"),
        ([[1]], ["a"], {}, "each page needs a site, a numerator"),
        ([float("inf")], ["a"], {}, "not finite"),
        ([1], ["a"], {"denominator": [0]}, "all 0"),
        ([1, 1], ["a", "b"], {"denominator": [1, -1]}, "negative"),
        ([1, 1], ["a", "b"], {"denominator": [1]}, "each page needs a site, a numerator"),
        ([1] * 50, [str(i) for i in range(50)], {"denominator": [1] + [0] * 49, "draws": 1, "seed": 2}, "every draw"),
    ],
)
def test_figures_without_an_interval_are_refused(values, sites, options, message):
    with pytest.raises(ValueError, match=message):
        bootstrap_interval(values, sites, **options)


def test_invalid_draws_and_levels_are_refused():
    for options in ({"draws": 0}, {"level": 0}, {"level": 1}):
        with pytest.raises(ConfigError, match="between 0 and 1"):
            bootstrap_interval([1], ["a"], **options)
