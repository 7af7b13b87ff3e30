"""The evidence of a site's other pages about a page's blocks, added to that of the page itself.

A text is template if it stands word for word in the same slot (`dehusk.counts.slots`: the path of tags and classes) on
more than half of the other pages that have the slot. All other blocks are left alone: what a site repeats elsewhere, or
on few pages, may be content. Values repeat as well ("in stock", "2", "Paperback"), so two things must hold:

- Most of the page's blocks in the same slot are repeated like this: the "Reply" of each record is, its price is not.
  Values are short, so a text of `LONG` words that `MANY` other pages have needs no company. But a table of data or a
  definition list is template as a whole or not at all: its labels are the same on all pages that have one.
- The text contains a word that is not a number.

Markup with unclosed tags moves a text to other paths. Therefore a text of `RUNNING` words on more than half of all
other pages, at least `MANY`, is template wherever it stands.

Evidence only lowers log-odds. docs/site-figures.md has the measurements.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.base.tags import numbers
from dehusk.read.page import Bools

Reals = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

MOST = 2 / 3
"""Share of the page's blocks in a slot that are repeated if the slot is one of template."""

MANY = 3
"""Number of other pages that make a long text template whatever else is in its slot; all, if there are fewer."""

RUNNING = 20
"""Words of a text that cannot repeat by chance, so that its path does not matter."""

_DEFINITIONS = numbers("dl")


@dataclass(frozen=True, eq=False)
class SiteEvidence:
    """The evidence of a site about the b blocks of a page."""

    same_slot: Counts
    """(b,) number of other pages that have the block's slot; all other pages if `moved`. Copies count once."""
    same_text: Counts
    """(b,) number of those that have the block's text there; anywhere if `moved`."""
    template: Bools
    """(b,) whether the block is template."""
    moved: Bools
    """(b,) whether it is template because of its text at any path."""

    def reason(self, block: int) -> str:
        """Return in words what the other pages have in place of a block."""
        same, pages = int(self.same_text[block]), int(self.same_slot[block])
        if not pages:
            return "no other page has text at the same path"
        others = f"{pages} other page{'' if pages == 1 else 's'}"
        path = "" if self.moved[block] else " at the same path"
        return f"the same text{path} on {same} of {others}" if same else f"other text there on {others}"


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
