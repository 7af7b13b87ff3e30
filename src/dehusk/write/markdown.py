"""Markdown: CommonMark with GitHub's tables, strikethrough, formulas and footnotes, written from tokens.

Nothing is written as HTML. What the markup of the page says and Markdown cannot:

- Cells that span columns or rows are followed by empty cells. A table without a header row has its first row as header,
  because Markdown requires one. A caption becomes a paragraph before the table.
- A heading that is strong as a whole is not marked so.
- Terms of a definition list become strong paragraphs, followed by their definitions.
- Two lists that follow each other have different markers, or they would become one.
"""

from __future__ import annotations

from dehusk.base.lazy import pattern
from dehusk.blocks.labels import Labels
from dehusk.compiled.write import content_written
from dehusk.write.interface import CleanedPage, Writer
from dehusk.write.kept_content import KeptContent
from dehusk.write.options import DEFAULTS, WriteOptions
from dehusk.write.preamble import with_front_matter
from dehusk.write.titles import title_to_add

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
