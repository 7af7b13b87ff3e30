"""Words in the source and in the classes of a page that say what it may hold, each found by one search."""

from typing import NamedTuple

from dehusk.backends import kernel
from dehusk.caching import cached_per_object
from dehusk.page import Page

_MAX_SHEETS = 32_000  # characters of style elements that are read
CONCEALING = ("-999", "-1000", "clip", "font-size:0")
"""What a rule that conceals text contains; looking for fixed strings costs next to nothing."""


class SourceSigns(NamedTuple):
    """What the source of a page names."""

    sheets: tuple[str, ...]
    """The contents of the style elements that contain one of `CONCEALING`."""
    formulas: bool
    """Whether it names the type of MathJax's scripts."""


@cached_per_object
def source_signs(page: Page) -> SourceSigns:
    """Return what the source of a page names."""
    return SourceSigns(*_signs_in(page.elements.text))


class ClassSigns(NamedTuple):
    """Which words the classes of a page have, in any case."""

    formulas: bool
    """ "math", or "tex" that is not the start of "text"."""
    references: bool
    """ "note", "fn" or "ptref"."""
    listings: bool
    """ "highlight"."""
    edits: bool
    """ "editsection"."""


@cached_per_object
def class_signs(page: Page) -> ClassSigns:
    """Return which words the classes of a page have."""
    return ClassSigns(*_signs_of(page.class_names))


@kernel("searching.signs_of_classes")
def _signs_of(class_names: tuple[str, ...]) -> tuple[bool, bool, bool, bool]:
    names = "\n".join(class_names).lower()
    return (
        "math" in names or names.count("tex") != names.count("text"),
        any(map(names.__contains__, ("note", "fn", "ptref"))),
        "highlight" in names,
        "editsection" in names,
    )


@kernel("searching.signs_in")
def _signs_in(source: str) -> tuple[tuple[str, ...], bool]:
    formulas = "math/t" in source and ("math/tex" in source or "math/TeX" in source)
    return tuple(_sheets(source)), formulas


def _sheets(source: str) -> list[str]:
    sheets = []
    position, left = source.find("<style"), _MAX_SHEETS
    while position >= 0 and left > 0:
        start = source.find(">", position) + 1
        if not start:
            break
        end = source.find("</style", start)
        end = len(source) if end < 0 else end
        sheet = source[start : min(end, start + left)]
        left -= len(sheet)
        if any(sign in sheet for sign in CONCEALING):
            sheets.append(sheet)
        position = source.find("<style", end)
    return sheets
