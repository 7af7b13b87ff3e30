"""The generated shops of bench/shops.py: reproducible, with the page numbers of the paper's table 1, all different."""

import re
import sys
from collections import Counter
from pathlib import Path
from typing import get_args
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfTransformer

import dehusk
from dehusk.blocks import segment
from dehusk.counts.terms import page_terms
from dehusk.sites.structure_tree import CompressedStructureTree

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

import shops
from dehusk.lab.papers import plots, weightings
from dehusk.lab.papers.shops.pages import GeneratedShop, ShopPage, Wording, generate
from dehusk.lab.papers.shops.sites import SHOPS, Shop
from dehusk.lab.papers.shops.words import CATEGORIES
from heat_maps import heatmap

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


@pytest.mark.parametrize("wording", get_args(Wording))
def test_only_verbatim_promotions_are_on_several_pages(wording: Wording) -> None:
    html = [page.html for page in generate(0, wording=wording, most=20) if page.site == "zedtech"]
    promotions = Counter(text for page in html for text in set(re.findall(r"<b>([^<]*)</b></a>", page)))
    repeated = sum(count for count in promotions.values() if count > 1) / sum(promotions.values())
    assert (repeated > 0.9) == (wording == "verbatim")
    assert (repeated < 0.1) == (wording == "varied")


def test_the_wording_of_noise_leaves_the_content_alone() -> None:
    pages = zip(generate(0, wording="varied", most=1), generate(0, wording="verbatim", most=1), strict=True)
    for varied, verbatim in pages:
        assert varied.html != verbatim.html
        title, other = (
            re.findall("<title>.*</title>|<tr><td>[^<]*</td><td>", page.html) for page in (varied, verbatim)
        )
        assert title == other


def test_the_shops_have_the_numbers_of_pages_of_the_papers_sites(monkeypatch: pytest.MonkeyPatch) -> None:
    def named(site: GeneratedShop, category: int, number: int) -> ShopPage:
        return ShopPage(site.shop.stands_for, CATEGORIES[category].name, str(number), ())

    monkeypatch.setattr(GeneratedShop, "page", named)
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
    site = GeneratedShop(shop, 0)
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


PAGES = [
    "<p>alpha beta</p><p>same noise</p>",
    "<p>alpha gamma gamma</p><p>same noise</p>",
    "<p>delta</p><p>same</p><p>noise</p>",
]


def _dense(way: str) -> dict[str, list[float]]:
    """Return the weight of each word on each page."""
    pages = [segment(dehusk.parse(html)) for html in PAGES]
    vectors = dict(weightings.all_vectors(pages, ["one", "one", "two"]))[way].toarray()
    terms = [page_terms(page) for page in pages]
    columns = np.unique(np.concatenate([page.key for page in terms]))
    words = [word for page in terms for word in page.words]
    names = dict(zip(np.concatenate([page.key for page in terms]), words, strict=True))
    return {names[key]: vectors[:, column].tolist() for column, key in enumerate(columns)}


def test_rivals_weigh_words_as_they_say() -> None:
    assert _dense("tf")["gamma"] == [0, 2, 0]
    assert _dense("tf-idf")["same"] == [0, 0, 0]
    assert _dense("tf-idf")["gamma"] == pytest.approx([0, 2 * np.log(3), 0])
    assert _dense("tf × idf of the site")["alpha"] == [0, 0, 0]
    assert _dense("tf × idf of the site")["gamma"] == pytest.approx([0, 2 * np.log(2), 0])
    assert _dense("tf × (1 − entropy of the word)")["alpha"] == [0, 0, 0]
    assert _dense("tf × (1 − entropy of the word)")["beta"] == [1, 0, 0]
    dropped = _dense("tf, repeated blocks dropped")
    assert dropped["same"] == [0, 0, 1]  # a block of site "two" is on one page only
    assert dropped["alpha"] == [1, 1, 0]


def test_trees_weigh_words_as_their_method_does() -> None:
    html = [page.html for page in generate(0, most=2)][:8]
    pages = [segment(dehusk.parse(page)) for page in html]
    ways = dict(weightings.all_vectors(pages, ["one"] * 8))
    for name, options in weightings.TREES.items():
        expected = CompressedStructureTree(**options).fit_transform(html, sites=["one"] * 8)
        assert sorted(ways[name].sum(axis=0).A1) == pytest.approx(
            sorted(np.pad(expected.sum(axis=0).A1, (ways[name].shape[1] - expected.shape[1], 0)))
        )


def test_idf_of_weights_ignores_words_without_weight() -> None:
    matrix = weightings.vectors([np.array([1, 2], np.uint64), np.array([1, 1], np.uint64)], [np.ones(2), np.ones(2)])
    assert matrix.toarray().tolist() == [[1, 1], [2, 0]]
    expected = (
        TfidfTransformer(norm=None, smooth_idf=False).fit_transform(matrix) - matrix
    )  # scikit-learn adds 1 to idf
    assert weightings.with_idf(matrix).toarray() == pytest.approx(expected.toarray())


def test_words_of_a_text_are_those_of_a_page() -> None:
    page = segment(dehusk.parse("<p>One &amp; TWO</p><p>漢字 <b>th</b>ree</p>"))
    assert weightings.text_words("one & Two\n漢字 three").tolist() == page_terms(page).key.tolist()


def test_the_table_contains_the_figures_of_the_runs() -> None:
    seeds = [
        {"tf": {"F": [0.4, 0.45, 0.6, 0.75], "svm": [0.5, 0.6]}},
        {"tf": {"F": [0.4, 0.4, 0.8, 0.8], "svm": [0.7, 0.8]}},
    ]
    cells = (
        "0.575 (0.55, 0.60)",
        "0.375 (0.25, 0.50)",
        "0.500 (0.50, 0.50)",
        "0.600 (0.50, 0.70)",
        "0.700 (0.60, 0.80)",
    )
    row = r" +\| ".join(map(re.escape, cells))
    assert re.search(rf"tf +\| {row}", shops.table(seeds))
    assert re.search(r"the paper, before +\| 0.506 +\| 0.005 +\| 0.476 +\| 0.695 +\| 0.785", shops.table(seeds))


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
    svg = heatmap([[1, 2], [3, float("nan")]], rows="ab", columns="cd", title="", x_label="x", y_label="y")
    assert [label.text for label in ET.fromstring(svg).iter(f"{SVG}text")][1:4] == ["1", "2", "3"]  # noqa: S314 (our own text)
    assert plots.ticks(0, 1, 5) == [0, 0.2, 0.4, 0.6, 0.8, 1]
    assert plots.ticks(-3, 22) == [0, 5, 10, 15, 20]
