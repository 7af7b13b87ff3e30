"""The united labeller: training on small pages, styles, favour, a site's evidence, reasons, model folders."""

import json
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import numpy as np
import pytest

import dehusk
import made_sites
import synthetic
from dehusk import ConfigError, ModelError, Site
from dehusk.base.errors import MissingExtraError
from dehusk.blocks.labels import OTHER
from dehusk.compiled.features import table
from dehusk.compiled.site import site_evidence
from dehusk.lab.gold.alignment import Agreement
from dehusk.lab.gold.datasets import Sample
from dehusk.lab.train.labelled_pages import LabelledPage, is_usable
from dehusk.lab.train.net import Schedule
from dehusk.lab.train.net_pages import net_page
from dehusk.lab.train.united import TrainingSet, train_united
from dehusk.label.baseline import KeepAll
from dehusk.label.keep import expected_f1
from dehusk.label.united import NAMES, SiteWeights, United
from dehusk.label.united.columns import FAMILIES, family_of, meaning
from dehusk.label.united.evidence import SiteEvidence
from dehusk.label.united.method import MOST_EXPLAINED
from dehusk.measures.metrics import WordBag, word_bag
from nets import random_html, random_net

SCHEDULE = Schedule(
    width=16, pooled=4, distances=(1, 2), word_width=4, tag_width=4, epochs=12, pages=8, rate=0.01, warm_up=5
)


def labelled(count: int, first: int = 0) -> list[LabelledPage]:
    blocks, gold = synthetic.training(KeepAll(), count, first)
    return [
        LabelledPage(
            f"set/{n}", f"site{n}", b, g.astype(np.int8), Sample("set", str(n), b"", None, None, None, None), None
        )
        for n, (b, g) in enumerate(zip(blocks, gold, strict=True))
    ]


def training_set() -> TrainingSet:
    pages = TrainingSet()
    pages.add(labelled(40)[::2], ["auto"])
    pages.add(labelled(40)[1::2], ["body"])
    return pages


@pytest.fixture(scope="module")
def trained() -> United:
    return train_united(training_set(), SCHEDULE)


def test_it_keeps_what_is_content(trained: United) -> None:
    right = total = 0
    for page in labelled(15, first=500):
        kept = trained.label(page.blocks).kept
        right += int((kept == (page.codes != OTHER)).sum())
        total += len(kept)
    assert right / total > 0.95


def test_the_same_pages_give_the_same_bytes(tmp_path: Path, trained: United) -> None:
    trained.save(tmp_path / "a")
    train_united(training_set(), SCHEDULE).save(tmp_path / "b")
    United.load(tmp_path / "a").save(tmp_path / "c")
    one, two, again = (made_sites.folder_bytes(tmp_path / name) for name in "abc")
    assert one == two == again


def test_a_model_folder_gives_the_same_labels(tmp_path: Path, trained: United) -> None:
    trained.save(tmp_path)
    again, blocks = United.load(tmp_path), labelled(1)[0].blocks
    assert again.styles == ("auto", "body")
    for style in again.styles:
        one, two = (model.using(style=style).label(blocks) for model in (trained, again))
        np.testing.assert_array_equal(one.probability, two.probability)


def test_a_style_has_scores_of_its_own(trained: United) -> None:
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


def test_favour_keeps_more_and_more() -> None:
    undecided, blocks = United(random_net(2)), dehusk.segment(dehusk.parse(random_html(4, 80)))
    kept = [undecided.using(favour=favour).label(blocks).kept for favour in (0, 0.25, 0.5, 0.75, 1)]
    assert all((less <= more).all() for less, more in pairwise(kept))
    assert kept[0].sum() < kept[-1].sum()


def test_the_cut_weighs_recall_by_beta() -> None:
    chance, words = np.array([0.9, 0.5, 0.2]), np.array([10, 10, 10])
    assert expected_f1(chance, words, beta=0.25).tolist() == [True, False, False]
    assert expected_f1(chance, words, beta=4).tolist() == [True, True, True]


def test_evidence_of_a_site() -> None:
    pages = [dehusk.parse(text) for text in made_sites.site(6)]
    site = Site().fit(pages)
    blocks = dehusk.segment(pages[0])
    evidence = site_evidence(blocks, site)
    assert evidence is not None
    article = [text in made_sites.article(0) for text in blocks.texts]
    assert evidence.template.tolist() == [not own for own in article]


def test_lines_of_a_listing_share_their_probability(trained: United) -> None:
    listing = "<pre>x = 1\n\nprint(x, the_cat_sees_the_dog, a_tree)\ny</pre>"
    html = f"<p>Text before it that says something.</p>{listing}<pre>z</pre>"
    chance = trained.label(dehusk.segment(dehusk.parse(html))).probability
    assert len(set(chance[1:4].tolist())) == 1
    assert len(chance) == 5


def test_pages_that_are_all_the_same_say_nothing(trained: United) -> None:
    text = made_sites.page(made_sites.article(1))
    site = Site().fit([text, text, text])
    labels = trained.using(site=site).label(dehusk.segment(dehusk.parse(text)))
    assert labels.notes == ("the site model was learned from a single page and has no effect",)
    np.testing.assert_array_equal(labels.probability, trained.label(labels.blocks).probability)


