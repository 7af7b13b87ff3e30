"""Measures of two texts: worked examples, literal slow references, properties, empty sides."""

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.base.errors import ConfigError, Status
from dehusk.measures.metrics import Overlap, WordBag, word_bag
from dehusk.measures.outcomes import FAILED, Outcomes, outcome
from dehusk.measures.overlap import MeanOverlap, RougeL, Shingles, mean_of_pages, rouge_l, shingles
from dehusk.measures.position import BlockRecall, Duplication, Ends, Order, duplication, ends, order, paragraphs

words = st.lists(st.sampled_from(["a", "b", "c", "D", "d"]), max_size=12)
texts = st.one_of(words.map(" ".join), st.text(alphabet="aB é漢İß_1-.\n", max_size=30))
MEASURES = [
    (word_bag, WordBag()),
    (rouge_l, RougeL()),
    (shingles, Shingles()),
    (duplication, Duplication()),
    (order, Order()),
    (lambda a, b: ends(a, paragraphs(b)), Ends()),
    (lambda a, b: outcome(Status.OK, a, b), Outcomes()),
]


def wcxb(predicted: str, reference: str) -> tuple[float, float, float]:
    """WCXB's word-level precision, recall and F1, from the description of its evaluator."""
    output, gold = re.findall(r"\w+", predicted.lower()), re.findall(r"\w+", reference.lower())
    if not output and not gold:
        return 1.0, 1.0, 1.0
    if not output or not gold:
        return 0.0, 0.0, 0.0
    common = 0
    left = list(gold)
    for word in output:
        if word in left:
            left.remove(word)
            common += 1
    precision, recall = common / len(output), common / len(gold)
    return precision, recall, 2 * precision * recall / (precision + recall) if common else 0.0


def scrapinghub(pages: list[tuple[str, str]]) -> tuple[float, float, float]:
    """Scrapinghub's precision, recall and F1 of a collection, from the steps of its evaluator."""
    precisions, recalls = [], []
    for predicted, true in pages:
        counts = []
        for text in (predicted, true):
            tokens = re.findall(r"\w+", text)
            runs = [tuple(tokens[i : i + 4]) for i in range(max(1, len(tokens) - 3))]
            counts.append(Counter(run for run in runs if run))
        output, gold = counts
        keys = set(output) | set(gold)
        tp = sum(min(output[key], gold[key]) for key in keys)
        fp = sum(max(0, output[key] - gold[key]) for key in keys)
        fn = sum(max(0, gold[key] - output[key]) for key in keys)
        if tp + fp:
            precisions.append(tp / (tp + fp))
        if tp + fn:
            recalls.append(tp / (tp + fn))
    p, r = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


def slow_lcs(a: list[str], b: list[str]) -> int:
    """The textbook table of longest common subsequences."""
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            table[i + 1][j + 1] = table[i][j] + 1 if x == y else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


@given(texts, texts)
def test_word_bag_is_wcxbs(predicted, gold):
    bag = word_bag(predicted, gold)
    assert (bag.precision, bag.recall, bag.f1) == pytest.approx(wcxb(predicted, gold), abs=1e-9)


@given(texts, texts)
def test_rouge_l_is_the_longest_common_subsequence_of_words(predicted, gold):
    a, b = (re.findall(r"\w+", text.lower()) for text in (predicted, gold))
    assert rouge_l(predicted, gold) == RougeL(slow_lcs(a, b), len(a), len(b))


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=4))
def test_shingles_of_a_collection_are_scrapinghubs(pages):
    pages.append(("one two three four", "one two three four five"))  # the reference has no mean of no pages
    mean = mean_of_pages([shingles(*page) for page in pages])
    assert (mean.precision, mean.recall, mean.f1) == pytest.approx(scrapinghub(pages), abs=1e-9)


def test_rouge_l_of_lins_examples():
    gold = "police killed the gunman"
    assert rouge_l("police kill the gunman", gold).f1 == 3 / 4
    assert rouge_l("the gunman kill police", gold).f1 == 2 / 4
    assert rouge_l("the gunman police killed", gold).f1 == 2 / 4
    assert rouge_l("the cat", "the cat sat down") == RougeL(2, 2, 4)


def test_shingles_of_a_worked_example():
    # runs of gold: abcd bcde cdef; of the prediction: xabc abcd bcde
    counts = shingles("x a b c d e", "a b c d e f")
    assert counts == Shingles(2, 3, 3)
    assert counts.f1 == pytest.approx(2 / 3)
    assert shingles("a b c d e f", "a b c d e f", n=5) == Shingles(2, 2, 2)


