"""Training the net: what it learns from labels, facts and styles, the same bytes, batches of pages."""

from dataclasses import replace

import numpy as np
import pytest

import dehusk
import synthetic
from dehusk.base.errors import ConfigError, GoldError
from dehusk.blocks.labels import OTHER, PARAGRAPH
from dehusk.lab.gold.datasets import Sample
from dehusk.lab.train.labelled_pages import LabelledPage, without_labels
from dehusk.lab.train.net import Schedule, measure_columns, train_net
from dehusk.lab.train.net_pages import NetPage, drop_words, fact_page, make_batch, net_page, with_hints, without_stretch
from dehusk.lab.train.united import TrainingSet, train_united
from dehusk.label.baseline import KeepAll
from dehusk.label.styles import STYLES
from dehusk.label.united import NAMES, Net, United
from dehusk.label.united.inputs import Bags, NetInputs, net_inputs
from nets import random_inputs, random_net

SMALL = Schedule(
    width=16, pooled=4, distances=(1, 2), word_width=4, tag_width=4, epochs=12, pages=8, rate=0.01, warm_up=5
)


def labelled(count: int, first: int = 0) -> list[LabelledPage]:
    """Return generated pages, each of a site of its own."""
    blocks, gold = synthetic.training(KeepAll(), count, first)
    return [
        LabelledPage(f"set/{n}", f"site{n}", b, g.astype(np.int8), Sample("set", str(n), b"%d" % n, *[None] * 4), None)
        for n, (b, g) in enumerate(zip(blocks, gold, strict=True))
    ]


def training_set(*parts: tuple[list[LabelledPage], tuple[str, ...]]) -> TrainingSet:
    pages = TrainingSet()
    for of_part, styles in parts:
        pages.add(of_part, styles)
    return pages


def share_right(model: United, pages: list[LabelledPage]) -> float:
    """Return the share of blocks on the right side of probability 1/2."""
    right = [(model.label(page.blocks).probability > 0.5) == (page.codes != OTHER) for page in pages]
    return float(np.concatenate(right).mean())


def bytes_of(net: Net) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in net.arrays().items()}


@pytest.fixture(scope="module")
def trained() -> United:
    return train_united(training_set((labelled(40), ("auto",))), SMALL)


UNSEEN = labelled(25, first=900)


# what it learns


def test_it_learns_what_is_content_on_pages_never_seen(trained: United) -> None:
    content = np.concatenate([page.codes != OTHER for page in UNSEEN])
    chance = max(content.mean(), 1 - content.mean())
    assert share_right(trained, UNSEEN) > 0.95 > chance + 0.2


def test_training_twice_gives_the_same_bytes_and_another_seed_others() -> None:
    pages, schedule = training_set((labelled(12), ("auto",))), replace(SMALL, epochs=3)
    one, two, other = (train_united(pages, replace(schedule, seed=seed)).net for seed in (1, 1, 2))
    assert bytes_of(one) == bytes_of(two)
    assert bytes_of(one) != bytes_of(other)


def test_a_trained_net_is_as_it_is_stored(trained: United) -> None:
    stored = Net.from_arrays(trained.net.arrays())
    for name, array in trained.net.weights.items():
        np.testing.assert_array_equal(array, stored.weights[name])


def test_the_net_has_the_shape_of_the_schedule(trained: United) -> None:
    weights = trained.net.weights
    assert weights["inp.weight"].shape == (16, len(NAMES) + 3 * 4 + 2 * 4)
    assert weights["distances"].tolist() == [1, 2]
    assert trained.net.styles == len(STYLES)


def test_styles_are_learned_separately() -> None:
    plain, turned = labelled(30), labelled(30, first=300)
    for page in turned:
        page.codes[:] = np.where(page.codes == OTHER, PARAGRAPH, OTHER)
    model = train_united(training_set((plain, ("auto",)), (turned, ("body",))), replace(SMALL, epochs=25))
    assert model.styles == ("auto", "body")
    assert share_right(model, UNSEEN) > 0.9
    assert share_right(model.using(style="body"), UNSEEN) < 0.1
    with pytest.raises(ConfigError, match="was not trained for style whole, only for: auto, body"):
        model.using(style="whole")


