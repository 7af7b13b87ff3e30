"""Linear classes: equal to scikit-learn, applied without it, saved without pickle; cross-validation."""

import sys

import numpy as np
import pytest
from sklearn.svm import LinearSVC

from dehusk.base.errors import InputError, ModelError
from dehusk.sites.mining.classes import ClassModel, LinearClasses, SvmPlan, check_classes, learn_classes
from dehusk.sites.mining.cross_validation import folds_of, held_out_classes, judged
from dehusk.sites.mining.unit_vectors import chosen_rows
from dehusk.sites.structure_tree.vectors import to_scipy
from made_sites import change_arrays, change_card, folder_bytes
from test_mining_clusters import WORDS, groups

LABELS = ["x"] * 5 + ["y"] * 6 + ["z"] * 4


@pytest.mark.parametrize("sizes", [[5, 6], [5, 6, 4]])
def test_decisions_are_those_of_scikit_learn(sizes):
    rows, labels = groups(sizes, seed=2), LABELS[: sum(sizes)]
    linear = learn_classes(rows, labels, SvmPlan(c=0.3, seed=4))
    model = LinearSVC(C=0.3, loss="hinge", random_state=4, max_iter=20_000).fit(to_scipy(rows), labels)
    other = groups([3, 3, 3], seed=9)
    decisions = linear.decide(other)
    expected = model.decision_function(to_scipy(other))
    assert np.allclose(decisions if len(sizes) > 2 else decisions[:, 1], expected, atol=1e-12)
    assert linear.names_of(decisions) == model.predict(to_scipy(other)).tolist()
    assert linear.words_of(WORDS, 2)["x"][0] in "ab"


def test_pages_without_label_are_not_learned():
    rows = groups([5, 6])
    known = np.arange(11) % 3 > 0
    labels = [label if use else None for label, use in zip(LABELS, known.tolist(), strict=False)]
    some = learn_classes(rows, labels, SvmPlan())
    alone = learn_classes(chosen_rows(rows, known), [label for label in labels if label], SvmPlan())
    assert (some.coefficients == alone.coefficients).all()


def test_classes_that_cannot_be_learned():
    with pytest.raises(InputError, match="two or more classes, but all labelled pages are 'x'"):
        check_classes(["x", None, "x"])
    with pytest.raises(InputError, match="but no page has a label"):
        check_classes([None])
    assert check_classes(["x", "x", "y"]) == ["a class of a single page cannot be learned and tested at once: y"]
    assert check_classes(["x", "x", "y", "y"]) == []


def test_folds_by_site():
    sites = ["a", "b", "a", "c", "b", "c"]
    labels = ["x", "y", "x", "y", "x", None]
    assert folds_of(labels, sites, hold_out="site", folds=5).tolist() == [0, 1, 0, 2, 1, -1]
    many = [f"s{number % 11}" for number in range(33)]
    folds = folds_of(["x"] * 33, many, hold_out="site", folds=4, seed=3)
    assert len({(site, fold) for site, fold in zip(many, folds.tolist(), strict=True)}) == 11
    assert sorted(set(folds.tolist())) == [0, 1, 2, 3]
    with pytest.raises(InputError, match="are of one site, so none can be held out: use --hold-out page"):
        folds_of(["x", "y"], ["a", "a"], hold_out="site", folds=5)


def test_folds_by_page_have_equal_shares_of_each_class():
    labels = ["x"] * 20 + ["y"] * 10 + [None] * 5
    folds = folds_of(labels, ["s"] * 35, hold_out="page", folds=5)
    assert np.bincount(folds[:20]).tolist() == [4] * 5
    assert np.bincount(folds[20:30]).tolist() == [2] * 5
    assert set(folds[30:].tolist()) == {-1}
    other = folds_of(labels, ["s"] * 35, hold_out="page", folds=5, seed=1)
    assert folds.tolist() != other.tolist()
    assert folds_of(["x", "y", "x"], ["s"] * 3, hold_out="page", folds=5).max() == 2


def test_held_out_pages_were_not_learned():
    rows = groups([5, 6, 4])
    folds = folds_of(LABELS, ["s"] * 15, hold_out="page", folds=3)
    found = held_out_classes(rows, LABELS, folds, SvmPlan())
    without = [None if fold == 1 else label for fold, label in zip(folds.tolist(), LABELS, strict=True)]
    linear = learn_classes(rows, without, SvmPlan())
    test = folds == 1
    assert (found.decisions[test] == linear.decide(chosen_rows(rows, test))).all()
    assert judged(found.predicted, LABELS).accuracy == 1


def test_a_fold_that_holds_out_a_whole_class():
    found = held_out_classes(groups([5, 6]), LABELS[:11], np.array([0] * 5 + [1] * 6), SvmPlan())
    assert found.predicted == ("y",) * 5 + ("x",) * 6
    assert np.isnan(found.decisions[0]).tolist() == [True, False]


def model():
    linear = learn_classes(groups([5, 6, 4]), LABELS, SvmPlan())
    return ClassModel(linear, WORDS, np.arange(8.0), {"by": "host", "plain": True})


def test_a_model_folder_gives_the_same_decisions_without_scikit_learn(tmp_path, monkeypatch):
    saved = model()
    saved.save(tmp_path / "one")
    saved.save(tmp_path / "two")
    assert folder_bytes(tmp_path / "one") == folder_bytes(tmp_path / "two")
    rows = groups([2, 2, 2], seed=5)
    expected = saved.linear.decide(rows)
    for name in [name for name in sys.modules if name.split(".")[0] in ("sklearn", "scipy")]:
        monkeypatch.setitem(sys.modules, name, None)
    loaded = ClassModel.load(tmp_path / "one")
    assert (loaded.linear.decide(rows) == expected).all()
    assert (loaded.words, loaded.options) == (saved.words, saved.options)
    assert (loaded.idf == saved.idf).all()


DAMAGES = [
    lambda folder: change_card(folder, classes=["x", "y"]),
    lambda folder: change_card(folder, classes=None),
    lambda folder: change_card(folder, options=7),
    lambda folder: change_card(folder, method="cst"),
    lambda folder: change_arrays(folder, coefficients=lambda old: old.astype(np.float32)),
    lambda folder: change_arrays(folder, coefficients=lambda old: old * np.nan),
    lambda folder: change_arrays(folder, intercepts=None),
    lambda folder: change_arrays(folder, idf=lambda old: old[1:]),
    lambda folder: change_arrays(folder, words=lambda old: old[:-1]),
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_model_is_refused(tmp_path, damage):
    model().save(tmp_path / "model")
    damage(tmp_path / "model")
    with pytest.raises(ModelError, match="model"):
        ClassModel.load(tmp_path / "model")


def test_a_single_class_is_always_right():
    linear = learn_classes(groups([5]), LABELS[:5], SvmPlan())
    assert linear.names_of(linear.decide(groups([1, 1]))) == ["x", "x"]


def test_a_solver_that_stops_early_says_so(monkeypatch):
    monkeypatch.setattr("dehusk.sites.mining.classes._STEPS", 1)
    assert not learn_classes(groups([5, 6]), LABELS[:11], SvmPlan(c=1000)).converged
    assert isinstance(learn_classes(groups([5, 6]), LABELS[:11], SvmPlan()), LinearClasses)
