"""The elements of a site's template: pages of one design decide alike, and a page's own evidence is not lost."""

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dehusk
import made_sites
from dehusk import ModelError, Site
from dehusk.compiled.decide import heading_levels
from dehusk.counts.slots import block_slots
from dehusk.label.united.declaration import ShippedOdds
from dehusk.label.united.elements import CERTAIN, ElementOdds, Pooled
from dehusk.label.united.rubric import HEADING_TAGS
from oracle.elements import headings_over_text, pooled

PLACES = ("p", "li", "h2", "td")
PAGES = st.lists(st.lists(st.tuples(st.sampled_from(PLACES), st.floats(-9, 9)), max_size=6), min_size=1, max_size=6)
SIZES = ("pages", "totals", "squares")


def page_of(places: list[str]) -> dehusk.Blocks:
    wrap = {"li": "<ul><li>{}</li></ul>", "td": "<table><tr><td>{}</td></tr></table>"}
    body = "".join(wrap.get(place, f"<{place}>{{}}</{place}>").format(f"text {n}") for n, place in enumerate(places))
    return dehusk.segment(dehusk.parse(f"<html><body>{body}</body></html>"))


def odds_of(page: list[tuple[str, float]]) -> ElementOdds:
    blocks = page_of([place for place, _ in page])
    return ElementOdds.of_scores(block_slots(blocks), np.array([score for _, score in page]))


@given(PAGES)
def test_elements_are_pooled_as_defined(pages: list[list[tuple[str, float]]]) -> None:
    blocks = page_of(list(PLACES))
    found = ElementOdds.total([odds_of(page) for page in pages]).pooled(blocks)
    slots = dict(zip(PLACES, block_slots(blocks).tolist(), strict=True))
    by_slot = [[(slots[place], score) for place, score in page] for page in pages]
    for block, place in enumerate(PLACES):
        n, mean, weight = pooled(by_slot, slots[place])
        assert found.pages[block] == n
        assert found.mean[block] == pytest.approx(mean, abs=1e-9)
        assert found.weight[block] == pytest.approx(weight, abs=1e-9)


@given(PAGES, st.randoms())
def test_any_order_and_any_split_give_the_same_bytes(
    pages: list[list[tuple[str, float]]], chance: random.Random
) -> None:
    each = [odds_of(page) for page in pages]
    whole = ElementOdds.total(each)
    chance.shuffle(each)
    cut = chance.randint(0, len(each))
    parts = [ElementOdds.total(part) for part in (each[:cut], each[cut:]) if part]
    again = ElementOdds.total(parts)
    for name in ("keys", *SIZES):
        assert getattr(whole, name).tobytes() == getattr(again, name).tobytes()
    stored = ElementOdds.from_arrays(whole.arrays())
    assert {name: array.tobytes() for name, array in stored.arrays().items()} == {
        name: array.tobytes() for name, array in whole.arrays().items()
    }


@given(PAGES, st.lists(st.floats(-9, 9), min_size=4, max_size=4))
def test_log_odds_move_towards_those_of_the_element_and_not_beyond(
    pages: list[list[tuple[str, float]]], scores: list[float]
) -> None:
    found = ElementOdds.total([odds_of(page) for page in pages]).pooled(page_of(list(PLACES)))
    own = np.clip(np.array(scores), -CERTAIN, CERTAIN)
    moved = own + found.shift(np.array(scores))
    assert (np.abs(moved - found.mean) <= np.abs(own - found.mean) + 1e-9).all()
    assert not found.shift(np.array(scores))[found.pages < 2].any()


def test_a_field_that_one_page_is_unsure_of_is_kept_as_on_the_others() -> None:
    pages = [[("p", 3.0), ("td", 2.5)] for _ in range(9)] + [[("p", 3.0), ("td", -0.5)]]
    found = ElementOdds.total([odds_of(page) for page in pages]).pooled(page_of(["p", "td"]))
    scores = np.array([3.0, -0.5])
    assert (scores + found.shift(scores) > 0).all()


def test_an_element_that_differs_from_page_to_page_is_left_to_the_page() -> None:
    alike = [[("p", 2.0)] for _ in range(8)]
    unlike = [[("p", 6.0 if n % 2 else -2.0)] for n in range(8)]
    weights = [
        ElementOdds.total([odds_of(page) for page in pages]).pooled(page_of(["p"])).weight[0]
        for pages in (alike, unlike)
    ]
    assert weights[1] < weights[0] / 3


LEVELS = st.lists(st.tuples(st.integers(0, 3), st.booleans(), st.booleans()), min_size=1, max_size=12)


@given(LEVELS)
def test_headings_over_kept_text_are_found_as_defined(rows: list[tuple[int, bool, bool]]) -> None:
    tags = [f"h{level}" if level else "p" for level, _, _ in rows]
    blocks = page_of(tags)
    assert heading_levels(blocks, HEADING_TAGS).tolist() == [level for level, _, _ in rows]
    kept, template = (np.array([row[place] for row in rows]) for place in (1, 2))
    certain = Pooled(*(np.full(len(rows), value) for value in (9, 1.0, 0.5)))
    expected = headings_over_text([row[0] for row in rows], kept.tolist(), template.tolist())
    assert certain.headings_over_text(blocks, kept, template) == expected
    doubtful = Pooled(*(np.full(len(rows), value) for value in (9, -1.0, 0.5)))
    assert doubtful.headings_over_text(blocks, kept, template) == []