def test_a_page_of_several_styles_trains_each() -> None:
    model = train_united(training_set((labelled(40), ("auto", "core"))), replace(SMALL, epochs=25))
    assert model.styles == ("auto", "core")
    assert share_right(model, UNSEEN) > 0.9
    assert share_right(model.using(style="core"), UNSEEN) > 0.9


def page_with_facts(number: int) -> Sample:
    html, _ = synthetic.page(2000 + number)
    facts = (f"{number + 2} spoons of honey {number}", f"{number + 3} cups of milk {number}")
    items = "".join(f"<table><tr><td>{fact}</table>" for fact in facts)
    return Sample("recipes", str(number), f"{html}{items}".encode(), None, f"recipe{number}", None, None, facts)


def test_facts_push_their_blocks_up_and_say_nothing_of_others() -> None:
    noise = labelled(30)
    with_facts, unseen = (
        [*without_labels(map(page_with_facts, range(*ends)), KeepAll())] for ends in ((0, 25), (30, 40))
    )
    plain = training_set((noise, ("auto",)))
    both = training_set((noise, ("auto",)))
    both.add_facts(with_facts)
    schedule = replace(SMALL, facts=1.0)
    models = [train_united(pages, schedule) for pages in (plain, both)]
    facts, others = [], []
    for page in unseen:
        is_fact = np.array(["honey" in text or "milk" in text for text in page.blocks.texts])
        without, with_ = (model.net.scores(net_inputs(page.blocks), 0) for model in models)
        facts.append((with_ - without)[is_fact])
        others.append((with_ > 0)[~is_fact] == (without > 0)[~is_fact])
    assert np.concatenate(facts).mean() > 1
    assert np.concatenate(others).mean() > 0.85
    assert share_right(models[1], UNSEEN) > 0.9


def test_start_improves_a_model_and_keeps_its_shape(trained: United) -> None:
    turned = labelled(16, first=300)
    for page in turned:  # here, lists are noise and advertisements content
        page.codes[:] = np.where(page.codes == PARAGRAPH, OTHER, page.codes)
    test = labelled(15, first=600)
    for page in test:
        page.codes[:] = np.where(page.codes == PARAGRAPH, OTHER, page.codes)
    schedule = Schedule(epochs=12, pages=4, rate=0.01, warm_up=5, width=64)
    improved = train_united(training_set((turned, ("body",))), schedule, start=trained)
    assert {name: array.shape for name, array in improved.net.weights.items()} == {
        name: array.shape for name, array in trained.net.weights.items()
    }
    for name in ("columns.mean", "columns.scale", "columns.is_log", "distances"):
        np.testing.assert_array_equal(improved.net.weights[name], trained.net.weights[name])
    assert improved.styles == ("auto", "body")
    assert improved.weights == trained.weights
    assert share_right(improved.using(style="body"), test) > share_right(trained, test) + 0.1
    assert share_right(improved.using(style="body"), test) > 0.85


def test_a_start_that_is_not_trained_any_more_stays_as_good(trained: United) -> None:
    gentle = Schedule(epochs=1, rate=1e-6)
    again = train_united(training_set((labelled(4), ("auto",))), gentle, start=trained)
    for page in UNSEEN[:5]:
        before, after = (model.net.scores(net_inputs(page.blocks), 0) for model in (trained, again))
        np.testing.assert_allclose(after, before, atol=0.2)


