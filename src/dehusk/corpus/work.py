"""What child processes do with pages: everything that may be slow, hang or die.

`make_worker` is called once in the child and returns the function that works on one item after the other: an `Input` to
index, a `Batch` to learn from, a `Merge` of what was learned, a page that is `Sent` to be cleaned. One kind of child
does all, because to start one costs as much as a hundred pages.
"""

from __future__ import annotations

import io
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import dehusk
from dehusk.cleaning import clean
from dehusk.corpus.index import Scope, index_file
from dehusk.document import Document
from dehusk.errors import ConfigError, Status
from dehusk.methods import METHODS, SITE_METHODS, PageMethod, load_method
from dehusk.read import Limits, parse
from dehusk.records.inputs import Input
from dehusk.site.counting import SiteCounts
from dehusk.site.grouping import By
from dehusk.site.model import Site
from dehusk.store import write_arrays

_MODELS = 200_000_000
"""Bytes of arrays of the site models that a child remembers."""

Row = dict[str, Any]


@dataclass(frozen=True)
class Cleaning:
    """How pages are cleaned; crosses process borders."""

    method: str | None
    content: str
    """"text" or "markdown"."""
    blocks: bool
    limits: Limits


class Sent(NamedTuple):
    """A page on its way to a child."""

    data: bytes
    url: str
    headers: Mapping[str, str]
    decoded: bool
    site: str = ""
    """For learning: the site it is of. For cleaning: the folder of its site's model, "" for none."""

    def page(self) -> bytes | str:
        """Return the page as the parser takes it."""
        return self.data.decode("utf-8", "replace") if self.decoded else self.data


def cleaner(job: Cleaning) -> Callable[[Sent], Row]:
    """Return the function that makes a page's part of its row."""
    models = _Models(job.method)
    _to_row(job, clean(b"<p>loads what cleaning needs", method=models.alone), models.alone, None)

    def work(sent: Sent) -> Row:
        method, pages = models.of(sent.site)
        document = clean(sent.page(), url=sent.url or None, headers=sent.headers, method=method, limits=job.limits)
        return _to_row(job, document, method, pages)

    return work


def _to_row(job: Cleaning, document: Document, method: PageMethod, pages: int | None) -> Row:
    failed = document.status is Status.ERROR
    text = document.render(job.content)
    row: Row = {
        "status": str(document.status),
        "error": document.message.strip(),
        "method": method_name(method),
        "site_pages": pages,
        "encoding": document.page.encoding.name,
        "title": document.title,
        "text": None if failed else text,
        "text_bytes": None if failed else len(text.encode("utf-8", "replace")),
        "confidence": None if failed else round(document.confidence, 4),
    }
    if job.blocks:
        names = ("text", "label", "probability", "kept")
        row["blocks"] = [{name: block[name] for name in names} for block in _blocks(document)]
    return row


def _blocks(document: Document) -> list[dict[str, Any]]:
    found = document.record()["blocks"]
    assert isinstance(found, list)  # noqa: S101 (the writer's promise)
    return found


def method_name(method: PageMethod) -> str:
    """Return what a method is called in `METHODS`; the name of its class where it is not there."""
    module = type(method).__module__
    known = [name for name, home in METHODS.items() if module == home or module.startswith(f"{home}.")]
    return known[0] if known else type(method).__name__


def takes_site(method: str | None) -> bool:
    """Return whether a method learns from the pages of a site.

    Raises:
        ConfigError: no such method, or one whose models do not add up.
    """
    if method == "alternation":
        raise ConfigError("method alternation compares all pages of a site with each other: use `dehusk site learn`")
    try:
        load_method(method, site=Site(structure=method == "cst").fit(["<p>one page"]))
    except ConfigError:
        load_method(method)  # says what is wrong with a name that nothing knows
        return False
    return True


class _Models:
    """Methods for sites, the last ones that were used; and the method for pages without a site."""

    def __init__(self, method: str | None) -> None:
        self.method = method
        self.alone = load_method(None if method in SITE_METHODS else method)
        self._ready: OrderedDict[str, tuple[PageMethod, int, int]] = OrderedDict()

    def of(self, folder: str) -> tuple[PageMethod, int | None]:
        """Return the method for a site's folder and how many pages it was learned from."""
        if not folder:
            return self.alone, None
        if folder not in self._ready:
            site = Site.load(folder)
            size = sum(array.nbytes for array in site.tables.as_counts().arrays().values())
            self._ready[folder] = load_method(self.method, site=site), site.pages, size
            while len(self._ready) > 1 and sum(size for _, _, size in self._ready.values()) > _MODELS:
                self._ready.popitem(last=False)
        self._ready.move_to_end(folder)
        method, pages, _ = self._ready[folder]
        return method, pages


class Learned(NamedTuple):
    """What pages of a site were found to hold."""

    site: str
    counts: bytes
    """`pack`ed."""


@dataclass(frozen=True)
class Learning:
    """How sites are learned; crosses process borders."""

    by: By
    structure: bool
    """Whether the method needs the elements of the structure tree."""
    limits: Limits


class Batch(NamedTuple):
    """Pages to learn from."""

    pages: Sequence[Sent]


def learn(job: Learning, batch: Batch) -> list[Learned]:
    """Count what pages hold, for each of their sites."""
    sites: dict[str, Site] = {}
    for sent in batch.pages:
        page = parse(sent.page(), sent.url, sent.headers, limits=job.limits)
        if page.status in (Status.OK, Status.TRUNCATED):
            sites.setdefault(sent.site, Site(by=job.by, structure=job.structure)).add(page)
    return [Learned(name, pack(site.counts())) for name, site in sorted(sites.items())]


class Part(NamedTuple):
    """Where packed counts stand."""

    file: str
    offset: int
    size: int

    def read(self) -> bytes:
        """Return the counts, `pack`ed."""
        with Path(self.file).open("rb") as stream:
            stream.seek(self.offset)
            return stream.read(self.size)


class Merge(NamedTuple):
    """Counts of a site that become its model."""

    parts: Sequence[Part | bytes]
    """Where they stand, or themselves, `pack`ed."""
    by: By
    folder: str


def merge(job: Merge) -> int:
    """Write a site's model and return how many pages it was learned from."""
    found = [unpack(part if isinstance(part, bytes) else part.read()) for part in job.parts]
    site = Site.of_counts(SiteCounts.total(found), by=job.by)
    site.save(job.folder)
    return site.pages


@dataclass(frozen=True)
class Jobs:
    """How everything is done; crosses process borders."""

    scope: Scope
    learning: Learning
    cleaning: Cleaning


def make_worker(jobs: Jobs) -> Callable[[Input | Batch | Merge | Sent], Any]:
    """Return the function that works on whatever a thread sends; see above."""
    clean_one = cleaner(jobs.cleaning)

    def work(item: Input | Batch | Merge | Sent) -> Any:
        if isinstance(item, Sent):
            return clean_one(item)
        if isinstance(item, Batch):
            return learn(jobs.learning, item)
        return merge(item) if isinstance(item, Merge) else index_file(item, jobs.scope)

    return work


def pack(counts: SiteCounts) -> bytes:
    """Return counts as bytes; equal counts are equal bytes."""
    stream = io.BytesIO()
    write_arrays(stream, counts.arrays())
    return stream.getvalue()


def unpack(data: bytes) -> SiteCounts:
    """Return the counts that `pack` was given.

    Raises:
        ValueError: the bytes are something else.
    """
    with np.load(io.BytesIO(data), allow_pickle=False) as stored:
        return SiteCounts.from_arrays({name: stored[name] for name in stored.files})


VERSION = dehusk.__version__
