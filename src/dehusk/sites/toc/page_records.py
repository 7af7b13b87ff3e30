"""A page's article and TOC blocks, skeleton and reduced tree as plain values, ready for JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dehusk.read.page import Page
from dehusk.sites.outline import outline_entries
from dehusk.sites.wisdom import InformativeBlocks, InformativeStructure, Wisdom
from dehusk.sites.wisdom.block_records import BLOCK_TYPES, TYPE_NAMES, page_blocks

FEW_KNOWN = 0.2
"""If the site knows a smaller share of a page's words, the page is taken for one of another site or language."""
_ENOUGH_WORDS = 20


@dataclass(frozen=True)
class RecordChoice:
    """What the record of a page contains."""

    types: tuple[str, ...] = BLOCK_TYPES
    """Types of blocks: "toc", "article"."""
    tree: bool = False
    """Whether it contains the reduced tree."""


def unread_record(name: str, page: Page | None, problem: str, *, note: str = "") -> dict[str, Any]:
    """Return what is known of a page before its blocks are looked for.

    Args:
        name: path or address of the page.
        page: the page; None if it could not be read.
        problem: why the page, or part of it, cannot be used, as "status: message"; "" if there is no problem.
        note: what a reader needs to know.
    """
    status, _, message = problem.partition(": ")
    return {
        "page": name,
        "url": page.url if page is not None else None,
        "title": page.meta.title if page is not None else "",
        "status": status or "ok",
        "message": message,
        "learned": None,
        "notes": [note] if note else [],
    }


def page_record(page: Page, wisdom: Wisdom, choice: RecordChoice) -> dict[str, Any]:
    """Return what WISDOM finds on a page.

    Returns:
        The values of `page_blocks`; `tree`, if chosen (`dehusk.sites.outline.outline_entries`); and `notes`, what a
        reader needs to know about the result, one line each.
    """
    informative = wisdom.blocks(page)
    record = page_blocks(informative, choice.types)
    if choice.tree:
        sets = [getattr(informative, name) for name in choice.types]
        record["tree"] = outline_entries(InformativeStructure.of(*sets))
    return record | {"notes": _notes(page, wisdom, informative, choice.types, record)}


def _notes(
    page: Page, wisdom: Wisdom, informative: InformativeBlocks, types: Sequence[str], record: dict[str, Any]
) -> list[str]:
    """Return what explains the result of a page; every note is the same line on all pages."""
    links = [link for block in record.get("toc", ()) for link in block["links"]]
    k = wisdom.settings.k
    few = [name for name in types if 1 < k < math.inf and len(getattr(informative, name).skeleton) < k]
    notes = {
        "without an address of the page, links stay relative and have no API": "toc" in types
        and not (page.url or page.meta.canonical),
        "the site knows few of its words: another site or another language?": _known(informative, wisdom) < FEW_KNOWN,
        "no links": "toc" in types and not len(informative.features.anchors.node),
        "all links of the TOC blocks lead to the page itself": bool(links) and all(link["own"] for link in links),
        f"fewer than k = {k:g} {' and '.join(TYPE_NAMES[name] for name in few)} blocks": bool(few),
        f"no {' and no '.join(TYPE_NAMES[name] for name in types)} blocks": not any(record[name] for name in types),
    }
    return [note for note, applies in notes.items() if applies]


def _known(informative: InformativeBlocks, wisdom: Wisdom) -> float:
    """Return the share of a page's words that the site knows; 1 if the page has few words."""
    words = informative.features.terms.key
    if len(words) < _ENOUGH_WORDS:
        return 1.0
    return float(wisdom.entropy_.knows(words).mean())
