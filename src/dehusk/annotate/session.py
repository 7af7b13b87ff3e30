"""The labelling of one page, without a screen: labels, cursor, range, suggestions, undo, the file."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks, segment
from dehusk.errors import GoldError, InputError
from dehusk.gold import SUFFIX, UNLABELLED, Annotation, Codes
from dehusk.labels import LABELS
from dehusk.page import Bools
from dehusk.read.parsing import parse

Suggest = Callable[[Blocks], npt.NDArray[np.integer]]
"""Returns an index into `LABELS` for each block, -1 where it has no opinion."""


def annotation_path(page: Path, folder: Path | None = None) -> Path:
    """Return where a page's annotation stands: beside the page, or in `folder`."""
    return (folder or page.parent) / f"{page.name}{SUFFIX}"


@dataclass(frozen=True)
class _Step:
    """What undo puts back."""

    start: int
    codes: Codes
    cursor: int


@dataclass(eq=False)
class Session:
    """One page being annotated; every change goes through its methods."""

    data: bytes
    """The page's raw bytes; they are read once and never written."""
    blocks: Blocks
    target: Path
    """The annotation file."""
    annotator: str | None = None
    codes: Codes = field(init=False)
    """(b,) the labels given so far, -1 where there is none."""
    suggestions: Codes = field(init=False)
    """(b,) what a method suggests, -1 where nothing; counts for nothing until it is confirmed."""
    cursor: int = field(default=0, init=False)
    mark: int | None = field(default=None, init=False)
    """The other end of the range, where one was begun."""
    resumed: str = field(default="", init=False)
    """What a person should know of the annotation that was resumed, in one line."""
    _url: str | None = field(default=None, init=False)
    _saved: Codes = field(init=False)
    _undo: list[_Step] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.codes = np.full(len(self.blocks), UNLABELLED, dtype=np.int8)
        self.suggestions = self.codes.copy()
        self._saved = self.codes.copy()

    @classmethod
    def open(cls, path: Path, target: Path, *, every_tag: bool = True, annotator: str | None = None) -> "Session":
        """Read a page and cut it into segments; resume its annotation if there is one.

        Raises:
            InputError: a file cannot be read.
            GoldError: the annotation is malformed or not of this page.
        """
        try:
            data = path.read_bytes()
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or error}") from error
        session = cls(data, segment(parse(data), every_tag=every_tag, alt=every_tag), target, annotator)
        if target.exists():
            session.resume()
        return session

    def __len__(self) -> int:
        return len(self.blocks)

    @property
    def labelled(self) -> int:
        """Segments that have a label; suggestions are none."""
        return int((self.codes != UNLABELLED).sum())

    @property
    def unsaved(self) -> bool:
        """Whether labels differ from those in the file."""
        return not np.array_equal(self.codes, self._saved)

    @property
    def selection(self) -> tuple[int, int]:
        """The segments that the next label goes to, as (first, one past the last)."""
        other = self.cursor if self.mark is None else self.mark
        return min(self.cursor, other), min(max(self.cursor, other) + 1, len(self))

    @property
    def suggested(self) -> Bools:
        """(b,) whether a segment shows a suggestion: it has one and no label."""
        shown: Bools = (self.codes == UNLABELLED) & (self.suggestions != UNLABELLED)
        return shown

    def move(self, to: int) -> None:
        """Put the cursor on a segment, or on the nearest there is."""
        self.cursor = max(0, min(to, len(self) - 1))

    def toggle_mark(self) -> None:
        """Begin a range at the cursor, or give it up."""
        self.mark = self.cursor if self.mark is None else None

    def label(self, code: int) -> None:
        """Label the range (or the segment at the cursor), go to the segment after it.

        Raises:
            ValueError: the code is neither a label's nor -1.
        """
        if not UNLABELLED <= code < len(LABELS):
            raise ValueError(f"no label has the code {code}")
        start, end = self.selection
        self._put(start, np.full(end - start, code, dtype=np.int8))
        self.mark = None
        self.move(end if code != UNLABELLED else self.cursor)

    def undo(self) -> bool:
        """Take the last change back, cursor included; return whether there was one."""
        if not self._undo:
            return False
        step = self._undo.pop()
        self.codes[step.start : step.start + len(step.codes)] = step.codes
        self.cursor, self.mark = step.cursor, None
        return True

    def seek_unlabelled(self, step: int = 1) -> bool:
        """Go to the next (step -1: the previous) unlabelled segment, around the end; return whether there is one."""
        empty = np.flatnonzero(self.codes == UNLABELLED)
        if not len(empty):
            return False
        at = np.searchsorted(empty, self.cursor, side="right" if step > 0 else "left")
        self.cursor = int(empty[(at if step > 0 else at - 1) % len(empty)])
        return True

    def prelabel(self, codes: npt.ArrayLike) -> None:
        """Show codes, shape (b,), as suggestions.

        Raises:
            ValueError: there is not one known code a segment.
        """
        given = np.asarray(codes)
        if given.shape != (len(self),) or ((given < UNLABELLED) | (given >= len(LABELS))).any():
            raise ValueError(f"suggestions must be {len(self)} codes from {UNLABELLED} to {len(LABELS) - 1}")
        self.suggestions = given.astype(np.int8)

    def confirm(self) -> bool:
        """Make the suggestions in the range labels; return whether there were any."""
        start, end = self.selection
        if not self.suggested[start:end].any():
            return False
        self._confirm(start, end)
        self.mark = None
        self.move(end)
        return True

    def confirm_all(self) -> int:
        """Make all suggestions labels, as one step; return how many."""
        count = int(self.suggested.sum())
        if count:
            self._confirm(0, len(self))
        return count

    def save(self) -> None:
        """Write the annotation file.

        Raises:
            OSError: it cannot be written.
        """
        annotation = Annotation.from_labels(self.data, self.blocks, self.codes, url=self._url, annotator=self.annotator)
        self.target.parent.mkdir(parents=True, exist_ok=True)
        annotation.save(self.target)
        self._saved = self.codes.copy()

    def resume(self) -> None:
        """Take the labels of the annotation file, and go to the first segment without one.

        Raises:
            InputError: the file cannot be read.
            GoldError: it is malformed or not of this page; the message names it.
        """
        annotation = Annotation.load(self.target)
        try:
            annotation.check(self.data, self.blocks.page)
        except GoldError as error:
            raise GoldError(f"{self.target}: {error}") from None
        self.codes = annotation.labels_for(self.blocks)
        self._saved = self.codes.copy()
        self.annotator = self.annotator or annotation.annotator
        self._url = annotation.url
        self._undo.clear()
        self.resumed = f"{self.labelled} labels resumed from {self.target.name}"
        same = Annotation.from_labels(self.data, self.blocks, self.codes).spans
        if [span[:3] for span in same] != [span[:3] for span in annotation.spans]:
            self.resumed += "; they were made on other segments, and saving rewrites them for these"
        self.cursor = int(np.argmax(self.codes == UNLABELLED)) if len(self) else 0

    def _confirm(self, start: int, end: int) -> None:
        codes, suggestions = self.codes[start:end], self.suggestions[start:end]
        self._put(start, np.where(codes == UNLABELLED, suggestions, codes))

    def _put(self, start: int, codes: Codes) -> None:
        """Replace codes from `start` on; what changes nothing is no step."""
        old = self.codes[start : start + len(codes)]
        if not np.array_equal(old, codes):
            self._undo.append(_Step(start, old.copy(), self.cursor))
            self.codes[start : start + len(codes)] = codes
