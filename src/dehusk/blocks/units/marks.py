"""What a page may hold besides words: one look at its tags, names and links, since most pages hold nothing else.

Where a mark is missing, nothing of the kind is on the page; where it is set, the module of the kind looks closely.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dehusk.base.caching import cached_per_object
from dehusk.compiled import tokens as _marks
from dehusk.read.page import Page

if TYPE_CHECKING:
    from dehusk.blocks.units.footnotes import Footnotes


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


@cached_per_object
def footnotes_of(page: Page) -> Footnotes:
    """Return the footnotes of a page."""
    from dehusk.blocks.units.footnotes import Footnotes, find_footnotes  # noqa: PLC0415 (few pages have any)
    from dehusk.read.addresses import Addresses  # noqa: PLC0415

    return find_footnotes(page, Addresses.of(page)) if marks_of(page).references else Footnotes()
