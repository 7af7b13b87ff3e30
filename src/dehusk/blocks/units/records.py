"""Records: repeated sibling subtrees of like structure under one parent, such as posts, cards and rows of `div`s.

A record starts at a sibling whose signature (tag and first class without digits) repeats. Siblings with other
signatures belong to the record if the same ones follow most of the starts in the same order; others, such as
advertisements, stand between records.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from dehusk.base.tags import HEADINGS, PREFORMATTED
from dehusk.blocks.units.keys import Indices
from dehusk.blocks.units.skeleton import tag_table

ALIKE = 0.6
"""Siblings of one tag whose classes differ are alike if they share this part of the paths that each has below."""
MIN_PARTS = 0.6
"""Siblings of a signature belong to the records if they follow this share of the starts."""
MIN_RECORDS = 3
"""Members of a list of records, if they are not long or named like posts; then two are enough."""
LONG_RECORD = 40
"""Number of unlinked words in long records."""
MIN_COHESION = 0.5
"""Share of the paths below like siblings that at least half of them must have."""
MAIN_STARTS = 0.6
"""Of siblings that alternate, the first start records if they are this many times as many as the most frequent."""

_NO_RECORD = tag_table(
    ("p", "dt", "dd", "td", "th", "option", "optgroup", "thead", "caption", "colgroup", "figcaption", "body", "summary",
     "legend", *HEADINGS, *PREFORMATTED)
)  # fmt: skip
_HEADING, _P = tag_table(HEADINGS), tag_table("p")
_ARTICLE = tag_table("article")
_DEFINITIONS, _TERM = tag_table("dl"), tag_table("dt")


@dataclass(frozen=True, eq=False)
class Records:
    """The records of a page: r records in l lists, made of q parts."""

    first: Indices
    """(r,) first block of each record."""
    end: Indices
    """(r,) one past its last block."""
    start: Indices
    """(r,) element that each record starts with."""
    list_of: Indices
    """(r,) list of each record."""
    parent: Indices
    """(l,) element around each list."""
    part: Indices
    """(q,) elements that the records consist of: siblings."""
    part_list: Indices
    """(q,) list of each part."""
    part_kind: Indices
    """(q,) signature of each part; like parts of a list have the same."""


@cache
def no_records() -> Records:
    """Return no record, in no list."""
    none = np.zeros(0, dtype=np.intp)
    return Records(none, none, none, none, none, none, none, none)
