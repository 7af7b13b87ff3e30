"""The generated shops of bench/shops.py: the same every time, as many pages as the paper's table 1, no two alike."""

import sys
from collections import Counter
from pathlib import Path

import pytest

import dehusk

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

from shop_pages import generate
from shop_words import CATEGORIES


def test_the_shops_are_the_same_every_time() -> None:
    first, second = (list(generate(1, most=2)) for _ in range(2))
    assert first == second
    assert [page.html for page in first] != [page.html for page in generate(2, most=2)]


def test_pages_of_a_category_differ_and_name_all_categories() -> None:
    pages = list(generate(0, most=3))
    assert set(Counter(page.category for page in pages)) == {category.name for category in CATEGORIES}
    texts = [dehusk.clean(page.html, method="keep-all").text for page in pages]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("seed", [0, 1])
def test_every_page_is_a_page(seed: int) -> None:
    for page in generate(seed, most=1):
        parsed = dehusk.parse(page.html)
        parsed.validate()
        assert parsed.status == "ok"
        assert len(parsed.text) > 500
