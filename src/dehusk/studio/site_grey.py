"""FindOptimal on a page: its surface, and what is useless at a cut point, in the document and on the page."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.label import load_method
from dehusk.read.page import Page
from dehusk.sites.alternation import Alternation, FindOptimal, page_string
from dehusk.sites.alternation.ranges import span_mask
from dehusk.studio.places import code_unit_offsets
from dehusk.studio.site_store import ALTERNATION, DOCUMENTS, SURFACE, read_documents

_CUTS = 24  # cut points kept in memory


def read_surface(folder: Path) -> dict[str, Any]:
    """Return the surface of a site as `site_steps.surface_record` stored it."""
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
        "texts": _texts(blocks, mask[string.positions]),
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


def _texts(blocks: Blocks, useless: npt.NDArray[np.bool_]) -> list[list[int]]:
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
