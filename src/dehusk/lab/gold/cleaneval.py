"""CLEANEVAL's gold texts: `<h>`, `<p>` or `<l>` before each segment, added by hand to the dump of a text browser.

What the 773 gold files of cleaneval-dev, cleaneval-final and cleanportaleval-a contain, and how it is read:

- Tags also occur within a line (850 times) and start a segment there; a few are upper case.
- Typing errors: `<h<`, `<l.`, `<h.` and `,l>` at the start of a line (11 times) are tags; `</p>` (3 times) is ignored.
  A `<>` without a letter and all other angle brackets (`<CR>`, `<http://…>`, `p <25`) are text.
- 82 files start with the page's URL: `URL: …` after a byte order mark, or (3 times) only the URL itself. A `URL:`
  further down is text.
- 61 files have text before the first tag, usually the page's title: it becomes a paragraph.
- Blank lines occur within segments and are missing between them; lines are wrapped at the width of a terminal.
- Entities occur only in cleanportaleval-a. The gold text of its only page without an article is an HTML comment.
- All files are UTF-8. The text of some was decoded wrongly before (`Â·`); it is not repaired.
- List bullets and rules of underscores, which the browser added, are part of the text, although not on the page.
"""

import html
import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from dehusk.base.errors import unknown
from dehusk.blocks import Blocks
from dehusk.blocks.annotation import UNLABELLED, Codes
from dehusk.blocks.labels import OTHER, Labels
from dehusk.write.cleaneval import escape, to_cleaneval

LETTERS = {"h": "header", "p": "paragraph", "l": "list"}

_ADDRESS = re.compile(r"\A\s*(?:URL:[^\n]*|(?:https?|ftp)://\S+[^\S\n]*(?=\n|\Z))", re.IGNORECASE)
_TAG = re.compile(r"<([hpl])>|^[^\S\n]*(?:<([hpl])[.<]|,([hpl])>)", re.IGNORECASE | re.MULTILINE)
_END_TAG = re.compile(r"</[hpl]>", re.IGNORECASE)
_COMMENT = re.compile(r"\A\s*<!--(?:(?!-->).)*-->\s*\Z", re.DOTALL)


class Segment(NamedTuple):
    """One segment of a CLEANEVAL text."""

    label: str
    """"header", "paragraph" or "list"."""
    text: str
    """Never empty; white space is collapsed, entities are decoded."""


def from_cleaneval(text: str) -> list[Segment]:
    """Parse a CLEANEVAL text; tags without text are skipped, text without a tag is a paragraph."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    text = _ADDRESS.sub("", text, count=1)
    if _COMMENT.match(text):
        return []
    segments, label, start = [], "paragraph", 0
    for tag in _TAG.finditer(text):
        segments.append(Segment(label, _plain(text[start : tag.start()])))
        label, start = LETTERS[tag[tag.lastindex or 0].lower()], tag.end()
    segments.append(Segment(label, _plain(text[start:])))
    return [segment for segment in segments if segment.text]


def segments_to_cleaneval(segments: Iterable[tuple[str, str]], url: str | None = None) -> str:
    """Write (label, text) pairs as a CLEANEVAL text, one segment per line; `from_cleaneval` reads it back.

    Only text that would be read as a tag or an entity is escaped: CLEANEVAL's own texts contain bare `&` and `<`.

    Args:
        segments: pairs of "header", "paragraph" or "list", and a text; empty texts are skipped.
        url: the page's URL, for the first line.

    Raises:
        ValueError: CLEANEVAL does not have one of the labels.
    """
    letters = {label: letter for letter, label in LETTERS.items()}
    lines = [] if url is None else [f"URL: {' '.join(url.split())}", ""]
    for label, text in segments:
        if label not in letters:
            raise ValueError(unknown("CLEANEVAL label", label, letters))
        if collapsed := " ".join(text.split()):
            lines.append(f"<{letters[label]}> {escape(collapsed)}")
    return "".join(f"{line}\n" for line in lines)


def codes_to_cleaneval(blocks: Blocks, codes: Codes) -> str:
    """Return labels of a page as a text with CLEANEVAL's tags, as Victor's `victor2cleaneval` does.

    Args:
        blocks: the blocks of the page.
        codes: (b,) index into `LABELS` for each block; -1, unlabelled, is left out, as noise is.
    """
    kept = (codes != UNLABELLED) & (codes != OTHER)
    label = np.where(kept, codes, OTHER).astype(np.uint8)
    return to_cleaneval(Labels(blocks, label, kept.astype(np.float64), kept))


def _plain(text: str) -> str:
    return " ".join(html.unescape(_END_TAG.sub("", text)).split())
