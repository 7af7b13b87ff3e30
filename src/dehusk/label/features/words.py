"""`*-group.*`, `position`, `document.*`, `link.*`, `block.*`, `near.*` and `section.*`: numbers of words and blocks.

They are counted in the block, in the div and the table cell around it, among its neighbours, and on the page. The first
three are those of the thesis (sections 4.2 and 4.3), whose CRF sees the neighbours through its template instead; the
others are for the modern web.
"""

import numpy as np

from dehusk.base.tags import TAG_NUMBER
from dehusk.compiled.features import document_features, group_features, link_features, neighbour_features
from dehusk.label.features.family import Family

_HEADINGS = np.array([TAG_NUMBER[f"h{level}"] for level in range(1, 7)], dtype=np.uint16)
_OFFSETS = {-1: "previous", 1: "next"}
_WINDOWS = (2, 5)

_NEIGHBOUR_DOC = (
    {
        f"near.{offset:+d}.{name}": text.format(f"the {which} block")
        for offset, which in _OFFSETS.items()
        for name, text in {
            "words": "Words in {}; -1 if there is none.",
            "link-density": "Share of the words of {} in links; -1 if there is none.",
        }.items()
    }
    | {
        f"near.{window}.{name}": text.format(f"the {window} blocks on either side")
        for window in _WINDOWS
        for name, text in {
            "words": "Mean number of words in the block and {}.",
            "running": "Share of running text among the words of the block and {}.",
            "link-density": "Share of linked words among the words of the block and {}.",
        }.items()
    }
    | {
        "section.words": "Words in the section, which reaches from one heading to the next.",
        "section.running": "Share of running text among the words of the section.",
        "section.link-density": "Share of linked words among the words of the section.",
        "section.level": "Level of the section's heading, 1 to 6; 0 before the first heading.",
        "section.number": "Headings before the block.",
    }
)


FAMILIES = (
    Family(
        group_features,
        {
            "div-group.word-ratio": "Share of the page's unlinked words in blocks with the same innermost div.",
            "td-group.word-ratio": "Share of the page's unlinked words in blocks with the same innermost td.",
        },
    ),
    Family(
        document_features,
        {
            "position": "Position among the page's blocks: 0 for the first, 1 for the last.",
            "document.word-count": "Words on the page.",
            "document.block-count": "Blocks on the page.",
        },
    ),
    Family(
        group_features,
        {
            "document.max-div-group": "Largest div-group.word-ratio on the page.",
            "document.max-td-group": "Largest td-group.word-ratio on the page.",
        },
    ),
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
    Family(neighbour_features, _NEIGHBOUR_DOC),
)
