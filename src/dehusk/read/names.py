"""Words in the classes and the ids of a page, which name what its elements are for.

Most patterns of names find nothing on most pages. So one pass over the names looks for the words of all patterns, and a
pattern is tried only on the names that have one of its words.
"""

import re
from functools import lru_cache
from threading import Lock

from dehusk.base.lazy import pattern
from dehusk.compiled.text import WordTable

LONGEST = 2_000
"""Characters of a value in which a pattern is looked for."""


class NameWords:
    """Words that are looked for in names, in lower case."""

    def __init__(self, words: str) -> None:
        """Take the words, of two characters or more, separated by spaces."""
        self.words = tuple(words.split())
        with _REGISTERING:
            _ROWS[self] = len(_ROWS)


class NamePattern(NameWords):
    """A pattern that is looked for in names that have one of some words."""

    def __init__(self, source: str, words: str) -> None:
        """Take a pattern of names in lower case, and words as `NameWords`, of which one is in whatever it finds."""
        super().__init__(words)
        self.pattern: re.Pattern[str] = pattern(source)


_ROWS: dict[NameWords, int] = {}
"""All that the modules that are imported look for -> its row in the table of words."""
_REGISTERING = Lock()


@lru_cache(1)  # once most modules are imported, there are no new ones
def _table(known: int) -> WordTable:
    with _REGISTERING:  # another thread may import a module of patterns just now
        rows = tuple(_ROWS)[:known]
    return WordTable(wanted.words for wanted in rows)


class ElementNames:
    """The distinct values of an attribute of a page; the code of each is its place."""

    def __init__(self, values: tuple[str, ...]) -> None:
        self.values = values
        self._rows, self._found = 0, dict[int, list[int]]()  # how many rows were looked for; row -> what has its words

    def having(self, wanted: NameWords) -> list[int]:
        """Return the codes of those that have one of some words, in lower case."""
        row = _ROWS[wanted]
        if row >= self._rows:
            known = len(_ROWS)
            self._found, self._rows = _table(known).found_in(self.values, in_lower_case=True), known
        return self._found.get(row, [])

    def named(self, wanted: NamePattern) -> list[int]:
        """Return the codes of those in which, in lower case, a pattern finds something; very long ones are no names."""
        codes = self.having(wanted)
        if not codes:
            return codes
        names, found = ((code, self.values[code].lower()) for code in codes), wanted.pattern.search
        return [code for code, name in names if len(name) <= LONGEST and found(name)]
