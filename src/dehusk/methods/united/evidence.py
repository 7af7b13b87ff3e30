"""The evidence of a site's other pages about a page's blocks, added to that of the page itself.

A text is template if it stands word for word in the same slot (`dehusk.site.slots`: the path of tags and classes) on
more than half of the other pages that have the slot. All other blocks are left alone: what a site repeats elsewhere, or
on few pages, may be content. Values repeat as well ("in stock", "2", "Paperback"), so two things must hold:

- Most of the page's blocks in the same slot are repeated like this: the "Reply" of each record is, its price is not.
  Values are short, so a text of `LONG` words that `MANY` other pages have needs no company. But a table of data or a
  definition list is template as a whole or not at all: its labels are the same on all pages that have one.
- The text contains a word that is not a number.

Markup with unclosed tags moves a text to other paths. Therefore a text of `RUNNING` words on more than half of all
other pages, at least `MANY`, is template wherever it stands.

Evidence only lowers log-odds. docs/site.md has the measurements.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from dehusk.backends import kernel
from dehusk.blocks import Blocks
from dehusk.hashing import Keys
from dehusk.page import Bools, Ints
from dehusk.tags import numbers
from dehusk.units.keys import distinct
from dehusk.units.tables import table_nodes

if TYPE_CHECKING:
    from dehusk.site.model import Site
    from dehusk.site.slots import SlotTexts

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


@kernel("site_evidence.site_evidence")
def site_evidence(blocks: Blocks, site: Site) -> SiteEvidence | None:
    """Return a site's evidence about a page's blocks; None if the site has a single page, not counting copies.

    The page counts as one of the site's pages. If it is not, each number is lower by one than it could be.

    Raises:
        NotFittedError: the site has no pages.
    """
    from dehusk.site.slots import LONG, slot_texts  # noqa: PLC0415 (most pages are cleaned without a site)
    from dehusk.site.terms import page_terms  # noqa: PLC0415

    tables = site.tables
    if tables.distinct < 2:
        return None
    texts = slot_texts(page_terms(blocks))
    exact, reduced, pages, anywhere = (
        np.maximum(table.look_up(keys) - 1, 0)
        for table, keys in (
            (tables.slot_texts, texts.text),
            (tables.slot_texts, texts.without_numbers),
            (tables.slots, texts.slot),
            (tables.texts, texts.words),
        )
    )
    same = np.minimum(np.where(reduced > 1, reduced, exact), pages)
    others = tables.distinct - 1
    holder = _whole_holders(blocks, texts)
    size = blocks.words[texts.block]
    on_many = (size >= LONG) & (same >= min(MANY, others))
    template = texts.has_letters & _is_template(texts.slot, holder, 2 * same > pages, on_many)
    moved = ~template & (size >= RUNNING) & (holder < 0) & (2 * anywhere > others) & (anywhere >= MANY)
    return SiteEvidence(
        same_slot=_by_block(blocks, texts, np.where(moved, others, pages)),
        same_text=_by_block(blocks, texts, np.where(moved, anywhere, same)),
        template=_by_block(blocks, texts, template | moved),
        moved=_by_block(blocks, texts, moved),
    )


def _by_block(blocks: Blocks, texts: SlotTexts, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return values of texts, shape (t,), as values of all blocks, shape (b,); 0 for blocks without words."""
    of_blocks = np.zeros(len(blocks), dtype=values.dtype)
    of_blocks[texts.block] = values
    return of_blocks


def _whole_holders(blocks: Blocks, texts: SlotTexts) -> Ints:
    """Return for each text, shape (t,), the table of data or the definition list it is in; -1 if it is in none."""
    page = blocks.page
    whole = table_nodes(blocks) | page.is_one_of(_DEFINITIONS)
    return page.nearest(whole)[blocks.node[texts.block]]


def _is_template(slot: Keys, holder: Ints, repeated: Bools, on_many: Bools) -> Bools:
    """Return which of t texts are template because of their slots.

    Args:
        slot: (t,) key of the slot.
        holder: (t,) as returned by `_whole_holders`.
        repeated: (t,) whether more than half of the other pages with the slot have the text there.
        on_many: (t,) whether it is a long text that many pages have there.
    """
    _, group, size = distinct(np.where(holder < 0, slot, holder.astype(np.uint64)))
    share = (np.bincount(group, weights=repeated) / size).take(group)
    template: Bools = repeated & np.where(holder < 0, on_many | (share >= MOST), share == 1)
    return template
