"""Annotating one page, without a screen: labels, cursor, range, suggestions, undo, files.

Labels are saved in the annotation file when the annotator saves them. Until then, a draft beside the file keeps them,
so that nothing is lost if the terminal is closed.
"""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dehusk.base.errors import GoldError, counted, explaining
from dehusk.blocks import Blocks, segment
from dehusk.blocks.labels import LABELS
from dehusk.lab.gold import SUFFIX, UNLABELLED, Annotation, Codes
from dehusk.lab.gold.cleaneval import codes_to_cleaneval
from dehusk.read import parse
from dehusk.read.page import Bools


def annotation_path(page: Path, folder: Path | None = None) -> Path:
    """Return the path of a page's annotation: beside the page, or in `folder`."""
    return (folder or page.parent) / f"{page.name}{SUFFIX}"


def annotated_text(path: Path, annotation: Path, *, every_tag: bool = True) -> str:
    """Return what is annotated of a page as a text with CLEANEVAL's tags.

    Raises:
        InputError: a file cannot be read.
        GoldError: the annotation is malformed, belongs to another page, or leaves segments unlabelled, of which a text
            cannot say that they are unknown.
    """
    with explaining(f"{path}: cannot be read"):
        data = path.read_bytes()
    labels, page = Annotation.load(annotation), parse(data)
    labels.check(data, page)
    blocks = segment(page, every_tag=every_tag, alt=every_tag)
    codes = labels.labels_for(blocks)
    if missing := int((codes == UNLABELLED).sum()):
        raise GoldError(f"{missing} of {counted(len(blocks), 'segment')} unlabelled: a text cannot say what is unknown")
    return codes_to_cleaneval(blocks, codes)


@dataclass(frozen=True)
class _Change:
    """The state before a change, for undo."""

    start: int
    codes: Codes
    cursor: int


