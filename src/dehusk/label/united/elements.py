"""The elements of a site's template: what the net says of each on all pages, so that all pages decide alike.

An element is a slot (`dehusk.counts.slots`: the path of tags and classes), which pages of one template share. A page
alone may be unsure of it, and so keep the publisher of one book and drop that of the next. Of n pages that have element
e, let m and s² be the mean and the variance of the log-odds x of its blocks, where each page counts the same. The
log-odds x_i of a block i in e move towards m, the more, the less the pages differ:

    x'_i = x_i + w (m − x_i)        w = min(1, σ² / v) n / (n + 1)        v = (n s² + K S²) / (n + K)

This is the posterior mean if log-odds are normal, with noise σ within an element and variance v between pages
(empirical Bayes; Efron and Morris 1975). K pages of spread S stand for what is not known of a rare element (`NET`):
a page's own evidence wins where the element is rare or its content unlike. The page itself is one of the n, if it was
learned from; m is then less far from x_i.

What people say of a page's blocks teaches the same elements (`PEOPLE`): a label counts as log-odds of `LABEL`, and few
pages suffice, because people are seldom wrong.

What is stored are sums of whole numbers, so any order and any split of the pages gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from dehusk.base.errors import counted
from dehusk.base.hashing import Keys
from dehusk.base.lazy import pattern
from dehusk.blocks import Blocks
from dehusk.blocks.headlines import HEADING_TAGS
from dehusk.compiled.decide import heading_levels
from dehusk.compiled.site import slot_texts
from dehusk.label.united.evidence import SiteEvidence
from dehusk.read.page import Bools

Reals = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Prior:
    """What is assumed of every element."""

    noise: float
    """Standard deviation of the log-odds of an element on pages where it means the same."""
    pages: float
    """K, pages that stand for what is not known of a rare element."""
    spread: float
    """S, the standard deviation of their log-odds."""
    least: int
    """Pages that an element needs; with fewer, it says nothing."""
    rest: float
    """What is added to n in n / (n + 1), for 1."""

    def pooled(self, sums: Counts) -> Pooled:
        """Return what sums say: (b, 3) n, Σ x and Σ x² of the element of each block, in steps; 0 if it is not known."""
        n = sums[:, 0]
        known = np.maximum(n, 1)
        mean = sums[:, 1] / (known * _STEPS)
        variance = np.maximum(sums[:, 2] / (known * _STEPS**2) - mean**2, 0.0)
        v = (n * variance + self.pages * self.spread**2) / (n + self.pages)
        weight = np.minimum(1.0, self.noise**2 / v) * n / (n + self.rest)
        return Pooled(n, mean, np.where(n >= self.least, weight, 0.0))


NET = Prior(noise=1.0, pages=4, spread=2.5, least=2, rest=1.0)
"""For log-odds of the net. Chosen on daniel-a and big9 by a net that had not seen them, with a noise of .5 to 2: from
1.5 on, the worst site loses more than .01."""
PEOPLE = Prior(noise=2.0, pages=1, spread=2.0, least=1, rest=0.5)
"""For labels. Chosen on the forty sites with ten pages and more of daniel-a, big9 and cleanportaleval-a, beside a noise
of 3 and 4: with these, one site gets worse by more labels."""
CLEAR = 1.0
"""Mean log-odds from which an element is called content or noise for people: a probability of .73."""
LABEL = 4.0
"""Log-odds of what a person labels as content; a probability of .98."""
CERTAIN = 6.0
"""Log-odds beyond this count as this: the probability is .0025 from certain."""
LONG = 8
"""Words from which a repeated text is no label, as in `dehusk.counts.slots`."""
SEVERAL, SURE = 3, 2.0
"""Pages and mean log-odds from which an element is content although its text is the same everywhere. Below `SURE`, it
must be a label with its value. On daniel-a, 1 instead of 2 loses .0003 of F1. They also say what few labels drop."""
_LABELLED = pattern(r"[^:]{2,30}:\s+\S")
_STEPS = 64
"""Log-odds are stored in steps of 1/64."""
_WAYS = ("by_net", "by_people")


@dataclass(frozen=True, eq=False)
class Pooled:
    """What a site's pages say of the elements of b blocks."""

    pages: Counts
    """(b,) n, pages that have the block's element."""
    mean: Reals
    """(b,) m, mean log-odds of the element on these pages."""
    weight: Reals
    """(b,) w, how far the block moves towards it; 0 where too few pages have the element."""

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

    def is_content(self) -> Bools:
        """Return which blocks are of an element that is content more often than not, shape (b,)."""
        content: Bools = (self.weight > 0) & (self.mean > 0)
        return content

    def is_noise(self, own: Reals) -> Bools:
        """Return which blocks are of an element that is noise, shape (b,), so that nothing brings them back.

        Args:
            own: (b,) log-odds from the page only: with few labels, what the net is sure of is left to the units.
        """
        noise: Bools = (self.weight > 0) & (self.mean < 0) & ((own < SURE) | (self.pages >= SEVERAL))
        return noise

    def headings_over_text(self, blocks: Blocks, kept: Bools, template: Bools) -> list[int]:
        """Return the dropped headings that the site repeats over kept text: they say what it is.

        Args:
            blocks: the blocks of the page.
            kept: (b,)
            template: (b,) whether the site repeats the block.
        """
        levels = heading_levels(blocks, HEADING_TAGS)
        texts = np.append(0, (kept & (levels == 0)).cumsum())  # before each block
        dropped = (template & ~kept & (levels > 0) & (self.mean > 0)).nonzero()[0]
        found: list[int] = []
        for level in np.unique(levels[dropped]).tolist():
            at = dropped[levels[dropped] == level]
            stops = np.append(((levels > 0) & (levels <= level)).nonzero()[0], len(levels))
            ends = stops[stops.searchsorted(at, "right")]
            found += at[texts[ends] > texts[at]].tolist()
        return sorted(found)

    def reason(self, block: int) -> str:
        """Return in words what the pages say of a block's element."""
        pages = int(self.pages[block])
        return f"{self.mean[block]:+.1f} on {counted(pages, 'page')}" if self.weight[block] else "not known"


