"""Paths of elements that pages of one design share: the tag and first class, or else the id, of each element above.

Digits and identifiers in classes and ids do not count (`dehusk.counts.display`), nor does the class of the body. The
key of a path is a sum over its elements, each times a power that depends on its depth, so that one cumulative sum
yields all paths, and the path below any element is a difference times a power.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dehusk.base.caching import cached_per_object
from dehusk.base.hashing import Keys, mix, pair_keys
from dehusk.base.tags import numbers
from dehusk.blocks.units.keys import Indices
from dehusk.compiled.text import text_key
from dehusk.counts.display import normalise_attribute, tag_keys
from dehusk.counts.slots import path_sums
from dehusk.read.page import Page
from dehusk.read.xpath import ordinals

_BASE = 0x9E3779B97F4A7C15
_INVERSE = pow(_BASE, -1, 1 << 64)
_CELLS = numbers("td th")


@dataclass(frozen=True, eq=False)
class ElementPaths:
    """The paths of the n nodes of a page; a text node has that of its element."""

    loose: Keys
    """(n,) key of the path."""
    exact: Keys
    """(n,) key of the path with the index of each table cell in its row."""

    def below(self, page: Page, roots: Indices, nodes: Indices, *, exact: bool) -> Keys:
        """Return the key of the path from each root, itself included, to each node inside it, shape (k,)."""
        sums, depth = self.exact if exact else self.loose, page.depth
        outside = np.where(roots > 0, sums.take(np.maximum(page.parent.take(roots), 0)), np.uint64(0))
        inverse = _powers(_INVERSE, int(depth.max(initial=0)) + 1)
        return mix((sums.take(nodes) - outside) * inverse.take(depth.take(roots)))


@cached_per_object
def element_paths(page: Page) -> ElementPaths:
    """Return the paths of a page's nodes."""
    if not len(page):
        return ElementPaths(np.zeros(0, np.uint64), np.zeros(0, np.uint64))
    elements = np.flatnonzero(~page.is_text)
    signature = pair_keys(tag_keys(page, elements), _names(page, elements))
    power = _powers(_BASE, int(page.depth.max()) + 1).take(page.depth.take(elements))
    is_cell = page.is_one_of(_CELLS).take(elements)
    index = np.where(is_cell, ordinals(page).take(elements), 0).astype(np.uint64)
    loose, exact = mix(signature) * power, pair_keys(signature, index) * power
    return ElementPaths(path_sums(page, elements, loose), path_sums(page, elements, exact))


def _names(page: Page, elements: Indices) -> Keys:
    """Return the key of the first class of each element, or else of its id; 0 if it has neither, shape (e,)."""
    classes = np.array([class_key(names) for names in page.class_names] or [0], dtype=np.uint64)
    ids = np.array([name_key(f"#{name}" if name else "") for name in page.id_names] or [0], dtype=np.uint64)
    of_class, of_id = classes.take(page.class_code.take(elements)), ids.take(page.id_code.take(elements))
    found = np.where(of_class > 0, of_class, of_id)
    found[:1] = 0  # the body's names the page
    return found


def first_name(names: str) -> str:
    """Return the first of the names separated by white space, "" if there is none."""
    return (names.split(maxsplit=1) or ("",))[0]


@lru_cache(maxsize=1 << 12)
def class_key(names: str) -> int:
    """Return the key of the first of the classes separated by white space."""
    return name_key(first_name(names))


@lru_cache(maxsize=1 << 14)
def name_key(name: str) -> int:
    """Return the key of a class or id without what differs between pages; 0 if nothing remains."""
    reduced = normalise_attribute("class", name)
    return text_key(reduced) if reduced.strip(".#0") else 0


@lru_cache(maxsize=8)
def _powers(base: int, number: int) -> Keys:
    powers: Keys = np.multiply.accumulate(np.append(np.uint64(1), np.full(number, base, dtype=np.uint64)))
    return powers
