"""Markdown: CommonMark with GitHub's tables, strikethrough, formulas and footnotes, written from tokens.

Nothing is written as HTML. What the markup of the page says and Markdown cannot:

- Cells that span columns or rows are followed by empty cells. A table without a header row has its first row as header,
  because Markdown requires one, or an empty row if each row starts with a header cell. A
  caption becomes a strong line before the table.
- A heading that is strong as a whole is not marked so.
- Terms of a definition list become strong paragraphs, followed by their definitions.
- Two lists that follow each other have different markers, or they would become one.
"""

from __future__ import annotations

import re

from dehusk.base.lazy import pattern
from dehusk.blocks.labels import Labels
from dehusk.compiled.write import content_written
from dehusk.write.interface import CleanedPage, Writer
from dehusk.write.options import DEFAULTS, WriteOptions
from dehusk.write.preamble import with_front_matter
from dehusk.write.titles import title_to_add
from dehusk.write.token_reader import KeptContent

_SCHEME = pattern(r"[A-Za-z][\w+.-]*:(?=\S)")
_PREFIX_SHARE, _SPARE = 1, 5_000
"""Characters of indentation and quote marks per character of the page's source, and besides."""


def to_markdown(labels: Labels) -> str:
    """Return the kept blocks as Markdown; unless empty, it ends with a line end."""
    return content_written(KeptContent.of(labels), DEFAULTS)


def write_markdown(cleaned: CleanedPage, options: WriteOptions) -> str:
    """Return a page as Markdown, with its title and metadata as the options say."""
    title = title_to_add(cleaned, options.title or "auto")
    text = content_written(KeptContent.of(cleaned.labels), options, title or "")
    return with_front_matter(cleaned, text) if options.front_matter == "yaml" else text


WRITER = Writer(
    name="markdown",
    extension=".md",
    media_type="text/markdown",
    write=write_markdown,
    options=frozenset({"title", "links", "images", "tracking", "posts", "front_matter"}),
    aliases=("gfm", "commonmark"),
    text_only=True,
)


# ---------------------------------------------------------------- lines
# Guards of what is rare in lines; `compiled/write/markdown.pxi` writes the lines.

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
