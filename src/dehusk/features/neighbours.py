"""`near.*` and `section.*`: the blocks around a block. The thesis's CRF sees them through its template instead."""

import numpy as np
import numpy.typing as npt

from dehusk.backends import kernel
from dehusk.blocks import Blocks
from dehusk.features.family import Columns, Family, FeatureSettings
from dehusk.features.subtrees import count_subtrees
from dehusk.tags import TAG_NUMBER

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


@kernel("features_words.neighbour_features")
def neighbour_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return statistics of each block's neighbours, windows and section, shape (b,) each."""
    b = len(blocks)
    words, linked, running = blocks.words, blocks.link_words, count_subtrees(blocks).running_words
    density = linked / np.maximum(words, 1)
    columns, index = Columns(), np.arange(b)
    for offset in _OFFSETS:
        for name, values in (("words", words), ("link-density", density)):
            column = np.full(b, -1.0)
            column[max(0, -offset) : b - max(0, offset)] = values[max(0, offset) : b - max(0, -offset)]
            columns[f"near.{offset:+d}.{name}"] = column
    totals = np.zeros((3, b + 1))
    np.cumsum([words, linked, running], axis=1, out=totals[:, 1:])
    for window in _WINDOWS:
        first, last = np.maximum(index - window, 0), np.minimum(index + window + 1, b)
        sums = totals.take(last, axis=1) - totals.take(first, axis=1)
        size = np.maximum(sums[0], 1)
        columns[f"near.{window}.words"] = sums[0] / (last - first)
        columns[f"near.{window}.link-density"] = sums[1] / size
        columns[f"near.{window}.running"] = sums[2] / size
    return columns | _section_columns(totals, _heading_levels(blocks))


def _heading_levels(blocks: Blocks) -> npt.NDArray[np.int32]:
    """Return the level of the heading that contains each block, shape (b,); 0 outside headings."""
    page, level_of = blocks.page, np.zeros(len(blocks), dtype=np.int32)
    headings = page.nodes_of(_HEADINGS)
    if len(headings):
        heading = headings.searchsorted(blocks.first, side="right") - 1  # the last that opens before the block
        inside = (heading >= 0) & (blocks.first < page.end.take(headings.take(np.maximum(heading, 0))))
        levels = page.tag.take(headings).astype(np.int32) - int(_HEADINGS[0]) + 1
        level_of[inside] = levels.take(heading[inside])
    return level_of


def _section_columns(totals: npt.NDArray[np.float64], level: npt.NDArray[np.int32]) -> Columns:
    """Return statistics of the sections, from prefix sums over the blocks, shape (3, b + 1), and heading levels."""
    starts_section = np.append(True, (level[1:] > 0) & (level[:-1] == 0))
    starts, section = starts_section.nonzero()[0], starts_section.cumsum() - 1
    ends = np.append(starts[1:], len(level))
    words, linked, running = totals.take(ends, axis=1) - totals.take(starts, axis=1)
    size = np.maximum(words, 1)
    return {
        "section.words": words.take(section),
        "section.running": (running / size).take(section),
        "section.link-density": (linked / size).take(section),
        "section.level": level.take(starts).take(section),
        "section.number": section,
    }


FAMILIES = (Family(neighbour_features, _DOC),)
