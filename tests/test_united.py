"""The united labeller: training on small pages, styles, favour, a site's evidence, reasons, model folders."""

import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import dehusk
import sites
import synthetic
from dehusk import ConfigError, GoldError, ModelError, Site
from dehusk.errors import MissingExtraError
from dehusk.gold.alignment import Agreement
from dehusk.gold.datasets import Sample
from dehusk.labels import OTHER
from dehusk.measures.metrics import WordBag, word_bag
from dehusk.methods.baseline import KeepAll
from dehusk.methods.keep import expected_f1
from dehusk.methods.united import NAMES, SiteWeights, United
from dehusk.methods.united.columns import meaning, table
from dehusk.methods.united.evidence import SiteEvidence, site_evidence
from dehusk.train.boosting import Growth, grow_forest, training_rows
from dehusk.train.labelled_pages import LabelledPage, is_usable
from dehusk.train.united import TrainingSet, _likeliest_weights, train_united

GROWTH = Growth(trees=12, depth=3, rate=0.4)


def sample(number: int) -> Sample:
    return Sample("set", str(number), b"", None, None, None, None)


def labelled(count: int, first: int = 0) -> list[LabelledPage]:
    blocks, gold = synthetic.training(KeepAll(), count, first)
    return [
        LabelledPage(
            f"set/{n}", f"site{n}", b, g.astype(np.int8), Sample("set", str(n), b"", None, None, None, None), None
        )
        for n, (b, g) in enumerate(zip(blocks, gold, strict=True))
    ]


@pytest.fixture(scope="module")
def trained() -> United:
    styles = ["auto", "body"] * 20
    return train_united(TrainingSet.of(labelled(40), styles), GROWTH)


def test_it_learns_what_is_content(trained: United) -> None:
    right = total = 0
    for page in labelled(15, first=500):
        kept = trained.label(page.blocks).kept
        right += int((kept == (page.codes != OTHER)).sum())
        total += len(kept)
    assert right / total > 0.95


def test_the_same_pages_give_the_same_bytes(tmp_path: Path, trained: United) -> None:
    trained.save(tmp_path / "a")
    train_united(TrainingSet.of(labelled(40), ["auto", "body"] * 20), GROWTH).save(tmp_path / "b")
    assert sites.folder_bytes(tmp_path / "a") == sites.folder_bytes(tmp_path / "b")


def test_a_model_folder_gives_the_same_labels(tmp_path: Path, trained: United) -> None:
    trained.save(tmp_path)
    again, blocks = United.load(tmp_path), labelled(1)[0].blocks
    assert list(again.forests) == ["auto", "body"]
    for style in again.forests:
        one, two = (model.using(style=style).label(blocks) for model in (trained, again))
        np.testing.assert_array_equal(one.probability, two.probability)


def test_a_style_has_trees_of_its_own(trained: United) -> None:
    blocks = labelled(1)[0].blocks
    plain, body = trained.label(blocks).probability, trained.using(style="body").label(blocks).probability
    assert not np.array_equal(plain, body)
    np.testing.assert_array_equal(plain, trained.using(style="auto").label(blocks).probability)


