"""The rows of one input file: the jobs that clean its pages, and the file that their rows are written to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import NamedTuple

from dehusk.base.atomic import remove, replacing
from dehusk.many.corpus.file_output import FileOutput
from dehusk.many.corpus.folder import RunFolder, read_values
from dehusk.many.corpus.index import FileIndex, FilePart
from dehusk.many.corpus.job import CorpusJob, ProgressListener, Tally
from dehusk.many.corpus.page_rows import PageRows, PartTask, RecordsTask, Source
from dehusk.many.corpus.sinks import SINKS
from dehusk.many.files.inputs import Input, read_part, read_records
from dehusk.many.files.record import Loss, Record

BATCH_PAGES, BATCH_BYTES = 48, 4_000_000
"""A child cleans at least so many pages, or bytes, at a time, if there are enough."""


class RowsJob(NamedTuple):
    """Pages to clean."""

    output: FileRows
    number: int
    """The number of the job among those of its file."""
    task: PartTask | RecordsTask
    pages: int
    bytes: int
    records: int
    """Number of records that the pages are among."""


class FileRows(FileOutput[PageRows]):
    """Writes the rows of a file, in the order of its records.

    Args:
        job: how to clean pages.
        folder: the output folder.
        file: the input file.
        index: its index.
        sites: the sites in the file that have a model.
    """

    def __init__(self, job: CorpusJob, folder: RunFolder, file: Input, index: FileIndex, sites: Sequence[str]) -> None:
        super().__init__()
        self.job = job
        self.folder = folder
        self.file = file
        self.index = index
        self.source = Source(file, file.modified(), "\n".join(sites), str(folder.sites))
        self.sink = SINKS[job.format]
        self.path = folder.pages / f"{file.name}{self.sink.suffix}"
        self.tally = Tally(files=1, skipped=Counter(index.skipped))
        self.expected = ""
        self.on_progress: ProgressListener = lambda *_: None

    def resume(self, expected: str) -> bool:
        """Return whether an earlier run has written these rows; otherwise remove what it wrote.

        Args:
            expected: a hash of everything that the rows depend on.
        """
        self.expected = expected
        marker = self.folder.marker(self.file.name)
        stored = read_values(marker)
        if stored and stored["digest"] == expected and self.path.exists() and stored["output"] == self.path.name:
            self.tally = Tally.of_values(stored["tally"])
            self.done = True
        elif stored:
            remove(marker)
            remove(self.path.with_name(stored["output"]))  # its suffix may differ
        return self.done

    def jobs(self) -> Iterator[RowsJob]:
        """Yield the jobs. Where a file cannot be read in parts, its records are read while they are taken."""
        number = 0
        for task, pages, size, records in self._tasks():
            yield RowsJob(self, number, task, pages, size, records)
            number += 1
        self.put_end(number)

    def _tasks(self) -> Iterator[tuple[PartTask | RecordsTask, int, int, int]]:
        options = self.job.read_options
        if not self.index.parts:
            yield from self._batches(read_records(self.file, options))
        for part in self.index.parts:
            if not is_undivided(part):
                task = PartTask(self.source, part.start, part.end, part.number)
                yield task, part.pages, part.end - part.start, part.records
            else:
                yield from self._batches(_numbered(read_part(self.file, part.start, part.end, options), part))

    def _batches(self, items: Iterable[Record | Loss]) -> Iterator[tuple[RecordsTask, int, int, int]]:
        batch: list[Record | Loss] = []
        size = records = 0
        for item in items:
            if isinstance(item, Loss) or not item.skipped:
                batch.append(item)
            if isinstance(item, Record) and not item.skipped:
                records += 1
                size += len(item.raw)
            if len(batch) == BATCH_PAGES or size > BATCH_BYTES:
                yield RecordsTask(self.source, batch), records, size, records
                batch, size, records = [], 0, 0
        if batch:
            yield RecordsTask(self.source, batch), records, size, records

    def size(self, result: PageRows) -> int:
        """Return roughly how many bytes of memory the rows of a job take."""
        columns = 1 + 2 * bool(self.job.blocks or self.job.metadata or self.job.findings)
        return sum(1000 + columns * (row["text_bytes"] or 0) for row in result.rows)

    def open(self, stack: ExitStack) -> None:
        """Open the output file."""
        temporary = stack.enter_context(replacing(self.path, owner=self.folder.tag))
        self._write_row: Callable[[dict[str, object]], None] = stack.enter_context(self.sink.open(temporary))

    def write(self, result: PageRows) -> None:
        """Write the rows of a job."""
        statuses: Counter[str] = Counter()
        for row in result.rows:
            self._write_row(row)
            self.tally.count(row)
            statuses[row["status"]] += 1
        self.tally.losses += [[self.file.name, *loss] for loss in result.losses]
        for status, count in statuses.items():
            self.on_progress("clean", count, 0, status)

    def finish(self) -> None:
        """Write the marker."""
        values = {"digest": self.expected, "output": self.path.name, "tally": self.tally.values()}
        self.folder.write(self.folder.marker(self.file.name), values)


def _numbered(items: Generator[Record | Loss, None, int], part: FilePart) -> Iterator[Record | Loss]:
    """Yield the items of a part with the numbers that records have in the file."""
    for item in items:
        yield replace(item, number=item.number + part.number) if isinstance(item, Record) else item


def is_undivided(part: FilePart) -> bool:
    """Return whether a part, such as a file of a single gzip member, is too large for a child to read."""
    return part.pages > BATCH_PAGES and part.end - part.start > BATCH_BYTES


def groups(jobs: Iterable[RowsJob]) -> Iterator[list[RowsJob]]:
    """Yield jobs, small ones together, so that each group is worth a message to a child."""
    group: list[RowsJob] = []
    for job in jobs:
        group.append(job)
        if sum(job.pages for job in group) >= BATCH_PAGES or sum(job.bytes for job in group) >= BATCH_BYTES:
            yield group
            group = []
    if group:
        yield group
