"""Records: repeated sibling subtrees of like structure under one parent, such as posts, cards and rows of `div`s.

A record starts at a sibling whose signature (tag and first class without digits) repeats. Siblings with other
signatures belong to the record if the same ones follow most of the starts in the same order; others, such as
advertisements, stand between records.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from dehusk.base.tags import HEADINGS, PREFORMATTED
from dehusk.blocks.units.keys import Indices, distinct, run_starts, sums_before
from dehusk.blocks.units.segments import Cut, Row
from dehusk.blocks.units.skeleton import Skeleton, tag_table
from dehusk.read.page import Bools

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


def _resolved(tree: Skeleton, row: Row, records: Cut) -> Records:
    """Return records as elements and blocks."""
    start, last = row.element[records.start], row.element[records.stop - 1]
    lead = _first_index(records.list_of, int(records.list_of.max(initial=-1)) + 1)
    part = row.element[records.part]
    lead_of_kind, kind, _ = distinct(row.kind[records.part])
    return Records(
        first=tree.first[start],
        end=tree.end[last],
        start=start,
        list_of=records.list_of,
        parent=row.parent[records.start[lead]],
        part=part,
        part_list=records.list_of[records.record_of],
        part_kind=tree.signature[part[lead_of_kind]][kind],
    )


def _first_index(group: Indices, number: int) -> Indices:
    """Return the index of the first member of each group."""
    first = np.zeros(number, dtype=np.intp)
    first[group[::-1]] = np.arange(len(group))[::-1]
    return first


def _starts(row: Row, good: Bools, headed: Cut) -> tuple[Indices, Indices]:
    """Return the positions at which records start, and the list of each.

    Groups of siblings that alternate form one list.
    """
    position = (row.kind < len(good)).nonzero()[0]
    position = position[good[row.kind[position]]]
    kind = row.kind[position]
    first, last = np.full(len(good), len(row.kind)), np.full(len(good), -1)
    np.minimum.at(first, kind, position)
    np.maximum.at(last, kind, position)
    covered = sums_before(headed.covers(len(row.kind)))
    groups = good.nonzero()[0]
    groups = groups[covered[last[groups] + 1] == covered[first[groups]]]
    groups = groups[first[groups].argsort(kind="stable")]
    reach = np.maximum.accumulate(last[groups])
    cluster = np.append(True, first[groups][1:] > reach[:-1])[: len(groups)].cumsum()
    size = np.bincount(kind, minlength=len(good))
    chosen = np.zeros(len(good), dtype=np.bool_)
    chosen[groups[_first_of_most(first[groups], size[groups], cluster)]] = True
    return position[chosen[kind]], kind[chosen[kind]]


def _first_of_most(first: Indices, size: Indices, cluster: Indices) -> Indices:
    """Return the index of the group in each cluster that starts its records.

    It is the first of those that have at least `MAIN_STARTS` times as many members as the largest. The groups of a
    cluster come first before those of the next.
    """
    order = first.argsort()
    starts = run_starts(cluster[order])
    size, number = size[order], starts.cumsum() - 1
    largest = np.maximum.reduceat(size, starts.nonzero()[0])
    enough: Indices = (size >= MAIN_STARTS * largest[number]).nonzero()[0]
    return order[enough[run_starts(number[enough])]]
