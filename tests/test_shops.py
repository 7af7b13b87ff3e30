"""The generated shops of bench/shops.py: reproducible, with the page numbers of the paper's table 1, all different."""

import re
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import dehusk

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

import plots
import shops
from shop_pages import ShopPage, Site, generate
from shop_sites import SHOPS, Shop
from shop_words import CATEGORIES

TABLE_1 = {
    "camera": {"Amazon": 402, "CNet": 219, "J&R": 80, "PCMag": 137, "ZDnet": 151},
    "notebook": {"Amazon": 434, "CNet": 480, "J&R": 51, "PCMag": 144, "ZDnet": 143},
    "mobile": {"Amazon": 45, "CNet": 109, "J&R": 9, "PCMag": 43, "ZDnet": 97},
    "printer": {"Amazon": 767, "CNet": 500, "J&R": 104, "PCMag": 107, "ZDnet": 80},
    "TV": {"Amazon": 719, "CNet": 449, "J&R": 199, "PCMag": 0, "ZDnet": 0},
}
IN_NAVIGATION = {
    "camera": r"camera",
    "notebook": r"notebook",
    "mobile": r"(cell|cellular|mobile) phone",
    "printer": r"printer",
    "TV": r"television|\btvs?\b|home entertainment",
}
SVG = "{http://www.w3.org/2000/svg}"


def test_the_same_seed_gives_the_same_shops() -> None:
    first, second = (list(generate(1, most=2)) for _ in range(2))
    assert first == second
    assert [page.html for page in first] != [page.html for page in generate(2, most=2)]


def test_the_shops_have_the_numbers_of_pages_of_the_papers_sites(monkeypatch: pytest.MonkeyPatch) -> None:
    def named(site: Site, category: int, number: int) -> ShopPage:
        return ShopPage(site.shop.stands_for, CATEGORIES[category].name, str(number))

    monkeypatch.setattr(Site, "page", named)
    counts = Counter((page.category, page.site) for page in generate())
    assert counts == Counter({(category, site): n for category, row in TABLE_1.items() for site, n in row.items() if n})
    assert Counter(page.category for page in generate(most=10)) == {
        "camera": 50,
        "notebook": 50,
        "printer": 50,
        "TV": 30,
        "mobile": 49,  # J&R has nine
    }


def test_all_pages_differ_and_all_categories_occur() -> None:
    pages = list(generate(0, most=3))
    assert set(Counter(page.category for page in pages)) == {category.name for category in CATEGORIES}
    texts = [dehusk.clean(page.html, method="keep-all").text for page in pages]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("shop", SHOPS, ids=lambda shop: shop.name)
def test_the_navigation_names_all_categories_on_every_page(shop: Shop) -> None:
    site = Site(shop, 0)
    for name, pattern in IN_NAVIGATION.items():
        assert re.search(pattern, shop.navigation, re.IGNORECASE), name
    assert all(site.navigation in site.page(category, number).html for category in range(5) for number in range(4))


@pytest.mark.parametrize("seed", [0, 1])
def test_every_page_can_be_parsed(seed: int) -> None:
    for page in generate(seed, most=1):
        parsed = dehusk.parse(page.html)
        parsed.validate()
        assert parsed.status == "ok"
        assert len(parsed.text) > 500


def test_mean_f_is_for_the_best_assignment() -> None:
    truth = np.array([0, 0, 0, 0, 1, 1])
    assert shops.mean_f(truth, np.array([1, 1, 1, 1, 0, 0])) == 1
    # class 0 with cluster 1: p = 3/3, r = 3/4, F = 6/7; class 1 with cluster 0: p = 2/3, r = 2/2, F = 4/5
    assert shops.mean_f(truth, np.array([0, 1, 1, 1, 0, 0])) == pytest.approx((6 / 7 + 4 / 5) / 2)
    # cluster 0 is best for both classes (F = 2 * 2 / (2 + 4) and 2 * 2 / (4 + 4)), but only one class can have it
    truth, cluster = np.array([0, 0, 1, 1, 1, 1]), np.array([0, 0, 0, 0, 1, 1])
    assert shops.mean_f(truth, cluster) == pytest.approx((4 / 6 + 2 * 2 / (4 + 2)) / 2)
    # a single cluster: one class gets it, the other gets none
    assert shops.mean_f(truth, np.zeros(6, dtype=int)) == pytest.approx(2 * 4 / (4 + 6) / 2)


def test_the_tables_contain_the_figures_of_the_runs() -> None:
    names = [" ".join(category.name for category in pair) for pair in shops.combinations(CATEGORIES, 2)]
    values = {
        setting: {"F": [0.4, 0.45, 0.6, 0.75], "classification": {name: [f, 0.9] for name in names}}
        for setting, f in ((shops.NOISY, 0.25), ("clean", 0.75))
    }
    assert re.search(r"clean +\| 4 +\| 0.550 +\| 0.250 +\| 0.500", shops.clustering_table(values))
    assert re.search(r"the paper, before +\| 0.695 +\| 0.785", shops.classification_table(values))
    assert re.search(r"clean +\| 0.750 +\| 0.900", shops.classification_table(values))
    row = r"printer / TV +\| 0.712 +\| 0.250 +\| 0.972 +\| 0.750 +\| 0.716 +\| 0.900 +\| 0.971 +\| 0.900"
    assert re.search(row, shops.pairs_table(values, "clean"))


def test_plots_are_svg_and_contain_all_data() -> None:
    svg = plots.histogram({"a & b": [0.1, 0.1, 0.9, 7.0]}, title="<F>", x_label="F")
    root = ET.fromstring(svg)  # noqa: S314 (our own text)
    heights = [float(bar.get("height", "")) for bar in root.iter(f"{SVG}rect") if bar.get("fill") == plots.COLOURS[0]]
    assert len(heights) == 3  # .1, .9 and everything above 1
    assert max(heights) == pytest.approx(2 * min(heights), abs=0.2)
    assert any("a & b" in (label.text or "") for label in root.iter(f"{SVG}text"))
    svg = plots.lines({"s": [(1, 1), (10, 2), (100, float("nan"))]}, title="", x_label="n", y_label="ms", log=True)
    points = ET.fromstring(svg).find(f"{SVG}polyline")  # noqa: S314 (our own text)
    assert points is not None
    assert len(points.get("points", "").split()) == 2
    svg = plots.heatmap([[1, 2], [3, float("nan")]], rows="ab", columns="cd", title="", x_label="x", y_label="y")
    assert [label.text for label in ET.fromstring(svg).iter(f"{SVG}text")][1:4] == ["1", "2", "3"]  # noqa: S314 (our own text)
    assert plots.ticks(0, 1, 5) == [0, 0.2, 0.4, 0.6, 0.8, 1]
    assert plots.ticks(-3, 22) == [0, 5, 10, 15, 20]
