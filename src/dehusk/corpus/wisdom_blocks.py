"""WISDOM's article and TOC blocks of a page, as plain values for a row."""

from __future__ import annotations

from typing import Any

from dehusk.document import Document
from dehusk.methods.wisdom import Wisdom
from dehusk.toc.page_records import page_blocks

NO_BLOCKS: dict[str, Any] = {"article": [], "toc": [], "zero_api": None, "loaded": None}
"""The blocks of a page that could not be read, or whose site has no model."""


def to_wisdom_blocks(document: Document, wisdom: Wisdom | None) -> dict[str, Any]:
    """Return the article and TOC blocks of a page as `dehusk toc` does (`dehusk.toc.page_records.page_blocks`).

    Args:
        document: the cleaned page.
        wisdom: the model of its site; None if the site has none.
    """
    if wisdom is None or not document.status.is_readable:
        return NO_BLOCKS
    return page_blocks(wisdom.blocks(document.page))
