"""What Spark's Python workers do: rows that name files or sites come in, rows of what came of them go out.

Each function here makes what `DataFrame.mapInArrow` takes. The work is that of `dehusk.corpus.passes`: pages go from
the file to a child process of the worker and from there to the output, never through Spark.
"""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dehusk.corpus.folder import Folder, digest
from dehusk.corpus.index import Place, sample_digest
from dehusk.corpus.job import Job, silent
from dehusk.corpus.one import Worker
from dehusk.corpus.passes import Passes, child_of
from dehusk.corpus.work import Part
from dehusk.errors import InputError
from dehusk.records.inputs import Input
from dehusk.records.record import needed

Row = dict[str, Any]
Batches = Iterator[Any]
"""Of `pyarrow.RecordBatch`."""

INDEX = (
    "place long, pages long, site string, key long, number long, offset long, size long, changed long, problem string"
)
"""A row for each file, with its pages and stamp, and one for each page that may stand for its site."""
CHOSEN = "site string, digest string, place long, key long, number long, offset long"
"""A row for each page that a site is learned from."""
LEARNED = "place long, site string, offset long, size long, said string, problem string"
"""A row for each part of a file's counts, and for each page that could not be learned from."""
MERGED = "site string, said string"
CLEANED = "place long, tally string, resumed boolean, problem string"

_KINDS = {"long": "int64", "string": "string", "boolean": "bool_", "binary": "binary"}
SHIFT = 1 << 63  # Spark has no unsigned numbers: a page's key less this has the same order
_AT_ONCE, _TOGETHER = 16, 500  # rows of a batch that are read, and that are given


@dataclass(frozen=True)
class Shared:
    """What all tasks of a run know; crosses process and machine borders."""

    job: Job
    root: str
    """The output folder, under the same name on every machine."""
    inputs: tuple[Input, ...]
    """The files, under the same names on every machine; a place is a number in this list."""
    learns: bool

    def passes(self) -> Passes:
        """Return the passes for one task: another attempt at it writes under other names."""
        folder = Folder(Path(self.root), attempt=uuid.uuid4().hex)
        return Passes(self.job, folder, silent, threading.Event())


def each(work: Callable[[Row], Iterator[Row]], schema: Any) -> Callable[[Batches], Batches]:
    """Return the function for `mapInArrow` that does `work` with one row after the other.

    Args:
        work: gives the rows that become of a row; what it raises ends Spark's job.
        schema: of these rows, for pyarrow; see `arrow_of`.
    """

    def run(batches: Batches) -> Batches:
        return _batches((made for row in _rows(batches) for made in work(row)), schema)

    return run


def arrow_of(ddl: str) -> Any:
    """Return pyarrow's schema for columns as Spark is told them."""
    arrow = needed("pyarrow")
    fields = [column.split() for column in ddl.split(", ")]
    return arrow.schema([(name, getattr(arrow, _KINDS[kind])()) for name, kind in fields])


def _rows(batches: Batches) -> Iterator[Row]:
    for batch in batches:
        for start in range(0, batch.num_rows, _AT_ONCE):  # pages are large: few of them are held twice
            yield from batch.slice(start, _AT_ONCE).to_pylist()


def _batches(rows: Iterator[Row], schema: Any) -> Batches:
    arrow = needed("pyarrow")
    held: list[Row] = []
    for row in rows:
        held.append({name: row.get(name) for name in schema.names})
        if len(held) == _TOGETHER:
            yield arrow.RecordBatch.from_pylist(held, schema=schema)
            held = []
    if held:
        yield arrow.RecordBatch.from_pylist(held, schema=schema)


