"""What `dehusk clean` does with one page; runs in worker processes too."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from dehusk.base.errors import ChildError, ChildSlowError, FetchError, Status
from dehusk.base.processes.alarm import AlarmError, alarm_after
from dehusk.base.processes.risk import DeadlyPageError, at_risk
from dehusk.cleaning import MethodOptions, clean, failed
from dehusk.cli.explanation import Appearance, explain_document
from dehusk.document import Document
from dehusk.read import Limits
from dehusk.read.files import PageLocation
from dehusk.write import find_writer
from dehusk.write.options import WriteOptions

if TYPE_CHECKING:
    from dehusk.label.rules import Reach, Rule
    from dehusk.write.chunks import ChunkSize

_FETCHES = 20  # robots.txt and the page, thrice each, and redirects


@dataclass(frozen=True)
class CleanJob:
    """How to clean the pages of a run; sent to worker processes."""

    options: MethodOptions
    """Arguments of `dehusk.clean`."""
    limits: Limits
    format: str
    writing: WriteOptions
    """Choices of the format."""
    url: str | None
    """The page's URL, if the user gave it."""
    explain: bool
    appearance: Appearance
    """The appearance of an explanation as text."""
    rules: str | None
    """File of rules for hosts."""
    private: bool
    """Whether pages may be fetched from addresses outside the public internet."""
    chunks: ChunkSize | None
    """How long chunks may be, if the page becomes chunks."""
    as_lines: bool
    """Whether each page becomes a line of JSON."""


@dataclass(frozen=True)
class PageOutcome:
    """The result of one page."""

    source: PageLocation
    status: Status
    message: str
    content: str
    facts: dict[str, object]
    """The JSON record without blocks; empty unless the page becomes a line of JSON."""
    has_text: bool
    """Whether any block was kept."""
    reach: Mapping[Rule, Reach] = field(default_factory=dict)
    """How much each rule for the page's host affected."""


class PageCleaner:
    """Cleans the pages of a run one after the other, and waits between two requests to a host."""

    def __init__(self, job: CleanJob) -> None:
        self.job = job
        self._fetched_at: dict[str, float] = {}

    def clean(self, source: PageLocation) -> PageOutcome:
        """Read or fetch a page and clean it; also return an outcome for a page that cannot be read."""
        try:
            with at_risk(source.name):
                return self._cleaned(source)
        except DeadlyPageError as error:
            return self._outcome(source, failed(str(error), url=self._url(source)))

    def _cleaned(self, source: PageLocation) -> PageOutcome:
        try:
            document = self._fetched(source) if source.is_remote else self._from_file(source)
        except OSError as error:
            document = failed(f"cannot be read: {error.strerror or error}", url=self._url(source))
        except FetchError as error:
            document = failed(str(error).removeprefix(f"{source.name}: "), url=self._url(source))
        except AlarmError:
            document = failed(self._late, url=self._url(source), status=Status.LIMIT)
        try:
            with alarm_after(self.job.limits.latest):  # writing takes as long at most
                return self._outcome(source, document)
        except AlarmError:
            return self._shortened(source, document)

    @property
    def _late(self) -> str:
        return f"took longer than {self.job.limits.latest:g} s"

    def _shortened(self, source: PageLocation, document: Document) -> PageOutcome:
        """Return the outcome of a page that takes too long to write: its text, where the format is one of text."""
        lost = self._outcome(source, failed(f"writing {self._late}", url=self._url(source), status=Status.LIMIT))
        if not find_writer(self.job.format).text_only or self.job.explain or self.job.chunks:
            return lost
        try:
            with alarm_after(self.job.limits.latest):
                return replace(lost, content=document.text, has_text=bool(document.text))
        except AlarmError:
            return lost

    def outcome(self, cleaned: tuple[PageLocation, PageOutcome | ChildError]) -> PageOutcome:
        """Return the outcome of a page from a child process; also if the child returned none."""
        source, result = cleaned
        if not isinstance(result, ChildError):
            return result
        status = Status.LIMIT if isinstance(result, ChildSlowError) else Status.ERROR
        return self._outcome(source, failed(str(result), url=self._url(source), status=status))

    def _url(self, source: PageLocation) -> str | None:
        return self.job.url or source.url

    def _from_file(self, source: PageLocation) -> Document:
        job = self.job
        data = source.read(job.limits.bytes)
        with alarm_after(job.limits.latest):
            return clean(data, url=self._url(source), explain=self._explains, limits=job.limits, **job.options)

    def _fetched(self, source: PageLocation) -> Document:
        from dehusk.counts.grouping import site_name
        from dehusk.many.crawl import CrawlPlan
        from dehusk.many.web import clean_url

        host = site_name(source.name)
        if host in self._fetched_at:
            time.sleep(max(0.0, self._fetched_at[host] + CrawlPlan.delay - time.monotonic()))
        job = self.job
        plan = CrawlPlan(delay=0, private=job.private, max_bytes=max(job.limits.bytes, CrawlPlan.max_bytes))
        try:
            with alarm_after(plan.timeout * _FETCHES + job.limits.latest):
                return clean_url(source.name, plan=plan, explain=self._explains, limits=job.limits, **job.options)
        finally:
            self._fetched_at[host] = time.monotonic()

    @property
    def _explains(self) -> bool:
        return self.job.explain or self.job.format == "json"

    def _outcome(self, source: PageLocation, document: Document) -> PageOutcome:
        return PageOutcome(
            source,
            document.status,
            document.message,
            self._content(source, document),
            document.facts() if self.job.as_lines else {},
            has_text=bool(document.labels.kept.any()),
            reach=self._reach(document),
        )

    def _content(self, source: PageLocation, document: Document) -> str:
        job = self.job
        if job.chunks or job.format == "json":
            from dehusk.write.json import dumps
        if job.chunks:
            return "".join(map(dumps, _chunk_lines(source, document, job.chunks)))
        if job.format == "json":
            return dumps({"page": source.name, **document.record(evidence=job.explain)})
        if not job.explain:
            return find_writer(job.format).render(document, job.writing)
        return document.overlay if job.format == "html" else explain_document(document, job.appearance)

    def _reach(self, document: Document) -> Mapping[Rule, Reach]:
        if self.job.rules is None or document.status is Status.ERROR:
            return {}
        from dehusk.label.rules import Rules

        return Rules.load(self.job.rules).match(document.labels.blocks).reach


def cleaner_of(job: CleanJob) -> Callable[[PageLocation], PageOutcome]:
    """Return the function of a child process that cleans pages."""
    return PageCleaner(job).clean


def _chunk_lines(source: PageLocation, document: Document, size: ChunkSize) -> list[dict[str, object]]:
    """Return a record for each chunk of a page; of a page without text, one that is empty and says why."""
    from dehusk.write.chunks import make_chunks

    page = {"page": source.name, "status": str(document.status), "message": document.message}
    title = document.metadata.title
    lines = [{**page, "title": title, **chunk.record()} for chunk in make_chunks(document, size)]
    return lines or [{**page, "title": title, "url": document.page.url, "text": ""}]
