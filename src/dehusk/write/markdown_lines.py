"""Guard what is rare in lines of Markdown; `compiled/write/markdown.pxi` writes the lines."""

from __future__ import annotations

import re

from dehusk.base.lazy import pattern

_LINE_START = pattern(
    r"""(?:
        (?=\#{1,6}(?:\s|\Z)) | (?=>)
      | (?=[-+*](?:\s|\Z)) | (?=(?:=+|-+)\s*\Z)
      | (?=([-_*])(?:\s*\1){2,}\s*\Z)
      | (?=[|:-][\s:|-]*\Z)
      | (?=\[[ xX]\]\s) | (?=\[(?:[^\[\]\\]|\\.)+\]:)
      )""",
    re.VERBOSE,
)
OPEN_LABEL = pattern(r"\[(?:[^\[\]\\]|\\.)*\Z")
"""A line that may start a definition of a link, whose label goes on in the next line."""
_NUMBER = pattern(r"([0-9]{1,9})([.)])(?=\s|\Z)")
_CLOSING_SIGNS = pattern(r"(\A|\s)(#+)\Z")
_BRACKET = pattern(r"\\.|[\[\]]", re.DOTALL)
_PIPE = pattern(r"(?<!\\)\|")


def heading_line(text: str) -> str:
    """Return a line as the text of a heading."""
    line = text.replace("  \n", " ")
    return _CLOSING_SIGNS.sub(lambda match: f"{match[1]}{match[2][:-1]}\\#", line)


def cell_line(text: str) -> str:
    """Return a line as the text of a cell of a table."""
    return _PIPE.sub(r"\\|", text.replace("  \n", " "))


def balanced(text: str) -> str:
    """Return Markdown for the text of a link, with its brackets escaped unless they are balanced."""
    depth = 0
    for match in _BRACKET.finditer(text):
        depth += {"[": 1, "]": -1}.get(match[0], 0)
        if depth < 0:
            break
    if not depth:
        return text
    return _BRACKET.sub(lambda match: match[0] if len(match[0]) > 1 else f"\\{match[0]}", text)


def guarded(line: str) -> str:
    """Return a line whose start cannot be taken for that of a heading, quote, item, rule or table."""
    if not line or line[0].isalpha():
        return line
    if match := _NUMBER.match(line):
        return f"{match[1]}\\{line[match.end(1) :]}"
    return f"\\{line}" if _LINE_START.match(line) else line
