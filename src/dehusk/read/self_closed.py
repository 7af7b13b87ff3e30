"""Expand `<script src="x"/>`, `<div/>` and the like on pages that an XML writer saved.

An HTML parser ignores the slash. On a page written as XML, a script, title or iframe then swallows the rest, and a div
or link nests it. A page counts as written as XML if its tags are nested correctly, all attributes have values in
quotes, no void element lacks its slash, and there is more than that to tell it from a small page with one stray slash.
Other pages are left to the parser, as in browsers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from dehusk.base.lazy import pattern
from dehusk.base.tags import TAG_NUMBER, VOID
from dehusk.compiled.tree import has_self_closed as _has_self_closed
from dehusk.compiled.tree import starts_as_xml as _starts_as_xml

# ---------------------------------------------------------------- tag names
# Names of tags as numbers, as the core compares them.

_WIDTH = 8


def packed(names: Iterable[str]) -> npt.NDArray[np.uint64]:
    """Return the first eight letters of each name as a number, ascending."""
    return np.sort(np.array([name[:_WIDTH].ljust(_WIDTH, "\0").encode() for name in names]).view(np.uint64))


# ---------------------------------------------------------------- self closed

_VOID = VOID | {"basefont", "bgsound", "command", "frame", "image", "keygen"}
_RAW = frozenset({"iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp"})
_DRAWING = frozenset({"math", "svg"})
_EXPANDED = packed(name for name in TAG_NUMBER if name not in _VOID | _DRAWING | {"#text"})
_MIN_VOID = 10  # void elements with a slash, on a page that does not call itself XML and has no raw text to lose
_DECLARED = pattern(r"<\?xml\s|//DTD XHTML|xmlns=[\"']http://www\.w3\.org/1999/xhtml", re.IGNORECASE)
_HEAD = 1024
_SMALL = 8192  # bytes that are searched for "/>" in less time than the start of a page is read

# Each token consumes all that it has looked at, or the search would take quadratic time on damaged pages.
_TOKEN = pattern(
    r"""<(?:
        !--(?:-?>|.*?(?:--!?>|\Z))
      | !\[CDATA\[.*?(?:\]\]>|\Z)
      | [!?][^>]*+>?
      | /(?P<end>[a-zA-Z][^\s/>]*+)[^>]*+>?
      | (?P<start>[a-zA-Z][^\s/>]*+)
        (?>(?:\s++[^\s=<>"'/]++\s*+=\s*+(?:"[^"]*+"|'[^']*+'))*) \s*+
        (?P<odd>(?>(?:[^"'/>]++|/(?!>)|"[^"]*+"|'[^']*+')*))
        (?P<close>/?>|["'].*|\Z)
    )""",
    re.VERBOSE | re.DOTALL,
)
_IN_NOSCRIPT = pattern(r"(<(iframe)\b[^<>]*)/>(?=\s*+</noscript)", re.IGNORECASE)


def expand(text: str, raw: bytes) -> tuple[str, tuple[str, ...]]:
    """Expand self-closed elements if the page is written as XML.

    Args:
        text: the page.
        raw: its bytes in an encoding like ASCII.

    Returns:
        The page, and a note if it has changed.
    """
    if (len(raw) > _SMALL or b"/>" in raw) and _starts_as_xml(text) and _has_self_closed(raw):
        scan = _Scan(text)
        scan.run()
        if scan.well_formed and scan.evident():
            return scan.expanded(), _note(scan.count)
    return text, ()


def expand_in_noscript(text: str) -> tuple[str, tuple[str, ...]]:
    """Expand self-closed iframes at the end of a noscript.

    A browser reads a noscript as raw text up to its end tag, so that an iframe in it cannot swallow what follows.
    """
    text, count = _IN_NOSCRIPT.subn(r"\1></\2>", text)
    return text, _note(count)


def expand_raw(text: str) -> tuple[str, tuple[str, ...]]:
    """Expand self-closed scripts, titles and other elements of raw text, however the rest of the page is written."""
    scan = _Scan(text, only_raw=True)
    scan.run()
    return scan.expanded(), _note(scan.count)


def _note(count: int) -> tuple[str, ...]:
    ending = "s" * (count != 1)
    return (f"{count} self-closed element{ending} expanded, as in XML",) if count else ()


class _Scan:
    """One pass over the tags of a page, which ends where the page turns out not to be written as XML.

    Attributes:
        well_formed: whether the page is written as XML so far; its end may be missing.
        count: number of self-closed elements to expand.
    """

    def __init__(self, text: str, *, only_raw: bool = False) -> None:
        self.text, self.only_raw = text, only_raw
        self.well_formed, self.count = True, 0
        self._pieces: list[str] = []
        self._done = self._voids = self._raw = self._drawings = 0
        self._open: list[str] = []

    def run(self) -> None:
        """Read the tags."""
        position = 0
        while match := _TOKEN.search(self.text, position):
            position = match.end()
            if self.text[position - 1] != ">":  # the page is cut within a tag
                return
            if match["start"]:
                position = self._start(match)
            elif match["end"]:
                self._end(match["end"].lower())
            if not (self.well_formed or self.only_raw):
                return

    def evident(self) -> bool:
        """Return whether anything tells the page from a small page of HTML with a stray slash."""
        return self._raw > 0 or self._voids >= _MIN_VOID or _DECLARED.search(self.text[:_HEAD]) is not None

    def expanded(self) -> str:
        """Return the page with the self-closed elements expanded."""
        return "".join([*self._pieces, self.text[self._done :]])

    def _start(self, match: re.Match[str]) -> int:
        """Read a start tag; return where the next tag may start."""
        name, position = match["start"].lower(), match.end()
        self.well_formed &= not match["odd"]
        if match["close"] == "/>":
            self._self_closed(match, name)
            return position
        if name in _VOID and not self._drawings and not self.text.startswith(f"</{name}", position):
            self.well_formed = False
            return position
        self._open.append(name)
        self._drawings += name in _DRAWING
        return position if self._drawings or name not in _RAW else self._after_raw_text(name, position)

    def _self_closed(self, match: re.Match[str], name: str) -> None:
        if name in _VOID:
            self._voids += 1
        elif not self._drawings and name not in _DRAWING and (name in _RAW or not self.only_raw):
            self._raw += name in _RAW
            self.count += 1
            self._pieces += [self.text[self._done : match.start("close")], f"></{match['start']}>"]
            self._done = match.end()

    def _end(self, name: str) -> None:
        if self._open[-1:] != [name]:
            self.well_formed = False
            self._drawings -= name in _DRAWING and self._drawings > 0
            return
        self._open.pop()
        self._drawings -= name in _DRAWING

    def _after_raw_text(self, name: str, position: int) -> int:
        end = _RAW_END[name].search(self.text, position)
        return len(self.text) if end is None else end.start()


_RAW_END = {name: pattern(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in _RAW}
