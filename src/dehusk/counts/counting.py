"""Counts of what a site's pages contain. They add up: any order and any split of the pages gives the same bytes.

Every table contains integers only. Shingles and texts keep the key of their page: which pages are copies of each other
and count as one is only known when all of them are counted (`dehusk.counts.shared`).

The counts of a site's sampled pages add up to a hundred megabytes if the pages are long. What they share takes little:
of counts that lie in several files, one table at a time is in memory (`PartedCounts`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from dehusk.base.hashing import Keys, span_keys
from dehusk.compiled.site import slot_texts
from dehusk.counts.shingles import prose, shingle_keys
from dehusk.counts.structure_counts import StructureCounter, StructureCounts
from dehusk.counts.table import KeysOnPages, Table, order_of
from dehusk.counts.tag_tree import tag_nodes
from dehusk.counts.terms import Terms

MAX_TEXT = 200
"""Characters kept of a block's text, to show to people."""
ByPage = Literal["shingles", "prose", "texts", "slots", "slot_texts"]
"""The tables with keys of pages, of which arrays have the numbers."""
_BY_PAGE = get_args(ByPage)
_WIDTHS = {"pages": 1, "shingles": 2, "prose": 2, "texts": 2, "slots": 2, "slot_texts": 2, "terms": 2}


@dataclass(frozen=True, eq=False)
class SiteCounts:
    """Counts of the pages of one site."""

    pages: Table
    """(page) -> times it was counted. A page's key is computed from its words: pages with the same words are one."""
    shingles: Table
    """(shingle, page) -> occurrences on the page."""
    prose: Table
    """(shingle, page) -> occurrences in the page's running text."""
    texts: Table
    """(words of a block, page) -> blocks of the page with these words."""
    slots: Table
    """(slot, page) -> blocks of the page in this slot; see `dehusk.counts.slots`."""
    slot_texts: Table
    """(slot and words in it, page) -> blocks of the page with these words in this slot; long texts also without their
    numbers."""
    terms: Table
    """(word, occurrences) -> pages with that many occurrences; yields TF, Σ tf ln tf and df of every word."""
    structure: StructureCounts | None
    """Elements of the structure tree; None if they were not counted."""
    strings: dict[int, str] = field(repr=False)
    """Key of a block's words -> its text, at most `MAX_TEXT` characters."""
    hosts: dict[str, int]
    """Site name -> number of its pages."""

    @property
    def seen(self) -> int:
        """Number of pages counted."""
        return int(self.pages.counts.sum())

    def keys_on_pages(self, name: ByPage) -> KeysOnPages:
        """Return the rows of a table, without their counts."""
        table: Table = getattr(self, name)
        return KeysOnPages(table.keys[:, 0], self.pages.keys[:, 0].searchsorted(table.keys[:, 1]))

    @classmethod
    def empty(cls) -> SiteCounts:
        """Return the counts of no pages."""
        return cls(
            **{name: Table.empty(width) for name, width in _WIDTHS.items()}, structure=None, strings={}, hosts={}
        )

    @classmethod
    def total(cls, parts: Sequence[SiteCounts]) -> SiteCounts:
        """Return the sum of counts; at least one."""
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
        """Return the counts as named arrays; equal counts give equal bytes."""
        arrays: dict[str, npt.NDArray[Any]] = {}
        for name in _WIDTHS:
            table: Table = getattr(self, name)
            arrays |= {f"{name}_keys": table.keys, f"{name}_counts": narrow(table.counts)}
            if name in _BY_PAGE:
                arrays[f"{name}_keys"] = np.ascontiguousarray(table.keys[:, 0])
                arrays[f"{name}_pages"] = narrow(self.pages.keys[:, 0].searchsorted(table.keys[:, 1]))
        keys = sorted(self.strings)
        arrays["strings_keys"] = np.array(keys, dtype=np.uint64)
        arrays["strings_texts"] = to_bytes([self.strings[key] for key in keys])
        arrays["hosts"] = to_bytes(sorted(self.hosts))
        arrays["hosts_counts"] = np.array([self.hosts[host] for host in sorted(self.hosts)], dtype=np.int64)
        if self.structure is not None:
            arrays |= {f"structure_{name}": array for name, array in self.structure.arrays().items()}
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]], *, by_page: bool = True) -> SiteCounts:
        """Return counts from the arrays that `arrays` returned.

        Args:
            arrays: the arrays by name.
            by_page: whether to read the tables with keys of pages; without them they are empty.

        Raises:
            ValueError: arrays are missing or inconsistent.
        """
        try:
            tables = {
                name: _stored_table(arrays, name) if by_page or name not in _BY_PAGE else Table.empty(width)
                for name, width in _WIDTHS.items()
            }
            strings = zip(arrays["strings_keys"].tolist(), from_bytes(arrays["strings_texts"]), strict=True)
            hosts = zip(from_bytes(arrays["hosts"]), arrays["hosts_counts"].tolist(), strict=True)
            parts = {key.removeprefix("structure_"): arrays[key] for key in arrays if key.startswith("structure_")}
            structure = StructureCounts.from_arrays(parts) if parts else None
            return cls(**tables, structure=structure, strings=dict(strings), hosts=dict(hosts))
        except (KeyError, IndexError, UnicodeDecodeError) as error:
            raise ValueError(f"not the arrays of a site's counts: {error!r}") from error

    def check(self) -> None:
        """Check that counts read from a file are complete; those stored by `SharedCounts` are not.

        Raises:
            ValueError: there are no pages, or rows refer to texts that are missing.
        """
        if not len(self.pages):
            raise ValueError("counts without pages")
        if not self.strings.keys() >= set(self.texts.keys[:, 0].tolist()):
            raise ValueError("counts refer to missing texts")


