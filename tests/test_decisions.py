"""From log-odds to what is kept: units as a whole, fields that agree, titles, `favour`."""

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dehusk
from dehusk.blocks import Blocks
from dehusk.blocks.units import decision_groups, is_bound
from dehusk.compiled.decide import decide
from dehusk.label.keep import expected_f1
from dehusk.label.united.decisions import TITLE, Evidence
from nets import random_html
from oracle.decisions import is_repeated_link

BETAS = tuple(4 ** (2 * favour - 1) for favour in (0, 0.25, 0.5, 0.75, 1))


def cut(html: str) -> Blocks:
    return dehusk.segment(dehusk.parse(html))


def none(blocks: Blocks) -> np.ndarray:
    return np.zeros(len(blocks), dtype=np.bool_)


def odds(*chances: float) -> np.ndarray:
    chance = np.array(chances)
    return np.log(chance / (1 - chance))


def chances(*scores: float) -> np.ndarray:
    return 1 / (1 + np.exp(-np.array(scores)))


TABLE = "<table><tr><th>Tea<th>Price<tr><td>Assam<td>12<tr><td>Sencha<td>19<tr><td>Oolong<td>21</table>"
LISTING = "<pre>x = 1\n\nprint(x)\n\ny = the_cat_sees + the_dog</pre>"
LIST = "<ul><li>Milk<li>Sugar, of which half is for the cake<li>Tea<li>Two spoons of good honey</ul>"
DEFINITIONS = "<dl><dt>Origin<dd>Assam in India<dt>Weight<dd>100 g</dl>"


@pytest.mark.parametrize("unit", [TABLE, LISTING, LIST])
@pytest.mark.parametrize("seed", range(6))
def test_tables_listings_and_lists_are_whole(unit: str, seed: int) -> None:
    blocks = cut(f"<p>Some text before the unit that says something.</p>{unit}<p>Some text after it.</p>")
    inside = np.arange(1, len(blocks) - 1)
    assert len(inside) > 2
    scores = np.random.default_rng(seed).normal(0, 6, len(blocks))
    for beta in BETAS:
        decision = decide(blocks, scores, excluded=none(blocks), beta=beta)
        assert len(set(decision.probability[inside].tolist())) == 1
        assert len(set(decision.kept[inside].tolist())) == 1


def test_terms_are_decided_as_one_and_definitions_as_one() -> None:
    blocks = cut(DEFINITIONS)
    decision = decide(blocks, odds(0.9, 0.8, 0.7, 0.1), excluded=none(blocks))
    term, definition = (decision.probability[start::2].tolist() for start in (0, 1))
    assert len(set(term)) == len(set(definition)) == 1
    assert term[0] > definition[0]


def without_company(html: str) -> str:
    """Return a page without elements that are kept with other text (test_completion.py)."""
    return re.sub(r"(</?)(h[1-6]|p|blockquote|figcaption|caption|pre|code|samp)(?=[ >])", r"\1section", html)


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_laws_of_decisions(page: int, seed: int) -> None:
    blocks, random = cut(without_company(random_html(page, 40))), np.random.default_rng(seed)
    scores, excluded = random.normal(0, 4, len(blocks)), random.random(len(blocks)) < 0.2
    found = [decide(blocks, scores, excluded=excluded, beta=beta) for beta in BETAS]
    group, bound, probability = decision_groups(blocks), is_bound(blocks), found[0].probability
    for decision in found:
        assert not decision.kept[excluded].any()
        assert not decision.probability[excluded].any()
        np.testing.assert_array_equal(decision.probability, probability)
        for number in set(group[~excluded & bound].tolist()):
            assert len(set(decision.kept[(group == number) & ~excluded].tolist())) == 1
        order = np.where(excluded, -1, probability)
        assert order[decision.kept].min(initial=2) >= order[~decision.kept].max(initial=-1)
    for less, more in pairwise(found):
        assert (less.kept <= more.kept).all()
        assert blocks.words[less.kept].sum() <= blocks.words[more.kept].sum()


