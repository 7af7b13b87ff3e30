"""CLEANEVAL's gold text: `<h>`, `<p>` or `<l>` before each segment, written by hand over the dump of a text browser.

What the 773 gold files of cleaneval-dev, cleaneval-final and cleanportaleval-a really hold, and what is done with it:

- Tags stand in mid-line (850 times) and begin a segment there, too; a few are upper case.
- Slips: `<h<`, `<l.`, `<h.` and `,l>` at the start of a line (11 times) are tags; `</p>` (3 times) is nothing. A
  `<>` without its letter and all other angle brackets (`<CR>`, `<http://…>`, `p <25`) are text.
- 82 files begin with the page's address: `URL: …` after a byte order mark, thrice the bare address. A `URL:` further
  down is text.
- 61 files have text before the first tag, mostly the page's title: a paragraph.
- Blank lines stand inside segments and are missing between them; lines are folded at the width of a terminal.
- Entities occur only in cleanportaleval-a; the one page without an article holds a comment that says so.
- All are UTF-8; in some, the text itself was decoded wrongly before (`Â·`), which stays as it is.
- The browser's own signs, list bullets and rules of underscores, are part of the text and not on the page.
"""

import html
import re
from collections.abc import Iterable
from typing import NamedTuple

LETTERS = {"h": "header", "p": "paragraph", "l": "list"}

_ADDRESS = re.compile(r"\A\s*(?:URL:[^\n]*|(?:https?|ftp)://\S+[^\S\n]*(?=\n|\Z))", re.IGNORECASE)
_TAG = re.compile(r"<([hpl])>|^[^\S\n]*(?:<([hpl])[.<]|,([hpl])>)", re.IGNORECASE | re.MULTILINE)
_END_TAG = re.compile(r"</[hpl]>", re.IGNORECASE)
_READ_AS_TAG = re.compile(r"<(?=/?[hpl]>)", re.IGNORECASE)
_COMMENT = re.compile(r"\A\s*<!--(?:(?!-->).)*-->\s*\Z", re.DOTALL)


class Segment(NamedTuple):
    """One segment of a CLEANEVAL text."""

    label: str
    """"header", "paragraph" or "list"."""
    text: str
    """White space folded, entities decoded, never empty."""


def from_cleaneval(text: str) -> list[Segment]:
    """Parse a CLEANEVAL text; tags without text give no segment, text without a tag a paragraph."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    text = _ADDRESS.sub("", text, count=1)
    if _COMMENT.match(text):
        return []
    segments, label, begin = [], "paragraph", 0
    for tag in _TAG.finditer(text):
        segments.append(Segment(label, _plain(text[begin : tag.start()])))
        label, begin = LETTERS[tag[tag.lastindex or 0].lower()], tag.end()
    segments.append(Segment(label, _plain(text[begin:])))
    return [segment for segment in segments if segment.text]


def to_cleaneval(segments: Iterable[tuple[str, str]], url: str | None = None) -> str:
    """Write (label, text) pairs as a CLEANEVAL text, one segment a line, which `from_cleaneval` reads back.

    Only what would be read as a tag or an entity is escaped: CLEANEVAL's own texts hold bare `&` and `<`.

    Args:
        segments: label "header", "paragraph" or "list", and text; empty texts are left out.
        url: the page's address for the first line.

    Raises:
        ValueError: a label that CLEANEVAL does not have.
    """
    letters = {label: letter for letter, label in LETTERS.items()}
    lines = [] if url is None else [f"URL: {' '.join(url.split())}", ""]
    for label, text in segments:
        if label not in letters:
            raise ValueError(f"CLEANEVAL has no label {label!r}")
        if folded := " ".join(text.split()):
            lines.append(f"<{letters[label]}> {_escape(folded)}")
    return "".join(f"{line}\n" for line in lines)


def _plain(text: str) -> str:
    return " ".join(html.unescape(_END_TAG.sub("", text)).split())


def _escape(text: str) -> str:
    if html.unescape(text) != text:
        text = text.replace("&", "&amp;")
    return _READ_AS_TAG.sub("&lt;", text)