def _stored_table(arrays: Mapping[str, npt.NDArray[Any]], name: str) -> Table:
    """Return a table from the arrays that `SiteCounts.arrays` returned.

    Raises:
        IndexError: there is no page with such a number.
        KeyError: arrays are missing.
        ValueError: the arrays are not a table.
    """
    keys, counts = arrays[f"{name}_keys"], arrays[f"{name}_counts"]
    if name in _BY_PAGE:
        pages, numbers = arrays["pages_keys"], page_numbers(arrays, name, len(keys))
        keys = np.column_stack([keys, pages[numbers, 0] if len(pages) else np.zeros(len(keys), dtype=np.uint64)])
    return Table.stored(keys, counts, _WIDTHS[name])


def page_numbers(arrays: Mapping[str, npt.NDArray[Any]], name: str, size: int) -> npt.NDArray[np.integer]:
    """Return the numbers of pages of a table of some size, as `SiteCounts.arrays` returned them.

    Raises:
        ValueError: they are not one for each row.
    """
    numbers = arrays[f"{name}_pages"]
    if numbers.dtype.kind not in "iu" or numbers.shape != (size,) or (numbers < 0).any():
        raise ValueError("a table has the wrong type or shape")
    return numbers


class _PendingPages:
    """Rows of pages that are not added to the total yet."""

    def __init__(self) -> None:
        self.rows: dict[str, list[tuple[Keys, ...]]] = {name: [] for name in _WIDTHS}
        self.structure = StructureCounter()
        self.strings: dict[int, str] = {}
        self.hosts: dict[str, int] = {}

    def counts(self, *, structure: bool) -> SiteCounts:
        """Return the counts of the pending pages; at least one.

        Pages are taken in the order of their keys: then half of the work of sorting is done.
        """
        keys = [int(column[0]) for (column,) in self.rows["pages"]]
        order = sorted(range(len(keys)), key=keys.__getitem__)
        tables = {
            name: Table.of(*(np.concatenate(column) for column in zip(*(rows[page] for page in order), strict=True)))
            for name, rows in self.rows.items()
        }
        elements = self.structure.counts() if structure else None
        return SiteCounts(**tables, structure=elements, strings=self.strings, hosts=self.hosts)


