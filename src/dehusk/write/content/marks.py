"""What a page may hold besides words: one look at its tags, names and links, since most pages hold nothing else.

Where a mark is missing, nothing of the kind is on the page; where it is set, the module of the kind looks closely.
"""

from typing import NamedTuple

from dehusk.base.caching import cached_per_object
from dehusk.compiled import tokens as _marks
from dehusk.read.page import Page


class Marks(NamedTuple):
    """What a page may hold."""

    raised: bool
    """Raised or lowered text."""
    formulas: bool
    references: bool
    """References to footnotes: links to a place that have the text of one, are raised or are marked as one."""
    emoji: bool
    """Images that stand for a sign, by their class or address."""


@cached_per_object
def marks_of(page: Page) -> Marks:
    """Return what a page may hold."""
    return Marks(*_marks.marks_of(page))