def index(shared: Shared) -> Callable[[Row], Iterator[Row]]:
    """Return what makes rows of `INDEX` of the place of a file (column `id`)."""

    def work(row: Row) -> Iterator[Row]:
        place = row["id"]
        try:
            found = shared.passes().index(child(shared.job, learns=shared.learns), shared.inputs[place])
        except InputError as error:
            yield {"place": place, "problem": str(error)}
            return
        size, changed = found.stamp
        yield {"place": place, "pages": found.pages, "size": size, "changed": changed}
        for site in found.sites:
            for page in found.samples.get(site, ()):
                yield {"place": place, "site": site, **page._asdict(), "key": page.key - SHIFT}
            if site not in found.samples:  # all of its pages here are damaged
                yield {"place": place, "site": site}

    return work


def digests(names: Sequence[str], stamps: Sequence[Sequence[int]]) -> Callable[[Row], Iterator[Row]]:
    """Return what makes rows of `CHOSEN` of a site and its sample (columns `site` and `pages`).

    Args:
        names: of the files.
        stamps: of the files.
    """

    def work(row: Row) -> Iterator[Row]:
        files = [page["place"] for page in row["pages"]]
        made = sample_digest((_page(p), names[file], stamps[file]) for p, file in zip(row["pages"], files, strict=True))
        for page in row["pages"]:
            yield {"site": row["site"], "digest": made, **page}

    return work


def _page(row: Row) -> Place:
    return Place(row["key"] + SHIFT, row["number"], row["offset"])


def learn(shared: Shared) -> Callable[[Row], Iterator[Row]]:
    """Return what makes rows of `LEARNED` of a file and its chosen pages (columns `place` and `pages`)."""

    def work(row: Row) -> Iterator[Row]:
        place, passes = row["place"], shared.passes()
        wanted = {_page(page): page["site"] for page in row["pages"]}
        try:
            parts = passes.learn(child(shared.job, learns=shared.learns), shared.inputs[place], wanted)
        except InputError as error:
            yield {"place": place, "problem": str(error)}
            return
        for site, offset, size in parts:
            yield {"place": place, "site": site, "offset": offset, "size": size}
        for said in passes.unlearned:
            yield {"place": place, "said": said}

    return work


def merge(shared: Shared) -> Callable[[Row], Iterator[Row]]:
    """Return what makes rows of `MERGED` of a site and its counts (columns `site`, `digest`, `parts`)."""

    def work(row: Row) -> Iterator[Row]:
        passes = shared.passes()
        files = [passes.folder.counts(shared.inputs[part["place"]].name) for part in row["parts"] or ()]
        parts = [Part(str(file), p["offset"], p["size"]) for file, p in zip(files, row["parts"] or (), strict=True)]
        passes.merge(child(shared.job, learns=shared.learns), row["site"], parts, row["digest"])
        yield {"site": row["site"], "said": passes.unlearned[0] if passes.unlearned else None}

    return work


def clean(shared: Shared) -> Callable[[Row], Iterator[Row]]:
    """Return what makes a row of `CLEANED` of a file and its learned sites (columns `place` and `sites`)."""

    def work(row: Row) -> Iterator[Row]:
        place, passes = row["place"], shared.passes()
        one, mine = shared.inputs[place], child(shared.job, learns=shared.learns)
        sites = {site["site"]: site["digest"] for site in row["sites"] or ()}
        try:
            tally = passes.clean(mine, one, passes.index(mine, one), sites)
        except InputError as error:
            yield {"place": place, "problem": str(error)}
            return
        yield {"place": place, "tally": json.dumps(tally.values()), "resumed": passes.resumed > 0}

    return work


_CHILDREN: dict[str, Worker] = {}


def child(job: Job, *, learns: bool = True) -> Worker:
    """Return this worker's child process: one for all tasks of a job, since to start one costs a hundred pages.

    Args:
        job: what is wanted.
        learns: whether files are indexed for samples of sites.
    """
    name = digest(job.identity(), learns)
    if name not in _CHILDREN:
        for other in _CHILDREN.values():
            other.stop()
        _CHILDREN.clear()
        _CHILDREN[name] = child_of(job, learns=learns)
    return _CHILDREN[name]
