"""Character classes and lower case, for whole texts at once."""

import unicodedata
from functools import cache

import numpy as np
import numpy.typing as npt


class CharClass:
    """The thesis's five character classes (section 4.2, `char.*`), and invisible characters.

    Plain integers: comparing a column of bytes with a member of an enumeration takes nine times as long.
    """

    OTHER = 0
    ALPHA = 1
    DIGIT = 2
    PUNCT = 3
    WHITE = 4
    INVISIBLE = 5
    """Neither ink nor a space: soft hyphen, word joiner, byte order mark. Blocks do not contain these."""


COLONS = (":", "：")
"""With one of these, a label ends, and a sentence that announces something."""
CURRENCY_SIGNS = "$€£¥￥₹₽₺₩₴₪₦₱₫฿₡₲₵₸₮₼₾৳"
"""Signs of currencies, which stand before or behind an amount."""
_BLANK = frozenset("\u200b\u2800\u3164")
"""Characters without ink that separate words although Unicode does not class them as white space."""

_CLASS_OF = {
    "L": CharClass.ALPHA,
    "M": CharClass.ALPHA,
    "N": CharClass.DIGIT,
    "P": CharClass.PUNCT,
    "Z": CharClass.WHITE,
}
"""First letter of a category of Unicode -> class; OTHER for the rest."""

_ROW = 256  # code points that are classed at once
_WITHOUT_CHARACTERS = range(0xD800, 0xF900, _ROW)
"""Surrogates and code points for private use, which stay without characters in all versions of Unicode."""

_INVISIBLE = frozenset("\u00ad\u2060\ufeff\u180e")

PLANE = 0x10000
"""Number of code points of the basic multilingual plane."""


@cache
def lower_table(stop: int = PLANE) -> npt.NDArray[np.uint32]:
    """Return the lower case of the code points before `stop`, at most `PLANE`, shape (stop,)."""
    lowered = _characters(stop).replace("İ", "i").lower().replace("ς", "σ")
    return np.array([lowered]).view(np.uint32)  # a text of numpy is a row of code points, surrogates among them


def lower_of(point: int) -> int:
    """Return the lower case of one code point, as `lower` does."""
    return ord("σ") if point == ord("ς") else ord(chr(point).lower()[0])


@cache
def class_table(stop: int = PLANE) -> npt.NDArray[np.uint8]:
    """Return the classes of the code points before `stop`, at most `PLANE`, shape (stop,)."""
    characters = _characters(stop)
    table = np.full(stop, CharClass.OTHER, np.uint8)
    for start in range(0, stop, _ROW):
        row = characters[start : start + _ROW]
        if row.isalpha():  # every one is a letter, as in most rows of Chinese and Korean
            table[start : start + _ROW] = CharClass.ALPHA
        elif start not in _WITHOUT_CHARACTERS:
            classes = bytes(map(_class_of_category, map(unicodedata.category, row)))
            table[start : start + _ROW] = np.frombuffer(classes, np.uint8)
    for exceptions, char_class in ((_BLANK, CharClass.WHITE), (_INVISIBLE, CharClass.INVISIBLE)):
        table[[point for point in map(ord, exceptions) if point < stop]] = char_class
    return table


def class_of(point: int) -> int:
    """Return the class of one code point beyond the basic multilingual plane, as `classify` does."""
    return _class_of_category(unicodedata.category(chr(point)))


def _characters(stop: int) -> str:
    """Return the code points before `stop` as a text."""
    return str(np.arange(stop, dtype=np.uint32).view(f"=U{stop}")[0])


@cache
def _class_of_category(category: str) -> int:
    """Return the class of the characters of a category of Unicode; all white space is in categories Z and Cc."""
    if category == "Cc":
        return CharClass.WHITE
    return _CLASS_OF.get(category[0], CharClass.OTHER)
