"""The work that child processes do: everything that may be slow, hang or crash.

A child calls `make_handler` once and passes each task it receives to the function returned: an `Input` to index, a
`LearnTask` to count what pages share, a `MergeTask` to turn counts into a site model, a `PageTask` to clean a page. One
kind of child handles all tasks, because starting a child costs as much as cleaning a hundred pages.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from dehusk.about import CommentsChoice
from dehusk.base.errors import ConfigError
from dehusk.base.remote.paths import RemotePath, connect, local_folder, path_of
from dehusk.cleaning import clean
from dehusk.counts.counting import PartedCounts
from dehusk.counts.grouping import By
from dehusk.counts.model import SiteModel
from dehusk.counts.own_counts import DeclaredCounts, OwnCounts
from dehusk.counts.shared import find_shared
from dehusk.document import Document
from dehusk.label import DEFAULT, PageMethod, Style, load_method
from dehusk.label.declaration import Findings
from dehusk.label.registry import declaration, declarations, name_of
from dehusk.many.corpus.index import IndexScope, IndexTask, index_file, index_part
from dehusk.many.corpus.packed_counts import CountsSlice, open_counts, pack_counts
from dehusk.many.corpus.page_rows import PartTask, RecordsTask, RowSettings, clean_in_batch
from dehusk.many.files.bodies import Body
from dehusk.many.files.formats import prepare_formats
from dehusk.many.files.inputs import Input
from dehusk.many.files.record import Record
from dehusk.many.rows import Row, document_columns
from dehusk.read import Limits, parse
from dehusk.read.page import Page
from dehusk.visible import HiddenText
from dehusk.write import find_writer
from dehusk.write.options import DEFAULTS, WriteOptions

_CACHED_MODELS = 33_000_000
"""Bytes of site-model arrays that a child keeps in memory."""
_MOST_WORDS = 200_000  # of pages whose counts are not packed yet; they take some 100 bytes a word


@dataclass(frozen=True)
class CleanSettings:
    """How to clean pages; sent to the child."""

    method: str | None
    content: str
    """One of `dehusk.write.format_names()`."""
    blocks: bool
    limits: Limits
    style: Style | None = None
    favour: float | None = None
    metadata: bool = False
    findings: tuple[str, ...] = ()
    """Methods of which rows contain what they find (`dehusk.label.declaration.Findings`)."""
    hidden: HiddenText = "drop"
    comments: CommentsChoice = "drop"
    writing: WriteOptions = DEFAULTS


class PageTask(NamedTuple):
    """A page sent to a child."""

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
    models = _SiteModels(settings)
    find_writer(settings.content).check(settings.writing)
    # loads the models before the memory limit applies
    _to_row(settings, clean(b"<p>loads what cleaning needs", method=models.default.method), models.default)

    def clean_task(task: PageTask) -> Row:
        model = models.load(task.site)
        document = clean(
            task.page(),
            url=task.url or None,
            headers=task.headers,
            method=model.method,
            limits=settings.limits,
            hidden=settings.hidden,
            comments=settings.comments,
        )
        return _to_row(settings, document, model)

    return clean_task


def _to_row(settings: CleanSettings, document: Document, model: _SiteModel) -> Row:
    row = document_columns(document, settings.content, settings.writing, metadata=settings.metadata)
    row |= {"method": model.name, "site_pages": model.pages}
    if settings.blocks:
        keys = ("text", "label", "probability", "kept")
        row["blocks"] = [{key: block[key] for key in keys} for block in _blocks(document)]
    if settings.findings:
        finders = model.findings if document.status.is_readable else {}
        row["findings"] = {
            name: finders[name](document.page) if name in finders else findings_of(name).nothing
            for name in settings.findings
        }
    return row


def findings_of(method: str) -> Findings:
    """Return what a method declares that it finds on pages.

    Raises:
        ConfigError: the method is unknown, or finds nothing.
    """
    findings = declaration(method).findings
    if findings is None:
        finders = ", ".join(declared.name for declared in declarations() if declared.findings)
        raise ConfigError(f"method {method} finds nothing beside what it keeps; these do: {finders}")
    return findings


def _blocks(document: Document) -> list[dict[str, Any]]:
    blocks = document.record()["blocks"]
    assert isinstance(blocks, list)  # noqa: S101 (guaranteed by `Document.record`)
    return blocks


def learns_sites(method: str | None) -> bool:
    """Return whether a corpus can learn sites for a method.

    Raises:
        ConfigError: the method does not exist, or cannot learn from counts that add up.
    """
    declared = declaration(method or DEFAULT)
    if declared.site == "required" and not declared.learns_from_counts:
        raise ConfigError(
            f"method {declared.name} compares all pages of a site with each other, which a corpus does not allow: "
            "use `dehusk site learn`"
        )
    return declared.learns_from_counts


class _SiteModel(NamedTuple):
    """A method that uses the model of one site, or of none."""

    method: PageMethod
    name: str
    """The name of the method."""
    pages: int | None = None
    """Number of pages that the site was learned from; None without a site model."""
    findings: Mapping[str, Callable[[Page], Mapping[str, Any]]] = {}
    """Method -> what it finds on a page; only methods of which rows contain that."""
    bytes: int = 0


class _SiteModels:
    """The models of recently used sites, and a default for pages without a site model."""

    def __init__(self, settings: CleanSettings) -> None:
        self.settings = settings
        name = None if declaration(settings.method or DEFAULT).site == "required" else settings.method
        method = load_method(name, style=settings.style, favour=settings.favour)
        self.default = _SiteModel(method, name_of(method))
        self._cache: OrderedDict[str, _SiteModel] = OrderedDict()

    def load(self, folder: str) -> _SiteModel:
        """Return the model in a site's folder; the default for ""."""
        if not folder:
            return self.default
        if folder not in self._cache:
            self._cache[folder] = self._read(folder)
            while len(self._cache) > 1 and sum(model.bytes for model in self._cache.values()) > _CACHED_MODELS:
                self._cache.popitem(last=False)
        self._cache.move_to_end(folder)
        return self._cache[folder]

    def _read(self, folder: str) -> _SiteModel:
        with local_folder(path_of(folder)) as local:
            return self._load(local)

    def _load(self, folder: Path) -> _SiteModel:
        site = SiteModel.load(folder)
        size = sum(array.nbytes for array in site.tables.as_counts().arrays().values())
        method = load_method(self.settings.method, site=site, style=self.settings.style, favour=self.settings.favour)
        declared = {name: findings_of(name) for name in self.settings.findings}
        counts = {name: site.own_counts(of_method.counts) for name, of_method in declared.items()}
        size += sum(array.nbytes for each in counts.values() for array in each.arrays().values())
        findings = {name: of_method.fit(counts[name]) for name, of_method in declared.items()}
        return _SiteModel(method, name_of(method), site.pages, findings, size)


