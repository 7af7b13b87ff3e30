"""The text of preformatted elements, with its white space."""

from __future__ import annotations

import numpy as np

from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.write.content.emails import hidden_emails
from dehusk.write.pruning import Pruned
from dehusk.write.safety import BLOCK

_LINE_ENDS = frozenset({"br", "hr"})
_LITERAL = frozenset(numbers("pre listing xmp plaintext").tolist())
"""The tags of elements of which all white space is text."""
_LINE = pattern(r"(?:^|[\s-])(?:code-line|highlight(?:ed)?-line)(?:$|\s)|(?:^|\s)line(?:$|\s)")
"""Classes of lines of code that their style sheet shows as blocks, as Gatsby's does, and Shiki's where no line ends."""
_INVISIBLE = pattern("[\u00ad\u2060\ufeff\u180e\r]")
_BLANK_LINES = pattern(r"\A(?:[^\S\n]*\n)+")


def preformatted(pruned: Pruned, names: list[str], node: int, end: int) -> tuple[int, int, str]:
    """Return the first and last text node below an element of a page, and the text with its white space."""
    page, emails = pruned.page, hidden_emails(pruned.page)
    start, stop = np.searchsorted(pruned.nodes, (node + 1, end)).tolist()
    parts: list[str] = []
    inside: list[int] = []
    blocks: list[int] = []
    at_start = True
    line_end = -1  # where a line ends that the style sheet shows as a block
    for each, name in zip(pruned.nodes[start:stop].tolist(), names[start:stop], strict=True):
        is_line = bool(name) and _LINE.search(page.class_names[page.class_code[each]]) is not None
        breaks = name in _LINE_ENDS or name in BLOCK or is_line or pruned.seams.get(each, " ") != " "
        if 0 <= line_end <= each:
            line_end, breaks = -1, breaks or page.text_of(each)[:1] != "\n"
        line_end = int(page.end[each]) if is_line else line_end
        while blocks and blocks[-1] <= each:
            blocks.pop()
            breaks = True
        if name in BLOCK:
            blocks.append(int(page.end[each]))
        if breaks and (name in _LINE_ENDS or not at_start):
            parts.append("\n")
            at_start = True
        if not name:
            text = emails.get(each, page.text_of(each))
            parts.append(text)
            inside.append(each)
            at_start = text.endswith("\n") if text else at_start
    text = _BLANK_LINES.sub("", _INVISIBLE.sub("", "".join(parts))).rstrip()
    text = text if int(page.tag[node]) in _LITERAL else text.lstrip(" \t")
    return (inside[0], inside[-1], text) if inside else (-1, -1, text)
