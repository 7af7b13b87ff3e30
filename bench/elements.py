"""Structure of a text: headings, list items, table cells, code lines, links and images, compared with another's.

Elements of two texts are matched one to one if their texts are equal up to white space, and in a second count if their
places (level, depth, row, column, address) are equal too.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

ELEMENT_KINDS = ("heading", "item", "cell", "code", "link", "image")
"""The kinds of elements: headings, list items, table cells, lines of code, links, images."""

_WHITE = re.compile(r"\s+")
_BOXES = dict.fromkeys(map(ord, "▢☐☑□◻⬜"))


@dataclass(frozen=True, order=True)
class Element:
    """One element of a text."""

    kind: str
    """One of `ELEMENT_KINDS`."""
    text: str
    """Its text without white space (`ink`); a line of code keeps its indentation; "" for an image."""
    place: tuple[int | str, ...] = ()
    """What must be right beside the text: (level,) of a heading, (depth, "ul" or "ol") of an item, (row, column) of a
    cell without empty rows and columns, (address,) of a link or image."""


@dataclass(frozen=True)
class ElementCounts:
    """How many elements of one kind two texts have, and how many are matched."""

    gold: int = 0
    found: int = 0
    by_text: int = 0
    """Matched by their texts."""
    right: int = 0
    """Matched by their texts and places."""

    def __add__(self, other: "ElementCounts") -> "ElementCounts":
        return ElementCounts(
            self.gold + other.gold, self.found + other.found, self.by_text + other.by_text, self.right + other.right
        )

    @property
    def precision(self) -> float:
        """Share of the found elements that are right; 1 if none is found."""
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """Share of the gold elements that are right; 1 if there is none."""
        return self.right / self.gold if self.gold else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall, from the counts; 1 if there is nothing to find and nothing found."""
        return 2 * self.right / (self.gold + self.found) if self.gold + self.found else 1.0


def ink(text: str) -> str:
    """Return a text without white space, invisible characters and boxes to tick, in compatible composed form (NFKC).

    A box before an item of a list is its sign, as a number is, and need not be written; one alone is a text.
    """
    bare = _WHITE.sub("", text)
    folded = unicodedata.normalize("NFKC", bare.translate(_BOXES) or bare)
    return "".join(c for c in folded if not c.isspace() and unicodedata.category(c) not in ("Cf", "Cc"))


def compare_elements(gold: Iterable[Element], found: Iterable[Element]) -> dict[str, ElementCounts]:
    """Return the counts of each kind of `ELEMENT_KINDS`."""
    gold, found = Counter(gold), Counter(found)
    return {kind: _compare(_of_kind(gold, kind), _of_kind(found, kind)) for kind in ELEMENT_KINDS}


def unmatched(gold: Iterable[Element], found: Iterable[Element]) -> tuple[list[Element], list[Element]]:
    """Return the elements of `gold` that are not found, and those found that are not in `gold`, text and place."""
    missed, added = Counter(gold), Counter(found)
    return list((missed - added).elements()), list((added - missed).elements())


def _of_kind(elements: Counter[Element], kind: str) -> Counter[Element]:
    return Counter({element: count for element, count in elements.items() if element.kind == kind})


def _compare(gold: Counter[Element], found: Counter[Element]) -> ElementCounts:
    texts = [Counter(element.text for element in side.elements()) for side in (gold, found)]
    return ElementCounts(
        gold=gold.total(),
        found=found.total(),
        by_text=(texts[0] & texts[1]).total(),
        right=(gold & found).total(),
    )
