"""What a configuration says about features, and the table that they make."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Column = npt.NDArray[np.float64] | npt.NDArray[np.bool_] | npt.NDArray[np.int32] | npt.NDArray[np.int64]
Columns = dict[str, Column]
"""Feature name -> one value a block, shape (b,)."""


@dataclass(frozen=True)
class Expressions:
    """Regular expressions of one `regexp.*` feature, tried in order."""

    patterns: tuple[re.Pattern[str], ...]
    needs: str = ""
    """A block without any of these characters cannot match and is not searched; "" searches every block."""
    most: int = 0
    """Longer blocks (characters) are not searched; 0 searches every block."""


@dataclass(frozen=True)
class FeatureSettings:
    """The configured parts of feature extraction; names are the tails of feature names."""

    containers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """`container.X` -> the tags it stands for."""
    splits: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """`split.X` -> the tags it counts."""
    regexp: Mapping[str, Expressions] = field(default_factory=dict)
    """`regexp.X` -> its expressions."""
    bullet: tuple[re.Pattern[str], ...] = ()
    """Patterns at a block's beginning that suggest a list item."""
    classes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """`lexicon.X` -> words looked for in class and id attributes."""
