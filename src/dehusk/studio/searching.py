"""Words to search for in pages; of scripts that put no spaces between words, each character is a word."""

from __future__ import annotations

import re
from unicodedata import category, combining, normalize

WORD_ROWS = 1 << 40
"""Rows of the table `word` that are this far apart are of the same page: each time it was cleaned has its own,
of which the last one counts."""

_PRIVATE = 0xF0000  # characters from here on, which are those of words to the database, stand for signs
_WORD = re.compile("(?:[^\\W_]|[\U000f0000-\U000fffff])+")
_SPACELESS = re.compile("([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])")
_LAST_SIGN = 0xFDFF  # behind it are signs of symbols, not of letters
_SPELLING = (0, 7, 9)  # combining classes of signs that spell a word, such as vowels of Hindi; others are diacritics


class _Signs(dict[int, int | None]):
    """Character -> what is indexed of it, found out when it comes: the database would cut words at signs."""

    def __missing__(self, code: int) -> int | None:
        sign = chr(code)
        found: int | None = code
        if category(sign) in ("Mn", "Mc") and not _SPACELESS.match(sign):
            if combining(sign) not in _SPELLING:
                found = None
            elif code <= _LAST_SIGN:
                found = _PRIVATE + code
        self[code] = found
        return found


_SIGNS = _Signs()


def searchable(text: str) -> str:
    """Return a text as the database indexes it: composed, and without diacritics that are characters of their own."""
    return text if text.isascii() else _SPACELESS.sub(r" \1 ", normalize("NFC", text)).translate(_SIGNS)


def to_match(search: str) -> str:
    """Return the expression that finds pages with all words of a search; the last one may be incomplete.

    "" if there are no words. Characters that mean something to the database are taken as separators.
    """
    text = searchable(search)
    words = _WORD.findall(text)
    is_incomplete = bool(_WORD.fullmatch(text[-1:]))
    return " ".join(f'"{word}"' for word in words) + ("*" if words and is_incomplete else "")
