"""Guards for the parser and the columns: too many tags, what nests or multiplies too much, control characters."""

from __future__ import annotations

import re

import numpy as np

from dehusk.base.lazy import pattern
from dehusk.compiled.tree import count_tags as _count_tags
from dehusk.compiled.tree import estimate, without_controls
from dehusk.read.nesting import DEEP, FORMATTING, without_deep_tables, without_drawn_templates

MARKUP = 3
"""How many tags and comments are read for each node that a page may have."""
_MOST_REOPENED = 512  # formatting elements, as many as may be open
_FORMATTING_TAG = pattern(
    rf"</?(?:{'|'.join(sorted(name.decode() for name in FORMATTING))})(?=[\s>/])[^>]*>?", re.IGNORECASE
)
_TABLE_TAG = pattern(rb"<(?:table|t[rdh]|t(?:body|head|foot)|caption|colgroup)[\s>/]", re.IGNORECASE)
_CONTROLS = [chr(c) for c in range(32) if c not in (9, 10, 12, 13)]
_CONTROL = pattern(r"[\x00-\x08\x0b\x0e-\x1f]")


def cut_markup(text: str, raw: bytes, most: int) -> str | None:
    """Return a source up to the first of more than `most` "<"; None if it has no more.

    The parser's tree takes 200 bytes per tag and comment, however few of them become nodes of the page.

    Args:
        text: the page.
        raw: its bytes in an encoding like ASCII, which are counted first, in less time.
        most: how many "<" may be read.
    """
    if len(text) <= most or _count_tags(raw) <= most or text.count("<") <= most:
        return None
    return text[: int((np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32) == ord("<")).nonzero()[0][most])]


def is_binary(text: str) -> bool:
    """Return whether more than one in twenty of the first characters is a control character; no page has that many."""
    head = text[:4096]
    return without_controls(head) is not head and len(_CONTROL.findall(head)) > max(4, len(head) // 20)


def guarded(text: str, raw: bytes, most: int) -> tuple[str, tuple[str, ...]]:
    """Change a source that the parser might multiply, or on which it might fail; `estimate` tells which.

    Templates get another name if one is inside a drawing. Formatting tags are dropped if the parser might make more
    nodes than it may: the number of tags times the number of formatting elements that it reopens. Or if they make
    tables deep. Then the parts of tables that are still too deep become `div` elements. No text is lost.

    Args:
        text: the page.
        raw: its bytes in an encoding like ASCII.
        most: the number of nodes that the parser may make.
    """
    notes: tuple[str, ...] = ()
    if (renamed := without_drawn_templates(raw)) is not raw:
        text = without_drawn_templates(text.encode()).decode()
        raw, notes = renamed, ("templates are read as other elements because one is inside a drawing or a formula",)
    tags = _count_tags(raw)
    if tags < DEEP:
        return text, notes
    depth, unclosed = estimate(raw)
    if tags * min(unclosed, _MOST_REOPENED) > most or (depth - 2 * unclosed < DEEP <= depth and _has_tables(raw)):
        text = _FORMATTING_TAG.sub("", text)
        raw, notes = text.encode(), (*notes, "formatting tags dropped because too many are not closed")
        depth, _ = estimate(raw)
    if depth < DEEP or not _has_tables(raw):
        return text, notes
    changed = without_deep_tables(text.encode()).decode()
    return (text, notes) if changed == text else (changed, (*notes, f"tables below depth {DEEP} are read as blocks"))


def _has_tables(raw: bytes) -> bool:
    """Return whether a source may have a part of a table, whatever it is in."""
    return _TABLE_TAG.search(raw) is not None