def test_excluded_blocks_are_not_counted_in_the_probability_of_their_group() -> None:
    blocks = cut(LIST)
    scores, excluded = odds(0.9, 0.01, 0.7, 0.8), np.array([False, True, False, False])
    decision = decide(blocks, scores, excluded=excluded)
    words = blocks.words + 1.0
    mean = (words[[0, 2, 3]] @ [0.9, 0.7, 0.8]) / words[[0, 2, 3]].sum()
    np.testing.assert_allclose(decision.probability, [mean, 0, mean, mean])
    assert decision.kept.tolist() == [True, False, True, True]
    other = decide(blocks, np.where(excluded, 99.0, scores), excluded=excluded)
    np.testing.assert_array_equal(decision.probability, other.probability)
    np.testing.assert_array_equal(decision.kept, other.kept)


def test_excluded_words_do_not_change_what_else_is_kept() -> None:
    short, long = (cut(f"<p>Tea is a drink.<p>Tea is hot.<p>{'word ' * count}") for count in (1, 900))
    excluded, scores = np.array([False, False, True]), odds(0.8, 0.3, 0.99)
    assert (
        decide(short, scores, excluded=excluded).kept.tolist() == decide(long, scores, excluded=excluded).kept.tolist()
    )


def test_nothing_is_kept_of_pages_without_blocks_or_open_blocks() -> None:
    empty = cut("")
    assert len(empty) == 0
    decision = decide(empty, np.zeros(0), excluded=none(empty))
    assert decision.probability.shape == decision.kept.shape == (0,)
    blocks = cut("<p>one<p>two")
    closed = decide(blocks, np.full(2, 9.0), excluded=np.ones(2, np.bool_))
    assert not closed.kept.any()
    assert not closed.probability.any()


def test_huge_log_odds_are_certain_and_finite() -> None:
    blocks = cut("<p>one two three<p>four five six")
    decision = decide(blocks, np.array([1e30, -1e30]), excluded=none(blocks))
    assert decision.kept.tolist() == [True, False]
    assert ((decision.probability > 0) & (decision.probability <= 1)).all()


def test_the_cut_is_that_of_the_expected_f() -> None:
    blocks = cut("<p>one two three four<p>five six<p>seven<h2>eight nine ten eleven twelve</h2>")
    scores = odds(0.9, 0.6, 0.4, 0.3)
    for beta in BETAS:
        decision = decide(blocks, scores, excluded=none(blocks), beta=beta)
        expected = expected_f1(chances(*scores), blocks.words, beta=beta)
        assert decision.kept.tolist() == expected.tolist()


# titles

TEXT = "<p>Tea is a drink that many people like, in the morning and at night.</p>"


def kept_of(html: str, *of_blocks: float) -> list[bool]:
    blocks = cut(html)
    return decide(blocks, odds(*of_blocks), excluded=none(blocks)).kept.tolist()


@pytest.mark.parametrize(("chance", "kept"), [(TITLE + 0.001, True), (TITLE - 0.001, False)])
def test_a_title_is_kept_with_what_it_heads(chance: float, kept: bool) -> None:
    assert kept_of(f"<h1>Tea</h1>{TEXT}", chance, 0.95) == [kept, True]
    assert kept_of(f"<div><h1><b>Tea</b></h1></div>{TEXT}", chance, 0.95) == [kept, True]
    assert kept_of(f"<h2>Tea</h2>{TEXT}", chance, 0.95) == [False, True]


def test_a_title_alone_is_no_content() -> None:
    assert kept_of(f"<h1>Tea</h1>{TEXT}", 0.15, 0.1) == [False, False]


def test_a_title_after_the_middle_heads_nothing() -> None:
    assert kept_of(f"{TEXT}{TEXT}<h1>Tea</h1>", 0.95, 0.95, 0.1) == [True, True, False]
    assert kept_of(f"<p>By me.</p><h1>Tea</h1>{TEXT}{TEXT}", 0.9, 0.1, 0.95, 0.95) == [True, True, True, True]