def test_unlabelled_blocks_have_no_influence() -> None:
    pages = labelled(10)
    for page in pages:
        page.codes[::3] = -1
    inputs = [net_page(page, (0,)) for page in pages]
    used = [page for page in inputs if page is not None]
    assert len(used) == 10
    for page, of_page in zip(used, pages, strict=True):
        unlabelled = of_page.codes < 0
        assert not page.weight[unlabelled].any()
        assert (page.weight[~unlabelled] > 0).all()
    turned = [replace(page, content=np.where(page.weight > 0, page.content, 1).astype(np.float32)) for page in used]
    schedule = replace(SMALL, epochs=2)
    one, two = (train_net(of_pages, schedule, styles=len(STYLES)) for of_pages in (used, turned))
    assert bytes_of(one) == bytes_of(two)


def test_nothing_to_learn_is_an_error() -> None:
    with pytest.raises(GoldError, match="training needs content and noise: no page is usable"):
        train_united(TrainingSet(), SMALL)
    for code, only in ((OTHER, "noise"), (PARAGRAPH, "content")):
        pages = labelled(3)
        for page in pages:
            page.codes[:] = code
        with pytest.raises(GoldError, match=rf"the usable pages \(3\) contain only {only}"):
            train_united(training_set((pages, ("auto",))), SMALL)
    unlabelled = labelled(3)
    for page in unlabelled:
        page.codes[:] = -1
    with pytest.raises(GoldError, match="no page is usable"):
        train_united(training_set((unlabelled, ("auto",))), SMALL)
    facts = TrainingSet()
    facts.add_facts(without_labels([page_with_facts(1)], KeepAll()))
    with pytest.raises(GoldError, match=r"the usable pages \(1\) contain only content"):
        train_united(facts, SMALL)
    with pytest.raises(ConfigError, match=r"unknown style 'bodi'\. Did you mean body"):
        training_set((labelled(1), ("auto", "bodi")))


def test_the_card_says_what_a_model_was_trained_on(trained: United) -> None:
    card = trained.card
    assert card["pages"] == {"set": 40}
    assert card["sites"] == 40
    assert sum(card["blocks"].values()) == sum(len(page.blocks) for page in labelled(40))
    assert card["schedule"] == vars(SMALL)
    assert "start" not in card
    improved = train_united(training_set((labelled(4), ("auto",))), replace(SMALL, epochs=1), start=trained)
    assert improved.card["start"] == {"version": dehusk.__version__, "pages-hash": card["pages-hash"]}
    assert improved.card["pages"] == {"set": 4}
    assert improved.card["pages-hash"] != card["pages-hash"]


# pages to train on


def test_weights_of_labels_grow_with_words_and_shrink_with_the_page() -> None:
    short, long = (
        LabelledPage(
            "a",
            "a",
            KeepAll().segment(dehusk.parse(f"<p>one two<p>three{' more' * words}")),
            np.array([PARAGRAPH, OTHER], np.int8),
            labelled(1)[0].sample,
            None,
        )
        for words in (1, 900)
    )
    a, b = net_page(short, (0, 3), weight=1.5), net_page(long, (0,))
    assert a is not None
    assert b is not None
    assert a.styles == (0, 3)
    assert a.content.tolist() == [1, 0]
    np.testing.assert_allclose(a.weight, 1.5 * np.array([4, 4]) / (60 + 0.15 * 4), rtol=1e-6)
    np.testing.assert_allclose(b.weight, np.array([4, 903]) / (60 + 0.15 * 903), rtol=1e-6)
    assert not a.positive.any()


def test_facts_weigh_one_in_total() -> None:
    page = without_labels([page_with_facts(3)], KeepAll())[0]
    places = np.zeros(len(page.blocks))
    assert fact_page(page, places) is None
    places[-2:] = 0.5, 1
    found = fact_page(page, places)
    assert found is not None
    assert found.positive.sum() == pytest.approx(1)
    assert np.flatnonzero(found.positive).tolist() == [len(places) - 2, len(places) - 1]
    assert found.positive[-1] > found.positive[-2]
    assert not found.weight.any()
    assert found.styles == (0,)


