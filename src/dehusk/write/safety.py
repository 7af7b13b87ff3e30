"""Elements, attributes and addresses that cleaned HTML may contain; turbohtml's sanitizer enforces them.

`id` and `name` are removed, because they can shadow properties of the page that shows the text; `class` stays only if
it names the language of code. Addresses are http, https, ftp, mailto, tel or relative; embedded data is removed.
`content.addresses` makes relative addresses absolute if the page's address is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from html import escape
from typing import TYPE_CHECKING

from dehusk.base.lazy import pattern
from dehusk.base.tags import KNOWN, TAG_NUMBER, TEXT, is_block_level
from dehusk.read.addresses import SAFE_SCHEMES, Addresses
from dehusk.read.page import Attributes

if TYPE_CHECKING:
    from turbohtml.clean import Sanitizer

_BLOCK = (
    "p div h1 h2 h3 h4 h5 h6 ul ol li dl dt dd blockquote pre address table caption thead tbody tfoot tr td th "
    "article section nav aside header footer main hgroup search figure figcaption details summary"
)
_INLINE = (
    "a abbr b bdi bdo big cite code data del dfn em i ins kbd mark q rp rt ruby s samp small span strong sub sup "
    "time u var"
)
_MATH = (
    "math mi mn mo ms mtext mspace mrow mfrac msqrt mroot mstyle merror mpadded mphantom msub msup msubsup munder "
    "mover munderover mmultiscripts mprescripts mtable mtr mtd semantics annotation"
)
BLOCK = frozenset(_BLOCK.split())
INLINE = frozenset(_INLINE.split())
EMPTY = frozenset({"br", "hr", "img", "wbr"})
MATH = frozenset(_MATH.split())
RENAMED = {
    **dict.fromkeys(("listing", "xmp", "plaintext", "textarea"), "pre"),
    **dict.fromkeys(("menu", "dir"), "ul"),
    "strike": "s",
    "tt": "code",
    "acronym": "abbr",
}

ATTRIBUTES = {
    "*": frozenset({"title", "lang", "dir"}),
    "a": frozenset({"href"}),
    "img": frozenset({"src", "alt"}),
    "td": frozenset({"colspan", "rowspan"}),
    "th": frozenset({"colspan", "rowspan", "scope"}),
    "ol": frozenset({"start", "type", "reversed"}),
    "li": frozenset({"value"}),
    "time": frozenset({"datetime"}),
    "del": frozenset({"datetime", "cite"}),
    "ins": frozenset({"datetime", "cite"}),
    "blockquote": frozenset({"cite"}),
    "q": frozenset({"cite"}),
    "pre": frozenset({"class"}),
    "code": frozenset({"class"}),
    "math": frozenset({"display"}),
    "mfrac": frozenset({"linethickness"}),
}
"""Element -> the attributes it may have; "*" for all elements."""

MAX_SPAN = 1000
"""The largest colspan and rowspan; the HTML standard sets the same limit for columns."""

_INTEGER = pattern(r"\s*([+-]?)0*(\d+)")
_LANGUAGE_CLASS = pattern(r"(?:^|\s)(lang(?:uage)?-[\w+#.-]{1,40})(?=\s|$)")


def sanitize(fragment: str) -> str:
    """Return a fragment of HTML with only what is allowed."""
    return _sanitizer().sanitize(fragment)


def sanitize_marked(fragment: str) -> str:
    """Return a fragment that may contain marks and links within itself, loads nothing, and links nowhere else.

    Its elements may have the attribute `data-unit`.
    """
    return _marked().sanitize(fragment)


def sanitize_outline(fragment: str) -> str:
    """Return a fragment of cleaned HTML without images; its elements may also have the attribute `data-block`."""
    return _outline().sanitize(fragment)


@cache
def _sanitizer() -> Sanitizer:
    return _allowing(BLOCK | INLINE | EMPTY | MATH, ATTRIBUTES, SAFE_SCHEMES)


@cache
def _marked() -> Sanitizer:
    own = {
        "*": ATTRIBUTES["*"] | {"data-unit"},
        "mark": frozenset({"class", "id"}),
        "a": frozenset({"class", "href"}),
        **dict.fromkeys(("blockquote", "q", "del", "ins"), frozenset[str]()),
    }
    return _allowing(BLOCK | INLINE | {"a", "br", "hr", "wbr"}, {**ATTRIBUTES, **own}, frozenset())


@cache
def _outline() -> Sanitizer:
    own = {"*": ATTRIBUTES["*"] | {"data-block"}}
    return _allowing(BLOCK | INLINE | {"br", "hr", "wbr"} | MATH, {**ATTRIBUTES, **own}, SAFE_SCHEMES)


def _allowing(tags: frozenset[str], attributes: Mapping[str, frozenset[str]], schemes: frozenset[str]) -> Sanitizer:
    """Return a sanitizer that keeps these tags, attributes by tag, and addresses with these schemes or fragments."""
    from turbohtml.clean import OnDisallowed, Policy, Sanitizer  # noqa: PLC0415 (text needs none of it)

    return Sanitizer(
        Policy(
            tags=tags,
            attributes=attributes,
            url_schemes=schemes,
            allow_fragment_urls=True,
            on_disallowed_tag=OnDisallowed.STRIP,
            allow_svg=False,
        )
    )


def output_names() -> list[str]:
    """Return for each tag number the element's name in cleaned HTML: its own, or one that looks the same."""
    level = is_block_level().tolist()
    names = [""] * KNOWN
    for tag, number in TAG_NUMBER.items():
        name = RENAMED.get(tag, tag)
        if number != TEXT:
            names[number] = name if name in BLOCK | INLINE | EMPTY else "div" if level[number] else "span"
    return names


