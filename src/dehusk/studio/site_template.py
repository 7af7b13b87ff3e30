"""The template map of a page: how often each of its blocks occurs on the site's other pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from dehusk.blocks import Blocks
from dehusk.compiled.site import site_evidence, slot_texts
from dehusk.counts.terms import page_terms
from dehusk.label.site_models import load_site
from dehusk.studio.site_store import SITE

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
