"""What `dehusk.compiled.text` computes: classes, lower case and keys of characters."""

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from dehusk.base.characters import CharClass

INVISIBLE = "\u00ad\u2060\ufeff\u180e"  # soft hyphen, word joiner, byte order mark, Mongolian vowel separator
BLANK = "\u200b\u2800\u3164"  # zero-width space, empty Braille pattern, Hangul filler
OF_CATEGORY = {
    "L": CharClass.ALPHA,
    "M": CharClass.ALPHA,
    "N": CharClass.DIGIT,
    "P": CharClass.PUNCT,
    "Z": CharClass.WHITE,
}
BASE = 0x9E3779B97F4A7C15
MODULUS = 1 << 64


@lru_cache(maxsize=4096)
def class_of(character: str) -> int:
    """Return the class of a character: invisible, white space, or by the first letter of its category in Unicode."""
    if character in INVISIBLE:
        return CharClass.INVISIBLE
    category = unicodedata.category(character)
    if character in BLANK or category == "Cc":
        return CharClass.WHITE
    return OF_CATEGORY.get(category[0], CharClass.OTHER)


def is_white(character: str) -> bool:
    """Return whether a character is white space."""
    return class_of(character) == CharClass.WHITE


def is_letter(character: str) -> bool:
    """Return whether a character is a letter, or a mark that is combined with one."""
    return class_of(character) == CharClass.ALPHA


def lower(character: str) -> str:
    """Return a character in lower case, always one character; both lower cases of Σ are σ."""
    return "σ" if character == "ς" else character.lower()[0]


def text_of(code_points: Sequence[int]) -> str:
    """Return the text of code points."""
    return "".join(map(chr, code_points))


def mix(number: int) -> int:
    """Return a 64-bit number with its bits scattered: the end of SplitMix64."""
    number %= MODULUS
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 % MODULUS
    number = (number ^ number >> 27) * 0x94D049BB133111EB % MODULUS
    return number ^ number >> 31


def sequence_key(numbers: Iterable[int]) -> int:
    """Return the key of a sequence: a polynomial over its scattered numbers, plus its length."""
    total, power, length = 0, 1, 0
    for number in numbers:
        total += mix(number + BASE) * power
        power = power * BASE % MODULUS
        length += 1
    return mix(total + length)


def text_key(text: str) -> int:
    """Return the key of a text: that of its code points."""
    return sequence_key(map(ord, text))


def pair_key(first: int, second: int) -> int:
    """Return the key of an ordered pair of keys."""
    return mix(mix(first + BASE) + second)
