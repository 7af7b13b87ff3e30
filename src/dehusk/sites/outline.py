"""The informative structure of a page (WISDOM) as indented text, JSON or safe HTML."""

import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.compiled.tokens import element_names
from dehusk.sites.wisdom.informative import InformativeStructure
from dehusk.write.html import serialise
from dehusk.write.pruning import Pruned
from dehusk.write.safety import sanitize_outline

DEEPEST = 32
"""Maximum indentation in levels, so that the text of a deep page stays small."""


def outline_text(structure: InformativeStructure) -> str:
    """Return a structure as indented lines: one per element, with the blocks it is the root of, and one per text."""
    return entries_text(outline_entries(structure))


def outline_json(structure: InformativeStructure) -> str:
    """Return a structure as one JSON object with the page's `url` and a flat list of `nodes`: see `outline_entries`."""
    entries = {"url": structure.page.url, "nodes": outline_entries(structure)}
    return json.dumps(entries, ensure_ascii=False) + "\n"


def outline_entries(structure: InformativeStructure) -> list[dict[str, Any]]:
    """Return a structure as a flat list of nodes in document order.

    Each entry has `node` (its number in the page), `parent` (the index of its parent in the list, None for the root)
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
    return entries


def entries_text(entries: Sequence[Mapping[str, Any]]) -> str:
    """Return the entries of `outline_entries` as indented lines."""
    lines, levels = [], list[int]()
    for entry in entries:
        levels.append(0 if entry["parent"] is None else levels[entry["parent"]] + 1)
        indent = "  " * min(levels[-1], DEEPEST)
        if "tag" in entry:
            marks = (f" [{block['type']} {block['feature']}={block['score']:g}]" for block in entry.get("blocks", ()))
            lines.append(f"{indent}{entry['tag']}{''.join(marks)}\n")
        elif text := " ".join(entry["text"].split()):
            lines.append(f'{indent}"{text}"\n')
    return "".join(lines)


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
    names = element_names(structure.page, structure.nodes)
    return np.where(names == "img", "span", names)
