"""Words in the classes and the ids of a page, which name what its elements are for.

Most patterns of names find nothing on most pages. So one pass over the names notes which pairs of characters each has,
in 64 bits; a word is looked for only in the names that have all of its pairs.
"""

import re

from dehusk.base.caching import cached_property
from dehusk.base.lazy import pattern
from dehusk.compiled.text import names_having, pairs_of_characters

LONGEST = 2_000
"""Characters of a value in which a pattern is looked for."""


class NameWords:
    """Words that are looked for in names, in lower case."""

    def __init__(self, words: str) -> None:
        """Take the words, separated by spaces."""
        self.words = tuple(words.split())
        self.pairs = pairs_of_characters(self.words)


class NamePattern(NameWords):
    """A pattern that is looked for in names that have one of some words."""

    def __init__(self, source: str, words: str) -> None:
        """Take a pattern of names in lower case, and words as `NameWords`, of which one is in whatever it finds."""
        super().__init__(words)
        self.pattern: re.Pattern[str] = pattern(source)


class ElementNames:
    """The distinct values of an attribute of a page; the code of each is its place."""

    def __init__(self, values: tuple[str, ...]) -> None:
        self.values = values

    @cached_property
    def lowered(self) -> list[str]:
        """Each of them in lower case."""
        return [value.lower() for value in self.values]

    def having(self, wanted: NameWords) -> list[int]:
        """Return the codes of those that have one of some words, in lower case."""
        return names_having(self.lowered, self._pairs, wanted.words, wanted.pairs)

    def named(self, wanted: NamePattern) -> list[int]:
        """Return the codes of those in which, in lower case, a pattern finds something; very long ones are no names."""
        names, found = self.lowered, wanted.pattern.search
        return [code for code in self.having(wanted) if len(names[code]) <= LONGEST and found(names[code])]

    @cached_property
    def _pairs(self) -> bytes:
        return pairs_of_characters(self.lowered)
