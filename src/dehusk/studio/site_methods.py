"""What the methods that learn from a site see on one of its pages, as plain values for the view of the site.

The default method has a template map, the structure tree its elements, FindOptimal a surface and useless text, WISDOM
an information coverage tree with its TOC and article blocks. Last come the outcomes of all of them side by side.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import dehusk
from dehusk.base.errors import ConfigError, unknown
from dehusk.blocks import Blocks, segment
from dehusk.compiled.site import site_evidence, slot_texts
from dehusk.counts.tag_tree import INNER, LEAF
from dehusk.counts.terms import page_terms
from dehusk.document import Document
from dehusk.label import load_method
from dehusk.label.site_models import load_site
from dehusk.read.page import Page
from dehusk.sites.alternation import Alternation, FindOptimal, page_string
from dehusk.sites.alternation.ranges import span_mask
from dehusk.sites.structure_tree import CompressedStructureTree, StructureTree, WordWeights
from dehusk.sites.toc.information_nodes import information_tree
from dehusk.sites.wisdom import BlockSet, InformativeBlocks, Wisdom
from dehusk.studio.opened import OpenedPages
from dehusk.studio.outcome import block_outcome, check_block
from dehusk.studio.places import code_unit_offsets
from dehusk.studio.site_store import ALTERNATION, DOCUMENTS, SITE, SURFACE, WISDOM, read_documents

# ---------------------------------------------------------------- template map
# How often each of the page's blocks occurs on the site's other pages.

_MOST_REPEATED = 60


def template_map(blocks: Blocks, folder: Path) -> dict[str, Any]:
    """Return how often the blocks of a page occur on the site's other pages, as plain values.

    Args:
        blocks: the common blocks of a page of the site.
        folder: what was learned of the site.

    Returns:
        `others`: number of other pages, copies counted once. For each block: `place`, the number of those with a text
        in its place (slot); `same`, of those with the same text there; `anywhere`, of those with the text at any
        place; `template`, whether the default method takes it for template; `moved`, whether it does because of the
        text alone.
    """
    site = load_site(folder / SITE)
    texts = slot_texts(page_terms(blocks))
    anywhere = np.zeros(len(blocks), dtype=np.int64)
    anywhere[texts.block] = np.maximum(site.tables.texts.look_up(texts.words) - 1, 0)
    evidence = site_evidence(blocks, site)
    none = [0] * len(blocks)
    if evidence is None:
        return {"others": 0, "place": none, "same": none, "anywhere": none, "template": none, "moved": none}
    return {
        "others": site.tables.distinct - 1,
        "place": evidence.same_slot.tolist(),
        "same": evidence.same_text.tolist(),
        "anywhere": np.maximum(anywhere, evidence.same_text).tolist(),
        "template": evidence.template.astype(int).tolist(),
        "moved": evidence.moved.astype(int).tolist(),
    }


def repeated_texts(folder: Path) -> list[dict[str, Any]]:
    """Return the texts that most pages of a site have, each with its number of pages."""
    tables = load_site(folder / SITE).tables
    return [{"pages": pages, "text": text} for pages, text in tables.repeated[:_MOST_REPEATED]]


# ---------------------------------------------------------------- structure tree
# The compressed structure tree of the site, and where the page's blocks are in it.

_MOST_ELEMENTS = 3_000  # shown, besides those of the page
_KINDS = {INNER: "inner", LEAF: "leaf"}
_LEAST_M = 2

_Rows = npt.NDArray[np.intp]


def structure_view(blocks: Blocks, folder: Path) -> dict[str, Any]:
    """Return the elements of a site's structure tree and the place of a page's blocks in it, as plain values.

    Args:
        blocks: the common blocks of a page.
        folder: what was learned of the site.

    Returns:
        `pages`: number of pages learned from; `elements`: how many the tree has; columns of those shown, in document
        order as far as the page has them: `parent` (index, -1 for the root), `name`, `kind` ("inner", "leaf" or
        "text"), `m`, `styles`, `words`, `node` and `path` (importance), `here` (whether the page has it). For each
        block: `element` (index, -1 if only this page has it), `importance` (mean NodeImp, the score of method cst),
        `weight` (mean W), and `threshold`, from which on cst keeps a block.
    """
    method = _structure_tree(folder)
    tree = method.tree()
    weights = method.weigh(blocks)
    shown, is_here = _shown_elements(tree, weights)
    index = np.full(len(tree) + 1, -1, dtype=np.int64)
    index[shown] = np.arange(len(shown))
    return {
        "pages": tree.pages,
        "elements": len(tree),
        **_element_columns(tree, shown, index),
        "here": is_here[shown].astype(int).tolist(),
        "element": index[_elements_of_blocks(weights, len(blocks))].tolist(),
        "importance": np.round(weights.importance_of_blocks(), 4).tolist(),
        "weight": np.round(weights.of_blocks(), 4).tolist(),
        "threshold": method.threshold,
    }


def leaf_words(blocks: Blocks, folder: Path, block: int) -> list[dict[str, Any]]:
    """Return the words of one block, each with its entropy H_E(a) in its leaf and its weight W.

    Raises:
        NoBlockError: there is no such block.
    """
    check_block(block, len(blocks))
    weights = _structure_tree(folder).weigh(blocks)
    terms = weights.nodes.terms
    own = np.flatnonzero(terms.block == block)
    entropy = weights.tree.entropies(weights.keys[weights.nodes.holder[own]], terms.key[own])
    words = terms.words
    rows = zip(own.tolist(), entropy.round(4).tolist(), weights.weight[own].round(4).tolist(), strict=True)
    return [{"word": words[row], "entropy": value, "weight": weight} for row, value, weight in rows]


def _structure_tree(folder: Path) -> CompressedStructureTree:
    method = load_method("cst", site=folder / SITE)
    assert isinstance(method, CompressedStructureTree)  # noqa: S101 (narrows the type)
    return method


def _shown_elements(tree: StructureTree, weights: WordWeights) -> tuple[_Rows, npt.NDArray[np.bool_]]:
    """Return the elements to show, parents first, and a mask of those that the page has."""
    is_here = np.zeros(len(tree) + 1, dtype=np.bool_)
    is_here[weights.element] = True  # unknown elements, -1, mark the spare last item
    is_here = is_here[:-1]
    order = np.lexsort((tree.level, -tree.m))
    chosen = is_here.copy()
    chosen[order[tree.m[order] >= _LEAST_M][:_MOST_ELEMENTS]] = True
    for rows in reversed(tree.levels[1:]):  # everything above what is chosen
        chosen[tree.parent[rows[chosen[rows]]]] = True
    first = np.full(len(tree) + 1, np.iinfo(np.int64).max)
    np.minimum.at(first, weights.element, np.arange(len(weights.element)))
    order = np.lexsort((tree.key, -tree.m, first[:-1], tree.level))
    return order[chosen[order]], is_here


def _element_columns(tree: StructureTree, shown: _Rows, index: npt.NDArray[np.int64]) -> dict[str, list[Any]]:
    return {
        "parent": index[tree.parent[shown]].tolist(),
        "name": [tree.names.get(label, "") for label in tree.label[shown].tolist()],
        "kind": [_KINDS.get(kind, "text") for kind in tree.kind[shown].tolist()],
        "m": tree.m[shown].tolist(),
        "styles": tree.styles[shown].tolist(),
        "words": tree.features[shown].tolist(),
        "node": np.round(tree.node_importance[shown], 4).tolist(),
        "path": np.round(tree.path_importance[shown], 4).tolist(),
    }


def _elements_of_blocks(weights: WordWeights, count: int) -> _Rows:
    """Return the element of the first word of each block, -1 if it has no words or the tree does not have it."""
    element = np.full(count, -1, dtype=np.intp)
    blocks, first = np.unique(weights.nodes.terms.block, return_index=True)
    element[blocks] = weights.element[weights.nodes.holder[first]]
    return element


# ---------------------------------------------------------------- FindOptimal
# The surface of the site, and what is useless at a cut point, in the document and on the page.

_CUTS = 24  # cut points kept in memory


def read_surface(folder: Path) -> dict[str, Any]:
    """Return the surface of a site as `site_learning.surface_record` stored it."""
    stored: dict[str, Any] = json.loads((folder / SURFACE).read_text("utf-8"))
    return stored


def grey_page(blocks: Blocks, folder: Path, cut: tuple[int, int] | None) -> dict[str, Any]:
    """Return the useless parts of a page, as plain values; all offsets are in UTF-16 code units.

    Args:
        blocks: the common blocks of a page.
        folder: what was learned of the site.
        cut: a cut point (n, a); None for the method's own: n-grams of 32 characters on at least two pages.

    Returns:
        `document`: tags and text of the page, as the method sees it; `useless`: starts and ends of its useless parts,
        alternating; `share` of it that is useless; `texts`: for each text node that is in a block [block, length,
        start, end, …] with the useless parts of its text; `n`, `a`, `t`, `alternations` on this page.

    Raises:
        ConfigError: the cut point is out of range.
    """
    finder = _own_cut(folder) if cut is None else _cut_at(folder, (folder / DOCUMENTS).stat().st_mtime_ns, *cut)
    string = page_string(blocks.page)
    spans = finder.useless(string.text)
    mask = span_mask(spans, len(string.text))
    units = code_unit_offsets(string.text)
    return {
        "document": string.text,
        "useless": units[spans].ravel().tolist(),
        "share": round(float(mask.mean()), 4) if len(mask) else 0.0,
        "texts": _useless_texts(blocks, mask[string.positions]),
        "n": finder.n_,
        "a": round(float(finder.a_), 1),
        "t": finder.t_,
        "alternations": int(np.count_nonzero(mask[1:] != mask[:-1])),
        "warning": finder.warning,
    }


def _own_cut(folder: Path) -> FindOptimal:
    method = load_method("alternation", site=folder / ALTERNATION)
    assert isinstance(method, Alternation)  # noqa: S101 (narrows the type)
    return method.cut_


@lru_cache(maxsize=_CUTS)
def _cut_at(folder: Path, _changed: int, n: int, a: int) -> FindOptimal:
    return FindOptimal("printed").fit_at(read_documents(folder), n, a)


def _useless_texts(blocks: Blocks, useless: npt.NDArray[np.bool_]) -> list[list[int]]:
    """Return the useless parts of each text node that is in a block; `useless` is of the characters of the page."""
    page = blocks.page
    units = code_unit_offsets(page.text)
    edges = np.flatnonzero(np.diff(useless, prepend=False, append=False))  # starts and ends, alternating
    rows = []
    for node, block in text_nodes(blocks):
        start, end = int(page.text_start[node]), int(page.text_end[node])
        inside = edges[np.searchsorted(edges, start, "right") : np.searchsorted(edges, end, "left")].tolist()
        if useless[start]:
            inside = [start, *inside]
        if useless[end - 1]:
            inside = [*inside, end]
        rows.append([block, *(int(units[at] - units[start]) for at in (end, *inside))])
    return rows


def text_nodes(blocks: Blocks) -> list[tuple[int, int]]:
    """Return the text nodes of a page that are in a block and more than white space, each with its block."""
    page: Page = blocks.page
    nodes = np.flatnonzero(page.is_text)
    block = np.searchsorted(blocks.first, nodes, side="right") - 1
    inside = (block >= 0) & (nodes <= blocks.last[np.maximum(block, 0)]) if len(blocks) else block >= 0
    pairs = zip(nodes[inside].tolist(), block[inside].tolist(), strict=True)
    return [(node, own) for node, own in pairs if page.text_of(node).strip()]


# ---------------------------------------------------------------- WISDOM
# Its information coverage tree, its TOC and article blocks, at settings that a person chooses.

CHOSEN = ("k", "st", "tc_article", "tc_toc", "cstm")
"""Settings that the studio lets people change."""
_HALF = 0.5


def wisdom_presets(folder: Path) -> list[str]:
    """Return the presets that a site was learned for."""
    return [preset for preset, name in WISDOM.items() if (folder / name).is_dir()]


def information_view(
    blocks: Blocks, folder: Path, preset: str = "recommended", changes: Mapping[str, float] | None = None
) -> dict[str, Any]:
    """Return the information coverage tree of a page and the blocks found in it, as plain values.

    Args:
        blocks: the common blocks of a page.
        folder: what was learned of the site.
        preset: one of `wisdom_presets`.
        changes: values of `CHOSEN` to use in place of those of the preset.

    Returns:
        `nodes` as `information_tree` returns them, texts with their `block`; `settings`: those used; `sets`: the TOC
        and the article blocks, each with feature, score (f_A), CII and SII; `types`: for each common block "article",
        "toc" or ""; `weight`: for each common block the mean W = 1 - EN of its words; `zero_api`, `loaded`.

    Raises:
        ConfigError: a setting is invalid, or the site was not learned for the preset.
    """
    method = _wisdom(folder, preset, changes or {})
    informative = method.blocks(blocks)
    tree = information_tree(blocks.page, method)
    block_of = dict(text_nodes(blocks))
    for entry in tree["nodes"]:
        if "text" in entry:
            entry["block"] = block_of.get(entry["node"], -1)
    settings = method.settings.values()
    return {
        **tree,
        "settings": {name: settings[name] for name in (*CHOSEN, "st_article", "toc")},
        "presets": wisdom_presets(folder),
        "sets": [_block_set(informative.toc), _block_set(informative.article)],
        "types": _block_types(blocks, informative),
        "weight": _mean_weights(informative, len(blocks)),
        "zero_api": round(informative.zero_api, 4),
        "loaded": round(informative.loaded, 4),
    }


def _wisdom(folder: Path, preset: str, changes: Mapping[str, float]) -> Wisdom:
    if preset not in wisdom_presets(folder):
        raise ConfigError(unknown("preset", preset, wisdom_presets(folder)))
    if wrong := [name for name in changes if name not in CHOSEN]:
        raise ConfigError(unknown("setting", wrong[0], CHOSEN))
    path = folder / WISDOM[preset]
    method = copy.copy(_loaded_wisdom(path, path.stat().st_mtime_ns))
    given: dict[str, Any] = dict(changes)
    given |= {name: int(given[name]) for name in ("cstm", "k") if float(given.get(name, 0.5)).is_integer()}
    if "st" in given:
        given["st_article"] = given["st"]
    method.set_params(**given)
    method.settings.check()
    return method


@lru_cache(maxsize=8)
def _loaded_wisdom(path: Path, _changed: int) -> Wisdom:
    return Wisdom.load(path)


def _block_set(found: BlockSet) -> dict[str, Any]:
    tree, nodes = found.tree, found.nodes
    rows = zip(
        nodes.tolist(), found.scores.tolist(), found.cii[nodes].tolist(), tree.sii[nodes].tolist(), found.xpaths,
        strict=True,
    )  # fmt: skip
    skeleton = set(found.skeleton.tolist())
    return {
        "type": found.type,
        "feature": found.feature,
        "blocks": [
            {
                "node": node,
                "score": round(score, 3),
                "cii": None if cii != cii else round(cii, 4),  # noqa: PLR0124 (NaN)
                "sii": round(sii, 4),
                "path": path,
                "merged": node not in skeleton,
            }
            for node, score, cii, sii, path in rows
        ],
        "removed": len(found.removed),
    }


def _block_types(blocks: Blocks, informative: InformativeBlocks) -> list[str]:
    """Return the type of each common block; of two, that of links if it is mostly links."""
    article, toc = informative.article.share >= _HALF, informative.toc.share >= _HALF
    linked = blocks.link_words >= _HALF * np.maximum(blocks.words, 1)
    types: list[str] = np.where(toc & (linked | ~article), "toc", np.where(article, "article", "")).tolist()
    return types


def _mean_weights(informative: InformativeBlocks, count: int) -> list[float]:
    terms, weight = informative.features.terms, informative.features.weight
    size = np.bincount(terms.block, minlength=count)
    means = np.bincount(terms.block, weight, count) / np.maximum(size, 1)
    rounded: list[float] = np.round(means, 4).tolist()
    return rounded


# ---------------------------------------------------------------- side by side
# What each method keeps of the page.

COMPARED = {
    "united": ("default", SITE),
    "victor": ("Victor", None),
    "cst": ("structure tree", SITE),
    "alternation": ("FindOptimal", ALTERNATION),
    "wisdom": ("WISDOM", WISDOM["recommended"]),
}
"""Method -> its name for people, and what it uses of the learned site."""


def compare_methods(opened: OpenedPages, page: int, folder: Path) -> dict[str, Any]:
    """Return what each method keeps of a page, as plain values.

    Args:
        opened: the pages of the project.
        page: number of the page.
        folder: what was learned of its site.

    Returns:
        `methods`: for each method `name`, `label`, `kept` (0 or 1 for each common block), `words` (kept), `share` of
        the page's words, `agreement` (share of words on which it agrees with the first method), `message`; `words`: of
        each common block; `differ`: the blocks about which the methods do not agree.
    """
    words = segment(opened.document(page).page).words
    total = max(1, int(words.sum()))
    rows, columns = [], []
    for method, (label, part) in COMPARED.items():
        document = _cleaned(opened, page, method, None if part is None else folder / part)
        kept = block_outcome(document).kept
        columns.append(kept)
        rows.append(
            {
                "name": method,
                "label": label,
                "kept": kept.astype(int).tolist(),
                "words": int(words[kept].sum()),
                "share": round(float(words[kept].sum()) / total, 4),
                "agreement": round(float(words[kept == columns[0]].sum()) / total, 4),
                "message": document.message,
            }
        )
    together = np.array(columns)
    differ = np.flatnonzero(together.any(axis=0) & ~together.all(axis=0))
    return {"methods": rows, "words": words.tolist(), "differ": differ.tolist()}


def _cleaned(opened: OpenedPages, page: int, method: str, site: Path | None) -> Document:
    """Return a page cleaned; not from the cache of opened pages, which does not know that a site was learned again."""
    body = opened.body(page)
    chosen = load_method(method, site=site)
    return dehusk.clean(body.data, url=body.url or None, headers=body.headers, method=chosen)
