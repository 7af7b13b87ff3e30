"""What the service does with pages: the operations that both faces offer, each with the types of request and answer.

They run in child processes (`dehusk.service.workers`), so answers are plain values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from dehusk.base.errors import InputError, Status, counted
from dehusk.blocks import segment
from dehusk.cleaning import clean, failed
from dehusk.counts.grouping import of_one_site
from dehusk.document import Document
from dehusk.label import PageMethod, load_method
from dehusk.read import Limits, parse
from dehusk.read.page import Page
from dehusk.service.requests import (
    ChunksWanted,
    CleaningWanted,
    CleanWanted,
    LocateWanted,
    PagesWanted,
    RecordsWanted,
    TocWanted,
    Wanted,
    WithinWanted,
)
from dehusk.sites.records import Wrapper
from dehusk.sites.records.record_tables import table_header, table_rows
from dehusk.sites.toc.page_records import RecordChoice, page_record, unread_record
from dehusk.sites.toc.sites import LearnedSites
from dehusk.write import find_writer
from dehusk.write.chunks import Chunk
from dehusk.write.quotes import QuotePlace


class SentPage(NamedTuple):
    """A page as it was sent or fetched."""

    data: bytes | str
    address: str | None = None
    headers: Mapping[str, str] = {}
    """Of the request or the response that had it."""
    problem: tuple[Status, str] | None = None
    """Why there is no page, or less than the page."""


@dataclass(frozen=True)
class Answer:
    """What every answer says."""

    status: Status
    """The outcome of the page."""
    message: str
    """One line that explains a status other than ok."""


@dataclass(frozen=True)
class PageAnswer(Answer):
    """What every answer about one page says."""

    title: str
    """The text of the page's title element."""
    address: str | None
    """The page's address, if it is known."""


@dataclass(frozen=True)
class CleanAnswer(PageAnswer):
    """The content of a page."""

    format: str
    """The format of `text`."""
    text: str
    """The content; empty in formats of text if nothing is kept."""


@dataclass(frozen=True)
class ChunksAnswer(PageAnswer):
    """The content of a page in pieces, in its order."""

    chunks: list[Chunk]
    """The pieces; docs/chunks.md describes them."""


@dataclass(frozen=True)
class WithinAnswer(PageAnswer):
    """Passages of a page."""

    markdown: str
    """The passages below their headings; […] where something is left out."""
    size: int
    """Words or tokens of it, as they were limited."""
    left_out: str
    """A line on what is left out; empty if nothing is."""


@dataclass(frozen=True)
class LocateAnswer(PageAnswer):
    """The places of a quotation on a page."""

    places: list[QuotePlace]
    """The best first; none if the quotation stands nowhere on the page."""


@dataclass(frozen=True)
class RecordsAnswer(Answer):
    """A table of what varies between pages of a site."""

    columns: list[str] = field(default_factory=list)
    """The columns of all rows."""
    rows: list[dict[str, Any]] = field(default_factory=list)
    """A row per page, or per record of lists and threads; page is the number of the page, from 1."""
    notes: list[str] = field(default_factory=list)
    """What was not learned, and pages that could not be read, one line each."""


@dataclass(frozen=True)
class TocAnswer(Answer):
    """The tables of contents of pages."""

    pages: list[dict[str, Any]] = field(default_factory=list)
    """For each page its number, from 1, its status, and the blocks of links that are particular to it."""


class Operation(NamedTuple):
    """What the service can do."""

    name: str
    summary: str
    """A sentence on what it does."""
    request: type[Wanted]
    answer: type[Answer]
    run: Callable[[Any, Sequence[SentPage], Limits], Answer]
    """Called in a child process."""
    lost: Callable[[Any, Sequence[SentPage], Status, str], Answer]
    """Returns the answer to a request that ended its process, or took too long."""

    @property
    def is_of_one_page(self) -> bool:
        """Whether a request is about one page, which may be sent as it is."""
        return issubclass(self.request, CleaningWanted)


def plain(answer: Answer) -> dict[str, Any]:
    """Return an answer as plain values, ready for JSON."""
    return asdict(answer)


# ---------------------------------------------------------------- one page


def _of_one_page(
    name: str, summary: str, request: type[Wanted], answer: type[Answer], tell: Callable[[Document, Any], Answer]
) -> Operation:
    """Return the operation that cleans a page and tells something of it."""

    def run(wanted: CleaningWanted, pages: Sequence[SentPage], limits: Limits) -> Answer:
        return tell(_document(wanted, pages[0], limits), wanted)

    def lost(wanted: CleaningWanted, pages: Sequence[SentPage], status: Status, message: str) -> Answer:
        return tell(failed(message, url=pages[0].address, status=status), wanted)

    return Operation(name, summary, request, answer, run, lost)


def _document(wanted: CleaningWanted, page: SentPage, limits: Limits) -> Document:
    if page.problem and not page.data:
        return failed(page.problem[1], url=page.address, status=page.problem[0])
    method = _method(wanted.style, wanted.favour)
    shown: Any = {"hidden": wanted.hidden, "comments": wanted.comments}
    document = clean(page.data, url=page.address, headers=page.headers, method=method, limits=limits, **shown)
    if page.problem and document.status.is_fine:
        return Document(*page.problem, document.labels, document.model, document.kind)
    return document


@lru_cache(16)
def _method(style: str, favour: float) -> PageMethod | None:
    """Return the method for a style, loaded once; None for that of `dehusk.clean`."""
    if (style, favour) == ("auto", 0.5):
        return None
    chosen: Any = style
    return load_method(style=chosen, favour=favour)


