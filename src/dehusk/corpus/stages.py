"""The stages of a run: index, learn, merge, clean. Each call processes one file or site, unless that is already done.

A marker records that a piece of work is finished, with a hash of everything the work depends on. The marker is written
after the result, and both are renamed into place, so a run may be killed at any moment: work without a valid marker is
done again.
"""

from __future__ import annotations

import datetime as dt
import re
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dehusk.atomic import remove, replacing
from dehusk.corpus.child_tasks import CountsSlice, LearnedCounts, LearnTask, MergeTask, PageTask
from dehusk.corpus.children import CorpusChild, clean_in_child, page_deadline
from dehusk.corpus.folder import RunFolder, digest, read_values
from dehusk.corpus.index import FileIndex, PageRef, read_pages
from dehusk.corpus.job import CorpusJob, ProgressListener, Tally
from dehusk.corpus.schema import Row, make_row
from dehusk.corpus.sinks import SINKS
from dehusk.errors import InputError, Status
from dehusk.processes.child import ChildError, ChildResult
from dehusk.processes.threads import StoppedError
from dehusk.records.bodies import Body
from dehusk.records.inputs import Input, read_records
from dehusk.records.record import Loss, Record
from dehusk.site.grouping import site_name

_BATCH_PAGES, _BATCH_BYTES = 64, 16_000_000  # limits of one learning task
_ERROR_NAME = re.compile(r"^(?:InputError|MissingExtraError): ")


