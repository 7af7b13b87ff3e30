"""Victor's chain: its arrays against python-crfsuite's own tagger, and the contract of learning."""

import numpy as np
import pycrfsuite
import pytest

from dehusk.base.errors import NotFittedError
from dehusk.blocks import Blocks
from dehusk.blocks.labels import LABELS, OTHER, PARAGRAPH
from dehusk.label.victor.chain import best_sequence, marginals
from dehusk.label.victor.config import parse_config
from dehusk.label.victor.crf import NEVER
from dehusk.label.victor.method import Victor
from dehusk.label.victor.tabulation import Tabulation
from dehusk.read import parse
from synthetic import CONFIG, JOINS, OWN_ROWS, ROWS, training

TEMPLATES = {
    "this row": CONFIG,
    "five rows": CONFIG + ROWS,
    "own rows": CONFIG + ROWS + OWN_ROWS,
    "joins": CONFIG + JOINS,
    "all": CONFIG + ROWS + OWN_ROWS + JOINS,
    "L1": CONFIG.replace("c2 = 0.2", "c1 = 0.5\nc2 = 0.01") + ROWS + JOINS,
}


def victor(text: str = CONFIG + ROWS) -> Victor:
    return Victor(parse_config(text))


def fitted(text: str = CONFIG + ROWS, count: int = 8) -> Victor:
    method = victor(text)
    return method.fit(*training(method, count))


def strings(tabulation: Tabulation, table: np.ndarray) -> list[list[str]]:
    """What CRFsuite sees: for each block one string per column and row of the template."""
    b = len(table)
    return [
        [
            f"{name}|{row}={table[t + row, column] if 0 <= t + row < b else 'edge'}"
            for column, name in enumerate(tabulation.names)
            for row in tabulation.rows[column]
        ]
        for t in range(b)
    ]


def crfsuite(method: Victor, pages: list[Blocks], gold: list[np.ndarray], path: str) -> pycrfsuite.Tagger:
    """Train CRFsuite itself on the strings of the pages."""
    trainer = pycrfsuite.Trainer("lbfgs", verbose=False)
    chosen = method.config.training
    trainer.set_params({"c1": chosen.c1, "c2": chosen.c2, "max_iterations": chosen.iterations})
    trainer.set("feature.possible_transitions", True)
    tabulation = Tabulation(method.config)
    for blocks, codes in zip(pages, gold, strict=True):
        trainer.append(strings(tabulation, method.table(blocks)), [LABELS[code] for code in codes])
    trainer.train(path)
    tagger = pycrfsuite.Tagger()
    tagger.open(path)
    return tagger


@pytest.mark.parametrize("template", TEMPLATES)
def test_labels_and_probabilities_are_crfsuites_own(template, tmp_path):
    method = fitted(TEMPLATES[template])
    pages, gold = training(method, 8)
    tagger = crfsuite(method, pages, gold, str(tmp_path / "chain"))
    labels = set(tagger.labels())
    short = [method.segment(parse(html)) for html in ("<p>a", "<p>a<p><a>b</a>", "<h1>A</h1>b<p>c.")]
    for blocks in [*pages, *training(method, 4, first=100)[0], *short]:
        tagger.set(strings(Tabulation(method.config), method.table(blocks)))
        weights = method.weights_
        state = weights.scores(method.table(blocks))
        expected = [[tagger.marginal(name, t) if name in labels else 0 for name in LABELS] for t in range(len(blocks))]
        assert marginals(state, weights.transition) == pytest.approx(np.array(expected), abs=1e-4)
        assert [LABELS[code] for code in best_sequence(state, weights.transition)] == tagger.tag()
        given = method.label(blocks)
        assert [LABELS[code] for code in given.label] == tagger.tag()
        assert given.probability == pytest.approx(1 - np.array(expected)[:, OTHER], abs=1e-4)
        assert given.kept.tolist() == [name != "other" for name in tagger.tag()]
        given.validate()


def test_a_join_may_name_a_feature_that_is_no_column_itself():
    method = fitted(CONFIG + 'joins = [["container.a", "link.density"]]')
    assert method.label(training(method, 1)[0][0]).kept.any()


def test_what_was_learnt_holds_on_other_pages():
    method = fitted(TEMPLATES["all"], 20)
    pages, gold = training(method, 20, first=1000)
    right = [(method.label(blocks).label == codes).mean() for blocks, codes in zip(pages, gold, strict=True)]
    assert np.mean(right) > 0.9


def test_scores_by_hand():
    method = fitted(CONFIG.split("[crf]")[0] + '[crf]\nfeatures = ["container.a", "sentence-end"]\nrows = [-1, 0]')
    weights = method.weights_
    assert weights.rows.tolist() == [-1, 0]
    assert weights.offsets.tolist() == [0, 2]  # container.a: 0 and 1, sentence-end: 2 and 3
    scores = weights.scores(np.array([[1, 0], [0, 1]]))
    first = weights.edge[0] + weights.state[1, 1] + weights.state[2, 1]
    second = weights.state[1, 0] + weights.state[2, 0] + weights.state[0, 1] + weights.state[3, 1]
    seen = ~weights.never
    assert seen.any()
    assert scores[:, seen] == pytest.approx(np.array([first, second])[:, seen], rel=1e-5)
    assert (scores[:, ~seen] == NEVER).all()
    assert weights.scores(np.zeros((0, 2), dtype=np.int32)).shape == (0, len(LABELS))


