"""What the compiled modules keep between calls: written once under a lock, or one reference to what is never changed.

docs/robustness-threads.md says why each is safe.
"""

import contextlib
import re
from importlib import import_module
from pathlib import Path

import pytest

COMPILED = Path(__file__).parents[1] / "src" / "dehusk" / "compiled"
SOURCES = sorted(path for path in COMPILED.rglob("*") if path.suffix in {".pyx", ".pxi"})
ONCE = re.compile(r"prepare(_\w+)?")
"""Functions that `once` runs, under one lock."""
GROWING = {("text/characters.pxi", "_load"), ("text/characters.pxi", "_add_rows")}
"""Tables that grow under the lock; rows that other threads may read are not written again."""
LATEST = {
    ("features/names.pxi", "lexicon_of"),
    ("features/tags.pxi", "containers_of"),
    ("features/tags.pxi", "split_features"),
}
"""One reference to the latest settings: what it refers to is made before, and never changed."""


EARLY = {"dehusk.base.tags", "dehusk.base.lazy", "dehusk.base.characters"}
"""Modules that are imported before any page is read."""


def place_of(source: Path) -> str:
    return source.relative_to(COMPILED).as_posix()


def writers(source: Path) -> set[str]:
    """Return the functions that set a global variable of a module."""
    function, found = "", set()
    for line in source.read_text("utf-8").splitlines():
        if head := re.match(r"(?:cdef|cpdef|def)\s[^=]*?(\w+)\(", line):
            function = head[1]
        if re.match(r"\s+global\s", line):
            found.add(function)
    return found


@pytest.mark.parametrize("source", SOURCES, ids=place_of)
def test_globals_are_set_once_or_are_known(source: Path) -> None:
    late = {name for name in writers(source) if not ONCE.fullmatch(name)}
    assert {(place_of(source), name) for name in late} <= GROWING | LATEST


@pytest.mark.parametrize("source", SOURCES, ids=place_of)
def test_what_is_taken_from_python_is_taken_once(source: Path) -> None:
    """What is imported at a first use is imported under the lock: two threads could see half a module."""
    for function in re.split(r"\n(?=(?:cdef|cpdef|def)\s)", source.read_text("utf-8")):
        name = re.match(r"(?:cdef|cpdef|def)\s[^=]*?(\w+)\(", function)
        imported = set(re.findall(r"\n    +from (dehusk\S*) import", function)) - EARLY
        if name and imported and not ONCE.fullmatch(name[1]):
            assert "with IMPORTING:" in function, (name[1], imported)


@pytest.mark.parametrize("source", SOURCES, ids=place_of)
def test_what_is_taken_from_a_module_is_there(source: Path) -> None:
    """A rule that Python no longer has is seen only by the page that needs it."""
    text = source.read_text("utf-8")
    kept: dict[str, object] = {}  # global name -> the module that it is
    for function in re.split(r"\n(?=(?:cdef|cpdef|def)\s)", text):
        local: dict[str, object] = {}
        for package, names in re.findall(r"^ +from (dehusk\S*) import ([^\n(]+)$", function, re.MULTILINE):
            for name, _, alias in (each.strip().partition(" as ") for each in names.split(",")):
                with contextlib.suppress(ImportError):
                    local[alias or name] = import_module(f"{package}.{name}")
        for targets, values in re.findall(r"^    ([\w., ]+) = ([\w., ]+)$", function, re.MULTILINE):
            pairs = zip(targets.split(", "), values.split(", "), strict=False)
            kept |= {target: local[value] for target, value in pairs if value in local}
        check_attributes(function, local)
    check_attributes(text, kept)


def check_attributes(text: str, modules: dict[str, object]) -> None:
    for name, attribute in re.findall(r"(?<![\w.\"`])(\w+)\.(\w+)", text):
        if name in modules:
            assert hasattr(modules[name], attribute), f"{name}.{attribute}"


def test_what_is_allowed_exists() -> None:
    known = {(place_of(source), name) for source in SOURCES for name in writers(source)}
    assert known >= GROWING | LATEST
