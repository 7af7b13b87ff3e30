"""The units of a page that its method is least sure of: found when the page is cleaned, kept for the queue.

A unit is the outermost one around a block, of any kind but a section, that is kept or dropped as a whole: a table, a
post, a run of paragraphs; of a list that is kept in part, each item. A block in no such unit is one by itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from sqlite3 import Connection
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks, segment
from dehusk.blocks.units import UNIT_KINDS, find_units
from dehusk.compiled.text import text_key
from dehusk.counts.slots import block_slots
from dehusk.document import Document
from dehusk.studio.outcome import BlockOutcome, block_outcome

UNSURE = 0.25
"""Units whose probability is at most this far from 1/2 are unsure."""
_MOST = 20  # units of a page
_SIGNED = 1 << 63
_KINDS = (*UNIT_KINDS, "block")  # -1: the last one


class UnsureUnit(NamedTuple):
    """A unit of a page, as the database has it."""

    first: int
    """Its first common block."""
    stop: int
    """One past its last block."""
    kind: str
    """One of `UNIT_KINDS`, or "block"."""
    probability: float
    """Mean probability of its blocks."""
    kept: bool
    template: int
    """Key of its place in the design of the site."""
    text: int
    """Key of its text."""


def find_unsure(document: Document) -> tuple[UnsureUnit, ...]:
    """Return the unsure units of a page, and in any case the least sure one, the least sure first.

    Units that have no words, or that readers of the page do not see, are left out.
    """
    outcome, blocks = block_outcome(document), segment(document.page)
    if not len(blocks):
        return ()
    bounds, kind = _bounds(blocks, outcome)
    size = np.diff(bounds)
    mean = np.add.reduceat(outcome.probability, bounds[:-1]) / size
    hidden = np.isin(outcome.own, list(document.labels.hidden))
    can_be_asked = np.add.reduceat(blocks.words * ~hidden, bounds[:-1]) > 0
    order = [unit for unit in np.argsort(abs(mean - 0.5), kind="stable").tolist() if can_be_asked[unit]]
    chosen = [unit for place, unit in enumerate(order[:_MOST]) if not place or abs(mean[unit] - 0.5) <= UNSURE]
    slots = block_slots(blocks)
    return tuple(
        UnsureUnit(
            first := int(bounds[unit]),
            stop := int(bounds[unit + 1]),
            _KINDS[kind[unit]],
            round(float(mean[unit]), 4),
            bool(outcome.kept[first]),
            int(slots[first]) - _SIGNED,
            text_key(" ".join(" ".join(blocks.texts[first:stop]).split())) - _SIGNED,
        )
        for unit in chosen
    )


def _bounds(blocks: Blocks, outcome: BlockOutcome) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return where units begin, and the number of blocks, shape (u + 1,); and their kinds, (u,)."""
    units, kept = find_units(blocks), np.concatenate(([0], np.cumsum(outcome.kept)))
    number = kept[units.end] - kept[units.first]
    is_whole = (number == 0) | (number == units.end - units.first)
    is_whole &= units.kind != UNIT_KINDS.index("section")
    begins, kind = np.ones(len(blocks) + 1, dtype=np.bool_), np.full(len(blocks), -1, dtype=np.intp)
    for unit in np.flatnonzero(is_whole)[::-1].tolist():  # what is around a unit comes after it, and replaces it
        first, end = int(units.first[unit]), int(units.end[unit])
        begins[first + 1 : end], kind[first] = False, units.kind[unit]
    bounds = begins.nonzero()[0]
    return bounds, kind[bounds[:-1]]


def store_unsure(connection: Connection, page: int, units: Iterable[UnsureUnit]) -> None:
    """Store the units of a page in the place of its earlier ones."""
    connection.execute("DELETE FROM unsure WHERE page = ?", (page,))
    connection.executemany("INSERT INTO unsure VALUES (?, ?, ?, ?, ?, ?, ?, ?)", [(page, *unit) for unit in units])
