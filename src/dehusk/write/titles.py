"""The page's title before its text, unless the text has it."""

from __future__ import annotations

import re

from dehusk.write.interface import CleanedPage
from dehusk.write.options import TitleChoice

_WORD = re.compile(r"\w+")
_START = 12
"""Lines at the start of the text that may be the title; headings further down may be it too."""


def title_to_add(cleaned: CleanedPage, choice: TitleChoice, lines: list[str], headings: list[str]) -> str | None:
    """Return the title to write before a text; None if there is none, it is not wanted, or the text has it.

    Args:
        cleaned: the cleaned page.
        choice: whether a title is wanted; "auto" means if the text does not have it.
        lines: the first lines of the text.
        headings: all headings of the text.
    """
    if choice == "never" or not cleaned.labels.kept.any():
        return None
    title = cleaned.metadata.title
    if not title or choice == "always":
        return title
    words = _words(title)
    shown = [_words(line) for line in (*lines[:_START], *headings)]
    return None if not words or any(words == each for each in shown) or _starts(shown, words) else title


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _starts(shown: list[list[str]], words: list[str]) -> bool:
    """Return whether the first line starts with the title, as on pages whose text is one line."""
    return bool(shown) and shown[0][: len(words)] == words
