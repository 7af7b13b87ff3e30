"""What the sampled pages of an input file share: the jobs that count it, and the file of the counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import NamedTuple

from dehusk.base.atomic import replacing
from dehusk.many.corpus.child_tasks import LearnedCounts, PageTask
from dehusk.many.corpus.file_output import FileOutput
from dehusk.many.corpus.folder import RunFolder, read_values
from dehusk.many.corpus.index import PageRef, read_pages
from dehusk.many.corpus.page_rows import page_body
from dehusk.many.files.inputs import Input, has_parts
from dehusk.many.files.options import ReadOptions

_BATCH_PAGES, _BATCH_BYTES = 64, 10_000_000  # limits of one learning task
_WHOLE_SITES = 32  # a task with so many pages ends with the last page of a site


class CountsJob(NamedTuple):
    """Pages to learn from."""

    output: FileCounts
    number: int
    """The number of the job among those of its file."""
    pages: list[PageTask]


class LearnedPages(NamedTuple):
    """What was learned from the pages of a job."""

    counts: list[LearnedCounts]
    failures: list[str]
    """One line for each page that could not be learned from."""


class FileCounts(FileOutput[LearnedPages]):
    """Writes the counts of a file.

    Args:
        folder: the output folder.
        file: the input file.
        options: how to read it.
        sample: page -> site.
    """

    def __init__(self, folder: RunFolder, file: Input, options: ReadOptions, sample: Mapping[PageRef, str]) -> None:
        super().__init__()
        self.folder = folder
        self.file = file
        self.options = options
        self.sample = sample
        self.path = folder.counts(file.name)
        self.marker = self.path.with_suffix(".json")
        self.expected = ""
        self.parts: list[tuple[str, int, int]] = []
        """Site, offset and size of each part of the counts."""
        self.failures: list[str] = []

    def resume(self, expected: str) -> bool:
        """Return whether an earlier run has written these counts.

        Args:
            expected: a hash of everything that the counts depend on.
        """
        self.expected = expected
        stored = read_values(self.marker)
        if stored and stored["digest"] == expected and self.path.exists():
            self.failures = stored["unlearned"]
            self.parts = [(site, offset, size) for site, offset, size in stored["parts"]]
            self.done = True
        return self.done

    def jobs(self) -> Iterator[CountsJob]:
        """Yield the jobs; the pages are read while they are taken."""
        number = 0
        for pages in self._batches():
            yield CountsJob(self, number, pages)
            number += 1
        self.put_end(number)

    def _batches(self) -> Iterator[list[PageTask]]:
        batch: list[PageTask] = []
        size = 0
        for refs in self._refs():
            for ref, record in read_pages(self.file, self.options, refs):
                if len(batch) >= _WHOLE_SITES and batch[-1].site != self.sample[ref]:
                    yield batch
                    batch, size = [], 0
                data = page_body(record, self.options.limit).data
                batch.append(PageTask(data, record.url, record.headers, record.decoded, self.sample[ref]))
                size += len(data)
                if len(batch) == _BATCH_PAGES or size > _BATCH_BYTES:
                    yield batch
                    batch, size = [], 0
        if batch:
            yield batch

    def _refs(self) -> Iterator[list[PageRef]]:
        """Yield the pages in the order in which to read them: site by site if the file allows it.

        The counts of a batch are small if its pages are of one site.
        """
        if has_parts(self.file) and len({ref.offset for ref in self.sample}) == len(self.sample):
            by_site: dict[str, list[PageRef]] = {}
            for ref, site in self.sample.items():
                by_site.setdefault(site, []).append(ref)
            yield from (refs for _, refs in sorted(by_site.items()))
        else:
            yield list(self.sample)

    def size(self, result: LearnedPages) -> int:
        """Return how many bytes of memory the counts of a job take."""
        return sum(len(learned.counts) for learned in result.counts)

    def open(self, stack: ExitStack) -> None:
        """Open the file of counts."""
        temporary = stack.enter_context(replacing(self.path, owner=self.folder.tag))
        self._stream = stack.enter_context(temporary.open("wb"))

    def write(self, result: LearnedPages) -> None:
        """Write the counts of a job."""
        for learned in result.counts:
            self.parts.append((learned.site, self._stream.tell(), len(learned.counts)))
            self._stream.write(learned.counts)
        self.failures += result.failures

    def finish(self) -> None:
        """Write the marker."""
        values = {"digest": self.expected, "parts": self.parts, "unlearned": self.failures}
        self.folder.write(self.marker, values)