def test_only_pages_with_facts_are_trained_on() -> None:
    pages = TrainingSet()
    pages.add_facts(
        without_labels([page_with_facts(1), replace(page_with_facts(2), facts=("no such fact here",))], KeepAll())
    )
    assert [of_page is None for of_page in pages.inputs] == [False, True]
    assert len(pages) == 2
    part = pages.subset([1])
    assert (part.pages, part.inputs) == (pages.pages[1:], [None])


# batches


def random_page(seed: int, b: int) -> NetPage:
    random = np.random.default_rng(seed)
    content, weight, positive, words = (random.random(b).astype(np.float32) for _ in range(4))
    return NetPage(random_inputs(seed, b), content, weight, positive, (0, 1), words)


def bag_lists(bags: Bags) -> list[list[int]]:
    return [part.tolist() for part in np.split(bags.row, bags.start[1:-1])]


def names_by_block(inputs: NetInputs) -> list[list[int]]:
    bags = bag_lists(inputs.names)
    return [bags[chain] for chain in inputs.chain.tolist()]


def test_a_batch_is_its_pages_one_after_the_other() -> None:
    pages = [random_page(seed, b) for seed, b in enumerate((3, 1, 20))]
    pages[1] = replace(pages[1], weight=np.zeros(1, np.float32))
    batch = make_batch(pages, [2, 0, 5])
    assert batch.page.tolist() == [0] * 3 + [1] + [2] * 20
    assert batch.style.tolist() == [2] * 3 + [0] + [5] * 20
    assert batch.first.tolist() == [0] * 3 + [3] + [4] * 20
    assert batch.end.tolist() == [3] * 3 + [4] + [24] * 20
    assert batch.labelled_pages == 2
    for name in ("content", "weight", "positive"):
        np.testing.assert_array_equal(getattr(batch, name), np.concatenate([getattr(page, name) for page in pages]))
    np.testing.assert_array_equal(batch.inputs.columns, np.hstack([page.inputs.columns for page in pages]))
    np.testing.assert_array_equal(batch.inputs.tags, np.vstack([page.inputs.tags for page in pages]))
    assert bag_lists(batch.inputs.texts) == [bag for page in pages for bag in bag_lists(page.inputs.texts)]
    assert names_by_block(batch.inputs) == [bag for page in pages for bag in names_by_block(page.inputs)]
    for number, group in enumerate(batch.inputs.groups):
        assert set(group.tolist()) == set(range(int(group.max()) + 1))
        for page, (first, end) in zip(pages, ((0, 3), (3, 4), (4, 24)), strict=True):
            own = page.inputs.groups[number]
            np.testing.assert_array_equal(group[first:end] - group[first:end].min(), own)
        assert not set(group[:3].tolist()) & set(group[3:].tolist())


def test_a_batch_of_unlabelled_pages_can_be_divided_by_its_size() -> None:
    page = replace(random_page(1, 2), weight=np.zeros(2, np.float32))
    assert make_batch([page], [0]).labelled_pages == 1


def test_a_teacher_hints_at_all_blocks_of_a_page_in_each_of_its_styles() -> None:
    page, teacher = random_page(5, 4), random_net(5)
    page = replace(page, styles=(0, 3), words=np.array([0, 200, 8, 10], np.float32), importance=3.0)
    hinted = with_hints(page, teacher)
    expected = [1 / (1 + np.exp(-teacher.scores(page.inputs, style))) for style in (0, 3)]
    np.testing.assert_allclose(hinted.hints, expected, rtol=1e-6)
    batch = make_batch([page, hinted], [3, 3])
    np.testing.assert_allclose(batch.hint[4:], expected[1], rtol=1e-6)
    content = max(60, float(page.words @ expected[0]))
    np.testing.assert_allclose(batch.hint_weight[4:], 3 * (page.words + 2) / (content + 0.15 * 218), rtol=1e-6)
    assert not batch.hint_weight[:4].any()


