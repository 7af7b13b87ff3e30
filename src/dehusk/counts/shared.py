"""What the pages of a site share: its counts with copies counted once and single-page entries dropped.

Dropped entries score like unknown ones: a shingle, text or slot on one page is on no other page, a word on one page has
entropy 0, an element with one tag node has importance 1. So shared counts give pages the same scores as complete
counts, but they no longer add up.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_property
from dehusk.base.errors import NotFittedError
from dehusk.base.hashing import Keys
from dehusk.counts.counting import ByPage, SiteCounts
from dehusk.counts.entropy import TermCounts
from dehusk.counts.structure_counts import StructureCounts
from dehusk.counts.table import KeysOnPages, Table
from dehusk.counts.tag_tree import ROOT

# ---------------------------------------------------------------- copies
# Near-duplicate pages of a site, which count as one; otherwise an article published twice would look like template.
#
# Two pages are copies if they share at least `MIN_SHARED` shingles, and at least half the shingles of the smaller
# page. Only shingles of running text count, and only those on at most a third of the pages, because the text of a
# template is on nearly all of them. A set of fewer than six pages therefore has no copies: text on two of five pages
# may be either.

MIN_SHARED = 20
_ALL_PAIRS = 16  # for a shingle on more pages, only neighbours are compared, so that the work stays linear


def clusters(prose: KeysOnPages, pages: int) -> npt.NDArray[np.intp]:
    """Return for each page, shape (p,), the index of the first page that it is a copy of, or its own index.

    Args:
        prose: the shingles of running text.
        pages: number of pages.
    """
    shingle, page = prose
    start = np.flatnonzero(np.append(True, shingle[1:] != shingle[:-1])[: len(shingle)])
    runs = np.diff(np.append(start, len(shingle))).astype(np.int32)
    runs[runs > pages / 3] = 0  # those that are not rare
    frequency = np.repeat(runs, np.diff(np.append(start, len(shingle))))
    size = np.bincount(page[frequency > 0], minlength=pages)
    first, second, shared = _pairs(shingle, page, frequency)
    alike = (shared >= MIN_SHARED) & (2 * shared >= np.minimum(size[first], size[second]))
    return _components(pages, first[alike], second[alike])


def _pairs(
    shingle: Keys, page: npt.NDArray[np.integer], frequency: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], npt.NDArray[np.int64]]:
    """Return pairs of pages as two columns, and the number of shingles that each pair shares."""
    pairs = []
    for step in range(1, _ALL_PAIRS):
        rows = np.flatnonzero((frequency[:-step] > step) & (shingle[:-step] == shingle[step:]))
        if step > 1:
            rows = rows[frequency[rows] <= _ALL_PAIRS]
        pairs.append(np.stack([page[rows], page[rows + step]]).astype(np.uint64))
    table = Table.of(*np.concatenate(pairs, axis=1))
    return table.keys[:, 0].astype(np.intp), table.keys[:, 1].astype(np.intp), table.counts


def _components(n: int, first: npt.NDArray[np.intp], second: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Return for each of n pages the lowest page that it is connected to; each round halves the distance."""
    lowest = np.arange(n)
    while True:
        before = lowest.copy()
        np.minimum.at(lowest, first, before[second])
        np.minimum.at(lowest, second, before[first])
        lowest = lowest[lowest]
        if np.array_equal(before, lowest):
            return lowest


# ---------------------------------------------------------------- shared

MAX_TEXTS = 1000
"""Number of texts kept to show to people, the most frequent ones."""


@dataclass(frozen=True, eq=False)
class SharedCounts:
    """What the pages of a site share."""

    seen: int
    """Number of pages counted."""
    distinct: int
    """Number of pages, counting copies once; document frequencies refer to these."""
    shingles: Table
    """(shingle) -> document frequency, at least 2."""
    texts: Table
    """(words of a block) -> document frequency, at least 2."""
    slots: Table
    """(slot) -> document frequency, at least 2."""
    slot_texts: Table
    """(slot and words in it) -> document frequency, at least 2."""
    terms: Table
    """(word, occurrences) -> pages with that many occurrences; only words on at least 2 pages."""
    structure: StructureCounts | None
    """Elements of at least two tag nodes; None if they were not counted."""
    strings: dict[int, str]
    """Key -> text, for the most frequent texts."""
    hosts: dict[str, int]
    """Site name -> number of its pages."""

    @property
    def term_counts(self) -> TermCounts:
        """The counts of the words, as WISDOM needs them."""
        return TermCounts(self.seen, self.terms)

    @cached_property
    def repeated(self) -> list[tuple[int, str]]:
        """(document frequency, text) of the most frequent texts, most frequent first, then longest first."""
        keys = np.array(sorted(self.strings), dtype=np.uint64)
        rows = zip(self.texts.look_up(keys).tolist(), (self.strings[key] for key in keys.tolist()), strict=True)
        return sorted(rows, key=lambda row: (-row[0], -len(row[1]), row[1]))

    def as_counts(self) -> SiteCounts:
        """Return the form in which shared counts are stored, which has no keys of pages."""
        return SiteCounts(
            pages=Table.empty(1),
            shingles=_wide(self.shingles),
            prose=Table.empty(2),
            texts=_wide(self.texts),
            slots=_wide(self.slots),
            slot_texts=_wide(self.slot_texts),
            terms=self.terms,
            structure=self.structure,
            strings=self.strings,
            hosts=self.hosts,
        )

    @classmethod
    def of_stored(cls, counts: SiteCounts, seen: int, distinct: int) -> "SharedCounts":
        """Return shared counts from the form that `as_counts` returns.

        Raises:
            ValueError: the numbers of pages are impossible.
        """
        if not 1 <= distinct <= seen:
            raise ValueError(f"{distinct} distinct pages of {seen}")
        return cls(
            seen=seen,
            distinct=distinct,
            shingles=_narrow(counts.shingles),
            texts=_narrow(counts.texts),
            slots=_narrow(counts.slots),
            slot_texts=_narrow(counts.slot_texts),
            terms=counts.terms,
            structure=counts.structure,
            strings=counts.strings,
            hosts=counts.hosts,
        )


