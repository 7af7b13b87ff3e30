"""The first stage: find the pages of each file, and sample the pages to learn each site from.

The key of a page is the 64-bit BLAKE2b hash of its URL. A site is learned from the pages with the smallest keys: a
uniform sample that depends neither on how pages are split into files nor on the order in which they are read (bottom-k
sampling: Cohen & Kaplan 2007, "Summarizing data using bottom-k sketches").
"""

from __future__ import annotations

import heapq
import os
import sys
from collections import Counter
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any, NamedTuple

from dehusk.base.errors import InputError
from dehusk.counts.grouping import By, site_name
from dehusk.many.files.inputs import Input, find_part, has_parts, read_at, read_part, read_part_heads, read_records
from dehusk.many.files.options import ReadOptions
from dehusk.many.files.record import Loss, Record

PART_BYTES = 1_000_000
"""Size of the parts of a file that workers read: as many compressed pages as one takes up at a time."""


class StaleIndexError(InputError):
    """A file does not contain what its index says: it has changed, or the heads of its records did not show damage."""

    def __init__(self, file: Input) -> None:
        super().__init__(f"{file.path} has changed since it was indexed: repeat the command")
        self.file = file


@dataclass(frozen=True)
class IndexScope:
    """How to index files; sent to the child."""

    options: ReadOptions
    by: By
    """What a site is."""
    sample: int
    """Maximum number of pages to learn a site from; 0 if sites are not learned."""


class IndexTask(NamedTuple):
    """Part of a file to index; sent to the child."""

    file: Input
    start: int = 0
    stop: int = sys.maxsize
    """Records that start at or after this offset belong to the next part."""
    exact: bool = True
    """Whether a record starts at `start`; otherwise the part starts with the first record found after it."""
    whole: bool = False
    """Whether to read every byte, even where the heads of the records seem to be enough."""


class FilePart(NamedTuple):
    """Part of a file that can be read without what precedes it."""

    start: int
    end: int
    """Where the next part starts."""
    number: int
    """The number of its first record."""
    records: int
    pages: int


class PageRef(NamedTuple):
    """The key of a page and its position in its file."""

    key: int
    number: int
    offset: int


