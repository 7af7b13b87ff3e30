"""Counts of a site's structure. They add up: any order and any split of the pages gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from dehusk.base.hashing import Keys
from dehusk.counts.table import Table
from dehusk.counts.tag_tree import INNER, TagNodes, tag_nodes
from dehusk.counts.terms import page_terms
from dehusk.read.page import Page

Columns = tuple[Keys, ...]

_MIN_PENDING = 1 << 16  # rows of words that are collected before they are sorted


@dataclass(frozen=True, eq=False)
class StructureCounts:
    """The elements of the pages of one site, in integers only, so that sums are exact."""

    name: ClassVar[str] = "structure"

    pages: int
    """Number of pages."""
    cut: str
    """How pages are cut into tag nodes; only counts of the same cut can be added."""
    elements: Table
    """(element, parent element, label, kind) -> tag nodes, m in the paper."""
    styles: Table
    """(element, presentation style) -> tag nodes with that style; inner elements only."""
    words: Table
    """(leaf element, word, occurrences) -> tag nodes with that many occurrences."""
    names: dict[int, str] = field(repr=False)
    """Label -> readable tag and display attributes."""
    vocabulary: dict[int, str] = field(repr=False)
    """Key -> word, in lower case."""

    @classmethod
    def of(cls, pages: Iterable[Page]) -> StructureCounts:
        """Return the counts of pages as `Site` has them; at least one page."""
        counter = StructureCounter()
        for page in pages:
            nodes = tag_nodes(page_terms(page))
            counter.add(nodes, nodes.ordinal_keys)
        return counter.counts()

    def __add__(self, other: StructureCounts) -> StructureCounts:
        return StructureCounts.total([self, other])

    @classmethod
    def total(cls, parts: Sequence[StructureCounts]) -> StructureCounts:
        """Return the sum of counts.

        Raises:
            ValueError: no counts, or counts of different cuts.
        """
        cuts = sorted({part.cut for part in parts})
        if len(cuts) != 1:
            raise ValueError(f"can only add counts of one cut, not of {len(cuts)}: {'; '.join(cuts)}")
        names: dict[int, str] = {}
        vocabulary: dict[int, str] = {}
        for part in parts:
            names |= part.names
            vocabulary |= part.vocabulary
        return cls(
            pages=sum(part.pages for part in parts),
            cut=cuts[0],
            elements=Table.total([part.elements for part in parts]),
            styles=Table.total([part.styles for part in parts]),
            words=Table.total([part.words for part in parts]),
            names=names,
            vocabulary=vocabulary,
        )

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the counts as named arrays, for `numpy.savez` or any other format; equal counts give equal bytes."""
        arrays: dict[str, npt.NDArray[Any]] = {"pages": np.array([self.pages]), "cut": _bytes([self.cut])}
        for name, table in (("elements", self.elements), ("styles", self.styles), ("words", self.words)):
            arrays[f"{name}_keys"], arrays[f"{name}_counts"] = table.keys, table.counts
        for name, texts in (("names", self.names), ("vocabulary", self.vocabulary)):
            keys = sorted(texts)
            arrays[f"{name}_keys"] = np.array(keys, dtype=np.uint64)
            arrays[f"{name}_texts"] = _bytes([texts[key] for key in keys])
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> StructureCounts:
        """Return counts from the arrays that `arrays` returned.

        Raises:
            ValueError: arrays are missing or inconsistent.
        """
        try:
            tables = [
                Table.stored(arrays[f"{name}_keys"], arrays[f"{name}_counts"], width)
                for name, width in (("elements", 4), ("styles", 2), ("words", 3))
            ]
            texts = [
                dict(zip(arrays[f"{name}_keys"].tolist(), _lines(arrays[f"{name}_texts"]), strict=True))
                for name in ("names", "vocabulary")
            ]
            pages, cut = int(arrays["pages"].item()), _lines(arrays["cut"])[0]
        except (KeyError, IndexError, ValueError) as error:
            raise ValueError(f"not the arrays of structure counts: {error!r}") from error
        elements, styles, words = tables
        return cls(pages, cut, elements, styles, words, names=texts[0], vocabulary=texts[1])


def _bytes(lines: Sequence[str]) -> npt.NDArray[np.uint8]:
    """Return lines as bytes; an array of strings would give every line the size of the longest."""
    return np.frombuffer("".join(f"{line}\n" for line in lines).encode(), dtype=np.uint8)


def _lines(data: npt.NDArray[np.uint8]) -> list[str]:
    return data.tobytes().decode().split("\n")[:-1]


class _PendingStructure:
    """Rows of pages that are not added to the total yet."""

    def __init__(self) -> None:
        self.pages, self.rows = 0, 0
        self.names: dict[int, str] = {}
        self.vocabulary: dict[int, str] = {}
        self.elements: list[Columns] = []
        self.styles: list[Columns] = []
        self.words: list[Columns] = []

    def add(self, nodes: TagNodes, keys: Keys) -> None:
        """Add the rows of one page; `keys` as in `StructureCounter.add`."""
        self.pages += 1
        self.names.update(nodes.names(named=self.names))
        self.vocabulary.update(nodes.vocabulary)
        inner = np.flatnonzero(nodes.kind == INNER)
        leaf, word, tf = nodes.occurrences
        self.elements.append((keys, keys[np.maximum(nodes.parent, 0)], nodes.label, nodes.kind.astype(np.uint64)))
        self.styles.append((keys[inner], nodes.style[inner]))
        self.words.append((keys[leaf], word, tf.astype(np.uint64)))
        self.rows += len(leaf)

    def counts(self, cut: str) -> StructureCounts:
        """Return the counts of the pending pages; at least one."""
        return StructureCounts(
            pages=self.pages,
            cut=cut,
            elements=_table(self.elements),
            styles=_table(self.styles),
            words=_table(self.words),
            names=self.names,
            vocabulary=self.vocabulary,
        )


class StructureCounter:
    """Counts pages one by one; all have the same cut.

    Pending rows are added to the total whenever there are as many of them as the total has, so the work per page grows
    with the logarithm of the number of pages, and memory never exceeds twice the total. Several threads may read the
    counts at once, but not while pages are added: the state is one tuple, replaced as a whole.
    """

    def __init__(self) -> None:
        self.pages = 0
        self._cut = ""
        self._state: tuple[StructureCounts | None, _PendingStructure] = None, _PendingStructure()

    def add(self, nodes: TagNodes, keys: Keys) -> None:
        """Count one page.

        Args:
            nodes: its t tag nodes.
            keys: (t,) the key of the element that each tag node belongs to.

        Raises:
            ValueError: the page is cut differently from the pages before.
        """
        if self.pages and nodes.cut != self._cut:
            raise ValueError(f"can only count pages of one cut, not of {self._cut} and {nodes.cut}")
        self._cut = nodes.cut
        self.pages += 1
        total, pending = self._state
        pending.add(nodes, keys)
        if pending.rows >= max(_MIN_PENDING, len(total.words) if total else 0):
            self.counts()

    def counts(self) -> StructureCounts:
        """Return the counts of all pages so far.

        Raises:
            ValueError: no pages were counted.
        """
        total, pending = self._state
        if pending.pages:
            new = pending.counts(self._cut)
            total = StructureCounts.total([total, new] if total else [new])
            self._state = total, _PendingStructure()
        if total is None:
            raise ValueError("no pages were counted")
        return total


def _table(pages: list[Columns]) -> Table:
    return Table.of(*(np.concatenate(column) for column in zip(*pages, strict=True)))
