"""Blocks that are alike: at the same place of the page's design, or the same field of other records.

The place of a block is its slot (`dehusk.counts.slots`), which pages of one site share; so what is labelled on one page
can be labelled on all of them. Within a page, the field of a record (`dehusk.blocks.units`) counts as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from dehusk.base.caching import Latest
from dehusk.base.errors import DehuskError
from dehusk.base.hashing import Keys
from dehusk.blocks import Blocks
from dehusk.blocks.units import UNIT_KINDS, fields, find_units
from dehusk.compiled.text import text_key
from dehusk.counts.slots import block_slots
from dehusk.studio.bodies import read_body
from dehusk.studio.outcome import check_block
from dehusk.studio.project import Project

_EXCERPT = 100  # characters of a text in a preview
_MOST_KNOWN = 2_000  # pages whose places stay in memory


class UnitAround(NamedTuple):
    """A unit that contains some blocks."""

    kind: str
    first: int
    end: int


@dataclass(frozen=True)
class DesignPlaces:
    """Where the blocks of a page stand in the design of its site."""

    slot: Keys
    """(b,) place of each block."""
    text: Keys
    """(b,) key of each block's text."""
    excerpts: tuple[str, ...]

    @classmethod
    def of(cls, blocks: Blocks) -> DesignPlaces:
        """Return the places of the blocks of a page."""
        texts = np.array([text_key(" ".join(text.split())) for text in blocks.texts], dtype=np.uint64)
        return cls(block_slots(blocks), texts, tuple(text[:_EXCERPT] for text in blocks.texts))

    def like(self, other: DesignPlaces, blocks: Sequence[int], *, same_text: bool) -> list[int]:
        """Return the blocks of this page that are at the places of some blocks of another page, ascending.

        Args:
            other: the other page.
            blocks: its blocks.
            same_text: whether they must have the same texts too.
        """
        if not same_text:
            return _positions(np.isin(self.slot, other.slot[list(blocks)]))
        wanted = set(zip(other.slot[list(blocks)].tolist(), other.text[list(blocks)].tolist(), strict=True))
        own = zip(self.slot.tolist(), self.text.tolist(), strict=True)
        return [block for block, key in enumerate(own) if key in wanted]


def alike_on_page(blocks: Blocks, chosen: Sequence[int]) -> list[int]:
    """Return the blocks at the same places or in the same fields of records as some blocks, ascending.

    Raises:
        NoBlockError: there is no such block.
    """
    index = _checked(chosen, len(blocks))
    slot, field = block_slots(blocks), fields(blocks)
    of_chosen = field[index]
    return _positions(np.isin(slot, slot[index]) | np.isin(field, of_chosen[of_chosen >= 0]))


def units_around(blocks: Blocks, chosen: Sequence[int]) -> list[UnitAround]:
    """Return the units that contain all of some blocks and others, the smallest first.

    Raises:
        NoBlockError: there is no such block.
    """
    index = _checked(chosen, len(blocks))
    if not index:
        return []
    units, first, last = find_units(blocks), min(index), max(index)
    found: list[UnitAround] = []
    unit = int(units.unit_of[first])
    while unit >= 0:
        around = UnitAround(UNIT_KINDS[units.kind[unit]], int(units.first[unit]), int(units.end[unit]))
        if found and found[-1][1:] == around[1:]:
            found[-1] = around  # a section that is a whole record is a record
        elif around.end > last and around.end - around.first > len(set(index)):
            found.append(around)
        unit = int(units.parent[unit])
    return found


class SitePlaces:
    """Finds blocks that are alike on the pages of a site; safe to use from several threads."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._known: Latest[int, DesignPlaces] = Latest(_MOST_KNOWN)

    def pages_of_site(self, page: int) -> list[int]:
        """Return the other pages of a page's site: of its host, or without one of its input.

        Raises:
            KeyError: there is no such page.
        """
        row = self._project.page_row(page, "SELECT host, input FROM page WHERE id = ?")
        condition, value = ("host = ?", row["host"]) if row["host"] else ("host = '' AND input = ?", row["input"])
        query = f"SELECT id FROM page WHERE {condition} AND id != ? ORDER BY id"  # noqa: S608 (of two constants)
        return [found["id"] for found in self._project.reading.execute(query, (value, page))]

    def places(self, page: int) -> DesignPlaces:
        """Return the places of a page's blocks.

        Raises:
            KeyError: there is no such page.
            InputError: its file cannot be read, or has changed.
        """
        return self._known.get(page, lambda: self._read(page))

    def _read(self, page: int) -> DesignPlaces:
        return DesignPlaces.of(read_body(self._project, page).blocks())

    def preview(
        self, page: int, blocks: Sequence[int], pages: Sequence[int], *, same_text: bool
    ) -> list[dict[str, Any]]:
        """Return what some other pages have that is like blocks of a page, as plain values.

        A page that cannot be read has an error instead of blocks; pages without such blocks are left out.

        Raises:
            KeyError: there is no such page or block (NoBlockError).
            InputError: the first page cannot be read.
        """
        own = self.places(page)
        chosen = _checked(blocks, len(own.slot))
        return [row for other in pages if (row := self._row(other, own, chosen, same_text=same_text))]

    def _row(self, page: int, own: DesignPlaces, chosen: list[int], *, same_text: bool) -> dict[str, Any] | None:
        row = self._project.page_row(page, "SELECT title, name, url FROM page WHERE id = ?")
        head = {"page": page, "title": row["title"] or row["name"] or row["url"]}
        try:
            places = self.places(page)
        except DehuskError as error:
            return head | {"error": str(error)}
        found = places.like(own, chosen, same_text=same_text)
        texts = [places.excerpts[block] for block in found]
        return head | {"blocks": found, "texts": texts, "size": len(places.slot)} if found else None


def _checked(chosen: Sequence[int], size: int) -> list[int]:
    for block in chosen:
        check_block(block, size)
    return list(chosen)


def _positions(mask: np.typing.NDArray[np.bool_]) -> list[int]:
    return [int(block) for block in np.flatnonzero(mask)]
