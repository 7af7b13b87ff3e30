"""The typed face of `visibility.pyx`."""

from dehusk.layout import Nodes
from dehusk.page import Page

def suspicions(page: Page) -> tuple[bool, bool, bool]:
    """Return which of the searches may find something, by a quick look at all characters."""

def numbers(page: Page, text: Nodes) -> list[tuple[int, int]]:
    """Return the short text nodes that are a number, and it."""