def test_a_site_of_another_host_is_used_and_noted(trained: United) -> None:
    site = Site().fit(made_sites.site(6))
    page = dehusk.parse(made_sites.page(made_sites.article(9), host="coffee.example"))
    labels = trained.using(site=site).label(dehusk.segment(page))
    assert labels.notes == ("the page belongs to coffee.example, but the site model to tea.example",)
    assert labels.probability[0] < trained.label(labels.blocks).probability[0]


def test_repetition_lowers_and_never_raises() -> None:
    weights = SiteWeights(several=-1.5, single=-1.0)
    evidence = SiteEvidence(
        np.full(4, 3), np.array([3, 1, 3, 0]), np.array([True, True, False, False]), np.zeros(4, bool)
    )
    assert weights.apply(np.ones(4), evidence).tolist() == [-0.5, 0.0, 1.0, 1.0]


def test_a_model_has_the_weights_of_its_site_evidence(tmp_path: Path, trained: United) -> None:
    assert trained.weights == SiteWeights()
    own = SiteWeights(several=-3, single=-1)
    United(trained.net, own).save(tmp_path)
    assert United.load(tmp_path).weights == own
    assert United(trained.net, own).using(favour=0.2).weights == own


@pytest.mark.parametrize(("matched", "fit"), [(79, False), (80, True)])
def test_pages_whose_gold_is_elsewhere_teach_nothing(matched: int, fit: bool) -> None:
    page = replace(labelled(1)[0], agreement=Agreement(100, matched, 0, WordBag(matched, matched, 100)))
    assert is_usable(page) == fit
    assert (net_page(page, (0,)) is not None) == fit
    assert not is_usable(replace(page, blocks=dehusk.segment(dehusk.parse("")), agreement=None))


def test_without_the_extra_the_error_names_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"needs torch, .*pip install 'dehusk\[train\]'"):
        train_united(training_set(), SCHEDULE)


def test_cleaning_needs_no_torch() -> None:
    code = (
        "import sys; sys.modules['torch'] = None; import dehusk; from pathlib import Path; "
        "method = dehusk.load_method('united', model=Path(sys.argv[1])); "
        "print(len(method.label(dehusk.segment(dehusk.parse('<p>one<p>two')), explain=True)))"
    )
    with TemporaryDirectory() as folder:
        United(random_net()).save(Path(folder))
        done = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("2\n", 0), done.stderr


def test_reasons_in_words_and_as_records(trained: United) -> None:
    site = Site().fit(made_sites.site(6))
    model = trained.using(site=site)
    labels = model.label(dehusk.segment(dehusk.parse(made_sites.site(1)[0])), explain=True)
    labels.validate()
    assert "the same text at the same path on 5 of 5 other pages" in labels.evidence[0]["why"]
    assert "; repeated on the site -6.0" in labels.reasons[0]
    record = labels.evidence[0]
    assert record["site"] == {"adds": -6.0, "template": True, "same-path": 5, "same-text": 5}


def test_records_have_the_documented_keys(trained: United) -> None:
    site = Site().fit(made_sites.site(6))
    blocks = dehusk.segment(dehusk.parse(made_sites.site(1)[0]))
    for model, more in ((trained, set()), (trained.using(site=site), {"site"})):
        labels = model.label(blocks, explain=True)
        for record in json.loads(json.dumps(labels.evidence)):
            assert record.keys() == {
                "why", "otherwise", "log-odds", "base", "base-of", "steps", "facts", "features", "unit-adds"
            } | more  # fmt: skip
            families = [step for step in record["steps"] if "error" in step]
            assert sorted(step["name"] for step in families) == sorted(FAMILIES)
            adds = [abs(family["adds"]) for family in families]
            assert adds == sorted(adds, reverse=True)
            assert all(fact.keys() == {"says", "node"} for fact in record["facts"])
            assert record["features"]
            for feature in record["features"]:
                assert feature.keys() == {"name", "value", "means"}
                assert feature["name"] in NAMES
                assert feature["means"]
                assert family_of(feature["name"]) == record["steps"][0]["name"]


def test_the_line_has_the_sentence_and_a_sum_that_names_the_unit(trained: United) -> None:
    blocks = dehusk.segment(dehusk.parse("<p>A cat sees the green tree.</p><ul><li>one<li>two, a house<li>three</ul>"))
    labels = trained.label(blocks, explain=True)
    shifted = 0
    for line, record in zip(labels.reasons, labels.evidence, strict=True):
        assert line.startswith(f"{record['why']} {record['otherwise']} [log-odds {record['log-odds']:+.1f} = ")
        shifted += "its unit " in line
        assert ("its unit " in line) == (abs(record["unit-adds"]) >= 0.05)  # type: ignore[arg-type]
    assert shifted


