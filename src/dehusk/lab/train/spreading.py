"""Spread the labels of some pages of a site over its other pages, to train on these too.

What labels say of an element (`dehusk.label.united.elements`) holds on all pages of its template. A few labelled pages
thus label many: the net sees the same convention on other texts. Blocks of elements that no label speaks of stay
unlabelled. A site whose labelled pages teach each other what is wrong (`teaching`) labels no other page.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dehusk.blocks.labels import OTHER, by_markup
from dehusk.compiled.site import site_evidence
from dehusk.counts.model import SiteModel
from dehusk.counts.slots import block_slots
from dehusk.lab.train.labelled_pages import LabelledPage, is_usable
from dehusk.lab.train.teaching import Teaching, teach
from dehusk.label.united.declaration import ShippedOdds
from dehusk.label.united.elements import Pooled, taught_keys

SURE = 1.0
"""Log-odds, drawn towards the prior, from which what labels say of an element labels a block of another page."""
WEIGHT = 0.3
"""Weight of such a page in training, relative to a labelled one."""
MOST_LEARNED = 200
"""Pages of a site that its elements are learned from, the labelled ones first."""


@dataclass(frozen=True, eq=False)
class Spread:
    """What the labels of one site say of its other pages."""

    site: str
    teaching: Teaching
    pages: list[LabelledPage]
    """The other pages, labelled where an element of theirs is; none if the labels contradict each other."""

    def __str__(self) -> str:
        """Return one line."""
        return f"{self.site}: labels spread to {len(self.pages):,} other pages ({self.teaching})"


def spread_labels(labelled: Iterable[LabelledPage], others: Iterable[LabelledPage]) -> list[Spread]:
    """Label pages by the labelled pages of their sites.

    Args:
        labelled: labelled pages, split into the common blocks; those that cannot be trained on teach nothing.
        others: pages without labels, split in the same way; those of a site without a labelled page are left out.
    """
    teachers, pupils = _by_site(filter(is_usable, labelled)), _by_site(others)
    return [_spread(site, teachers[site], pupils[site]) for site in sorted(teachers.keys() & pupils.keys())]


def _by_site(pages: Iterable[LabelledPage]) -> dict[str, list[LabelledPage]]:
    by_site: dict[str, list[LabelledPage]] = {}
    for page in pages:
        nameless = page.site == f"{page.sample.set}/{page.sample.id}"  # then a folder or set is taken for a site
        by_site.setdefault(page.sample.set if nameless else page.site, []).append(page)
    return by_site


def _spread(name: str, labelled: Sequence[LabelledPage], others: Sequence[LabelledPage]) -> Spread:
    learned = [page.sample.bare for page in [*labelled, *others][:MOST_LEARNED]]
    site = SiteModel(mixed=True, structure=False, counts=(ShippedOdds,)).fit(learned)
    teaching = teach(site, labelled)
    if not teaching.helps:
        return Spread(name, teaching, [])
    elements = site.own_counts(ShippedOdds)
    pages = [_labelled(page, site, elements) for page in others]
    return Spread(name, teaching, [page for page in pages if (page.codes >= 0).any()])


def _labelled(page: LabelledPage, site: SiteModel, elements: ShippedOdds) -> LabelledPage:
    """Return a page labelled by what people say of its elements."""
    keys = taught_keys(page.blocks, site_evidence(page.blocks, site))
    said = elements.taught(block_slots(page.blocks), keys)
    return replace(page, codes=_codes(page, said))


def _codes(page: LabelledPage, said: Pooled) -> np.ndarray[tuple[int], np.dtype[np.int8]]:
    odds = said.weight * said.mean
    codes = by_markup(page.blocks, odds >= SURE).astype(np.int8)
    codes[(codes == OTHER) & (odds > -SURE)] = -1
    return codes