def test_contributions_add_up_to_the_scores_without_edges():
    method = fitted(TEMPLATES["own rows"])
    blocks = training(method, 1, first=50)[0][0]
    table, weights = method.table(blocks), method.weights_
    seen = np.flatnonzero(~weights.never)
    chosen = seen[np.arange(len(blocks)) % (len(seen) - 1)]  # noise is seen, and the last
    gain = weights.contributions(table, chosen, OTHER).sum(axis=1)
    scores = weights.scores(table)
    difference = scores[np.arange(len(blocks)), chosen] - scores[:, OTHER]
    assert gain[3:-3] == pytest.approx(difference[3:-3], abs=1e-4)  # rows -3 to 2: no edge is seen from there


def test_a_label_never_seen_is_never_given():
    method = victor(CONFIG + ROWS + JOINS)
    pages, gold = training(method, 8)
    method.fit(pages, [np.where(codes == OTHER, OTHER, PARAGRAPH) for codes in gold])
    for blocks in pages:
        assert set(method.label(blocks).label.tolist()) <= {PARAGRAPH, OTHER}
        chance = marginals(method.weights_.scores(method.table(blocks)), method.weights_.transition)
        assert chance[:, [0, 1, 3]].max() < 1e-100
    method.fit(pages, [np.full(len(codes), OTHER) for codes in gold])
    assert not any(method.label(blocks).kept.any() for blocks in pages)


def test_refitting_forgets():
    pages, gold = training(victor(), 8)
    again = victor().fit(pages[:3], gold[:3]).fit(pages, gold)
    fresh = victor().fit(pages, gold)
    for name, array in fresh.weights_.arrays().items():
        assert np.array_equal(array, again.weights_.arrays()[name]), name
    assert again.label(pages[0]).probability.tobytes() == fresh.label(pages[0]).probability.tobytes()


def test_unlabelled_blocks_teach_nothing():
    def weights(pages, gold):
        return victor().fit(pages, gold).weights_.arrays()

    pages, gold = training(victor(), 8)
    nothing = [np.full(len(gold[0]), -1), np.full(len(gold[1]), -1)]
    plain, more = weights(pages[2:], gold[2:]), weights(pages, [*nothing, *gold[2:]])
    assert all(np.array_equal(plain[name], more[name]) for name in plain)
    halves = [np.where(np.arange(len(codes)) % 5 == 4, -1, codes) for codes in gold]
    assert any(not np.array_equal(a, b) for a, b in zip(weights(pages, halves).values(), plain.values(), strict=True))


def test_blocks_in_deleted_elements_are_noise_and_as_if_they_were_not_there():
    method = fitted()
    whole = "<h1>Old tree</h1>{}<p>The cat sees the old green house under many small birds.</p>{}<div>Copyright 1</div>"
    with_, without = (
        method.label(method.segment(parse(whole.format(x, x)))) for x in ("<button>Buy it now.</button>", "")
    )
    present = [0, 2, 4]
    assert with_.label[present].tolist() == without.label.tolist()
    assert with_.label[[1, 3]].tolist() == [OTHER, OTHER]
    assert with_.probability[[1, 3]].tolist() == [0, 0]
    reasons = method.label(with_.blocks, explain=True).reasons
    assert [reasons[i] for i in (1, 3)] == ["in an element that tag-delete removes"] * 2


def test_reasons_name_columns():
    method = fitted(TEMPLATES["all"])
    blocks = training(method, 1, first=7)[0][0]
    labels = method.label(blocks, explain=True)
    assert len(labels.reasons) == len(blocks)
    names = set(Tabulation(method.config).names)
    assert all({part.split()[0] for part in reason.split("; ")} <= names for reason in labels.reasons)
    assert list(method.label(blocks).reasons) == []


def test_a_page_without_blocks():
    labels = fitted().label(victor().segment(parse("")), explain=True)
    assert (len(labels), len(labels.reasons)) == (0, 0)
    labels.validate()


def test_labelling_before_learning_is_refused(tmp_path):
    with pytest.raises(NotFittedError, match="call fit or load first"):
        victor().label(victor().segment(parse("<p>a")))
    with pytest.raises(NotFittedError, match="call fit before save"):
        victor().save(tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_pages_and_gold_that_do_not_fit_are_refused():
    pages, gold = training(victor(), 2)
    for wrong in (([], []), (pages, gold[:1]), (pages, [gold[0], gold[1][:-1]])):
        with pytest.raises(ValueError, match="gold"):
            victor().fit(*wrong)
