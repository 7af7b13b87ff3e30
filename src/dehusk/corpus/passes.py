"""The passes over input files: index, learn, merge, clean. Each does one file (or site) at a time, or finds it done.

What is done is known by a marker that holds a hash of all it depends on, written after the thing itself; both are
renamed into place. So a run may be killed at any moment: what has no marker is done again and replaced as a whole.
"""

from __future__ import annotations

import datetime as dt
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dehusk.atomic import remove, replacing
from dehusk.corpus.folder import Folder, digest, read_values
from dehusk.corpus.index import FileIndex, Place, Scope, read_some
from dehusk.corpus.job import Job, Tally, Watch
from dehusk.corpus.one import Worker, clean_page, deadline
from dehusk.corpus.schema import row
from dehusk.corpus.sinks import SINKS
from dehusk.corpus.work import Batch, Jobs, Learned, Learning, Merge, Part, Row, Sent, make_worker
from dehusk.errors import InputError, Status
from dehusk.processes.child import Child, ChildError, Done
from dehusk.processes.threads import StoppedError
from dehusk.records.inputs import Input, read
from dehusk.records.record import Body, Loss, Record
from dehusk.site.grouping import site_name

FOR_EVER = 1e6
"""Seconds for a task that is not a page."""

_TOGETHER, _SENT = 64, 16_000_000  # pages and bytes that are learned from at once


def child_of(job: Job, make: Callable[[Any], Callable[[Any], Any]] = make_worker, *, learns: bool) -> Worker:
    """Return a child that is started when it is needed.

    Args:
        job: what is wanted.
        make: `dehusk.corpus.work.make_worker`, or a function that stands in for it.
        learns: whether sites are learned.
    """
    scope = Scope(job.columns, job.limits.bytes, job.by, job.sample if learns else 0)
    jobs = Jobs(scope, Learning(job.by, job.method == "cst", job.limits), job.cleaning)
    return Child(make, jobs, seconds=FOR_EVER, memory=job.memory)


