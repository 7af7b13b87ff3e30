"""Teach a site by labelled pages, if that makes it better: each page is judged by what the others teach."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dehusk.blocks.labels import OTHER
from dehusk.counts.model import SiteModel
from dehusk.lab.train.labelled_pages import LabelledPage
from dehusk.label.united import United
from dehusk.label.united.declaration import ShippedOdds, label_odds, shipped

LOSS = 0.01
"""Loss of F1 from which labels are not used; few pages give rough figures. With 0, five pages taught 40 sites less."""
MOST_JUDGED = 50
"""Pages that are left out in turn; of more, as many in even steps."""


@dataclass(frozen=True)
class Teaching:
    """What labelled pages taught a site."""

    pages: int
    """Pages with labels."""
    before: float
    """Mean word F1 of the labelled blocks of a page, without any labels."""
    after: float
    """The same, taught by the other pages."""

    @property
    def helps(self) -> bool:
        """Whether the site was taught: not if the pages teach each other what is wrong, as labels of two minds do."""
        return self.pages == 1 or self.after > self.before - LOSS

    def __str__(self) -> str:
        """Return one line."""
        if self.pages == 1:
            return "taught by 1 page"
        change = f"word F1 of each, taught by the others: {self.after:.3f}, without labels {self.before:.3f}"
        return f"{'' if self.helps else 'not '}taught by {self.pages} pages; {change}"


def teach(site: SiteModel, pages: Sequence[LabelledPage]) -> Teaching:
    """Let the labels of pages decide for their elements on all pages of a site, if it helps.

    Args:
        site: a site that counts elements.
        pages: labelled pages, split into the common blocks; at least one.

    Raises:
        ConfigError: the site counts no elements.
        InputError: the site was loaded without its counts.
    """
    labels = [label_odds(site, page.blocks, page.codes) for page in pages]
    known = site.own_counts(ShippedOdds)
    method = shipped().using(site=site)
    method.elements = known
    steps = np.unique(np.linspace(0, len(pages) - 1, min(len(pages), MOST_JUDGED)).round().astype(int)).tolist()
    before = [_f1(method, pages[left_out]) for left_out in steps]
    after = []
    for left_out in steps:
        method.elements = ShippedOdds.total([known, *labels[:left_out], *labels[left_out + 1 :]])
        after.append(_f1(method, pages[left_out]))
    teaching = Teaching(len(pages), float(np.mean(before)), float(np.mean(after)))
    if teaching.helps:
        site.put_counts(ShippedOdds.total(labels))
    return teaching


def _f1(method: United, page: LabelledPage) -> float:
    """Return the word F1 of the labelled blocks of a page; 1 if none is content and none is kept."""
    known, words = page.codes >= 0, page.blocks.words
    content, kept = known & (page.codes != OTHER), known & method.label(page.blocks).kept
    total = int(words[content].sum() + words[kept].sum())
    return 2 * int(words[content & kept].sum()) / total if total else 1.0
