"""`lexicon.*` and `nearby.*`: words in the class and id attributes of the elements around a block; not in the thesis.

Names can mislead (a class "toolbar" may contain code), so they are evidence and never a rule. A page has about a
thousand names that no other page has, so array operations first select the few parts that may match a word.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_per_object
from dehusk.compiled import features
from dehusk.compiled.features import lexicon_features, nearby_features
from dehusk.label.features.family import Family

_EXACT = 3  # words up to this length must be the whole part: "ad" must not match "address"
_LOWER, _UPPER = 1, 2
_CASE = np.zeros(256, dtype=np.uint8)
_CASE[ord("a") : ord("z") + 1], _CASE[ord("A") : ord("Z") + 1] = _LOWER, _UPPER
_START, _INSIDE = 1, 2
_LETTERS = 4  # first letters of a part that its code contains; a letter is five bits, a missing one is 0


def _role(before: int, previous: int, case: int) -> int:
    """Return whether a character with the given case, after two others, starts a part or is inside one; else 0."""
    if case == _UPPER:
        return _INSIDE if previous == _UPPER else _START
    follows_single_capital = previous == _UPPER and before != _UPPER
    return 0 if not case else _INSIDE if previous == _LOWER or follows_single_capital else _START


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
