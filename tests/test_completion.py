"""What goes with kept text: listings, captions, headings above it, what stands inside of it."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dehusk
from cpu_time import assert_quick
from dehusk.blocks import Blocks
from dehusk.compiled.decide import decide
from dehusk.label.united.completion import ABOVE, BETWEEN, CAPTION, INSIDE, LISTING, OF_IMAGE
from nets import random_html
from oracle.decisions import Case
from oracle.decisions import completed as oracle


def completed(blocks: Blocks, kept: np.ndarray, probability: np.ndarray, excluded: np.ndarray) -> np.ndarray:
    """What the oracle says, which `test_oracle_units.py` compares with the compiled core."""
    if not kept.any():
        return kept
    case = Case(blocks, excluded.tolist())
    return np.array(oracle(case, kept.tolist(), probability.tolist(), excluded.tolist()), dtype=np.bool_)


TEXT = "<p>Tea is a drink that many people like.</p>"


def kept_of(html: str, **chances: float) -> list[str]:
    """Return the kept texts of which the given ones, by first word, have these chances; all others are kept before."""
    blocks = dehusk.segment(dehusk.parse(html))
    chance = np.array([chances.get(text.split()[0], 0.9) for text in blocks.texts])
    kept = completed(blocks, chance > 0.5, chance, np.zeros(len(blocks), np.bool_))
    return [text.split()[0] for text, keep in zip(blocks.texts, kept.tolist(), strict=True) if keep]


@pytest.mark.parametrize(("chance", "kept"), [(LISTING + 0.001, True), (LISTING - 0.001, False)])
def test_a_listing_is_kept_wherever_it_stands(chance: float, kept: bool) -> None:
    for html in (f"{TEXT}<pre>brew()</pre>{TEXT}", f"{TEXT}<div><div><pre>brew()</pre></div><a>copy</a></div>"):
        assert ("brew()" in kept_of(html, **{"brew()": chance, "copy": 0.01})) == kept


def test_nothing_goes_with_nothing() -> None:
    assert kept_of("<h2>Tea</h2><pre>brew()</pre>", Tea=0.4, **{"brew()": 0.4}) == []


def test_excluded_listings_stay_dropped() -> None:
    blocks = dehusk.segment(dehusk.parse(f"{TEXT}<pre>brew()</pre>"))
    kept = completed(blocks, np.array([True, False]), np.array([0.9, 0.4]), np.array([False, True]))
    assert kept.tolist() == [True, False]


@pytest.mark.parametrize(("chance", "kept"), [(CAPTION + 0.001, True), (CAPTION - 0.001, False)])
def test_a_caption_follows_its_listing(chance: float, kept: bool) -> None:
    html = f"{TEXT}<figure><pre>brew()</pre><figcaption>Listing 1</figcaption></figure><p>next</p>"
    assert ("Listing" in kept_of(html, Listing=chance, next=0.01)) == kept


@pytest.mark.parametrize(("chance", "kept"), [(OF_IMAGE + 0.001, True), (OF_IMAGE - 0.001, False)])
def test_the_caption_of_an_image_is_kept_between_kept_text(chance: float, kept: bool) -> None:
    figure = "<figure><img src=tea.png><figcaption>Tea</figcaption></figure>"
    assert ("Tea" in kept_of(f"<p>before</p>{figure}<p>after</p>", Tea=chance)) == kept
    assert "Tea" not in kept_of(f"<p>before</p>{figure}<p>after</p>", Tea=chance, after=0.01)
    assert "Tea" not in kept_of(f"<p>before</p><div>{figure}</div>", Tea=chance)


@pytest.mark.parametrize(("chance", "kept"), [(BETWEEN + 0.001, True), (BETWEEN - 0.001, False)])
def test_a_heading_between_kept_text_is_kept(chance: float, kept: bool) -> None:
    assert ("Leaves" in kept_of("<p>before</p><h2>Leaves</h2><p>after</p>", Leaves=chance)) == kept
    assert (
        "Leaves" in kept_of("<p>before</p><div><div><h2>Leaves</h2></div></div><p>after</p>", Leaves=chance)
    ) == kept


@pytest.mark.parametrize(("chance", "kept"), [(ABOVE + 0.001, True), (ABOVE - 0.001, False)])
def test_a_heading_above_kept_text_is_kept_although_nothing_before_it_is(chance: float, kept: bool) -> None:
    assert ("Leaves" in kept_of("<p>menu</p><h2>Leaves</h2><p>after</p>", Leaves=chance, menu=0.01)) == kept
    assert ("Leaves" in kept_of("<section><h2>Leaves</h2><p>after</p></section>", Leaves=chance)) == kept


def test_a_heading_above_dropped_text_is_dropped() -> None:
    assert "Related" not in kept_of("<p>before</p><h2>Related</h2><p>menu</p>", Related=0.45, menu=0.01)
    html = f"<section>{TEXT}<h2>Related</h2></section><p>after</p>"
    assert "Related" not in kept_of(html, Related=0.45)


def test_headings_are_kept_down_to_the_text() -> None:
    """Two headings in a row head the same text, whatever their levels."""
    html = "<p>before</p><h2>Leaves</h2><h3>Green</h3><p>after</p>"
    assert kept_of(html, Leaves=0.3, Green=0.3) == ["before", "Leaves", "Green", "after"]
    assert kept_of(html, Leaves=0.3, Green=0.3, after=0.01) == ["before"]
    assert kept_of(html, Leaves=0.01, Green=0.3) == ["before", "Green", "after"]


@pytest.mark.parametrize(("chance", "kept"), [(INSIDE + 0.001, True), (INSIDE - 0.001, False)])
def test_paragraphs_inside_of_kept_text_are_kept(chance: float, kept: bool) -> None:
    for part in ("<p>Leaves</p><p>Leaves</p>", "<blockquote><p>Leaves</p></blockquote>"):
        assert ("Leaves" in kept_of(f"<p>before</p>{part}<p>after</p>", Leaves=chance)) == kept
        assert "Leaves" not in kept_of(f"<p>before</p>{part}<p>after</p>", Leaves=chance, after=0.01)
        assert "Leaves" not in kept_of(f"<p>before</p>{part}<p>after</p>", Leaves=chance, before=0.01)


def test_paragraphs_of_lists_and_tables_are_decided_with_them() -> None:
    for part in ("<ul><li><p>Leaves</p></ul>", "<table><tr><td><p>Leaves</p><td>1<tr><td>Stalks<td>2</table>"):
        assert "Leaves" not in kept_of(f"<p>before</p>{part}<p>after</p>", Leaves=0.48)


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_laws_of_completion(page: int, seed: int) -> None:
    blocks, random = dehusk.segment(dehusk.parse(random_html(page, 40))), np.random.default_rng(seed)
    chance, excluded = random.random(len(blocks)), random.random(len(blocks)) < 0.2
    some, more = ((chance > cut) & ~excluded for cut in (0.8, 0.6))
    found, wider = (completed(blocks, kept, chance, excluded) for kept in (some, more))
    assert (found >= some).all()
    assert not found[excluded].any()
    assert (found <= wider).all() or not some.any()
    assert (chance[found & ~some] >= min(LISTING, CAPTION, BETWEEN)).all()
    assert all(can_go_with_others(blocks, block) for block in np.flatnonzero(found & ~some).tolist())


def can_go_with_others(blocks: Blocks, block: int) -> bool:
    tags, node = set(), int(blocks.node[block])
    while node >= 0:
        tags.add(blocks.page.tag_name(node))
        node = int(blocks.page.parent[node])
    listings = {"pre", "listing", "xmp", "plaintext", "code", "samp"}
    return bool(tags & (listings | {"p", "blockquote", "caption", "figcaption"})) or any(
        re.fullmatch("h[1-6]", tag) for tag in tags
    )


def test_many_headings_in_a_row_take_no_more_than_linear_time() -> None:
    text = "<p>Words of a paragraph that is kept before and after.</p>"
    blocks = dehusk.segment(dehusk.parse(f"{text}{'<h2>Tea</h2>' * 50_000}{text}"))
    scores = np.full(len(blocks), -1.7)  # a chance of .15
    scores[[0, -1]] = 9.0
    assert_quick(lambda: decide(blocks, scores, excluded=np.zeros(len(blocks), np.bool_)), 0.5)


def test_a_page_of_one_heading_has_no_neighbours() -> None:
    assert kept_of("<h2>Tea<br>leaves</h2>", Tea=0.9, leaves=0.4) == ["Tea"]
