"""The elements of a site's template: pages of one design decide alike, and a page's own evidence is not lost."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dehusk
import made_sites
from dehusk import ConfigError, GoldError, InputError, ModelError, Site
from dehusk.blocks.annotation import Annotation
from dehusk.blocks.headlines import HEADING_TAGS
from dehusk.blocks.labels import HEADER, OTHER, PARAGRAPH
from dehusk.compiled.decide import heading_levels
from dehusk.counts.slots import block_slots
from dehusk.lab.gold.datasets import Sample
from dehusk.lab.train.labelled_pages import LabelledPage
from dehusk.lab.train.teaching import teach
from dehusk.label.united.declaration import ShippedOdds
from dehusk.label.united.elements import CERTAIN, LABEL, ElementOdds, Pooled
from dehusk.sites.report import site_json, site_text
from oracle.elements import headings_over_text, pooled

PLACES = ("p", "li", "h2", "td")
PAGES = st.lists(st.lists(st.tuples(st.sampled_from(PLACES), st.floats(-9, 9)), max_size=6), min_size=1, max_size=6)


def page_of(places: list[str]) -> dehusk.Blocks:
    wrap = {"li": "<ul><li>{}</li></ul>", "td": "<table><tr><td>{}</td></tr></table>"}
    body = "".join(wrap.get(place, f"<{place}>{{}}</{place}>").format(f"text {n}") for n, place in enumerate(places))
    return dehusk.segment(dehusk.parse(f"<html><body>{body}</body></html>"))


def by_net(pages: list[list[tuple[str, float]]], blocks: dehusk.Blocks) -> Pooled:
    odds = ElementOdds.total([odds_of(page) for page in pages])
    assert not odds.is_taught
    return odds.pooled(block_slots(blocks))


def odds_of(page: list[tuple[str, float]]) -> ElementOdds:
    blocks = page_of([place for place, _ in page])
    return ElementOdds.of_scores(block_slots(blocks), np.array([score for _, score in page]))


@given(PAGES)
def test_elements_are_pooled_as_defined(pages: list[list[tuple[str, float]]]) -> None:
    blocks = page_of(list(PLACES))
    found = by_net(pages, blocks)
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
    for name, array in whole.arrays().items():
        assert array.tobytes() == again.arrays()[name].tobytes()
    stored = ElementOdds.from_arrays(whole.arrays())
    assert {name: array.tobytes() for name, array in stored.arrays().items()} == {
        name: array.tobytes() for name, array in whole.arrays().items()
    }


@given(PAGES, st.lists(st.floats(-9, 9), min_size=4, max_size=4))
def test_log_odds_move_towards_those_of_the_element_and_not_beyond(
    pages: list[list[tuple[str, float]]], scores: list[float]
) -> None:
    found = by_net(pages, page_of(list(PLACES)))
    own = np.clip(np.array(scores), -CERTAIN, CERTAIN)
    moved = own + found.shift(np.array(scores))
    assert (np.abs(moved - found.mean) <= np.abs(own - found.mean) + 1e-9).all()
    assert not found.shift(np.array(scores))[found.pages < 2].any()


def test_a_field_that_one_page_is_unsure_of_is_kept_as_on_the_others() -> None:
    pages = [[("p", 3.0), ("td", 2.5)] for _ in range(9)] + [[("p", 3.0), ("td", -0.5)]]
    found = by_net(pages, page_of(["p", "td"]))
    scores = np.array([3.0, -0.5])
    assert (scores + found.shift(scores) > 0).all()


def test_an_element_that_differs_from_page_to_page_is_left_to_the_page() -> None:
    alike = [[("p", 2.0)] for _ in range(8)]
    unlike = [[("p", 6.0 if n % 2 else -2.0)] for n in range(8)]
    weights = [by_net(pages, page_of(["p"])).weight[0] for pages in (alike, unlike)]
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
    assert odds.by_net[:, 0].max() == len(SHOP)
    assert Site(counts=()).fit(SHOP).find_counts(ShippedOdds) is None
    site.save(tmp_path / "shop", complete=True)
    loaded = Site.load(tmp_path / "shop")
    stored = loaded.find_counts(ShippedOdds)
    assert stored is not None
    assert stored.arrays().keys() == odds.arrays().keys()
    assert all((stored.arrays()[name] == array).all() for name, array in odds.arrays().items())
    more = loaded.add(shop_page(50, price="1 EUR")).find_counts(ShippedOdds)
    assert more is not None
    assert more.by_net[:, 0].max() == len(SHOP) + 1


def test_a_site_learned_without_elements_does_not_count_those_of_new_pages(tmp_path: Path) -> None:
    Site(counts=()).fit(SHOP).save(tmp_path / "shop", complete=True)
    loaded = Site.load(tmp_path / "shop").add(shop_page(50, price="1 EUR"))
    assert loaded.find_counts(ShippedOdds) is None


def test_reasons_name_the_element() -> None:
    site = Site().fit(SHOP)
    document = dehusk.clean(SHOP[0], site=site, explain=True)
    price = next(block for block in document.blocks if block.text == "3.50 EUR")
    assert next(step["name"] for step in price.evidence["steps"] if "error" not in step) == "its element on the site"
    element = price.evidence["element"]
    assert element["pages"] == len(SHOP)
    assert -CERTAIN <= element["log-odds"] <= CERTAIN
    without = dehusk.clean(SHOP[0], site=Site(counts=()).fit(SHOP), explain=True)
    assert not any("element on" in block.reason or "element" in block.evidence for block in without.blocks)


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
        ("by_net", lambda sums: sums * [-1, 1, 1]),
        ("by_net", lambda sums: sums[:-1]),
        ("by_net", lambda sums: sums * [1, 10**6, 1]),
        ("by_net", lambda sums: sums * [1, 1, -1]),
        ("by_net", lambda sums: sums.astype(np.float64)),
        ("by_people", lambda sums: sums - 1),
        ("by_people", None),
        ("model", None),
        ("model", lambda model: model + 1),
    ],
)
def test_damaged_elements_are_one_error(tmp_path: Path, name: str, change: object) -> None:
    site = Site().fit(SHOP)
    site.cut = 4, 2  # `change_card` drops values that are None
    site.save(tmp_path / "shop")
    made_sites.change_arrays(tmp_path / "shop", **{f"own_elements_{name}": change})  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="counts 'elements' of a site cannot be used"):
        dehusk.clean(SHOP[0], site=tmp_path / "shop")


def test_one_page_says_nothing_of_a_template() -> None:
    alone = dehusk.clean(SHOP[0])
    assert dehusk.clean(SHOP[0], site=Site().fit(SHOP[:1])).text == alone.text


# ---------------------------------------------------------------- labels


def labels_of(page: str, **labels: int) -> tuple[dehusk.Blocks, np.ndarray]:
    """Return the blocks of a page and their codes: those given by the first word of the text, else no label."""
    blocks = dehusk.segment(dehusk.parse(page))
    return blocks, np.array([labels.get(text.split()[0].strip(".:"), -1) for text in blocks.texts])


def test_one_label_decides_for_the_element_on_all_pages() -> None:
    footer = "All rights reserved"
    site = Site().fit(SHOP)
    assert not any(footer in dehusk.clean(page, site=site).text for page in SHOP)
    site.teach(*labels_of(SHOP[0], All=PARAGRAPH))
    assert all(footer in dehusk.clean(page, site=site).text for page in SHOP)
    site.teach(*labels_of(SHOP[1], All=OTHER))  # of two minds: the pages decide
    assert not any(footer in dehusk.clean(page, site=site).text for page in SHOP[2:])


def test_what_the_net_is_sure_of_needs_more_than_one_label() -> None:
    site = Site().fit(SHOP).teach(*labels_of(SHOP[0], Description=OTHER))
    assert "Description" in dehusk.clean(SHOP[9], site=site).text
    for number in (1, 2):
        site.teach(*labels_of(SHOP[number], Description=OTHER))
    assert "Description" not in dehusk.clean(SHOP[9], site=site).text


def test_labels_are_stored_and_merged(tmp_path: Path) -> None:
    taught, other = Site().fit(SHOP[:6]), Site().fit(SHOP[6:])
    taught.teach(*labels_of(SHOP[0], All=PARAGRAPH))
    taught.save(tmp_path / "taught", complete=True)
    merged = other.merge(Site.load(tmp_path / "taught"))
    assert "All rights reserved" in dehusk.clean(SHOP[11], site=merged).text
    merged.save(tmp_path / "merged")
    assert "All rights reserved" in dehusk.clean(SHOP[11], site=tmp_path / "merged").text


def test_an_annotation_teaches_as_its_labels_do() -> None:
    blocks, codes = labels_of(SHOP[0], All=PARAGRAPH)
    annotation = Annotation.from_labels(SHOP[0].encode(), blocks, codes)
    sites = [Site().fit(SHOP).teach(SHOP[0], labels) for labels in (annotation, codes)]
    first, second = (site.arrays()["own_elements_by_people"] for site in sites)
    assert first.tobytes() == second.tobytes()
    assert first[:, 0].sum() == 1
    assert abs(first[:, 1]).max() == LABEL * 64


def test_a_description_of_a_site_counts_elements() -> None:
    site = Site().fit(SHOP)
    assert "between, for the default method\n" in site_text(site)
    site.teach(*labels_of(SHOP[0], All=PARAGRAPH, Description=HEADER))
    assert "between, for the default method; 2 with labels\n" in site_text(site)
    tally = json.loads(site_json(site))["elements"]
    assert tally["labelled"] == 2
    assert 0 < tally["content"] <= tally["shared"] - tally["noise"] < len(PLACES) * len(SHOP)
    assert "elements   not counted\n" in site_text(Site(counts=()).fit(SHOP))


def test_reasons_name_labels() -> None:
    site = Site().fit(SHOP).teach(*labels_of(SHOP[0], All=PARAGRAPH))
    footer = dehusk.clean(SHOP[3], site=site, explain=True).blocks[-1]
    assert "labels on 1 page of this site keep this place" in footer.reason
    assert "; labels on the site +" in footer.reason
    assert footer.evidence["labels"] == {"pages": 1, "log-odds": 4.0}


def test_what_cannot_be_taught_is_an_error(tmp_path: Path) -> None:
    blocks, codes = labels_of(SHOP[0], All=PARAGRAPH)
    for wrong in (codes[1:], codes + 9, codes - 1):
        with pytest.raises(ValueError, match=f"labels must be {len(blocks)} numbers from -1 to 4"):
            Site().fit(SHOP).teach(blocks, wrong)
    with pytest.raises(GoldError, match="text"):
        Site().fit(SHOP).teach(SHOP[1], Annotation.from_labels(b"", blocks, codes))
    with pytest.raises(ConfigError, match="no counts 'elements'"):
        Site(counts=()).fit(SHOP).teach(blocks, codes)
    Site().fit(SHOP).save(tmp_path / "shop")
    with pytest.raises(InputError, match="cannot teach a site that was saved without its counts"):
        Site.load(tmp_path / "shop").teach(blocks, codes)


def page_with_labels(number: int, **labels: int) -> LabelledPage:
    sample = Sample("", str(number), SHOP[number].encode(), None, None, None, None)
    return LabelledPage(str(number), "shop", *labels_of(SHOP[number], **labels), sample, None)


def test_a_site_is_taught_only_if_the_pages_teach_each_other() -> None:
    agreed = [page_with_labels(number, All=PARAGRAPH, Description=HEADER, Home=OTHER) for number in range(4)]
    site = Site().fit(SHOP)
    teaching = teach(site, agreed)
    assert teaching.helps
    assert teaching.after > teaching.before
    assert str(teaching).startswith("taught by 4 pages; word F1 of each, taught by the others: ")
    assert "All rights reserved" in dehusk.clean(SHOP[9], site=site).text
    assert str(teach(Site().fit(SHOP), agreed[:1])) == "taught by 1 page"


def test_labels_that_mislead_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = [page_with_labels(number, All=PARAGRAPH) for number in range(4)]
    right = iter([0.9] * 4 + [0.8] * 4)
    monkeypatch.setattr("dehusk.lab.train.teaching._f1", lambda *_: next(right))
    site = Site().fit(SHOP)
    told = "not taught by 4 pages; word F1 of each, taught by the others: 0.800, without labels 0.900"
    assert str(teach(site, wrong)) == told
    assert not site.arrays()["own_elements_by_people"].any()
