"""The work that child processes do: everything that may be slow, hang or crash.

A child calls `make_handler` once and passes each task it receives to the function returned: an `Input` to index, a
`LearnTask` to count what pages share, a `MergeTask` to turn counts into a site model, a `PageTask` to clean a page. One
kind of child handles all tasks, because starting a child costs as much as cleaning a hundred pages.
"""

from __future__ import annotations

import io
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dehusk.cleaning import clean
from dehusk.corpus.index import IndexScope, index_file
from dehusk.corpus.schema import Row
from dehusk.document import Document
from dehusk.errors import ConfigError, Status
from dehusk.methods import DEFAULT, PageMethod, load_method
from dehusk.methods.registry import declaration, name_of
from dehusk.read import Limits, parse
from dehusk.records.inputs import Input
from dehusk.site.counting import SiteCounts
from dehusk.site.grouping import By
from dehusk.site.model import Site
from dehusk.store import write_arrays

_CACHED_MODELS = 200_000_000
"""Bytes of site-model arrays that a child keeps in memory."""


@dataclass(frozen=True)
class CleanSettings:
    """How to clean pages; sent to the child."""

    method: str | None
    content: str
    """"text" or "markdown"."""
    blocks: bool
    limits: Limits


class PageTask(NamedTuple):
    """A page on its way to a child."""

    data: bytes
    url: str
    headers: Mapping[str, str]
    decoded: bool
    site: str = ""
    """When learning: the page's site. When cleaning: the folder of the site's model, "" for none."""

    def page(self) -> bytes | str:
        """Return the page in the form that the parser expects."""
        return self.data.decode("utf-8", "replace") if self.decoded else self.data


def make_cleaner(settings: CleanSettings) -> Callable[[PageTask], Row]:
    """Return a function that cleans a page and returns the child's part of its row."""
    methods = _SiteMethods(settings.method)
    default = methods.default
    # loads the models before the memory limit applies
    _to_row(settings, clean(b"<p>loads what cleaning needs", method=default), default, None)

    def clean_task(task: PageTask) -> Row:
        method, pages = methods.for_site(task.site)
        document = clean(task.page(), url=task.url or None, headers=task.headers, method=method, limits=settings.limits)
        return _to_row(settings, document, method, pages)

    return clean_task


def _to_row(settings: CleanSettings, document: Document, method: PageMethod, pages: int | None) -> Row:
    failed = document.status is Status.ERROR
    text = document.render(settings.content)
    row: Row = {
        "status": str(document.status),
        "error": document.message.strip(),
        "method": name_of(method),
        "site_pages": pages,
        "encoding": document.page.encoding.name,
        "title": document.title,
        "text": None if failed else text,
        "text_bytes": None if failed else len(text.encode("utf-8", "replace")),
        "confidence": None if failed else round(document.confidence, 4),
    }
    if settings.blocks:
        keys = ("text", "label", "probability", "kept")
        row["blocks"] = [{key: block[key] for key in keys} for block in _blocks(document)]
    return row


def _blocks(document: Document) -> list[dict[str, Any]]:
    blocks = document.record()["blocks"]
    assert isinstance(blocks, list)  # noqa: S101 (guaranteed by `Document.record`)
    return blocks


def learns_sites(method: str | None) -> bool:
    """Return whether a corpus can learn sites for a method.

    Raises:
        ConfigError: no such method, or one that cannot learn from counts that add up.
    """
    declared = declaration(method or DEFAULT)
    if declared.site == "required" and not declared.learns_from_counts:
        raise ConfigError(
            f"method {declared.name} compares all pages of a site with each other: use `dehusk site learn`"
        )
    return declared.learns_from_counts


