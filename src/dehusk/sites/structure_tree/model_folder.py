"""Model folders of structure trees: the options, and the counts and merges of each site; nothing is pickled."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.base.errors import ModelError
from dehusk.base.store import load_model, reading, save_model
from dehusk.counts.structure_counts import StructureCounts
from dehusk.counts.tag_tree import TagNodes
from dehusk.sites.structure_tree.construction import Aliases

CARD = "cst"
"""What the card of a model names as its method."""

VERSION = 1
"""Version of what is stored; a model of another version is refused."""

PROBE = (
    "<html><head><style>.menu b { color: RED } table td { width: 10px }</style></head>"
    "<body class=page12 bgcolor=#fff><ul class='menu Main7 3f9ac2d81b'><li><a href=/a>Home Page</a><li><b>News 2</b>"
    "</ul><table width=100%><tr><td style='Color: red; background: url(a.png);'>Words <i>in</i> cells, 日本 Ü</td>"
    "<td align=right><img src=image.gif width=8></td></tr></table>text of the body<br><p>One<br>more</p></body></html>"
)
"""A page whose tag nodes and words show whether this version of dehusk sees pages as the one that saved a model."""


@dataclass(frozen=True, eq=False)
class StoredTrees:
    """What a model folder holds."""

    options: Mapping[str, Any]
    """Option -> value, as the constructor takes them."""
    probe: str
    """`probe_hash` of `PROBE`."""
    counts: Mapping[str, StructureCounts]
    """Site -> counts of its elements."""
    aliases: Mapping[str, Aliases]
    """Site -> merges of its groups, in mode "style"."""


def probe_hash(nodes: TagNodes) -> str:
    """Return a hash of all that a tree depends on in a page: tag nodes, their Tag and Attr, kinds, styles and words."""
    leaf, word, count = nodes.occurrences
    columns = (nodes.parent, nodes.kind, nodes.label, nodes.style, nodes.index, nodes.ordinal_keys, leaf, word, count)
    digest = hashlib.sha256()
    for column in columns:
        digest.update(np.ascontiguousarray(column.astype("<u8")).tobytes())
    return digest.hexdigest()[:16]


def save_trees(folder: str | Path, trees: StoredTrees) -> None:
    """Write a model folder; equal trees give equal bytes.

    Raises:
        ModelError: the folder cannot be written.
    """
    sites = sorted(trees.counts)
    arrays: dict[str, npt.NDArray[Any]] = {}
    for number, site in enumerate(sites):
        arrays |= {f"{number}.{name}": array for name, array in trees.counts[site].arrays().items()}
        if site in trees.aliases:
            arrays[f"{number}.merged"], arrays[f"{number}.into"] = trees.aliases[site].group, trees.aliases[site].into
    pages = sum(counts.pages for counts in trees.counts.values())
    card = {"method": CARD, "version": VERSION, "pages": pages, "options": dict(trees.options), "sites": sites}
    save_model(folder, {**card, "probe": trees.probe}, arrays)


def load_trees(folder: str | Path) -> StoredTrees:
    """Read a model folder.

    Raises:
        ModelError: the folder is missing, damaged, of another version or of another method.
    """
    card, arrays = load_model(folder, CARD)
    if card.get("version") != VERSION:
        raise ModelError(f"model {folder} is of another version of dehusk: learn the site again")
    with reading(folder):
        counts, aliases = {}, {}
        for number, site in enumerate(card["sites"]):
            parts = {name.removeprefix(f"{number}."): a for name, a in arrays.items() if name.startswith(f"{number}.")}
            counts[str(site)] = StructureCounts.from_arrays(parts)
            if "merged" in parts:
                aliases[str(site)] = _aliases(parts["merged"], parts["into"])
        if not counts or (card["options"]["mode"] == "style") != bool(aliases) or len(aliases) not in (0, len(counts)):
            raise ValueError("the card and the arrays disagree")
        return StoredTrees({**card["options"]}, str(card["probe"]), counts, aliases)


def _aliases(group: npt.NDArray[Any], into: npt.NDArray[Any]) -> Aliases:
    """Return merges from stored arrays.

    Raises:
        ValueError: the arrays are no merges.
    """
    if group.dtype != np.uint64 or into.dtype != np.uint64 or group.ndim != 1 or group.shape != into.shape:
        raise ValueError("merges have the wrong type or shape")
    if (group[1:] <= group[:-1]).any():
        raise ValueError("merges are not in ascending order")
    return Aliases(group, into)
