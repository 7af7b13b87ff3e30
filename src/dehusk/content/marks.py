"""What a page may hold besides words: one look at its tags, names and links, since most pages hold nothing else.

Where a mark is missing, nothing of the kind is on the page; where it is set, the module of the kind looks closely.
"""

from typing import NamedTuple

from dehusk.backends import kernel
from dehusk.caching import cached_per_object
from dehusk.page import Page


class Marks(NamedTuple):
    """What a page may hold."""

    raised: bool
    """Raised or lowered text."""
    formulas: bool
    references: bool
    """References to footnotes."""
    emoji: bool
    """Images that stand for a sign."""


@cached_per_object
def marks_of(page: Page) -> Marks:
    """Return what a page may hold."""
    return Marks(*_marks(page))


@kernel("marks.marks_of")
def _marks(page: Page) -> tuple[bool, bool, bool, bool]:
    from dehusk.content.footnotes import may_refer  # noqa: PLC0415 (the compiled twin imports what a page needs)
    from dehusk.content.formulas import may_have_formulas  # noqa: PLC0415
    from dehusk.content.ornaments import may_have_signs  # noqa: PLC0415
    from dehusk.content.raised import TAGS  # noqa: PLC0415

    return bool(len(page.nodes_of(TAGS))), may_have_formulas(page), may_refer(page), may_have_signs(page)