class SiteCounter:
    """Counts pages one by one.

    Rows stay pending until the counts are read: nearly all rows differ, since each contains the key of its page, so
    adding them up earlier would only sort them more often. Several threads may read the counts at once, but not while
    pages are added: the state is one tuple, replaced as a whole, so a thread sees the state before or after and never
    in between.

    Attributes:
        seen: number of pages.
        pending: words of the pages that were added since the counts were read.
    """

    def __init__(self, total: SiteCounts | None = None, *, structure: bool = True) -> None:
        self.structure = structure
        total = total or SiteCounts.empty()
        self.seen = total.seen
        self.pending = 0
        self._state = total, _PendingPages()

    def add(self, words: Terms, host: str) -> None:
        """Count one page."""
        self.seen += 1
        self.pending += len(words)
        pending = self._state[1]
        page = page_key(words)
        keys, frequency = np.unique(words.key, return_counts=True)
        texts, runs = slot_texts(words), shingle_keys(words)
        columns = {
            "shingles": runs,
            "prose": prose(words, runs),
            "texts": texts.words,
            "slots": texts.slot,
            "slot_texts": np.concatenate([texts.text, texts.without_numbers[texts.without_numbers != texts.text]]),
        }
        for name, column in columns.items():
            pending.rows[name].append((column, np.broadcast_to(np.uint64(page), len(column))))
        pending.rows["pages"].append((np.array([page], dtype=np.uint64),))
        pending.rows["terms"].append((keys, frequency.astype(np.uint64)))
        if self.structure:
            nodes = tag_nodes(words)
            pending.structure.add(nodes, nodes.ordinal_keys)
        block_texts = words.blocks.texts
        for key, block in zip(texts.words.tolist(), texts.block.tolist(), strict=True):
            text = block_texts[block][:MAX_TEXT]
            pending.strings[key] = min(text, pending.strings.get(key, text))
        if host:
            pending.hosts[host] = pending.hosts.get(host, 0) + 1

    def counts(self) -> SiteCounts:
        """Return the counts of all pages so far."""
        total, pending = self._state
        if pending.rows["pages"]:
            new = pending.counts(structure=self.structure)
            total = SiteCounts.total([total, new]) if len(total.pages) else new
            self._state, self.pending = (total, _PendingPages()), 0
        return total


def page_key(words: Terms) -> int:
    """Return the key of a page, which is the key of the sequence of its words."""
    return int(span_keys(words.key, np.array([0]), np.array([len(words)]))[0])


def narrow(counts: npt.NDArray[np.integer]) -> npt.NDArray[np.integer]:
    """Return counts, or numbers from 0, in the smallest integer type of 1, 2, 4 or 8 bytes that fits all of them."""
    most = int(counts.max(initial=0))
    return counts.astype(
        next(dtype for dtype in (np.uint8, np.uint16, np.uint32, np.int64) if most <= np.iinfo(dtype).max)
    )


def to_bytes(texts: Sequence[str]) -> npt.NDArray[np.uint8]:
    """Return texts as bytes, one line per text; line ends in a text become spaces."""
    return np.frombuffer("".join(f"{text.replace(chr(10), ' ')}\n" for text in texts).encode(), dtype=np.uint8)


def from_bytes(data: npt.NDArray[np.uint8]) -> list[str]:
    """Return the texts that `to_bytes` encoded."""
    return data.tobytes().decode().split("\n")[:-1]


class PartedCounts:
    """The sum of counts, as `dehusk.counts.shared.find_shared` reads it.

    Attributes:
        total: the sum of the counts without the tables that have keys of pages, which are empty.

    Args:
        parts: the arrays of each part, as `SiteCounts.arrays` returned them; at least one part. An array is asked for
            when it is needed, and not kept.

    Raises:
        ValueError: arrays are missing or inconsistent; so do the methods.
    """

    def __init__(self, parts: Sequence[Mapping[str, npt.NDArray[Any]]]) -> None:
        self._parts = parts
        self.total = SiteCounts.total([SiteCounts.from_arrays(part, by_page=False) for part in parts])
        self._pages = self.total.pages.keys[:, 0]
        self._index = [self._pages.searchsorted(part["pages_keys"][:, 0]).astype(np.int32) for part in parts]

    def keys_on_pages(self, name: ByPage) -> KeysOnPages:
        """Return the rows of a table of all parts, without their counts."""
        columns = [part[f"{name}_keys"] for part in self._parts]
        page = np.concatenate(
            [
                index.take(page_numbers(part, name, len(column)))
                for index, part, column in zip(self._index, self._parts, columns, strict=True)
            ]
        )
        key = np.concatenate(columns)
        is_split = len(columns) > 1
        del columns
        if is_split:
            order = order_of([key, page])
            key, page = key.take(order), page.take(order)
        if is_split and sum(map(len, self._index)) > len(self._pages):  # a page in several parts: rows may be equal
            differ = np.append(True, (key[1:] != key[:-1]) | (page[1:] != page[:-1]))[: len(key)]
            key, page = key.compress(differ), page.compress(differ)
        return KeysOnPages(key, page)