@dataclass
class Stages:
    """The stages of one run, and the state they share."""

    job: CorpusJob
    folder: RunFolder
    on_progress: ProgressListener
    stop: threading.Event
    unlearned: list[str] = field(default_factory=list)
    """One line for each page or site that could not be learned from."""
    resumed: int = 0
    """Number of files already cleaned by an earlier run."""

    # ── index ──

    def index(self, child: CorpusChild, file: Input) -> FileIndex:
        """Return the index of a file; reuse that of an earlier run if neither the file nor the job has changed.

        Raises:
            InputError: the file cannot be read.
        """
        path = self.folder.index(file.name)
        stored = read_values(path)
        expected = digest(file.stamp(), self._reading(), self.job.sample)
        if stored and stored["digest"] == expected:
            index = FileIndex.of_values(stored["index"])
        else:
            try:
                result: ChildResult[FileIndex] = child.work(file)
                index = result.result
            except ChildError as error:
                self._check_stop()
                reason = _ERROR_NAME.sub("", str(error)).removeprefix(f"{file.path}: ")
                raise InputError(f"{file.path}: {reason}") from error
            self.folder.write(path, {"digest": expected, "index": index.values()})
        self.on_progress("index", 1, 0, "")
        return index

    def _reading(self) -> dict[str, Any]:
        """Return the settings that decide which records a file has and which site each belongs to."""
        values = self.job.identity()
        return {name: values[name] for name in ("columns", "limits", "by", "version")}

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
        path = self.folder.counts(file.name)
        marker = path.with_suffix(".json")
        expected = digest(
            file.stamp(), self._reading(), self.job.needs_structure, self.job.wisdom, sorted(sample.items())
        )
        stored = read_values(marker)
        if stored and stored["digest"] == expected and path.exists():
            self.unlearned += stored["unlearned"]
            parts = [(site, offset, size) for site, offset, size in stored["parts"]]
        else:
            failures: list[str] = []
            parts = []
            with replacing(path, owner=self.folder.tag) as temporary, temporary.open("wb") as stream:
                for batch in self._batches(file, sample):
                    for learned in self._learn_batch(child, batch, failures):
                        parts.append((learned.site, stream.tell(), len(learned.counts)))
                        stream.write(learned.counts)
            self.folder.write(marker, {"digest": expected, "parts": parts, "unlearned": failures})
            self.unlearned += failures
        self.on_progress("learn", 1, 0, "")
        return parts

    def _batches(self, file: Input, sample: Mapping[PageRef, str]) -> Iterator[list[PageTask]]:
        batch: list[PageTask] = []
        size = 0
        for ref, record in read_pages(file, self.job.read_options, list(sample)):
            body = self._body(record)
            batch.append(PageTask(body.data, record.url, record.headers, record.decoded, sample[ref]))
            size += len(body.data)
            if len(batch) == _BATCH_PAGES or size > _BATCH_BYTES:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def _learn_batch(self, child: CorpusChild, batch: Sequence[PageTask], failures: list[str]) -> list[LearnedCounts]:
        """Return the counts of a batch; if the child fails, of each page separately."""
        seconds = page_deadline(self.job) * len(batch)
        try:
            result: ChildResult[list[LearnedCounts]] = child.work(LearnTask(batch), seconds=seconds)
        except ChildError as error:
            self._check_stop()
            if len(batch) == 1:
                failures.append(f"{batch[0].url}: {error}")
                return []
            return [learned for page in batch for learned in self._learn_batch(child, [page], failures)]
        return result.result

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
        expected = digest(sampled, self._reading(), self.job.needs_structure, self.job.wisdom)
        stored = read_values(marker)
        if not (stored and stored["digest"] == expected and path.is_dir() is not bool(stored["problem"])):
            problem = "" if parts else "none of its pages could be read"
            try:
                with replacing(path, owner=self.folder.tag) as temporary:
                    temporary.mkdir()
                    if parts:
                        child.work(MergeTask(parts, self.job.by, str(temporary)))
                    latest = read_values(marker)
                    if latest and latest["digest"] == expected and path.is_dir():
                        remove(temporary)  # another shard has just written the same model, and may be using it
            except ChildError as error:
                self._check_stop()
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
        sink = SINKS[self.job.format]
        path = self.folder.pages / f"{file.name}{sink.suffix}"
        marker = self.folder.marker(file.name)
        expected = digest(file.stamp(), self.job.identity(), sites)
        stored = read_values(marker)
        if stored and stored["digest"] == expected and path.exists() and stored["output"] == path.name:
            tally = Tally.of_values(stored["tally"])
            self.resumed += 1
            self.on_progress("clean", tally.pages, 0, "")
            return tally
        if stored:
            remove(marker)
            remove(path.with_name(stored["output"]))  # its suffix may differ
        tally = Tally(files=1, skipped=Counter(index.skipped))
        tally.losses = [[file.name, *loss] for loss in index.losses]
        with replacing(path, owner=self.folder.tag) as temporary, sink.open(temporary) as write_row:
            for row in self._rows(child, file, sites):
                if row["status"] == Status.ERROR:
                    self._check_stop()
                write_row(row)
                tally.count(row)
                self.on_progress("clean", 1, 0, row["status"])
        self.folder.write(marker, {"digest": expected, "output": path.name, "tally": tally.values()})
        return tally

    def _rows(self, child: CorpusChild, file: Input, sites: Mapping[str, str]) -> Iterator[Row]:
        modified = dt.datetime.fromtimestamp(file.path.stat().st_mtime, dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        models = {site: model for site in sites if (model := self._model(site))}
        for record, body in self._pages(file):
            model = models.get(site_name(record.url, self.job.by), "") if models and record.url else ""
            yield make_row(
                file=file.name,
                number=record.number,
                offset=record.offset,
                date=record.date or modified,
                **clean_in_child(child, self.job, record, body, model),
            )

    def _model(self, site: str) -> str:
        """Return the folder of a site's model, "" if the site could not be learned.

        Raises:
            InputError: the model has been removed.
        """
        if (path := self.folder.site(site)).is_dir():
            return str(path)
        stored = read_values(self.folder.site_marker(site))
        if not (stored and stored["problem"]):
            raise InputError(f"the model of {site} is missing from {path}: repeat the command")
        return ""

    def _check_stop(self) -> None:
        """Raise if the run has been stopped, so that a child killed by that does not count as a failure of its page."""
        if self.stop.is_set():
            raise StoppedError

    def _pages(self, file: Input) -> Iterator[tuple[Record, Body]]:
        """Yield the pages of a file with their bodies."""
        for record in read_records(file, self.job.read_options):
            if not (isinstance(record, Loss) or record.skipped):
                yield record, self._body(record)

    def _body(self, record: Record) -> Body:
        """Return a page's bytes, unless the run has been stopped."""
        self._check_stop()
        return Body(record.raw) if record.decoded else record.body(self.job.limits.bytes)
