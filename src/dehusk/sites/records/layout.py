"""Layout: which places of a template hold fields, and which value of a record belongs to which place."""

from dataclasses import dataclass

import numpy as np

from dehusk.base.hashing import Keys, contains, pair_keys
from dehusk.blocks.units.keys import Indices, distinct
from dehusk.read.page import Bools
from dehusk.sites.records.lexicon import CONSTANT, SINGLE
from dehusk.sites.records.runs import Runs, ranks

MIN_SHARE, MIN_RECORDS = 0.1, 3
"""Share and number of the records that must have a value in a place without a label; of few records, two must."""
PARAGRAPH = 8
"""Values of so many words on average are paragraphs, which are not told apart by their order."""
SEVERAL = 0.02
"""A label has several values if two records, and this share of them, have several after it."""
SAME_NUMBER, MAX_NUMBER = 0.8, 6
"""Values in one place are told apart by their order if so many of the records have the same number of them, which is
at most the second, and they are not in items of a list."""


@dataclass(frozen=True, eq=False)
class Layout:
    """The q places of a template that hold fields; all columns are sorted keys."""

    by_heading: Keys
    """Paths whose values are told apart by the heading before them."""
    by_order: Keys
    """Paths, or pairs of path and heading, whose values are told apart by their order."""
    places: Keys
    """(q,) keys of the places."""
    many: Bools
    """(q,) whether a record can have several values in each place."""

    def keys(self, runs: Runs) -> Keys:
        """Return the key of the place of each run, shape (r,)."""
        keys = _with_headings(runs, self.by_heading)
        return _with_order(runs, keys, self.by_order)

    def place_of(self, runs: Runs) -> Indices:
        """Return the index of the place of each run, -1 if it is in no known place, shape (r,)."""
        keys = self.keys(runs)
        if not len(self.places):
            return np.full(len(runs), -1)
        found = np.minimum(self.places.searchsorted(keys), len(self.places) - 1)
        return np.where(self.places.take(found) == keys, found, -1)


@dataclass(frozen=True)
class Omitted:
    """Values in places that are no columns, and why."""

    rare: int
    """Places without a label that too few records have."""
    constant: int
    """Places of which the text does not vary."""
    surplus: int = 0
    """Columns beyond the number that the user allows."""


def learn_layout(runs: Runs, texts: Keys, records: int) -> tuple[Layout, Omitted]:
    """Learn which places hold fields.

    Args:
        runs: the values of all records.
        texts: (r,) key of the text of each.
        records: number of records.
    """
    unlabelled = runs.label < 0
    repeated = ~_is_single(runs, runs.key) & unlabelled
    by_heading = np.unique(runs.key[repeated])
    keys = _with_headings(runs, by_heading)
    ordered = ~_is_single(runs, keys) & unlabelled & _same_number(runs, keys) & ~runs.pieces.is_item.take(runs.first)
    ordered &= ~_are_long(runs, keys)
    by_order = np.unique(keys[ordered])
    keys = _with_order(runs, keys, by_order)
    lead, _, _ = distinct(keys)
    in_records = _records(runs, keys)[lead]
    varies = _varies(texts, keys, runs.record, in_records)
    labelled = runs.label[lead] >= 0
    enough = in_records >= np.where(
        labelled, 2, np.maximum(min(MIN_RECORDS, max(2, records // 3)), MIN_SHARE * records)
    )
    chosen = enough & varies
    many = ~_is_single(runs, keys)[lead] | (labelled & _are_several(runs, keys))
    omitted = Omitted(int((~enough).sum()), int((enough & ~varies).sum()))
    return Layout(by_heading, by_order, keys[lead][chosen], many[chosen]), omitted


def _records(runs: Runs, keys: Keys) -> Indices:
    """Return how many records have the key of each run, shape (r,)."""
    _, number, _ = distinct(keys)
    lead, _, _ = distinct(number * (int(runs.record.max(initial=0)) + 1) + runs.record)
    return np.bincount(number[lead], minlength=1).take(number) if len(keys) else number


def _is_single(runs: Runs, keys: Keys) -> Bools:
    """Return whether records have one run with the key of each run, shape (r,)."""
    _, number, size = distinct(keys)
    mask: Bools = size.take(number) <= SINGLE * _records(runs, keys)
    return mask


def _are_several(runs: Runs, keys: Keys) -> Bools:
    """Return for each key, ascending, whether several records have several runs with it."""
    _, number, _ = distinct(keys)
    lead, _, size = distinct(number * (int(runs.record.max(initial=0)) + 1) + runs.record)
    several = np.bincount(number[lead], weights=size > 1, minlength=1)
    mask: Bools = several >= np.maximum(2, SEVERAL * np.bincount(number[lead], minlength=1))
    return mask if len(keys) else np.zeros(0, dtype=np.bool_)


def _are_long(runs: Runs, keys: Keys) -> Bools:
    """Return whether the runs with the key of each are paragraphs rather than fields, shape (r,)."""
    before = np.append(0, np.cumsum(runs.pieces.words))
    _, number, size = distinct(keys)
    words = np.bincount(number, weights=before.take(runs.last + 1) - before.take(runs.first), minlength=len(size))
    mask: Bools = (words >= PARAGRAPH * size).take(number)
    return mask


def _same_number(runs: Runs, keys: Keys) -> Bools:
    """Return whether nearly all records have the same small number of runs with the key of each, shape (r,)."""
    if not len(keys):
        return np.zeros(0, dtype=np.bool_)
    _, number, _ = distinct(keys)
    lead, _, size = distinct(number * (int(runs.record.max(initial=0)) + 1) + runs.record)
    of = number[lead]
    counted = np.zeros((int(number.max()) + 1, MAX_NUMBER + 1), dtype=np.intp)
    small = size <= MAX_NUMBER
    np.add.at(counted, (of[small], size[small]), 1)
    alike: Bools = counted.max(axis=1) >= SAME_NUMBER * np.bincount(of)
    return alike.take(number)


def _varies(texts: Keys, keys: Keys, record: Indices, in_records: Indices) -> Bools:
    """Return which places, in the order of their keys, do not have the same text in nearly all of their records."""
    _, number, _ = distinct(keys)
    _, pair, _ = distinct(pair_keys(keys, texts))
    lead, _, _ = distinct(pair * (int(record.max(initial=0)) + 1) + record)
    frequency = np.bincount(pair[lead], minlength=1)
    top = np.zeros(len(in_records), dtype=np.intp)
    if len(keys):
        np.maximum.at(top, number, frequency.take(pair))
    mask: Bools = top <= np.minimum(CONSTANT * in_records, in_records - 1)
    return mask


def _with_headings(runs: Runs, by_heading: Keys) -> Keys:
    chosen = contains(by_heading, runs.key) & (runs.label < 0)
    return np.where(chosen, pair_keys(runs.key, runs.heading_key), runs.key)


def _with_order(runs: Runs, keys: Keys, by_order: Keys) -> Keys:
    chosen = contains(by_order, keys) & (runs.label < 0)
    if not chosen.any():
        return keys
    return np.where(chosen, pair_keys(keys, ranks(runs.record, keys).astype(np.uint64)), keys)
