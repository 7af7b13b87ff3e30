"""The work of Spark's Python workers: it turns rows that name files or sites into rows of results.

Each function here returns a function for `DataFrame.mapInArrow`. The work itself is that of
`dehusk.many.corpus.stages`: a page goes from its file to a child process of the worker and from there to the output,
never through Spark.
"""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dehusk.base.errors import InputError
from dehusk.base.extras import require
from dehusk.base.remote.paths import RemotePath, one_in_each_store, path_of
from dehusk.many.corpus.children import CorpusChild, new_child
from dehusk.many.corpus.folder import RunFolder, digest
from dehusk.many.corpus.index import PageRef, sample_digest
from dehusk.many.corpus.job import CorpusJob, ignore_progress
from dehusk.many.corpus.packed_counts import CountsSlice
from dehusk.many.corpus.stages import Stages
from dehusk.many.files.inputs import Input

SparkRow = dict[str, Any]
RowWork = Callable[[SparkRow], Iterator[SparkRow]]
"""Turns one row into any number of rows."""
Batches = Iterator[Any]
"""Batches of rows: `pyarrow.RecordBatch`."""

INDEX = (
    "file_number long, pages long, site string, key long, number long, offset long, "
    "size long, changed long, problem string"
)
"""One row per file, with its number of pages and its stamp (`size`, `changed`), and one row per page that its site may
be learned from."""
CHOSEN = "site string, digest string, file_number long, key long, number long, offset long"
"""One row per page that a site is learned from."""
LEARNED = "file_number long, site string, offset long, size long, note string, problem string"
"""One row per part of a file's counts, and one per page that could not be learned from (`note`)."""
MERGED = "site string, note string"
CLEANED = "file_number long, tally string, resumed boolean, problem string"

_ARROW_TYPES = {"long": "int64", "string": "string", "boolean": "bool_", "binary": "binary"}
SHIFT = 1 << 63  # Spark has no unsigned integers: a page's key minus this keeps its order
_ROWS_IN, _ROWS_OUT = 16, 500  # rows per batch read and written


@dataclass(frozen=True)
class SharedSettings:
    """The settings that all tasks of a run share; sent to every worker."""

    job: CorpusJob
    root: str
    """The output folder; every machine has it at the same path."""
    inputs: tuple[Input, ...]
    """The files; every machine has them at the same paths."""
    learns: bool

    def stages(self) -> Stages:
        """Return the stages for one task, with temporary names that no other attempt at the task uses."""
        folder = RunFolder(path_of(self.root), attempt=uuid.uuid4().hex)
        return Stages(self.job, folder, ignore_progress, threading.Event())

    def child(self) -> CorpusChild:
        """Return this worker's child process."""
        paths = [path_of(self.root), *(file.path for file in self.inputs)]
        formats = {file.format for file in self.inputs}
        return worker_child(self.job, learns=self.learns, stores=one_in_each_store(paths), formats=formats)


def map_rows(work: RowWork, schema: Any) -> Callable[[Batches], Batches]:
    """Return a function for `mapInArrow` that applies `work` to each row.

    Args:
        work: turns a row into rows; any exception ends the Spark job.
        schema: the pyarrow schema of the resulting rows; see `arrow_columns`.
    """

    def run(batches: Batches) -> Batches:
        return _to_batches((result for row in _rows(batches) for result in work(row)), schema)

    return run


def arrow_columns(ddl: str) -> Any:
    """Return the pyarrow schema of columns declared in Spark's notation."""
    arrow = _pyarrow()
    columns = [column.split() for column in ddl.split(", ")]
    return arrow.schema([(name, getattr(arrow, _ARROW_TYPES[type_])()) for name, type_ in columns])


def _pyarrow() -> Any:
    return require("pyarrow", extra="spark", purpose="running on Spark")


def _rows(batches: Batches) -> Iterator[SparkRow]:
    for batch in batches:
        for start in range(0, batch.num_rows, _ROWS_IN):  # pages are large: copy only a few at a time
            yield from batch.slice(start, _ROWS_IN).to_pylist()


def _to_batches(rows: Iterator[SparkRow], schema: Any) -> Batches:
    arrow = _pyarrow()
    pending: list[SparkRow] = []
    for row in rows:
        pending.append({name: row.get(name) for name in schema.names})
        if len(pending) == _ROWS_OUT:
            yield arrow.RecordBatch.from_pylist(pending, schema=schema)
            pending = []
    if pending:
        yield arrow.RecordBatch.from_pylist(pending, schema=schema)