class LearnedCounts(NamedTuple):
    """Counts of what some pages of a site share."""

    site: str
    counts: bytes
    """As returned by `pack_counts`."""


@dataclass(frozen=True)
class LearnSettings:
    """How to learn sites; sent to the child."""

    by: By
    counts: tuple[type[DeclaredCounts], ...]
    """What is counted beyond what is counted of every site."""
    limits: Limits


class LearnTask(NamedTuple):
    """Pages to learn from."""

    pages: Sequence[PageTask]


def learn_counts(settings: LearnSettings, task: LearnTask) -> list[LearnedCounts]:
    """Return, for each site, the counts of its readable pages; in several parts if the pages have many words."""
    learned: list[LearnedCounts] = []
    sites: dict[str, SiteModel] = {}
    for page_task in task.pages:
        page = parse(page_task.page(), page_task.url, page_task.headers, limits=settings.limits)
        if page.status.is_readable:
            new = SiteModel(by=settings.by, structure=False, counts=settings.counts)
            sites.setdefault(page_task.site, new).add(page)
            if sum(site.pending for site in sites.values()) > _MOST_WORDS:
                learned += _packed(sites)
    return learned + _packed(sites)


def _packed(sites: dict[str, SiteModel]) -> list[LearnedCounts]:
    """Return the counts of all sites, and forget them."""
    return [LearnedCounts(name, pack_counts(sites.pop(name).arrays())) for name in sorted(sites)]


class MergeTask(NamedTuple):
    """Counts of a site to add up and save as its model."""

    parts: Sequence[CountsSlice | bytes]
    """Packed counts, or the parts of files that contain them."""
    by: By
    counts: tuple[type[DeclaredCounts], ...]
    """As the pages were learned with."""
    folder: str
    """Where to save the model."""


def merge_counts(task: MergeTask) -> int:
    """Save the model of a site and return the number of pages it was learned from."""
    with ExitStack() as stack:
        parts = [stack.enter_context(open_counts(part)) for part in task.parts]
        counts = PartedCounts(parts)
        own = OwnCounts.total(task.counts, [OwnCounts(stored=part) for part in parts])
        site = SiteModel.of_shared(find_shared(counts.total, counts.keys_on_pages), by=task.by, own=own)
        site.save(task.folder)
    return site.pages


@dataclass(frozen=True)
class ChildSettings:
    """Settings for all types of tasks; sent to the child when it starts."""

    scope: IndexScope
    learning: LearnSettings
    cleaning: CleanSettings
    rows: RowSettings
    stores: Sequence[RemotePath] = ()
    """A path in each remote store of the run."""
    formats: Sequence[str] = ()
    """The names of the formats of the inputs."""


Task = Input | IndexTask | LearnTask | MergeTask | PageTask | PartTask | RecordsTask
HandlerFactory = Callable[[ChildSettings], Callable[[Any], Any]]
"""The type of `make_handler`."""


def make_handler(settings: ChildSettings) -> Callable[[Task | list[Task]], Any]:
    """Return the function that does every type of task; of several tasks in a list, it returns a list of results."""
    connect(settings.stores)
    prepare_formats(settings.formats)
    clean_task = make_cleaner(settings.cleaning)

    def clean_page(page: Record, body: Body, model: str) -> Row:
        return clean_task(PageTask(body.data, page.url, page.headers, page.decoded, model))

    def handle(task: Task | list[Task]) -> Any:
        result: Any
        match task:
            case list():
                result = [handle(each) for each in task]
            case PageTask():
                result = clean_task(task)
            case PartTask() | RecordsTask():
                result = clean_in_batch(task, settings.rows, clean_page)
            case LearnTask():
                result = learn_counts(settings.learning, task)
            case MergeTask():
                result = merge_counts(task)
            case IndexTask():
                result = index_part(task, settings.scope)
            case _:
                result = index_file(task, settings.scope)
        return result

    return handle
