"""WISDOM's article and TOC blocks of a page, as plain values for a row."""

from __future__ import annotations

import math
from typing import Any
from urllib.parse import urljoin

import numpy as np

from dehusk.document import Document
from dehusk.methods.wisdom import BlockSet, Wisdom
from dehusk.page import Page
from dehusk.tags import numbers

NO_BLOCKS: dict[str, Any] = {"article": [], "toc": [], "zero_api": None, "loaded": None}
"""The blocks of a page that could not be read, or whose site has no model."""

_ANCHOR = numbers("a")


def to_wisdom_blocks(document: Document, wisdom: Wisdom | None) -> dict[str, Any]:
    """Return the article and TOC blocks of a page.

    Args:
        document: the cleaned page.
        wisdom: the model of its site; None if the site has none.

    Returns:
        `article`: the xpath, feature, score, CII and text of each article block. `toc`: the same for each TOC block,
        and the url and text of its links. `zero_api`, `loaded`: see `dehusk.methods.wisdom.InformativeBlocks`.
    """
    if wisdom is None or not document.status.is_readable:
        return NO_BLOCKS
    informative = wisdom.blocks(document.page)
    toc = informative.toc
    return {
        "article": _blocks(informative.article),
        "toc": [block | {"links": links} for block, links in zip(_blocks(toc), _links(toc), strict=True)],
        "zero_api": round(informative.zero_api, 4),
        "loaded": round(informative.loaded, 4),
    }


def _blocks(blocks: BlockSet) -> list[dict[str, Any]]:
    cii = blocks.cii.take(blocks.nodes).tolist()
    return [
        {
            "xpath": xpath,
            "feature": blocks.feature,
            "score": round(score, 6),
            "cii": round(value, 6) if math.isfinite(value) else None,
            "text": text,
        }
        for xpath, score, value, text in zip(blocks.xpaths, blocks.scores.tolist(), cii, blocks.texts, strict=True)
    ]


def _links(blocks: BlockSet) -> list[list[dict[str, str]]]:
    """Return url and text of the links of each block, without those that condensing removed."""
    page = blocks.page
    anchors = np.flatnonzero(page.is_one_of(_ANCHOR) & blocks.inside).tolist()
    links = []
    for root in blocks.nodes.tolist():
        targets = [_link(page, node) for node in anchors if root <= node < page.end[root]]
        links.append([{"url": url, "text": text} for url, text in targets if url])
    return links


def _link(page: Page, anchor: int) -> tuple[str, str]:
    """Return the absolute URL of a link, "" if it has none, and its text."""
    after = int(page.end[anchor])
    end = int(page.text_start[after]) if after < len(page) else None
    href = (page.attribute(anchor, "href") or "").strip()
    try:
        url = urljoin(urljoin(page.url or "", page.meta.base or ""), href) if href else ""
    except ValueError:
        url = ""
    return url, " ".join(page.text[int(page.text_start[anchor]) : end].split())
