"""Offer the text of a page's data as markup that is parsed with the page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING

from dehusk.base.lazy import pattern
from dehusk.read.elements import ParsedElements
from dehusk.read.guards import guarded
from dehusk.read.islands.choice import MIN_CHARS, Chosen, choose
from dehusk.read.islands.literals import Reader
from dehusk.read.islands.places import Place, find_places
from dehusk.read.islands.prose import bare, is_code, is_prose

if TYPE_CHECKING:
    from turbohtml.clean import Sanitizer

MARK = "data-dehusk-island"
"""The attribute of the elements around the text of data; its value is the number of the place."""
_STILL_OPEN = (
    "script style title textarea iframe noembed noframes xmp noscript template svg math select table a b i strong em"
)
_CLOSERS = "".join(f"</{tag}>" for tag in _STILL_OPEN.split())
"""End tags of what may still be open at the end of a page; a parser ignores those of what is not."""
_MAX_RUNNING = 600  # characters of running text in the elements of a page in need
_RATIO, _SHARE = 2, 0.5  # of the running text and of all text of the elements, what the data must hold at least
_MAX_KEYS = 3
_PLAINTEXT = pattern(r"</?plaintext\b[^<>]*>", re.IGNORECASE)  # all that follows it would be text
_LINES = pattern(r"[\r\n\u2028\u2029]+")
_BLOCK_TAGS = (
    "p div h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre address table caption thead tbody tfoot tr td th article "
    "section aside header footer figure figcaption details summary br hr"
)
_INLINE_TAGS = (
    "img wbr a abbr b bdi bdo big cite code data del dfn em i ins kbd mark q rp rt ruby s samp small span strong sub "
    "sup time u var math mi mn mo mrow mfrac msup msub msqrt"
)
_REMOVED_TAGS = "script style template iframe svg title textarea noembed noframes xmp object"


@dataclass(frozen=True)
class Offer:
    """Text of a page's data."""

    markup: str
    """To be parsed after the source of the page; each place is an element with the attribute `MARK`."""
    places: tuple[Place, ...]
    notes: tuple[str, ...]


def find_offer(elements: ParsedElements, texts: list[str]) -> Offer | None:
    """Return the text of a page's data if the page's elements hold little or none of it, else None.

    Args:
        elements: the elements of the page.
        texts: the texts of the page, at most `shells.MAX_SHOWN` characters.
    """
    texts = [text for text in map(str.strip, texts) if text]
    total = sum(map(len, texts))
    if len(elements.text) - total < MIN_CHARS:  # besides these texts, the source holds too little
        return None
    running = [text for text in texts if is_prose(text)]
    if sum(map(len, running)) > _MAX_RUNNING:
        return None
    places = find_places(elements)
    reader = Reader()
    for number, place in enumerate(places):
        _read(place, number, reader)
    least = max(MIN_CHARS, _RATIO * sum(map(len, running)), _SHARE * total)
    chosen = choose(reader.values, texts, least=least)
    chars = sum(len(bare(text.text)) for text in chosen if is_prose(bare(text.text)))
    if chars < least:
        return None
    by_place = [(places[number], list(group)) for number, group in groupby(chosen, key=lambda text: text.island)]
    markup = "".join(_markup(number, group) for number, (_, group) in enumerate(by_place))
    notes = tuple(dict.fromkeys(_note(place, group) for place, group in by_place))
    if reader.cut:
        notes += ("the data of the page is too large to be read in full",)
    return Offer(_CLOSERS + markup, tuple(place for place, _ in by_place), notes)


def _read(place: Place, number: int, reader: Reader) -> None:
    if place.kind == "pushed":
        reader.read_stream(place.source.split("\0"), number)
    elif place.kind == "markup":
        if not is_code(bare(place.source)[:1200]):
            reader.add(place.source, (), -1 - number, number)
    else:
        reader.read(place.source, number, is_json=place.kind == "json")


def _markup(number: int, texts: list[Chosen]) -> str:
    return f'<article {MARK}="{number}">{"".join(map(_text_markup, texts))}</article>'


def _text_markup(text: Chosen) -> str:
    from html import escape  # noqa: PLC0415 (few pages have such text)

    title = f"<h2>{escape(text.title)}</h2>" if text.title else ""
    if text.is_markup:
        return f"{title}<div>{_cleaner().sanitize(_guarded(text.text))}</div>"
    lines = [line for line in map(str.strip, _LINES.split(text.text)) if line]
    return title + "".join(f"<p>{escape(line)}</p>" for line in lines)


def _guarded(markup: str) -> str:
    """Return markup that the parser reads; it passes the guards again when it is a part of the page."""
    raw = _PLAINTEXT.sub("", markup).encode("utf-8", "replace")
    return guarded(raw.decode(), raw, len(raw))[0]


def _note(place: Place, texts: list[Chosen]) -> str:
    keys = [key for key in dict.fromkeys(text.key for text in texts) if key not in ("", "*", "T")][:_MAX_KEYS]
    return f"text taken from {place.name}" + (f" ({', '.join(keys)})" if keys else "")


@cache
def _cleaner() -> Sanitizer:
    """Return the sanitizer of the markup in data."""
    from turbohtml.clean import OnDisallowed, Policy, Sanitizer  # noqa: PLC0415 (few pages have such markup)

    return Sanitizer(
        Policy(
            tags=frozenset(_BLOCK_TAGS.split()) | frozenset(_INLINE_TAGS.split()),
            attributes={
                "*": frozenset({"title", "lang", "dir"}),
                "a": frozenset({"href"}),
                "img": frozenset({"src", "alt", "srcset"}),
                "td": frozenset({"colspan", "rowspan"}),
                "th": frozenset({"colspan", "rowspan"}),
                "time": frozenset({"datetime"}),
                "pre": frozenset({"class"}),
                "code": frozenset({"class"}),
            },
            url_schemes=frozenset({"http", "https", "mailto", "tel", "ftp"}),
            on_disallowed_tag=OnDisallowed.STRIP,
            remove_with_content=frozenset(_REMOVED_TAGS.split()),
            allow_svg=False,
        )
    )
