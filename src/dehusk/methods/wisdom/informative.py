"""The informative structure (IS) of a page: the tree that its blocks and what connects them leave (section 1).

It has every node of the blocks that condensing left, and all that is above the blocks. All forms are written on one
walk over columns; none nests deeper than a page does.
"""

from __future__ import annotations

import json as _json
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from dehusk.caching import cached_property
from dehusk.methods.wisdom.blocksets import BlockSet
from dehusk.methods.wisdom.coverage_tree import Nodes
from dehusk.page import Page
from dehusk.tags import TAG_NUMBER, is_block_level

DEEPEST = 32
"""Levels that are indented; deeper ones look like this one, so that depth cannot blow up the text."""

_VOID = frozenset({"br", "hr"})
_NAMES = (
    "a abbr b cite code em i kbd mark q s samp small span strong sub sup time u var address article aside blockquote "
    "caption center dd details div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header li main nav ol p pre "
    "section summary table tbody td tfoot th thead tr ul br hr"
)
_PLAIN = frozenset(_NAMES.split())
_BLOCK_LEVEL = frozenset(name for name, number in TAG_NUMBER.items() if is_block_level()[number])
_SAFE = frozenset({"", "http", "https", "mailto"})


@dataclass(frozen=True, eq=False)
class Structure:
    """The m nodes of an informative structure, in document order, the root first; empty where there are no blocks."""

    sets: Sequence[BlockSet]
    """Sets of blocks of one page."""
    nodes: Nodes
    """(m,) nodes of the page."""

    @property
    def page(self) -> Page:
        """The page."""
        return self.sets[0].page

    @cached_property
    def parents(self) -> Nodes:
        """(m,) place in `nodes` of the parent of each, -1 for the root."""
        parent = self.page.parent.take(self.nodes)
        return np.where(parent < 0, -1, np.searchsorted(self.nodes, parent)).astype(np.intp)

    @cached_property
    def roots(self) -> dict[int, list[dict[str, Any]]]:
        """Root node of a block -> type, feature, f_A and CII of the blocks that it is the root of."""
        found: dict[int, list[dict[str, Any]]] = {}
        for one in self.sets:
            rows = zip(one.nodes.tolist(), one.scores.tolist(), one.cii.take(one.nodes).tolist(), strict=True)
            for node, score, cii in rows:
                value = None if cii != cii else round(cii, 6)  # noqa: PLR0124 (NaN has no JSON)
                entry = {"type": one.type, "feature": one.feature, "score": round(score, 6), "cii": value}
                found.setdefault(node, []).append(entry)
        return found

    @cached_property
    def texts(self) -> dict[int, str]:
        """Text node of the structure -> its text with white space folded; without those that have none."""
        blocks, page = self.sets[0].blocks, self.page
        nodes = self.nodes[page.is_text.take(self.nodes)]
        start = np.searchsorted(blocks.source, page.text_start.take(nodes))
        end = np.searchsorted(blocks.source, page.text_end.take(nodes))
        rows = zip(nodes.tolist(), start.tolist(), end.tolist(), strict=True)
        return {node: blocks.text[a:b] for node, a, b in rows if b > a}


def structure(*sets: BlockSet) -> Structure:
    """Return the informative structure of one or more sets of blocks of one page.

    Raises:
        ValueError: no sets, or sets of several pages.
    """
    if not sets or any(one.page is not sets[0].page for one in sets):
        raise ValueError("an informative structure is made of one or more sets of blocks of one page")
    page = sets[0].page
    inside = np.zeros(len(page), dtype=np.bool_)
    for one in sets:
        inside |= one.inside
    if not inside.any():
        return Structure(sets, np.zeros(0, dtype=np.intp))
    before = np.append(0, np.cumsum(inside))
    return Structure(sets, np.flatnonzero(before.take(page.end) > before[:-1]))


def text(shown: Structure) -> str:
    """Return a structure as indented lines: an element with the blocks that it is the root of, or a text."""
    page, lines = shown.page, []
    depth = np.minimum(page.depth.take(shown.nodes), DEEPEST)
    for node, level in zip(shown.nodes.tolist(), depth.tolist(), strict=True):
        marks = "".join(f" [{one['type']} {one['feature']}={one['score']:g}]" for one in shown.roots.get(node, ()))
        if not page.is_text[node]:
            lines.append("  " * level + page.tag_name(node) + marks)
        elif shown.texts.get(node, "").strip():
            lines.append("  " * level + f'"{" ".join(shown.texts[node].split())}"')
    return "".join(f"{line}\n" for line in lines)


def json(shown: Structure) -> str:
    """Return a structure as one JSON object: `nodes`, a flat list, because nested ones break readers on deep pages.

    Each has `node` (its number in the page), `parent` (its place in the list, null for the root) and either `tag` or
    `text`; roots of blocks have `blocks`, each with `type`, `feature`, `score` and `cii`.
    """
    page, listed = shown.page, []
    for node, parent in zip(shown.nodes.tolist(), shown.parents.tolist(), strict=True):
        one: dict[str, Any] = {"node": node, "parent": parent if parent >= 0 else None}
        if page.is_text[node]:
            one["text"] = shown.texts.get(node, "")
        else:
            one["tag"] = page.tag_name(node)
        if node in shown.roots:
            one["blocks"] = shown.roots[node]
        listed.append(one)
    return _json.dumps({"url": page.url, "nodes": listed}, ensure_ascii=False) + "\n"


def html(shown: Structure) -> str:
    """Return a structure as HTML of a body's content, safe to show: plain tags, and links without scripts.

    Other elements become `div` or `span`. Roots of blocks have their types as `data-block`.
    """
    page, out = shown.page, []
    opened: list[tuple[int, str]] = []
    for node in shown.nodes.tolist():
        while opened and opened[-1][0] <= node:
            out.append(opened.pop()[1])
        if page.is_text[node]:
            out.append(escape(shown.texts.get(node, ""), quote=False))
            continue
        name = _name(page, node)
        types = " ".join(one["type"] for one in shown.roots.get(node, ()))
        mark = f' data-block="{types}"' if types else ""
        out.append(f"<{name}{mark}{_address(page, node) if name == 'a' else ''}>")
        if name not in _VOID:
            opened.append((int(page.end[node]), f"</{name}>"))
    out += [closing for _, closing in reversed(opened)]
    return "".join(out) + ("\n" if out else "")


def _name(page: Page, node: int) -> str:
    """Return the name that an element is written with."""
    name = page.tag_name(node)
    if name in _PLAIN:
        return name
    if name in ("textarea", "xmp", "listing", "plaintext"):
        return "pre"
    return "div" if name in _BLOCK_LEVEL else "span"


def _address(page: Page, node: int) -> str:
    """Return a link's address as an attribute; "" for none and for one that could run a script."""
    href = (page.attribute(node, "href") or "").strip()
    try:
        scheme = urlsplit(href).scheme
    except ValueError:
        return ""
    return f' href="{escape(href)}"' if href and scheme in _SAFE else ""
