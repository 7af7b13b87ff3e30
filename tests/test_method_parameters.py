"""The constructor's arguments of methods by name, and the one-line `repr` of methods."""

import pytest

import dehusk
from dehusk.base.errors import ConfigError
from dehusk.label.baseline import KeepAll
from dehusk.label.repetition import SiteRule
from dehusk.sites.alternation import Alternation, FindOptimal
from dehusk.sites.structure_tree import CompressedStructureTree
from dehusk.sites.wisdom import Wisdom
from made_sites import site

MODEL = dehusk.Site().fit(site(3))
METHODS = [Wisdom(k=2), CompressedStructureTree(), FindOptimal("printed"), Alternation(), SiteRule(MODEL), KeepAll()]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: type(method).__name__)
def test_arguments_are_read_and_set_by_name(method):
    before = method.get_params()
    assert type(method)(**before).get_params() == before
    assert method.set_params(**before) is method
    with pytest.raises(ConfigError, match="unknown option 'nonsense'"):
        method.set_params(**before, nonsense=1)
    assert method.get_params() == before


def test_the_nearest_option_is_named():
    with pytest.raises(ConfigError, match=r"unknown option 'treshold'\. Did you mean threshold\? Known: mode, leaves"):
        CompressedStructureTree().set_params(treshold=0.5)


def test_nothing_is_set_if_a_name_is_unknown():
    method = CompressedStructureTree()
    with pytest.raises(ConfigError):
        method.set_params(threshold=0.5, depth=1)
    assert method.threshold == 0.8


def test_invalid_values_that_were_set_later_are_refused():
    method = SiteRule(MODEL).set_params(words=0)
    with pytest.raises(ConfigError, match="words must be a positive integer, not 0"):
        method.label(dehusk.segment(dehusk.parse("<p>text")))


def test_methods_are_shown_in_one_line():
    pages = site(3)
    shown = {
        Wisdom(): "<Wisdom: not fitted>",
        Wisdom(k=2, preset="paper"): "<Wisdom preset='paper', k=2: not fitted>",
        Wisdom().fit(pages): "<Wisdom: fitted to 3 pages>",
        Wisdom().fit(pages[:1]): "<Wisdom: fitted to 1 page>",
        CompressedStructureTree(mode="style").fit(pages, sites=["a", "b", "b"]): (
            "<CompressedStructureTree mode='style': fitted to 3 pages of 2 sites>"
        ),
        FindOptimal("printed"): "<FindOptimal search='printed': not fitted>",
        KeepAll(): "<KeepAll>",
    }
    for method, line in shown.items():
        assert repr(method) == line
    fitted = Alternation(n=9).fit(pages)
    assert repr(fitted) == (f"<Alternation n=9: {len(fitted.cut_.grams_)} useless 9-grams of 3 pages>")
    assert repr(SiteRule(MODEL, words=4)) == f"<SiteRule site={MODEL!r}, words=4>"