def test_labels_and_values_are_content_although_they_repeat() -> None:
    texts = [
        "In stock",
        "Availability: In stock",
        "Share this",
        "A long sentence that all pages have in this very place",
    ]
    blocks = dehusk.segment(dehusk.parse("".join(f"<p>{text}</p>" for text in texts)))

    def sure(mean: float, pages: int = 9) -> list[bool]:
        return Pooled(np.full(4, pages), np.full(4, mean), np.zeros(4)).is_sure(blocks).tolist()

    assert sure(2.5) == [True, True, True, False]
    assert sure(1.0) == [False, True, False, False]
    assert sure(-1.0) == [False] * 4
    assert sure(2.5, pages=2) == [False] * 4


def shop_page(number: int, *, price: str) -> str:
    name, about = made_sites.words(number, 3).title(), made_sites.words(100 + number, 40)
    return (
        f"<html><head><title>{name}</title></head><body><ul class=menu><li><a href=/>Home</a></li></ul>"
        f"<div class=product><h1>{name}</h1><p class=price>{price}</p><h2>Description</h2><p>{about}.</p></div>"
        "<div class=foot><p>All rights reserved by the tea shop since it was opened long ago.</p></div></body></html>"
    )


SHOP = [shop_page(number, price=f"{number + 3}.50 EUR") for number in range(12)]


def test_headings_that_all_pages_have_stay_over_their_text() -> None:
    with_site = [dehusk.clean(page, site=Site().fit(SHOP)).text for page in SHOP[:3]]
    assert all("Description" in text and "Home" not in text for text in with_site)
    assert not any("All rights reserved" in text for text in with_site)


def test_a_site_counts_elements_unless_told_not_to(tmp_path: Path) -> None:
    site = Site().fit(SHOP)
    odds = site.find_counts(ShippedOdds)
    assert odds is not None
    assert odds.pages.max() == len(SHOP)
    assert Site(counts=()).fit(SHOP).find_counts(ShippedOdds) is None
    site.save(tmp_path / "shop", complete=True)
    loaded = Site.load(tmp_path / "shop")
    stored = loaded.find_counts(ShippedOdds)
    assert stored is not None
    assert stored.arrays().keys() == odds.arrays().keys()
    assert all((stored.arrays()[name] == array).all() for name, array in odds.arrays().items())
    more = loaded.add(shop_page(50, price="1 EUR")).find_counts(ShippedOdds)
    assert more is not None
    assert more.pages.max() == len(SHOP) + 1


def test_a_site_learned_without_elements_does_not_count_those_of_new_pages(tmp_path: Path) -> None:
    Site(counts=()).fit(SHOP).save(tmp_path / "shop", complete=True)
    loaded = Site.load(tmp_path / "shop").add(shop_page(50, price="1 EUR"))
    assert loaded.find_counts(ShippedOdds) is None


def test_reasons_name_the_element() -> None:
    site = Site().fit(SHOP)
    document = dehusk.clean(SHOP[0], site=site, explain=True)
    price = next(block for block in document.blocks if block.text == "3.50 EUR")
    assert f"on {len(SHOP)} pages)" in price.reason.split("element ")[1]
    element = price.evidence["element"]
    assert element["pages"] == len(SHOP)
    assert -CERTAIN <= element["log-odds"] <= CERTAIN
    without = dehusk.clean(SHOP[0], site=Site(counts=()).fit(SHOP), explain=True)
    assert not any("element " in block.reason or "element" in block.evidence for block in without.blocks)


@pytest.mark.parametrize("style", ["auto", "article", "whole"])
def test_what_moves_the_log_odds_of_auto_moves_those_of_all_styles(style: str) -> None:
    site = Site().fit(SHOP)
    plain = dehusk.clean(SHOP[0], style=style, explain=True)
    moved = dehusk.clean(SHOP[0], style=style, site=site, explain=True)
    adds = [block.evidence["element"]["adds"] for block in moved.blocks]
    auto = dehusk.clean(SHOP[0], site=site, explain=True)
    assert adds == [block.evidence["element"]["adds"] for block in auto.blocks]
    assert any(adds)
    assert len(plain.blocks) == len(moved.blocks)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("keys", lambda keys: keys[::-1]),
        ("keys", lambda keys: keys.astype(np.int64)),
        ("pages", lambda pages: pages * 0),
        ("pages", lambda pages: pages[:-1]),
        ("totals", lambda totals: totals + 10**6),
        ("squares", lambda squares: squares - 10**9),
        ("squares", lambda squares: squares.astype(np.float64)),
        ("totals", None),
    ],
)
def test_damaged_elements_are_one_error(tmp_path: Path, name: str, change: object) -> None:
    site = Site().fit(SHOP)
    site.cut = 4, 2  # `change_card` drops values that are None
    site.save(tmp_path / "shop")
    made_sites.change_arrays(tmp_path / "shop", **{f"own_elements_{name}": change})  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="damaged counts 'elements'"):
        dehusk.clean(SHOP[0], site=tmp_path / "shop")


def test_one_page_says_nothing_of_a_template() -> None:
    alone = dehusk.clean(SHOP[0])
    assert dehusk.clean(SHOP[0], site=Site().fit(SHOP[:1])).text == alone.text
