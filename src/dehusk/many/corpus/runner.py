"""The run on one machine: four stages over the input files, with pages processed in child processes.

index ─► sample of each site ─► counts of the sampled pages ─► a model for each site ─► clean

Each thread owns a child process. It sends parts of files to its child, which reads them and returns the rows of their
pages; files that cannot be divided are read here, and their pages are sent in batches. If a child dies, the pages of
its part are sent one by one. Rows are written in the order of the file, so the output does not depend on the number of
threads.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, cast

from dehusk.base.errors import ConfigError
from dehusk.base.processes.processors import available
from dehusk.base.processes.threads import run_in_threads
from dehusk.base.remote.paths import one_in_each_store, path_of
from dehusk.counts.model import ENOUGH
from dehusk.many.corpus.child_tasks import HandlerFactory, make_handler
from dehusk.many.corpus.children import CorpusChild, new_child
from dehusk.many.corpus.file_counts import CountsJob, FileCounts
from dehusk.many.corpus.file_output import FileOutput
from dehusk.many.corpus.file_rows import FileRows, RowsJob, groups, is_undivided
from dehusk.many.corpus.folder import RunFolder
from dehusk.many.corpus.index import PART_BYTES, FileIndex, IndexTask, Samples, StaleIndexError, choose_samples, joined
from dehusk.many.corpus.job import CorpusJob, CorpusSummary, ProgressListener, Tally, ignore_progress
from dehusk.many.corpus.sinks import SINKS
from dehusk.many.corpus.stages import Stages
from dehusk.many.files.inputs import Input, has_parts

if TYPE_CHECKING:
    from dehusk.base.remote.file_path import FilePath

# ---------------------------------------------------------------- file index
# The index of one input file, made of those of its parts, which may be read in any order.
#
# Where a part starts can only be known from reading what precedes it, so each part begins at a guess: the first offset
# at which a record seems to start. The guesses are right if each part ends where the next one starts; a part that was
# read from a wrong guess, such as a WARC file inside a page, is read again.


class FileIndexing:
    """Divides the indexing of a file into tasks, and joins their results.

    Args:
        file: the file.
        part_bytes: size of a part.
        sample: as in `dehusk.many.corpus.index.IndexScope`.
        whole: whether to read every byte.

    Raises:
        InputError: the file does not exist.
    """

    def __init__(self, file: Input, *, part_bytes: int, sample: int, whole: bool) -> None:
        self.file = file
        self.stamp = file.stamp()
        self.sample = sample
        self.whole = whole
        size = self.stamp[0] if has_parts(file) else 0
        self.tasks = [
            IndexTask(file, start, start + part_bytes, exact=not start, whole=whole)
            for start in range(0, max(1, size), part_bytes)
        ]
        self._results: dict[int, FileIndex] = {}
        self._lock = threading.Lock()

    def put(self, number: int, index: FileIndex) -> bool:
        """Deliver the result of a task, and return whether it is the last one."""
        with self._lock:
            self._results[number] = index
            return len(self._results) == len(self.tasks)

    def join(self, again: Callable[[IndexTask], FileIndex]) -> FileIndex:
        """Return the index of the file.

        Args:
            again: does a task.
        """
        if not has_parts(self.file):
            return joined(self.stamp, self._results.values(), self.sample)
        indexes: list[FileIndex] = []
        start = 0
        for number, task in enumerate(self.tasks):
            if not start < task.stop or (number and start >= self.stamp[0]):
                continue  # the last record before this part ends behind it
            index = self._results[number]
            if not index.parts or index.parts[0].start != start:
                index = again(task._replace(start=start, exact=True))
            indexes.append(index)
            start = index.parts[0].end
        return joined(self.stamp, indexes, self.sample)


# ---------------------------------------------------------------- runner

T = TypeVar("T")
_INDEX_BYTES = 4_000_000  # a child indexes at least so many bytes at a time, if there are enough
_MAX_WAITING = 100_000_000  # bytes of rows and counts that may wait for those of earlier pages
_POLL = 0.05  # seconds between checks of how many are waiting


def run(  # noqa: PLR0913 (keyword arguments of a public function)
    job: CorpusJob,
    inputs: Sequence[Input],
    output: FilePath | str,
    *,
    workers: int | Literal["auto"] = 1,
    shard: tuple[int, int] = (1, 1),
    resume: bool = True,
    on_progress: ProgressListener = ignore_progress,
    make_handler: HandlerFactory = make_handler,
) -> CorpusSummary:
    """Clean files of pages and write the rows, site models and summary to a folder.

    Args:
        job: how to learn sites and clean pages.
        inputs: the input files of all shards; see `dehusk.many.files.inputs.find_inputs`.
        output: the output folder, a path or address, `Path` or `RemotePath`; see `dehusk.many.corpus.folder`.
        workers: number of threads, each with its own child process; "auto": one for each processor that this process
            may use. The output does not depend on it.
        shard: (i, n): clean every n-th file, starting with the i-th, counted from 1. Sites are learned from the files
            of all shards.
        resume: reuse the results of an earlier run with the same inputs and job, even an interrupted one.
        on_progress: called as the work proceeds, from several threads.
        make_handler: builds, in each child process, the function that does the work.

    Raises:
        InputError: an input cannot be read, or the output folder cannot be written.
        ConfigError: the method is unknown, or its models do not match it; there is no such shard, or no worker.
        MissingExtraError: the output format needs a library that is not installed; nothing is written then.
    """
    learns = job.learns
    target = cast("FilePath", path_of(output)) if isinstance(output, str) else output
    if not 1 <= shard[0] <= shard[1]:
        raise ConfigError(f"shard must be (i, n) with i from 1 to n, not {shard}")
    if workers != "auto" and workers < 1:
        raise ConfigError(f"workers must be at least 1, not {workers}")
    SINKS[job.format].require()
    folder = RunFolder(target, shard)
    with folder.locked():
        if not resume:
            folder.forget()
        where = [{"name": file.name, "path": str(file.path.absolute()), "format": file.format} for file in inputs]
        folder.write(folder.inputs, where)
        stages = Stages(job, folder, on_progress, threading.Event())
        with ExitStack() as stack:
            count = available() if workers == "auto" else workers
            stores = one_in_each_store([target, *(file.path for file in inputs)])
            formats = {file.format for file in inputs}
            children = [
                stack.enter_context(new_child(job, make_handler, learns=learns, stores=stores, formats=formats))
                for _ in range(count)
            ]
            summary = _CorpusRun(stages, inputs, children).run(shard)
        folder.write(folder.summary, summary.values())
    return summary


class _IndexJob(NamedTuple):
    """A part of a file to index."""

    indexing: FileIndexing
    file: int
    """The number of the file."""
    part: int
    """The number of the part."""

    @property
    def bytes(self) -> int:
        """Roughly the size of the part."""
        size = self.indexing.stamp[0]
        return min(size, PART_BYTES) if has_parts(self.indexing.file) else size


class _CorpusRun:
    def __init__(self, stages: Stages, files: Sequence[Input], children: Sequence[CorpusChild]) -> None:
        self.stages = stages
        self.files = files
        self.children = children
        self.whole: set[str] = set()
        """Names of the files whose every byte must be read to index them."""

    def run(self, shard: tuple[int, int]) -> CorpusSummary:
        while True:
            try:
                return self._run(shard)
            except StaleIndexError as error:
                if error.file.name in self.whole:
                    raise
                self.whole.add(error.file.name)
            self._restart()

    def _restart(self) -> None:
        """Make ready to start again; what has been done is found in the output folder."""
        self.stages.stop.clear()
        self.stages.unlearned.clear()
        self.stages.resumed = 0
        for child in self.children:
            child.stop()

    def _run(self, shard: tuple[int, int]) -> CorpusSummary:
        indexes = self._index()
        names = [file.name for file in self.files]
        samples = choose_samples(indexes, names, sample=self.stages.job.sample, least=ENOUGH)
        numbers = [number for number in range(len(self.files)) if number % shard[1] == shard[0] - 1]
        sites = {site for number in numbers for site in indexes[number].sites if site in samples.digests}
        self._learn(samples, sites)
        tally = self._clean(numbers, indexes, samples)
        foreign = self.stages.folder.foreign(names, SINKS[self.stages.job.format].suffix)
        undivided = [names[n] for n in numbers if any(map(is_undivided, indexes[n].parts))]
        return CorpusSummary(tally, len(sites), self.stages.unlearned, self.stages.resumed, foreign, undivided)

    # ── index ──

    def _index(self) -> list[FileIndex]:
        indexes: list[Any] = [None] * len(self.files)

        def index(child: CorpusChild, group: Sequence[_IndexJob]) -> None:
            results = self.stages.index_parts(child, [job.indexing.tasks[job.part] for job in group])
            for job, result in zip(group, results, strict=True):
                if job.indexing.put(job.part, result):
                    joined = job.indexing.join(lambda task: self.stages.index_parts(child, [task])[0])
                    self.stages.store_index(job.indexing.file, joined, whole=job.indexing.whole)
                    indexes[job.file] = joined

        self._do("index", _grouped_parts(self._index_jobs(indexes)), index, total=len(self.files))
        return indexes

    def _index_jobs(self, indexes: list[Any]) -> Iterator[_IndexJob]:
        """Yield a job for each part of the files without a stored index; store the other indexes."""
        sample = self.stages.job.sample if self.stages.job.learns else 0
        for number, file in enumerate(self.files):
            whole = file.name in self.whole
            indexes[number] = self.stages.stored_index(file, whole=whole)
            if indexes[number] is None:
                indexing = FileIndexing(file, part_bytes=PART_BYTES, sample=sample, whole=whole)
                yield from (_IndexJob(indexing, number, part) for part in range(len(indexing.tasks)))

    # ── learn ──

    def _learn(self, samples: Samples, sites: set[str]) -> None:
        """Learn some sites, from pages in the files of all shards."""
        chosen = [{ref: site for ref, site in refs.items() if site in sites} for refs in samples.by_file]
        numbers = [number for number, refs in enumerate(chosen) if refs]
        outputs: list[FileCounts] = []

        def jobs() -> Iterator[CountsJob]:
            for number in numbers:
                outputs.append(self.stages.file_counts(self.files[number], chosen[number]))
                if not outputs[-1].done:
                    yield from self._paced(outputs[-1].jobs(), outputs)

        with _aborting(outputs):
            self._do("learn", jobs(), self.stages.learn_job, total=len(numbers))
        for output in outputs:
            self.stages.learned(output)
        parts = self.stages.parts([self.files[number] for number in numbers])

        def merge(child: CorpusChild, site: str) -> None:
            self.stages.merge(child, site, parts.get(site, []), samples.digests[site])

        self._do("merge", sorted(sites), merge, total=len(sites))

    # ── clean ──

    def _clean(self, numbers: Sequence[int], indexes: Sequence[FileIndex], samples: Samples) -> Tally:
        outputs: list[FileRows] = []
        tally = Tally()

        def jobs() -> Iterator[RowsJob]:
            for number in numbers:
                sites = {site: samples.digests[site] for site in indexes[number].sites if site in samples.digests}
                output = self.stages.file_rows(self.files[number], indexes[number], sites)
                outputs.append(output)
                if not output.done:
                    yield from output.jobs()
                for done in [output for output in outputs if output.done]:
                    tally.add(done.tally)
                    outputs.remove(done)

        with _aborting(outputs):
            total = sum(indexes[number].pages for number in numbers)
            self._do("clean", self._paced(groups(jobs()), outputs), self.stages.clean_jobs, total=total)
        for output in outputs:
            tally.add(output.tally)
        return tally

    def _paced(self, jobs: Iterable[T], outputs: Sequence[FileOutput[Any]]) -> Iterator[T]:
        """Yield jobs, but wait while many results wait for those of an earlier job, for example if a page hangs."""
        for job in jobs:
            while sum(output.waiting for output in outputs) > _MAX_WAITING and not self.stages.stop.wait(_POLL):
                pass
            yield job

    def _do(self, stage: str, tasks: Iterable[T], work: Callable[[CorpusChild, T], object], *, total: int) -> None:
        """Do the tasks of a stage in all threads."""
        self.stages.on_progress(stage, 0, total, "")
        run_in_threads(tasks, work, self.children, stop=self.stages.stop, abort=CorpusChild.kill)


def _grouped_parts(jobs: Iterable[_IndexJob]) -> Iterator[list[_IndexJob]]:
    """Yield jobs, small ones together."""
    group: list[_IndexJob] = []
    for job in jobs:
        group.append(job)
        if sum(job.bytes for job in group) >= _INDEX_BYTES:
            yield group
            group = []
    if group:
        yield group


@contextmanager
def _aborting(outputs: Sequence[FileOutput[Any]]) -> Iterator[None]:
    """Discard incomplete outputs at the end of the block."""
    try:
        yield
    finally:
        for output in outputs:
            output.abort()
