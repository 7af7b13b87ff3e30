"""The index of one input file, made of those of its parts, which may be read in any order.

Where a part starts can only be known from reading what precedes it, so each part begins at a guess: the first offset
at which a record seems to start. The guesses are right if each part ends where the next one starts; a part that was
read from a wrong guess, such as a WARC file inside a page, is read again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from dehusk.many.corpus.index import FileIndex, IndexTask, joined
from dehusk.many.files.inputs import Input, has_parts


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
