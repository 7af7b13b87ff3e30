"""What a page declares of things in the words of schema.org, as JSON-LD or microdata, and where it shows it.

A fact is a value of a thing, or of one inside it: `offers.price` of a product. It is shown where a block says the same:
a price or another number by its digits in a short line, a day by the date that a short line gives, any other text by
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

from dehusk.about.dates import read_dates
from dehusk.about.metadata.linked_data import parsed_linked_data, types_of
from dehusk.base.lazy import pattern
from dehusk.blocks import Blocks
from dehusk.blocks.labels import Labels
from dehusk.label.prices import amounts_of, as_shown
from dehusk.read.page import Page

_THINGS, _FACTS, _DEPTH = 500, 2_000, 8
"""Things and facts of a page, and things inside each other, at most."""
_CHARS, _WORDS, _PLACES = 5_000, 12, 20
"""Characters of a value, its first words that a block must have, and blocks that show it, at most."""
_SHORT = 16  # words of a line that shows a number or a day
_LINKED_DATA = 'script[type="application/ld+json" i]'
_OF_SCHEMA = pattern(r"https?://(?:www\.)?schema\.org/", re.IGNORECASE)
_ADDRESS, _DAY = pattern(r"(?:https?:)?//|data:"), pattern(r"(\d{4}-\d\d-\d\d)(?:[T ][\d:.]*\S*)?")
_NUMBER, _WORD = pattern(r"\d[\d.,]*"), pattern(r"\w+")
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
    places = _places(labels.blocks, [value for _, _, values in things for value in values])
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
    """Return a type without the address of schema.org."""
    return _OF_SCHEMA.sub("", type_)


def _values(value: Any, name: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield the names and the values of a thing and of those inside it, in their order."""
    if isinstance(value, Mapping) and depth < _DEPTH:
        for key, inner in value.items():
            if not str(key).startswith("@"):
                yield from _values(inner, f"{name}.{key}" if name else str(key), depth + 1)
    elif isinstance(value, list):
        for inner in value:
            yield from _values(inner, name, depth)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        text = _OF_SCHEMA.sub("", " ".join(str(value).split()))
        if 0 < len(text) <= _CHARS and name:
            yield name, text


def _places(blocks: Blocks, values: Iterable[tuple[str, str]]) -> dict[tuple[str, str], list[int]]:
    """Return name and value -> the blocks that show the value, in their order."""
    places: dict[tuple[str, str], list[int]] = {}
    days, texts = dict[tuple[str, str], str](), dict[tuple[str, str], tuple[str, ...]]()
    short = ((blocks.digits > 0) & (blocks.words <= _SHORT)).nonzero()[0].tolist()
    with_digits = _index(short, lambda block: amounts_of(blocks, block))
    for name, value in values:
        if _NUMBER.fullmatch(value):
            digits = as_shown(value) if name.lower().endswith("price") else (_digits(value),)
            shown = {block for one in digits if len(one) >= _LEAST for block in with_digits.get(one, ())}
            places[name, value] = sorted(shown)
        elif day := _DAY.fullmatch(value):
            days[name, value] = day[1]
        elif not _ADDRESS.match(value):
            texts[name, value] = _words(unescape(_TAG.sub(" ", value)))[:_WORDS]
    if days:
        with_day = _index(short, lambda block: _days(blocks, block))
        places |= {key: with_day.get(day, []) for key, day in days.items()}
    with_words = _with_words(blocks, set(texts.values()) - {()}) if texts else {}
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


def _with_words(blocks: Blocks, wanted: Collection[tuple[str, ...]]) -> dict[tuple[str, ...], list[int]]:
    """Return words -> the blocks that have them in a row, in their order."""
    lengths = defaultdict[str, set[int]](set)
    for words in wanted:
        lengths[words[0]].add(len(words))
    found = defaultdict[tuple[str, ...], list[int]](list)
    for block, text in enumerate(blocks.texts):
        said = _words(text)
        for at, word in enumerate(said):
            for length in lengths.get(word, ()):
                run = said[at : at + length]
                if run in wanted and found[run][-1:] != [block]:
                    found[run].append(block)
    return found


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.lower()))


def _digits(number: str) -> str:
    return "".join(filter(str.isdigit, number)).lstrip("0") or "0"
