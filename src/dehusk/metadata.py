"""Metadata that a page declares: title, author, date, language and canonical address.

docs/decisions/0002-metadata.md explains why turbohtml finds the elements and the date. Declarations are returned
unchecked. Dates up to the end of the century are accepted, so that a page has the same date today and tomorrow;
turbohtml still reads two-digit years as not later than the current year.
"""

import json
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any
from urllib.parse import urljoin, urlsplit

from turbohtml.extract import DateExtraction, dates

from dehusk.page import Page

Thing = Mapping[str, Any]
"""An object of JSON-LD."""

_DATES = DateExtraction(original=True, extensive_search=False, max_date=date(2099, 12, 31))
_SCRIPTS, _CHARS, _NODES = 50, 500_000, 5_000
"""Limits on JSON-LD: elements to read, characters of each, values to visit in all of them."""
_MAX_AUTHORS = 10  # elements marked as an author, or authors of a work, to look at
_MAX_LINE = 300  # characters of a title or name; longer values are something else
_TITLES = ("twitter:title", "dc.title", "dcterms.title")
_AUTHORS = ("author", "article:author", "dc.creator", "dcterms.creator", "parsely-author", "sailthru.author", "byl")
_LANGUAGES = ("og:locale", "dc.language", "dcterms.language", "language")
_WORKS = ("Article", "Posting", "Blog", "Report", "Recipe", "Question", "Book", "Thesis", "Course", "VideoObject")
"""Suffixes of the schema.org types of works that have an author and that a page can be about."""
_OTHERS = frozenset(
    (
        *("comment", "itemListElement", "review", "hasPart", "isPartOf", "publisher"),
        *("suggestedAnswer", "acceptedAnswer", "mentions"),
    )
)
"""Properties that refer from the subject of a page to other things."""
_JSON_LD = 'script[type="application/ld+json" i]'
_AUTHOR = "[itemprop~=author],[rel~=author]"
_NAME = "[itemprop~=name]"
_BY = re.compile(r"by(?:\s*:\s*|\s+)(?=\S)", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:https?:)?//|www\.", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Metadata:
    """Metadata that a page declares; None for what it does not declare."""

    title: str | None = None
    author: str | None = None
    """Names, joined by "; "."""
    date: str | None = None
    """Date of publication, YYYY-MM-DD."""
    language: str | None = None
    """As the page writes it; a BCP 47 tag if the page follows the standard."""
    canonical: str | None = None
    """The address that the page declares as its own; absolute if the page's address is known."""

    def record(self) -> dict[str, str | None]:
        """Return the metadata as plain values."""
        return asdict(self)


def read_metadata(page: Page) -> Metadata:
    """Return the metadata that a page declares, in time proportional to the page's size.

    Each value comes from the first source that has it: JSON-LD, meta elements, microdata, other elements. A title comes
    from Open Graph first, which omits the site's name. Damaged sources are skipped.
    """
    meta = {name.strip().lower(): content for name, content in reversed(page.meta.entries)}
    things = _things(page)
    headlines = [thing.get("headline") for thing in things]
    return Metadata(
        title=_first([meta.get("og:title"), *headlines, *map(meta.get, _TITLES), page.meta.title]),
        author=_authors(_credited(things))
        or _authors(map(meta.get, _AUTHORS), limit=1)
        or _authors(_marked(page), limit=1),
        date=_date(page),
        language=_first([page.meta.language, *map(meta.get, _LANGUAGES)]),
        canonical=_canonical(page, meta.get("og:url")),
    )


def _first(values: Iterable[object]) -> str | None:
    return next(filter(None, map(_line, values)), None)


def _line(value: object) -> str:
    """Return a text with its white space folded; "" if it is not a text or too long for one line."""
    if not isinstance(value, str) or len(value) > 4 * _MAX_LINE:
        return ""
    line = " ".join(_SURROGATE.sub("\ufffd", value).split())
    return line if len(line) <= _MAX_LINE else ""


def _things(page: Page) -> list[Thing]:
    """Return the objects in the page's JSON-LD that the page may be about, works with an author first."""
    values: deque[Any] = deque()
    for script in page.elements.select(_JSON_LD)[:_SCRIPTS]:
        source = script.text
        if len(source) <= _CHARS:
            try:
                values.append(json.loads(source, strict=False))  # line ends in strings are common
            except (ValueError, RecursionError):
                continue
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
    return sorted(things, key=lambda thing: not _is_work(thing))


def _is_work(thing: Thing) -> bool:
    declared = thing.get("@type")
    types = declared if isinstance(declared, list) else [declared]
    return any(isinstance(type_, str) and type_.endswith(_WORKS) for type_ in types)


def _credited(things: list[Thing]) -> list[object]:
    """Return the authors of the first work that names any; references to other objects are resolved."""
    named = {
        thing["@id"]: thing for thing in reversed(things) if isinstance(thing.get("@id"), str) and thing.get("name")
    }
    for thing in filter(_is_work, things):
        declared = thing.get("author") or thing.get("creator")
        authors = declared if isinstance(declared, list) else [declared]
        names = [_name(author, named) for author in authors[:_MAX_AUTHORS]]
        if any(map(_person, names)):
            return names
    return []


def _name(value: object, named: Mapping[str, Thing]) -> object:
    if not isinstance(value, dict):
        return value
    reference = value.get("@id")
    name = value.get("name") or named.get(str(reference), {}).get("name")
    return name[0] if isinstance(name, list) and name else name


def _marked(page: Page) -> Iterator[str]:
    """Yield the names in elements that are marked as an author."""
    for element in page.elements.select(_AUTHOR)[:_MAX_AUTHORS]:
        inner = element.select_one(_NAME) or element
        yield inner.attr("content") or inner.text


def _authors(values: Iterable[object], *, limit: int = _MAX_AUTHORS) -> str | None:
    """Return the distinct names among some values, at most `limit`, joined."""
    names = {name.casefold(): name for name in reversed([*filter(None, map(_person, values))][:limit])}
    return "; ".join(reversed(names.values())) or None


def _person(value: object) -> str:
    """Return a name; "" for a value without letters, or an address, which `article:author` often is."""
    name = _line(value)
    by = _BY.match(name)
    name = name[by.end() :] if by else name
    return name if _LETTER.search(name) and not _ADDRESS.match(name) else ""


def _date(page: Page) -> str | None:
    if not len(page):
        return None
    extracted = dates(page.elements.text, _DATES)
    return extracted.date if extracted else None


def _canonical(page: Page, open_graph: str | None) -> str | None:
    for declared in (page.meta.canonical, open_graph):
        if address := "".join((declared or "").split()):
            try:
                absolute = urljoin(urljoin(page.url or "", page.meta.base or ""), _SURROGATE.sub("\ufffd", address))
                scheme = urlsplit(absolute).scheme
            except ValueError:  # an invalid address
                continue
            if scheme in ("http", "https", ""):
                return absolute
    return None
