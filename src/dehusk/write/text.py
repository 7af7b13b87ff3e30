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

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.blocks import Blocks
from dehusk.blocks.labels import CONTINUATION, Labels
from dehusk.blocks.layout import Gap, Nodes, line_ends, text_between
from dehusk.compiled.blocks import gaps
from dehusk.compiled.write import to_text
from dehusk.read.page import Bools, Ints, Page, whole_number
from dehusk.write.content.lists import numbered_lists
from dehusk.write.interface import CleanedPage, Writer
from dehusk.write.options import WriteOptions
from dehusk.write.plain import plain_texts

if TYPE_CHECKING:
    from dehusk.write.contexts import BlockContexts

MAX_INDENT = 32
"""Maximum indentation in list levels; deeper lists are not indented further, so that depth cannot inflate the text. It
is less on a page whose indentation would be longer than its source (`bounds.level_within`)."""

_ORDERED = numbers("ol")
BULLETED = pattern(r"(?:[•‣◦▪·*–—-]|\d{1,3}[.)])\s")
"""The start of a line that has a mark or number of an item of its own."""


def write_text(cleaned: CleanedPage, options: WriteOptions) -> str:
    """Return a page as plain text, with its title and metadata as the options say."""
    text = to_text(cleaned.labels)
    if options.title not in (None, "never"):
        from dehusk.write.titles import title_to_add  # noqa: PLC0415 (the text alone needs none of it)

        title = title_to_add(cleaned, options.title)
        text = f"{title}\n\n{text}" if title else text
    if options.front_matter != "yaml":
        return text
    from dehusk.write.preamble import with_front_matter  # noqa: PLC0415 (nor this)

    return with_front_matter(cleaned, text)


def separated_lines(labels: Labels) -> tuple[list[str], list[str]]:
    """Return what the text has before each written block, and the block's own text with its list marker, (k,) each."""
    blocks, kept = labels.blocks, labels.written
    if not len(kept):
        return [], []
    from dehusk.write.contexts import BlockContexts, same_as_before  # noqa: PLC0415 (the compiled twin does without)

    contexts, gap = BlockContexts.of(labels, kept), gaps(blocks, kept)
    same_pre = same_as_before(contexts.pre)
    continues = (labels.label[kept] == CONTINUATION) & (gap != Gap.LINE)  # a line that the page ends stays ended
    joined = (gap < Gap.LINE) | (continues & ~same_pre)
    joined[0] = False
    separators = _separators(blocks, kept, contexts, gap)
    for index in joined.nonzero()[0].tolist():
        separators[index] = " " if gap[index] != Gap.NOTHING else ""
    for index in (joined & same_pre).nonzero()[0].tolist():
        white = text_between(blocks, int(kept[index - 1]), int(kept[index]))
        separators[index] = white if white.isspace() else separators[index]
    texts = plain_texts(labels)
    prefixes = _prefixes(labels, texts, contexts, ~joined)
    return separators, [prefix + texts[block] for prefix, block in zip(prefixes, kept.tolist(), strict=True)]


def _separators(blocks: Blocks, kept: Nodes, contexts: BlockContexts, gap: npt.NDArray[np.uint8]) -> list[str]:
    """Return what to write before each block that starts a line or a cell; later rules override earlier ones."""
    from dehusk.write.contexts import same_as_before  # noqa: PLC0415

    same_row, same_pre = same_as_before(contexts.row), same_as_before(contexts.pre)
    in_list = contexts.is_list_line | (contexts.item >= 0)
    same_list = np.append(False, in_list[:-1] & (contexts.outer_list[1:] == contexts.outer_list[:-1]))
    count = np.where(gap == Gap.BREAK, 2, 1)
    count[same_as_before(contexts.table) | (same_list & contexts.is_list_line)] = 1
    if same_pre.any():
        count[same_pre] = np.maximum(line_ends(blocks, kept)[same_pre], 1)
    count[0] = 0
    separators = ["\n" * number for number in count.tolist()]
    if not (contexts.table >= 0).any():
        return separators
    steps = np.diff(contexts.column, prepend=0)
    for index in same_row.nonzero()[0].tolist():
        separators[index] = "\t" * int(steps[index]) or " "
    for index in (~same_row & (contexts.column > 0)).nonzero()[0].tolist():
        separators[index] += "\t" * int(contexts.column[index])
    return separators


def _prefixes(labels: Labels, texts: list[str], contexts: BlockContexts, starts_line: Bools) -> list[str]:
    """Return the indentation and list marker of each block; both are empty inside a line."""
    page, kept = labels.blocks.page, labels.written
    if not (contexts.is_list_line | (contexts.item >= 0)).any():
        return [""] * len(kept)
    from dehusk.write.bounds import level_within  # noqa: PLC0415

    items = contexts.item[contexts.starts_item].astype(np.intp)
    depth = np.where(contexts.item >= 0, page.within(items)[contexts.item], 0)
    depth = np.minimum(depth - contexts.starts_item, MAX_INDENT) * starts_line
    depth = np.minimum(depth, level_within(depth, len(page.elements.text) // 2))
    prefixes = ["  " * level for level in depth.tolist()]
    starts = (contexts.starts_item & starts_line).nonzero()[0]
    for index, marker in zip(starts.tolist(), _markers(page, contexts.item[starts]), strict=True):
        prefixes[index] += marker
    for index in (contexts.is_list_line & (contexts.item < 0) & starts_line).nonzero()[0].tolist():
        if not BULLETED.match(texts[kept[index]]):
            prefixes[index] += "- "
    return prefixes


def _markers(page: Page, items: Ints) -> list[str]:
    """Return the number of each item of an ordered list, a dash for other items."""
    parents = page.parent[items]
    ordered = page.is_one_of(_ORDERED)[parents] | np.isin(parents, [*numbered_lists(page)])
    if not ordered.any():
        return ["- "] * len(items)
    from dehusk.read.xpath import ordinals  # noqa: PLC0415

    first = {
        parent: whole_number(page.attribute(parent, "start"), 1) for parent in np.unique(parents[ordered]).tolist()
    }
    rows = zip(parents.tolist(), ordinals(page)[items].tolist(), strict=True)
    return [f"{first[parent] + ordinal - 1}. " if parent in first else "- " for parent, ordinal in rows]


WRITER = Writer(
    name="text",
    extension=".txt",
    media_type="text/plain",
    write=write_text,
    options=frozenset({"title", "front_matter"}),
    aliases=("plain",),
    text_only=True,
)
