"""JSON-LD: the objects that a page may be about."""

import json
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

Thing = Mapping[str, Any]
"""An object of JSON-LD."""

_SCRIPTS, _CHARS, _NODES = 50, 500_000, 5_000
"""Limits on JSON-LD: elements to read, characters of each, values to visit in all of them."""
_WORKS = ("Article", "Posting", "Report", "Recipe", "Question", "Blog", "Book", "Thesis", "Course")
"""Suffixes of the schema.org types of works that have an author and that a page can be about."""
_PARTS = ("VideoObject", "WebPage", "ItemPage", "AboutPage", "FAQPage", "CreativeWork", "Product", "Event")
"""Types that say something about the page if no work does."""
_OTHERS = frozenset(
    (
        *("comment", "itemListElement", "review", "hasPart", "isPartOf", "publisher"),
        *("suggestedAnswer", "acceptedAnswer", "mentions"),
    )
)
"""Properties that refer from the subject of a page to other things."""
_COMMA = re.compile(r",(\s*[\]}])")
_FENCE = re.compile(r"^\s*(?:<!--|//\s*<!\[CDATA\[|<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/)")
_TYPE = re.compile(r'"@type"\s{0,20}:\s{0,20}"(\w{1,60})"')
_PAIR = re.compile(
    r'"(headline|datePublished|dateModified)"\s{0,20}:\s{0,20}"((?:[^"\\]|\\.){1,1000})"'
    r'|"author"\s{0,20}:\s{0,20}[\[{\s]{0,20}(?:"@type"\s{0,20}:\s{0,20}"\w{1,30}"\s{0,20},\s{0,20})?'
    r'"name"\s{0,20}:\s{0,20}"((?:[^"\\]|\\.){1,1000})"'
)


def read_linked_data(scripts: Iterable[str]) -> list[Thing]:
    """Return the objects in a page's JSON-LD that the page may be about: works first, then pages, then others.

    Of a script that is not JSON, what can be read without parsing it is returned as an article.

    Args:
        scripts: the contents of the page's scripts of JSON-LD.
    """
    values: deque[Any] = deque()
    for source in islice(scripts, _SCRIPTS):
        if len(source) <= _CHARS:
            values += _parsed(source)
    things: list[Thing] = []
    for _ in range(_NODES):
        if not values:
            break
        value = values.popleft()
        if isinstance(value, list):
            values += value[:_NODES]
        elif isinstance(value, dict):
            things.append(value)
            values += [inner for key, inner in value.items() if key not in _OTHERS and isinstance(inner, dict | list)]
    return sorted(things, key=lambda thing: 0 if is_work(thing) else 1 if _is_type(thing, _PARTS) else 2)


def parsed_linked_data(scripts: Iterable[str]) -> Iterator[Thing]:
    """Yield the objects of a page's scripts of JSON-LD that are in no other one, those of a graph one by one.

    Numbers are as written. Of a damaged script there is what can be read without parsing it.
    """
    for source in islice(scripts, _SCRIPTS):
        values = deque(_parsed(source, type_=_TYPE, parse_float=str) if len(source) <= _CHARS else ())
        while values:
            value = values.popleft()
            if isinstance(value, list):
                values.extendleft(reversed(value[:_NODES]))
            elif isinstance(value, dict):
                if graph := value.get("@graph"):
                    values.appendleft(graph)
                yield {name: inner for name, inner in value.items() if name != "@graph"}


def is_work(thing: Thing) -> bool:
    """Return whether an object is of a type that has an author and that a page can be about."""
    return _is_type(thing, _WORKS)


def _is_type(thing: Thing, suffixes: tuple[str, ...]) -> bool:
    return any(type_.endswith(suffixes) for type_ in types_of(thing))


def types_of(thing: Thing) -> list[str]:
    """Return the types of an object, as written."""
    declared = thing.get("@type")
    types = declared if isinstance(declared, list) else [declared]
    return [type_ for type_ in types if isinstance(type_, str)]


def _parsed(
    source: str, *, type_: re.Pattern[str] | None = None, parse_float: Callable[[str], Any] | None = None
) -> Iterator[Any]:
    """Yield the value of a script; of a damaged one, the pairs that can be recognised.

    Args:
        source: the script.
        type_: finds the type of a damaged one; without it, it is an article.
        parse_float: reads numbers with decimals.
    """
    # line ends in strings are common
    decoder = json.JSONDecoder(strict=False, object_hook=_plain, parse_float=parse_float)
    source = _FENCE.sub("", source.lstrip("\ufeff")).lstrip()
    for attempt in (str, lambda text: _COMMA.sub(r"\1", text)):
        try:
            yield decoder.raw_decode(attempt(source))[0]
        except (ValueError, RecursionError):
            continue
        return
    if pairs := _pairs(source):
        found = type_.search(source) if type_ else None
        yield {"@type": "Article" if type_ is None else found[1] if found else "", **pairs}


def _plain(value: dict[str, Any]) -> Any:
    """Return a value that is written as an object, with its type or language, as it is."""
    return value.get("@value", value)


def _pairs(source: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for match in _PAIR.finditer(source):
        name, value, author = match.groups()
        try:
            text = json.loads(f'"{author if name is None else value}"', strict=False)
        except ValueError:
            continue
        pairs.setdefault(name or "author", text)
    return pairs


def texts_of(value: object, limit: int = 50) -> list[object]:
    """Return a value of JSON-LD as a list; of an object its name or address."""
    values = value[:limit] if isinstance(value, list) else [value]
    return [_text_of(each) for each in values]


def _text_of(value: object) -> object:
    if not isinstance(value, dict):
        return value
    found = next((value[key] for key in ("name", "url", "@id", "contentUrl") if value.get(key)), None)
    return found[0] if isinstance(found, list) else found
