"""What of an element is worth naming in a selector: what the author of a design wrote, not what a program numbered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from dehusk.read.page import Page

_ATTRIBUTES = (
    "itemprop",
    "role",
    "rel",
    "data-testid",
    "data-test",
    "data-qa",
    "data-component",
    "data-role",
    "property",
)
_LANDMARK_TAGS = (
    "aside nav footer header form figure figcaption time address details summary dialog menu main article section "
    "blockquote table caption thead tfoot fieldset button label dl h1 h2 h3 h4 h5 h6 hgroup search"
)
_LANDMARKS = frozenset(_LANDMARK_TAGS.split())
_MOST_CLASSES = 4
_STATE_CLASSES = (
    "active current selected first last odd even open opened closed collapsed expanded hover focus visible loaded "
    "clearfix cf group row col container wrapper"
)
_STATES = frozenset(_STATE_CLASSES.split())
_NUMBERED = re.compile(r"\d{3,}")
_GENERATORS = re.compile(r"(?:css|sc|jsx|jss|emotion|svelte|astro|makeStyles|Mui\w+)-|_ng|js-|is-|has-|_")
_PART = re.compile(r"[-_]+")
_HUMP = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_PLAIN = re.compile(r"-?[a-zA-Z_][\w-]*", re.ASCII)
_MOST_VALUE = 60  # characters of an attribute


def is_stable(name: str, *, of_one: bool = False) -> bool:
    """Return whether a class or an id looks like one that people chose, so that other pages have it as well.

    Args:
        name: the class or the id.
        of_one: whether it is an id: a number in it counts elements or pages.
    """
    if not _PLAIN.fullmatch(name) or name.lower() in _STATES or _NUMBERED.search(name) or _GENERATORS.match(name):
        return False
    if of_one and re.search(r"\d{2,}|[-_]\d+$", name):
        return False
    return not any(_looks_random(part) for part in _PART.split(name) if part)


def simple_selectors(page: Page, node: int) -> list[str]:
    """Return selectors of one element without combinators, the most telling ones first; the last one is its tag."""
    tag = page.tag_name(node)
    return [*_named(page, node, tag), tag] if _PLAIN.fullmatch(tag) else list(_named(page, node, tag))


def is_telling(selector: str) -> bool:
    """Return whether a selector of one element says more than that it is a part of the page, such as div."""
    return not _PLAIN.fullmatch(selector) or selector in _LANDMARKS


def nth_of_type(page: Page, node: int) -> int:
    """Return which child of its tag an element is of its parent, from 1."""
    parent, tag = int(page.parent[node]), page.tag[node]
    child, number = parent + 1, 1
    while child < node:
        number += int(page.tag[child] == tag)
        child = int(page.end[child])
    return number


def _named(page: Page, node: int, tag: str) -> Iterator[str]:
    given = {name: value for name, value in page.attributes_of(node) if value}
    identity = given.get("id", "").strip()
    if identity and is_stable(identity, of_one=True):
        yield f"#{identity}"
    classes = [name for name in dict.fromkeys(given.get("class", "").split()) if is_stable(name)][:_MOST_CLASSES]
    for name in classes:
        yield f".{name}"
    for name in classes:
        yield f"{tag}.{name}"
    for first, second in pairwise(classes):
        yield f".{first}.{second}"
    for name in _ATTRIBUTES:
        value = given.get(name, "")
        if value and len(value) <= _MOST_VALUE and _PLAIN.fullmatch(value) and is_stable(value):
            yield f'[{name}="{value}"]'


def _looks_random(part: str) -> bool:
    """Return whether a part of a name looks like a hash: letters and digits mixed, or changes of case without words."""
    if len(part) >= 5 and re.search(r"[a-zA-Z]\d+[a-zA-Z]", part):
        return True
    if (
        len(part) >= 6
        and re.search(r"\d", part)
        and re.search(r"[a-fA-F]", part)
        and re.fullmatch(r"[0-9a-fA-F]+", part)
    ):
        return True
    humps = _HUMP.findall(part)
    return len(part) >= 5 and len(humps) >= 3 and len(part) / len(humps) < 3
