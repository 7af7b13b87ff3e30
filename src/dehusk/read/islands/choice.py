"""Which strings of a page's data are its text.

Strings under the same keys are a family: the bodies of all posts, or the paragraphs of an article. A family is text if
most of it is running text. Families that hold little beside the largest are left, and so are translations, consent
texts, what is related or advertised, and descriptions of what is there in full. Every text is taken once.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from operator import attrgetter

from dehusk.base.lazy import pattern
from dehusk.compiled.text import is_shown as _is_shown
from dehusk.read.islands.literals import Value
from dehusk.read.islands.prose import bare, has_markup, is_phrase, is_prose, may_become_prose, may_hold_prose, unescaped

MIN_CHARS = 300
"""Characters of running text below which data is not worth offering."""
_MAX_PHRASES = 15  # different keys with a phrase each, in one object: translations or settings
_STRONG_SHARE, _WEAK_SHARE = 0.15, 0.4
_OTHER = pattern(
    r"cookie|consent|gdpr|ccpa|onetrust|i18n|translat|locali[sz]|\bintl\b|phrases|dictionar|\bcss\b|\bstyles?\b|"
    r"settings|config|related|recommend|trending|popular|footer|navigation|navbar|\bmenu|sidebar|advert|promo|"
    r"newsletter|subscri|widget|\bbanners?\b|disclaimer|\blegal|copyright|privacy|\bseo|\berrors?\b|placeholder|tooltip",
    re.IGNORECASE,
)
_OTHER_WORDS = (
    "cookie consent gdpr ccpa onetrust i18n translat locali intl phrases dictionar css style settings config related "
    "recommend trending popular footer navigation navbar menu sidebar advert promo newsletter subscri widget banner "
    "disclaimer legal copyright privacy seo error placeholder tooltip"
)
_OTHER_SIGNS = _OTHER_WORDS.split()
_WEAK = pattern(
    r"desc|excerpt|summary|teaser|abstract|caption|\balt\b|meta|\bog\b|\bog:|twitter|\bbio|about|notice|subtitle|"
    r"message|publisher|\bauthors?\b",
    re.IGNORECASE,
)
_TITLES = ("headline", "title", "heading", "subject", "name", "question", "rendered", "fancy_title")
_TITLE_RANK = {name: rank for rank, name in enumerate(_TITLES)}
_MAX_TITLE = 250
_MIN_SHOWN, _MIN_RUNS, _SHOWN_SHARE = 60, 10, 0.25  # what of the text that a page shows tells that it shows its data
_MUCH_LONGER = 3
_MIN_TITLES = 3
_TOKEN = pattern(r"[\u3040-\u9fff\u0e00-\u0e7f]|[^\W_]+")
_SHINGLE = 5
_MAX_COMPARED = 2_000_000
_text_of = attrgetter("text")


@dataclass(frozen=True)
class Chosen:
    """A string that is text of the page."""

    text: str
    """The string, as markup if `is_markup`."""
    is_markup: bool
    key: str
    title: str
    """The title that stands with it in the data, for its first string; or empty."""
    island: int


@dataclass
class _Family:
    values: list[tuple[int, Value, str, bool]]  # place in the data, the value, its text, whether that is markup
    rows: list[tuple[int, Value, str, bool, str | None]]  # the same of all strings, and what must be a phrase
    chars: int = 0
    prose: int = 0

    @property
    def is_text(self) -> bool:
        return self.prose > 0 and self.prose * 2 >= self.chars


def choose(values: list[Value], shown: list[str], *, least: float = MIN_CHARS) -> list[Chosen]:
    """Return the strings that are text of the page and not shown by its elements, in the order of the data.

    There are none if the elements show the data: its running text, or the titles of the objects that it is in.

    Args:
        values: all strings of the data.
        shown: the texts of the page's elements.
        least: characters of running text; there are no strings if the data holds less.
    """
    if not may_hold_prose(map(_text_of, values), least):
        return []
    families = _families(values)
    if sum(family.prose for family in families) < least:
        return []
    chosen_families = _large(families)
    rows = [row for family in chosen_families for row in family.values]
    if not rows or _is_shown(values, shown):
        return []
    titles = _Titles(values)
    if titles.are_shown((row[1] for row in rows), set(map(_folded, shown))):
        return []
    seen = _Seen(" ".join(shown))
    ranked = sorted(chosen_families, key=lambda family: (not any(row[3] for row in family.values), -family.prose))
    taken: list[tuple[int, Value, str, bool]] = []
    for family in ranked:
        taken += [row for row in family.values if seen.is_new(bare(row[2]) if row[3] else row[2])]
    taken.sort(key=lambda row: row[0])
    return [
        Chosen(text, is_markup, value.path[-1] if value.path else "", titles.of(value), value.island)
        for _, value, text, is_markup in taken
    ]


def _families(values: list[Value]) -> list[_Family]:
    """Return the families of strings that are text; only those with a string that may be prose are looked at."""
    paths = {value[4]: value[1] for value in values if may_become_prose(value[0])}
    other_keys = {key for key in set().union(*paths.values()) if _is_other(key)}
    numbers = {number for number, path in paths.items() if other_keys.isdisjoint(path)}
    if not numbers:
        return []
    families: dict[int, _Family] = defaultdict(lambda: _Family([], []))
    of_families = [(place, value) for place, value in enumerate(values) if value[4] in numbers]
    dictionaries = _dictionaries(values, {value[2][0] for _, value in of_families})
    for place, value in of_families:
        if value.owners[0] in dictionaries:
            continue
        text = unescaped(value.text)
        is_markup = has_markup(text)
        plain = bare(text).strip() if is_markup else text
        family = families[value.family]
        family.chars += len(plain)
        prose = is_prose(plain)
        family.prose += len(plain) * prose
        if prose or is_markup or " " in plain or plain[:1].isupper():
            family.rows.append((place, value, text, is_markup, None if prose else plain))
    chosen = [family for family in families.values() if family.is_text]
    for family in chosen:
        family.values = [row[:4] for row in family.rows if row[4] is None or is_phrase(row[4])]
    return chosen


def _is_other(key: str) -> bool:
    """Return whether a key says that what is below it is no content; most keys hold no sign of that."""
    if key.isascii() and not any(map(key.lower().__contains__, _OTHER_SIGNS)):
        return False
    return _OTHER.search(key) is not None


def _dictionaries(values: list[Value], objects: set[int]) -> set[int]:
    """Return those of some objects that hold many phrases under different keys, as translations and settings do."""
    keys: dict[int, set[str]] = defaultdict(set)
    for text, path, owners, _, _ in values:
        if " " in text and owners[0] in objects and path and len(text) < 500:
            keys[owners[0]].add(path[-1])
    return {owner for owner, names in keys.items() if len(names) >= _MAX_PHRASES}


def _large(families: list[_Family]) -> list[_Family]:
    """Return the families that hold enough text beside the largest."""
    strong = [family for family in families if not _is_weak(family)]
    most = max((family.prose for family in strong), default=0)
    large = [family for family in strong if family.prose >= _STRONG_SHARE * most]
    if most < MIN_CHARS:
        large, most = [], 0
    owners = {row[1].owners[0] for family in large for row in family.values}
    weak = [family for family in families if _is_weak(family)]
    most = max(most, max((family.prose for family in weak), default=0))
    return large + [
        family
        for family in weak
        if family.prose >= _WEAK_SHARE * most and not any(row[1].owners[0] in owners for row in family.values)
    ]


def _is_weak(family: _Family) -> bool:
    """Return whether the keys of a family say that it describes something that is elsewhere in full."""
    return _WEAK.search(".".join(family.values[0][1].path[-3:])) is not None if family.values else True


class _Seen:
    """The runs of words that were seen so far."""

    def __init__(self, shown: str) -> None:
        self._runs: set[int] = set(_runs(shown))
        self._texts: set[str] = set()

    def is_new(self, text: str) -> bool:
        """Return whether most of a text was not seen before; if so, count it as seen."""
        folded = _folded(text)
        if folded in self._texts:
            return False
        runs = _runs(text)
        if sum(map(self._runs.__contains__, runs)) * 2 > len(runs):
            return False
        self._texts.add(folded)
        self._runs.update(runs)
        return True


def _folded(text: str) -> str:
    return " ".join(text.lower().split())


def _runs(text: str) -> list[int]:
    """Return keys of all runs of five words."""
    words = _TOKEN.findall(text[:_MAX_COMPARED].lower())
    return list(map(hash, zip(*(words[start:] for start in range(_SHINGLE)), strict=False)))


class _Titles:
    """The titles of the data's objects; each is given once."""

    def __init__(self, values: list[Value]) -> None:
        self._of: dict[int, tuple[int, str]] = {}
        self._given: Counter[str] = Counter()
        for value in [value for value in values if value[1] and value[1][-1] in _TITLE_RANK]:
            rank = _TITLE_RANK[value.path[-1]]
            if len(value.text) > _MAX_TITLE or not is_phrase(value.text):
                continue
            owner = value.owners[0]
            if value.path[-1] == "rendered":
                if value.path[-2:-1] != ("title",) or len(value.owners) < 2:
                    continue
                owner = value.owners[1]
            if owner not in self._of or rank < self._of[owner][0]:
                self._of[owner] = rank, bare(value.text).strip()

    def are_shown(self, values: Iterable[Value], shown: set[str]) -> bool:
        """Return whether the page shows a third of the titles of the objects around values, as a list of hits does."""
        owners = (next((owner for owner in value.owners if owner in self._of), 0) for value in values)
        titles = {self._of[owner][1] for owner in owners if owner}
        return len(titles) >= _MIN_TITLES and 3 * sum(_folded(title) in shown for title in titles) >= len(titles)

    def of(self, value: Value) -> str:
        """Return the title of the innermost object around a value that has one, unless it was given before."""
        for owner in value.owners:
            if owner in self._of:
                title = self._of[owner][1]
                self._given[title] += 1
                return title if self._given[title] == 1 and title != value.text else ""
        return ""
