"""The last layer of the united labeller fitted to a few pages: better on other sites, and unchanged for nothing."""

from dataclasses import replace

import numpy as np
import pytest

import tea_pages
from dehusk.base.errors import GoldError
from dehusk.blocks.labels import OTHER, PARAGRAPH
from dehusk.lab.evaluate.verdicts import judge
from dehusk.lab.train.last_layer import fit_last_layer
from dehusk.lab.train.united import TrainingSet
from dehusk.label.registry import DEFAULT, model_folder
from dehusk.label.united import United
from dehusk.label.united.inputs import net_inputs

SEEN, UNSEEN = list(tea_pages.SITES)[:7], list(tea_pages.SITES)[7:]


@pytest.fixture(scope="module")
def shipped() -> United:
    return United.load(model_folder(DEFAULT))


def training(pages) -> TrainingSet:
    found = TrainingSet()
    found.add(pages)
    return found


def owner(hosts, count: int):
    return [tea_pages.labelled(page) for host in hosts for page in tea_pages.SITES[host][:count]]


def f1(method: United, pages) -> float:
    return float(np.mean([judge(method, page).words.f1 for page in pages]))


def test_the_last_vectors_give_the_scores(shipped: United) -> None:
    (page,) = owner(SEEN[:1], 1)
    inputs = net_inputs(page.blocks)
    net = shipped.net
    scores = net.last_vectors(inputs, 0) @ net.weights["out.weight"][0] + net.weights["out.bias"]
    assert np.allclose(scores, net.scores(inputs, 0), atol=1e-3)


def test_fourteen_pages_make_other_sites_better(shipped: United, tmp_path) -> None:
    model = fit_last_layer(training(owner(SEEN, 2)), shipped)
    model.save(tmp_path / "model")
    loaded, pages = United.load(tmp_path / "model"), owner(UNSEEN, 4)
    assert f1(loaded, pages) == f1(model, pages) > f1(shipped, pages) + 0.03
    before, after = loaded.card["held-out"]
    assert loaded.card["prior"] is not None
    assert after < before
    inner = {name for name in shipped.net.weights if not name.startswith("out.")}
    assert all(np.array_equal(model.net.weights[name], shipped.net.weights[name]) for name in inner)


def test_labels_that_teach_nothing_leave_the_model_as_it_is(shipped: United) -> None:
    pages = owner(SEEN, 2)
    usual = [
        replace(page, codes=np.where(shipped.label(page.blocks).kept, PARAGRAPH, OTHER).astype(np.int8))
        for page in pages
    ]
    assert f1(fit_last_layer(training(usual), shipped), pages) == pytest.approx(f1(shipped, pages), abs=0.01)
    one = fit_last_layer(training(pages[:1]), shipped)
    assert one.card["prior"] is None
    assert one.net is shipped.net


def test_the_same_pages_give_the_same_model(shipped: United) -> None:
    first, second = (fit_last_layer(training(owner(SEEN[:4], 1)), shipped) for _ in range(2))
    assert np.array_equal(first.net.weights["out.weight"], second.net.weights["out.weight"])


def test_pages_of_content_alone_are_refused(shipped: United) -> None:
    pages = [replace(page, codes=np.full_like(page.codes, PARAGRAPH)) for page in owner(SEEN[:2], 1)]
    with pytest.raises(GoldError):
        fit_last_layer(training(pages), shipped)
