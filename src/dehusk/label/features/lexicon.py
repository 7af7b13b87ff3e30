"""`lexicon.*` and `nearby.*`: words in the class and id attributes of the elements around a block; not in the thesis.

Names can mislead (a class "toolbar" may contain code), so they are evidence and never a rule. A page has about a
thousand names that no other page has, so array operations first select the few parts that may match a word.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from operator import attrgetter

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_per_object
from dehusk.base.hashing import Keys, span_keys
from dehusk.compiled import features
from dehusk.compiled.features import lexicon_features, nearby_features
from dehusk.label.features.family import Family

_EXACT = 3  # words up to this length must be the whole part: "ad" must not match "address"
_LOWER, _UPPER = 1, 2
_CASE = np.zeros(256, dtype=np.uint8)
_CASE[ord("a") : ord("z") + 1], _CASE[ord("A") : ord("Z") + 1] = _LOWER, _UPPER
_CASES = _CASE.tobytes()  # a table for bytes, which look up in less time than arrays
_START, _INSIDE = 1, 2
_LETTERS = 4  # first letters of a part that its code contains; a letter is five bits, a missing one is 0


def _role(before: int, previous: int, case: int) -> int:
    """Return whether a character with the given case, after two others, starts a part or is inside one; else 0."""
    if case == _UPPER:
        return _INSIDE if previous == _UPPER else _START
    follows_single_capital = previous == _UPPER and before != _UPPER
    return 0 if not case else _INSIDE if previous == _LOWER or follows_single_capital else _START


_ROLE = np.array([_role(*cases) for cases in product(range(3), repeat=3)], dtype=np.uint8)
"""Role of a character by its case and those of the two before it, as three digits of base 3."""
_ROLES = _ROLE.tobytes().ljust(256, b"\0")


name_bits = cached_per_object(features.bits_of_names)
"""Return for each class attribute, then for each id, one bit per set: whether it contains a word of the set."""


@dataclass(frozen=True, eq=False)
class NameParts:
    """The q parts of names: runs of letters, also divided at capitals, so that "topNav" has the parts top and nav."""

    source: npt.NDArray[np.uint8]
    """All names in ASCII, with a zero byte after each."""
    start: npt.NDArray[np.intp]
    """(q,) offset of each part in `source`."""
    end: npt.NDArray[np.intp]
    """(q,) one past its last letter."""
    first: npt.NDArray[np.intp]
    """(names + 1,) the first part of each name."""

    @classmethod
    def of(cls, names: tuple[str, ...]) -> NameParts:
        """Find the parts of names, which contain no zero bytes."""
        given = "\0".join((*names, "")).encode("ascii", "replace") + bytes(_LETTERS)
        source, case = (np.frombuffer(each, dtype=np.uint8) for each in (given, given.translate(_CASES)))
        pattern = case.copy()
        pattern[1:] += 3 * case[:-1]
        pattern[2:] += 9 * case[:-2]
        role = np.frombuffer(pattern.tobytes().translate(_ROLES), dtype=np.uint8)
        edges = (role != _INSIDE).nonzero()[0]
        starts = (role.take(edges) == _START).nonzero()[0]
        start, name_end = edges.take(starts), (source == 0).nonzero()[0][: len(names)]
        return cls(source, start, edges.take(starts + 1), np.append(0, start.searchsorted(name_end)))

    def keys(self) -> tuple[Keys, npt.NDArray[np.intp]]:
        """Return the keys of the parts, and where those of each name start, shape (names + 1,).

        Parts of a single letter are left out. Keys do not depend on case: "topNav" and "nav-top" share two.
        """
        long = (self.end - self.start > 1).nonzero()[0]
        keys = span_keys(self.source | np.uint8(32), self.start.take(long), self.end.take(long))
        return keys, long.searchsorted(self.first)


name_parts = cached_per_object(features.parts_of_names)
"""Return the parts of a page's class attributes, then of its id attributes."""


FAMILIES = (
    Family(
        lexicon_features,
        {
            "lexicon.*": "1 if the class or id of any element around the block contains a word configured under this "
            "name, else 0."
        },
        attrgetter("classes"),
    ),
    Family(
        nearby_features,
        {
            "nearby.*": "1 if the class or id of one of the three innermost elements around the block contains a word "
            "configured under this name, else 0."
        },
        attrgetter("classes"),
    ),
)
