"""The figures that judge a cleaning: worked examples by hand, identities, and sums of counts."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cpu_time import assert_quick
from dehusk.measures.metrics import (
    LABELS,
    CleanevalCounts,
    EvertCounts,
    LabelCounts,
    Overlap,
    WordBag,
    cleaneval,
    evert,
    label_counts,
    summarise,
    word_bag,
)

words = st.lists(st.sampled_from(list("abcde")), max_size=12)
texts = words.map(" ".join)
segments = st.tuples(st.sampled_from(["<h>", "<p>", "<l>"]), texts).map("".join)
tagged = st.lists(segments, max_size=6).map("\n".join)
label_pairs = st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), max_size=20)

GOLD = "<h>one two\n<p>three four five\n<l>six"


def labels_of(pairs: list[tuple[str, str]]) -> LabelCounts:
    return label_counts([p for p, _ in pairs], [g for _, g in pairs])


def test_word_bag_counts_a_word_as_often_as_both_sides_have_it():
    bag = word_bag("The cat, the HAT", "the cat the the dog")
    assert bag == WordBag(tp=3, predicted=4, gold=5)
    assert (bag.precision, bag.recall) == (3 / 4, 3 / 5)
    assert bag.f1 == pytest.approx(2 * 0.75 * 0.6 / 1.35)


def test_word_bag_splits_at_non_word_characters():
    assert word_bag("e-mail: Straße_1", "mail E straße_1") == WordBag(3, 3, 3)


@pytest.mark.parametrize(("predicted", "gold", "figure"), [("", "?!", 1), ("a", "", 0), ("", "a", 0)])
def test_word_bag_of_empty_texts(predicted, gold, figure):
    bag = word_bag(predicted, gold)
    assert (bag.precision, bag.recall, bag.f1) == (figure, figure, figure)


@given(texts, texts)
def test_word_bag_changes_precision_for_recall_when_sides_change(a, b):
    one, other = word_bag(a, b), word_bag(b, a)
    assert (one.precision, one.recall, one.f1) == (other.recall, other.precision, other.f1)
    assert 0 <= one.f1 <= 1
    assert (one.f1 == 1) == (sorted(a.split()) == sorted(b.split()))


@given(st.permutations(list("abbcd")))
def test_word_bag_ignores_order(order):
    assert word_bag(" ".join(order), "a b b c d").f1 == 1


def test_label_accuracies_of_a_worked_confusion():
    gold = ["header", "paragraph", "paragraph", "other", "other", "list"]
    predicted = ["header", "continuation", "other", "other", "paragraph", "list"]
    counts = label_counts(predicted, gold)
    assert counts.blocks == 6
    assert counts.accuracy == 3 / 6
    assert counts.content_accuracy == 4 / 6
    row = dict(zip(LABELS, counts.confusion[LABELS.index("paragraph")], strict=True))
    assert row == {"header": 0, "list": 0, "paragraph": 0, "continuation": 1, "other": 1}


def test_labels_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="not 2 and 1"):
        label_counts(["other", "other"], ["other"])
    with pytest.raises(ValueError, match="'footer'"):
        label_counts(["footer"], ["other"])
    with pytest.raises(ValueError, match="'nav'"):
        label_counts(["other"], ["nav"])


def test_no_blocks_have_no_wrong_label():
    assert label_counts([], []) == LabelCounts()
    assert (LabelCounts().accuracy, LabelCounts().content_accuracy) == (1, 1)


@given(label_pairs, label_pairs)
def test_label_counts_of_two_documents_add_up_to_those_of_their_blocks(first, second):
    both = labels_of(first + second)
    assert labels_of(first) + labels_of(second) == both
    assert both.accuracy <= both.content_accuracy


def test_cleaneval_of_a_worked_example():
    # Against GOLD: "four" is lost and "six" became "SIX": 2 edits in 6 words. The list item runs on into the
    # paragraph, so of 2 x 2 boundaries the header's two and the paragraph's start agree with gold's 2 x 3.
    counts = cleaneval("<h>one two\n<p>three five SIX", GOLD)
    assert counts == CleanevalCounts(distance=2, longest=6, boundaries=Overlap(3, 4, 6))
    assert counts.text_only == pytest.approx(100 * 4 / 6)
    assert counts.markup_only == pytest.approx(100 * 6 / 10)
    assert counts.total == pytest.approx((400 / 6 + 60) / 2)


def test_cleaneval_boundaries_must_be_at_the_same_words_in_the_alignment():
    shifted = "<h>one\n<p>two three four five\n<l>six"
    counts = cleaneval("<p>noise first\n" + shifted, GOLD)
    # agreeing: start of the header, end of the paragraph, both of the list item
    assert counts.boundaries == Overlap(4, 8, 6)
    assert counts.text_only == pytest.approx(75)


def test_cleaneval_does_not_take_a_start_for_an_end():
    assert cleaneval("<p>a b", "<p>x a").boundaries.tp == 0


def test_cleaneval_boundary_at_a_substituted_word_does_not_agree():
    assert cleaneval("<p>X two three", "<p>one two three").boundaries == Overlap(1, 2, 2)


def test_cleaneval_tag_types_matter_only_if_requested():
    flat = GOLD.replace("<h>", "<p>")
    assert cleaneval(flat, GOLD).markup_only == 100
    assert cleaneval(flat, GOLD, labelled=True).boundaries == Overlap(4, 6, 6)


def test_cleaneval_reads_its_format():
    messy = "\n URL: http://x.org/<p>page \n\n<H>  \n<h>one\n   two <P>three\tfour&nbsp;five\r\n<l>six\n"
    assert cleaneval(messy, GOLD) == cleaneval(GOLD, GOLD)
    assert cleaneval("<p>AT&amp;T &lt;p&gt; x", "<p>AT&T &#60;p> x").total == 100
    assert cleaneval("text URL: a", "text").distance == 2


def test_cleaneval_untagged_text_keeps_its_text_score_and_loses_the_other():
    counts = cleaneval("one two three four five six", GOLD)
    assert (counts.text_only, counts.markup_only, counts.total) == (100, 0, 50)


@pytest.mark.parametrize(("predicted", "gold", "score"), [("", "<l>", 100), ("", "<p>a", 0), ("<p>a", "", 0)])
def test_cleaneval_of_empty_texts(predicted, gold, score):
    counts = cleaneval(predicted, gold)
    assert (counts.text_only, counts.markup_only, counts.total) == (score, score, score)


@given(tagged)
def test_a_text_scored_against_itself_is_perfect(text):
    assert cleaneval(text, text, labelled=True).total == 100
    assert evert(text, text).words.f1 == evert(text, text).tags.f1 == 1


@given(tagged, tagged)
def test_text_scores_are_symmetric_and_markup_scores_stay_in_range(a, b):
    one, other = cleaneval(a, b), cleaneval(b, a)
    assert one.text_only == other.text_only
    assert 0 <= one.text_only <= 100
    assert 0 <= cleaneval(a, b, labelled=True).markup_only <= one.markup_only <= 100
    assert evert(a, b).words.f1 == evert(b, a).words.f1


def slow_distance(a: list[str], b: list[str]) -> int:
    """Levenshtein's recurrence, row by row."""
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, 1):
        previous, row = row, [i]
        for j, right in enumerate(b, 1):
            row.append(min(previous[j] + 1, row[-1] + 1, previous[j - 1] + (left != right)))
    return row[-1]