def test_shingles_keep_case_and_short_texts_are_one_run():
    assert shingles("The cat", "the cat") == Shingles(0, 1, 1)
    assert shingles("the cat.", "the cat!") == Shingles(1, 1, 1)
    assert shingles("the cat", "the cat sat on") == Shingles(0, 1, 1)
    with pytest.raises(ConfigError, match="n must be a positive number of words, not 0"):
        shingles("a", "a", n=0)


@given(texts, texts)
def test_shingles_of_one_word_are_the_word_bag_of_lower_cased_texts(predicted, gold):
    measure, bag = shingles(predicted.lower(), gold.lower(), n=1), word_bag(predicted, gold)
    assert (measure.tp, measure.predicted, measure.gold) == (bag.tp, bag.predicted, bag.gold)


def test_means_of_pages_skip_pages_with_nothing_to_judge():
    pages = [Overlap(2, 4, 2), Overlap(0, 0, 5), Overlap(0, 3, 0)]
    assert mean_of_pages(pages) == MeanOverlap(precision=0.25, recall=0.5)
    assert mean_of_pages(pages).f1 == pytest.approx(2 * 0.25 * 0.5 / 0.75)
    assert mean_of_pages([Overlap(0, 0, 5)]) == MeanOverlap(0, 0)
    assert mean_of_pages([Overlap(0, 0, 5)]).f1 == 0
    assert mean_of_pages([Overlap(0, 3, 0)]) == MeanOverlap(0, 0)
    assert mean_of_pages([Overlap()]) == MeanOverlap(1, 1)
    with pytest.raises(ValueError, match="no pages"):
        mean_of_pages([])


@pytest.mark.parametrize("measure", [rouge_l, shingles])
@pytest.mark.parametrize(("predicted", "gold", "figure"), [("", "?!", 1), ("a", "", 0), ("", "a", 0)])
def test_overlap_of_empty_texts(measure, predicted, gold, figure):
    counts = measure(predicted, gold)
    assert (counts.precision, counts.recall, counts.f1) == (figure, figure, figure)


@given(texts, texts)
def test_overlap_stays_in_bounds_and_orders_its_measures(a, b):
    bag, lcs, runs = word_bag(a, b), rouge_l(a, b), shingles(a, b)
    assert 0 <= lcs.f1 <= bag.f1 <= 1
    assert 0 <= runs.f1 <= 1
    assert lcs.f1 == rouge_l(b, a).f1
    assert runs.f1 == shingles(b, a).f1


@given(texts)
def test_a_text_against_itself_is_perfect(text):
    assert rouge_l(text, text).f1 == shingles(text, text).f1 == order(text, text).share == 1
    assert duplication(text, text).share == 0
    figures = ends(text, paragraphs(text))
    assert all(end.runs_kept == end.runs for end in (figures.first, figures.last))


@given(st.lists(st.tuples(texts, texts), min_size=3, max_size=3))
def test_counts_add_up_in_any_order_from_zero(pages):
    for measure, zero in MEASURES:
        a, b, c = (measure(*page) for page in pages)
        assert (a + b) + c == a + (b + c) == c + (a + b)
        assert a + zero == a
        assert type(a + b) is type(a)


def test_counts_of_different_measures_do_not_add():
    for measure in (RougeL(), Shingles(), Order(), Duplication(), Ends(), Outcomes()):
        with pytest.raises(TypeError):
            measure + WordBag()


LEAD, BODY, LAST = "the first paragraph says what happened", "then a long story follows", "the end of it all is near"


def test_first_and_last_block_of_a_worked_example():
    gold = [LEAD, "***", BODY, LAST]
    counts = ends(f"{BODY}. {LAST}", gold)
    assert counts.first == BlockRecall(kept=0, blocks=1, runs_kept=0, runs=3)
    assert counts.last == BlockRecall(kept=1, blocks=1, runs_kept=4, runs=4)
    assert (counts.first.recall, counts.last.recall) == (0, 1)


def test_half_of_its_runs_are_enough_to_keep_a_block():
    assert ends("the end of it all", [LAST]).first == BlockRecall(1, 1, 2, 4)
    assert ends("the end of it", [LAST]).first == BlockRecall(0, 1, 1, 4)


