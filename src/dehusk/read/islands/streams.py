"""Put what React streams at the end of a page into its places, as its scripts do in a browser.

A server that streams a page leaves `<template id="B:3"></template>` where a part is missing, perhaps followed by what
is shown meanwhile, up to `<!--/$-->`. The part comes later: `<div hidden id="S:3">…</div>`, and a script that calls
`$RC("B:3","S:3")`, or `$RS("S:4","P:4")` for a part of a part.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from dehusk.base.lazy import pattern
from dehusk.compiled.text import places_of

NOTE = "parts that React streams are in their places"
_CALL = pattern(
    r"""\$R(?:[CR]\(["'](?P<place>B:[\w:-]{1,40})["'],["'](?P<part>S:[\w:-]{1,40})["']"""
    r"""|S\(["'](?P<own>S:[\w:-]{1,40})["'],["'](?P<within>P:[\w:-]{1,40})["'])"""
)
_PART = pattern(r'<div hidden id="(S:[\w:-]{1,40})">')
_PLACE = pattern(r"""<template id=["']?(?P<place>[BP]:[\w:-]{1,40})["']?></template>""")
_BOUND = pattern(r"<!--(?P<close>/?)\$[?!~]?-->")
_SCRIPT = "</div><script"
_MOST, _DEEPEST = 2_000, 20
"""Parts of a page, and parts in each other, that are looked at; the open sets have 52 at most."""


class _Streamed(NamedTuple):
    """A part of the source."""

    start: int
    end: int
    """Of its element, with the tags."""
    content: str


def in_place(source: str) -> str:
    """Return the source of a page with streamed parts in their places; unchanged if there is none."""
    placed = dict(_parts(source))
    if not placed:
        return source
    rest, position = list[str](), 0
    for part in sorted(set(placed.values())):
        rest.append(source[position : part.start])
        position = max(position, part.end)
    filled = _filled("".join([*rest, source[position:]]), placed, 0)
    hidden = sorted(set(placed.values()))  # those without a place stay what they were
    return filled + "".join(f"<div hidden>{part.content}</div>" for part in hidden)


def _parts(source: str) -> Iterator[tuple[str, _Streamed]]:
    """Yield place -> part, for each call of the scripts: the part ends before the script."""
    starts = {match[1]: match for match in reversed([*islice(_matches(source, b'<div hidden id="S:', _PART), _MOST)])}
    before = 0
    for call in islice(_matches(source, b"$R", _CALL), _MOST):
        part, end = starts.get(call["part"] or call["own"]), source.rfind(_SCRIPT, before, call.start())
        before = call.end()
        if part is not None and end >= part.end():
            content = source[part.end() : end]
            yield call["place"] or call["within"], _Streamed(part.start(), end + len("</div>"), content)


def _matches(source: str, start: bytes, wanted: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern that begins with a text; looking for the text first takes a tenth of the time."""
    return filter(None, (wanted.match(source, at) for at in places_of(source, start)))


def _filled(source: str, placed: dict[str, _Streamed], depth: int) -> str:
    """Return a source with the parts in its places, each once, instead of what is shown meanwhile."""
    out, position = list[str](), 0
    for match, fallback_end in _places(source) if depth < _DEEPEST else ():
        part = placed.pop(match["place"], None) if match.start() >= position else None
        if part is not None:
            out += (source[position : match.start()], _filled(part.content, placed, depth + 1))
            position = fallback_end
    return "".join([*out, source[position:]]) if out else source


def _places(source: str) -> list[tuple[re.Match[str], int]]:
    """Return the places, and where what is shown meanwhile ends: before the comment that closes the place."""
    places, opened, closed = list[tuple[re.Match[str], int]](), list[int](), dict[int, int]()
    found = (*_matches(source, b"<template id=", _PLACE), *_matches(source, b"<!--", _BOUND))
    for match in sorted(found, key=re.Match.start):
        if "place" in match.groupdict():
            places.append((match, opened[-1] if opened and match["place"].startswith("B:") else -1))
        elif not match["close"]:
            opened.append(match.start())
        elif opened:
            closed[opened.pop()] = match.start()
    return [(match, closed.get(around, match.end())) for match, around in places]
