"""What a page declares of things in the words of schema.org, as JSON-LD or microdata, and where it shows it.

A fact is a value of a thing, or of one inside it: `offers.price` of a product. It is shown where a block says the same:
a number by its value in a short line, a day by the date that a short line gives, any other text by
its first words in a row. What is declared and shown nowhere has no blocks: readers do not see it, and nothing vouches
for it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from itertools import islice
from typing import Any
from unicodedata import normalize

import numpy as np

from dehusk.about.dates import read_dates
from dehusk.about.metadata.linked_data import parsed_linked_data, types_of
from dehusk.base.lazy import pattern
from dehusk.blocks import Blocks
from dehusk.blocks.labels import Labels
from dehusk.read.page import Bools, Page

_THINGS, _FACTS, _DEPTH = 500, 2_000, 8
"""Things and facts of a page, and things inside each other, at most."""
_CHARS, _WORDS, _PLACES = 5_000, 12, 20
"""Characters of a value, its first words that a block must have, and blocks that show it, at most."""
_SHORT = 16  # words of a line that shows a number or a day
_LINKED_DATA = 'script[type^="application/ld+json" i]'
_OF_SCHEMA = pattern(r"https?://(?:www\.)?schema\.org/|schema:(?!//)", re.IGNORECASE)
_ADDRESS, _DAY = pattern(r"(?:https?:)?//|data:"), pattern(r"(\d{4}-\d\d-\d\d)(?:[T ][\d:.]*\S*)?")
_NUMBER, _TOKEN = pattern(r"\d[\d.,]*"), pattern(r"\d[\d.,'’\u00a0\u202f]*\d|\d")
_SPACED, _MARK, _GROUP = pattern(r"\d{1,3}(?: \d{3})+(?:[.,]\d+)?"), pattern(r"[.,'’\u00a0\u202f]"), 3
_WORD = pattern(r"[\u0e00-\u0eff\u3040-\u9fff]|[^\W\u0e00-\u0eff\u3040-\u9fff]+")
_LEAST = 2  # digits of a number that says something by itself
_TAG = re.compile(r"<[^<>]{0,1000}>")


@dataclass(frozen=True)
class DeclaredFact:
    """A value that a page declares of a thing."""

    name: str
    """Its property; of a thing inside another one, with the properties that lead to it: "offers.price"."""
    value: str
    """As it is declared; of enumerations of schema.org the last part of the address: "InStock"."""
    blocks: tuple[int, ...]
    """The blocks in `Document.blocks` that show it, `_PLACES` at most; none if none does, or if it is an address."""
    kept: bool
    """Whether one of these blocks is kept."""


@dataclass(frozen=True)
class DeclaredThing:
    """A thing that a page declares."""

    type: str
    """Its type in schema.org, the first if it has several: "Product"; "" if it has none."""
    source: str
    """"json-ld" or "microdata"."""
    facts: tuple[DeclaredFact, ...]

    def values(self, name: str) -> list[str]:
        """Return the values of a property, in their order."""
        return [fact.value for fact in self.facts if fact.name == name]

    def record(self) -> dict[str, object]:
        """Return the thing as plain values."""
        facts = [
            {"name": fact.name, "value": fact.value, "blocks": list(fact.blocks), "kept": fact.kept}
            for fact in self.facts
        ]
        return {"type": self.type, "source": self.source, "facts": facts}


def read_declared(labels: Labels) -> list[DeclaredThing]:
    """Return the things that a page declares, those of JSON-LD first, and where it shows what it says of them."""
    things, left = list[tuple[str, str, list[tuple[str, str]]]](), _FACTS
    for source, type_, values in islice(_things(labels.blocks.page), _THINGS):
        things.append((source, type_, list(islice(values, left))))
        left -= len(things[-1][2])
    places = _places(labels, [value for _, _, values in things for value in values])
    kept = labels.kept.tolist()
    return [
        DeclaredThing(
            type_,
            source,
            tuple(
                DeclaredFact(name, value, blocks, any(kept[block] for block in blocks))
                for name, value in values
                for blocks in (tuple(places.get((name, value), ())[:_PLACES]),)
            ),
        )
        for source, type_, values in things
        if values
    ]


def _things(page: Page) -> Iterator[tuple[str, str, Iterator[tuple[str, str]]]]:
    """Yield the source, the type and the values of each thing that is in no other one."""
    scripts = page.elements.select(_LINKED_DATA)
    for thing in parsed_linked_data(script.text for script in scripts):
        yield "json-ld", _name(next(iter(types_of(thing)), "")), _values(thing, "")
    for item in page.elements.microdata():
        yield "microdata", _name(item["@type"]), _values(item, "")


def _name(type_: str) -> str:
    """Return a type or a property without the address of schema.org, or a prefix for it."""
    return _OF_SCHEMA.sub("", type_)


def _values(value: Any, name: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield the names and the values of a thing and of those inside it, in their order."""
    if isinstance(value, Mapping) and depth < _DEPTH:
        for key, inner in ((_name(str(given)), inner) for given, inner in value.items()):
            if not key.startswith("@"):
                yield from _values(inner, f"{name}.{key}" if name else key, depth + 1)
            elif key in ("@list", "@set", "@graph") or (len(value) == 1 and _OF_SCHEMA.match(str(inner))):
                yield from _values(inner, name, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            yield from _values(inner, name, depth)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        text = _OF_SCHEMA.sub("", " ".join(str(value).split()))
        if 0 < len(text) <= _CHARS and name:
            yield name, text


def _places(labels: Labels, values: Iterable[tuple[str, str]]) -> dict[tuple[str, str], list[int]]:
    """Return name and value -> the blocks that show the value to readers, in their order."""
    blocks, seen = labels.blocks, np.ones(len(labels.blocks), dtype=np.bool_)
    seen[list(labels.hidden)] = False
    places: dict[tuple[str, str], list[int]] = {}
    days, texts = dict[tuple[str, str], str](), dict[tuple[str, str], tuple[str, ...]]()
    short = [block for block in ((blocks.digits > 0) & (blocks.words <= _SHORT)).nonzero()[0].tolist() if seen[block]]
    with_number = _index(short, lambda block: _numbers(blocks.text_of(block)))
    for name, value in values:
        if _NUMBER.fullmatch(value):
            readings = [one for one in _readings(value) if sum(map(str.isdigit, one)) >= _LEAST]
            places[name, value] = sorted({block for one in readings for block in with_number.get(one, ())})
        elif day := _DAY.fullmatch(value):
            days[name, value] = day[1]
        elif not _ADDRESS.match(value):
            words = _words(unescape(_TAG.sub(" ", value)))[:_WORDS]
            texts[name, value] = words if len("".join(words)) >= _LEAST else ()
    if days:
        with_day = _index(short, lambda block: _days(blocks, block))
        places |= {key: with_day.get(day, []) for key, day in days.items()}
    with_words = _with_words(blocks, seen, set(texts.values()) - {()}) if texts else {}
    return places | {key: with_words.get(words, []) for key, words in texts.items()}


def _index(numbers: Iterable[int], says: Callable[[int], Iterable[str]]) -> dict[str, list[int]]:
    """Return what blocks say -> those that say it, in their order."""
    found = defaultdict[str, list[int]](list)
    for block in numbers:
        for said in says(block):
            found[said].append(block)
    return found


def _days(blocks: Blocks, block: int) -> set[str]:
    dates = read_dates(blocks.text_of(block), blocks.page.meta.language or "")
    return {(date.value or "")[:10] for date in dates}


def _with_words(blocks: Blocks, seen: Bools, wanted: Collection[tuple[str, ...]]) -> dict[tuple[str, ...], list[int]]:
    """Return words -> the blocks that have them in a row and are seen, in their order."""
    lengths = defaultdict[str, set[int]](set)
    for words in wanted:
        lengths[words[0]].add(len(words))
    found = defaultdict[tuple[str, ...], list[int]](list)
    for block in seen.nonzero()[0].tolist():
        said = _words(blocks.text_of(block))
        for at, word in enumerate(said):
            for length in lengths.get(word, ()):
                run = said[at : at + length]
                if run in wanted and found[run][-1:] != [block]:
                    found[run].append(block)
    return found


def _words(text: str) -> tuple[str, ...]:
    """Return the words of a text in small letters; of scripts without spaces the characters."""
    return tuple(_WORD.findall(normalize("NFC", text.lower())))


def _numbers(text: str) -> set[str]:
    """Return what the numbers of a text may mean."""
    tokens = (*_TOKEN.findall(text), *(token.replace(" ", "") for token in _SPACED.findall(text)))
    return {reading for token in tokens for reading in _readings(token)}


def _readings(token: str) -> Iterator[str]:
    """Yield what a number may mean, with a point before decimals and no zeros at the ends.

    >>> [*_readings("1.299,00")], [*_readings("2,606")], [*_readings("4.80")]
    (['1299'], ['2.606', '2606'], ['4.8'])
    """
    parts = _MARK.split(token.rstrip(".,"))
    marks = {mark for mark in token if mark in ".,"}
    are_thousands = all(len(part) == _GROUP for part in parts[1:])
    if len(parts) > 1 and (len(marks) > 1 or len(parts) == 2):
        yield _trimmed(f"{''.join(parts[:-1])}.{parts[-1]}")
    if len(parts) == 1 or (are_thousands and len(marks) < 2):
        yield _trimmed("".join(parts))


def _trimmed(number: str) -> str:
    whole, point, decimals = number.partition(".")
    decimals = decimals.rstrip("0")
    return f"{whole.lstrip('0') or '0'}{point if decimals else ''}{decimals}"