def _facts(document: Document) -> tuple[Status, str, str, str | None]:
    return document.status, document.message, document.title, document.page.url


def _cleaned(document: Document, wanted: CleanWanted) -> CleanAnswer:
    return CleanAnswer(*_facts(document), wanted.format, find_writer(wanted.format).render(document, wanted.writing))


def _chunked(document: Document, wanted: ChunksWanted) -> ChunksAnswer:
    chunks = document.chunks(max_words=wanted.max_words, max_tokens=wanted.max_tokens, overlap=wanted.overlap)
    return ChunksAnswer(*_facts(document), chunks)


def _excerpt(document: Document, wanted: WithinWanted) -> WithinAnswer:
    found = document.within(max_words=wanted.max_words, max_tokens=wanted.max_tokens, query=wanted.query)
    return WithinAnswer(*_facts(document), found.markdown, found.size, found.describe())


def _located(document: Document, wanted: LocateWanted) -> LocateAnswer:
    return LocateAnswer(*_facts(document), document.locate(wanted.quote, least=wanted.least))


# ---------------------------------------------------------------- several pages


def _records(wanted: RecordsWanted, pages: Sequence[SentPage], limits: Limits) -> Answer:
    read, problems = _readable(pages, limits)
    blocks = dict(zip(read, map(segment, of_one_site(read.values(), mixed=wanted.mixed)), strict=True))
    if not blocks:
        return RecordsAnswer(*_outcome(pages, problems, found=False), notes=_notes(problems))
    try:
        wrapper = Wrapper(rows=wanted.rows).fit(blocks.values())
    except InputError as error:
        if len(pages) == 1:  # too few for most sites: the request is to be mended
            raise
        return RecordsAnswer(Status.NO_CONTENT, str(error), notes=_notes(problems))
    header, rows = table_header(wrapper.templates), list[dict[str, Any]]()
    for number, page in blocks.items():
        found = wrapper.read_records(page)
        if found.template is None:
            problems[number] = "like no page that the columns were learned from"
            continue
        rows += table_rows(header, str(number), page.page.url, found.template, found.rows)
    notes = [*wrapper.warnings, *_notes(problems)]
    return RecordsAnswer(*_outcome(pages, problems, found=bool(rows)), header, rows, notes)


def _contents(wanted: PagesWanted, pages: Sequence[SentPage], limits: Limits) -> Answer:
    read, problems = _readable(pages, limits)
    sites, choice = LearnedSites({}, mixed=wanted.mixed), RecordChoice(("toc",))
    if read:
        sites.learn(read.values())
    records = []
    for number, sent in enumerate(pages, 1):
        page = read.get(number)
        record = unread_record(str(number), page, problems.get(number, "")) | {"url": sent.address}
        method = None if page is None else sites.of(page)
        if page is not None and method is not None:
            record |= page_record(page, method, choice) | {"learned": method.pages_}
        records.append(record)
    return TocAnswer(*_outcome(pages, problems, found=any(record.get("toc") for record in records)), records)


def _readable(pages: Sequence[SentPage], limits: Limits) -> tuple[dict[int, Page], dict[int, str]]:
    """Return the pages that can be used, and why others cannot, by their numbers."""
    read, problems = dict[int, Page](), dict[int, str]()
    for number, sent in enumerate(pages, 1):
        status, message = sent.problem or (Status.OK, "")
        if sent.data or not sent.problem:
            page = parse(sent.data, sent.address, sent.headers, limits=limits)
            if page.status.is_readable:
                read[number] = page
            if not page.status.is_fine:
                status, message = page.status, page.message
        if status is not Status.OK:
            problems[number] = f"{status}: {message}"
    return read, problems


def _notes(problems: Mapping[int, str]) -> list[str]:
    return [f"page {number}: {problem}" for number, problem in problems.items()]


def _outcome(pages: Sequence[SentPage], problems: Mapping[int, str], *, found: bool) -> tuple[Status, str]:
    """Return the status of several pages together, and what to say of it."""
    if len(problems) == len(pages) and not found:
        return Status.ERROR, _notes(problems)[0]
    if not found:
        return Status.NO_CONTENT, f"nothing found on {counted(len(pages), 'page')}"
    return Status.OK, "; ".join(_notes(problems))


OPERATIONS: Mapping[str, Operation] = {
    each.name: each
    for each in (
        _of_one_page(
            "clean",
            "Return the content of a page without navigation, advertisements and footers.",
            CleanWanted,
            CleanAnswer,
            _cleaned,
        ),
        _of_one_page(
            "chunks",
            "Cut the content of a page into pieces for retrieval, along its headings, each with its place on the page.",
            ChunksWanted,
            ChunksAnswer,
            _chunked,
        ),
        _of_one_page(
            "within",
            "Return the passages of a page that answer a query best, or its start, within a budget of tokens or words.",
            WithinWanted,
            WithinAnswer,
            _excerpt,
        ),
        _of_one_page(
            "locate",
            "Find where a quotation stands on a page, to check it and to link to it.",
            LocateWanted,
            LocateAnswer,
            _located,
        ),
        Operation(
            "records",
            "Make a table of what varies between several pages of one site, such as products, listings or threads.",
            RecordsWanted,
            RecordsAnswer,
            _records,
            lambda _wanted, _pages, status, message: RecordsAnswer(status, message),
        ),
        Operation(
            "toc",
            "Find the tables of contents of pages: the links that are particular to a page among those of its site.",
            TocWanted,
            TocAnswer,
            _contents,
            lambda _wanted, _pages, status, message: TocAnswer(status, message),
        ),
    )
}
"""Name -> operation, in the order in which they are listed."""
