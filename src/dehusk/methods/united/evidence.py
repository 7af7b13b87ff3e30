"""What a site's other pages say of a page's blocks, added to what the page itself says.

    logit p' = logit p + c · repeated + t · text share

and `VETO` less where the text share is at least `EVERYWHERE`: what stands word for word on every third page is
template. `repeated` is the share of a block's words that stand in word 4-grams which two pages or more of the site
have, copies of pages counted once; `text share` the share of the other pages that have the block word for word. Two
numbers that are not positive are all that is learned, so that a site never changes what it does not repeat: features
that a model could use to know one site from another (entropies of terms, importance of elements) lost on sites that it
had not seen (docs/united.md).
"""

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
"""Pages from which on a word 4-gram is repeated."""
EVERYWHERE = 0.3
"""Share of the other pages from which on a text is template."""
VETO = 6.0
"""Log-odds that a template loses."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """What the site says of the b blocks of a page."""

    repeated: Reals
    """(b,) share of the block's words in 4-grams that other pages have."""
    on_pages: Reals
    """(b,) share of the other pages that have the block word for word."""


@dataclass(frozen=True)
class Weights:
    """The numbers of the formula; the default leaves only the veto."""

    c: float = 0.0
    t: float = 0.0

    def apply(self, scores: Reals, evidence: Evidence) -> Reals:
        """Return the log-odds with the evidence, shape (b,)."""
        found = scores + self.c * evidence.repeated + self.t * evidence.on_pages
        return found - VETO * (evidence.on_pages >= EVERYWHERE)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return what a model folder keeps."""
        return {"evidence": np.array([self.c, self.t])}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> "Weights":
        """Return the weights of a model folder; raises ValueError where they are missing or no two numbers."""
        values = arrays.get("evidence", np.zeros(0))
        if values.shape != (2,) or not (np.isfinite(values) & (values <= 0)).all():
            raise ValueError("the weights of a site's evidence are not two numbers that are not positive")
        return cls(*values.tolist())


def evidence(blocks: Blocks, site: Site) -> Evidence | None:
    """Return what a site says of a page's blocks; None where it has one page only, copies counted once.

    Raises:
        NotFittedError: the site has no pages.
    """
    tables = site.tables
    if tables.distinct < SHARED:
        return None
    words = page_terms(blocks)
    frequency = tables.shingles.look_up(shingle_keys(words))
    keys, rows = text_keys(words)
    on_pages = np.zeros(len(blocks))
    on_pages[rows] = np.maximum(tables.texts.look_up(keys) - 1, 0) / (tables.distinct - 1)
    return Evidence(share_by_block(covered(frequency >= SHARED, len(words)), words), np.minimum(on_pages, 1.0))
