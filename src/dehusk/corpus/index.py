"""The first pass: which pages a file holds, and which of them stand for their site.

A page's key is the 64-bit BLAKE2b hash of its address. A site is learned from its pages with the smallest keys: a
uniform sample that does not depend on how the pages are split into files or in what order they are seen (bottom-k
sampling: Cohen & Kaplan 2007, "Summarizing data using bottom-k sketches").
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any, NamedTuple

from dehusk.errors import InputError
from dehusk.records.inputs import Input, read, read_places
from dehusk.records.record import Loss, Record
from dehusk.records.tables import Columns
from dehusk.site.grouping import By, site_name


@dataclass(frozen=True)
class Scope:
    """How files are read; crosses process borders."""

    columns: Columns
    limit: int
    """Bytes of a page."""
    by: By
    """What a site is."""
    sample: int
    """Pages that a site is learned from at most; 0 for no sites."""


class Place(NamedTuple):
    """Where a page is in its file."""

    key: int
    number: int
    offset: int


@dataclass
class FileIndex:
    """What a file holds, without its pages."""

    stamp: list[int]
    records: int = 0
    pages: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    """Why records are not pages -> how many."""
    losses: list[Loss] = field(default_factory=list)
    sites: dict[str, int] = field(default_factory=dict)
    """Site -> its pages in this file."""
    samples: dict[str, list[Place]] = field(default_factory=dict)
    """Site -> its pages with the smallest keys, each key once, sorted."""

    def values(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        return dict(vars(self))

    @classmethod
    def of_values(cls, values: Mapping[str, Any]) -> FileIndex:
        """Return what `values` were made of.

        Raises:
            TypeError: they were made of something else.
        """
        made = cls(**values)
        made.losses = [Loss(*one) for one in made.losses]
        made.samples = {site: [Place(*row) for row in rows] for site, rows in made.samples.items()}
        return made


def page_key(url: str) -> int:
    """Return the key of a page by its address, 64 bits."""
    return int.from_bytes(blake2b(url.encode("utf-8", "replace"), digest_size=8).digest(), "big")


def index_file(one: Input, scope: Scope) -> FileIndex:
    """Read a file once and return what it holds.

    Raises:
        InputError: the file cannot be read at all.
    """
    found = FileIndex(one.stamp())
    skipped: Counter[str] = Counter()
    sites: dict[str, _Smallest] = {}
    for record in read(one, scope.columns, scope.limit):
        if isinstance(record, Loss):
            found.losses.append(record)
            continue
        found.records += 1
        if record.skipped:
            skipped[record.skipped] += 1
            continue
        found.pages += 1
        if scope.sample and record.url and (site := site_name(record.url, scope.by)):
            found.sites[site] = found.sites.get(site, 0) + 1
            if not record.damaged:
                place = Place(page_key(record.url), record.number, record.offset)
                sites.setdefault(site, _Smallest(scope.sample)).add(place)
    found.skipped = dict(sorted(skipped.items()))
    found.samples = {site: smallest.sorted() for site, smallest in sorted(sites.items())}
    return found


class _Smallest:
    """The pages with the smallest of all keys; of one key the page that came first."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._heap: list[tuple[int, Place]] = []
        self._keys: set[int] = set()

    def add(self, place: Place) -> None:
        if place.key in self._keys or (len(self._heap) == self.most and place.key > -self._heap[0][0]):
            return
        self._keys.add(place.key)
        heapq.heappush(self._heap, (-place.key, place))
        if len(self._heap) > self.most:
            self._keys.discard(-heapq.heappop(self._heap)[0])

    def sorted(self) -> list[Place]:
        return sorted(place for _, place in self._heap)


@dataclass(frozen=True)
class Cut:
    """Which pages each site is learned from."""

    digests: Mapping[str, str]
    """Site -> a hash of its pages' keys and of the files that they stand in."""
    by_file: Sequence[Mapping[Place, str]]
    """For each file: page -> its site."""


def cut(indexes: Sequence[FileIndex], names: Sequence[str], *, sample: int, least: int) -> Cut:
    """Choose the pages that sites are learned from: of all files those with the smallest keys.

    Args:
        indexes: of all files, in their order; a page that is in two files is that of the first.
        names: of the files.
        sample: pages of a site at most.
        least: a site with fewer different pages than this is not learned.
    """
    rows: dict[str, list[tuple[int, int, Place]]] = {}
    for file, index in enumerate(indexes):
        for site, pages in index.samples.items():
            rows.setdefault(site, []).extend((page.key, file, page) for page in pages)
    by_file: list[dict[Place, str]] = [{} for _ in indexes]
    digests = {}
    for site, found in sorted(rows.items()):
        first: dict[int, tuple[int, Place]] = {}
        for key, file, page in sorted(found):
            first.setdefault(key, (file, page))
        chosen = [one for _, one in sorted(first.items())[:sample]]
        if len(chosen) < least:
            continue
        for file, page in chosen:
            by_file[file][page] = site
        digests[site] = sample_digest((page, names[file], indexes[file].stamp) for file, page in chosen)
    return Cut(digests, by_file)


def sample_digest(pages: Iterable[tuple[Place, str, Sequence[int]]]) -> str:
    """Return a hash of the pages that a site is learned from.

    Args:
        pages: by rising key, each with the name of its file and the file's stamp.
    """
    made = blake2b(digest_size=16)
    for page, name, stamp in pages:
        made.update(f"{page.key} {name} {list(stamp)} {page.number}\n".encode())
    return made.hexdigest()


def read_some(one: Input, columns: Columns, limit: int, wanted: Collection[Place]) -> Iterator[tuple[Place, Record]]:
    """Yield some pages of a file: those of a WARC from where they stand, without what is between them.

    Raises:
        InputError: the file cannot be read at all, or no longer holds what it did when it was indexed.
    """
    left = dict.fromkeys(sorted(wanted, key=lambda place: place.number))
    if one.kind == "warc":
        places = list(left)
        for place, found in zip(places, read_places(one, [place.offset for place in places], limit), strict=True):
            if found and found.url and not found.skipped and page_key(found.url) == place.key:
                del left[place]
                yield place, replace(found, number=place.number, offset=place.offset)
    numbers = {place.number: place for place in left}  # several pages may be in one member of a .warc.gz
    for record in read(one, columns, limit) if numbers else ():
        found_at = numbers.get(record.number) if isinstance(record, Record) else None
        if isinstance(record, Record) and found_at and page_key(record.url) == found_at.key:
            del numbers[record.number]
            yield found_at, record
        if not numbers:
            return
    if numbers:
        raise InputError(f"{one.path} has changed since it was indexed: run again")
