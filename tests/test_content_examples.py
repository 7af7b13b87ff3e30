"""The examples in the docstrings of `dehusk.write.content` give what they show."""

import doctest
from importlib import import_module

import pytest

MODULES = ["addresses", "images", "code", "footnotes", "formulas", "mathml", "tex"]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module(name):
    result = doctest.testmod(import_module(f"dehusk.write.content.{name}"))
    assert result.attempted > 0
    assert result.failed == 0
