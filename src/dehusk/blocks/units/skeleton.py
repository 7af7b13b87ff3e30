"""The elements that contain text, the names that posts have in them, and keys of the paths between them.

Units are made of elements with text; all other nodes of a page are left out here, so that the columns stay short.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_per_object, cached_property
from dehusk.base.lazy import pattern
from dehusk.base.tags import HEADINGS, KNOWN, is_block_level, numbers
from dehusk.blocks.units.keys import FACTORS, Indices, Keys, mix, run_starts
from dehusk.compiled import blocks
from dehusk.read.page import Bools


def tag_table(names: tuple[str, ...] | frozenset[str] | str) -> Bools:
    """Return a mask over tag numbers that is true for the named tags; its last value is for all unknown tags."""
    table = np.zeros(KNOWN + 1, dtype=np.bool_)
    table[numbers(names)] = True
    return table


_CELL = tag_table("td th")
_HOLDER = np.append(is_block_level(), False) & ~tag_table("br hr")
_ANCHORED = tag_table(("a", "p", "li", "dt", "dd", "tr", "td", "th", *HEADINGS))  # their ids name single elements
_DIGITS, _NO_DIGITS = pattern("[0-9]+"), dict.fromkeys(range(ord("0"), ord("9") + 1))
_BASE = int(FACTORS[0])
_INVERSE = pow(_BASE, -1, 1 << 64)


POST_WORDS = ("entry", "post", "comment", "answer", "reply", "message", "msg", "review", "topic", "response")
_POST = pattern(
    rf"(?:^|.*[-_ ])(?:hentry|{'|'.join(POST_WORDS)})"
    r"(?:[-_]+(?:item|box|wrapper|wrap|row|container|block|node|card))*[\W_]*$",
    re.IGNORECASE,
)


@lru_cache(maxsize=10_000)  # pages of a site have the same names
def names_post(token: str) -> bool:
    """Return whether one class token or id names a post."""
    if token.isascii() and not any(map(token.lower().__contains__, POST_WORDS)):  # beyond ASCII, case folds
        return False
    return _POST.match(token) is not None


CHARS_PER_WORD = 6
"""Texts count as at least one word for as many characters, because Thai and others put no spaces between words."""


@dataclass(frozen=True, eq=False)
class Skeleton:
    """The m elements of a page in which a block starts, in document order; element 0 is the body."""

    node: Indices
    """(m,) node of each element."""
    tag: npt.NDArray[np.uint16]
    """(m,) tag number."""
    parent: Indices
    """(m,) the element around it, -1 for the body."""
    close: Indices
    """(m,) one past the last element inside."""
    first: Indices
    """(m,) first block that starts in the element."""
    end: Indices
    """(m,) one past the last block that starts in the element."""
    depth: Indices
    """(m,) number of elements around it."""
    signature: Indices
    """(m,) code of the tag with the first class token, or else the id of an element such as div, without digits."""
    n_tags: int
    """`signature % n_tags` is the tag number; `signature // n_tags` is 0 without a class token or id."""
    is_post: Bools
    """(m,) whether the class token or id of each element names a post, a comment or the like."""
    innermost: Indices
    """(b,) innermost element that contains each block."""
    is_holder: Bools
    """(m,) whether each element is block-level."""

    def __len__(self) -> int:
        return len(self.node)

    def has_tag(self, table: Bools) -> Bools:
        """Return which elements have one of the tags of a `tag_table`, shape (m,)."""
        return table.take(self._known_tag)

    @cached_property
    def _known_tag(self) -> Indices:
        """(m,) the tag number of each element, `KNOWN` for unknown tags."""
        return np.minimum(self.tag, KNOWN).astype(np.intp)

    def inside_of(self, mask: Bools) -> Indices:
        """Return how many elements of a mask each element lies in, itself included, shape (m,)."""
        change = np.zeros(len(self) + 1, dtype=np.intp)
        change[:-1] = mask
        change -= np.bincount(self.close[mask], minlength=len(self) + 1)
        return change[:-1].cumsum()

    def outermost(self, mask: Bools) -> Indices:
        """Return the outermost element of a mask that each element lies in, itself included, or -1, shape (m,)."""
        if not mask.any():
            return np.full(len(self), -1)
        return self._around((mask & (self.inside_of(mask) == 1)).nonzero()[0])

    def nearest(self, mask: Bools) -> Indices:
        """Return the innermost element of a mask that each element lies in, itself included, or -1, shape (m,)."""
        elements = mask.nonzero()[0]
        if (self.close.take(elements[:-1]) <= elements[1:]).all():
            return self._around(elements)
        pointer = np.append(self.parent, -1)
        pointer[elements] = elements
        for _ in range(int(self.depth.max()).bit_length()):  # see `Page.nearest`
            pointer = pointer.take(pointer)
        return pointer[:-1]

    def _around(self, elements: Indices) -> Indices:
        """Return which of some elements, none in another, each element lies in, itself included, or -1, shape (m,)."""
        change = np.zeros(len(self) + 1, dtype=np.intp)
        change[elements] = elements + 1
        change[self.close.take(elements)] -= elements + 1
        around: Indices = change[:-1].cumsum() - 1
        return around

    def ordinals(self, mask: Bools) -> Indices:
        """Return how many siblings of the same mask come before each element of it; 0 for other elements, (m,)."""
        elements, ordinal = mask.nonzero()[0], np.zeros(len(self), dtype=np.intp)
        if len(elements):
            elements = elements[self.parent[elements].argsort(kind="stable")]
            parent, index = self.parent[elements], np.arange(len(elements))
            starts = run_starts(parent)
            ordinal[elements] = index - np.maximum.accumulate(np.where(starts, index, 0))
        return ordinal

    @cached_property
    def holder(self) -> Indices:
        """(b,) innermost block-level element that contains each block."""
        return np.maximum(self.nearest(self.is_holder), 0).take(self.innermost)

    @cached_property
    def _path(self) -> Keys:
        """(m,) sum over the element and all around it of a hash of the signature times a power of the depth."""
        hashed: Keys = mix(self.signature)
        is_cell = self.has_tag(_CELL)
        if is_cell.any():  # cells of one row differ by their columns
            hashed = mix(hashed, self.ordinals(is_cell))
        hashed *= self.power.take(self.depth)
        change = np.append(hashed, np.uint64(0))
        np.subtract.at(change, self.close, hashed)
        path: Keys = change[:-1].cumsum(dtype=np.uint64)
        return path

    @cached_property
    def power(self) -> Keys:
        """(d,) the first powers of an odd number, at least one for each depth."""
        return _powers(_BASE, self._size)

    @cached_property
    def _size(self) -> int:
        """One more than the largest depth, rounded up to a power of two."""
        return 1 << int(self.depth.max(initial=0)).bit_length()

    def path_between(self, outer: Indices, inner: Indices) -> Keys:
        """Return a hash of the signatures below each outer element down to the inner one, the latter included, (k,).

        Equal paths have equal hashes, wherever on the page they start.
        """
        inverse = _powers(_INVERSE, self._size)
        path: Keys = (self._path.take(inner) - self._path.take(outer)) * inverse.take(self.depth.take(outer))
        return path


@lru_cache(maxsize=64)
def _powers(base: int, number: int) -> Keys:
    """Return the first powers of a number modulo 2 ** 64, from the first on."""
    powers: Keys = np.multiply.accumulate(np.full(number, base, dtype=np.uint64))
    return powers


skeleton_of = cached_per_object(blocks.skeleton_of)
"""Return the elements in which blocks start."""


def _first_words(names: list[str]) -> list[str]:
    """Return the first of the names separated by white space in each string, without digits."""
    firsts = [(words.split(None, 1) or ("",))[0] for words in names]
    joined = " ".join(firsts)
    return (joined.translate(_NO_DIGITS) if joined.isascii() else _DIGITS.sub("", joined)).split(" ")
