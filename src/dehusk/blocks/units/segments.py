"""Siblings cut into records: each starts at a given sibling and has the parts that follow most of the starts."""

from dataclasses import dataclass

import numpy as np

from dehusk.blocks.units.keys import Indices, distinct, numbered, run_starts, sums_before
from dehusk.blocks.units.likeness import Siblings
from dehusk.blocks.units.skeleton import Skeleton
from dehusk.read.page import Bools

MIN_PARTS = 0.6
"""Siblings of a signature belong to the records if they follow this share of the starts."""


@dataclass(frozen=True, eq=False)
class Row:
    """The s elements that can be parts of records in one row: siblings in order, one parent after the other."""

    element: Indices
    """(s,) element of the skeleton at each position."""
    parent: Indices
    """(s,) its parent."""
    kind: Indices
    """(s,) its group of like siblings, or a higher number for each parent and signature outside of groups."""

    @classmethod
    def of(cls, tree: Skeleton, siblings: Siblings, free: Bools) -> "Row":
        """Return the row of all free elements of a skeleton but the body."""
        kind = np.full(len(tree), -1)
        kind[siblings.element] = siblings.group
        others = (free & (kind < 0)).nonzero()[0]
        key = tree.parent[others] * tree.n_signatures + tree.signature[others]
        kind[others] = distinct(key)[1] + len(siblings.size)
        element = free.nonzero()[0]
        element = element[tree.parent[element] >= 0]
        element = element[tree.parent[element].argsort(kind="stable")]
        return cls(element, tree.parent[element], kind[element])


@dataclass(frozen=True, eq=False)
class Cut:
    """Lists of records: r records in l lists, made of q parts; all are positions in a `Row`."""

    start: Indices
    """(r,) position of the first part of each record."""
    stop: Indices
    """(r,) one past the position of its last part."""
    list_of: Indices
    """(r,) list of each record, 0 to l - 1."""
    part: Indices
    """(q,) positions of the parts of all records, their starts included."""
    record_of: Indices
    """(q,) record of each part."""

    def only(self, lists: Bools) -> "Cut":
        """Return the cut with some of the lists, by a mask of shape (l,)."""
        records = lists[self.list_of]
        parts = records[self.record_of]
        number = records.cumsum() - 1
        lists_left = (lists.cumsum() - 1)[self.list_of[records]]
        return Cut(self.start[records], self.stop[records], lists_left, self.part[parts], number[self.record_of[parts]])

    def starts_only(self, lists: Bools) -> "Cut":
        """Return the cut with records of one part in some of the lists, by a mask of shape (l,)."""
        short = lists[self.list_of]
        parts = ~short[self.record_of] | (self.part == self.start[self.record_of])
        stop = np.where(short, self.start + 1, self.stop)
        return Cut(self.start, stop, self.list_of, self.part[parts], self.record_of[parts])

    def joined(self, other: "Cut") -> "Cut":
        """Return the cut with the lists of both."""
        if not len(self.start):
            return other
        lists = int(self.list_of.max(initial=-1)) + 1
        return Cut(
            np.append(self.start, other.start),
            np.append(self.stop, other.stop),
            np.append(self.list_of, other.list_of + lists),
            np.append(self.part, other.part),
            np.append(self.record_of, other.record_of + len(self.start)),
        )

    def covers(self, size: int) -> Bools:
        """Return which positions of the row, shape (size,), are in a record."""
        change = np.bincount(self.start, minlength=size + 1) - np.bincount(self.stop, minlength=size + 1)
        mask: Bools = change[:-1].cumsum() > 0
        return mask


def cut(row: Row, start: Indices, list_of: Indices, *, every: bool = False) -> Cut:
    """Cut the siblings that follow each start into records.

    Args:
        row: the siblings.
        start: (r,) positions of the starts, ascending.
        list_of: (r,) a number for the list of each start; the starts of a list are siblings, and lists do not overlap.
        every: make all siblings up to the next start parts of the record.
    """
    if not len(start):
        none = np.zeros(0, dtype=np.intp)
        return Cut(none, none, none, none, none)
    list_of = numbered(list_of, int(list_of.max()) + 1)
    position = np.arange(len(row.kind))
    record = start.searchsorted(position, "right") - 1
    follows = (record >= 0) & (row.parent == row.parent[start[record]])
    position, record = position[follows], record[follows]
    if not every:
        is_part = _are_parts(row, position, record, list_of)
        is_last = np.append(list_of[1:] != list_of[:-1], True)
        is_part &= ~is_last[record] | _in_last(position, record, is_part, start, is_last, list_of)
        position, record = position[is_part], record[is_part]
    stop = np.zeros(len(start), dtype=np.intp)
    stop[record] = position + 1  # the last one stays
    return Cut(start, stop, list_of, position, record)


def _are_parts(row: Row, position: Indices, record: Indices, list_of: Indices) -> Bools:
    """Return which siblings have a signature that most records of the list have."""
    kind = row.kind[position]
    kinds = int(kind.max(initial=0)) + 1
    once, pair, _ = distinct(record * kinds + kind)
    list_of_pair = list_of[record[once]]
    lead, number, count = distinct(list_of_pair * kinds + kind[once])
    usual = (count > 1) & (count >= MIN_PARTS * np.bincount(list_of)[list_of_pair[lead]])
    found: Bools = usual[number[pair]] | run_starts(record)
    return found


def _in_last(
    position: Indices, record: Indices, is_part: Bools, start: Indices, is_last: Bools, list_of: Indices
) -> Bools:
    """Return which siblings are near enough to the start of their record if it is the last of its list.

    The last record ends before the first sibling that is no part, and is no longer than the longest of the others.
    """
    others = (~is_last).nonzero()[0]
    longest = np.ones(int(list_of.max()) + 1, dtype=np.intp)
    np.maximum.at(longest, list_of[others], start[others + 1] - start[others])
    strangers = sums_before(~is_part)
    first = record.searchsorted(np.arange(len(start)))
    unbroken = strangers[1:] == strangers[first[record]]
    near: Bools = unbroken & (position - start[record] < longest[list_of[record]])
    return near
