"""What the compiled modules keep between calls: written once under a lock, or one reference to what is never changed.

docs/robustness.md says why each is safe.
"""

import re
from pathlib import Path

import pytest

SOURCES = sorted((Path(__file__).parents[1] / "src" / "dehusk" / "compiled").glob("*.pyx"))
ONCE = re.compile(r"prepare(_\w+)?")
"""Functions that `once` runs, under one lock."""
GROWING = {("characters.pyx", "_load"), ("characters.pyx", "_add_rows")}
"""Tables that grow under the lock; rows that other threads may read are not written again."""
LATEST = {
    ("features_names.pyx", "lexicon_of"),
    ("features_tags.pyx", "containers_of"),
    ("features_tags.pyx", "split_features"),
    ("wording.pyx", "_table_of"),
}
"""One reference to the latest settings: what it refers to is made before, and never changed."""


EARLY = {"dehusk.tags", "dehusk.lazy", "dehusk.characters"}
"""Modules that are imported before any page is read."""


def writers(source: Path) -> set[str]:
    """Return the functions that set a global variable of a module."""
    function, found = "", set()
    for line in source.read_text("utf-8").splitlines():
        if head := re.match(r"(?:cdef|cpdef|def)\s[^=]*?(\w+)\(", line):
            function = head[1]
        if re.match(r"\s+global\s", line):
            found.add(function)
    return found


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_globals_are_set_once_or_are_known(source: Path) -> None:
    late = {name for name in writers(source) if not ONCE.fullmatch(name)}
    assert {(source.name, name) for name in late} <= GROWING | LATEST


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_what_is_taken_from_python_is_taken_once(source: Path) -> None:
    """What is imported at a first use is imported under the lock: two threads could see half a module."""
    for function in re.split(r"\n(?=(?:cdef|cpdef|def)\s)", source.read_text("utf-8")):
        name = re.match(r"(?:cdef|cpdef|def)\s[^=]*?(\w+)\(", function)
        imported = set(re.findall(r"\n    +from (dehusk\S*) import", function)) - EARLY
        if name and imported and not ONCE.fullmatch(name[1]):
            assert "with IMPORTING:" in function, (name[1], imported)


def test_what_is_allowed_exists() -> None:
    known = {(source.name, name) for source in SOURCES for name in writers(source)}
    assert known >= GROWING | LATEST
