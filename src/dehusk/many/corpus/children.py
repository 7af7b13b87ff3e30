"""The child processes of a run: start one, and turn a page into a row whatever happens to the process."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

from dehusk.base.errors import ChildError, ChildSlowError, InputError, Status
from dehusk.base.processes.child import Child
from dehusk.base.remote.paths import RemotePath
from dehusk.many.corpus import child_tasks
from dehusk.many.corpus.child_tasks import ChildSettings, HandlerFactory, LearnSettings, PageTask, make_handler
from dehusk.many.corpus.index import IndexScope
from dehusk.many.corpus.job import CorpusJob
from dehusk.many.corpus.page_rows import RowSettings, cleaned_row, page_facts
from dehusk.many.files.bodies import Body
from dehusk.many.files.record import Record
from dehusk.many.rows import Row

NO_DEADLINE = 1e6
"""Seconds allowed for tasks other than a page: in effect, no limit."""

ERROR_NAME = re.compile(r"^(?:InputError|MissingExtraError): ")
"""What the message of a `ChildError` starts with if a file, or what it takes to read it, is at fault."""

CorpusChild = Child[Any, Any]
"""A child process that runs `dehusk.many.corpus.child_tasks.make_handler`."""


def new_child(
    job: CorpusJob,
    make_handler: HandlerFactory = make_handler,
    *,
    learns: bool,
    stores: Sequence[RemotePath] = (),
    formats: Collection[str] = (),
) -> CorpusChild:
    """Return a child; its process starts with the first task.

    Args:
        job: how to learn sites and clean pages.
        make_handler: `dehusk.many.corpus.child_tasks.make_handler`, or a replacement for tests.
        learns: whether sites are learned.
        stores: a path in each remote store of the run.
        formats: the names of the formats of the inputs.
    """
    scope = IndexScope(job.read_options, job.by, job.sample if learns else 0)
    learning = LearnSettings(job.by, job.counts, job.limits)
    rows = RowSettings(job.read_options, job.by, page_deadline(job))
    settings = ChildSettings(scope, learning, job.cleaning, rows, stores, tuple(sorted(formats)))
    return Child(make_handler, settings, seconds=NO_DEADLINE, memory=job.memory, preload=child_tasks.__name__)


def raise_unreadable(error: ChildError) -> None:
    """End the run if a child could not read a file or the model of a site: no page is at fault.

    Raises:
        InputError: that is what the child said.
    """
    message = str(error)
    if (name := ERROR_NAME.match(message)) is not None:
        raise InputError(message[name.end() :]) from error


def page_deadline(job: CorpusJob) -> float:
    """Return the seconds after which a page's process is killed; the page's own time limit should end it earlier."""
    return job.limits.latest


def clean_in_child(child: CorpusChild, job: CorpusJob, record: Record, body: Body, model: str) -> Row:
    """Clean one page in a child process; always returns a row, without the columns that describe the input file.

    Args:
        child: cleans the page.
        job: how to clean it.
        record: the page.
        body: the page's bytes.
        model: the folder of the site's model, "" for none.

    Raises:
        InputError: the model cannot be read, because the store of a remote one cannot be reached.
    """

    def clean() -> Row:
        task = PageTask(body.data, record.url, record.headers, record.decoded, model)
        row: Row = child.work(task, seconds=page_deadline(job)).result
        return row

    try:
        columns = cleaned_row(record, body, clean)
    except ChildSlowError as error:
        columns = {"status": str(Status.LIMIT), "message": str(error)}
    except ChildError as error:
        raise_unreadable(error)
        columns = {"status": str(Status.ERROR), "message": str(error)}
    return page_facts(record, body) | columns