def attributes(name: str, given: Attributes, addresses: Addresses) -> str:
    """Return the attributes that an element may keep, as written in its start tag.

    Args:
        name: name of the element in the output.
        given: its attributes on the page.
        addresses: resolves its addresses.
    """
    allowed = ATTRIBUTES.get(name, frozenset()) | ATTRIBUTES["*"]
    parts = []
    for key, value in given:
        if key in allowed:
            kept = _CHECKS[key](value or "", addresses) if key in _CHECKS else value or ""
            if kept is not None:
                parts.append(f' {key}="{escape(kept)}"')
    return "".join(parts)


def _address(value: str, addresses: Addresses) -> str | None:
    return addresses.resolve(value)


def _span(value: str, addresses: Addresses) -> str | None:  # noqa: ARG001 (one signature for all checks)
    match = _INTEGER.match(value)
    if match is None or match[1] == "-":
        return None
    span = MAX_SPAN if len(match[2]) > 4 else min(int(match[2]), MAX_SPAN)
    return str(span) if span > 1 else None


def _row_span(value: str, addresses: Addresses) -> str | None:
    match = _INTEGER.match(value)
    return "0" if match and match[2] == "0" else _span(value, addresses)  # all remaining rows


def _integer(value: str, addresses: Addresses) -> str | None:  # noqa: ARG001 (one signature for all checks)
    match = _INTEGER.match(value)
    return f"{match[1]}{match[2]}" if match and len(match[2]) < 10 else None


def _language(value: str, addresses: Addresses) -> str | None:  # noqa: ARG001 (one signature for all checks)
    match = _LANGUAGE_CLASS.search(value)
    return match[1] if match else None


def _one_of(*values: str) -> Callable[[str, Addresses], str | None]:
    return lambda value, _: value if value in values else None


_CHECKS: dict[str, Callable[[str, Addresses], str | None]] = {
    "href": _address,
    "src": _address,
    "cite": _address,
    "colspan": _span,
    "rowspan": _row_span,
    "start": _integer,
    "value": _integer,
    "class": _language,
    "type": _one_of("1", "a", "A", "i", "I"),
    "dir": _one_of("ltr", "rtl", "auto"),
    "scope": _one_of("row", "col", "rowgroup", "colgroup"),
    "display": _one_of("block", "inline"),
}