def test_the_likeliest_title_is_kept_and_only_if_none_is() -> None:
    html = f"<div><h1>The tea house</h1></div><section><h1>Tea</h1></section>{TEXT}"
    assert kept_of(html, 0.1, 0.2, 0.95) == [False, True, True]
    assert kept_of(html, 0.2, 0.09, 0.95) == [True, False, True]
    assert kept_of(html, 0.1, 0.9, 0.95) == [False, True, True]


def test_an_excluded_title_is_not_kept() -> None:
    blocks = cut(f"<h1>Tea</h1>{TEXT}")
    decision = decide(blocks, odds(0.9, 0.95), excluded=np.array([True, False]))
    assert decision.kept.tolist() == [False, True]


def test_the_title_keeps_its_own_probability() -> None:
    blocks = cut(f"<h1>Tea</h1>{TEXT}")
    decision = decide(blocks, odds(0.1, 0.95), excluded=none(blocks))
    np.testing.assert_allclose(decision.probability, [0.1, 0.95])


# the evidence of a site


def with_site(html: str, page: np.ndarray, template: list[bool], shift: float) -> list[bool]:
    blocks = cut(html)
    marked = np.array(template)
    evidence = Evidence(page + shift * marked, marked)
    return decide(blocks, page, excluded=none(blocks), evidence=evidence).kept.tolist()


PARAGRAPHS = "<p>one two three four</p><p>five six seven eight</p><p>nine ten eleven twelve</p>"


def test_template_is_dropped_from_what_the_page_keeps() -> None:
    assert with_site(PARAGRAPHS, odds(0.9, 0.8, 0.7), [False, True, False], -6.0) == [True, False, True]


def test_dropped_template_does_not_move_the_cut() -> None:
    """By its probabilities alone, the last block falls below the cut once the template above it is gone."""
    assert with_site(PARAGRAPHS, odds(0.95, 0.9, 0.45), [False, True, False], -6.0) == [True, False, True]


def test_what_is_all_but_certain_stays_although_the_site_repeats_it() -> None:
    assert with_site(PARAGRAPHS, np.array([8.0, 2.0, 2.0]), [True, False, False], -6.0) == [True, True, True]


def test_a_list_is_template_as_a_whole_or_not_at_all() -> None:
    items = "<ul><li>one two<li>three four<li>five six</ul>"
    page = odds(0.9, 0.9, 0.9)
    assert with_site(items, page, [True, False, False], -6.0) == [True, True, True]
    assert with_site(items, page, [True, True, False], -6.0) == [False, False, False]


# links that only act


def repeated_links(blocks: Blocks) -> list[bool]:
    return [is_repeated_link(blocks, block) for block in range(len(blocks))]


def test_a_link_in_all_records_is_dropped_and_a_value_is_not() -> None:
    record = "<div class=post><p>Post {0} says something of its own.</p><i>in stock</i><a href=/{0}>Reply</a></div>"
    blocks = cut("".join(record.format(number) for number in range(4)))
    dropped = {text for text, act in zip(blocks.texts, repeated_links(blocks), strict=True) if act}
    assert dropped <= {"Reply"}
    kept = decide(blocks, np.full(len(blocks), 3.0), excluded=none(blocks)).kept
    assert {text for text, keep in zip(blocks.texts, kept.tolist(), strict=True) if not keep} == dropped


def test_links_that_differ_and_links_of_lists_stay() -> None:
    cards = "".join(f"<div class=card><h3><a href=/{n}>Card {n}</a></h3><p>About card {n}.</p></div>" for n in range(6))
    menu = "<ul>" + "<li><a href=/x>same</a>" * 6 + "</ul>"
    assert not any(repeated_links(cut(cards)))
    assert not any(repeated_links(cut(menu)))