@dataclass(frozen=True, eq=False)
class ElementOdds:
    """The k elements of a site's pages, as sums over pages: n, and of the means of x and of x² on each, in steps."""

    name: ClassVar[str] = "elements"

    keys: Keys
    """(k,) key of the slot, ascending."""
    by_net: Counts
    """(k, 3) by the net."""
    by_people: Counts
    """(k, 3) by labels."""

    @classmethod
    def of_scores(cls, slots: Keys, scores: Reals) -> Self:
        """Return the elements of one page by the net.

        Args:
            slots: (b,) slot of each block.
            scores: (b,) its log-odds.
        """
        keys, sums = _sums(slots, scores)
        return cls(keys, sums, np.zeros_like(sums))

    @classmethod
    def of_labels(cls, keys: Keys, content: Bools) -> Self:
        """Return the elements of one page by labels.

        Args:
            keys: (b,) element of each labelled block; see `taught_keys`.
            content: (b,) whether it is content.
        """
        keys, sums = _sums(keys, np.where(content, LABEL, -LABEL))
        return cls(keys, np.zeros_like(sums), sums)

    @classmethod
    def total(cls, parts: Sequence[ElementOdds]) -> Self:
        """Return the sum over the pages of one or more parts."""
        keys, element = np.unique(np.concatenate([part.keys for part in parts]), return_inverse=True)
        ways = []
        for way in _WAYS:
            sums = np.zeros((len(keys), 3), dtype=np.int64)
            np.add.at(sums, element, np.concatenate([getattr(part, way) for part in parts]))
            ways.append(sums)
        return cls(keys, *ways)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the columns as arrays."""
        return {"keys": self.keys, "by_net": self.by_net, "by_people": self.by_people}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> Self:
        """Return what `arrays` returned as arrays; raises `ValueError` if they are not that."""
        if set(arrays) != {"keys", *_WAYS}:
            raise ValueError(f"elements need the arrays keys, {', '.join(_WAYS)}")
        keys, *ways = (arrays[name] for name in ("keys", *_WAYS))
        if keys.dtype != np.uint64 or keys.ndim != 1 or (keys[1:] <= keys[:-1]).any():
            raise ValueError("the keys of elements are not ascending")
        if any(sums.dtype != np.int64 or sums.shape != (len(keys), 3) for sums in ways):
            raise ValueError("the sums of elements have the wrong type or shape")
        most = round(CERTAIN * _STEPS)
        for n, total, squares in (sums.T for sums in ways):
            if (n < 0).any() or (abs(total) > most * n).any() or (squares < 0).any() or (squares > most**2 * n).any():
                raise ValueError("the sums of elements are out of range")
        return cls(keys, *ways)

    @property
    def is_taught(self) -> bool:
        """Whether people have labelled any element."""
        return bool(self.by_people.any())

    def tally(self) -> dict[str, int]:
        """Return how many elements are on several pages, what they are on average, and how many are labelled."""
        n = self.by_net[:, 0]
        mean = self.by_net[:, 1] / (np.maximum(n, 1) * _STEPS)
        shared = n >= NET.least
        return {
            "shared": int(shared.sum()),
            "content": int((shared & (mean >= CLEAR)).sum()),
            "noise": int((shared & (mean <= -CLEAR)).sum()),
            "labelled": int((self.by_people[:, 0] > 0).sum()),
        }

    def pooled(self, slots: Keys) -> Pooled:
        """Return what the net says, on all pages, of the elements of a page's blocks.

        Args:
            slots: (b,) slot of each block.
        """
        return NET.pooled(self._rows("by_net", slots))

    def taught(self, slots: Keys, keys: Keys) -> Pooled:
        """Return what people say of the elements of a page's blocks: of a repeated text, or else of its slot.

        Args:
            slots: (b,) slot of each block.
            keys: (b,) from `taught_keys`.
        """
        own, rows = self._rows("by_people", keys), self._rows("by_people", slots)
        return PEOPLE.pooled(np.where(own[:, :1] > 0, own, rows))

    def _rows(self, way: str, keys: Keys) -> Counts:
        """Return the sums of some elements, shape (b, 3); 0 for those that are not known."""
        sums: Counts = getattr(self, way)
        if not len(sums):
            return np.zeros((len(keys), 3), dtype=np.int64)
        place = np.minimum(self.keys.searchsorted(keys), len(sums) - 1)
        rows: Counts = sums[place] * (self.keys[place] == keys)[:, np.newaxis]
        return rows


def taught_keys(blocks: Blocks, evidence: SiteEvidence | None) -> Keys:
    """Return the element that a label of each block is of, shape (b,): its slot, or its text where the site repeats it.

    That a line of the template is noise says nothing of the paragraphs that share its slot.
    """
    from dehusk.counts.slots import block_slots  # noqa: PLC0415 (few sites are taught)
    from dehusk.counts.terms import page_terms  # noqa: PLC0415

    keys = block_slots(blocks)
    if evidence is not None and evidence.template.any():
        texts = slot_texts(page_terms(blocks))
        repeated = evidence.template[texts.block]
        keys[texts.block[repeated]] = texts.without_numbers[repeated]
    return keys


def _sums(slots: Keys, scores: Reals) -> tuple[Keys, Counts]:
    """Return the elements of a page's blocks, shape (k,), and their sums over this one page, (k, 3)."""
    keys, element, blocks = np.unique(slots, return_inverse=True, return_counts=True)
    steps = np.rint(np.clip(scores, -CERTAIN, CERTAIN) * _STEPS)
    means = (np.bincount(element, column, minlength=len(keys)) / blocks for column in (steps, steps**2))
    return keys, np.column_stack([np.ones(len(keys)), *map(np.rint, means)]).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Weighed:
    """The log-odds of the b blocks of a page, step by step."""

    own: Reals
    """(b,) by the net, from the page only."""
    by_elements: Reals
    """(b,) with what the site's pages say of the block's element."""
    page: Reals
    """(b,) with what people say of it, too."""
    all: Reals
    """(b,) with the template of the site, too."""
    pooled: Pooled | None = None
    taught: Pooled | None = None
    evidence: SiteEvidence | None = None

    def copy(self) -> Weighed:
        """Return what a decision may change without changing this."""
        evidence = None if self.evidence is None else replace(self.evidence, template=self.evidence.template.copy())
        return replace(self, all=self.all.copy(), evidence=evidence)
