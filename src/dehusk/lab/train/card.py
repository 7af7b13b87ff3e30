"""The model card: what a model was trained on."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import Any

from dehusk.base.version import __version__
from dehusk.blocks.labels import LABELS
from dehusk.lab.train.labelled_pages import LabelledPage, label_counts


def model_card(pages: Sequence[LabelledPage]) -> dict[str, Any]:
    """Return the card's facts about the training pages; a single hash identifies all pages, without naming any."""
    digest = hashlib.sha256()
    for page in sorted(pages, key=lambda page: page.name):
        digest.update(hashlib.sha256(page.sample.data).digest())
    return {
        "version": __version__,
        "pages": dict(sorted(Counter(page.sample.set for page in pages).items())),
        "sites": len({page.site for page in pages}),
        "pages-hash": digest.hexdigest()[:16],
        "blocks": dict(zip(LABELS, label_counts(pages).tolist(), strict=True)),
    }