def find_shared(counts: SiteCounts, keys_on_pages: Callable[[ByPage], KeysOnPages] | None = None) -> SharedCounts:
    """Reduce the counts of a site to what its pages share.

    Args:
        counts: the counts.
        keys_on_pages: returns the rows of a table with keys of pages, of which one at a time is needed; by default the
            method of the counts. Those of `PartedCounts` are not in memory.

    Raises:
        NotFittedError: no pages were counted.
    """
    if not len(counts.pages):
        raise NotFittedError("the site has no pages: use fit, add or load first")
    keys_on_pages = keys_on_pages or counts.keys_on_pages
    cluster = clusters(keys_on_pages("prose"), len(counts.pages))
    texts = _frequencies(keys_on_pages("texts"), cluster)
    return SharedCounts(
        seen=counts.seen,
        distinct=len(np.unique(cluster)),
        shingles=_frequencies(keys_on_pages("shingles"), cluster),
        texts=texts,
        slots=_frequencies(keys_on_pages("slots"), cluster),
        slot_texts=_frequencies(keys_on_pages("slot_texts"), cluster),
        terms=_shared_terms(counts.terms),
        structure=None if counts.structure is None else _shared_elements(counts.structure),
        strings=_readable(texts, counts.strings),
        hosts=counts.hosts,
    )


def _frequencies(rows: KeysOnPages, cluster: npt.NDArray[np.intp]) -> Table:
    """Return the document frequency, at least 2, of the keys of rows."""
    key, page = rows
    has_no_copy = (np.bincount(cluster, minlength=len(cluster)) == 1).take(cluster).take(page)
    copied = np.flatnonzero(~has_no_copy)
    once = Table.of(key.take(copied), cluster.take(page.take(copied)).astype(np.uint64)).keys[:, 0]
    frequencies = Table.of(np.concatenate([key.take(np.flatnonzero(has_no_copy)), once]))
    return frequencies.select(frequencies.counts > 1)


def _shared_terms(terms: Table) -> Table:
    word = terms.keys[:, 0]
    start = np.flatnonzero(np.append(True, word[1:] != word[:-1])[: len(word)])
    frequency = np.add.reduceat(terms.counts, start) if len(start) else terms.counts
    return terms.select(np.repeat(frequency > 1, np.diff(np.append(start, len(word)))))


def _shared_elements(structure: StructureCounts) -> StructureCounts:
    # the parent of an element of two tag nodes has two as well; the root has one per page
    elements = structure.elements
    shared = elements.select((elements.counts > 1) | (elements.keys[:, 0] == ROOT))
    keys = shared.keys[:, 0]
    words = structure.words.select(np.isin(structure.words.keys[:, 0], keys))
    labels, used = set(shared.keys[:, 2].tolist()), set(np.unique(words.keys[:, 1]).tolist())
    return replace(
        structure,
        elements=shared,
        styles=structure.styles.select(np.isin(structure.styles.keys[:, 0], keys)),
        words=words,
        names={label: name for label, name in structure.names.items() if label in labels},
        vocabulary={key: word for key, word in structure.vocabulary.items() if key in used},
    )


def _readable(texts: Table, strings: dict[int, str]) -> dict[int, str]:
    order = np.lexsort((texts.keys[:, 0], -texts.counts))[:MAX_TEXTS]
    return {key: strings[key] for key in sorted(texts.keys[order, 0].tolist())}


def _wide(table: Table) -> Table:
    """Return a table of one key column with a second column of zeros added."""
    return Table(np.column_stack([table.keys, np.zeros(len(table), dtype=np.uint64)]), table.counts)


def _narrow(table: Table) -> Table:
    """Return a table without its second key column."""
    return Table(np.ascontiguousarray(table.keys[:, :1]), table.counts)
