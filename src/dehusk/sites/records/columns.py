"""Columns, and how their values are read from the runs of a record."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from dehusk.sites.records.value_types import ColumnType, column_type

CONSTANT_SHARE = 0.95
"""Words that so many of a column's values start or end with are not part of the values; behind a label, all must."""
MIN_DIFFERENT = 4
"""Different values of a column of which constant words or separators are sought."""
SEPARATED = 0.85
"""A separator divides a column if so many of its values have the same number of it."""
SEPARATORS = (" / ", " | ", " • ", " · ", " – ", " — ", " >> ", " » ", "; ", " - ", ", ")
_MAX_PARTS, _MAX_SPLIT_WORDS = 6, 15


@dataclass(frozen=True)
class Reading:
    """How a column's value is read from one place."""

    place: int
    """Index of the place in the `Layout` of its channel."""
    channel: int = 0
    """Index of the channel; see `channels_of`."""
    prefix: str = ""
    """Constant text before the value."""
    suffix: str = ""
    """Constant text after it."""
    separator: str = ""
    """What divides the text, "" if nothing does."""
    types: tuple[str, ...] = ()
    """The types of the parts."""
    part: int = 0
    """Which part is the value."""

    def value(self, text: str) -> str:
        """Return the value in a text, "" if it has none."""
        text = stripped(text, self.prefix, self.suffix)
        return parts_of(text, self.separator, self.types)[self.part] if self.separator else text


@dataclass(frozen=True)
class RecordColumn:
    """A column of a table of records."""

    name: str
    type: ColumnType
    many: bool
    """Whether a record can have several values; a cell is a list then."""
    readings: tuple[Reading, ...]
    """Where the values are; the first place that has one counts."""
    evidence: str
    """What the name comes from: "label", "constant text", "class", …"""
    records: int
    """Records with a value among those that were learned from."""
    example: str
    """A value, as the page shows it."""
    xpath: str = ""
    """The element that holds the example; "" for linked data."""
    is_whole: bool = False
    """Whether the values of all places belong together, such as the paragraphs of a section."""
    is_link: bool = False
    """Whether the values are the addresses that the texts link to."""

    @property
    def is_labelled(self) -> bool:
        """Whether a label stands before the values."""
        return self.evidence == "label"


def stripped(text: str, prefix: str, suffix: str) -> str:
    """Return a text without a prefix and a suffix, where it has them."""
    if prefix and text.startswith(prefix):
        text = text[len(prefix) :].lstrip()
    if suffix and text.endswith(suffix):
        text = text[: len(text) - len(suffix)].rstrip()
    return text


def parts_of(text: str, separator: str, types: Sequence[str]) -> list[str]:
    """Return the parts of a text, one for each type, "" for a missing part.

    If a text has more parts than there are types, the first text has those that are too many; if it has fewer, parts
    are taken in order by their types.
    """
    found = [part.strip() for part in text.split(separator)]
    surplus = len(found) - len(types)
    if surplus > 0:
        at = next((number for number, type_ in enumerate(types) if type_ == "text"), 0)
        return [*found[:at], separator.join(found[at : at + surplus + 1]), *found[at + surplus + 1 :]]
    parts, number = [""] * len(types), 0
    for rest, part in enumerate(found):
        kind = column_type([part]).name if surplus else types[number]
        limit = len(types) - (len(found) - rest)
        while surplus and number < limit and types[number] != kind:
            number += 1
        parts[number] = part
        number += 1
    return parts


def constant_ends(values: Sequence[str], *, every: bool = False) -> tuple[str, str]:
    """Return the words that nearly all values start and end with, in whole words, each "" if there are none.

    Args:
        values: the values of a column.
        every: whether all values must have the words.
    """
    if len(set(values)) < MIN_DIFFERENT:
        return "", ""
    enough = len(values) * (1.0 if every else CONSTANT_SHARE)
    words = [value.split(" ") for value in values]
    front = _shared([word[:-1] for word in words], enough)
    rest = [word[len(front) :] if word[: len(front)] == front else word for word in words]
    back = _shared([word[:0:-1] for word in rest], enough)
    return " ".join(front), " ".join(reversed(back))


def _shared(lists: Sequence[list[str]], enough: float) -> list[str]:
    """Return the longest list that so many of the lists start with."""
    shared: list[str] = []
    alike = list(lists)
    while True:
        following = Counter(words[len(shared)] for words in alike if len(words) > len(shared))
        word, count = following.most_common(1)[0] if following else ("", 0)
        if count < enough or not any(map(str.isalpha, word)):
            return shared
        alike = [words for words in alike if len(words) > len(shared) and words[len(shared)] == word]
        shared.append(word)


def separator_of(values: Sequence[str], language: str) -> tuple[str, tuple[ColumnType, ...]]:
    """Return what divides nearly all values into the same number of parts, and the types of the parts; "" if nothing.

    A comma or a hyphen divides only parts of different types, such as a name and a year.
    """
    if sum(value.count(" ") for value in values) > _MAX_SPLIT_WORDS * len(values) or len(set(values)) < MIN_DIFFERENT:
        return "", ()
    for separator in SEPARATORS:
        counts = Counter(value.count(separator) for value in values)
        number, alike = counts.most_common(1)[0]
        if not 0 < number < _MAX_PARTS or alike < SEPARATED * len(values):
            continue
        columns = list(zip(*(v.split(separator) for v in values if v.count(separator) == number), strict=True))
        types = tuple(column_type([part.strip() for part in parts], language) for parts in columns)
        if separator in (", ", " - ", "; ") and len({type_.name for type_ in types}) == 1:
            continue
        return separator, types
    return "", ()
