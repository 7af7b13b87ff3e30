"""How deep a source nests, tag by tag: what `estimate` finds, by the sets of `dehusk.read.guards`."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from dehusk.read.guards import (
    AGAIN,
    DEEP,
    FENCES,
    FORMATTING,
    HOLDING,
    INLINE,
    MOST,
    PARTS,
    RAW,
    SCOPED,
    STRANGE,
    VOID,
)

_TAG = re.compile(
    rb"<(?:(!--(?:-?>|.*?(?:--!?>|\Z))|[!?][^>]*(?:>|\Z))|(/?)([a-zA-Z][^ \t\n\f\r/>]*+)"
    rb"(?>(?:[ \t\n\f\r/]++|[^ \t\n\f\r/>][^ \t\n\f\r/>=]*+"
    rb"(?:[ \t\n\f\r]*+=[ \t\n\f\r]*+(?:\"[^\"]*+\"|'[^']*+'|(?=>)|[^ \t\n\f\r>\"'][^ \t\n\f\r>]*+)"
    rb"|(?![ \t\n\f\r]*+=)))*)>)",
    re.DOTALL,
)
_TAG_ONLY = re.compile(
    _TAG.pattern.replace(rb"(!--(?:-?>|.*?(?:--!?>|\Z))|[!?][^>]*(?:>|\Z))|", rb"((?!))|"), re.DOTALL
)


class Tag(NamedTuple):
    """A tag of a source, and the estimates when it has been read."""

    start: int
    """Offset of its name."""
    end: int
    name: bytes
    depth: int
    unclosed: int


class Unclear:
    """Whether what is taken for raw text may be none."""

    found = False


def estimate(raw: bytes) -> tuple[int, int]:
    """Return how deep a source nests, and how many formatting elements it leaves open."""
    tags = all_tags(raw)
    return max((tag.depth for tag in tags), default=0), max((tag.unclosed for tag in tags), default=0)


def deep_parts(raw: bytes) -> list[tuple[int, int]]:
    """Return (start, end) of the names of the parts of tables from `DEEP` on."""
    return sorted({(tag.start, tag.end) for tag in all_tags(raw) if tag.name in PARTS and tag.depth >= DEEP})


def all_tags(raw: bytes) -> list[Tag]:
    """Return the tags; where raw text is unclear, also those that there are if nothing is."""
    unclear = Unclear()
    tags = list(walk(raw, unclear, has_raw=True))
    return tags + (list(walk(raw, unclear, has_raw=False)) if unclear.found else [])


def walk(raw: bytes, unclear: Unclear, *, has_raw: bool) -> Iterator[Tag]:
    """Yield the tags of a source with the depth above which they stand, or which they reach."""
    stack: list[bytes] = []
    at = unclosed = 0
    while (found := (_TAG if has_raw else _TAG_ONLY).search(raw, at)) is not None:
        at, name = found.end(), (found[3] or b"").lower()
        unclear.found |= (found[1] or b"").startswith(b"![")
        depth = len(stack) + unclosed
        if found[2]:
            unclosed -= close(stack, name) and name in FORMATTING
        elif name in RAW:
            if has_raw:
                at = raw_end(raw, at, name)
                unclear.found |= at == len(raw) or not STRANGE.isdisjoint(stack)
        elif name and name not in VOID:
            open_element(stack, name)
            unclosed += name in FORMATTING
            depth = len(stack) + unclosed
        if name:
            yield Tag(found.start(3), found.end(3), name, depth, unclosed)


def open_element(stack: list[bytes], name: bytes) -> None:
    """Push an element, and pop the one of its name that its start tag closes; a row closes the cells before it."""
    if name in AGAIN:
        k = len(stack)
        while k and (stack[k - 1] in INLINE or (name == b"tr" and stack[k - 1] == b"td")):
            k -= 1
        if k and stack[k - 1] == name:
            del stack[k - 1 :]
    if len(stack) < MOST:
        stack.append(name)


def close(stack: list[bytes], name: bytes) -> bool:
    """Pop the nearest element of a name and what is open in it; return whether there is one that can be reached."""
    for k in range(len(stack) - 1, -1, -1):
        if stack[k] == name:
            if name in INLINE:  # what is in it stays open
                del stack[k]
            else:
                del stack[k:]
            return True
        if holds(stack[k], name):
            return False
    return False


def holds(element: bytes, name: bytes) -> bool:
    """Return whether an element keeps an end tag from closing one of this name around it."""
    if name in PARTS:
        return element in HOLDING
    return element in FENCES if name in SCOPED or name in INLINE else element not in INLINE


def raw_end(raw: bytes, at: int, name: bytes) -> int:
    """Return the offset of the end tag of an element of raw text; that of the source's end if there is none."""
    end = re.compile(rb"</" + name + rb"[ \t\n\f\r/>]", re.IGNORECASE).search(raw, at)
    return len(raw) if end is None else end.end() - 1
