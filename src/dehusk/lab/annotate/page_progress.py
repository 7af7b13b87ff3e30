"""How far the pages are: which are labelled, which in part; and what to do next with them."""

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from dehusk.base.errors import DehuskError, counted
from dehusk.lab.annotate.session import Session, annotation_path

_MOST_NAMED = 3  # pages in a command


class PageProgress(NamedTuple):
    """How far a page is."""

    labelled: int
    """Segments with a label, saved or not."""
    segments: int
    title: str = ""
    unsaved: bool = False
    problem: str = ""
    """Why the page cannot be opened; "" if it can."""

    @property
    def finished(self) -> bool:
        """Whether every segment has a label; a page without text has nothing to label."""
        return not self.problem and self.labelled == self.segments

    @property
    def begun(self) -> bool:
        """Whether some segments have labels, and some do not."""
        return 0 < self.labelled < self.segments


def progress_of(session: Session) -> PageProgress:
    """Return how far an open page is."""
    return PageProgress(session.labelled, len(session), session.blocks.page.meta.title, session.unsaved)


def read_progress(page: Path, folder: Path | None = None, *, every_tag: bool = True) -> PageProgress:
    """Return how far a page is, from its files."""
    target = annotation_path(page, folder)
    try:
        return progress_of(Session.open(page, target, every_tag=every_tag))
    except DehuskError as error:
        problem = str(error).removeprefix(f"{page}: ").replace(f"{target.parent}{os.sep}", "")
        return PageProgress(0, 0, problem=problem)


def summary_line(pages: Sequence[PageProgress]) -> str:
    """Return the progress of all pages in one line, such as "3 of 5 pages labelled, 1 in part"."""
    finished = sum(page.finished for page in pages)
    parts = [f"{finished} of {counted(len(pages), 'page')} labelled"]
    parts += [f"{begun} in part"] if (begun := sum(page.begun for page in pages)) else []
    parts += [f"{problems} cannot be opened"] if (problems := sum(bool(page.problem) for page in pages)) else []
    return ", ".join(parts)


def next_steps(
    arguments: Sequence[str], pages: Sequence[PageProgress], folder: str | None = None, *, every_tag: bool = True
) -> list[str]:
    """Return what to do next, one line each: a command and what it is for.

    Args:
        arguments: pages, folders and globs, as the user named them.
        pages: how far the pages are.
        folder: folder of the annotations; None: beside the pages.
        every_tag: whether the segments are split at every tag.
    """
    named = shlex.join(arguments) if len(arguments) <= _MOST_NAMED else "PAGE..."
    gold = f" --gold {shlex.quote(folder)}" if folder else ""
    steps = []
    if any(page.labelled for page in pages):
        steps.append(f"dehusk train {named}{gold} -o my-model")
        steps.append(f"dehusk eval {named}{gold}  (how well dehusk does on these pages)")
        steps += [] if folder else [f"dehusk studio {named}  (the pages in the browser; Report: where methods fail)"]
    if any(not page.finished and not page.problem for page in pages):
        place = f" --annotation-dir {shlex.quote(folder)}" if folder else ""
        steps.append(f"dehusk annotate{'' if every_tag else ' --blocks'}{place} {named}  (goes on where you stopped)")
    return steps
