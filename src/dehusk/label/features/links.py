"""`link.*`, `block.*` and `title.*`: size, links, copies, the page's title; for the modern web, not in the thesis."""

from dehusk.base.caching import cached_per_object
from dehusk.compiled import features
from dehusk.compiled.features import link_features, title_features
from dehusk.label.features.family import Family

_MAX_TITLE = 500  # characters: each block is searched for in the title, so a huge title would take too long
_MIN_TITLE = 8  # characters: shorter texts occur in many titles by chance


match_title = cached_per_object(features.match_title)
"""Return 2 for blocks that are part of the page's title, 1 for blocks that contain it, else 0, shape (b,)."""


FAMILIES = (
    Family(
        link_features,
        {
            "link.density": "Share of the block's words in links.",
            "link.page-density": "Share of the page's words in links.",
            "block.words": "Words in the block.",
            "block.noscript": "1 in a noscript element, else 0.",
            "block.hidden": "1 in an element that its own attributes hide (hidden, aria-hidden, display:none), else 0.",
            "block.copies": "Blocks on the page with the same text, including itself.",
            "block.since-heading": "Blocks since the last heading (h1 to h6); 1,000 before the first heading.",
        },
    ),
    Family(
        title_features,
        {
            "title.match": "2 if the block is the page's title or part of it, 1 if it contains the title, else 0.",
            "title.seen": "1 from the first block that is the page's title or part of it, else 0.",
        },
    ),
)
