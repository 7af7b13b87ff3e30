"""The stages of a run: index, learn, merge, clean. Each call processes one file or site, unless that is already done.

A marker records that a piece of work is finished, with a hash of everything the work depends on. The marker is written
after the result, and both are renamed into place, so a run may be killed at any moment: work without a valid marker is
done again.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dehusk.base.atomic import remove, replacing
from dehusk.base.errors import ChildError, InputError, Status
from dehusk.base.processes.threads import StoppedError
from dehusk.many.corpus.child_tasks import LearnedCounts, LearnTask, MergeTask, PageTask
from dehusk.many.corpus.children import ERROR_NAME, CorpusChild, clean_in_child, page_deadline, raise_unreadable
from dehusk.many.corpus.file_counts import CountsJob, FileCounts, LearnedPages
from dehusk.many.corpus.file_rows import FileRows, RowsJob
from dehusk.many.corpus.folder import RunFolder, digest, read_values
from dehusk.many.corpus.index import FileIndex, IndexTask, PageRef, StaleIndexError
from dehusk.many.corpus.job import CorpusJob, ProgressListener, Tally
from dehusk.many.corpus.packed_counts import CountsSlice
from dehusk.many.corpus.page_rows import PageRows, complete_row, model_of, page_body, task_items
from dehusk.many.files.inputs import Input
from dehusk.many.files.record import Loss
from dehusk.many.rows import Row

_READING = 60.0  # seconds that a child may take to read a part, beside the time for its pages


@dataclass
class Stages:
    """The stages of one run, and the state they share.

    The methods that are named after a stage do its work on one file or site with one child.
    """

    job: CorpusJob
    folder: RunFolder
    on_progress: ProgressListener
    stop: threading.Event
    unlearned: list[str] = field(default_factory=list)
    """One line for each page or site that could not be learned from."""
    resumed: int = 0
    """Number of files already cleaned by an earlier run."""
    _with_model: set[str] = field(default_factory=set)
    """Sites whose model has been found: asking a remote store takes a while."""

    # ── index ──

    def index(self, child: CorpusChild, file: Input) -> FileIndex:
        """Return the index of a file; reuse that of an earlier run if neither the file nor the job has changed.

        Raises:
            InputError: the file cannot be read.
        """
        index = self.stored_index(file, whole=True)
        if index is None:
            index = self._indexed(child, file, file)
            self.store_index(file, index, whole=True)
        return index

    def stored_index(self, file: Input, *, whole: bool) -> FileIndex | None:
        """Return the index of a file that an earlier run has stored; None if the file or the job has changed since.

        Args:
            file: the file.
            whole: whether it must be one for which every byte was read.
        """
        stored = read_values(self.folder.index(file.name))
        if not stored or stored["digest"] != self._index_digest(file) or (whole and not stored["whole"]):
            return None
        self.on_progress("index", 1, 0, "")
        return FileIndex.of_values(stored["index"])

    def store_index(self, file: Input, index: FileIndex, *, whole: bool) -> None:
        """Store the index of a file.

        Args:
            file: the file.
            index: its index.
            whole: whether every byte was read.
        """
        values = {"digest": self._index_digest(file), "whole": whole, "index": index.values()}
        self.folder.write(self.folder.index(file.name), values)
        self.on_progress("index", 1, 0, "")

    def index_parts(self, child: CorpusChild, tasks: Sequence[IndexTask]) -> list[FileIndex]:
        """Return the index of each part.

        Raises:
            InputError: a file cannot be read.
        """
        try:
            indexes: list[FileIndex] = child.work(list(tasks)).result
        except ChildError:
            self.check_stop()
            return [self._indexed(child, task.file, task) for task in tasks]
        return indexes

    def _indexed(self, child: CorpusChild, file: Input, task: Input | IndexTask) -> FileIndex:
        try:
            index: FileIndex = child.work(task).result
        except ChildError as error:
            self.check_stop()
            reason = ERROR_NAME.sub("", str(error)).removeprefix(f"{file.path}: ")
            raise InputError(f"{file.path}: {reason}") from error
        return index

    def _index_digest(self, file: Input) -> str:
        return digest(file.stamp(), self._reading(), self.job.sample if self.job.learns else 0)

    def _reading(self) -> dict[str, Any]:
        """Return the settings that decide which records a file has and which site each belongs to."""
        values = self.job.identity()
        return {name: values[name] for name in ("columns", "limits", "by", "version")}

    def _counted(self) -> list[str]:
        """Return what is counted of sites beyond what is counted of every site."""
        return [kind.name for kind in self.job.counts]

    # ── learn ──

    def learn(self, child: CorpusChild, file: Input, sample: Mapping[PageRef, str]) -> list[tuple[str, int, int]]:
        """Count what the sampled pages of a file share.

        Args:
            child: does the counting.
            file: the file.
            sample: page -> site.

        Returns:
            Site, offset and size of each part of the file's counts.
        """
        counts = self.file_counts(file, sample)
        if not counts.done:
            try:
                for job in counts.jobs():
                    self.learn_job(child, job)
            finally:
                counts.abort()
        self.learned(counts)
        return counts.parts

    def file_counts(self, file: Input, sample: Mapping[PageRef, str]) -> FileCounts:
        """Return the output for the counts of a file; the arguments are those of `learn`."""
        counts = FileCounts(self.folder, file, self.job.read_options, sample)
        counts.resume(digest(file.stamp(), self._reading(), self._counted(), sorted(sample.items())))
        return counts

    def learn_job(self, child: CorpusChild, job: CountsJob) -> None:
        """Learn from the pages of a job."""
        failures: list[str] = []
        job.output.put(job.number, LearnedPages(self._learn_batch(child, job.pages, failures), failures))

    def learned(self, counts: FileCounts) -> None:
        """Report that the counts of a file are complete."""
        self.unlearned += counts.failures
        self.on_progress("learn", 1, 0, "")

    def _learn_batch(self, child: CorpusChild, batch: Sequence[PageTask], failures: list[str]) -> list[LearnedCounts]:
        """Return the counts of a batch; if the child fails, of each page separately."""
        self.check_stop()
        seconds = page_deadline(self.job) * len(batch)
        try:
            learned: list[LearnedCounts] = child.work(LearnTask(batch), seconds=seconds).result
        except ChildError as error:
            self.check_stop()
            if len(batch) == 1:
                failures.append(f"{batch[0].url}: {error}")
                return []
            return [counts for page in batch for counts in self._learn_batch(child, [page], failures)]
        return learned

    # ── merge ──

    def parts(self, files: Sequence[Input]) -> dict[str, list[CountsSlice]]:
        """Return site -> its counts in all files."""
        parts: dict[str, list[CountsSlice]] = {}
        for file in files:
            path = self.folder.counts(file.name)
            stored = read_values(path.with_suffix(".json")) or {"parts": []}
            for site, offset, size in stored["parts"]:
                parts.setdefault(site, []).append(CountsSlice(str(path), offset, size))
        return parts

    def merge(self, child: CorpusChild, site: str, parts: Sequence[CountsSlice], sampled: str) -> None:
        """Write the model of a site.

        Args:
            child: does the merging.
            site: the name of the site.
            parts: its counts.
            sampled: a hash of the sampled pages.
        """
        path, marker = self.folder.site(site), self.folder.site_marker(site)
        expected = digest(sampled, self._reading(), self._counted())
        stored = read_values(marker)
        if not (stored and stored["digest"] == expected and path.is_dir() is not bool(stored["problem"])):
            problem = "" if parts else "none of its pages could be read"
            try:
                with replacing(path, owner=self.folder.tag) as temporary:
                    temporary.mkdir()
                    if parts:
                        child.work(MergeTask(parts, self.job.by, self.job.counts, str(temporary)))
                    latest = read_values(marker)
                    if latest and latest["digest"] == expected and path.is_dir():
                        remove(temporary)  # another shard has just written the same model, and may be using it
            except ChildError as error:
                self.check_stop()
                raise_unreadable(error)
                problem = str(error)
            if problem:
                remove(path)
            stored = {"digest": expected, "problem": problem}
            self.folder.write(marker, stored)
        if stored["problem"]:
            self.unlearned.append(f"{site}: {stored['problem']}")
        self.on_progress("merge", 1, 0, "")

    # ── clean ──

    def clean(self, child: CorpusChild, file: Input, index: FileIndex, sites: Mapping[str, str]) -> Tally:
        """Write the rows of a file and return their tally.

        Args:
            child: cleans the pages.
            file: the file.
            index: its index.
            sites: each site of the file that has been learned -> hash of the pages it was learned from.
        """
        rows = self.file_rows(file, index, sites)
        if not rows.done:
            try:
                for job in rows.jobs():
                    self.clean_jobs(child, [job])
            finally:
                rows.abort()
        return rows.tally

    def file_rows(self, file: Input, index: FileIndex, sites: Mapping[str, str]) -> FileRows:
        """Return the output for the rows of a file; the arguments are those of `clean`."""
        rows = FileRows(self.job, self.folder, file, index, [site for site in sites if self._has_model(site)])
        rows.on_progress = self.on_progress
        if rows.resume(digest(file.stamp(), self.job.identity(), sites)):
            self.resumed += 1
            self.on_progress("clean", rows.tally.pages, 0, "")
        return rows

    def clean_jobs(self, child: CorpusChild, jobs: Sequence[RowsJob]) -> None:
        """Clean the pages of some jobs and deliver their rows.

        Raises:
            StaleIndexError: a part does not contain as many records as the index says.
        """
        self.check_stop()
        seconds = _READING + page_deadline(self.job) * (1 + sum(job.pages for job in jobs))
        try:
            results: list[PageRows] = child.work([job.task for job in jobs], seconds=seconds).result
        except ChildError:
            self.check_stop()
            results = [self._clean_one_by_one(child, job) for job in jobs]
        for job, result in zip(jobs, results, strict=True):
            if result.records != job.records:
                raise StaleIndexError(job.output.file)
            job.output.put(job.number, result)

    def _clean_one_by_one(self, child: CorpusChild, job: RowsJob) -> PageRows:
        """Return the rows of a job; send its pages to the child one by one."""
        rows: list[Row] = []
        losses: list[Loss] = []
        records = 0
        source, first = job.task.source, getattr(job.task, "number", 0)
        for item in task_items(job.task, self.job.read_options):
            self.check_stop()
            if isinstance(item, Loss):
                losses.append(item)
                continue
            records += 1
            if item.skipped:
                continue
            body = page_body(item, self.job.limits.bytes)
            columns = clean_in_child(child, self.job, item, body, model_of(source, item, self.job.by))
            if columns["status"] == Status.ERROR:
                self.check_stop()
            rows.append(complete_row(source, item, item.number + first, columns))
        return PageRows(rows, losses, records)

    def _has_model(self, site: str) -> bool:
        """Return whether a site could be learned.

        Raises:
            InputError: its model has been removed.
        """
        if site in self._with_model:
            return True
        if (path := self.folder.site(site)).is_dir():
            self._with_model.add(site)
            return True
        stored = read_values(self.folder.site_marker(site))
        if not (stored and stored["problem"]):
            raise InputError(f"the model of {site} is missing from {path}: repeat the command")
        return False

    def check_stop(self) -> None:
        """Raise if the run has been stopped, so that a child killed by that does not count as a failure of its page."""
        if self.stop.is_set():
            raise StoppedError
