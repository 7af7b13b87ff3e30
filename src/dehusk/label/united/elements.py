"""The elements of a site's template: what the net says of each on all pages, so that all pages decide alike.

An element is a slot (`dehusk.counts.slots`: the path of tags and classes), which pages of one template share. A page
alone may be unsure of it, and so keep the publisher of one book and drop that of the next. Of n pages that have element
e, let x be the mean log-odds of its blocks on one page, m and s² the mean and the variance of x over the pages. The
log-odds x_i of a block i in e move towards m, the more, the less the pages differ:

    x'_i = x_i + w (m − x_i)        w = min(1, `NOISE`² / v) n / (n + 1)        v = (n s² + K S²) / (n + K)

This is the posterior mean if log-odds are normal, with noise `NOISE` within an element and variance v between pages
(empirical Bayes; Efron and Morris 1975). K pages of spread S, `PRIOR`, stand for what is not known of a rare element:
a page's own evidence wins where the element is rare or its content unlike. The page itself is one of the n, if it was
learned from; m is then less far from x_i.

What is stored are sums of whole numbers, so any order and any split of the pages gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from dehusk.base.hashing import Keys
from dehusk.base.lazy import pattern
from dehusk.blocks import Blocks
from dehusk.compiled.decide import heading_levels
from dehusk.label.united.evidence import SiteEvidence
from dehusk.label.united.rubric import HEADING_TAGS
from dehusk.read.page import Bools

Reals = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]

NOISE = 1.0
"""Standard deviation of the log-odds of an element on pages where it means the same. Chosen with `PRIOR` on daniel-a
and big9 by a net that had not seen them, among .5 to 2: from 1.5 on, the worst site loses more than .01."""
PRIOR = 4, 2.5
"""K, S: pages that are assumed of each element, and the standard deviation of their log-odds."""
LEAST = 2
"""Pages that an element needs; on one it says nothing of a template."""
CERTAIN = 6.0
"""Log-odds beyond this count as this: the probability is .0025 from certain."""
LONG = 8
"""Words from which a repeated text is no label, as in `dehusk.counts.slots`."""
SEVERAL, SURE = 3, 2.0
"""Pages and mean log-odds from which an element is content although its text is the same everywhere. Below `SURE`, it
must be a label with its value. On daniel-a, 1 instead of 2 loses .0003 of F1."""
_LABELLED = pattern(r"[^:]{2,30}:\s+\S")
_STEPS = 64
"""Log-odds are stored in steps of 1/64."""
_COLUMNS = ("pages", "totals", "squares")


@dataclass(frozen=True, eq=False)
class Pooled:
    """What a site's pages say of the elements of b blocks."""

    pages: Counts
    """(b,) n, pages that have the block's element."""
    mean: Reals
    """(b,) m, mean log-odds of the element on these pages."""
    weight: Reals
    """(b,) w, how far the block moves towards it; 0 where fewer than `LEAST` pages have the element."""

    def shift(self, scores: Reals) -> Reals:
        """Return what to add to log-odds, shape (b,): w (m − x)."""
        return self.weight * (self.mean - np.clip(scores, -CERTAIN, CERTAIN))

    def is_sure(self, blocks: Blocks) -> Bools:
        """Return which blocks are content although the site repeats their text, shape (b,): labels and values.

        "In stock" is on most pages of a shop, and "Ingredients" on all of a site of recipes.
        """
        sure: Bools = (self.pages >= SEVERAL) & (blocks.words < LONG) & (self.mean > 0)
        for block in (sure & (self.mean <= SURE)).nonzero()[0].tolist():
            sure[block] = _LABELLED.match(blocks.text_of(block)) is not None
        return sure

    def headings_over_text(self, blocks: Blocks, kept: Bools, template: Bools) -> list[int]:
        """Return the dropped headings that the site repeats over kept text: they say what it is.

        Args:
            blocks: the blocks of the page.
            kept: (b,)
            template: (b,) whether the site repeats the block.
        """
        levels = heading_levels(blocks, HEADING_TAGS)
        is_text, found = kept & (levels == 0), []
        for block in (template & ~kept & (levels > 0) & (self.mean > 0)).nonzero()[0].tolist():
            below = levels[block + 1 :]
            ends = ((below > 0) & (below <= levels[block])).nonzero()[0]
            if is_text[block + 1 : block + 1 + int(ends[0]) if len(ends) else None].any():
                found.append(block)
        return found

    def reason(self, block: int) -> str:
        """Return in words what the pages say of a block's element."""
        pages = int(self.pages[block])
        if pages < LEAST:
            return "on no other page"
        return f"{self.mean[block]:+.1f} on {pages} pages"