class _SiteMethods:
    """The methods of recently used sites, and the method for pages without a site model."""

    def __init__(self, name: str | None) -> None:
        self.name = name
        self.default = load_method(None if declaration(name or DEFAULT).site == "required" else name)
        self._cache: OrderedDict[str, tuple[PageMethod, int, int]] = OrderedDict()

    def for_site(self, folder: str) -> tuple[PageMethod, int | None]:
        """Return the method for a site's model folder, and the number of pages the model was learned from."""
        if not folder:
            return self.default, None
        if folder not in self._cache:
            site = Site.load(folder)
            size = sum(array.nbytes for array in site.tables.as_counts().arrays().values())
            self._cache[folder] = load_method(self.name, site=site), site.pages, size
            while len(self._cache) > 1 and sum(size for _, _, size in self._cache.values()) > _CACHED_MODELS:
                self._cache.popitem(last=False)
        self._cache.move_to_end(folder)
        method, pages, _ = self._cache[folder]
        return method, pages


class LearnedCounts(NamedTuple):
    """What some pages of a site share."""

    site: str
    counts: bytes
    """As returned by `pack_counts`."""


@dataclass(frozen=True)
class LearnSettings:
    """How to learn sites; sent to the child."""

    by: By
    structure: bool
    """Whether the method needs the elements of the structure tree."""
    limits: Limits


class LearnTask(NamedTuple):
    """Pages to learn from."""

    pages: Sequence[PageTask]


def learn_counts(settings: LearnSettings, task: LearnTask) -> list[LearnedCounts]:
    """Return, for each site, the counts of its readable pages."""
    sites: dict[str, Site] = {}
    for page_task in task.pages:
        page = parse(page_task.page(), page_task.url, page_task.headers, limits=settings.limits)
        if page.status.is_readable:
            sites.setdefault(page_task.site, Site(by=settings.by, structure=settings.structure)).add(page)
    return [LearnedCounts(name, pack_counts(site.counts())) for name, site in sorted(sites.items())]


class CountsSlice(NamedTuple):
    """The part of a file that holds packed counts."""

    file: str
    offset: int
    size: int

    def read(self) -> bytes:
        """Return the packed counts."""
        with Path(self.file).open("rb") as stream:
            stream.seek(self.offset)
            return stream.read(self.size)


class MergeTask(NamedTuple):
    """Counts of a site, to be added up and saved as its model."""

    parts: Sequence[CountsSlice | bytes]
    """Packed counts, or where to find them."""
    by: By
    folder: str
    """Where to save the model."""


def merge_counts(task: MergeTask) -> int:
    """Save the model of a site and return the number of pages it was learned from."""
    counts = [unpack_counts(part if isinstance(part, bytes) else part.read()) for part in task.parts]
    site = Site.of_counts(SiteCounts.total(counts), by=task.by)
    site.save(task.folder)
    return site.pages


@dataclass(frozen=True)
class ChildSettings:
    """Settings for every kind of task; sent to the child when it starts."""

    scope: IndexScope
    learning: LearnSettings
    cleaning: CleanSettings


Task = Input | LearnTask | MergeTask | PageTask
HandlerFactory = Callable[[ChildSettings], Callable[[Any], Any]]
"""The type of `make_handler`."""


def make_handler(settings: ChildSettings) -> Callable[[Task], Any]:
    """Return the function that does any task; see above."""
    clean_task = make_cleaner(settings.cleaning)

    def handle(task: Task) -> Any:
        if isinstance(task, PageTask):
            return clean_task(task)
        if isinstance(task, LearnTask):
            return learn_counts(settings.learning, task)
        return merge_counts(task) if isinstance(task, MergeTask) else index_file(task, settings.scope)

    return handle


def pack_counts(counts: SiteCounts) -> bytes:
    """Return counts as bytes; equal counts give equal bytes."""
    stream = io.BytesIO()
    write_arrays(stream, counts.arrays())
    return stream.getvalue()


def unpack_counts(data: bytes) -> SiteCounts:
    """Return the counts that `pack_counts` was called with.

    Raises:
        ValueError: the bytes are not packed counts.
    """
    with np.load(io.BytesIO(data), allow_pickle=False) as archive:
        return SiteCounts.from_arrays({name: archive[name] for name in archive.files})
