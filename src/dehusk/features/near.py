"""`near.*` and `section.*`: the blocks before and after a block; the thesis's CRF sees them by its template."""

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.features.settings import Columns, FeatureSettings
from dehusk.features.sums import sums
from dehusk.tags import TAG_NUMBER

_HEADINGS = np.array([TAG_NUMBER[f"h{level}"] for level in range(1, 7)], dtype=np.uint16)
OFFSETS = (-1, 1)
WINDOWS = (2, 5)

DOC = (
    {
        f"near.{offset:+d}.{name}": text
        for offset in OFFSETS
        for name, text in {
            "words": "Words of the block so many places on; -1 beyond the page's ends.",
            "link-density": "Share of its words that stand in links; -1 beyond the page's ends.",
        }.items()
    }
    | {
        f"near.{window}.{name}": text
        for window in WINDOWS
        for name, text in {
            "words": "Words a block in the window of so many blocks on both sides.",
            "running": "Share of the window's words that are running text.",
            "link-density": "Share of the window's words that stand in links.",
        }.items()
    }
    | {
        "section.words": "Words between the last heading and the next one.",
        "section.running": "Share of these words that are running text.",
        "section.link-density": "Share of these words that stand in links.",
        "section.level": "Level of the last heading, 0 before the first.",
        "section.number": "Headings before the block.",
    }
)


def near(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return the figures of each block's neighbours, windows and section, shape (b,) each."""
    b = len(blocks)
    words, linked, running = blocks.words, blocks.link_words, sums(blocks).running_words
    density = linked / np.maximum(words, 1)
    columns, index = Columns(), np.arange(b)
    for offset in OFFSETS:
        for name, values in (("words", words), ("link-density", density)):
            column = np.full(b, -1.0)
            column[max(0, -offset) : b - max(0, offset)] = values[max(0, offset) : b - max(0, -offset)]
            columns[f"near.{offset:+d}.{name}"] = column
    totals = np.zeros((3, b + 1))
    np.cumsum([words, linked, running], axis=1, out=totals[:, 1:])
    for window in WINDOWS:
        first, last = np.maximum(index - window, 0), np.minimum(index + window + 1, b)
        around = totals.take(last, axis=1) - totals.take(first, axis=1)
        size = np.maximum(around[0], 1)
        columns[f"near.{window}.words"] = around[0] / (last - first)
        columns[f"near.{window}.link-density"] = around[1] / size
        columns[f"near.{window}.running"] = around[2] / size
    return columns | _sections(totals, _heading_levels(blocks))


def _heading_levels(blocks: Blocks) -> npt.NDArray[np.int32]:
    """Return the level of the heading that each block stands in, shape (b,), 0 outside of headings."""
    page, found = blocks.page, np.zeros(len(blocks), dtype=np.int32)
    headings = page.nodes_of(_HEADINGS)
    if len(headings):
        at = np.searchsorted(headings, blocks.first, side="right") - 1  # the last that opens before the block
        inside = (at >= 0) & (blocks.first < page.end.take(headings.take(np.maximum(at, 0))))
        levels = page.tag.take(headings).astype(np.int32) - int(_HEADINGS[0]) + 1
        found[inside] = levels.take(at[inside])
    return found


def _sections(totals: npt.NDArray[np.float64], level: npt.NDArray[np.int32]) -> Columns:
    begins = np.append(True, (level[1:] > 0) & (level[:-1] == 0)) if len(level) else np.zeros(0, dtype=np.bool_)
    starts, section = np.flatnonzero(begins), np.cumsum(begins) - 1
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
