"""A page's article and TOC blocks, skeleton and reduced tree as plain values, ready for JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dehusk.methods.wisdom import BlockSet, InformativeBlocks, InformativeStructure, Wisdom
from dehusk.outline import outline_entries
from dehusk.page import Page
from dehusk.toc.links import block_links
from dehusk.xpath import xpaths

TYPE_NAMES = {"toc": "TOC", "article": "article"}
"""Type of blocks -> its name for people."""

BLOCK_TYPES = tuple(TYPE_NAMES)
"""The types of blocks."""

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


def page_blocks(informative: InformativeBlocks, types: Sequence[str] = BLOCK_TYPES) -> dict[str, Any]:
    """Return the blocks of a page.

    Returns:
        For each type, `article` or `toc`, the blocks in document order, each with `xpath`, `feature` (of the search),
        `score` (f_A), `cii`, `text`, and `skeleton`: the XPaths of the nodes in it that the search returned; none if
        merging added the block. TOC blocks also have `api` (mean of their links, estimated if the search used
        estimates) and `links` (`block_links`).
        `zero_api`, `loaded`: see `dehusk.methods.wisdom.InformativeBlocks`.
    """
    found: dict[str, Any] = {}
    if "article" in types:
        found["article"] = _blocks(informative.article)
    if "toc" in types:
        links = block_links(informative.features, informative.toc)
        found["toc"] = [
            block | {"api": _mean_api(block, of_block), "links": of_block}
            for block, of_block in zip(_blocks(informative.toc), links, strict=True)
        ]
    return found | {"zero_api": round(informative.zero_api, 4), "loaded": round(informative.loaded, 4)}


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
        The values of `page_blocks`; `tree`, if chosen (`dehusk.outline.outline_entries`); and `notes`, what a reader
        needs to know about the result, one line each.
    """
    informative = wisdom.blocks(page)
    record = page_blocks(informative, choice.types)
    if choice.tree:
        sets = [getattr(informative, name) for name in choice.types]
        record["tree"] = outline_entries(InformativeStructure.of(*sets))
    return record | {"notes": _notes(page, wisdom, informative, choice.types, record)}


def _blocks(blocks: BlockSet) -> list[dict[str, Any]]:
    cii = blocks.cii.take(blocks.nodes).tolist()
    return [
        {
            "xpath": xpath,
            "feature": blocks.feature,
            "score": round(score, 6),
            "cii": round(value, 6) if math.isfinite(value) else None,
            "skeleton": skeleton,
            "text": text,
        }
        for xpath, score, value, skeleton, text in zip(
            blocks.xpaths, blocks.scores.tolist(), cii, _skeletons(blocks), blocks.texts, strict=True
        )
    ]


def _skeletons(blocks: BlockSet) -> list[list[str]]:
    """Return for each block the XPaths of the skeleton's nodes in it."""
    paths = xpaths(blocks.page, blocks.skeleton.tolist())
    inside: list[list[str]] = [[] for _ in range(len(blocks))]
    owners = np.searchsorted(blocks.nodes, blocks.skeleton, side="right") - 1
    for owner, node in zip(owners.tolist(), blocks.skeleton.tolist(), strict=True):
        inside[owner].append(paths[node])
    return inside


def _mean_api(block: dict[str, Any], links: Sequence[dict[str, Any]]) -> float | None:
    name = "estimated_api" if block["feature"] == "estimated API" else "api"
    return round(sum(link[name] for link in links) / len(links), 6) if links else None


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
