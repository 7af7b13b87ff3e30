"""Training a model, with a card that says from what."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from dehusk import __version__
from dehusk.errors import GoldError
from dehusk.labels import LABELS, OTHER
from dehusk.methods.victor.config import VictorConfig
from dehusk.methods.victor.method import Victor
from dehusk.train.corpus import Labelled

LEAST_FOUND = 0.8
"""Pages of whose gold text less can be found on the page teach noise: they are left out of training."""


def usable(page: Labelled) -> bool:
    """Return whether a page is fit for training: it has blocks, and a gold text that is on the page."""
    return len(page.blocks) > 0 and (page.agreement is None or page.agreement.found >= LEAST_FOUND)


def train(config: VictorConfig, pages: Sequence[Labelled]) -> Victor:
    """Train Victor on labelled pages.

    Raises:
        GoldError: no usable page, or pages that hold content only or noise only.
    """
    chosen = [page for page in pages if usable(page)]
    counts = label_counts(chosen)
    if not chosen or not counts[OTHER] or not counts[:OTHER].sum():
        raise GoldError(f"training needs content and noise; {len(chosen)} usable pages of {len(pages)} have not both")
    victor = Victor(config).fit([page.blocks for page in chosen], [page.codes for page in chosen])
    victor.card_ = card(chosen)
    return victor


def card(pages: Sequence[Labelled]) -> dict[str, Any]:
    """Return what a model's card says of its training pages; no page is named, a hash stands for all of them."""
    made = hashlib.sha256()
    for page in sorted(pages, key=lambda one: one.name):
        made.update(hashlib.sha256(page.sample.data).digest())
    return {
        "version": __version__,
        "pages": dict(sorted(Counter(page.sample.set for page in pages).items())),
        "sites": len({page.site for page in pages}),
        "pages-hash": made.hexdigest()[:16],
        "blocks": dict(zip(LABELS, label_counts(pages).tolist(), strict=True)),
    }


def label_counts(pages: Sequence[Labelled]) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """Return how many blocks have each label, shape (5,); unlabelled blocks do not count."""
    counts = np.zeros(len(LABELS), dtype=np.int64)
    for page in pages:
        counts += np.bincount(page.codes[page.codes >= 0], minlength=len(LABELS))
    return counts
