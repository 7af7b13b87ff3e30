"""Aligning a gold text with a page: properties of the word alignment, and the labels of blocks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.blocks import segment
from dehusk.blocks.labels import CONTINUATION, HEADER, LIST, OTHER, PARAGRAPH, by_markup
from dehusk.lab.gold.alignment import Agreement, align_words, label_blocks
from dehusk.measures.metrics import WordBag
from dehusk.read import parse
from strategies import prose

H, L, P, C, O = HEADER, LIST, PARAGRAPH, CONTINUATION, OTHER  # noqa: E741 (as the thesis abbreviates them)


def pairs(words: list[str], gold: list[str]) -> list[tuple[int, int]]:
    return [(i, int(g)) for i, g in enumerate(align_words(words, gold)) if g >= 0]


def longest(words: list[str], gold: list[str]) -> int:
    """Length of the longest common subsequence, by the textbook algorithm."""
    row = [0] * (len(gold) + 1)
    for word in words:
        previous = row[:]
        for j, other in enumerate(gold):
            row[j + 1] = previous[j] + 1 if word == other else max(previous[j + 1], row[j])
    return row[-1]


def unique_grams(words: list[str]) -> set[tuple[str, ...]]:
    grams = list(zip(*(words[i:] for i in range(4)), strict=False))
    return {gram for gram in grams if grams.count(gram) == 1}


@given(prose, prose)
def test_matched_words_are_equal_and_their_indices_increase(words, gold):
    match = align_words(words, gold)
    assert match.shape == (len(words),)
    assert all(words[i] == gold[g] for i, g in pairs(words, gold))
    kept = match[match >= 0]
    assert (np.diff(kept) > 0).all()
    assert len(kept) <= longest(words, gold)


@given(prose, prose)
def test_without_anchors_the_alignment_is_a_longest_common_subsequence(words, gold):
    if not unique_grams(words) & unique_grams(gold):
        assert len(pairs(words, gold)) == longest(words, gold)


@given(prose)
def test_a_text_is_aligned_with_itself_word_by_word(words):
    assert align_words(words, words).tolist() == list(range(len(words)))


@given(prose, prose, prose)
def test_a_text_between_other_words_is_matched_completely(before, gold, after):
    page = [word.upper() for word in before] + gold + [word.upper() for word in after]
    assert pairs(page, gold) == [(len(before) + i, i) for i in range(len(gold))]


@given(prose, st.lists(st.booleans(), min_size=25, max_size=25))
def test_words_missing_from_the_page_leave_the_other_matches_unchanged(gold, missing):
    named = [f"{word}{i}" for i, word in enumerate(gold)]
    page = [word for word, is_missing in zip(named, missing, strict=False) if not is_missing]
    assert [named[g] for _, g in pairs(page, named)] == page


@given(prose)
def test_nothing_matches_nothing(words):
    assert align_words(words, []).tolist() == [-1] * len(words)
    assert align_words([], words).shape == (0,)
    assert pairs(words, ["other"] * 9) == []


HEADLINE = ["old", "bridge", "will", "open", "again", "in", "may"]
BODY = [
    "the",
    "council",
    "said",
    "on",
    "monday",
    "that",
    "works",
    "on",
    "both",
    "sides",
    "had",
    "ended",
    "and",
    "that",
    "cars",
    "may",
    "cross",
]


def test_the_headline_of_the_article_is_matched_not_its_teaser():
    teaser = [*HEADLINE, "read", "more", "about", "the", "town"]
    words = [*teaser, *HEADLINE, *BODY, "subscribe", "to", "our", "letter"]
    assert pairs(words, HEADLINE + BODY) == [(len(teaser) + i, i) for i in range(len(HEADLINE + BODY))]


def test_the_headline_of_the_article_is_matched_not_a_link_below_it():
    words = ["news", *HEADLINE, *BODY, "related", *HEADLINE, "sports"]
    assert pairs(words, HEADLINE + BODY) == [(1 + i, i) for i in range(len(HEADLINE + BODY))]


def test_a_run_stays_together_although_its_start_occurs_twice():
    assert pairs([*"abcde", "x", *"abcd"], [*"abcde"]) == [(i, i) for i in range(5)]
    assert pairs([*"bcde", "x", *"abcde", "y"], [*"abcde"]) == [(5 + i, i) for i in range(5)]


def test_of_two_swapped_parts_the_longer_one_is_matched():
    words = HEADLINE + BODY
    assert pairs(words, BODY + HEADLINE) == [(len(HEADLINE) + i, i) for i in range(len(BODY))]


def test_more_distinct_words_than_one_unicode_plane_has_characters():
    many = [f"w{i}" for i in range(60_000)]
    match = align_words([*many, "p", "q", "r"], [*many, "p", "z", "r"])
    assert match.tolist() == [*range(60_000), 60_000, -1, 60_002]


# labels


def labelled(html: str, segments: list[tuple[str, str]], *, every_tag: bool = False) -> tuple[list[int], Agreement]:
    labels, agreement = label_blocks(segment(parse(html), every_tag=every_tag), segments)
    return labels.tolist(), agreement


THESIS = "<h1>An example</h1><p>See <a href=u>our website</a>\nfor more details.</p><div>Home | About</div>"
GOLD = [("header", "An example"), ("paragraph", "See our website for more details.")]


def test_the_example_of_the_thesis():
    labels, agreement = labelled(THESIS, GOLD, every_tag=True)  # section 2.3
    assert labels == [H, P, C, C, O]
    assert agreement == Agreement(gold_words=8, matched=8, mixed=0, words=WordBag(8, 8, 8))
    assert labelled(THESIS, GOLD)[0] == [H, P, O]


def test_a_segment_continues_after_an_unmatched_block():
    html = "<p>one two three</p><p>buy now</p><p>four five six</p><li>seven</li><li>eight</li>"
    gold = [("paragraph", "One, two, three, four, five, six."), ("list", "Seven"), ("list", "Eight")]
    assert labelled(html, gold)[0] == [P, O, C, L, L]


def test_a_block_of_two_segments_takes_the_label_of_the_larger():
    assert labelled(
        "<p>News. It rained on us all day</p>", [("header", "News"), ("paragraph", "It rained on us all day")]
    )[0] == [P]
    assert labelled("<p>a b</p>", [("list", "a"), ("header", "b")])[0] == [L]  # equal: the first


@pytest.mark.parametrize(("gold", "label"), [("a b", P), ("a", O), ("a b c", P), ("", O)])
def test_a_block_is_content_if_half_of_its_words_match(gold, label):
    assert labelled("<p>a b c d</p>", [("paragraph", gold)])[0] == [label]


def test_blocks_without_words_are_noise():
    assert labelled("<p>a</p><p>* * *</p><p>b</p>", [("paragraph", "a * * * b")])[0] == [P, O, C]


def test_case_and_punctuation_do_not_matter():
    assert labelled("<p>Hello, WORLD!</p>", [("header", "hello world")])[0] == [H]


def test_the_counts_of_the_agreement():
    html = "<p>a b c d</p><p>e f</p><p>g h i</p>"
    labels, agreement = labelled(html, [("paragraph", "a b c x"), ("paragraph", "e f"), ("list", "g y z")])
    assert labels == [P, P, O]
    assert (agreement.gold_words, agreement.matched) == (9, 6)  # a b c, e f, g
    assert agreement.mixed == 4 + 3  # words of the first block and of the last
    assert agreement.words == WordBag(tp=5, predicted=6, gold=9)  # kept: a b c d e f
    assert agreement.coverage == pytest.approx(6 / 9)
    assert (
        str(agreement) == "66.7% of 9 gold words on the page, 7 words in mixed blocks, F1 of the content blocks 0.667"
    )


def test_an_empty_gold_text_makes_every_block_noise():
    labels, agreement = labelled("<p>a</p><p>b</p>", [])
    assert labels == [O, O]
    assert (agreement.gold_words, agreement.matched, agreement.coverage) == (0, 0, 1.0)


def test_an_empty_page():
    labels, agreement = labelled("", GOLD)
    assert labels == []
    assert (agreement.gold_words, agreement.matched, agreement.coverage) == (8, 0, 0.0)


@given(st.lists(prose, max_size=6), st.lists(st.booleans(), min_size=6, max_size=6))
def test_a_gold_text_of_whole_blocks_labels_exactly_these_blocks(texts, picks):
    named = [" ".join(f"{word}{b}x{i}" for i, word in enumerate(text)) for b, text in enumerate(texts)]
    chosen = [("list", text) for text, pick in zip(named, picks, strict=False) if pick]
    labels, agreement = labelled("".join(f"<p>{text}</p>" for text in named), chosen)
    assert labels == [L if pick else O for text, pick in zip(named, picks, strict=False) if text]
    assert (agreement.coverage, agreement.mixed, agreement.words.f1) == (1, 0, 1)


def test_labels_by_markup():
    html = (
        "<h2>a <b>b</b></h2><ul><li>c<p>d</p></ul><dl><dt>e<dd>f</dl><div>g</div><li><h3>h</h3></li><h1>i</h1><p>j</p>"
    )
    blocks = segment(parse(html))
    content = np.array([True] * 7 + [False] * 2)
    assert blocks.texts == ["a b", *"cdefghij"]
    assert by_markup(blocks, content).tolist() == [H, L, L, L, L, P, H, O, O]
