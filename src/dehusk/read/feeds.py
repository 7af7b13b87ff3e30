"""Feeds: what RSS (0.9 to 2.0, also as RDF) and Atom say of a site and its entries, as a page of HTML.

A parser of HTML would lose the titles and addresses of the entries, and make one line of the rest. Each entry becomes
an `article` with its title as a linked heading, its date and authors, and its text, which feeds hold as escaped HTML.
"""

import re
from collections.abc import Iterator
from html import escape, unescape
from typing import Any
from xml.etree.ElementTree import Element, ParseError, XMLPullParser, tostring

from dehusk.base.lazy import pattern

_DECLARED = "<!DOCTYPE", "<!ENTITY"
"""What no feed needs, and what lets a small text grow without end."""
_AMPERSAND = pattern(
    r"&(?!(?:amp|lt|gt|quot|apos|#\d{1,8}|#x[\da-f]{1,8});)(?P<name>[a-z][a-z\d]{1,30};)?", re.IGNORECASE
)
"""An ampersand that XML does not allow: of an entity of HTML, or alone."""
_MARKUP = pattern(r"<[a-z/!]", re.IGNORECASE)
_DECLARATION = pattern(r"^\ufeff?\s*<\?xml[^>]{0,500}\?>")
_TAG = pattern(r"</?[a-z][^<>]{0,300}>", re.IGNORECASE)
_TEXTS = ("encoded", "content", "description", "summary")
"""What an entry calls its text, the longest form first."""
_DATES = ("pubDate", "published", "date", "updated")


def feed_as_html(text: str) -> str | None:
    """Return the page of HTML that says what a feed does, up to where it is cut or malformed; None without entries."""
    if any(sign in text for sign in _DECLARED):
        return None
    site, entries = _read(text)
    if not entries:
        return None
    head = f"<title>{escape(_text(site, 'title'))}</title>"
    if link := _link(site):
        head += f'<meta property="og:url" content="{escape(link)}">'
    about = _text(site, "description", "subtitle")
    start = f"<h1>{escape(_text(site, 'title'))}</h1><p>{escape(about)}</p>" if _text(site, "title") else ""
    return f"<!doctype html><html><head>{head}</head><body>{start}{''.join(map(_article, entries))}</body></html>"


def _read(text: str) -> tuple[Element, list[Element]]:
    """Return the element that says what the site is, and the entries that are whole."""
    parser: Any = XMLPullParser(("start", "end"))  # its events have more types than those asked for
    entries, site = list[Element](), Element("channel")
    try:
        parser.feed(_DECLARATION.sub("", _AMPERSAND.sub(_allowed, text)))
        for event, element in parser.read_events():
            if event == "start" and _name(element) in ("channel", "feed"):
                site = element
            elif event == "end" and _name(element) in ("item", "entry"):
                entries.append(element)
    except (ParseError, ValueError):  # cut or malformed: what is before stands
        pass
    return site, entries


def _allowed(match: re.Match[str]) -> str:
    character = unescape(match[0])
    return character if character != match[0] else f"&amp;{match['name'] or ''}"


def _name(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _text(parent: Element, *names: str) -> str:
    """Return the text of the first child with one of some names that has text."""
    children = [(_name(child), child) for child in parent]
    for name in names:
        for own, child in children:
            if own == name and (text := " ".join("".join(child.itertext()).split())):
                return _TAG.sub("", unescape(text)) if "&" in text or "<" in text else text
    return ""


def _link(parent: Element) -> str:
    """Return the address that an entry or a site gives: the text of `link`, or its attribute."""
    links = [child for child in parent if _name(child) == "link"]
    given = [(child.get("rel", "alternate"), (child.get("href") or child.text or "").strip()) for child in links]
    return next((address for rel, address in given if address and rel == "alternate"), "")


def _article(entry: Element) -> str:
    title, link = escape(_text(entry, "title")), _link(entry)
    heading = f'<a href="{escape(link)}">{title or escape(link)}</a>' if link else title
    said = " · ".join(map(escape, filter(None, (_text(entry, *_DATES), *_authors(entry)))))
    return f"<article><h2>{heading}</h2><p>{said}</p>{_content(entry)}</article>"


def _authors(entry: Element) -> Iterator[str]:
    for child in entry:
        if _name(child) in ("author", "creator"):
            yield _text(child, "name") or " ".join((child.text or "").split())


def _content(entry: Element) -> str:
    """Return the text of an entry as HTML: of the elements that may hold it, the first that does."""
    for name in _TEXTS:
        for child in entry:
            if _name(child) == name and (text := _markup(child).strip()):
                return f"<div>{text}</div>" if _MARKUP.search(text) else f"<p>{escape(unescape(text))}</p>"
    return ""


def _markup(parent: Element) -> str:
    """Return what is in an element: its text, or its elements as HTML."""
    if not len(parent):
        return parent.text or ""
    for element in parent.iter():
        element.tag = _name(element)
    try:
        inside = (tostring(child, encoding="unicode", method="html") for child in parent)  # and the text behind each
        return escape(parent.text or "") + "".join(inside)
    except RecursionError:  # elements in elements, hundreds deep
        return escape("".join(parent.itertext()))
