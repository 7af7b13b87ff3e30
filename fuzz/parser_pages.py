"""Pages made to break an HTML parser: tag soup, nesting close to a parser's limit, and damaged seeds; each by its number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from random import Random

from seeds import sound_pages

_TABLE = ("table", "caption", "colgroup", "col", "tbody", "thead", "tfoot", "tr", "td", "th")
_FORMATTING = ("a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u")
_FOREIGN = ("svg", "math", "foreignObject", "desc", "title", "mi", "mtext", "annotation-xml")
_RAW = ("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "noscript", "plaintext")
_FORMS = (
    "form",
    "button",
    "select",
    "option",
    "optgroup",
    "input",
    "keygen",
    "template",
    "object",
    "applet",
    "marquee",
)
_BLOCKS = (
    "p",
    "div",
    "ul",
    "li",
    "dl",
    "dd",
    "dt",
    "h1",
    "h2",
    "pre",
    "listing",
    "address",
    "center",
    "details",
    "dialog",
)
_OTHER = (
    "html",
    "head",
    "body",
    "frameset",
    "frame",
    "br",
    "hr",
    "img",
    "image",
    "ruby",
    "rb",
    "rt",
    "rp",
    "rtc",
    "span",
)
_KINDS: tuple[Sequence[str], ...] = (_TABLE, _TABLE, _FORMATTING, _FORMATTING, _FOREIGN, _RAW, _FORMS, _BLOCKS, _OTHER)
_ATTRIBUTES = ("", "", "", " x", " x=1", " x='>'", ' x="<td>"', "\n", "/", " /", " definitionurl=u", " type=hidden")
_OTHERS = (
    "x",
    " ",
    "\0",
    "&amp;",
    "&notin",
    "<!--c-->",
    "<!-->",
    "<![CDATA[x]]>",
    "<!doctype html>",
    "<?p>",
    "</>",
    "<",
)
_NEST = (
    "<div>", "<div>", "<div>", "<b>", "<b><i>", "<a><div>", "<p><div>", "<ul><li>", "<table><td>", "<table><tr><td>",
    "<span>", "<svg>", "<math>", "<template>", "<font>", "<button><div>", "<object>", "<svg><desc>", "<h1><div>",
    "<DIV x='>'>", "<div/>", "<b id={n}>", "<p><b id={n}>", "<font size={n}><p>", "<select><div>", "<dl><dd>", "</p><div>",
)  # fmt: skip
_OPENED = {"<table><td>": 4, "<table><tr><td>": 4, "<p><div>": 2, "<p><b id={n}>": 1, "</p><div>": 1}
_HOLLOW = (  # a cell that does not fit leaves formatting elements behind that are no longer open
    "<font>|<table>|<td>|</table>|x|<div>|</font>", "<a>|<table>|<th>|</tr>|<b>|<p>|<a>",
    "<table>|<td>|<b>|<table>|<td>|</table>|x|<p>|</b>|</b>|</b>", "<nobr>|<table>|<caption>|</table>|x|<div>|<nobr>",
    "<i>|<svg>|<title>|<table>|<td>|</svg>|x|<p>|</i>", "<u>|<template>|<tr>|<td>|</template>|x|<p>|</u>",
)  # fmt: skip


def soup(number: int) -> str:
    """Return tags of all kinds in any order; few different ones, so that they meet their ends."""
    random = Random(number)
    return "".join(_parts(random, random.choice((3, 6, 12, 30))))


def at_limit(number: int) -> str:
    """Return tags in any order where some 512 elements are open, the most that browsers and turbohtml nest."""
    random = Random(number)
    nest = random.choice(_NEST)
    opened = _OPENED.get(nest, nest.count("<"))
    depth = random.choice((random.randrange(440, 530), *(random.randrange(494, 514) for _ in range(3))))
    parts = _parts(random, random.choice((3, 6, 12, 30))) if random.random() < 0.4 else _hollow(random)
    before = "<template>" * random.choice((0, 0, 0, 1)) + "<b id=0>" * random.choice((0, 0, 0, 1, 3))
    return before + "".join(nest.format(n=n) for n in range(depth // opened)) + "".join(parts)


def damaged(number: int) -> str:
    """Return a seed of the target `page`, damaged in a few places, sometimes in a deep place."""
    random = Random(number)
    text = random.choice(_seeds())
    for _ in range(random.choice((1, 2, 5, 20))):
        start = random.randrange(len(text) + 1)
        end = min(len(text), start + random.choice((0, 0, 1, 5, 40)))
        change = random.choice(("", text[start:end] * 2, "".join(_parts(random, 3)), random.choice("<>&\"'/\0!-")))
        text = text[:start] + change + text[end:]
    return random.choice(("", "", "<div>" * random.randrange(480, 512))) + text


PAGES: dict[str, Callable[[int], str]] = {"soup": soup, "limit": at_limit, "damaged": damaged}
"""Name -> the page of each number."""


@cache
def _seeds() -> list[str]:
    return [data.decode("utf-8", "replace")[:8000] for data in sound_pages()]


def _parts(random: Random, count: int) -> list[str]:
    tags = [random.choice(random.choice(_KINDS)) for _ in range(random.choice((2, 3, 5, 9)))]
    return [_part(random, random.choice(tags)) for _ in range(count)]


def _part(random: Random, tag: str) -> str:
    kind = random.random()
    if kind < 0.12:
        return random.choice(_OTHERS)
    name = tag if random.random() < 0.9 else tag.upper()
    return f"</{name}>" if kind < 0.45 else f"<{name}{random.choice(_ATTRIBUTES)}>"


def _hollow(random: Random) -> list[str]:
    """Return parts like those that once broke the parser, with some left out, doubled or added."""
    parts = random.choice(_HOLLOW).split("|")
    for _ in range(random.choice((0, 1, 2, 3, 6))):
        place, kind = random.randrange(len(parts) + 1), random.random()
        if kind < 0.2:
            del parts[place : place + 1]
        else:
            parts[place:place] = [random.choice(parts)] if kind < 0.4 and parts else _parts(random, 1)
    return parts * random.choice((1, 1, 1, 2))