@dataclass
class FileIndex:
    """What a file contains, without its pages."""

    stamp: list[int]
    parts: list[FilePart] = field(default_factory=list)
    """The parts, in order; empty if the file can only be read from its start."""
    records: int = 0
    pages: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    """Reason why a record is not a page -> number of such records."""
    sites: dict[str, int] = field(default_factory=dict)
    """Site -> number of its pages in this file."""
    samples: dict[str, list[PageRef]] = field(default_factory=dict)
    """Site -> its pages with the smallest keys, sorted; no key occurs twice."""

    def values(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        return dict(vars(self))

    @classmethod
    def of_values(cls, values: Mapping[str, Any]) -> FileIndex:
        """Return the index from its plain values.

        Raises:
            TypeError: the values are not those of an index.
        """
        index = cls(**values)
        index.parts = [FilePart(*part) for part in index.parts]
        index.samples = {site: [PageRef(*ref) for ref in refs] for site, refs in index.samples.items()}
        return index


def page_key(url: str) -> int:
    """Return the 64-bit key of the page with this URL."""
    return int.from_bytes(blake2b(url.encode("utf-8", "replace"), digest_size=8).digest(), "big")


def index_file(file: Input, scope: IndexScope, *, part_bytes: int = PART_BYTES) -> FileIndex:
    """Read a file once and return its index.

    Raises:
        InputError: the file cannot be read at all.
    """
    stamp = file.stamp()
    if not has_parts(file):
        return joined(stamp, [index_part(IndexTask(file), scope)], scope.sample)
    parts, start = [], 0
    while start < stamp[0]:
        part = index_part(IndexTask(file, start, stop_of(start, part_bytes), whole=True), scope)
        parts.append(part)
        start = part.parts[0].end
    return joined(stamp, parts, scope.sample)


def stop_of(start: int, part_bytes: int) -> int:
    """Return the offset at which the part that starts at an offset stops: the same for any number of workers."""
    return (start // part_bytes + 1) * part_bytes


def index_part(task: IndexTask, scope: IndexScope) -> FileIndex:
    """Return the index of a part of a file, without a stamp; it has no parts if no record starts in it.

    Raises:
        InputError: the file cannot be read at all.
    """
    if not has_parts(task.file):
        return _index(read_records(task.file, scope.options), scope)
    start = task.start if task.exact else find_part(task.file, task.start, task.stop)
    if start is None:
        return FileIndex([])
    heads = None if task.whole else read_part_heads(task.file, start, task.stop, scope.options)
    if heads is not None:
        items, end = heads
        index = _index(items, scope)
    else:
        ends: list[int] = []
        index = _index(_with_end(read_part(task.file, start, task.stop, scope.options), ends), scope)
        [end] = ends
    index.parts = [FilePart(start, end, 0, index.records, index.pages)]
    return index


def _with_end(items: Generator[Record | Loss, None, int], ends: list[int]) -> Iterator[Record | Loss]:
    """Yield items, and add what their generator returns to a list."""
    ends.append((yield from items))


def _index(items: Iterable[Record | Loss], scope: IndexScope) -> FileIndex:
    index = FileIndex([])
    skipped: Counter[str] = Counter()
    samples: dict[str, _SmallestKeys] = {}
    for record in items:
        if isinstance(record, Loss):
            continue
        index.records += 1
        if record.skipped:
            skipped[record.skipped] += 1
            continue
        index.pages += 1
        if scope.sample and record.url and (site := site_name(record.url, scope.by)):
            index.sites[site] = index.sites.get(site, 0) + 1
            if not record.damaged:
                if (keys := samples.get(site)) is None:
                    keys = samples[site] = _SmallestKeys(scope.sample)
                keys.add(PageRef(page_key(record.url), record.number, record.offset))
    index.skipped = dict(skipped)
    index.samples = {site: sample.sorted() for site, sample in samples.items()}
    return index


def joined(stamp: list[int], indexes: Iterable[FileIndex], sample: int) -> FileIndex:
    """Return the index of a file from those of its parts, in order.

    Args:
        stamp: the file's stamp.
        indexes: their records are numbered from 0 in each.
        sample: as in `IndexScope`.
    """
    total = FileIndex(stamp)
    skipped: Counter[str] = Counter()
    samples: dict[str, _SmallestKeys] = {}
    for index in indexes:
        first = total.records
        total.parts += [part._replace(number=first) for part in index.parts]
        total.records += index.records
        total.pages += index.pages
        skipped.update(index.skipped)
        for site, count in index.sites.items():
            total.sites[site] = total.sites.get(site, 0) + count
        for site, refs in index.samples.items():
            keys = samples.setdefault(site, _SmallestKeys(sample))
            for ref in refs:  # of pages with the same key, the first counts
                keys.add(ref._replace(number=ref.number + first))
    total.skipped = dict(sorted(skipped.items()))
    total.samples = {site: keys.sorted() for site, keys in sorted(samples.items())}
    return total


class _SmallestKeys:
    """The pages with the smallest keys; of several pages with the same key, the first one."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._heap: list[tuple[int, PageRef]] = []
        self._keys: set[int] = set()

    def add(self, ref: PageRef) -> None:
        if ref.key in self._keys or (len(self._heap) == self.size and ref.key > -self._heap[0][0]):
            return
        self._keys.add(ref.key)
        heapq.heappush(self._heap, (-ref.key, ref))
        if len(self._heap) > self.size:
            self._keys.discard(-heapq.heappop(self._heap)[0])

    def sorted(self) -> list[PageRef]:
        return sorted(ref for _, ref in self._heap)


@dataclass(frozen=True)
class Samples:
    """The pages to learn each site from."""

    digests: Mapping[str, str]
    """Site -> hash of its sample: the pages' keys and their files."""
    by_file: Sequence[Mapping[PageRef, str]]
    """For each file: page -> site."""


def choose_samples(indexes: Sequence[FileIndex], names: Sequence[str], *, sample: int, least: int) -> Samples:
    """Choose the pages to learn each site from: those with the smallest keys in all files.

    Args:
        indexes: the indexes of all files, in order; a page that is in several files is taken from the first.
        names: the names of the files.
        sample: maximum number of pages per site.
        least: sites with fewer distinct pages are not learned.
    """
    candidates: dict[str, list[tuple[int, int, PageRef]]] = {}
    for file, index in enumerate(indexes):
        for site, refs in index.samples.items():
            candidates.setdefault(site, []).extend((ref.key, file, ref) for ref in refs)
    by_file: list[dict[PageRef, str]] = [{} for _ in indexes]
    digests = {}
    for site, pages in sorted(candidates.items()):
        distinct: dict[int, tuple[int, PageRef]] = {}
        for key, file, ref in sorted(pages):
            distinct.setdefault(key, (file, ref))
        chosen = [page for _, page in sorted(distinct.items())[:sample]]
        if len(chosen) < least:
            continue
        for file, ref in chosen:
            by_file[file][ref] = site
        digests[site] = sample_digest((ref, names[file], indexes[file].stamp) for file, ref in chosen)
    return Samples(digests, by_file)


def sample_digest(pages: Iterable[tuple[PageRef, str, Sequence[int]]]) -> str:
    """Return a hash of the pages that a site is learned from.

    Args:
        pages: in ascending order of their keys, each with the name and stamp of its file.
    """
    digest = blake2b(digest_size=16)
    for ref, name, stamp in pages:
        digest.update(os.fsencode(f"{ref.key} {name} {list(stamp)} {ref.number}\n"))
    return digest.hexdigest()


def read_pages(file: Input, options: ReadOptions, refs: Collection[PageRef]) -> Iterator[tuple[PageRef, Record]]:
    """Yield some pages of a file; if the format allows it, read only these.

    Raises:
        InputError: the file cannot be read at all, or has changed since it was indexed.
    """
    missing = dict.fromkeys(sorted(refs, key=lambda ref: ref.number))
    ordered = list(missing)
    for ref, record in zip(ordered, read_at(file, [ref.offset for ref in ordered], options), strict=True):
        if record and record.url and not record.skipped and page_key(record.url) == ref.key:
            del missing[ref]
            yield ref, _sound(file, replace(record, number=ref.number, offset=ref.offset))
    by_number = {ref.number: ref for ref in missing}  # several pages may share a member of a .warc.gz
    for item in read_records(file, options) if by_number else ():
        match = by_number.get(item.number) if isinstance(item, Record) else None
        if isinstance(item, Record) and match and page_key(item.url) == match.key:
            del by_number[item.number]
            yield match, _sound(file, item)
        if not by_number:
            return
    if by_number:
        raise StaleIndexError(file)


def _sound(file: Input, page: Record) -> Record:
    """Return a sampled page, unless it is damaged, which was not seen if only its head was read when it was chosen."""
    if page.damaged:
        raise StaleIndexError(file)
    return page
