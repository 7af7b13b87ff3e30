"""`regexp.*` and `bullet`: expressions that a block matches (thesis, section 4.2)."""

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.features.settings import Columns, Expressions, FeatureSettings

DOC = {
    "regexp.*": "Number of the first configured expression that is found in the block, 0 for none.",
    "bullet": "Which of the configured patterns match at the beginning: a bit each, so lists share a value.",
}


def expressions(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return for each configured set the number of the first expression that matches, shape (b,)."""
    return {f"regexp.{name}": _first_match(blocks, chosen) for name, chosen in settings.regexp.items()}


def _first_match(blocks: Blocks, chosen: Expressions) -> npt.NDArray[np.int32]:
    worth = np.ones(len(blocks), dtype=np.bool_)
    if chosen.most:
        worth &= blocks.chars <= chosen.most
    if chosen.needs:
        wanted = np.zeros(128, dtype=np.bool_)
        wanted[[ord(character) for character in chosen.needs]] = True
        worth &= blocks.sums(wanted[np.minimum(blocks.points, 127)]) > 0
    found, texts = np.zeros(len(blocks), dtype=np.int32), blocks.texts
    for block in np.flatnonzero(worth).tolist():
        for number, pattern in enumerate(chosen.patterns, start=1):
            if pattern.search(texts[block]):
                found[block] = number
                break
    return found


def bullets(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return the combination of patterns that match at the beginning, shape (b,)."""
    value = np.zeros(len(blocks), dtype=np.int32)
    for bit, pattern in enumerate(settings.bullet):
        value |= np.array([pattern.match(text) is not None for text in blocks.texts], dtype=np.int32) << bit
    return {"bullet": value}