def test_a_smaller_net_learns_from_the_hints_of_a_larger_one(trained: United) -> None:
    pages = training_set((labelled(40), ("auto",)))
    wrong = [None if page is None else replace(page, content=1 - page.content) for page in pages.inputs]
    hinted = TrainingSet(pages.pages, wrong).hinted(trained)
    student = train_united(hinted, replace(SMALL, width=8, labels=0.0))
    assert share_right(student, UNSEEN) > 0.9
    assert share_right(train_united(hinted, replace(SMALL, width=8, labels=1.0)), UNSEEN) < 0.2


@pytest.mark.parametrize("seed", range(20))
def test_a_stretch_is_left_out_whole(seed: int) -> None:
    page = random_page(seed, 40)
    page = replace(page, content=np.arange(40, dtype=np.float32))
    hinted = replace(page, hints=np.random.default_rng(0).random((2, 40)))
    assert hinted.hints is not None
    left = without_stretch(page, np.random.default_rng(seed))
    kept = left.content.astype(int)
    gone = sorted(set(range(40)) - set(kept.tolist()))
    assert 2 <= len(gone) <= 14
    assert gone == list(range(gone[0], gone[-1] + 1))
    assert kept.tolist() == sorted(kept.tolist())
    np.testing.assert_array_equal(left.weight, page.weight[kept])
    np.testing.assert_array_equal(left.positive, page.positive[kept])
    np.testing.assert_array_equal(left.words, page.words[kept])
    assert left.hints is None
    np.testing.assert_array_equal(without_stretch(hinted, np.random.default_rng(seed)).hints, hinted.hints[:, kept])
    np.testing.assert_array_equal(left.inputs.columns, page.inputs.columns[:, kept])
    np.testing.assert_array_equal(left.inputs.tags, page.inputs.tags[kept])
    texts, names = bag_lists(page.inputs.texts), names_by_block(page.inputs)
    assert bag_lists(left.inputs.texts) == [texts[block] for block in kept]
    assert names_by_block(left.inputs) == [names[block] for block in kept]
    assert len(left.inputs.names.start) - 1 == len(set(left.inputs.chain.tolist()))
    for group, before in zip(left.inputs.groups, page.inputs.groups, strict=True):
        assert set(group.tolist()) == set(range(int(group.max()) + 1))
        pairs = set(zip(group.tolist(), before[kept].tolist(), strict=True))
        assert len(pairs) == len(set(group.tolist())) == len(set(before[kept].tolist()))
    assert left.styles == page.styles


@pytest.mark.parametrize("seed", range(5))
def test_words_dropped_are_gone_and_the_others_stay_where_they_were(seed: int) -> None:
    bags = random_inputs(seed, 12).texts
    dropped = np.random.default_rng(seed).random(len(bags.row)) < 0.5
    left = drop_words(bags, dropped)
    assert len(left.start) == len(bags.start)
    marks = np.split(~dropped, bags.start[1:-1])
    expected = [
        [row for row, kept in zip(bag, mark.tolist(), strict=True) if kept]
        for bag, mark in zip(bag_lists(bags), marks, strict=True)
    ]
    assert bag_lists(left) == expected
    assert bag_lists(drop_words(bags, np.zeros_like(dropped))) == bag_lists(bags)
    assert not len(drop_words(bags, np.ones_like(dropped)).row)


def test_columns_are_measured_after_the_logarithm() -> None:
    page = random_page(1, 70)
    columns = np.zeros((len(NAMES), 70), dtype=np.float32)
    columns[0], columns[1], columns[2, 0] = 1, 3, 1000
    inputs = replace(page.inputs, columns=columns)
    measured = measure_columns([replace(page, inputs=inputs)])
    assert measured["columns.is_log"][:4].tolist() == [0, 1, 1, 0]
    np.testing.assert_allclose(measured["columns.mean"][:4], [1, np.log(4), np.log(1001) / 10, 0], rtol=1e-5)
    assert measured["columns.scale"][[0, 1, 3]] == pytest.approx(0.01, abs=1e-6)
    assert measured["columns.scale"][2] > 1
    assert all(np.isfinite(array).all() for array in measured.values())
