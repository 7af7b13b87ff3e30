"""Near-duplicate pages of a site: counted as one, or an article that a site has twice would look like template.

Two pages are copies where they share at least `SHARED` shingles and half of those of the smaller one; only shingles
of running text count that are on a third of the pages at most, because a template's text is on nearly all of them.
Sets of less than six pages have no copies by this rule: nothing on two of five pages tells an article from a template.
"""

import numpy as np
import numpy.typing as npt

from dehusk.site.hashing import Keys
from dehusk.site.table import Table

SHARED = 20
_ALL_PAIRS = 16  # of a shingle on more pages only neighbours are compared, so that the work stays linear


def clusters(prose: Table, pages: Keys) -> npt.NDArray[np.intp]:
    """Return for each page the number of the first page that it is a copy of, shape (p,); its own where it is none.

    Args:
        prose: (shingle, page) rows of running text; counts do not matter.
        pages: (p,) keys of all pages, rising.
    """
    shingle, page = prose.keys[:, 0], np.searchsorted(pages, prose.keys[:, 1])
    start = np.flatnonzero(np.append(True, shingle[1:] != shingle[:-1])[: len(shingle)])
    frequency = np.repeat(np.diff(np.append(start, len(shingle))), np.diff(np.append(start, len(shingle))))
    rare = frequency <= len(pages) / 3
    size = np.bincount(page[rare], minlength=len(pages))
    first, second, shared = _pairs(shingle, page, np.where(rare, frequency, 0))
    alike = (shared >= SHARED) & (2 * shared >= np.minimum(size[first], size[second]))
    return _components(len(pages), first[alike], second[alike])


def _pairs(
    shingle: Keys, page: npt.NDArray[np.intp], frequency: npt.NDArray[np.intp]
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], npt.NDArray[np.int64]]:
    """Return pairs of pages and how many shingles they share."""
    rows = []
    for step in range(1, _ALL_PAIRS):
        at = np.flatnonzero((frequency[:-step] > step) & (shingle[:-step] == shingle[step:]))
        if step > 1:
            at = at[frequency[at] <= _ALL_PAIRS]
        rows.append(np.stack([page[at], page[at + step]]).astype(np.uint64))
    found = Table.of(*np.concatenate(rows, axis=1))
    return found.keys[:, 0].astype(np.intp), found.keys[:, 1].astype(np.intp), found.counts


def _components(n: int, first: npt.NDArray[np.intp], second: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Return for each of n pages the lowest page that pairs lead to; each round halves the way."""
    lowest = np.arange(n)
    while True:
        before = lowest.copy()
        np.minimum.at(lowest, first, before[second])
        np.minimum.at(lowest, second, before[first])
        lowest = lowest[lowest]
        if np.array_equal(before, lowest):
            return lowest
