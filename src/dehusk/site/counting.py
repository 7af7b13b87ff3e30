"""What a site's pages hold, as counts that add up: any order and any split of the pages gives the same bytes.

Every table has whole numbers only. Shingles and texts are kept with the page that they stand on until the counts are
finished, because only then it is known which pages are copies of each other and count as one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.site.hashing import Keys, span_keys
from dehusk.site.shingles import prose, shingle_keys
from dehusk.site.structure_counts import StructureCounter, StructureCounts
from dehusk.site.table import Table
from dehusk.site.tag_tree import tag_nodes
from dehusk.site.terms import Terms

LONGEST = 200
"""Characters of a block's text that are kept for a person to read."""
_WIDTHS = {"pages": 1, "shingles": 2, "prose": 2, "texts": 2, "terms": 2}


@dataclass(frozen=True, eq=False)
class SiteCounts:
    """Counts of the pages of one site."""

    pages: Table
    """(page) -> times it was seen. A page's key is that of its words: pages with the same words are one."""
    shingles: Table
    """(shingle, page) -> times it stands there."""
    prose: Table
    """(shingle, page) -> times it stands there in running text."""
    texts: Table
    """(block's words, page) -> times they stand there."""
    terms: Table
    """(word, occurrences in a page) -> pages with so many; gives TF, Σ tf ln tf and df of every word."""
    structure: StructureCounts | None
    """Elements of the structure tree, None where they were not counted."""
    strings: dict[int, str] = field(repr=False)
    """Key of a block's words -> its text, cut after `LONGEST` characters."""
    hosts: dict[str, int]
    """Site name -> pages that are of it."""

    @property
    def seen(self) -> int:
        """How many pages were counted."""
        return int(self.pages.counts.sum())

    @classmethod
    def empty(cls) -> SiteCounts:
        """Return the counts of no pages."""
        return cls(
            **{name: Table.empty(width) for name, width in _WIDTHS.items()}, structure=None, strings={}, hosts={}
        )

    @classmethod
    def total(cls, parts: Sequence[SiteCounts]) -> SiteCounts:
        """Return the sum of one or more counts."""
        strings: dict[int, str] = {}
        hosts: dict[str, int] = {}
        for part in parts:
            for key, text in part.strings.items():
                strings[key] = min(text, strings.get(key, text))
            for host, pages in part.hosts.items():
                hosts[host] = hosts.get(host, 0) + pages
        structures = [part.structure for part in parts if part.structure is not None]
        return cls(
            **{name: Table.total([getattr(part, name) for part in parts]) for name in _WIDTHS},
            structure=StructureCounts.total(structures) if structures else None,
            strings=strings,
            hosts=hosts,
        )

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the counts as named arrays; equal counts are equal bytes."""
        found: dict[str, npt.NDArray[Any]] = {}
        for name in _WIDTHS:
            table: Table = getattr(self, name)
            found |= {f"{name}_keys": table.keys, f"{name}_counts": narrow(table.counts)}
        keys = sorted(self.strings)
        found["strings_keys"] = np.array(keys, dtype=np.uint64)
        found["strings_texts"] = to_bytes([self.strings[key] for key in keys])
        found["hosts"] = to_bytes(sorted(self.hosts))
        found["hosts_counts"] = np.array([self.hosts[host] for host in sorted(self.hosts)], dtype=np.int64)
        if self.structure is not None:
            found |= {f"structure_{name}": array for name, array in self.structure.arrays().items()}
        return found

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> SiteCounts:
        """Return counts from what `arrays` made.

        Raises:
            ValueError: arrays are missing or do not fit each other.
        """
        try:
            tables = {
                name: Table.stored(arrays[f"{name}_keys"], arrays[f"{name}_counts"], width)
                for name, width in _WIDTHS.items()
            }
            strings = zip(arrays["strings_keys"].tolist(), from_bytes(arrays["strings_texts"]), strict=True)
            hosts = zip(from_bytes(arrays["hosts"]), arrays["hosts_counts"].tolist(), strict=True)
            found = {key.removeprefix("structure_"): arrays[key] for key in arrays if key.startswith("structure_")}
            structure = StructureCounts.from_arrays(found) if found else None
            return cls(**tables, structure=structure, strings=dict(strings), hosts=dict(hosts))
        except (KeyError, UnicodeDecodeError) as error:
            raise ValueError(f"not the arrays of a site's counts: {error!r}") from error

    def check(self) -> None:
        """Check that counts which were read from somewhere are complete; those of `SharedCounts` are not.

        Raises:
            ValueError: there are no pages, or rows are of pages or texts that are not there.
        """
        pages = self.pages.keys[:, 0]
        on = [table.keys[:, 1] for table in (self.shingles, self.prose, self.texts)]
        if not len(pages) or not np.isin(np.concatenate(on), pages).all():
            raise ValueError("not the counts of all pages")
        if not self.strings.keys() >= set(self.texts.keys[:, 0].tolist()):
            raise ValueError("not the texts of all blocks")


class SiteCounter:
    """Counts pages one by one.

    Rows are gathered as they come: nearly all of them are different, since they name their page, so that adding them up
    earlier would only sort them more often.
    """

    def __init__(self, total: SiteCounts | None = None, *, structure: bool = True) -> None:
        self.structure = structure
        self._total = total or SiteCounts.empty()
        self.seen = self._total.seen
        self._empty()

    def _empty(self) -> None:
        self._rows: dict[str, list[tuple[Keys, ...]]] = {name: [] for name in _WIDTHS}
        self._structure = StructureCounter()
        self._strings: dict[int, str] = {}
        self._hosts: dict[str, int] = {}

    def add(self, words: Terms, host: str) -> None:
        """Count one page."""
        self.seen += 1
        page = page_key(words)
        keys, frequency = np.unique(words.key, return_counts=True)
        texts, blocks = text_keys(words)
        runs = shingle_keys(words)
        for name, column in {"shingles": runs, "prose": prose(words, runs), "texts": texts}.items():
            self._rows[name].append((column, np.full(len(column), page, dtype=np.uint64)))
        self._rows["pages"].append((np.array([page], dtype=np.uint64),))
        self._rows["terms"].append((keys, frequency.astype(np.uint64)))
        if self.structure:
            nodes = tag_nodes(words)
            self._structure.add(nodes, nodes.ordinal_keys)
        listed = words.blocks.texts
        for key, block in zip(texts.tolist(), blocks.tolist(), strict=True):
            text = listed[block][:LONGEST]
            self._strings[key] = min(text, self._strings.get(key, text))
        if host:
            self._hosts[host] = self._hosts.get(host, 0) + 1

    def counts(self) -> SiteCounts:
        """Return the counts of all pages so far."""
        if self._rows["pages"]:
            tables = {
                name: Table.of(*(np.concatenate(column) for column in zip(*rows, strict=True)))
                for name, rows in self._rows.items()
            }
            structure = self._structure.counts() if self.structure else None
            new = SiteCounts(**tables, structure=structure, strings=self._strings, hosts=self._hosts)
            self._total = SiteCounts.total([self._total, new]) if len(self._total.pages) else new
            self._empty()
        return self._total


def page_key(words: Terms) -> int:
    """Return the key of a page: that of the sequence of its words."""
    return int(span_keys(words.key, np.array([0]), np.array([len(words)]))[0])


def text_keys(words: Terms) -> tuple[Keys, npt.NDArray[np.intp]]:
    """Return the key of the words of each block that has any, and the block."""
    start = np.flatnonzero(np.append(True, words.block[1:] != words.block[:-1])[: len(words)])
    return span_keys(words.key, start, np.append(start[1:], len(words))[: len(start)]), words.block[start].astype(
        np.intp
    )


def narrow(counts: npt.NDArray[np.int64]) -> npt.NDArray[np.integer]:
    """Return counts in the smallest of 1, 2, 4 or 8 bytes that holds them all."""
    most = int(counts.max(initial=0))
    return counts.astype(
        next(kind for kind in (np.uint8, np.uint16, np.uint32, np.int64) if most <= np.iinfo(kind).max)
    )


def to_bytes(texts: Sequence[str]) -> npt.NDArray[np.uint8]:
    """Return texts without line ends as bytes; line ends become spaces."""
    return np.frombuffer("".join(f"{text.replace(chr(10), ' ')}\n" for text in texts).encode(), dtype=np.uint8)


def from_bytes(data: npt.NDArray[np.uint8]) -> list[str]:
    """Return the texts that `to_bytes` made bytes of."""
    return data.tobytes().decode().split("\n")[:-1]
