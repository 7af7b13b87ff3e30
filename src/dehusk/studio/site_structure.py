"""The compressed structure tree of a site, and where the blocks of one of its pages are in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.counts.tag_tree import INNER, LEAF
from dehusk.label import load_method
from dehusk.sites.structure_tree import CompressedStructureTree, StructureTree, WordWeights
from dehusk.studio.outcome import check_block
from dehusk.studio.site_store import SITE

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
    method = _method(folder)
    tree = method.tree()
    weights = method.weigh(blocks)
    shown, is_here = _shown(tree, weights)
    index = np.full(len(tree) + 1, -1, dtype=np.int64)
    index[shown] = np.arange(len(shown))
    return {
        "pages": tree.pages,
        "elements": len(tree),
        **_columns(tree, shown, index),
        "here": is_here[shown].astype(int).tolist(),
        "element": index[_of_blocks(weights, len(blocks))].tolist(),
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
    weights = _method(folder).weigh(blocks)
    terms = weights.nodes.terms
    own = np.flatnonzero(terms.block == block)
    entropy = weights.tree.entropies(weights.keys[weights.nodes.holder[own]], terms.key[own])
    words = terms.words
    rows = zip(own.tolist(), entropy.round(4).tolist(), weights.weight[own].round(4).tolist(), strict=True)
    return [{"word": words[row], "entropy": value, "weight": weight} for row, value, weight in rows]


def _method(folder: Path) -> CompressedStructureTree:
    method = load_method("cst", site=folder / SITE)
    assert isinstance(method, CompressedStructureTree)  # noqa: S101 (narrows the type)
    return method


def _shown(tree: StructureTree, weights: WordWeights) -> tuple[_Rows, npt.NDArray[np.bool_]]:
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


def _columns(tree: StructureTree, shown: _Rows, index: npt.NDArray[np.int64]) -> dict[str, list[Any]]:
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


def _of_blocks(weights: WordWeights, count: int) -> _Rows:
    """Return the element of the first word of each block, -1 if it has no words or the tree does not have it."""
    element = np.full(count, -1, dtype=np.intp)
    blocks, first = np.unique(weights.nodes.terms.block, return_index=True)
    element[blocks] = weights.element[weights.nodes.holder[first]]
    return element
