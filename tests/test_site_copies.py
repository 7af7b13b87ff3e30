"""Near-duplicate pages count once: compared with all pairs of sets, and on small sites."""

from collections import Counter
from itertools import combinations, pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dehusk
import made_sites
from dehusk import Site
from dehusk.counts import shared
from dehusk.counts.shared import MIN_SHARED, clusters
from dehusk.counts.table import KeysOnPages, Table
from made_sites import article, page, site, words


def by_all_pairs(pages: list[set[int]]) -> list[int]:
    """Return clusters by the rule in the module's docstring, applied to all pairs."""
    frequency = Counter(shingle for shingles in pages for shingle in shingles)
    rare = [{shingle for shingle in shingles if 3 * frequency[shingle] <= len(pages)} for shingles in pages]
    cluster = list(range(len(pages)))
    for a, b in combinations(range(len(pages)), 2):
        shared = len(rare[a] & rare[b])
        if shared >= MIN_SHARED and 2 * shared >= min(len(rare[a]), len(rare[b])):
            pair = {cluster[a], cluster[b]}
            cluster = [min(pair) if first in pair else first for first in cluster]
    return cluster


def cluster_of_each(pages: list[set[int]], keys: np.ndarray | None = None) -> list[int]:
    keys = np.arange(len(pages), dtype=np.uint64) * np.uint64(3) + np.uint64(7) if keys is None else keys
    rows = [(shingle, int(keys[number])) for number, shingles in enumerate(pages) for shingle in shingles]
    shingle, of = (np.array([row[i] for row in rows], dtype=np.uint64) for i in (0, 1))
    rows = Table.of(shingle, of).keys
    return clusters(KeysOnPages(rows[:, 0], keys.searchsorted(rows[:, 1])), len(keys)).tolist()


BOUNDS = [0, 5, 15, 24, 25, 44, 64, 83, 103, 104, 120]
CHUNKS = [set(range(a, b)) for a, b in pairwise(BOUNDS)]
pages_strategy = st.lists(
    st.builds(
        lambda chunks, own: set().union(*(CHUNKS[chunk] for chunk in chunks), range(1000 * own, 1000 * own + 5 * own)),
        st.sets(st.integers(0, len(CHUNKS) - 1), max_size=6),
        st.integers(0, 12),
    ),
    max_size=14,
)


@given(pages_strategy)
def test_clusters_match_a_comparison_of_all_pairs(pages):
    assert cluster_of_each(pages) == by_all_pairs(pages)


@given(pages_strategy, st.randoms(use_true_random=False))
def test_a_cluster_does_not_depend_on_the_keys_of_its_pages(pages, chance):
    order = list(range(len(pages)))
    chance.shuffle(order)
    cluster, other = cluster_of_each(pages), cluster_of_each([pages[number] for number in order])
    for (a, x), (b, y) in combinations(enumerate(order), 2):
        assert (cluster[x] == cluster[y]) == (other[a] == other[b])


@pytest.mark.parametrize(("shared", "own", "copy"), [(20, 20, True), (20, 21, False), (19, 0, False), (40, 40, True)])
def test_the_thresholds_of_copies(shared, own, copy):
    """Copies share at least twenty shingles, and at least half of those of the smaller page."""
    first = set(range(shared)) | set(range(100, 100 + own))
    second = set(range(shared)) | set(range(200, 200 + 3 * own))
    others = [set(range(1000 * n, 1000 * n + 50)) for n in range(1, 5)]
    cluster = cluster_of_each([first, *others, second])
    assert (cluster == [0, 1, 2, 3, 4, 0]) == copy
    assert (cluster == [0, 1, 2, 3, 4, 5]) == (not copy)
    assert cluster == by_all_pairs([first, *others, second])


def test_copies_of_copies_count_as_one_page():
    """Pages that form a chain are one cluster, in any order."""
    chain = [set(range(25 * number, 25 * number + 50)) for number in range(9)]
    for seed in range(20):
        order = Random(seed).sample(range(9), 9)  # noqa: S311 (nothing secret)
        assert cluster_of_each([chain[number] for number in order]) == [0] * 9


