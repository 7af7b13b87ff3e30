"""The methods of the papers and the default method side by side on one page of a site."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import dehusk
from dehusk.blocks import segment
from dehusk.document import Document
from dehusk.label import load_method
from dehusk.studio.opened import OpenedPages
from dehusk.studio.outcome import block_outcome
from dehusk.studio.site_store import ALTERNATION, SITE, WISDOM

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