def test_a_short_block_must_occur_as_one_run():
    assert ends("it is Breaking  News!", ["Breaking news", LAST]).first == BlockRecall(1, 1, 1, 1)
    assert ends("news is breaking", ["Breaking news"]).first.kept == 0
    assert ends("news", ["Breaking news"]).first.kept == 0


def test_scattered_words_do_not_keep_a_block():
    assert word_bag("happened what says paragraph first the", LEAD).recall == 1
    assert ends("happened what says paragraph first the", [LEAD]).first.runs_kept == 0


def test_ends_of_empty_sides():
    assert ends("", [LEAD, LAST]) == Ends(BlockRecall(0, 1, 0, 3), BlockRecall(0, 1, 0, 4))
    assert ends("a", []) == ends("a", ["", "—"]) == Ends()
    assert (Ends().first.recall, Ends().last.recall) == (1, 1)
    assert paragraphs(" a b \n\n—\r\nc") == [" a b ", "c"]


def test_duplication_of_a_worked_example():
    # predicted twice: runs abcd bcda cdab dabc abcd; gold has abcd only once
    assert duplication("a b c d a b c d", "a b c d") == Duplication(duplicated=1, predicted=5)
    assert duplication("a b c d a b c d", "a b c d a b c d").duplicated == 0
    assert duplication("a a a a a", "a a a a a a").duplicated == 0
    assert duplication("x y", "").share == duplication("", "x y").share == 0


@given(words, words, st.integers(2, 4))
def test_repeating_a_prediction_adds_duplicates_but_no_order(predicted, gold, times):
    once, often = (duplication("\n".join([" ".join(predicted)] * n), " ".join(gold)) for n in (1, times))
    assert often.duplicated >= once.duplicated
    assert 0 <= once.share < 1
    assert rouge_l(" ".join(predicted * times), " ".join(gold)).tp >= rouge_l(" ".join(predicted), " ".join(gold)).tp


@given(words, words)
def test_duplicates_are_counted_one_by_one(predicted, gold):
    a, b = (
        [tuple(t.lower() for t in side[i : i + 4]) for i in range(max(1, len(side) - 3))] for side in (predicted, gold)
    )
    a, b = [run for run in a if run], [run for run in b if run]
    extra = sum(a[: i + 1].count(run) > max(1, b.count(run)) for i, run in enumerate(a))
    assert duplication(" ".join(predicted), " ".join(gold)) == Duplication(extra, len(a))


def test_order_of_moved_blocks():
    counts = order("c d e a b", "a b c d e")
    assert counts == Order(in_order=3, common=5)
    assert counts.share == 3 / 5
    assert word_bag("c d e a b", "a b c d e").f1 == 1
    assert order("x", "y").share == order("", "").share == order("", "a").share == 1


@given(texts, texts)
def test_words_in_order_are_among_the_words_in_common(a, b):
    counts = order(a, b)
    assert 0 <= counts.in_order <= counts.common == word_bag(a, b).tp
    assert counts.in_order == rouge_l(a, b).tp


def test_order_of_a_reversed_text():
    text = [f"w{i}" for i in range(50)]
    assert order(" ".join(reversed(text)), " ".join(text)).share == 1 / 50


def test_failures_are_counted_separately():
    pages = [
        outcome(Status.OK, "a", "a"),
        outcome(Status.ERROR, "", "a"),
        outcome(Status.TRUNCATED, "a", "a b"),
        outcome(Status.NO_CONTENT, "", "a"),
        outcome(Status.OK, "a", "—"),
        outcome(Status.NO_CONTENT, "", ""),
    ]
    counts = sum(pages, Outcomes())
    assert counts == Outcomes(pages=6, failed=1, truncated=1, lost=1, invented=1)


@pytest.mark.parametrize("status", Status)
def test_every_status_is_a_failure_or_not(status):
    counts = outcome(status, "", "a")
    assert counts.failed + counts.lost == 1
    assert counts.failed == (status in FAILED) == (status.value in {"not-html", "undecodable", "limit", "error"})


def test_hostile_texts():
    long = "a " * 20_000
    assert rouge_l(long, long).f1 == order(long, long).share == 1
    assert duplication(long, "a a a a").duplicated == 20_000 - 4
    for text in ("\ud800 \udfff", "\x00", "İ" * 50, "\u0301" * 9):
        assert rouge_l(text, text).f1 == shingles(text, text).f1 == 1
