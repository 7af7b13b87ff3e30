"""The evidence of a site's other pages about a page's blocks, added to that of the page itself.

A text is template if it stands word for word in the same slot (`dehusk.site.slots`: the path of tags and classes) on
more than half of the other pages that have the slot. All other blocks are left alone: what a site repeats elsewhere, or
on few pages, may be content. Values repeat as well ("in stock", "2", "Paperback"), so two things must hold:

- Most of the page's blocks in the same slot are repeated like this: the "Reply" of each record is, its price is not.
  Values are short, so a text of `LONG` words that two other pages have needs no company. But a table of data or a
  definition list is template as a whole or not at all: its labels are the same on all pages that have one.
- The text contains a word that is not a number.

Evidence only lowers log-odds, and by constants: fitted weights were no better on sites never seen (docs/site.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.layout import grids
from dehusk.page import Bools
from dehusk.site.model import Site
from dehusk.site.slots import LONG, SlotTexts, slot_texts
from dehusk.site.terms import page_terms
from dehusk.tags import numbers

Reals = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

MOST = 2 / 3
"""Share of the page's blocks in a slot that are repeated if the slot is one of template."""

_DEFINITIONS = numbers("dl")


@dataclass(frozen=True, eq=False)
class SiteEvidence:
    """The evidence of a site about the b blocks of a page."""

    same_slot: Counts
    """(b,) number of other pages that have the block's slot; copies of a page count once."""
    same_text: Counts
    """(b,) number of those that have the block's text in it."""
    template: Bools
    """(b,) whether the block is template."""

    def reason(self, block: int) -> str:
        """Return in words what the other pages have in place of a block."""
        same, pages = int(self.same_text[block]), int(self.same_slot[block])
        if not pages:
            return "no other page has text at the same path"
        others = f"{pages} other page{'' if pages == 1 else 's'}"
        return f"the same text at the same path on {same} of {others}" if same else f"other text there on {others}"


@dataclass(frozen=True)
class SiteWeights:
    """The log-odds that evidence adds to template."""

    several: float = -6.0
    """If at least two other pages have the text."""
    single: float = -4.0
    """If one other page has the text."""

    def apply(self, scores: Reals, evidence: SiteEvidence) -> Reals:
        """Return the log-odds with the evidence added, shape (b,)."""
        weight = np.where(evidence.same_text > 1, self.several, self.single)
        return scores + np.where(evidence.template, weight, 0.0)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays of a model folder."""
        return {"evidence": np.array([self.several, self.single])}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> SiteWeights:
        """Return the weights of a model folder; raises ValueError if they are missing or invalid."""
        values = arrays.get("evidence", np.zeros(0))
        if values.shape != (2,) or not (np.isfinite(values) & (values <= 0)).all():
            raise ValueError("the weights of the site's evidence must be two numbers that are 0 or negative")
        return cls(*values.tolist())


def site_evidence(blocks: Blocks, site: Site) -> SiteEvidence | None:
    """Return a site's evidence about a page's blocks; None if the site has a single page, not counting copies.

    The page counts as one of the site's pages. If it is not, each number is lower by one than it could be.

    Raises:
        NotFittedError: the site has no pages.
    """
    tables = site.tables
    if tables.distinct < 2:
        return None
    texts = slot_texts(page_terms(blocks))
    pages, exact, reduced = (
        np.maximum(table.look_up(keys) - 1, 0)
        for table, keys in (
            (tables.slots, texts.slot),
            (tables.slot_texts, texts.text),
            (tables.slot_texts, texts.without_numbers),
        )
    )
    same = np.minimum(np.where(reduced > 1, reduced, exact), pages)
    same_slot, same_text = np.zeros((2, len(blocks)), dtype=np.int64)
    same_slot[texts.block], same_text[texts.block] = pages, same
    template = np.zeros(len(blocks), dtype=np.bool_)
    template[texts.block] = _is_template(blocks, texts, 2 * same > pages, (same > 1) | (tables.distinct == 2))
    return SiteEvidence(same_slot, same_text, template)


def _is_template(blocks: Blocks, texts: SlotTexts, repeated: Bools, certain: Bools) -> Bools:
    """Return which texts, shape (t,), are template.

    Args:
        blocks: the blocks of the page.
        texts: their texts.
        repeated: (t,) whether more than half of the other pages with the slot have the text.
        certain: (t,) whether as many pages have it as can be asked for.
    """
    page = blocks.page
    whole = grids(blocks, np.arange(len(blocks))) | page.is_one_of(_DEFINITIONS)
    holder = page.nearest(whole)[blocks.node[texts.block]]
    in_whole = holder >= 0
    _, group = np.unique(np.where(in_whole, holder.astype(np.uint64), texts.slot), return_inverse=True)
    share = (np.bincount(group, weights=repeated) / np.bincount(group)).take(group)
    is_long = (blocks.words[texts.block] >= LONG) & certain
    template: Bools = repeated & texts.has_letters & np.where(in_whole, share == 1, is_long | (share >= MOST))
    return template
