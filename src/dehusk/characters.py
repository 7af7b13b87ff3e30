"""Character classes and lower case, for whole texts at once."""

import unicodedata
from enum import IntEnum
from functools import cache

import numpy as np
import numpy.typing as npt


class CharClass(IntEnum):
    """The thesis's five character classes (section 4.2, `char.*`), and invisible characters."""

    OTHER = 0
    ALPHA = 1
    DIGIT = 2
    PUNCT = 3
    WHITE = 4
    INVISIBLE = 5
    """Neither ink nor a space: soft hyphen, word joiner, byte order mark. Blocks do not contain these."""


_BLANK = frozenset("\u200b\u2800\u3164")
"""Characters without ink that separate words although Unicode does not class them as white space."""

_INVISIBLE = frozenset("\u00ad\u2060\ufeff\u180e")


def classify(code_points: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint8]:
    """Return the `CharClass` of each code point, shape unchanged.

    Letters and combining marks are ALPHA, numbers DIGIT, punctuation PUNCT, white space and control characters WHITE.
    Characters of the classes below WHITE have ink.
    """
    classes: npt.NDArray[np.uint8] = _table().take(code_points, mode="clip")
    if len(code_points) and int(code_points.max()) >= 0x10000:
        is_high = code_points >= 0x10000
        high, inverse = np.unique(code_points[is_high], return_inverse=True)
        classes[is_high] = np.array([_class_of(chr(point)) for point in high.tolist()], dtype=np.uint8)[inverse]
    return classes


def lower(code_points: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """Return each code point in lower case, shape unchanged.

    Every character maps to a single one: İ, for which `str.lower` returns two, becomes i. Final ς becomes σ, the lower
    case of Σ, so that a Greek word equals the same word in capitals.
    """
    lowered: npt.NDArray[np.uint32] = _lower_table().take(code_points, mode="clip")
    if len(code_points) and int(code_points.max()) >= 0x10000:
        is_high = code_points >= 0x10000
        high, inverse = np.unique(code_points[is_high], return_inverse=True)
        lowered[is_high] = np.array([_lower_of(point) for point in high.tolist()], dtype=np.uint32)[inverse]
    return lowered


@cache
def _lower_table() -> npt.NDArray[np.uint32]:
    """Return the lower case of the basic multilingual plane, shape (65536,)."""
    return np.fromiter((_lower_of(point) for point in range(0x10000)), np.uint32, 0x10000)


def _lower_of(point: int) -> int:
    return ord("σ") if point == ord("ς") else ord(chr(point).lower()[0])


@cache
def _table() -> npt.NDArray[np.uint8]:
    """Return the classes of the basic multilingual plane, shape (65536,)."""
    return np.fromiter((_class_of(chr(point)) for point in range(0x10000)), np.uint8, 0x10000)


def _class_of(character: str) -> int:
    category = unicodedata.category(character)
    if character in _INVISIBLE:
        return CharClass.INVISIBLE
    if category[0] in "LM":
        return CharClass.WHITE if character in _BLANK else CharClass.ALPHA
    if category[0] == "N":
        return CharClass.DIGIT
    if category[0] == "P":
        return CharClass.PUNCT
    if category[0] == "Z" or category == "Cc" or character.isspace() or character in _BLANK:
        return CharClass.WHITE
    return CharClass.OTHER