@given(words, words)
def test_distance_is_levenshteins_over_words(a, b):
    assert cleaneval(" ".join(a), " ".join(b)).distance == slow_distance(a, b)


def test_evert_of_a_worked_example():
    # tokens: h one two p three five SIX (7) against h one two p three four five l six (9)
    counts = evert("<h>one two\n<p>three five SIX", GOLD)
    assert counts == EvertCounts(words=Overlap(6, 7, 9), tags=Overlap(2, 2, 3))
    assert counts.words.f1 == pytest.approx(12 / 16)
    assert evert("<h>one two\n<p>three five SIX", GOLD, tags=False) == EvertCounts(Overlap(4, 5, 6))


def test_evert_tells_tag_types_apart_and_counts_tags_without_words():
    assert evert("<h>a<p>", "<p>a<P>").tags == Overlap(1, 2, 2)


def test_evert_does_not_take_an_escaped_tag_for_a_tag():
    assert evert("&lt;p&gt; a", "<p> a") == EvertCounts(Overlap(1, 2, 2), Overlap(0, 0, 1))


def test_evert_needs_words_in_order():
    assert evert("a b c", "c b a").words.tp == 1
    assert evert("a b c a", "b c a b").words.tp == 3


@given(st.lists(st.tuples(tagged, tagged), min_size=3, max_size=3))
def test_addition_is_associative_commutative_and_has_a_zero(pairs):
    for measure, zero in ((word_bag, WordBag()), (cleaneval, CleanevalCounts()), (evert, EvertCounts())):
        a, b, c = (measure(*pair) for pair in pairs)
        assert (a + b) + c == a + (b + c)
        assert a + b == b + a
        assert a + zero == a
        assert type(a + b) is type(a)


def test_counts_of_different_measures_do_not_add():
    with pytest.raises(TypeError):
        WordBag(1, 1, 1) + Overlap(1, 1, 1)
    with pytest.raises(TypeError):
        LabelCounts() + WordBag()


def test_summary_gives_the_mean_and_the_pooled_figure():
    summary = summarise([word_bag("a", "a"), word_bag("b x y", "b c d e f")], lambda bag: bag.f1)
    assert summary.values == (1, 2 / 8)
    assert summary.mean == 0.625
    assert summary.pooled == pytest.approx(4 / 10)
    totals = summarise([cleaneval(GOLD, GOLD), cleaneval("", GOLD)], lambda counts: counts.total)
    assert (totals.mean, totals.pooled) == (50, pytest.approx((50 + 200 / 3) / 2))
    with pytest.raises(ValueError, match="no documents"):
        summarise([], lambda bag: bag.f1)


def test_documents_of_ten_thousand_words_are_scored_in_well_under_a_second():
    chance = random.Random(7)  # noqa: S311
    gold = [f"<p>w{chance.randrange(60_000)}" if i % 20 == 0 else f"w{i}" for i in range(10_000)]
    predicted = [f"x{i}" if chance.random() < 0.2 else word for i, word in enumerate(gold)]
    counts = assert_quick(lambda: cleaneval(" ".join(predicted), " ".join(gold)), 5)
    aligned = assert_quick(lambda: evert(" ".join(predicted), " ".join(gold), tags=False), 5)
    lost = sum(word.startswith("x") for word in predicted)
    assert (counts.distance, counts.longest) == (lost, 10_000)
    assert aligned.words.tp == 10_000 - lost


def test_more_distinct_words_than_code_points_below_the_surrogates():
    many = [f"w{i}" for i in range(60_000)]
    assert cleaneval(" ".join(many), " ".join([*many[:55_000], *many[55_001:]])).distance == 1
