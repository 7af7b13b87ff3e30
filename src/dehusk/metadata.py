"""What a page says of itself: title, author, date, language, canonical address.

docs/decisions/0002-metadata.md says why turbohtml finds the elements and the date. What a page says is passed on, not
judged. Dates up to the end of the century are believed, so that a page has the same date today and tomorrow; but years
of two digits are read by turbohtml as not later than the current one.
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

_DATES = DateExtraction(original=True, extensive_search=False, max_date=date(2099, 12, 31))
_SCRIPTS, _CHARS, _NODES = 50, 500_000, 5_000
"""Bounds on JSON-LD: elements that are read, characters of each, values that are looked at in all of them."""
_MARKS = 10  # elements that are marked as naming an author and are looked at
_LONGEST = 300  # characters of a title or of a name; what is longer is something else
_TITLES = ("twitter:title", "dc.title", "dcterms.title")
_AUTHORS = ("author", "article:author", "dc.creator", "dcterms.creator", "parsely-author", "sailthru.author", "byl")
_LANGUAGES = ("og:locale", "dc.language", "dcterms.language", "language")
_WORKS = ("Article", "Posting", "Blog", "Report", "Recipe", "Question", "Book", "Thesis", "Course", "VideoObject")
"""Ends of schema.org's types for what a page can be about and somebody wrote."""
_OTHERS = frozenset(
    (
        *("comment", "itemListElement", "review", "hasPart", "isPartOf", "publisher"),
        *("suggestedAnswer", "acceptedAnswer", "mentions"),
    )
)
"""Properties that lead from what a page is about to something else."""
_JSON_LD = 'script[type="application/ld+json" i]'
_AUTHOR = "[itemprop~=author],[rel~=author]"
_NAME = "[itemprop~=name]"
_BY = re.compile(r"by(?:\s*:\s*|\s+)(?=\S)", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:https?:)?//|www\.", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Metadata:
    """What a page says of itself; None where it says nothing."""

    title: str | None = None
    author: str | None = None
    """Names, joined by "; "."""
    date: str | None = None
    """When it was published, YYYY-MM-DD."""
    language: str | None = None
    """As the page writes it, which is a BCP 47 tag where the page keeps to the standard."""
    canonical: str | None = None
    """The address that the page gives as its own, complete where the page's address is known."""

    def record(self) -> dict[str, str | None]:
        """Return it as plain values."""
        return asdict(self)


def read_metadata(page: Page) -> Metadata:
    """Return what a page says of itself; time grows with its size and nothing else.

    Each fact comes from the first of its sources that has one: JSON-LD, meta elements, microdata, other elements (a
    title from Open Graph first, which leaves the site's name away). Damaged sources are passed over.
    """
    said = {name.strip().lower(): content for name, content in reversed(page.meta.entries)}
    things = _things(page)
    headlines = [thing.get("headline") for thing in things]
    return Metadata(
        title=_first([said.get("og:title"), *headlines, *map(said.get, _TITLES), page.meta.title]),
        author=_authors(_credited(things))
        or _authors(map(said.get, _AUTHORS), most=1)
        or _authors(_marked(page), most=1),
        date=_date(page),
        language=_first([page.meta.language, *map(said.get, _LANGUAGES)]),
        canonical=_canonical(page, said.get("og:url")),
    )


def _first(values: Iterable[object]) -> str | None:
    return next(filter(None, map(_line, values)), None)


def _line(value: object) -> str:
    """Return a text with its white space folded; "" for what is no text or too long to be one line."""
    if not isinstance(value, str) or len(value) > 4 * _LONGEST:
        return ""
    line = " ".join(_SURROGATE.sub("\ufffd", value).split())
    return line if len(line) <= _LONGEST else ""


def _things(page: Page) -> list[Thing]:
    """Return the objects of the page's JSON-LD that it may be about, works that somebody wrote first."""
    values: deque[Any] = deque()
    for script in page.elements.select(_JSON_LD)[:_SCRIPTS]:
        source = script.text
        if len(source) <= _CHARS:
            try:
                values.append(json.loads(source, strict=False))  # line ends in strings are common
            except (ValueError, RecursionError):
                continue
    found: list[Thing] = []
    for _ in range(_NODES):
        if not values:
            break
        value = values.popleft()
        if isinstance(value, list):
            values += value[:_NODES]
        elif isinstance(value, dict):
            found.append(value)
            values += [inner for key, inner in value.items() if key not in _OTHERS and isinstance(inner, dict | list)]
    return sorted(found, key=lambda thing: not _is_work(thing))


def _is_work(thing: Thing) -> bool:
    kinds = thing.get("@type")
    return any(
        isinstance(kind, str) and kind.endswith(_WORKS) for kind in (kinds if isinstance(kinds, list) else [kinds])
    )


def _credited(things: list[Thing]) -> list[object]:
    """Return the authors of the first work that names any; a reference is followed to what it means."""
    known = {
        thing["@id"]: thing for thing in reversed(things) if isinstance(thing.get("@id"), str) and thing.get("name")
    }
    for thing in filter(_is_work, things):
        given = thing.get("author") or thing.get("creator")
        listed = given if isinstance(given, list) else [given]
        names = [_name(one, known) for one in listed[:_MARKS]]
        if any(map(_person, names)):
            return names
    return []


def _name(value: object, known: Mapping[str, Thing]) -> object:
    if not isinstance(value, dict):
        return value
    reference = value.get("@id")
    name = value.get("name") or known.get(str(reference), {}).get("name")
    return name[0] if isinstance(name, list) and name else name


def _marked(page: Page) -> Iterator[str]:
    """Yield the names in elements that are marked as an author's."""
    for element in page.elements.select(_AUTHOR)[:_MARKS]:
        inner = element.select_one(_NAME) or element
        yield inner.attr("content") or inner.text


def _authors(values: Iterable[object], *, most: int = _MARKS) -> str | None:
    """Return the names among some values, each once."""
    names = {name.casefold(): name for name in reversed([*filter(None, map(_person, values))][:most])}
    return "; ".join(reversed(names.values())) or None


def _person(value: object) -> str:
    """Return a name; "" for an address, as `article:author` often is, and for what has no letter."""
    name = _line(value)
    by = _BY.match(name)
    name = name[by.end() :] if by else name
    return name if _LETTER.search(name) and not _ADDRESS.match(name) else ""


def _date(page: Page) -> str | None:
    if not len(page):
        return None
    found = dates(page.elements.text, _DATES)
    return found.date if found else None


def _canonical(page: Page, open_graph: str | None) -> str | None:
    for said in (page.meta.canonical, open_graph):
        if address := "".join((said or "").split()):
            try:
                whole = urljoin(urljoin(page.url or "", page.meta.base or ""), _SURROGATE.sub("\ufffd", address))
                scheme = urlsplit(whole).scheme
            except ValueError:  # of an address that cannot be
                continue
            if scheme in ("http", "https", ""):
                return whole
    return None
