"""The run on one machine: three passes over the input files, pages in child processes, results in a folder.

index ─► which pages stand for their sites ─► counts of those pages ─► a model for each site ─► clean

Threads own child processes. A thread reads a file, sends page after page to its own child and writes the rows, so no
page goes through another process, and the number of threads changes nothing in what is written.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

from dehusk.corpus.folder import Folder
from dehusk.corpus.index import Cut, FileIndex, cut
from dehusk.corpus.job import Job, Summary, Tally, silent
from dehusk.corpus.one import Worker
from dehusk.corpus.passes import Passes, child_of
from dehusk.corpus.sinks import SINKS
from dehusk.corpus.work import make_worker
from dehusk.processes.threads import in_threads
from dehusk.records.inputs import Input
from dehusk.site.model import ENOUGH

T = TypeVar("T")


def run(
    job: Job,
    inputs: Sequence[Input],
    out: Path,
    *,
    workers: int = 1,
    shard: tuple[int, int] = (1, 1),
    **options: Any,
) -> Summary:
    """Clean files of pages into a folder.

    Args:
        job: what is wanted.
        inputs: the files, of all shards.
        out: the folder; see `dehusk.corpus.folder`.
        workers: threads with a child process each.
        shard: (i, n): clean every n-th file from the i-th on, from 1. Sites are learned from all files.
        **options: `resume` (default True): go on where a run with the same inputs and job was ended; `watch`: a
            `Watch`; `make`: a function as `dehusk.corpus.work.make_worker`, which makes what the children do.

    Raises:
        InputError: an input cannot be read or the folder cannot be written.
        ConfigError: the method is unknown or has no models that add up.
    """
    resume, watch = options.pop("resume", True), options.pop("watch", silent)
    make = options.pop("make", make_worker)
    if options:
        raise TypeError(f"run() got an unexpected keyword argument {min(options)!r}")
    learns = job.learns
    folder = Folder(out, shard)
    with folder.held():
        if not resume:
            folder.forget()
        passes = Passes(job, folder, watch, threading.Event())
        with ExitStack() as stack:
            children = [stack.enter_context(child_of(job, make, learns=learns)) for _ in range(workers)]
            summary = _Run(passes, inputs, children).run(shard)
        folder.write(folder.summary, summary.values())
    return summary


class _Run:
    def __init__(self, passes: Passes, inputs: Sequence[Input], children: Sequence[Worker]) -> None:
        self.passes = passes
        self.inputs = inputs
        self.children = children

    def run(self, shard: tuple[int, int]) -> Summary:
        indexes = self._index()
        names = [one.name for one in self.inputs]
        chosen = cut(indexes, names, sample=self.passes.job.sample, least=ENOUGH)
        mine = [place for place in range(len(self.inputs)) if place % shard[1] == shard[0] - 1]
        sites = {site for place in mine for site in indexes[place].sites if site in chosen.digests}
        self._learn(chosen, sites)
        tally = self._clean(mine, indexes, chosen)
        foreign = self.passes.folder.foreign(names, SINKS[self.passes.job.format][0])
        return Summary(tally, len(sites), self.passes.unlearned, self.passes.resumed, foreign)

    def _index(self) -> list[FileIndex]:
        found: list[Any] = [None] * len(self.inputs)

        def work(child: Worker, place: int) -> None:
            found[place] = self.passes.index(child, self.inputs[place])

        self._threads("index", range(len(self.inputs)), work)
        return found

    def _learn(self, chosen: Cut, sites: set[str]) -> None:
        wanted = [{page: site for page, site in pages.items() if site in sites} for pages in chosen.by_file]
        places = [place for place, pages in enumerate(wanted) if pages]
        self._threads("learn", places, lambda child, place: self.passes.learn(child, self.inputs[place], wanted[place]))
        parts = self.passes.parts([self.inputs[place] for place in places])
        self._threads(
            "merge",
            sorted(sites),
            lambda child, site: self.passes.merge(child, site, parts.get(site, []), chosen.digests[site]),
        )

    def _clean(self, mine: Sequence[int], indexes: Sequence[FileIndex], chosen: Cut) -> Tally:
        tally = Tally()
        lock = threading.Lock()

        def work(child: Worker, place: int) -> None:
            sites = {site: chosen.digests[site] for site in indexes[place].sites if site in chosen.digests}
            done = self.passes.clean(child, self.inputs[place], indexes[place], sites)
            with lock:
                tally.add(done)

        # the largest files first, so that the last ones to end are small
        order = sorted(mine, key=lambda place: (-indexes[place].pages, place))
        self._threads("clean", order, work, total=sum(indexes[place].pages for place in mine))
        return tally

    def _threads(
        self, name: str, tasks: Sequence[T], work: Callable[[Worker, T], object], *, total: int | None = None
    ) -> None:
        self.passes.watch(name, 0, len(tasks) if total is None else total, "")
        in_threads(tasks, work, self.children, stop=self.passes.stop)
