"""The informative structure of a page (WISDOM) as indented text, JSON or safe HTML."""

import json
from html import escape
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.methods.wisdom.informative import InformativeStructure
from dehusk.write.html import serialise
from dehusk.write.pruning import Pruned, element_names
from dehusk.write.safety import sanitize_outline

DEEPEST = 32
"""Maximum indentation in levels, so that the text of a deep page stays small."""


def outline_text(structure: InformativeStructure) -> str:
    """Return a structure as indented lines: one per element, with the blocks it is the root of, and one per text."""
    page, lines = structure.page, []
    depth = np.minimum(page.depth.take(structure.nodes), DEEPEST)
    for node, level in zip(structure.nodes.tolist(), depth.tolist(), strict=True):
        roots = structure.roots.get(node, ())
        marks = "".join(f" [{block['type']} {block['feature']}={block['score']:g}]" for block in roots)
        if not page.is_text[node]:
            lines.append("  " * level + page.tag_name(node) + marks)
        elif structure.texts.get(node, "").strip():
            lines.append("  " * level + f'"{" ".join(structure.texts[node].split())}"')
    return "".join(f"{line}\n" for line in lines)


def outline_json(structure: InformativeStructure) -> str:
    """Return a structure as one JSON object with the page's `url` and a flat list of `nodes`.

    Each entry has `node` (its number in the page), `parent` (the index of its parent in the list, null for the root)
    and either `tag` or `text`. Roots of blocks have `blocks`, each with `type`, `feature`, `score` and `cii`. The list
    is flat because nested objects would exceed the recursion limit of JSON readers on deep pages.
    """
    page = structure.page
    entries: list[dict[str, Any]] = []
    for node, parent in zip(structure.nodes.tolist(), structure.parents.tolist(), strict=True):
        entry: dict[str, Any] = {"node": node, "parent": parent if parent >= 0 else None}
        if page.is_text[node]:
            entry["text"] = structure.texts.get(node, "")
        else:
            entry["tag"] = page.tag_name(node)
        if node in structure.roots:
            entry["blocks"] = structure.roots[node]
        entries.append(entry)
    return json.dumps({"url": page.url, "nodes": entries}, ensure_ascii=False) + "\n"


def outline_html(structure: InformativeStructure) -> str:
    """Return a structure as an HTML fragment that is safe to show; roots of blocks have their types as `data-block`.

    It goes through the same writer and sanitizer as cleaned HTML. Images become their alternative texts.
    """
    pruned = Pruned(structure.page, structure.nodes, _names(structure), seams={})
    marks = {
        node: ' data-block="{}"'.format(" ".join(block["type"] for block in blocks))
        for node, blocks in structure.roots.items()
    }

    def write_text(node: int, _text: str) -> str:
        return escape(structure.texts.get(node, ""), quote=False)

    return sanitize_outline(serialise(pruned, write_text, marks))


def _names(structure: InformativeStructure) -> npt.NDArray[np.object_]:
    """Return the output name of each node, shape (m,), "" for text nodes."""
    page, nodes = structure.page, structure.nodes
    stays = np.zeros(len(page), dtype=np.bool_)
    stays[nodes] = True
    names = element_names(page, stays)[nodes]
    return np.where(names == "img", "span", names)
