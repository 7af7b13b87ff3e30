"""The evidence of a site's other pages about a page's blocks, added to that of the page itself.

    logit p' = logit p + c · repeated + t · text share

minus `VETO` if the text share is at least `EVERYWHERE`: a text that a third of the pages repeat word for word is
template. `repeated` is the share of a block's words in word 4-grams that two or more pages of the site have, where
copies of a page count once. `text share` is the share of the other pages that have the block word for word. Only c and
t are learned, and neither is positive, so a site never changes the score of text that it does not repeat. Features that
let a model tell sites apart (entropies of terms, importance of elements) were worse on unseen sites (docs/united.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.site.counting import text_keys
from dehusk.site.model import Site
from dehusk.site.shingles import covered, share_by_block, shingle_keys
from dehusk.site.terms import page_terms

Reals = npt.NDArray[np.float64]

SHARED = 2
"""A word 4-gram is repeated if at least this many pages contain it."""
EVERYWHERE = 0.3
"""A text is template if at least this share of the other pages contains it."""
VETO = 6.0
"""Log-odds subtracted from template."""


@dataclass(frozen=True, eq=False)
class SiteEvidence:
    """The evidence of a site about the b blocks of a page."""

    repeated: Reals
    """(b,) share of the block's words in 4-grams that other pages have."""
    text_share: Reals
    """(b,) share of the other pages that have the block word for word."""


@dataclass(frozen=True)
class SiteWeights:
    """The weights c and t of the formula; with the defaults, only the veto has an effect."""

    c: float = 0.0
    t: float = 0.0

    def apply(self, scores: Reals, evidence: SiteEvidence) -> Reals:
        """Return the log-odds with the evidence added, shape (b,)."""
        weighted = scores + self.c * evidence.repeated + self.t * evidence.text_share
        return weighted - VETO * (evidence.text_share >= EVERYWHERE)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays of a model folder."""
        return {"evidence": np.array([self.c, self.t])}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> SiteWeights:
        """Return the weights of a model folder; raises ValueError if they are missing or invalid."""
        values = arrays.get("evidence", np.zeros(0))
        if values.shape != (2,) or not (np.isfinite(values) & (values <= 0)).all():
            raise ValueError("the weights of the site's evidence must be two numbers that are 0 or negative")
        return cls(*values.tolist())


def site_evidence(blocks: Blocks, site: Site) -> SiteEvidence | None:
    """Return a site's evidence about a page's blocks; None if the site has a single page, not counting copies.

    Raises:
        NotFittedError: the site has no pages.
    """
    tables = site.tables
    if tables.distinct < SHARED:
        return None
    words = page_terms(blocks)
    frequency = tables.shingles.look_up(shingle_keys(words))
    keys, rows = text_keys(words)
    text_share = np.zeros(len(blocks))
    text_share[rows] = np.maximum(tables.texts.look_up(keys) - 1, 0) / (tables.distinct - 1)
    repeated = share_by_block(covered(frequency >= SHARED, len(words)), words)
    return SiteEvidence(repeated, np.minimum(text_share, 1.0))
