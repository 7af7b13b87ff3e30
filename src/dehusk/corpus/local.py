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
from dehusk.corpus.index import Cut, FileIndex, Scope, cut
from dehusk.corpus.inputs import Input
from dehusk.corpus.job import Job, Summary, Tally
from dehusk.corpus.passes import FOR_EVER, Passes, Worker
from dehusk.corpus.sinks import SINKS, remove
from dehusk.corpus.threads import in_threads
from dehusk.corpus.work import Jobs, Learning, make_worker
from dehusk.run.child import Child
from dehusk.site.model import ENOUGH

T = TypeVar("T")


def silent(_pass: str, _done: int, _total: int, _status: str) -> None:
    """Watch nothing."""


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
            for part in ("index", "counts", "done", "sites"):
                remove(folder.state / part)
        passes = Passes(job, folder, watch, threading.Event())
        with ExitStack() as stack:
            children = [stack.enter_context(_child(job, make, learns=learns)) for _ in range(workers)]
            summary = _Run(passes, inputs, children).run(shard)
        folder.write(folder.summary, summary.values())
    return summary


def _child(job: Job, make: Callable[[Any], Callable[[Any], Any]], *, learns: bool) -> Worker:
    """Return a child that is started when it is needed."""
    scope = Scope(job.columns, job.limits.bytes, job.by, job.sample if learns else 0)
    jobs = Jobs(scope, Learning(job.by, job.method == "cst", job.limits), job.cleaning)
    return Child(make, jobs, seconds=FOR_EVER, memory=job.memory)


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
        return Summary(tally, len(sites), self.passes.unlearned, self.passes.resumed, self._foreign())

    def _index(self) -> list[FileIndex]:
        found: list[Any] = [None] * len(self.inputs)

        def work(child: Worker, place: int) -> None:
            found[place] = self.passes.index(child, self.inputs[place])

        self._threads("index", range(len(self.inputs)), work)
        return found

    def _learn(self, chosen: Cut, sites: set[str]) -> None:
        wanted = [{n: site for n, site in pages.items() if site in sites} for pages in chosen.by_file]
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
            done = self.passes.clean(child, self.inputs[place], indexes[place], chosen)
            with lock:
                tally.add(done)

        # the largest files first, so that the last ones to end are small
        order = sorted(mine, key=lambda place: (-indexes[place].pages, place))
        self._threads("clean", order, work, total=sum(indexes[place].pages for place in mine))
        return tally

    def _threads(
        self, name: str, tasks: Sequence[T], work: Callable[[Worker, T], None], *, total: int | None = None
    ) -> None:
        self.passes.watch(name, 0, len(tasks) if total is None else total, "")
        in_threads(tasks, work, self.children, stop=self.passes.stop)

    def _foreign(self) -> list[str]:
        """Return the files among the pages that no input of this run has made."""
        end = SINKS[self.passes.job.format][0]
        pages = self.passes.folder.pages
        own = {f"{one.name}{end}" for one in self.inputs}
        found = [path.relative_to(pages).as_posix() for path in sorted(pages.rglob("*")) if path.is_file()]
        return [name for name in found if name not in own and not any(name.startswith(f"{one}/") for one in own)]
