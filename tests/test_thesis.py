"""The thesis's experiments on a small set: which features they omit, and the tables."""

import numpy as np
import pytest

from dehusk.base.errors import GoldError
from dehusk.blocks.labels import LABELS, OTHER
from dehusk.lab.evaluate import thesis
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.evaluate.verdicts import cross_validate, summarise_verdicts, without_features
from dehusk.lab.gold.datasets import Sample
from dehusk.lab.train.labelled_pages import LabelledPage
from dehusk.label.victor.config import load_config, parse_config
from dehusk.label.victor.method import Victor
from synthetic import CONFIG, training


@pytest.fixture(scope="module")
def pages() -> list[LabelledPage]:
    method = Victor(parse_config(CONFIG))
    labelled = []
    for number, (blocks, codes) in enumerate(zip(*training(method, 8), strict=True)):
        kept = " ".join(text for text, code in zip(blocks.texts, codes, strict=True) if code < OTHER)
        sample = Sample("made", str(number), b"", None, f"site{number % 4}", None, kept)
        labelled.append(
            LabelledPage(str(number), f"site{number % 4}", blocks, np.asarray(codes, dtype=np.int8), sample, None)
        )
    return labelled


def test_the_preset_has_46_features_and_48_ablations() -> None:
    config = load_config("cleaneval")
    experiments = thesis.ablations(config)
    assert len(config.template.features) == 46
    assert len(experiments) == 1 + 46 + 2
    markup, text = set(experiments["content only"]), set(experiments["markup only"])
    assert markup | text == set(config.template.features)
    assert not markup & text
    assert {"container.p", "split.br", "div-group.word-ratio"} <= markup
    assert {"char.alpha-rel", "bullet", "position"} <= text


def test_experiments_name_features_of_the_preset() -> None:
    features = load_config("cleaneval").template.features
    assert [len(names) for names in thesis.EXPERIMENTS.values()] == [0, 4, 6]
    assert all(name in features for names in thesis.EXPERIMENTS.values() for name in names)


def test_table_5_1_counts_blocks(pages: list[LabelledPage]) -> None:
    rows = dict(thesis.table_5_1(pages)[1:])
    for code, label in enumerate(LABELS[:OTHER]):
        assert rows[label] == str(sum(int((page.codes == code).sum()) for page in pages))
    assert int(rows["total (content)"]) + int(rows["other (noise)"]) == sum(len(page.blocks) for page in pages)


def test_experiments_give_one_row_each(pages: list[LabelledPage]) -> None:
    config = parse_config(CONFIG)
    first = config.template.features[0]
    experiments: dict[str, tuple[str, ...]] = {"all": (), f"without {first}": (first,)}
    results = thesis.run_experiments(config, pages, experiments, seed=0, workers=1)
    rows = thesis.table_6_1(results)
    assert [row[0] for row in rows[1:]] == list(experiments)
    assert markdown_table(rows).count("\n") == 4
    summary = summarise_verdicts(results["all"])
    assert summary.content_noise is not None
    assert summary.content_noise.pooled > 80


def test_cross_validation_by_site_and_its_errors(pages: list[LabelledPage]) -> None:
    config = parse_config(CONFIG)
    verdicts = cross_validate(config, pages, folds=2, by="site")
    assert [verdict.site for verdict in verdicts] == [page.site for page in pages]
    assert summarise_verdicts(verdicts).pages == len(pages)
    assert summarise_verdicts(verdicts).words.mean > 0.5
    with pytest.raises(GoldError, match="8 pages cannot be split into 9 folds"):
        cross_validate(config, pages, folds=9)
    with pytest.raises(GoldError, match="disables all features"):
        without_features(config, config.template.features)
