"""Headings of which nothing below is kept, or which repeat the one before them."""

import re
from collections import Counter

import numpy as np
import numpy.typing as npt

from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.blocks import Blocks
from dehusk.compiled.decide import bare_headings
from dehusk.read.page import Bools

LIST = 4
"""Headings of one level without texts that are the records of a list."""
HEADING_TAGS = np.concatenate([numbers(f"h{level}") for level in range(1, 7)])
"""The tags of headings, in the order of their levels."""
_VIDEOS = r"vid[eé]os?|vídeos?|видео|відео|βίντεο|wideo|视频|視頻|影片|動画|동영상|فيديو"
_VIDEO = pattern(rf"\W*(?:(?:{_VIDEOS})\b.*|.*(?<!\w)(?:{_VIDEOS})\W*)", re.IGNORECASE)
_SHORT = 5  # words


def empty_headings(blocks: Blocks, levels: npt.NDArray[np.uint8], kept: Bools) -> list[int]:
    """Return the kept headings below the first level that had texts, of which none is kept, or only a video.

    Those of a list of headings stay, except where they repeat one before them: of a copy, the rest is dropped.
    """
    bare = headings_over_nothing(blocks, levels, kept)
    if not bare:
        return []
    alone, at = Counter(level for _, level, _ in bare), (kept & (levels > 0)).nonzero()[0].tolist()
    first = {blocks.text_of(block): block for block in at[::-1]}
    return [
        block
        for block, level, dropped in bare
        if level > 1 and block != kept.argmax()
        if _is_of_video(blocks, block) or (dropped and (alone[level] < LIST or first[blocks.text_of(block)] < block))
    ]


def headings_over_nothing(blocks: Blocks, levels: npt.NDArray[np.uint8], kept: Bools) -> list[tuple[int, int, bool]]:
    """Return what `bare_headings` does, of the last kept block of each heading.

    Args:
        blocks: the blocks of a page.
        levels: (b,) the level of the heading that each block is in, 0 for none.
        kept: (b,) whether each is kept.
    """
    bare = bare_headings(levels, kept)
    if not bare:
        return []
    heading = blocks.page.nearest(blocks.page.is_one_of(HEADING_TAGS))[blocks.first]
    at = kept.nonzero()[0]
    last = dict(zip(heading[at].tolist(), at.tolist(), strict=True))
    return [row for row in bare if last[int(heading[row[0]])] == row[0]]


def _is_of_video(blocks: Blocks, heading: int) -> bool:
    """Return whether a short heading starts or ends with a word for a video."""
    return blocks.words[heading] <= _SHORT and _VIDEO.fullmatch(blocks.text_of(heading)) is not None


def copied_headings(blocks: Blocks, levels: npt.NDArray[np.uint8], kept: Bools) -> list[int]:
    """Return the kept headings that repeat the kept block before them, a heading of the same level."""
    if not levels.any():
        return []
    at = kept.nonzero()[0]
    level = levels[at]
    alike = ((level[1:] > 0) & (level[1:] == level[:-1])).nonzero()[0]
    pairs = ((int(at[index]), int(at[index + 1])) for index in alike)
    return [second for first, second in pairs if blocks.text_of(first) == blocks.text_of(second)]
