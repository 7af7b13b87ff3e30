"""Plain text: one paragraph per block, with the lines, lists, rows and preformatted text of the page.

A blank line separates paragraphs. Text divided by a single `br`, the lines of a `pre` (with their empty lines), the
rows of a table and the items of a list are on consecutive lines. Items start with `- ` or their number; nested items
are indented. An item that contains a heading is a section of the page, not an item. The cells of a row are on one line,
with a tab for each column step, so that empty cells keep the others in their columns; layout
tables do not count as tables (`units.tables`). Blocks without a boundary between them on the page, and blocks labelled
as continuation, stay on the line, after a space if the page has anything between them; only the lines of preformatted
text remain lines whatever their label.
"""

from __future__ import annotations

import re

from dehusk.base.lazy import pattern
from dehusk.blocks.labels import Labels
from dehusk.compiled.write import text_with_places, to_text
from dehusk.write.interface import CleanedPage, Writer
from dehusk.write.options import IN_LINES, PostsChoice, WriteOptions

PARAGRAPH = "\n\n"
"""What separates paragraphs."""
_MARKER = pattern(r" *(?:- |\d+\. )")
BULLETED = pattern(r"(?:[•‣◦▪·*–—-]|\d{1,3}[.)])\s")
"""The start of a line that has a mark or number of an item of its own."""


def write_text(cleaned: CleanedPage, options: WriteOptions) -> str:
    """Return a page as plain text, with its title and metadata as the options say."""
    labels = cleaned.labels
    posts = options.posts or ("auto" if labels.with_comments else "plain")
    text = to_text(labels) if posts == "plain" else _with_posts(labels, posts)
    if options.title not in (None, "never"):
        from dehusk.write.titles import title_to_add  # noqa: PLC0415 (the text alone needs none of it)

        title = title_to_add(cleaned, options.title)
        text = f"{title}\n\n{text}" if title else text
    if options.front_matter != "yaml":
        return text
    from dehusk.write.preamble import with_front_matter  # noqa: PLC0415 (nor this)

    return with_front_matter(cleaned, text)


def _with_posts(labels: Labels, style: PostsChoice) -> str:
    """Return the text in which each post of a thread starts with a line of its author and date."""
    from dehusk.write.attribution import REPLY, shows_posts, signed  # noqa: PLC0415 (the text alone needs none of it)

    if not shows_posts(labels, style):
        return to_text(labels)
    labels, signatures = signed(labels)
    parts, indent = list[str](), 0
    for block, separator, text in zip(labels.written.tolist(), *separated_lines(labels), strict=True):
        before, line, found = separator, text, signatures.get(block)
        if found:
            before = f"{before and PARAGRAPH}{REPLY * found.level}{found.author}{found.rest}{PARAGRAPH}"
            marker = _MARKER.match(line) if found.in_item else None
            indent = marker.end() if marker else 0
            line = line[indent:]  # a post is no item
        parts += (before, re.sub(f"^ {{1,{indent}}}", "", line, flags=re.MULTILINE) if indent else line)
    return "".join(parts) + "\n" * bool(parts)


def separated_lines(labels: Labels) -> tuple[list[str], list[str]]:
    """Return what the text has before each written block, and the block's own text with its list marker, (k,) each."""
    text, places = text_with_places(labels)
    ends = [0, *places[:, 1].tolist()]
    rows = zip(ends, places.tolist(), strict=False)
    separators, lines = list[str](), list[str]()
    for before, (start, end) in rows:
        separators.append(text[before:start])
        lines.append(text[start:end])
    return separators, lines


WRITER = Writer(
    name="text",
    extension=".txt",
    media_type="text/plain",
    write=write_text,
    options=frozenset({"title", "posts", "front_matter"}),
    posts=IN_LINES,
    aliases=("plain",),
    text_only=True,
)
