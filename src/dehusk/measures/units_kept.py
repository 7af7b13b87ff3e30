"""Whether tables, lists and records are kept as a whole.

A tool that keeps half of a list misleads: what it returns looks complete. So the measure looks at the units of which a
tool keeps something, and counts those of which it keeps everything. Units that are dropped as a whole, such as menus,
do not count, neither do units with a single block or a single member. Units are those of
`dehusk.blocks.units.find_units`.

A unit is **whole** if all of its blocks are kept. It is **full** if something of each of its members is kept: of each
row of a table, each item of a list, each record of a list of records. A list of posts without their "Reply" links is
full but not whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dehusk.blocks.units import UNIT_KINDS
from dehusk.measures.metrics import Counts

if TYPE_CHECKING:
    import numpy.typing as npt

    from dehusk.blocks.units import Units
    from dehusk.read.page import Bools


@dataclass(frozen=True, slots=True)
class UnitCounts(Counts):
    """Counts of units of which something is kept.

    Attributes:
        begun: units with a kept block.
        full: of these, units of which each member has a kept block; units without members count as full.
        whole: of these, units of which all blocks are kept.
    """

    begun: int = 0
    full: int = 0
    whole: int = 0

    @property
    def full_share(self) -> float:
        """Share of the units begun that are full; 1 if none is begun."""
        return self.full / self.begun if self.begun else 1.0

    @property
    def whole_share(self) -> float:
        """Share of the units begun that are whole; 1 if none is begun."""
        return self.whole / self.begun if self.begun else 1.0


@dataclass(frozen=True, slots=True)
class Completeness(Counts):
    """Counts of the units of pages; see `completeness`.

    Attributes:
        tables: tables of data.
        rows: their rows.
        lists: lists, their items being the members.
        records: lists of records, such as threads and hits.
    """

    tables: UnitCounts = UnitCounts()
    rows: UnitCounts = UnitCounts()
    lists: UnitCounts = UnitCounts()
    records: UnitCounts = UnitCounts()


def completeness(units: Units, kept: Bools, *, counted: Bools | None = None) -> Completeness:
    """Count the tables, rows, lists and lists of records of a page that are begun, full and whole.

    Args:
        units: the u units of the page.
        kept: (b,) whether each block of the page is kept.
        counted: (b,) which blocks count; all if not given. Text cannot show whether a block without a word is kept.

    Raises:
        ValueError: `kept` or `counted` does not have one value per block.
    """
    counted = np.ones(len(units.unit_of), dtype=np.bool_) if counted is None else counted
    if not len(kept) == len(counted) == len(units.unit_of):
        raise ValueError(f"kept and counted need {len(units.unit_of)} values, not {len(kept)} and {len(counted)}")
    sizes, kept_blocks = (_blocks_in(units, mask) for mask in (counted, kept & counted))
    is_member = np.isin(units.kind, [UNIT_KINDS.index(name) for name in ("row", "item", "record")])
    is_lost = is_member & (kept_blocks == 0) & (sizes > 0)
    lost = np.bincount(units.parent[is_lost] + 1, minlength=len(units) + 1)[1:]
    begun = (kept_blocks > 0) & (sizes > 1)
    full, whole = begun & (lost == 0), begun & (kept_blocks == sizes)

    def count(name: str, members: int) -> UnitCounts:
        chosen = (units.kind == UNIT_KINDS.index(name)) & (units.members >= members)
        return UnitCounts(*(int((mask & chosen).sum()) for mask in (begun, full, whole)))

    return Completeness(count("table", 2), count("row", 0), count("list", 2), count("records", 2))


def _blocks_in(units: Units, mask: Bools) -> npt.NDArray[np.int64]:
    """Return how many of the masked blocks are in each unit, shape (u,)."""
    before = np.zeros(len(mask) + 1, dtype=np.int64)
    np.cumsum(mask, out=before[1:])
    return before[units.end] - before[units.first]