def index_task(shared: SharedSettings) -> RowWork:
    """Return the work that turns the number of a file (column `id`) into rows of `INDEX`."""

    def work(row: SparkRow) -> Iterator[SparkRow]:
        file_number = row["id"]
        try:
            index = shared.stages().index(shared.child(), shared.inputs[file_number])
        except InputError as error:
            yield {"file_number": file_number, "problem": str(error)}
            return
        size, changed = index.stamp
        yield {"file_number": file_number, "pages": index.pages, "size": size, "changed": changed}
        for site in index.sites:
            for ref in index.samples.get(site, ()):
                yield {"file_number": file_number, "site": site, **ref._asdict(), "key": ref.key - SHIFT}
            if site not in index.samples:  # all its pages in this file are damaged
                yield {"file_number": file_number, "site": site}

    return work


def digest_task(names: Sequence[str], stamps: Sequence[Sequence[int]]) -> RowWork:
    """Return the work that turns a site and its sample (columns `site` and `pages`) into rows of `CHOSEN`.

    Args:
        names: the names of the files.
        stamps: the stamps of the files.
    """

    def work(row: SparkRow) -> Iterator[SparkRow]:
        pages = row["pages"]
        sample = sample_digest((_ref(page), names[page["file_number"]], stamps[page["file_number"]]) for page in pages)
        for page in pages:
            yield {"site": row["site"], "digest": sample, **page}

    return work


def _ref(row: SparkRow) -> PageRef:
    return PageRef(row["key"] + SHIFT, row["number"], row["offset"])


def learn_task(shared: SharedSettings) -> RowWork:
    """Return the work that turns a file and its sample (columns `file_number` and `pages`) into rows of `LEARNED`."""

    def work(row: SparkRow) -> Iterator[SparkRow]:
        file_number, stages = row["file_number"], shared.stages()
        sample = {_ref(page): page["site"] for page in row["pages"]}
        try:
            parts = stages.learn(shared.child(), shared.inputs[file_number], sample)
        except InputError as error:
            yield {"file_number": file_number, "problem": str(error)}
            return
        for site, offset, size in parts:
            yield {"file_number": file_number, "site": site, "offset": offset, "size": size}
        for line in stages.unlearned:
            yield {"file_number": file_number, "note": line}

    return work


def merge_task(shared: SharedSettings) -> RowWork:
    """Return the work that turns a site and its counts (columns `site`, `digest`, `parts`) into rows of `MERGED`."""

    def work(row: SparkRow) -> Iterator[SparkRow]:
        stages = shared.stages()
        rows = row["parts"] or ()
        paths = [stages.folder.counts(shared.inputs[part["file_number"]].name) for part in rows]
        parts = [CountsSlice(str(path), part["offset"], part["size"]) for path, part in zip(paths, rows, strict=True)]
        stages.merge(shared.child(), row["site"], parts, row["digest"])
        yield {"site": row["site"], "note": stages.unlearned[0] if stages.unlearned else None}

    return work


def clean_task(shared: SharedSettings) -> RowWork:
    """Return the work that turns a file and its sites (columns `file_number` and `sites`) into a row of `CLEANED`."""

    def work(row: SparkRow) -> Iterator[SparkRow]:
        file_number, stages, child = row["file_number"], shared.stages(), shared.child()
        file = shared.inputs[file_number]
        sites = {site["site"]: site["digest"] for site in row["sites"] or ()}
        try:
            tally = stages.clean(child, file, stages.index(child, file), sites)
        except InputError as error:
            yield {"file_number": file_number, "problem": str(error)}
            return
        yield {"file_number": file_number, "tally": json.dumps(tally.values()), "resumed": stages.resumed > 0}

    return work


_CHILDREN: dict[str, CorpusChild] = {}


def worker_child(
    job: CorpusJob, *, learns: bool = True, stores: Sequence[RemotePath] = (), formats: Collection[str] = ()
) -> CorpusChild:
    """Return this worker's child process: the same one for all tasks of a job, because starting one takes time.

    Args:
        job: how to learn sites and clean pages.
        learns: whether indexing samples the pages of sites.
        stores: a path in each remote store of the job.
        formats: the names of the formats of the inputs.
    """
    name = digest(job.identity(), learns, [store.root for store in stores], sorted(formats))
    if name not in _CHILDREN:
        for other in _CHILDREN.values():
            other.stop()
        _CHILDREN.clear()
        _CHILDREN[name] = new_child(job, learns=learns, stores=stores, formats=formats)
    return _CHILDREN[name]