@pytest.mark.parametrize(
    ("wishes", "said"),
    [
        ({"style": "all"}, "unknown style 'all'. Known: auto, body"),
        ({"style": "whole"}, "the model was not trained for style whole, only for: auto, body"),
        ({"favour": 1.5}, "favour must be between 0"),
        ({"favour": float("nan")}, "favour must be between 0"),
    ],
)
def test_wishes_that_cannot_be(trained: United, wishes: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        trained.using(**wishes)  # type: ignore[arg-type]


def test_favour_keeps_more_and_more(trained: United) -> None:
    blocks = labelled(1, first=77)[0].blocks
    kept = [trained.using(favour=favour).label(blocks).kept for favour in (0, 0.25, 0.5, 0.75, 1)]
    assert all((less <= more).all() for less, more in pairwise(kept))
    assert kept[0].sum() < kept[-1].sum()


def test_the_cut_weighs_recall_by_beta() -> None:
    chance, words = np.array([0.9, 0.5, 0.2]), np.array([10, 10, 10])
    assert expected_f1(chance, words, beta=0.25).tolist() == [True, False, False]
    assert expected_f1(chance, words, beta=4).tolist() == [True, True, True]


def test_an_article_is_cut_at_one_half(trained: United) -> None:
    html, _ = synthetic.page(77)
    plain = trained.using(favour=0.5).label(dehusk.segment(dehusk.parse(html)))
    article = dehusk.parse(f'<head><meta property="og:type" content="article"></head>{html}')
    labels = trained.label(dehusk.segment(article))
    assert labels.kept.tolist() == (plain.kept & (labels.probability >= 0.5)).tolist()
    recall = trained.using(favour=1).label(dehusk.segment(article))
    assert recall.kept.sum() > labels.kept.sum()


def test_one_class_teaches_nothing() -> None:
    pages = labelled(3)
    for page in pages:
        page.codes[:] = OTHER
    with pytest.raises(GoldError, match=r"the usable pages \(3\) contain only noise"):
        train_united(TrainingSet.of(pages), GROWTH)
    with pytest.raises(GoldError, match="content and noise: no page is usable"):
        train_united(TrainingSet.of([]), GROWTH)
    with pytest.raises(ConfigError, match="unknown style 'novel'"):
        TrainingSet.of(pages, "novel")


def test_evidence_of_a_site() -> None:
    pages = [dehusk.parse(text) for text in sites.site(6)]
    site = Site().fit(pages)
    blocks = dehusk.segment(pages[0])
    evidence = site_evidence(blocks, site)
    assert evidence is not None
    article = [text in sites.article(0) for text in blocks.texts]
    assert evidence.template.tolist() == [not own for own in article]


def test_lines_of_a_listing_share_their_probability(trained: United) -> None:
    listing = "<pre>x = 1\n\nprint(x, the_cat_sees_the_dog, a_tree)\ny</pre>"
    html = f"<p>Text before it that says something.</p>{listing}<pre>z</pre>"
    chance = trained.label(dehusk.segment(dehusk.parse(html))).probability
    assert len(set(chance[1:4].tolist())) == 1
    assert len(chance) == 5


def test_pages_that_are_all_the_same_say_nothing(trained: United) -> None:
    text = sites.page(sites.article(1))
    site = Site().fit([text, text, text])
    labels = trained.using(site=site).label(dehusk.segment(dehusk.parse(text)))
    assert labels.notes == ("the site model was learned from a single page and has no effect",)
    np.testing.assert_array_equal(labels.probability, trained.label(labels.blocks).probability)


def test_a_site_of_another_host_is_used_and_noted(trained: United) -> None:
    site = Site().fit(sites.site(6))
    page = dehusk.parse(sites.page(sites.article(9), host="coffee.example"))
    labels = trained.using(site=site).label(dehusk.segment(page))
    assert labels.notes == ("the page belongs to coffee.example, but the site model to tea.example",)
    assert labels.probability[0] < trained.label(labels.blocks).probability[0]


def test_repetition_lowers_and_never_raises() -> None:
    weights = SiteWeights(several=-1.5, single=-1.0)
    evidence = SiteEvidence(
        np.full(4, 3), np.array([3, 1, 3, 0]), np.array([True, True, False, False]), np.zeros(4, bool)
    )
    assert weights.apply(np.ones(4), evidence).tolist() == [-0.5, 0.0, 1.0, 1.0]


def test_pages_that_share_no_site_leave_the_weights_of_the_shipped_model(trained: United) -> None:
    assert trained.weights == dehusk.load_method("united").weights  # type: ignore[attr-defined]


@pytest.mark.parametrize(("matched", "fit"), [(79, False), (80, True)])
def test_pages_whose_gold_is_elsewhere_teach_nothing(matched: int, fit: bool) -> None:
    page = replace(labelled(1)[0], agreement=Agreement(100, matched, 0, WordBag(matched, matched, 100)))
    assert is_usable(page) == fit
    assert (len(training_rows(page).content) > 0) == fit
    assert not is_usable(replace(page, blocks=dehusk.segment(dehusk.parse("")), agreement=None))


def test_without_the_extra_the_errors_name_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = training_rows(labelled(1)[0])
    columns, weight = np.zeros((len(rows.content), 3)), np.ones(len(rows.content), dtype=np.float32)
    monkeypatch.setitem(sys.modules, "catboost", None)
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with pytest.raises(MissingExtraError, match=r"needs catboost, .*pip install 'dehusk\[train\]'"):
        grow_forest(rows)
    with pytest.raises(MissingExtraError, match=r"needs scipy, .*pip install 'dehusk\[train\]'"):
        _likeliest_weights(columns, rows.content, weight)


def test_reasons_in_words_and_as_records(trained: United) -> None:
    site = Site().fit(sites.site(6))
    model = trained.using(site=site)
    labels = model.label(dehusk.segment(dehusk.parse(sites.site(1)[0])), explain=True)
    labels.validate()
    assert "site -6.0 (the same text at the same path on 5 of 5 other pages)" in labels.reasons[0]
    record = labels.evidence[0]
    assert record["features"]
    assert all(feature["name"] in NAMES and feature["means"] for feature in record["features"])  # type: ignore[union-attr]
    assert record["site"] == {"adds": -6.0, "template": True, "same-path": 5, "same-text": 5}


def test_every_column_has_a_meaning_and_is_finite() -> None:
    assert all(meaning(name) for name in NAMES)
    assert len(set(NAMES)) == len(NAMES)
    for page in labelled(5):
        columns = table(page.blocks)
        assert columns.shape == (len(NAMES), len(page.blocks))
        assert np.isfinite(columns).all()


def test_a_damaged_model_is_refused(tmp_path: Path, trained: United) -> None:
    trained.save(tmp_path)
    sites.change_arrays(tmp_path, **{"auto.border": lambda array: array[:-1]})
    with pytest.raises(ModelError, match="is damaged: the arrays of the forest"):
        United.load(tmp_path)
    trained.save(tmp_path)
    sites.change_arrays(tmp_path, evidence=None)
    with pytest.raises(ModelError, match="must be two numbers"):
        United.load(tmp_path)
    trained.save(tmp_path)
    sites.change_card(tmp_path, features="0" * 16)
    with pytest.raises(ModelError, match="does not fit the features"):
        United.load(tmp_path)
    trained.save(tmp_path)
    sites.change_card(tmp_path, styles=None)
    with pytest.raises(ModelError, match="is damaged"):
        United.load(tmp_path)


def test_unknown_wishes_of_the_library(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="method victor: takes no options, but style was given"):
        dehusk.load_method("victor", style="body", favour=0.2)
    with pytest.raises(TypeError, match="'colour'"):
        dehusk.load_method(colour="red")
    with pytest.raises(ConfigError, match="method united has no configuration"):
        dehusk.load_method("united", config="web")
    with pytest.raises(ModelError, match=r"no card\.json in this folder: name a folder that dehusk train"):
        dehusk.load_method("united", model=tmp_path)


def test_from_pages_to_a_model_of_ones_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The walk-through of docs/train.md on small pages: train, judge on other pages, clean a new one."""
    from dehusk.cli import main

    def type_in(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["dehusk", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return int(ended.value.code or 0), out, err

    for folder, seeds in (("own", range(12)), ("other", range(100, 104))):
        (tmp_path / folder).mkdir()
        for seed in seeds:
            html, labels = synthetic.page(seed)
            texts = KeepAll().segment(dehusk.parse(html)).texts
            kept = [text for text, label in zip(texts, labels, strict=True) if label != OTHER]
            (tmp_path / folder / f"{seed}.html").write_text(html, "utf-8")
            (tmp_path / folder / f"{seed}.txt").write_text("\n".join(kept), "utf-8")
    model = str(tmp_path / "model")
    code, _, err = type_in("train", str(tmp_path / "own"), "-o", model, "--trees", "12", "--depth", "3")
    assert (code, err.splitlines()[0]) == (0, f"dehusk: {model}: trained on 12 pages of 12 sites")
    code, out, err = type_in("eval", "--model", model, "-f", "json", str(tmp_path / "other"))
    assert code == 0
    assert "trained on" not in err
    code, out, _ = type_in("clean", "--model", model, str(tmp_path / "other/100.html"))
    assert code == 0
    assert word_bag(out, (tmp_path / "other/100.txt").read_text("utf-8")).f1 > 0.9
    code, _, err = type_in("train", str(tmp_path / "own"), "-o", model, "--style", "body", "--c1", "2")
    assert code == 2
    assert "--style is not an option of method victor" in err
    code, _, err = type_in("train", str(tmp_path / "own"), "-o", model, "--method", "cst")
    assert code == 2
    assert "unknown trainable method 'cst'. Known: united, victor" in err
