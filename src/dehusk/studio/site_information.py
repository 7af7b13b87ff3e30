"""WISDOM on a page: its information coverage tree, its TOC and article blocks, at settings that a person chooses."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from dehusk.base.errors import ConfigError, unknown
from dehusk.blocks import Blocks
from dehusk.sites.toc.information_nodes import information_tree
from dehusk.sites.wisdom import BlockSet, InformativeBlocks, Wisdom
from dehusk.studio.site_grey import text_nodes
from dehusk.studio.site_store import WISDOM

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
    method = _method(folder, preset, changes or {})
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
        "sets": [_set(informative.toc), _set(informative.article)],
        "types": _types(blocks, informative),
        "weight": _weights(informative, len(blocks)),
        "zero_api": round(informative.zero_api, 4),
        "loaded": round(informative.loaded, 4),
    }


def _method(folder: Path, preset: str, changes: Mapping[str, float]) -> Wisdom:
    if preset not in wisdom_presets(folder):
        raise ConfigError(unknown("preset", preset, wisdom_presets(folder)))
    if wrong := [name for name in changes if name not in CHOSEN]:
        raise ConfigError(unknown("setting", wrong[0], CHOSEN))
    path = folder / WISDOM[preset]
    method = copy.copy(_loaded(path, path.stat().st_mtime_ns))
    given: dict[str, Any] = dict(changes)
    given |= {name: int(given[name]) for name in ("cstm", "k") if float(given.get(name, 0.5)).is_integer()}
    if "st" in given:
        given["st_article"] = given["st"]
    method.set_params(**given)
    method.settings.check()
    return method


@lru_cache(maxsize=8)
def _loaded(path: Path, _changed: int) -> Wisdom:
    return Wisdom.load(path)


def _set(found: BlockSet) -> dict[str, Any]:
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


def _types(blocks: Blocks, informative: InformativeBlocks) -> list[str]:
    """Return the type of each common block; of two, that of links if it is mostly links."""
    article, toc = informative.article.share >= _HALF, informative.toc.share >= _HALF
    linked = blocks.link_words >= _HALF * np.maximum(blocks.words, 1)
    types: list[str] = np.where(toc & (linked | ~article), "toc", np.where(article, "article", "")).tolist()
    return types


def _weights(informative: InformativeBlocks, count: int) -> list[float]:
    terms, weight = informative.features.terms, informative.features.weight
    size = np.bincount(terms.block, minlength=count)
    means = np.bincount(terms.block, weight, count) / np.maximum(size, 1)
    rounded: list[float] = np.round(means, 4).tolist()
    return rounded
