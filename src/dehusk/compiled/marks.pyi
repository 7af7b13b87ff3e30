"""The typed face of `marks.pyx`."""

from dehusk.page import Page

def marks_of(page: Page) -> tuple[bool, bool, bool, bool]:
    """Return the fields of `dehusk.content.marks.Marks`."""
