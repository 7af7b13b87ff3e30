"""The information coverage tree of a page (WISDOM, section 3.2.1) as a flat list of plain values, ready for JSON."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dehusk.base.characters import CharClass
from dehusk.counts.entropy import Reals
from dehusk.read.page import Page
from dehusk.sites.wisdom import BlockSet, Wisdom
from dehusk.sites.wisdom.coverage_tree import CoverageTree, Nodes, aggregate
from dehusk.sites.wisdom.node_features import NodeFeatures

_MAX_NAME = 60  # characters of id and classes


def information_tree(page: Page, wisdom: Wisdom) -> dict[str, Any]:
    """Return the information coverage tree of a page: its elements with words or links, and its texts.

    Returns:
        `url`, `title`, `learned` (number of pages), and `nodes` in document order. Each node has `node` (its number in
        the page), `parent` (index in the list, None for the root). An element has `tag` (with id and classes), `cii`,
        `links` (number of links in it), and for each of the features `clen`, `alen` and `api` the aggregated value, and
        as `sii` how evenly it is spread; `api` is the estimate if the search for TOC blocks used it. It has `marks` if
        it is a root of a block: the type, and whether the search returned it or merging added it, or if condensing
        removes it. A text has `text`, and `terms`: each word with its EN.
    """
    informative = wisdom.blocks(page)
    features = informative.features
    shown = _shown(features)
    trees = _trees(features, informative.toc, wisdom.settings.own_text)
    marks = _marks(informative.article, informative.toc)
    parent = _parents(page, shown)
    values = {
        name: {"value": tree.f.take(shown).tolist(), "sii": tree.sii.take(shown).tolist()}
        for name, tree in trees.items()
    }
    cii, links = features.cii.take(shown).tolist(), features.links_in.take(shown).tolist()
    is_text, texts = page.is_text.take(shown).tolist(), _Texts(features)
    nodes: list[dict[str, Any]] = []
    for index, node in enumerate(shown.tolist()):
        entry: dict[str, Any] = {"node": node, "parent": parent[index] if parent[index] >= 0 else None}
        if is_text[index]:
            entry |= {"text": texts.text(node), "terms": texts.terms(node)}
        else:
            entry |= {"tag": _tag(page, node), "cii": _rounded(cii[index]), "links": int(links[index])}
            entry |= {name: round(column["value"][index], 3) for name, column in values.items()}
            entry["sii"] = {name: round(column["sii"][index], 4) for name, column in values.items()}
        if node in marks:
            entry["marks"] = marks[node]
        nodes.append(entry)
    return {"url": page.url, "title": page.meta.title, "learned": wisdom.pages_, "nodes": nodes}


def _shown(features: NodeFeatures) -> Nodes:
    """Return the elements with text or links, and the texts that are more than white space."""
    page, blocks = features.page, features.terms.blocks
    ink = np.append(0, np.cumsum(blocks.char_class != CharClass.WHITE)).take(features.char_before)
    has_ink = ink[1:] > ink[:-1]
    return np.flatnonzero(np.where(page.is_text, has_ink, (features.tlen > 0) | (features.links_in > 0)))


def _parents(page: Page, shown: Nodes) -> list[int]:
    """Return the index of the parent of each shown node; the ancestors of a shown node are shown."""
    parents = page.parent.take(shown)
    rows: list[int] = np.where(parents < 0, -1, np.searchsorted(shown, parents)).tolist()
    return rows


def _trees(features: NodeFeatures, toc: BlockSet, own_text: bool) -> dict[str, CoverageTree]:
    page = features.page
    direct = np.zeros(len(page))
    direct[features.anchors.node] = features.estimated_api if toc.feature == "estimated API" else features.api
    aggregated: dict[str, Reals] = {
        "clen": features.clen,
        "alen": features.alen,
        "api": aggregate(page, direct),
    }
    return {name: CoverageTree(page, features.children, f, own_text) for name, f in aggregated.items()}


def _marks(*sets: BlockSet) -> dict[int, list[str]]:
    """Return node -> what the search, merging and condensing did with it."""
    marks: dict[int, list[str]] = {}
    for blocks in sets:
        found = set(blocks.skeleton.tolist())
        for node in np.union1d(blocks.nodes, blocks.skeleton).tolist():
            marks.setdefault(node, []).append(f"{blocks.type} {'skeleton' if node in found else 'merged'}")
        for node in blocks.removed.tolist():
            marks.setdefault(node, []).append(f"{blocks.type} removed")
    return marks


class _Texts:
    """The texts of a page and the terms in each."""

    def __init__(self, features: NodeFeatures) -> None:
        self._features = features
        self._entropies: list[float] = features.entropy.entropy(features.terms.key).round(4).tolist()
        self._words = features.terms.words

    def text(self, node: int) -> str:
        before = self._features.char_before
        return self._features.terms.blocks.text[int(before[node]) : int(before[node + 1])]

    def terms(self, node: int) -> list[list[Any]]:
        before = self._features.terms.before
        rows = range(int(before[node]), int(before[node + 1]))
        return [[self._words[row], self._entropies[row]] for row in rows]


def _tag(page: Page, node: int) -> str:
    """Return the name of an element with its id and classes, as a CSS selector has them."""
    name, classes = page.id_names[page.id_code[node]], page.class_names[page.class_code[node]].split()
    rest = "".join([f"#{name}" if name else "", *(f".{one}" for one in classes)])
    return page.tag_name(node) + (rest if len(rest) <= _MAX_NAME else f"{rest[:_MAX_NAME]}…")


def _rounded(value: float) -> float | None:
    return round(value, 4) if math.isfinite(value) else None