@dataclass(eq=False)
class Session:
    """One page being annotated; every change goes through its methods."""

    data: bytes
    """The page's raw bytes."""
    blocks: Blocks
    """The segments to label."""
    target: Path
    """The annotation file."""
    annotator: str | None = None
    codes: Codes = field(init=False)
    """(b,) the labels given so far, -1 for none."""
    suggestions: Codes = field(init=False)
    """(b,) suggested labels, -1 for none; they do not count until they are confirmed."""
    cursor: int = field(default=0, init=False)
    mark: int | None = field(default=None, init=False)
    """The other end of the range; None if no range was started."""
    notice: str = field(default="", init=False)
    """One line for the annotator about the annotation that is being continued; "" if there is none."""
    _url: str | None = field(default=None, init=False)
    _saved: Codes = field(init=False)
    _drafted: Codes = field(init=False)
    _undo: list[_Change] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.codes = np.full(len(self.blocks), UNLABELLED, dtype=np.int8)
        self.suggestions = self.codes.copy()
        self._saved = self.codes.copy()
        self._drafted = self.codes.copy()

    @classmethod
    def open(cls, path: Path, target: Path, *, every_tag: bool = True, annotator: str | None = None) -> "Session":
        """Read a page and split it into segments; continue its draft or its annotation, if there is one.

        Raises:
            InputError: a file cannot be read.
            GoldError: the annotation is malformed or belongs to another page.
        """
        with explaining(f"{path}: cannot be read"):
            data = path.read_bytes()
        session = cls(data, segment(parse(data), every_tag=every_tag, alt=every_tag), target, annotator)
        if target.exists():
            session.resume()
        if session.draft.exists():
            session.recover()
        return session

    def __len__(self) -> int:
        return len(self.blocks)

    @property
    def draft(self) -> Path:
        """The file that contains the unsaved labels."""
        return self.target.with_name(f"{self.target.name}.draft")

    @property
    def labelled(self) -> int:
        """Number of labelled segments; suggestions do not count."""
        return int((self.codes != UNLABELLED).sum())

    @property
    def unsaved(self) -> bool:
        """Whether the labels differ from those in the annotation file."""
        return not np.array_equal(self.codes, self._saved)

    @property
    def selection(self) -> tuple[int, int]:
        """The segments that the next label applies to, as (first, one past the last)."""
        other = self.cursor if self.mark is None else self.mark
        return min(self.cursor, other), min(max(self.cursor, other) + 1, len(self))

    @property
    def suggested(self) -> Bools:
        """(b,) whether a segment shows a suggestion: it has one, and no label."""
        shown: Bools = (self.codes == UNLABELLED) & (self.suggestions != UNLABELLED)
        return shown

    def move(self, to: int) -> None:
        """Move the cursor to a segment, or to the nearest one that exists."""
        self.cursor = max(0, min(to, len(self) - 1))

    def toggle_mark(self) -> None:
        """Start a range at the cursor, or cancel it."""
        self.mark = self.cursor if self.mark is None else None

    def label(self, code: int) -> None:
        """Label the range, or the segment at the cursor, and move to the segment after it.

        Raises:
            ValueError: `code` is neither an index into `LABELS` nor -1.
        """
        if not UNLABELLED <= code < len(LABELS):
            raise ValueError(f"invalid label code {code}: use {UNLABELLED} to {len(LABELS) - 1}")
        start, end = self.selection
        self._replace(start, np.full(end - start, code, dtype=np.int8))
        self.mark = None
        self.move(end if code != UNLABELLED else self.cursor)

    def undo(self) -> bool:
        """Undo the last change, and move the cursor back; return whether there was a change to undo."""
        if not self._undo:
            return False
        change = self._undo.pop()
        self.codes[change.start : change.start + len(change.codes)] = change.codes
        self.cursor, self.mark = change.cursor, None
        return True

    def matches(self, words: str) -> list[int]:
        """Return the segments whose text contains some words, whatever their case; none for no words."""
        wanted = " ".join(words.casefold().split())
        if not wanted:
            return []
        return [row for row, text in enumerate(self.blocks.texts) if wanted in " ".join(text.casefold().split())]

    def seek_words(self, words: str, step: int = 1) -> tuple[int, int]:
        """Move to the next (step -1: previous; 0: next, or this one) segment that contains some words, wrapping around.

        Returns:
            Which match that is, from 1, and how many there are; (0, 0) for none.
        """
        found = self.matches(words)
        if not found:
            return 0, 0
        if step < 0:
            at = max((index for index, row in enumerate(found) if row < self.cursor), default=len(found) - 1)
        else:
            at = next((index for index, row in enumerate(found) if row >= self.cursor + (step > 0)), 0)
        self.move(found[at])
        return at + 1, len(found)

    def seek_unlabelled(self, step: int = 1) -> bool:
        """Move to the next (step -1: previous) unlabelled segment, wrapping around; return whether there is one."""
        unlabelled = np.flatnonzero(self.codes == UNLABELLED)
        if not len(unlabelled):
            return False
        index = np.searchsorted(unlabelled, self.cursor, side="right" if step > 0 else "left")
        self.cursor = int(unlabelled[(index if step > 0 else index - 1) % len(unlabelled)])
        return True

    def set_suggestions(self, codes: npt.ArrayLike) -> None:
        """Show codes, shape (b,), as suggestions.

        Raises:
            ValueError: `codes` does not have exactly one valid code per segment.
        """
        codes = np.asarray(codes)
        if codes.shape != (len(self),) or ((codes < UNLABELLED) | (codes >= len(LABELS))).any():
            raise ValueError(f"suggestions must be {len(self)} codes from {UNLABELLED} to {len(LABELS) - 1}")
        self.suggestions = codes.astype(np.int8)

    def confirm(self) -> bool:
        """Turn the suggestions in the range into labels; return whether there were any."""
        start, end = self.selection
        if not self.suggested[start:end].any():
            return False
        self._confirm(start, end)
        self.mark = None
        self.move(end)
        return True

    def confirm_all(self) -> int:
        """Turn all suggestions into labels, as a single change; return how many."""
        count = int(self.suggested.sum())
        if count:
            self._confirm(0, len(self))
        return count

    def save(self) -> None:
        """Write the annotation file and remove the draft.

        Raises:
            OSError: the file cannot be written.
        """
        self._annotation().save(self.target)
        self._saved = self.codes.copy()
        self.discard_draft()

    def save_draft(self) -> None:
        """Write unsaved labels to the draft, if they changed since the last call.

        Raises:
            OSError: the file cannot be written.
        """
        if np.array_equal(self.codes, self._drafted):
            return
        if self.unsaved:
            self._annotation().save(self.draft)
            self._drafted = self.codes.copy()
        else:
            self.discard_draft()

    def discard_draft(self) -> None:
        """Remove the draft."""
        self.draft.unlink(missing_ok=True)
        self._drafted = self._saved.copy()

    def resume(self) -> None:
        """Continue the annotation file: take over its labels, and move to the first segment without one.

        Raises:
            InputError: the file cannot be read.
            GoldError: it is malformed or belongs to another page; the message names it.
        """
        self._load(self.target)
        self._saved = self.codes.copy()
        self._drafted = self.codes.copy()
        self.notice = f"resumed {self.target.name}: {self.labelled} of {len(self)} segments labelled{self.notice}"

    def recover(self) -> None:
        """Continue the draft: take over its labels, which stay unsaved.

        Raises:
            InputError: the file cannot be read.
            GoldError: it is malformed or belongs to another page; the message names it.
        """
        self._load(self.draft)
        self._drafted = self.codes.copy()
        self.notice = f"recovered unsaved labels: {self.labelled} of {len(self)} segments labelled; s saves, Q discards"

    def _load(self, path: Path) -> None:
        annotation = Annotation.load(path)
        try:
            annotation.check(self.data, self.blocks.page)
        except GoldError as error:
            raise GoldError(f"{path}: {error}") from None
        self.codes = annotation.labels_for(self.blocks)
        self.annotator = self.annotator or annotation.annotator
        self._url = annotation.url
        self._undo.clear()
        same = Annotation.from_labels(self.data, self.blocks, self.codes).spans
        differs = [span[:3] for span in same] != [span[:3] for span in annotation.spans]
        self.notice = "; its labels were for other segments, and saving rewrites them for these" if differs else ""
        self.cursor = int(np.argmax(self.codes == UNLABELLED)) if len(self) else 0

    def _annotation(self) -> Annotation:
        return Annotation.from_labels(self.data, self.blocks, self.codes, url=self._url, annotator=self.annotator)

    def _confirm(self, start: int, end: int) -> None:
        codes, suggestions = self.codes[start:end], self.suggestions[start:end]
        self._replace(start, np.where(codes == UNLABELLED, suggestions, codes))

    def _replace(self, start: int, codes: Codes) -> None:
        """Replace the codes from `start` on; record the change for undo only if a code differs."""
        before = self.codes[start : start + len(codes)]
        if not np.array_equal(before, codes):
            self._undo.append(_Change(start, before.copy(), self.cursor))
            self.codes[start : start + len(codes)] = codes