@dataclass(frozen=True, eq=False)
class ElementOdds:
    """The k elements of a site's pages and the net's log-odds of them, as sums over pages."""

    name: ClassVar[str] = "elements"

    keys: Keys
    """(k,) key of the slot, ascending."""
    pages: Counts
    """(k,) n, pages that have the element."""
    totals: Counts
    """(k,) Σ x over these pages, in steps."""
    squares: Counts
    """(k,) Σ x² over these pages, in steps²."""

    @classmethod
    def of_scores(cls, slots: Keys, scores: Reals) -> Self:
        """Return the elements of one page.

        Args:
            slots: (b,) slot of each block.
            scores: (b,) its log-odds.
        """
        keys, element, blocks = np.unique(slots, return_inverse=True, return_counts=True)
        steps = np.rint(np.clip(scores, -CERTAIN, CERTAIN) * _STEPS)
        means = np.rint(np.bincount(element, steps, minlength=len(keys)) / blocks).astype(np.int64)
        return cls(keys, np.ones(len(keys), np.int64), means, means**2)

    @classmethod
    def total(cls, parts: Sequence[ElementOdds]) -> Self:
        """Return the sum over the pages of one or more parts."""
        keys, element = np.unique(np.concatenate([part.keys for part in parts]), return_inverse=True)
        sums = []
        for name in _COLUMNS:
            column = np.zeros(len(keys), dtype=np.int64)
            np.add.at(column, element, np.concatenate([getattr(part, name) for part in parts]))
            sums.append(column)
        return cls(keys, *sums)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the columns as arrays."""
        return {"keys": self.keys, **{name: getattr(self, name) for name in _COLUMNS}}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> Self:
        """Return what `arrays` returned as arrays; raises `ValueError` if they are not that."""
        wanted = ("keys", *_COLUMNS)
        if set(arrays) != set(wanted):
            raise ValueError(f"elements need the arrays {', '.join(wanted)}")
        keys, *columns = (arrays[name] for name in wanted)
        if keys.dtype != np.uint64 or keys.ndim != 1 or (keys[1:] <= keys[:-1]).any():
            raise ValueError("the keys of elements are not ascending")
        if any(column.dtype != np.int64 or column.shape != keys.shape for column in columns):
            raise ValueError("the sums of elements have the wrong type or shape")
        pages, totals, squares = columns
        most = int(CERTAIN * _STEPS)
        if (pages < 1).any() or (abs(totals) > most * pages).any() or (squares < 0).any():
            raise ValueError("the sums of elements are out of range")
        return cls(keys, *columns)

    def pooled(self, blocks: Blocks) -> Pooled:
        """Return what the pages say of the elements of a page's blocks."""
        from dehusk.counts.slots import block_slots  # noqa: PLC0415 (most pages are cleaned without a site)

        slots = block_slots(blocks)
        if not len(self.keys):
            return Pooled(np.zeros(len(slots), np.int64), np.zeros(len(slots)), np.zeros(len(slots)))
        place = np.minimum(self.keys.searchsorted(slots), len(self.keys) - 1)
        n = np.where(self.keys[place] == slots, self.pages[place], 0)
        known = np.maximum(n, 1)
        mean = np.where(n > 0, self.totals[place] / (known * _STEPS), 0.0)
        variance = np.maximum(self.squares[place] / (known * _STEPS**2) - mean**2, 0.0)
        few, spread = PRIOR
        v = (n * variance + few * spread**2) / (n + few)
        weight = np.minimum(1.0, NOISE**2 / v) * n / (n + 1)
        return Pooled(n, mean, np.where(n >= LEAST, weight, 0.0))


@dataclass(frozen=True, eq=False)
class Weighed:
    """The log-odds of the b blocks of a page, step by step."""

    own: Reals
    """(b,) by the net, from the page only."""
    page: Reals
    """(b,) with what the site's pages say of the block's element."""
    all: Reals
    """(b,) with the template of the site, too."""
    pooled: Pooled | None = None
    evidence: SiteEvidence | None = None
