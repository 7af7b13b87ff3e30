"""Patterns of `dehusk.base.lazy` behave as those of the standard library."""

import copy
import pickle
import re

import pytest

from dehusk.base.lazy import LatePattern, pattern
from imports import ROOT


def test_a_pattern_is_compiled_when_it_is_first_used() -> None:
    words = pattern(r"(\w+) tea", re.IGNORECASE)
    assert "search" not in vars(words)
    assert words.findall("Green Tea, black tea") == ["Green", "black"]
    assert words.pattern == r"(\w+) tea"
    assert words.flags & re.IGNORECASE
    wrong = pattern("(")
    with pytest.raises(re.error):
        wrong.search("")


def test_a_pattern_is_copied_and_pickled() -> None:
    words = pattern(r"(\w+) tea", re.IGNORECASE)
    copies = (copy.copy(words), copy.deepcopy(words), pickle.loads(pickle.dumps(words)))  # noqa: S301
    for each in (*copies, copy.copy(copies[0])):
        assert each.findall("Green Tea") == ["Green"]


def test_all_patterns_of_the_package_are_valid() -> None:
    """A wrong pattern shows only where it is used, so compile them all."""
    names = [
        ".".join(path.with_suffix("").relative_to(ROOT.parent).parts)
        for path in ROOT.rglob("*.py")
        if "dehusk.base.lazy import" in path.read_text("utf-8")
    ]
    assert len(names) > 50
    patterns = [
        value
        for name in names
        for value in vars(__import__(name, fromlist=["x"])).values()
        if isinstance(value, LatePattern)
    ]
    assert len(patterns) > 100
    assert all(each.groups >= 0 for each in patterns)
