"""The run on one machine: four stages over the input files, with pages processed in child processes.

index ─► sample of each site ─► counts of the sampled pages ─► a model for each site ─► clean

Each thread owns a child process. It reads a file, sends one page after another to its child and writes the rows. No
page passes through a third process, and the output does not depend on the number of threads.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeVar

from dehusk.corpus.child_tasks import HandlerFactory, make_handler
from dehusk.corpus.children import CorpusChild, new_child
from dehusk.corpus.folder import RunFolder
from dehusk.corpus.index import FileIndex, Samples, choose_samples
from dehusk.corpus.job import CorpusJob, CorpusSummary, ProgressListener, Tally, ignore_progress
from dehusk.corpus.sinks import SINKS
from dehusk.corpus.stages import Stages
from dehusk.processes.threads import run_in_threads
from dehusk.records.inputs import Input
from dehusk.site.model import ENOUGH

T = TypeVar("T")


def run(  # noqa: PLR0913 (keyword arguments of a public function)
    job: CorpusJob,
    inputs: Sequence[Input],
    output: Path,
    *,
    workers: int = 1,
    shard: tuple[int, int] = (1, 1),
    resume: bool = True,
    on_progress: ProgressListener = ignore_progress,
    make_handler: HandlerFactory = make_handler,
) -> CorpusSummary:
    """Clean files of pages and write the rows, site models and summary to a folder.

    Args:
        job: how to learn sites and clean pages.
        inputs: the input files of all shards; see `dehusk.records.inputs.find_inputs`.
        output: the output folder; see `dehusk.corpus.folder`.
        workers: number of threads, each with its own child process. The output does not depend on it.
        shard: (i, n): clean every n-th file, starting with the i-th, counted from 1. Sites are learned from the files
            of all shards.
        resume: reuse the results of an earlier run with the same inputs and job, even an interrupted one.
        on_progress: called as the work proceeds, from several threads.
        make_handler: builds, in each child process, the function that does the work.

    Raises:
        InputError: an input cannot be read, or the output folder cannot be written.
        ConfigError: the method is unknown, or its models do not match it.
    """
    learns = job.learns
    folder = RunFolder(output, shard)
    with folder.locked():
        if not resume:
            folder.forget()
        stages = Stages(job, folder, on_progress, threading.Event())
        with ExitStack() as stack:
            children = [stack.enter_context(new_child(job, make_handler, learns=learns)) for _ in range(workers)]
            summary = _CorpusRun(stages, inputs, children).run(shard)
        folder.write(folder.summary, summary.values())
    return summary


class _CorpusRun:
    def __init__(self, stages: Stages, files: Sequence[Input], children: Sequence[CorpusChild]) -> None:
        self.stages = stages
        self.files = files
        self.children = children

    def run(self, shard: tuple[int, int]) -> CorpusSummary:
        indexes = self._index()
        names = [file.name for file in self.files]
        samples = choose_samples(indexes, names, sample=self.stages.job.sample, least=ENOUGH)
        numbers = [number for number in range(len(self.files)) if number % shard[1] == shard[0] - 1]
        sites = {site for number in numbers for site in indexes[number].sites if site in samples.digests}
        self._learn(samples, sites)
        tally = self._clean(numbers, indexes, samples)
        foreign = self.stages.folder.foreign(names, SINKS[self.stages.job.format].suffix)
        return CorpusSummary(tally, len(sites), self.stages.unlearned, self.stages.resumed, foreign)

    def _index(self) -> list[FileIndex]:
        indexes: list[Any] = [None] * len(self.files)

        def index(child: CorpusChild, number: int) -> None:
            indexes[number] = self.stages.index(child, self.files[number])

        self._do("index", range(len(self.files)), index)
        return indexes

    def _learn(self, samples: Samples, sites: set[str]) -> None:
        """Learn some sites, from pages in the files of all shards."""
        chosen = [{ref: site for ref, site in refs.items() if site in sites} for refs in samples.by_file]
        numbers = [number for number, refs in enumerate(chosen) if refs]
        self._do("learn", numbers, lambda child, n: self.stages.learn(child, self.files[n], chosen[n]))
        parts = self.stages.parts([self.files[number] for number in numbers])

        def merge(child: CorpusChild, site: str) -> None:
            self.stages.merge(child, site, parts.get(site, []), samples.digests[site])

        self._do("merge", sorted(sites), merge)

    def _clean(self, numbers: Sequence[int], indexes: Sequence[FileIndex], samples: Samples) -> Tally:
        tally = Tally()
        lock = threading.Lock()

        def clean(child: CorpusChild, number: int) -> None:
            sites = {site: samples.digests[site] for site in indexes[number].sites if site in samples.digests}
            cleaned = self.stages.clean(child, self.files[number], indexes[number], sites)
            with lock:
                tally.add(cleaned)

        # largest files first, so that no thread is left with a large one at the end
        order = sorted(numbers, key=lambda number: (-indexes[number].pages, number))
        self._do("clean", order, clean, total=sum(indexes[number].pages for number in numbers))
        return tally

    def _do(
        self, stage: str, tasks: Sequence[T], work: Callable[[CorpusChild, T], object], *, total: int | None = None
    ) -> None:
        """Do the tasks of a stage in all threads."""
        self.stages.on_progress(stage, 0, len(tasks) if total is None else total, "")
        run_in_threads(tasks, work, self.children, stop=self.stages.stop, abort=CorpusChild.kill)
