"""The run on one machine: three passes over the input files, pages in child processes, results in a folder.

index ─► which pages stand for their sites ─► counts of those pages ─► a model for each site ─► clean

Threads own child processes. A thread reads a file, sends page after page to its own child and writes the rows, so no
page goes through another process, and the number of threads changes nothing in what is written.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from dehusk.corpus.folder import Folder
from dehusk.corpus.index import Cut, FileIndex, Scope, cut
from dehusk.corpus.inputs import Input
from dehusk.corpus.job import Job, Summary, Tally
from dehusk.corpus.passes import FOR_EVER, Passes
from dehusk.corpus.sinks import SINKS, remove
from dehusk.corpus.threads import in_threads
from dehusk.corpus.work import Learning, make_cleaner, make_indexer, make_learner, make_merger
from dehusk.run.child import Child
from dehusk.site.model import ENOUGH


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
            `Watch`; `cleaner`: a function as `dehusk.corpus.work.make_cleaner`, which makes what cleans a page.

    Raises:
        InputError: an input cannot be read or the folder cannot be written.
        ConfigError: the method is unknown or has no models that add up.
    """
    resume, watch = options.pop("resume", True), options.pop("watch", silent)
    cleaner = options.pop("cleaner", make_cleaner)
    if options:
        raise TypeError(f"run() got an unexpected keyword argument {min(options)!r}")
    learns = job.learns
    folder = Folder(out, shard)
    with folder.held():
        if not resume:
            for part in ("index", "counts", "done", "sites"):
                remove(folder.state / part)
        made = _Run(Passes(job, folder, watch, threading.Event()), inputs, workers, cleaner)
        summary = made.run(shard, learns=learns)
        folder.write(folder.summary, summary.values())
    return summary


class _Run:
    def __init__(self, passes: Passes, inputs: Sequence[Input], workers: int, cleaner: Callable[..., Any]) -> None:
        self.passes = passes
        self.inputs = inputs
        self.workers = workers
        self.cleaner = cleaner
        self.job = passes.job

    def run(self, shard: tuple[int, int], *, learns: bool) -> Summary:
        indexes = self._index(learns)
        chosen = cut(indexes, [one.name for one in self.inputs], sample=self.job.sample, least=ENOUGH)
        mine = [place for place in range(len(self.inputs)) if place % shard[1] == shard[0] - 1]
        sites = {site for place in mine for site in indexes[place].sites if site in chosen.digests}
        if sites:
            self._learn(chosen, sites)
        tally = self._clean(mine, indexes, chosen)
        return Summary(tally, len(sites), self.passes.unlearned, self.passes.resumed, self._foreign())

    def _index(self, learns: bool) -> list[FileIndex]:
        scope = Scope(self.job.columns, self.job.limits.bytes, self.job.by, self.job.sample if learns else 0)
        found: list[Any] = [None] * len(self.inputs)

        def work(child: Child[Input, FileIndex], place: int) -> None:
            found[place] = self.passes.index(child, self.inputs[place])

        self.passes.watch("index", 0, len(self.inputs), "")
        self._threads(range(len(self.inputs)), work, lambda: Child(make_indexer, scope, seconds=FOR_EVER))
        return found

    def _learn(self, chosen: Cut, sites: set[str]) -> None:
        job = Learning(self.job.by, self.job.method == "cst", self.job.limits)
        wanted = [{n: site for n, site in pages.items() if site in sites} for pages in chosen.by_file]
        places = [place for place, pages in enumerate(wanted) if pages]

        def learn(child: Child[Any, Any], place: int) -> None:
            self.passes.learn(child, self.inputs[place], wanted[place])

        self.passes.watch("learn", 0, len(places), "")
        self._threads(places, learn, lambda: Child(make_learner, job, seconds=FOR_EVER, memory=self.job.memory))
        parts = self.passes.parts([self.inputs[place] for place in places])

        def merge(child: Child[Any, int], site: str) -> None:
            self.passes.merge(child, site, parts.get(site, []), chosen.digests[site])

        self.passes.watch("merge", 0, len(sites), "")
        self._threads(sorted(sites), merge, lambda: Child(make_merger, None, seconds=FOR_EVER))

    def _clean(self, mine: Sequence[int], indexes: Sequence[FileIndex], chosen: Cut) -> Tally:
        tally = Tally()
        lock = threading.Lock()

        def work(child: Child[Any, Any], place: int) -> None:
            done = self.passes.clean(child, self.inputs[place], indexes[place], chosen)
            with lock:
                tally.add(done)

        # the largest files first, so that the last ones to end are small
        order = sorted(mine, key=lambda place: (-indexes[place].pages, place))
        self.passes.watch("clean", 0, sum(indexes[place].pages for place in mine), "")
        self._threads(
            order, work, lambda: Child(self.cleaner, self.job.cleaning, seconds=FOR_EVER, memory=self.job.memory)
        )
        return tally

    def _threads(self, tasks: Sequence[Any], work: Callable[[Any, Any], None], own: Callable[[], Any]) -> None:
        in_threads(tasks, work, own, workers=self.workers, stop=self.passes.stop)

    def _foreign(self) -> list[str]:
        """Return the files among the pages that no input of this run has made."""
        end = SINKS[self.job.format][0]
        pages = self.passes.folder.pages
        own = {f"{one.name}{end}" for one in self.inputs}
        found = [path.relative_to(pages).as_posix() for path in sorted(pages.rglob("*")) if path.is_file()]
        return [name for name in found if name not in own and not any(name.startswith(f"{one}/") for one in own)]
