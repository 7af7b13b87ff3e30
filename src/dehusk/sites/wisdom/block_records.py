"""The article and TOC blocks of a page as plain values, with the links of each block and WISDOM's features of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from dehusk.base.tags import numbers
from dehusk.label.declaration import FoundLinks
from dehusk.read.addresses import Addresses
from dehusk.read.page import Page
from dehusk.read.xpath import xpaths
from dehusk.sites.wisdom.blocksets import BlockSet
from dehusk.sites.wisdom.coverage_tree import Nodes
from dehusk.sites.wisdom.link_estimates import places
from dehusk.sites.wisdom.node_features import NodeFeatures
from dehusk.sites.wisdom.wisdom import InformativeBlocks

TYPE_NAMES = {"toc": "TOC", "article": "article"}
"""Type of blocks -> its name for people."""

BLOCK_TYPES = tuple(TYPE_NAMES)
"""The types of blocks."""

NO_BLOCKS: dict[str, Any] = {"article": [], "toc": [], "zero_api": None, "loaded": None}
"""The blocks of a page that could not be read, or whose site was not learned."""

_LISTS = numbers("ul ol dl menu dir")
_NAMING = ("title", "aria-label")
"""Attributes that name a link without text and alternative text."""


def page_blocks(informative: InformativeBlocks, types: Sequence[str] = BLOCK_TYPES) -> dict[str, Any]:
    """Return the blocks of a page.

    Returns:
        For each type, `article` or `toc`, the blocks in document order, each with `xpath`, `feature` (of the search),
        `score` (f_A), `cii`, `text`, and `skeleton`: the XPaths of the nodes in it that the search returned; none if
        merging added the block. TOC blocks also have `api` (mean of their links, estimated if the search used
        estimates) and `links` (`block_links`).
        `zero_api`, `loaded`: see `dehusk.sites.wisdom.InformativeBlocks`.
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


def block_links(features: NodeFeatures, blocks: BlockSet) -> list[list[dict[str, Any]]]:
    """Return the links of each block in document order, without those that condensing removes.

    Args:
        features: features of the page.
        blocks: the blocks of one type on this page.

    Returns:
        For each block a list of links. `text`: the visible text, or else the alternative text or the name of the link.
        `url`: the target, resolved and safe; None if it must not be followed (`javascript:`). `depth`: elements above
        the link. `level`: 1 for the outermost lists of links in the block, one more for each list in a list. `cii`,
        `api`, `estimated_api`, `alen`: see `dehusk.sites.wisdom`; `cii` is None for a link without words. `learned`:
        whether the target was among the pages learned. `own`: whether the link leads to its own page.
    """
    page, anchors = blocks.page, features.anchors
    rows = np.flatnonzero(blocks.inside.take(anchors.node))
    nodes = anchors.node.take(rows).astype(np.intp)
    owner = np.searchsorted(blocks.nodes, nodes, side="right") - 1
    hrefs = page.elements.values(nodes, "href")
    addresses, to_others = Addresses.of(page), anchors.to_others.take(rows).tolist()
    target_of = {href: addresses.resolve(href or "") for href in set(hrefs)}
    columns = {
        "text": _texts(blocks, nodes),
        "url": [target_of[href] for href in hrefs],
        "depth": page.depth.take(nodes).tolist(),
        "level": _levels(page, nodes, owner),
        "cii": [round(cii, 6) if math.isfinite(cii) else None for cii in features.cii.take(nodes).tolist()],
        "api": [round(api, 6) for api in features.api.take(rows).tolist()],
        "estimated_api": [round(api, 6) for api in features.estimated_api.take(rows).tolist()],
        "alen": [int(alen) for alen in features.alen.take(nodes).tolist()],
        "learned": features.links.loaded(anchors).take(rows).tolist(),
        "own": [
            not other or (href or "").lstrip().startswith("#") for other, href in zip(to_others, hrefs, strict=True)
        ],
    }
    links: list[list[dict[str, Any]]] = [[] for _ in range(len(blocks))]
    for block, *values in zip(owner.tolist(), *columns.values(), strict=True):
        link = dict(zip(columns, values, strict=True))
        if link["text"] or link["url"]:
            links[block].append(link)
    return links


def _levels(page: Page, nodes: Nodes, owner: Nodes) -> list[int]:
    """Return for each link how many lists of its block it is in; the least of each block counts as 1."""
    lists = page.within(page.nodes_of(_LISTS)).take(nodes).astype(np.intp)
    least = np.full(int(owner.max(initial=-1)) + 1, np.iinfo(np.intp).max)
    np.minimum.at(least, owner, lists)
    levels: list[int] = (lists - least.take(owner) + 1).tolist()
    return levels


def _texts(blocks: BlockSet, nodes: Nodes) -> list[str]:
    """Return the text of each link: of links in links, each character belongs to the innermost."""
    page, common = blocks.page, blocks.blocks
    is_link = np.zeros(len(page), dtype=np.bool_)
    is_link[nodes] = True
    link = page.nearest(is_link).take(blocks.node_of_char)
    chars = np.flatnonzero(link >= 0)
    link, block, points = link.take(chars), common.block_of.take(chars), common.code_points.take(chars)
    cuts = np.flatnonzero((np.diff(link) != 0) | (np.diff(block) != 0)) + 1
    text = points.tobytes().decode("utf-32-le")
    pieces: dict[int, list[str]] = {}
    for start, end in zip([0, *cuts.tolist()], [*cuts.tolist(), len(text)], strict=True):
        if start < end:
            pieces.setdefault(int(link[start]), []).append(text[start:end])
    texts = (" ".join(" ".join(pieces.get(node, ())).split()) for node in nodes.tolist())
    return [shown or _name(page, node) for shown, node in zip(texts, nodes.tolist(), strict=True)]


def _name(page: Page, node: int) -> str:
    """Return what names a link without visible text: its alternative texts, or else an attribute."""
    alternative = " ".join(page.text[int(page.text_start[node]) : int(page.text_end[node])].split())
    names = (" ".join((page.attribute(node, name) or "").split()) for name in _NAMING)
    return alternative or next(filter(None, names), "")


def toc_links(informative: InformativeBlocks) -> FoundLinks:
    """Return the links of a page's TOC blocks that stay on its site, and the place of each (`link_estimates`)."""
    anchors = informative.features.anchors
    inside = np.flatnonzero(informative.toc.inside.take(anchors.node) & anchors.in_site)
    hrefs = anchors.page.elements.values(anchors.node.take(inside), "href")
    linked = informative.article.blocks.linked
    has_content = int((informative.article.chars & ~linked).sum()) > int((informative.toc.chars & linked).sum())
    return FoundLinks([href or "" for href in hrefs], places(anchors).take(inside).tolist(), has_content)
