"""Templates: pages of a site that are built alike, told apart by the paths of their texts."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.base.hashing import Keys, contains
from dehusk.blocks.units.keys import Indices

ALIKE = 0.6
"""Least likeness of a page and a template: the cosine between the page's paths and the shares of the template's."""
KNOWN = 0.4
"""Least likeness of a new page and the template whose columns are read from it."""
MIN_PAGES = 2
"""Pages of a template; all pages that are like no others form one more."""
MAX_TEMPLATES = 50
RULES_FILE = "templates.toml"
"""The rules of a site's templates, in the folder of its model, if a method learned any."""


@dataclass(frozen=True, eq=False)
class PathShares:
    """The paths of a template's pages, and the share of the pages that have each."""

    keys: Keys
    """(k,) ascending."""
    share: npt.NDArray[np.float64]
    """(k,) above 0, at most 1."""

    def likeness(self, paths: Keys) -> float:
        """Return how alike a page with these distinct paths is, 0 to 1."""
        if not len(paths) or not len(self.keys):
            return float(len(paths) == len(self.keys))
        found = self.share[contains(np.sort(paths), self.keys)].sum()
        return float(found / np.sqrt(len(paths) * np.square(self.share).sum()))

    @classmethod
    def of(cls, pages: Sequence[Keys]) -> "PathShares":
        """Return the shares in pages, each given as its distinct paths."""
        keys, counts = np.unique(np.concatenate(pages), return_counts=True)
        return cls(keys, counts / len(pages))


def group_pages(pages: Sequence[Keys]) -> Indices:
    """Return the template of each page, from 0 by number of pages; -1 for pages that are like no others.

    Args:
        pages: the distinct paths of the texts of each page.
    """
    sizes: list[int] = []
    members: list[list[int]] = []
    centres: list[PathShares] = []
    for number, paths in enumerate(pages):
        likeness = [centre.likeness(paths) for centre in centres]
        best = int(np.argmax(likeness)) if likeness else -1
        if best < 0 or (likeness[best] < ALIKE and len(centres) < MAX_TEMPLATES):
            centres.append(PathShares.of([paths]))
            members.append([number])
            sizes.append(1)
            continue
        members[best].append(number)
        if len(members[best]) >= 1.5 * sizes[best]:  # so that all pages together are read a few times only
            sizes[best] = len(members[best])
            centres[best] = PathShares.of([pages[each] for each in members[best]])
    return _settled(pages, [PathShares.of([pages[each] for each in group]) for group in members])


def _settled(pages: Sequence[Keys], centres: list[PathShares]) -> Indices:
    """Return the nearest of the templates of each page; templates with too few pages are dissolved."""
    template = np.array([np.argmax([c.likeness(paths) for c in centres]) for paths in pages], dtype=np.intp)
    size = np.bincount(template, minlength=len(centres))
    order = np.argsort(-size, kind="stable")
    number = np.full(len(centres), -1)
    kept = order[size[order] >= MIN_PAGES]
    number[kept] = np.arange(len(kept))
    return number[template]