@dataclass
class Passes:
    """What all passes share."""

    job: Job
    folder: Folder
    watch: Watch
    stop: threading.Event
    unlearned: list[str] = field(default_factory=list)
    resumed: int = 0

    # ── index ──

    def index(self, child: Worker, one: Input) -> FileIndex:
        """Return what a file holds, from an earlier run where the file and the way it is read are the same.

        Raises:
            InputError: the file cannot be read.
        """
        place = self.folder.index(one.name)
        known = read_values(place)
        wanted = digest(one.stamp(), self._way(), self.job.sample)
        if known and known["digest"] == wanted:
            found = FileIndex.of_values(known["index"])
        else:
            try:
                done: Done[FileIndex] = child.work(one)
                found = done.result
            except ChildError as error:
                said = str(error).removeprefix("InputError: ")
                raise InputError(f"{one.path}: {said}") from error
            self.folder.write(place, {"digest": wanted, "index": found.values()})
        self.watch("index", 1, 0, "")
        return found

    def _way(self) -> dict[str, Any]:
        """Return what decides which records a file has."""
        values = self.job.identity()
        return {name: values[name] for name in ("columns", "limits", "by", "version")}

    # ── learn ──

    def learn(self, child: Worker, one: Input, wanted: Mapping[Place, str]) -> list[tuple[str, int, int]]:
        """Count what the chosen pages of a file hold; return site, offset and size of each part of its counts."""
        place = self.folder.counts(one.name)
        marker = place.with_suffix(".json")
        mine = digest(one.stamp(), self._way(), self.job.method == "cst", sorted(wanted.items()))
        known = read_values(marker)
        if known and known["digest"] == mine and place.exists():
            self.unlearned += known["unlearned"]
            sizes = [(site, offset, size) for site, offset, size in known["parts"]]
        else:
            failed: list[str] = []
            sizes = []
            with replacing(place, owner=self.folder.tag) as temporary, temporary.open("wb") as stream:
                for batch in self._batches(one, wanted):
                    for learned in self._learned(child, batch, failed):
                        sizes.append((learned.site, stream.tell(), len(learned.counts)))
                        stream.write(learned.counts)
            self.folder.write(marker, {"digest": mine, "parts": sizes, "unlearned": failed})
            self.unlearned += failed
        self.watch("learn", 1, 0, "")
        return sizes

    def _batches(self, one: Input, wanted: Mapping[Place, str]) -> Iterator[list[Sent]]:
        batch: list[Sent] = []
        size = 0
        for place, record in read_some(one, self.job.columns, self.job.limits.bytes, list(wanted)):
            body = self._body(record)
            sent = Sent(body.data, record.url, record.headers, record.decoded, wanted[place])
            batch.append(sent)
            size += len(sent.data)
            if len(batch) == _TOGETHER or size > _SENT:
                yield batch
                batch, size = [], 0
        if batch:
            yield batch

    def _learned(self, child: Worker, batch: Sequence[Sent], failed: list[str]) -> list[Learned]:
        """Return what a batch holds; where it fails, what each of its pages alone does."""
        try:
            done: Done[list[Learned]] = child.work(Batch(batch), seconds=deadline(self.job) * len(batch))
        except ChildError as error:
            self._go_on()
            if len(batch) == 1:
                failed.append(f"{batch[0].url}: {error}")
                return []
            return [learned for sent in batch for learned in self._learned(child, [sent], failed)]
        return done.result

    # ── merge ──

    def parts(self, inputs: Sequence[Input]) -> dict[str, list[Part]]:
        """Return site -> its counts in all files."""
        found: dict[str, list[Part]] = {}
        for one in inputs:
            place = self.folder.counts(one.name)
            known = read_values(place.with_suffix(".json")) or {"parts": []}
            for site, offset, size in known["parts"]:
                found.setdefault(site, []).append(Part(str(place), offset, size))
        return found

    def merge(self, child: Worker, site: str, parts: Sequence[Part], sampled: str) -> None:
        """Write the model of a site."""
        place, marker = self.folder.site(site), self.folder.site_marker(site)
        mine = digest(sampled, self._way(), self.job.method == "cst")
        known = read_values(marker)
        if not (known and known["digest"] == mine and place.is_dir() is not bool(known["problem"])):
            problem = "" if parts else "none of its pages could be read"
            try:
                with replacing(place, owner=self.folder.tag) as temporary:
                    temporary.mkdir()
                    if parts:
                        child.work(Merge(parts, self.job.by, str(temporary)))
                    again = read_values(marker)
                    if again and again["digest"] == mine and place.is_dir():
                        remove(temporary)  # another shard has just made it, and may be at work with it
            except ChildError as error:
                self._go_on()
                problem = str(error)
            if problem:
                remove(place)
            known = {"digest": mine, "problem": problem}
            self.folder.write(marker, known)
        if known["problem"]:
            self.unlearned.append(f"{site}: {known['problem']}")
        self.watch("merge", 1, 0, "")

    # ── clean ──

    def clean(self, child: Worker, one: Input, index: FileIndex, sites: Mapping[str, str]) -> Tally:
        """Write the rows of a file and return what it came to.

        Args:
            child: works on the pages.
            one: the file.
            index: what it holds.
            sites: those of its sites that are learned -> a hash of what they were learned from.
        """
        end = SINKS[self.job.format][0]
        place = self.folder.pages / f"{one.name}{end}"
        marker = self.folder.marker(one.name)
        mine = digest(one.stamp(), self.job.identity(), sites)
        known = read_values(marker)
        if known and known["digest"] == mine and place.exists() and known["output"] == place.name:
            tally = Tally.of_values(known["tally"])
            self.resumed += 1
            self.watch("clean", tally.pages, 0, "")
            return tally
        if known:
            remove(marker)
            remove(place.with_name(known["output"]))  # it may have another end
        tally = Tally(files=1, skipped=Counter(index.skipped))
        tally.losses = [[one.name, *loss] for loss in index.losses]
        with replacing(place, owner=self.folder.tag) as temporary, SINKS[self.job.format][1](temporary) as put:
            for made in self._rows(child, one, sites):
                if made["status"] == Status.ERROR:
                    self._go_on()
                put(made)
                tally.count(made)
                self.watch("clean", 1, 0, made["status"])
        self.folder.write(marker, {"digest": mine, "output": place.name, "tally": tally.values()})
        return tally

    def _rows(self, child: Worker, one: Input, sites: Mapping[str, str]) -> Iterator[Row]:
        changed = dt.datetime.fromtimestamp(one.path.stat().st_mtime, dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        models = {site: model for site in sites if (model := self._model(site))}
        for record, body in self._pages(one):
            model = models.get(site_name(record.url, self.job.by), "") if models and record.url else ""
            yield row(
                file=one.name,
                number=record.number,
                offset=record.offset,
                date=record.date or changed,
                **clean_page(child, self.job, record, body, model),
            )

    def _model(self, site: str) -> str:
        """Return the folder of a site's model, "" where it could not be learned.

        Raises:
            InputError: it was learned and is not there.
        """
        if (place := self.folder.site(site)).is_dir():
            return str(place)
        known = read_values(self.folder.site_marker(site))
        if not (known and known["problem"]):
            raise InputError(f"the model of {site} is not in {place}: run again")
        return ""

    def _go_on(self) -> None:
        """Let a process that ended with the run not be taken for a fault of its page."""
        if self.stop.is_set():
            raise StoppedError

    def _pages(self, one: Input) -> Iterator[tuple[Record, Body]]:
        """Yield the pages of a file with their bodies."""
        for record in read(one, self.job.columns, self.job.limits.bytes):
            if not (isinstance(record, Loss) or record.skipped):
                yield record, self._body(record)

    def _body(self, record: Record) -> Body:
        """Return a page's bytes; between two pages the work may be stopped."""
        self._go_on()
        return Body(record.raw, ()) if record.decoded else record.body(self.job.limits.bytes)
