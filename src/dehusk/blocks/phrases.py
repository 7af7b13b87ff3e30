"""Phrases that are looked for on every page: most need a text that a page does not have, and are never tried."""

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import cache
from typing import Generic, TypeVar

from dehusk.compiled.text import WordTable

Name = TypeVar("Name", bound=Hashable)


class Phrases(Generic[Name]):
    """Regular expressions for texts in lower case with folded white space, by the name of what they say."""

    def __init__(self, phrases: Mapping[Name, Iterable[str]]) -> None:
        """Take name -> regular expressions; `^` and `$` match at lines.

        Raises:
            ValueError: a phrase may match less than two characters, so that nothing is needed for it.
        """
        self._phrases = [(name, phrase) for name, patterns in phrases.items() for phrase in patterns]
        self._words = WordTable(literals_of(phrase) for _, phrase in self._phrases)

    def likely(self, text: str) -> dict[Name, list[str]]:
        """Return name -> the phrases that may match a text: those of which a literal is in it."""
        found: dict[Name, list[str]] = {}
        for _, name, phrase in self.likely_in([text]):
            found.setdefault(name, []).append(phrase)
        return found

    def likely_in(self, texts: list[str]) -> Iterator[tuple[int, Name, str]]:
        """Yield (number of the text, name, phrase) for each phrase that may match one of some texts in lower case."""
        found = sorted(self._words.found_in(texts, in_lower_case=True).items())
        return ((number, *self._phrases[row]) for row, numbers in found for number in numbers)


@cache  # that of `re` forgets
def compiled(phrase: str) -> re.Pattern[str]:
    """Return a phrase as a pattern."""
    return re.compile(phrase, re.MULTILINE)


_PLAIN = r"[^\\\[\]()|.^$?*+{}]"
_SIGNS = re.compile(rf"\\.|\[.*?\]|\(\?(?::|P<\w+>|<?=)|[()|.^$?*+]|\{{.*?\}}|{_PLAIN}+(?![?*{{])|{_PLAIN}")
"""The parts of the phrases: escapes, sets, groups, signs, and texts that stand for themselves, of which all is needed
or one character may be missing. What must stand ahead or behind is needed, too."""


def literals_of(phrase: str) -> tuple[str, ...]:
    """Return texts of two characters or more, of which all that a regular expression matches has one.

    Raises:
        ValueError: there are none.
    """
    signs = _SIGNS.findall(phrase)[::-1]
    literals = _alternatives(signs)
    if min(map(len, literals)) < 2:
        raise ValueError(f"each phrase must need a text of two characters or more: {phrase}")
    return tuple(sorted(literals))


def _alternatives(signs: list[str]) -> set[str]:
    """Return the literals of what is between the bars; takes signs, the first of which is last, up to a group's end."""
    found: set[str] = set()
    while True:
        found |= _needed(signs)
        if not signs or signs.pop() == ")":
            return found


def _needed(signs: list[str]) -> set[str]:
    """Return the literals of the part of a sequence whose shortest one is longest; takes the signs up to its end."""
    best, least, run = {""}, 0, ""
    while signs and signs[-1] not in ("|", ")"):
        sign = signs.pop()
        part = _alternatives(signs) if sign[0] == "(" else {""}
        is_text = not sign[1].isalnum() if sign[0] == "\\" else sign[0] not in "([{.^$?*+"
        optional = bool(signs) and signs[-1][0] in "?*{"  # what it says may be missing
        if is_text and not optional:
            run += sign.removeprefix("\\")
            continue
        if len(run) > least:
            best, least = {run}, len(run)
        if not optional and (shortest := min(map(len, part))) > least:
            best, least = part, shortest
        run = ""
    return {run} if len(run) > least else best
