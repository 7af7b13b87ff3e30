"""The rows of many pages at once, made in the child process: it reads the pages itself, or receives a batch of them.

One message for dozens of pages costs less than one for each. A page that ends the process, or takes all its memory,
spoils its batch; `dehusk.many.corpus.children` then cleans the pages of the batch one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from dehusk.base.errors import InputError, MissingExtraError, Status
from dehusk.base.processes.child import end_after, one_line
from dehusk.base.remote.paths import path_of
from dehusk.base.version import __version__
from dehusk.counts.grouping import By, site_name
from dehusk.many.corpus.folder import file_name
from dehusk.many.files.bodies import Body
from dehusk.many.files.inputs import Input, read_part
from dehusk.many.files.options import ReadOptions
from dehusk.many.files.record import Loss, Record
from dehusk.many.rows import Row, make_row

_READING = 600.0  # seconds that a child may take to read a record before it ends itself


class Source(NamedTuple):
    """What the pages of a file have in common."""

    file: Input
    modified: str
    """When the file was changed: the time of pages without one of their own."""
    sites: str
    """The names of the sites that have a model, one per line."""
    models: str
    """The folder of the site models."""


class PartTask(NamedTuple):
    """Part of a file to read and clean."""

    source: Source
    start: int
    end: int
    number: int
    """The number of its first record."""


class RecordsTask(NamedTuple):
    """Records to clean."""

    source: Source
    items: Sequence[Record | Loss]


class PageRows(NamedTuple):
    """What became of the pages of a part or batch."""

    rows: list[Row]
    losses: list[Loss]
    records: int
    """Number of records that were read, pages or not."""


@dataclass(frozen=True)
class RowSettings:
    """What all tasks have in common."""

    options: ReadOptions
    by: By
    seconds: float
    """Wall time that a page may take."""


CleanPage = Callable[[Record, Body, str], Row]
"""Cleans a page, given its body and the folder of its site's model ("" for none); returns the columns of its row that
depend on that."""


def clean_in_batch(task: PartTask | RecordsTask, settings: RowSettings, clean_page: CleanPage) -> PageRows:
    """Return the rows of the pages of a part or batch.

    Raises:
        MemoryError: the pages must be cleaned one by one.
        InputError: the file cannot be read.
    """
    rows: list[Row] = []
    losses: list[Loss] = []
    records = 0
    first = task.number if isinstance(task, PartTask) else 0
    end_after(_READING)
    for item in task_items(task, settings.options):
        if isinstance(item, Loss):
            losses.append(item)
            continue
        records += 1
        if not item.skipped:
            end_after(settings.seconds)
            rows.append(_row(task.source, item, item.number + first, settings, clean_page))
            end_after(_READING)
    return PageRows(rows, losses, records)


def task_items(task: PartTask | RecordsTask, options: ReadOptions) -> Iterable[Record | Loss]:
    """Return the records and losses of a part or batch; those of a part are numbered from 0."""
    if isinstance(task, RecordsTask):
        return task.items
    return read_part(task.source.file, task.start, task.end, options)


def _row(source: Source, page: Record, number: int, settings: RowSettings, clean_page: CleanPage) -> Row:
    body = page_body(page, settings.options.limit)
    try:
        columns = cleaned_row(page, body, lambda: clean_page(page, body, model_of(source, page, settings.by)))
    except (MemoryError, InputError, MissingExtraError):  # of a file, or the model of a site
        raise
    except Exception as error:  # of this page alone
        columns = {"status": str(Status.ERROR), "message": one_line(error)}
    return complete_row(source, page, number, page_facts(page, body) | columns)


def page_body(page: Record, limit: int) -> Body:
    """Return the bytes of a page without encodings, at most `limit` + 1 of them."""
    return Body(page.raw) if page.decoded else page.body(limit)


def model_of(source: Source, page: Record, by: By) -> str:
    """Return the folder of the model of a page's site; "" for none."""
    site = site_name(page.url, by) if source.sites and page.url else ""
    return _model_folder(source.models, site) if site and site in _names(source.sites) else ""


@lru_cache(1000)
def _model_folder(models: str, site: str) -> str:
    return str(path_of(models) / file_name(site))


@lru_cache(8)
def _names(sites: str) -> frozenset[str]:
    return frozenset(sites.split("\n"))


def cleaned_row(page: Record, body: Body, clean: Callable[[], Row]) -> Row:
    """Return the columns of a page's row that depend on its cleaning.

    Args:
        page: the page.
        body: its bytes.
        clean: cleans the page; not called if it was damaged in its file.
    """
    if page.damaged:
        return {"status": str(Status.ERROR), "message": f"damaged in the input file ({page.damaged})"}
    row = clean()
    if page.truncated and Status(row["status"]).is_fine:
        row |= {"status": str(Status.TRUNCATED), "message": f"truncated in the input file: {page.truncated}"}
    if body.loss and Status(row["status"]).is_fine:
        row |= {"status": str(Status.TRUNCATED), "message": body.loss}
    elif body.notes and row["status"] != Status.OK:
        row["message"] = f"{row['message']} ({'; '.join(body.notes)})"
    return row


def page_facts(page: Record, body: Body) -> Row:
    """Return the columns of a page's row that depend neither on its cleaning nor on its file."""
    return {
        "host": site_name(page.url, "host") if page.url else "",  # as `model_of` asks, so that it is stored
        "url": page.url,
        "id": page.id,
        "http_status": page.http_status,
        "html_bytes": len(body.data),
        "version": __version__,
    }


def complete_row(source: Source, page: Record, number: int, columns: Row) -> Row:
    """Return a page's row.

    Args:
        source: its file.
        page: the page.
        number: the number of its record in the file.
        columns: the values of `page_facts` and `cleaned_row`.
    """
    retrieved = page.date or source.modified
    return make_row(file=source.file.name, number=number, offset=page.offset, retrieved=retrieved, **columns)
