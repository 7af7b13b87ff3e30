"""Pages of sites with known trees are weighed by these, all others by trees that are learned from them."""

import numpy as np
import pytest

from dehusk.read import parse
from dehusk.sites.mining.known_trees import vectors_by_known_trees
from dehusk.sites.structure_tree import CompressedStructureTree
from made_sites import site

TEA, COFFEE = "tea.example", "coffee.example"


def parsed(pages):
    return [parse(text.encode(), None) for text in pages]


def by_page(vectors):
    words = np.array(vectors.words, dtype=object)
    return [
        dict(zip(words[vectors.column[a:b]], vectors.weight[a:b], strict=True))
        for a, b in zip(vectors.start[:-1], vectors.start[1:], strict=True)
    ]


@pytest.mark.parametrize("options", [{}, {"mode": "style", "lambda_": 0.4}])
@pytest.mark.parametrize("count", [1, 70])
def test_each_page_is_weighed_by_the_tree_of_its_site(options, count):
    known = CompressedStructureTree(**options).fit(parsed(site(5)))
    tea, coffee = parsed(site(count, first=40)), parsed(site(3, first=200, host=COFFEE))
    pages = [coffee[0], *tea, coffee[1], coffee[2]]
    names = [COFFEE, *[TEA] * count, COFFEE, COFFEE]
    vectors = by_page(vectors_by_known_trees(known, iter(pages), names))
    new = by_page(CompressedStructureTree(**options).fit_vectors(coffee))
    assert vectors == [new[0], *by_page(known.page_vectors(tea)), new[1], new[2]]


def test_all_pages_may_be_known():
    known = CompressedStructureTree().fit(parsed(site(5)))
    tea = parsed(site(2, first=40))
    assert by_page(vectors_by_known_trees(known, tea, [TEA] * 2)) == by_page(known.page_vectors(tea))


def test_no_pages_have_no_vectors():
    known = CompressedStructureTree().fit(parsed(site(5)))
    assert len(vectors_by_known_trees(known, [], [])) == 0
