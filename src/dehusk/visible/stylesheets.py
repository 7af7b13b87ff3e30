"""Rules of a page's own style elements that conceal text.

Only rules outside of `@media` and the like count, because most readers see what only some rules conceal, and only
rules with simple selectors: tags, classes, ids and their combinations. A rule is parsed only if it contains a sign
that it conceals text, and if its selector names a class or id that is on the page.
"""

import re
from collections.abc import Container, Iterator, Sequence

from dehusk.base.lazy import pattern
from dehusk.read.signs import CONCEALING
from dehusk.visible.concealment import Concealment, Suspicion, conceals, declarations_of

_MAX_RULES = 200
_SIMPLE = pattern(r"[\w.#\s>,*-]+")
_NAME = pattern(r"[.#]([\w-]+)")
_COMMENT = pattern(r"/\*.*?\*/", re.DOTALL)


def concealing_rules(sheets: Sequence[str], names: Container[str]) -> Iterator[tuple[str, Concealment]]:
    """Yield the selector of each rule that conceals text, and how.

    Args:
        sheets: the contents of style elements that contain a sign.
        names: the classes and ids on the page; rules that need others are skipped.
    """
    found = 0
    for sheet in sheets:
        for selector, body in _suspicious(_COMMENT.sub(" ", sheet) if "/*" in sheet else sheet):
            found += 1
            if found > _MAX_RULES:
                return
            parts = [part.strip() for part in selector.split(",")]
            fitting = [part for part in parts if all(name in names for name in _NAME.findall(part))]
            concealment = conceals(declarations_of(body)) if fitting and _SIMPLE.fullmatch(selector) else None
            if concealment and concealment.suspicion in (Suspicion.ALWAYS, Suspicion.SPOKEN):
                yield ",".join(fitting), concealment


def _suspicious(sheet: str) -> Iterator[tuple[str, str]]:
    """Yield selector and declarations of each rule with a sign that is not inside another rule."""
    end = depth = counted = 0
    for place, after in sorted(place for sign in CONCEALING for place in _places(sheet, sign)):
        if place < end:
            continue  # in the same rule as the sign before
        start = sheet.rfind("{", end, place)
        end = max(sheet.find("}", place), after)
        if start < 0:
            continue
        depth += sheet.count("{", counted, start) - sheet.count("}", counted, start)
        counted = start
        if depth == 0:
            first = max(sheet.rfind("}", 0, start), sheet.rfind(";", 0, start)) + 1
            yield sheet[first:start].strip(), sheet[start + 1 : end]


def _places(text: str, sign: str) -> Iterator[tuple[int, int]]:
    """Yield where a sign starts and ends; a regular expression with all signs takes several times as long."""
    start = text.find(sign)
    while start >= 0:
        yield start, start + len(sign)
        start = text.find(sign, start + len(sign))
