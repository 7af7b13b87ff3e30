r"""Words of texts as the measures of word overlap take them, and words as the characters of strings.

A word is a match of ``\w+`` in the lower-cased text, as in WCXB; measures that follow another definition say so.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

WORD: Final = re.compile(r"\w+")


def words(text: str) -> list[str]:
    """Return the lower-cased words of a text, in order."""
    return list(_words(text))


@lru_cache(maxsize=4)  # most measures of a page begin with the words of the same two texts
def _words(text: str) -> tuple[str, ...]:
    return tuple(WORD.findall(text.lower()))


def grams(tokens: Sequence[str], n: int) -> list[tuple[str, ...]]:
    """Return all runs of n tokens, in order.

    Fewer tokens than n are one shorter run, no tokens none.
    """
    if 0 < len(tokens) < n:
        return [tuple(tokens)]
    return list(zip(*(tokens[i:] for i in range(n)), strict=False))


def as_strings(first: Sequence[str], second: Sequence[str]) -> tuple[str, str]:
    """Write every distinct word as one character, so that rapidfuzz can align words as fast as letters.

    Characters begin at U+0100 and skip the surrogates, which are no characters.

    Raises:
        ValueError: with more than 1.1 million distinct words, the end of Unicode.
    """
    character: dict[str, str] = {}
    for word in chain(first, second):
        if word not in character:
            code = 0x100 + len(character)
            character[word] = chr(code if code < 0xD800 else code + 0x800)
    return "".join(map(character.__getitem__, first)), "".join(map(character.__getitem__, second))
