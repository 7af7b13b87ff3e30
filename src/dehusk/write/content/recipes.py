"""Ingredients and steps of recipes that are no lists on their page, and numbers that are said twice.

Siblings that microdata calls ingredients or steps are items: `<div itemprop="recipeIngredient">`. A number in an
element of its own, with the class of a number of steps, is the mark of the step after it, "1.", if the numbers of this
class count from 1, unless a heading follows. It goes where the line before says it: "Step 1".
"""

import numpy as np

from dehusk.base.lazy import pattern
from dehusk.base.tags import HEADINGS, numbers
from dehusk.blocks.layout import Nodes, are_among, has_ink
from dehusk.read.names import NamePattern
from dehusk.read.page import Page

_ITEMS = frozenset(("recipeingredient", "recipeinstructions"))
_PART = NamePattern(r"ingredient|instruction|direction|step|recipe", "ingredient instruction direction step recipe")
"""Classes of what microdata is looked for at: to look at all elements takes too long."""
_HEADINGS, _LINES, _SEVERAL = numbers(HEADINGS), numbers("div p"), 2
_COUNTER = NamePattern(
    r"(?:step|direction|instruction|method)s?(?:[_-]|-{2}|__)?(?:item[_-])?(?:no|num|number|count|counter|index)(?:$|[\s_-])",
    "step direction instruction method",
)
_NUMBER = pattern(r"\d{1,2}")


def with_recipe_items(page: Page, nodes: Nodes, names: list[str]) -> list[str]:
    """Return the names of elements in the output, (m,), with siblings that microdata calls ingredients as items."""
    lines = page.nodes_of_class(_PART)
    lines = lines[page.is_one_of(_LINES)[lines] & are_among(lines, nodes)]
    if not len(lines):
        return names
    (given,) = page.elements.columns(lines, ("itemprop",))
    found = lines[[(value or "").lower() in _ITEMS for value in given]]
    around = page.parent[found]
    found = found[np.bincount(around, minlength=len(page))[around] >= _SEVERAL] if len(found) else found
    if not len(found):
        return names
    items = frozenset(found.tolist())
    rows = zip(nodes.tolist(), names, strict=True)
    return ["li" if node in items and name in ("div", "p") else name for node, name in rows]


def counted_steps(page: Page) -> dict[int, str]:
    """Return text node -> what stands for it, for the numbers of steps: with a full stop, "" if it is said before."""
    counters = page.nodes_of_class(_COUNTER)
    if not len(counters):
        return {}
    texts, found, last = has_ink(page).nonzero()[0], dict[int, str](), 0
    in_heading = page.within_at(page.nodes_of(_HEADINGS), texts)
    places = zip(texts.searchsorted(counters).tolist(), texts.searchsorted(page.end[counters]).tolist(), strict=True)
    for first, end in places:
        text = page.text_of(int(texts[first])).strip() if end == first + 1 else ""
        if not _NUMBER.fullmatch(text) or int(text) != last + 1:
            continue
        last += 1
        before = page.text_of(int(texts[first - 1])).strip() if first else ""
        if not before.endswith(f" {text}") and (end == len(texts) or in_heading[first] or in_heading[end]):
            continue
        found[int(texts[first])] = "" if before.endswith(f" {text}") else f"{text}."
    return found if last >= _SEVERAL else {}
