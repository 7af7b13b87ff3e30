"""Splits for cross-validation: by page, as in the thesis, or by site, so that figures show quality on unseen sites."""

import hashlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt


def folds_by_page(n: int, folds: int, *, seed: int = 0) -> npt.NDArray[np.int64]:
    """Return a random fold for each of n pages, shape (n,); the sizes of the folds differ by no more than one page.

    Raises:
        ValueError: fewer than two folds, or fewer pages than folds.
    """
    if folds < 2 or n < folds:
        raise ValueError(f"{n} pages cannot be split into {folds} folds")
    return np.random.default_rng(seed).permutation(n) % folds


def folds_by_site(sites: Sequence[str], folds: int, *, seed: int = 0) -> npt.NDArray[np.int64]:
    """Return a fold for each page, shape (n,), the same for all pages of a site.

    A site's fold depends only on its name and the seed, so it stays the same when pages are added.

    Raises:
        ValueError: fewer than two folds, or fewer sites than folds.
    """
    if folds < 2 or len(set(sites)) < folds:
        raise ValueError(f"{len(set(sites))} sites cannot be split into {folds} folds")
    fold = {site: fold_of_site(site, folds, seed=seed) for site in set(sites)}
    return np.array([fold[site] for site in sites], dtype=np.int64)


def fold_of_site(site: str, folds: int, *, seed: int = 0) -> int:
    """Return the fold of a site's pages, as `folds_by_site` has it."""
    return int(hashlib.sha256(f"{seed} {site}".encode()).hexdigest(), 16) % folds
