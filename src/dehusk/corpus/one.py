"""One page by a child process: a row, whatever becomes of the process."""

from __future__ import annotations

from typing import Any

from dehusk.corpus.job import Job
from dehusk.corpus.work import VERSION, Row, Sent
from dehusk.errors import Status
from dehusk.processes.child import Child, ChildError, ChildSlowError
from dehusk.records.record import Body, Record
from dehusk.site.grouping import site_name

Worker = Child[Any, Any]
"""A child that does what `dehusk.corpus.work.make_worker` says."""


def deadline(job: Job) -> float:
    """Return the seconds after which a page's process is ended: later than it would end the work by itself."""
    return 1.25 * job.limits.seconds + 0.5


def clean_page(child: Worker, job: Job, record: Record, body: Body, model: str) -> Row:
    """Return the part of a page's row that does not depend on the file it stands in.

    Args:
        child: cleans the page.
        job: what is wanted.
        record: the page.
        body: its bytes.
        model: the folder of its site's model, "" for none.
    """
    facts = {
        "host": site_name(record.url) if record.url else "",
        "url": record.url,
        "id": record.id,
        "http_status": record.http_status,
        "html_bytes": len(body.data),
        "version": VERSION,
    }
    return facts | _cleaned(child, job, record, body, model)


def _cleaned(child: Worker, job: Job, record: Record, body: Body, model: str) -> Row:
    notes = "; ".join(body.notes)
    if record.damaged:
        return {"status": str(Status.ERROR), "error": f"damaged in its file ({record.damaged})"}
    try:
        sent = Sent(body.data, record.url, record.headers, record.decoded, model)
        found: Row = child.work(sent, seconds=deadline(job)).result
    except ChildSlowError as error:
        return {"status": str(Status.LIMIT), "error": str(error)}
    except ChildError as error:
        return {"status": str(Status.ERROR), "error": str(error)}
    if record.truncated and found["status"] in (Status.OK, Status.NO_CONTENT):
        found |= {"status": str(Status.TRUNCATED), "error": f"cut before it came here: {record.truncated}"}
    if notes and found["status"] != Status.OK:
        found["error"] = f"{found['error']} ({notes})"
    return found
