"""Words to search for in pages; of scripts that put no spaces between words, each character is a word."""

from __future__ import annotations

import re

WORD_ROWS = 1 << 40
"""Rows of the table `word` that are this far apart are of the same page: each time it was cleaned has its own,
of which the last one counts."""

_WORD = re.compile(r"\w+")
_SPACELESS = re.compile("([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])")


def searchable(text: str) -> str:
    """Return a text as the database indexes it."""
    return text if text.isascii() else _SPACELESS.sub(r" \1 ", text)


def to_match(search: str) -> str:
    """Return the expression that finds pages with all words of a search; the last one may be incomplete.

    "" if there are no words. Characters that mean something to the database are taken as separators.
    """
    words = _WORD.findall(searchable(search))
    is_incomplete = search[-1:].isalnum() and not _SPACELESS.match(search[-1:])
    return " ".join(f'"{word}"' for word in words) + ("*" if words and is_incomplete else "")
