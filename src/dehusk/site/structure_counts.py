"""What a site's pages share in structure, as counts that add up: any order and any split gives the same bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.site.hashing import Keys
from dehusk.site.table import Table
from dehusk.site.tag_tree import INNER, TagNodes

Columns = tuple[Keys, ...]

_GATHERED = 1 << 16  # rows of words that are gathered before they are sorted


@dataclass(frozen=True, eq=False)
class StructureCounts:
    """The elements of the pages of one site; whole numbers only, so that nothing is lost when counts are added."""

    pages: int
    cut: str
    """How the pages were cut into tag nodes: counts of different cuts do not add up."""
    elements: Table
    """(element, parent element, label, kind) -> tag nodes, the m of the paper."""
    styles: Table
    """(element, presentation style) -> tag nodes that have it; inner elements only."""
    words: Table
    """(leaf element, word, occurrences in one tag node) -> tag nodes with so many."""
    names: dict[int, str] = field(repr=False)
    """Label -> tag and display attributes for a person."""
    vocabulary: dict[int, str] = field(repr=False)
    """Key -> word, in lower case."""

    def __add__(self, other: StructureCounts) -> StructureCounts:
        return StructureCounts.total([self, other])

    @classmethod
    def total(cls, parts: Sequence[StructureCounts]) -> StructureCounts:
        """Return the sum of one or more counts.

        Raises:
            ValueError: none, or their pages were cut in different ways.
        """
        cuts = sorted({part.cut for part in parts})
        if len(cuts) != 1:
            raise ValueError(f"counts to add must be of one cut, not of {len(cuts)}: {'; '.join(cuts)}")
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
        """Return the counts as named arrays, for `numpy.savez` or any other file; equal counts are equal bytes."""
        found: dict[str, npt.NDArray[Any]] = {"pages": np.array([self.pages]), "cut": _bytes([self.cut])}
        for name, table in (("elements", self.elements), ("styles", self.styles), ("words", self.words)):
            found[f"{name}_keys"], found[f"{name}_counts"] = table.keys, table.counts
        for name, texts in (("names", self.names), ("vocabulary", self.vocabulary)):
            keys = sorted(texts)
            found[f"{name}_keys"] = np.array(keys, dtype=np.uint64)
            found[f"{name}_texts"] = _bytes([texts[key] for key in keys])
        return found

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> StructureCounts:
        """Return counts from what `arrays` made.

        Raises:
            ValueError: arrays are missing or do not fit each other.
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
    """Return texts without white space as bytes; an array of strings would give each the room of the longest."""
    return np.frombuffer("".join(f"{line}\n" for line in lines).encode(), dtype=np.uint8)


def _lines(data: npt.NDArray[np.uint8]) -> list[str]:
    return data.tobytes().decode().split("\n")[:-1]


class StructureCounter:
    """Counts pages one by one; all have the same cut.

    What was gathered is added to the sum whenever it is as large as the sum, so that a page's share of the work grows
    with the logarithm of the pages only, and no more than twice the sum is held.
    """

    def __init__(self) -> None:
        self.pages = 0
        self._total: list[StructureCounts] = []
        self._empty()

    def _empty(self) -> None:
        self._pages, self._rows = 0, 0
        self._names: dict[int, str] = {}
        self._vocabulary: dict[int, str] = {}
        self._elements: list[Columns] = []
        self._styles: list[Columns] = []
        self._words: list[Columns] = []

    def add(self, nodes: TagNodes, keys: Keys) -> None:
        """Count one page: its tag nodes, and (t,) the key of the element that each of them is of.

        Raises:
            ValueError: the page was cut in another way than those before.
        """
        if not self.pages:
            self._cut = nodes.cut
        elif nodes.cut != self._cut:
            raise ValueError(f"pages to count must be cut in one way, not by {self._cut} and {nodes.cut}")
        self.pages += 1
        self._pages += 1
        self._names.update(nodes.names(known=self._names))
        distinct, words = nodes.terms.distinct
        self._vocabulary.update(zip(distinct.tolist(), words, strict=True))
        inner = np.flatnonzero(nodes.kind == INNER)
        leaf, word, tf = nodes.occurrences
        self._elements.append((keys, keys[np.maximum(nodes.parent, 0)], nodes.label, nodes.kind.astype(np.uint64)))
        self._styles.append((keys[inner], nodes.style[inner]))
        self._words.append((keys[leaf], word, tf.astype(np.uint64)))
        self._rows += len(leaf)
        if self._rows >= max(_GATHERED, len(self._total[0].words) if self._total else 0):
            self.counts()

    def counts(self) -> StructureCounts:
        """Return the counts of all pages so far.

        Raises:
            ValueError: no pages were counted.
        """
        if self._pages:
            new = StructureCounts(
                pages=self._pages,
                cut=self._cut,
                elements=_table(self._elements),
                styles=_table(self._styles),
                words=_table(self._words),
                names=self._names,
                vocabulary=self._vocabulary,
            )
            self._total = [StructureCounts.total([*self._total, new])]
            self._empty()
        if not self._total:
            raise ValueError("no pages were counted")
        return self._total[0]


def _table(pages: list[Columns]) -> Table:
    return Table.of(*(np.concatenate(column) for column in zip(*pages, strict=True)))
