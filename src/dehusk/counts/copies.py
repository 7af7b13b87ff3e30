"""Near-duplicate pages of a site, which count as one; otherwise an article published twice would look like template.

Two pages are copies if they share at least `MIN_SHARED` shingles, and at least half the shingles of the smaller page.
Only shingles of running text count, and only those on at most a third of the pages, because the text of a template is
on nearly all of them. A set of fewer than six pages therefore has no copies: text on two of five pages may be either.
"""

import numpy as np
import numpy.typing as npt

from dehusk.base.hashing import Keys
from dehusk.counts.table import KeysOnPages, Table

MIN_SHARED = 20
_ALL_PAIRS = 16  # for a shingle on more pages, only neighbours are compared, so that the work stays linear


def clusters(prose: KeysOnPages, pages: int) -> npt.NDArray[np.intp]:
    """Return for each page, shape (p,), the index of the first page that it is a copy of, or its own index.

    Args:
        prose: the shingles of running text.
        pages: number of pages.
    """
    shingle, page = prose
    start = np.flatnonzero(np.append(True, shingle[1:] != shingle[:-1])[: len(shingle)])
    runs = np.diff(np.append(start, len(shingle))).astype(np.int32)
    runs[runs > pages / 3] = 0  # those that are not rare
    frequency = np.repeat(runs, np.diff(np.append(start, len(shingle))))
    size = np.bincount(page[frequency > 0], minlength=pages)
    first, second, shared = _pairs(shingle, page, frequency)
    alike = (shared >= MIN_SHARED) & (2 * shared >= np.minimum(size[first], size[second]))
    return _components(pages, first[alike], second[alike])


def _pairs(
    shingle: Keys, page: npt.NDArray[np.integer], frequency: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], npt.NDArray[np.int64]]:
    """Return pairs of pages as two columns, and the number of shingles that each pair shares."""
    pairs = []
    for step in range(1, _ALL_PAIRS):
        rows = np.flatnonzero((frequency[:-step] > step) & (shingle[:-step] == shingle[step:]))
        if step > 1:
            rows = rows[frequency[rows] <= _ALL_PAIRS]
        pairs.append(np.stack([page[rows], page[rows + step]]).astype(np.uint64))
    table = Table.of(*np.concatenate(pairs, axis=1))
    return table.keys[:, 0].astype(np.intp), table.keys[:, 1].astype(np.intp), table.counts


def _components(n: int, first: npt.NDArray[np.intp], second: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Return for each of n pages the lowest page that it is connected to; each round halves the distance."""
    lowest = np.arange(n)
    while True:
        before = lowest.copy()
        np.minimum.at(lowest, first, before[second])
        np.minimum.at(lowest, second, before[first])
        lowest = lowest[lowest]
        if np.array_equal(before, lowest):
            return lowest
