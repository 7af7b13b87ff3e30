"""The information coverage tree of a page (WISDOM, section 3.2.1): plain values, indented text, HTML that folds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Any

import numpy as np

from dehusk.base.characters import CharClass
from dehusk.counts.entropy import Reals
from dehusk.read.page import Page
from dehusk.sites.outline import DEEPEST
from dehusk.sites.toc.formats import POLICY, TREE_STYLE, foldable, share
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


# ---------------------------------------------------------------- text and HTML

_LEVELS = 5
_REACH = 2000  # characters between two words
_SHADES = "".join(f".w{level}{{background:rgba(240,160,0,{level * 0.14:.2f})}}" for level in range(1, _LEVELS + 1))
_STYLE = (
    """
body{font:14px/1.5 system-ui,sans-serif;max-width:75rem;margin:1rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
h1{font-size:1.3rem;margin:.3rem 0}
.facts{font-size:12px;color:#555;overflow-wrap:anywhere}
small{color:#567;font-variant-numeric:tabular-nums}
.mark{border-radius:3px;padding:0 .3rem;color:#fff;background:#777}
.article{background:#473}.toc{background:#258}.removed{background:#a43}
"""
    + _SHADES
    + TREE_STYLE
)


def tree_text(tree: Mapping[str, Any]) -> str:
    """Return a tree as indented lines: an element with its values, or a text with the EN of its words."""
    lines = [_heading(tree), ""]
    levels: list[int] = []
    for entry in tree["nodes"]:
        levels.append(0 if entry["parent"] is None else levels[entry["parent"]] + 1)
        indent = "  " * min(levels[-1], DEEPEST)
        if "text" in entry:
            words = (f"{word} {share(entropy)}" for word, entropy in entry["terms"])
            lines += [f'{indent}"{" ".join(entry["text"].split())}"']
            lines += [f"{indent}  EN {', '.join(words)}"] if entry["terms"] else []
        else:
            marks = "".join(f" [{mark}]" for mark in entry.get("marks", ()))
            lines.append(f"{indent}{entry['tag']}  {_values(entry)}{marks}")
    return "\n".join(lines) + "\n"


def tree_html(tree: Mapping[str, Any], name: str) -> str:
    """Return a tree as one HTML file, unfolded down to the roots of its blocks. The darker a word, the higher its W.

    Args:
        tree: `information_tree` of a page.
        name: the page, for the title.
    """
    entries = tree["nodes"]
    parents = [-1 if entry["parent"] is None else entry["parent"] for entry in entries]
    title = escape(f"Information coverage tree of {tree['title'] or name}")
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title}</title><style>{_STYLE}</style></head><body><h1>{title}</h1>\n"
        f'<p class="facts">{escape(_heading(tree))}<br>A word is the darker, the higher its W = 1 - EN. SII says how '
        "evenly a value is spread over the children of an element.</p>\n"
        f"{foldable(parents, [_content(entry) for entry in entries], _unfolded(entries, parents))}</body></html>\n"
    )


def _heading(tree: Mapping[str, Any]) -> str:
    pages = "1 page" if tree["learned"] == 1 else f"{tree['learned']} pages"
    return "  ".join(filter(None, (tree["title"], tree["url"], f"learned from {pages}")))


def _values(entry: Mapping[str, Any]) -> str:
    sii = entry["sii"]
    shown = [f"CII {share(entry['cii'])}"]
    for name in ("clen", "alen", "api"):
        if entry[name]:
            spread = f" (SII {share(sii[name])})" if sii[name] else ""
            shown.append(f"{name.upper()} {entry[name]:.4g}{spread}" if name == "api" else _length(name, entry, spread))
    return ", ".join(shown) + (f", {entry['links']} links" if entry["links"] > 1 else "")


def _length(name: str, entry: Mapping[str, Any], spread: str) -> str:
    return f"{name.upper()} {entry[name]:.0f}{spread}"


def _content(entry: Mapping[str, Any]) -> str:
    if "text" in entry:
        return f"<bdi>{_shaded(entry)}</bdi>"
    marks = "".join(
        f' <span class="mark {"removed" if mark.endswith("removed") else mark.split()[0]}">{mark}</span>'
        for mark in entry.get("marks", ())
    )
    return f"<code>{escape(entry['tag'])}</code> <small>{_values(entry)}</small>{marks}"


def _shaded(entry: Mapping[str, Any]) -> str:
    """Return the text of a node with each run of words of a similar weight in an element that shades it."""
    parts, end = list[tuple[int, str]](), 0
    text, lowered = entry["text"], entry["text"].lower()
    for word, entropy in entry["terms"]:
        start = lowered.find(word, end, end + len(word) + _REACH)
        if start < 0:  # a word that ends in the next text, or changes its length in lower case
            continue
        parts += [(0, text[end:start])] if start > end else []
        parts.append((_level(entropy), text[start : start + len(word)]))
        end = start + len(word)
    runs = groupby([*parts, (0, text[end:])], key=lambda part: part[0])
    joined = ((level, escape("".join(piece for _, piece in run))) for level, run in runs)
    return "".join(f'<span class="w{level}">{piece}</span>' if level else piece for level, piece in joined)


def _level(entropy: float) -> int:
    return min(_LEVELS, int((1 - entropy) * (_LEVELS + 1)))


def _unfolded(entries: Sequence[Mapping[str, Any]], parents: Sequence[int]) -> list[bool]:
    """Return which elements contain a root of a block, or are one."""
    unfolded = [bool(entry.get("marks")) for entry in entries]
    for index in range(len(entries) - 1, 0, -1):
        if unfolded[index]:
            unfolded[parents[index]] = True
    return unfolded
