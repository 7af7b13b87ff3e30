"""`near.*` and `section.*`: the blocks around a block. The thesis's CRF sees them through its template instead."""

import numpy as np

from dehusk.base.tags import TAG_NUMBER
from dehusk.compiled.features import neighbour_features
from dehusk.label.features.family import Family

_HEADINGS = np.array([TAG_NUMBER[f"h{level}"] for level in range(1, 7)], dtype=np.uint16)
_OFFSETS = {-1: "previous", 1: "next"}
_WINDOWS = (2, 5)

_DOC = (
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


FAMILIES = (Family(neighbour_features, _DOC),)
