"""Threads that use a fitted site for the first time at the same moment all get the same results."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

import dehusk
import made_sites
from dehusk import InputError, Site
from dehusk.counts.counting import SiteCounter
from dehusk.counts.entropy import TermCounter
from dehusk.counts.structure_counts import StructureCounter
from dehusk.counts.tag_tree import tag_nodes
from dehusk.counts.terms import page_terms

THREADS = 8
PAGES = made_sites.site(12)


@pytest.fixture(autouse=True)
def _many_switches() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def at_once(use):
    """Call `use` in several threads at the same moment and return what each call returned."""
    barrier = Barrier(THREADS)

    def wait_and_use(_):
        barrier.wait()
        return use()

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(wait_and_use, range(THREADS)))


def plain(counts):
    return {name: (array.dtype, array.tolist()) for name, array in counts.arrays().items()}


@pytest.mark.parametrize("method", ["united", "site", "cst", "wisdom"])
def test_threads_that_use_a_site_first_clean_as_one_thread_does(method):
    expected = dehusk.clean(PAGES[0], site=Site().fit(PAGES), method=method).text
    for _ in range(5):
        site = Site().fit(PAGES)
        assert set(at_once(lambda: dehusk.clean(PAGES[0], site=site, method=method).text)) == {expected}  # noqa: B023


def test_threads_that_finish_a_site_first_see_complete_counts():
    expected = plain(Site().fit(PAGES).tables.as_counts())
    for _ in range(5):
        site = Site().fit(PAGES)
        assert all(plain(tables.as_counts()) == expected for tables in at_once(lambda: site.tables))  # noqa: B023


@pytest.mark.parametrize("kind", [SiteCounter, StructureCounter, TermCounter])
def test_counters_may_be_read_by_several_threads(kind):
    for _ in range(5):
        counter = filled(kind)
        expected = plain(filled(kind).counts())
        assert all(plain(counts) == expected for counts in at_once(counter.counts))
        assert plain(counter.counts()) == expected


def filled(kind):
    counter = kind()
    for html in PAGES:
        words = page_terms(dehusk.parse(html))
        if kind is SiteCounter:
            counter.add(words, "tea.example")
        elif kind is TermCounter:
            counter.add(words.key)
        else:
            nodes = tag_nodes(words)
            counter.add(nodes, nodes.ordinal_keys)
    return counter


def test_a_failed_fit_leaves_the_site_as_it_was():
    site = Site().fit(PAGES)
    before = plain(site.counts())
    with pytest.raises(InputError):
        site.fit([*PAGES[:2], made_sites.site(1, host="coffee.example")[0]])
    with pytest.raises(InputError):
        site.fit([])
    assert plain(site.counts()) == before
    assert site.fit(PAGES[:5]).pages == 5
