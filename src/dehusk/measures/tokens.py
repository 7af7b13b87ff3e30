r"""Split texts into words for the measures of word overlap, and encode words as characters for alignment.

A word is a match of ``\w+`` in the lower-cased text, as in WCXB, unless a measure's documentation says otherwise.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Final

from dehusk.base.extras import require

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

WORD: Final = re.compile(r"\w+")


def words(text: str) -> list[str]:
    """Return the lower-cased words of a text, in order."""
    return list(_words(text))


@lru_cache(maxsize=4)  # most measures of a page need the words of the same two texts
def _words(text: str) -> tuple[str, ...]:
    return tuple(WORD.findall(text.lower()))


def grams(tokens: Sequence[str], n: int) -> list[tuple[str, ...]]:
    """Return all runs of n tokens, in order.

    Fewer than n tokens form one shorter run; no tokens form none.
    """
    if 0 < len(tokens) < n:
        return [tuple(tokens)]
    return list(zip(*(tokens[i:] for i in range(n)), strict=False))


def as_strings(first: Sequence[str], second: Sequence[str]) -> tuple[str, str]:
    """Encode every distinct word as one character, so that rapidfuzz aligns words as fast as letters.

    The characters start at U+0100 and skip the surrogates, which are not characters.

    Raises:
        ValueError: there are more than 1.1 million distinct words, the number of Unicode characters.
    """
    character: dict[str, str] = {}
    for word in chain(first, second):
        if word not in character:
            code = 0x100 + len(character)
            character[word] = chr(code if code < 0xD800 else code + 0x800)
    return "".join(map(character.__getitem__, first)), "".join(map(character.__getitem__, second))


def distances() -> ModuleType:
    """Return the distances of RapidFuzz, which only what compares texts needs.

    Raises:
        MissingExtraError: RapidFuzz is not installed.
    """
    return require("rapidfuzz.distance", extra="evaluate", purpose="comparing texts")