def test_elements_that_never_have_content_are_named_as_the_reason(trained: United) -> None:
    html = "<p>A cat sees the green tree.<textarea>Birds in winter see the old house.</textarea>"
    labels = trained.label(dehusk.segment(dehusk.parse(html)), explain=True)
    assert (labels.probability[1], labels.kept[1]) == (0, False)
    assert labels.evidence[1]["why"] == "Dropped: in <textarea>, whose text is never content."
    assert labels.evidence[1]["otherwise"] == "No setting of favour keeps it."
    assert "its unit" not in labels.reasons[1]
    assert labels.evidence[1]["unit-adds"] == 0
    assert "never content" not in labels.reasons[0]


def test_every_column_has_a_meaning_and_is_finite() -> None:
    assert all(meaning(name) for name in NAMES)
    assert len(set(NAMES)) == len(NAMES)
    for page in labelled(5):
        columns = table(page.blocks)
        assert columns.shape == (len(NAMES), len(page.blocks))
        assert np.isfinite(columns).all()


def test_a_damaged_model_is_refused(tmp_path: Path, trained: United) -> None:
    trained.save(tmp_path)
    made_sites.change_arrays(tmp_path, **{"inp.bias": lambda array: array[:-1]})
    with pytest.raises(ModelError, match=r"is damaged: array inp\.bias of the net has the shape"):
        United.load(tmp_path)
    trained.save(tmp_path)
    made_sites.change_arrays(tmp_path, evidence=None)
    with pytest.raises(ModelError, match="must be two numbers"):
        United.load(tmp_path)
    trained.save(tmp_path)
    made_sites.change_card(tmp_path, features="0" * 16)
    with pytest.raises(ModelError, match="does not fit the features"):
        United.load(tmp_path)
    trained.save(tmp_path)
    made_sites.change_card(tmp_path, styles=None)
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
    code, _, err = type_in("train", str(tmp_path / "own"), "-o", model, "--epochs", "4")
    assert (code, err.splitlines()[0]) == (0, f"dehusk: {model}: trained on 12 pages of 12 sites")
    code, out, err = type_in("eval", "--model", model, "-f", "json", str(tmp_path / "other"))
    assert code == 0
    assert "trained on" not in err
    card = json.loads((tmp_path / "model/card.json").read_text("utf-8"))
    assert card["start"]["pages-hash"] == dehusk.load_method("united").card["pages-hash"]  # type: ignore[attr-defined]
    assert card["schedule"]["epochs"] == 4
    code, out, _ = type_in("clean", "--model", model, str(tmp_path / "other/100.html"))
    assert code == 0
    assert word_bag(out, (tmp_path / "other/100.txt").read_text("utf-8")).f1 > 0.9
    code, _, err = type_in("train", str(tmp_path / "own"), "-o", model, "--style", "body", "--c1", "2")
    assert code == 2
    assert "--style is not an option of method victor" in err
    code, _, err = type_in("train", str(tmp_path / "own"), "-o", model, "--method", "cst")
    assert code == 2
    assert "unknown trainable method 'cst'. Known: united, victor" in err


def test_a_model_from_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from dehusk.cli.train import train_command

    for seed in range(3):
        html, labels = synthetic.page(seed)
        texts = KeepAll().segment(dehusk.parse(html)).texts
        (tmp_path / f"{seed}.html").write_text(html, "utf-8")
        gold = [text for text, label in zip(texts, labels, strict=True) if label != OTHER]
        (tmp_path / f"{seed}.txt").write_text("\n".join(gold), "utf-8")

    def train(*options: str) -> Path:
        model = tmp_path / "-".join(["model", *options])
        arguments = [str(tmp_path), "-o", str(model), *options]
        assert train_command.main(arguments, standalone_mode=False) == 0
        return model

    anew = train("--start", "none", "--width", "8", "--epochs", "1", "--style", "comments")
    model = United.load(anew)
    assert model.net.weights["inp.weight"].shape[0] == 8
    assert model.styles == ("auto", "comments")
    assert "start" not in model.card
    same, other = (train("--start", str(anew), "--epochs", "1", "--seed", seed) for seed in ("1", "2"))
    improved = United.load(same)
    assert improved.card["start"]["pages-hash"] == model.card["pages-hash"]
    assert improved.net.weights["inp.weight"].shape[0] == 8
    assert improved.styles == ("auto", "comments")
    assert made_sites.folder_bytes(same)["arrays.npz"] != made_sites.folder_bytes(other)["arrays.npz"]
    with pytest.raises(click.UsageError, match="--width is only for --start none"):
        train("--width", "8")
    with pytest.raises(ModelError, match="no such folder"):
        train("--start", str(tmp_path / "nowhere"))
    assert "trained on 3 pages of 3 sites" in capsys.readouterr().err


def test_a_very_large_page_is_explained_in_short() -> None:
    page = dehusk.clean("<ul>" + "<li>one more item</li>" * (MOST_EXPLAINED + 1) + "</ul>", explain=True)
    assert page.labels.reasons[0].startswith("log-odds ")
    assert not page.labels.evidence
    assert "the reasons name only the log-odds" in page.notes[-1]
