"""The examples in docstrings give what they show."""

import doctest
from importlib import import_module

import pytest

MODULES = [
    *("read.addresses", "blocks.units.footnotes", "blocks.units.loose_notes"),
    *(f"write.content.{name}" for name in ("images", "code", "formulas", "raw_tex", "tex")),
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module(name):
    result = doctest.testmod(import_module(f"dehusk.{name}"))
    assert result.attempted > 0
    assert result.failed == 0
