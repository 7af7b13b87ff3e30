"""`container.*`, `split.*`, `regexp.*` and `bullet`: tags and expressions that users choose (thesis, 4.1 and 4.2).

They are the tags of the elements around a block, the tags before it, and what its text matches.
"""

from operator import attrgetter

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.compiled.features import container_features, split_features
from dehusk.label.features.family import Columns, Expressions, Family, FeatureSettings


def expression_features(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return for each set of expressions the number of the first that matches, shape (b,)."""
    return {f"regexp.{name}": _first_match(blocks, expressions) for name, expressions in settings.regexp.items()}


def _first_match(blocks: Blocks, expressions: Expressions) -> npt.NDArray[np.int32]:
    searched = np.ones(len(blocks), dtype=np.bool_)
    if expressions.most:
        searched &= blocks.chars <= expressions.most
    if expressions.needs:
        is_needed = np.zeros(128, dtype=np.bool_)
        is_needed[[ord(character) for character in expressions.needs]] = True
        searched &= blocks.sums(is_needed[np.minimum(blocks.code_points, 127)]) > 0
    matches, texts = np.zeros(len(blocks), dtype=np.int32), blocks.texts
    for block in searched.nonzero()[0].tolist():
        for number, pattern in enumerate(expressions.patterns, start=1):
            if pattern.search(texts[block]):
                matches[block] = number
                break
    return matches


def bullet_features(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return which patterns match at the start of each block, one bit per pattern, shape (b,)."""
    value = np.zeros(len(blocks), dtype=np.int32)
    for bit, pattern in enumerate(settings.bullet):
        value |= np.array([pattern.match(text) is not None for text in blocks.texts], dtype=np.int32) << bit
    return {"bullet": value}


FAMILIES = (
    Family(
        container_features,
        {"container.*": "1 if the block is in an element with one of the tags configured under this name, else 0."},
        attrgetter("containers"),
    ),
    Family(
        split_features,
        {
            "split.*": "Opening and closing tags since the previous block, of those configured under this name; a void "
            "element such as br counts once. `#line` is the end of a line of preformatted text."
        },
        attrgetter("splits"),
    ),
    Family(
        expression_features,
        {"regexp.*": "Number of the first expression configured under this name that matches, 0 if none does."},
        attrgetter("regexp"),
    ),
    Family(
        bullet_features,
        {
            "bullet": "Which bullet patterns match at the start of the block, one bit per pattern; the items of a list "
            "share a value."
        },
    ),
)
