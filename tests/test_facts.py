"""Facts: in sets, as places among the blocks of a page, and as a measure."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dehusk.base.errors import InputError
from dehusk.blocks import Blocks, segment
from dehusk.lab.gold.datasets import Sample, read_set
from dehusk.lab.gold.facts import find_facts, with_gold_lines_as_facts
from dehusk.measures.facts import FactCounts, WordIndex, fact_words, facts_kept
from dehusk.read import parse


def blocks_of(*texts: str) -> Blocks:
    return segment(parse("".join(f"<p>{text}</p>" for text in texts)))


def weights(facts: list[str], *texts: str) -> list[float]:
    return find_facts(blocks_of(*texts), facts).block_weights().tolist()


def one_page(path: Path, **row: object) -> Path:
    """Write a set of one page."""
    (path / "html").mkdir(parents=True)
    (path / "html" / "a.html").write_bytes(b"<p>x")
    (path / "pages.jsonl").write_text(json.dumps({"id": "a", **row}))
    return path


# in sets


def test_a_set_states_facts_attributes_and_language(tmp_path):
    url = "http://shop.example/1"
    attributes = {"brand": ["Ab", "Cd"], "maker": ["Ab"], "price": "9.50", "url": url}
    path = one_page(tmp_path / "s", url=url, facts=["2 eggs", "2 eggs"], attributes=attributes, language="en-US")
    (sample,) = read_set(path)
    assert sample.facts == ("2 eggs", "2 eggs", "Ab", "Cd", "9.50")
    assert (sample.language, sample.gold) == ("en-US", None)


def test_a_set_without_facts_and_language(tmp_path):
    (sample,) = read_set(one_page(tmp_path / "s", facts=None))
    assert (sample.facts, sample.language) == ((), None)


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"facts": "2 eggs"}, "page a: facts must be a list of texts"),
        ({"facts": ["2 eggs", 3]}, "page a: facts must be a list of texts"),
        ({"attributes": ["x"]}, "page a: attributes must be an object of names and values"),
        ({"attributes": {"price": 9}}, "page a: attribute 'price' must be a text or a list of texts"),
        ({"attributes": {"price": [9]}}, "page a: attribute 'price' must be a text or a list of texts"),
    ],
)
def test_malformed_facts_are_an_error(tmp_path, row, problem):
    path = one_page(tmp_path / "s", **row)
    with pytest.raises(InputError) as error:
        list(read_set(path))
    assert str(error.value) == f"set {path} is malformed: {problem}"


def test_lines_of_a_gold_text_become_facts():
    sample = Sample("s", "a", b"", None, None, None, "Tea &amp; Cake\n\n &nbsp;Ann Other\n", facts=("x",))
    changed = with_gold_lines_as_facts(sample)
    assert (changed.gold, changed.facts) == (None, ("x", "Tea & Cake", "Ann Other"))


# words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Preheat, the OVEN!", ["preheat", "the", "oven"]),
        ("\u7389\u306d\u304e1\u500b", ["\u7389", "\u306d", "\u304e", "1", "\u500b"]),
        ("½ cup — 190°C", ["½", "cup", "190", "c"]),
        ("$ …", []),
    ],
)
def test_words_of_facts(text, words):
    assert fact_words(text) == words


@pytest.mark.parametrize(
    ("fact", "found"),
    [
        ("a b c", [0]),
        ("b c", [1, 5]),
        ("c", [2, 6]),
        ("b c a 1", [1]),  # the last word is the start of "1z"
        ("c d", []),
        ("", []),
        ("z b c", [4]),  # the first word is the end of "1z"
        ("a 1z b c", [3]),
        ("c a b 1z", []),
        ("b c a", [1]),
        ("1z b c d", []),  # beyond the end
    ],
)
def test_places_of_a_run_of_words(fact, found):
    assert WordIndex(["a", "b", "c", "a", "1z", "b", "c"]).find(fact.split()) == found


letters = st.lists(st.sampled_from("ab"), max_size=12)


@given(words=letters, fact=letters)
def test_the_index_finds_what_a_search_at_every_position_finds(words, fact):
    everywhere = [at for at in range(len(words)) if fact and words[at : at + len(fact)] == fact]
    assert WordIndex(words).find(fact) == everywhere


# places


def test_blocks_of_facts_get_a_share_of_each_place():
    title, steps = "Lemon cake with sugar", ["Mix flour and sugar.", "Bake for an hour."]
    page = (title, "Home", *steps, "More recipes", title)
    assert weights([title, *steps], *page) == [0.5, 0, 1, 1, 0, 0.5]


def test_a_fact_that_is_stated_twice_weighs_twice():
    page = ("1 cup of sugar", "cake", "1 cup of sugar", "icing", "1 cup of sugar")
    assert weights(["1 cup of sugar"], *page) == [1 / 3, 0, 1 / 3, 0, 1 / 3]
    assert weights(["1 cup of sugar"] * 2, *page) == [2 / 3, 0, 2 / 3, 0, 2 / 3]
    assert weights(["1 cup of sugar"] * 4, *page) == [1, 0, 1, 0, 1]


def test_a_fact_can_span_blocks_and_start_in_a_longer_word():
    assert weights(["United States v. Ann Other"], "UNITED STATES", "—", "v. Ann", "Otherwise", "x") == [1, 1, 1, 1, 0]
    assert weights(["Preheat the oven"], "1Preheat the oven to 190", "oven") == [1, 0]


def test_a_short_fact_counts_only_as_a_whole_block_or_once():
    assert weights(["2 eggs"], "Beat all 2 eggs", "2 eggs", "with 2 eggs in it") == [0, 1, 0]
    assert weights(["2 eggs"], "Beat all 2 eggs", "eggs") == [1, 0]
    assert weights(["2 eggs"], "Beat the 2 eggs", "mix in 2 eggs") == [0, 0]
    assert weights(["9.50"], "9", "50 EUR", "only 9,50 today", "from 9.50 on") == [1, 1, 0, 0]
    assert weights(["978316148410"], "ISBN: 978316148410", "a book 978316148410 x") == [1, 0]


def test_places_are_columns_by_fact():
    places = find_facts(
        blocks_of("one two three", "x", "one two three", "four five six"),
        ["four five six", "?", "one two three", "not on it"],
    )
    assert places.fact.tolist() == [0, 2, 2]
    assert places.first.tolist() == places.last.tolist() == [3, 0, 2]
    assert places.weight.tolist() == [1, 0.5, 0.5]
    assert places.b == 4


def test_pages_without_blocks_or_facts():
    assert weights(["a fact"]) == []
    assert weights([], "text") == [0]
    assert weights(["", "…"], "text", "…") == [0, 0]


def test_many_equal_items_take_linear_time():
    items = [f"item {n} of the list" for n in range(20_000)]
    assert find_facts(blocks_of(*items), items).block_weights().min() == 1


# measure


def test_facts_kept_by_hand():
    facts = ["Lemon Cake", "2 eggs", "Mix it, then bake it.", "..."]
    assert facts_kept("LEMON CAKE\n2 eggs\n1. Mix it then\nbake it", facts) == FactCounts(3, 3, 1, 1, 10)
    assert facts_kept("lemon cake 12 eggs", facts) == FactCounts(1, 3, 0, 1, 4)
    assert facts_kept("", facts) == FactCounts(0, 3, 0, 1, 0)
    assert facts_kept("text", []) == facts_kept("text", ["..."]) == FactCounts()


def test_counts_of_facts_add_up():
    both = facts_kept("lemon cake", ["lemon cake"]) + facts_kept("a b c d", ["a b", "b d", "x"])
    assert both == FactCounts(2, 4, 1, 2, 6)
    assert (both.recall, both.whole_share, both.words_per_page) == (0.5, 0.5, 3)
    assert (FactCounts().recall, FactCounts().whole_share, FactCounts().words_per_page) == (1, 1, 0)