def test_no_pages_and_no_shingles():
    assert cluster_of_each([]) == []
    assert cluster_of_each([set(), set()]) == [0, 1]


def test_a_frequent_shingle_is_compared_between_neighbours_only(monkeypatch):
    """The work stays linear, and copies are still found, through their neighbours."""
    sizes = []
    whole = shared._pairs

    def counted(*columns):
        pairs = whole(*columns)
        sizes.append(len(pairs[2]))
        return pairs

    monkeypatch.setattr(shared, "_pairs", counted)
    same = set(range(30))
    pages = [same | {1000 + number} if number % 3 == 0 else {2000 + number} for number in range(600)]
    assert cluster_of_each(pages) == [0 if number % 3 == 0 else number for number in range(600)]
    assert sizes == [199]


def kept(model: Site, text: str) -> list[str]:
    doc = dehusk.clean(text, method="site", site=model)
    return [block.text for block in doc.blocks if block.kept]


def test_an_article_published_twice_counts_once():
    extra = "<p>Published in the section of the week</p>"
    pages = [*site(8), page(article(0), extra=extra, name="again")]
    model = Site().fit(pages)
    assert (model.pages, model.tables.distinct) == (9, 8)
    assert kept(model, pages[0]) == article(0)
    assert kept(model, pages[-1]) == ["Published in the section of the week", *article(0)]
    assert not model.warning


def test_half_an_article_is_a_copy_and_a_quotation_is_not():
    half = page([article(0)[0], words(500, 12)], name="half")
    quotation = page([*article(50), " ".join(article(0)[0].split()[:15])], name="quotation")
    assert Site().fit([*site(8), half]).tables.distinct == 8
    assert Site().fit([*site(8), quotation]).tables.distinct == 9


def test_pages_that_share_a_template_of_running_text_are_not_copies():
    """A long text on all pages is on more than a third of them, so it is not evidence of copies."""
    pages = [page(article(number), extra=f"<p>{words(99, 80)}</p>") for number in range(9)]
    model = Site().fit(pages)
    assert model.tables.distinct == 9
    assert kept(model, pages[3]) == article(3)


def test_pages_that_share_links_and_short_blocks_are_not_copies():
    """Equal lists of links and teasers, as pages of a section have, are not evidence of copies."""
    links = "".join(f"<li><a href=/{n}>{words(900 + n, 25)}</a>" for n in range(3))
    short = "".join(f"<p>{words(800 + n, 15)}</p>" for n in range(3))
    pages = [*site(7), *(page(article(number), extra=f"<ul>{links}</ul>{short}") for number in (7, 8))]
    assert Site().fit(pages).tables.distinct == 9


def test_fewer_than_six_pages_have_no_copies():
    extra = "<p>Published in the section of the week</p>"
    for others, distinct in ((4, 5), (5, 5)):
        pages = [*site(others), page(article(0), extra=extra)]
        model = Site().fit(pages)
        assert (model.pages, model.tables.distinct) == (others + 1, distinct)
        assert (article(0)[0] in kept(model, pages[0])) == (distinct < model.pages)


def test_pages_with_the_same_words_are_one_page_even_then():
    model = Site().fit([*site(2), site(1)[0], site(1)[0].replace("<p>", "<div><p>")])
    assert (model.pages, model.tables.distinct) == (4, 2)
    assert kept(model, site(1)[0]) == article(0)


def test_order_makes_no_difference():
    pages = [*site(9), *(page(article(n), extra=f"<p>{words(700 + n, 9)}</p>") for n in (0, 4, 4))]
    expected = Site().fit(pages)
    assert expected.tables.distinct == 9
    for seed in range(4):
        model = Site().fit(Random(seed).sample(pages, len(pages)))  # noqa: S311 (nothing secret)
        assert model.tables.distinct == 9
        assert model.tables.repeated == expected.tables.repeated
        assert [kept(model, text) for text in pages] == [kept(expected, text) for text in pages]
    assert made_sites.FOOTER in [text for _, text in expected.tables.repeated]
