"""From probabilities to decisions: records, units, groups, and the kinds of blocks."""

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.blocks.units.decisions import Grouping
from dehusk.blocks.units.records import Records
from dehusk.blocks.units.structures import Structures
from dehusk.label.features.family import FeatureSettings
from dehusk.label.united.decisions import Decision, Evidence, Reals
from dehusk.read.page import Bools

Rows = npt.NDArray[np.intp]

def find_pairs(blocks: Blocks) -> Records:
    """Return the terms of definition lists, each with what defines it, as records."""

def find_records(blocks: Blocks, taken: Bools) -> Records:
    """Return the lists of records of a page.

    Args:
        blocks: the blocks of a page.
        taken: which elements of the skeleton, shape (m,), cannot be records: items of lists, and what is inside data
            tables and code listings.
    """

def data_tables(blocks: Blocks) -> Bools:
    """Return which elements of the skeleton, shape (m,), are tables of data.

    Two rows of them, or one in a table with header cells or a caption, have two or more cells with text. Tables that
    contain another table, or in their cells a heading or preformatted text, are for layout, as are those with a cell of
    running text or with many blocks per cell. A heading in a header cell or the caption heads the table.
    """

def find_structures(blocks: Blocks) -> Structures:
    """Return the lists, tables, listings, definition lists and records of a page."""

def grouping(blocks: Blocks) -> Grouping:
    """Return the fields and groups of the blocks, and which of them are bound."""

def never_content(blocks: Blocks) -> Bools:
    """Return whether each block is in an element that never has content, shape (b,)."""

def decide(
    blocks: Blocks, page_scores: Reals, *, excluded: Bools, evidence: Evidence | None = None, beta: float = 1.0
) -> Decision:
    """Decide which blocks to keep.

    What the site repeats is dropped from what the page alone would keep, unless the net is so sure of it that the
    evidence leaves it likely. The cut itself does not take part: it would rise where template falls, and drop values
    that are unlikely but not repeated.

    Args:
        blocks: the blocks of a page.
        page_scores: (b,) log-odds that each block is content, from the page only.
        excluded: (b,) whether the block can never be content.
        evidence: what the site's other pages say; None without a site.
        beta: weight of recall relative to precision.
    """

def block_kinds(blocks: Blocks, kept: Bools, settings: FeatureSettings) -> npt.NDArray[np.uint8]:
    """Return the kind of each block, shape (b,), as an index into `KINDS`; dropped blocks are OTHER.

    Args:
        blocks: the blocks of a page.
        kept: (b,) whether the block is content.
        settings: settings of the features, whose words for comments, `lexicon.comment`, identify the elements that
            contain comments. With the settings of the method's own features, nothing is computed twice.
    """

def heading_levels(blocks: Blocks, tags: npt.NDArray[np.uint16]) -> npt.NDArray[np.uint8]:
    """Return the level of the innermost heading that contains the start of each block, shape (b,); 0 for none.

    Args:
        blocks: the blocks of a page.
        tags: the six tags of headings of the first level, the second, and so on.
    """

def bare_headings(levels: npt.NDArray[np.uint8], kept: Bools) -> list[tuple[int, int, bool]]:
    """Return (block, level, whether blocks are dropped below) of the kept headings with no kept text, ascending.

    What follows such a heading next is a heading that is not deeper, or nothing.

    Args:
        levels: (b,) what `heading_levels` returns.
        kept: (b,) whether each block is kept.
    """

def fields_of(
    blocks: Blocks, of: Rows, *, least: int, apart: float, words: float, probability: Reals | None, likely: float
) -> list[Rows]:
    """Return the fields of some blocks: those that start in elements alike, of one tag and class, in such elements.

    Args:
        blocks: the blocks of a page.
        of: indices of some of them, ascending.
        least: how many are a field, at least.
        apart: share of a field, at least, that is its last block or after which is another block than the next.
        words: how many those of a field have on average, at least.
        probability: (b,) of each block; None if it does not count.
        likely: how high it is on average, at least.

    Returns:
        The indices of each field, ascending; fields in the order of their first blocks.
    """

def records_of(blocks: Blocks, field: Rows) -> tuple[Rows, Rows]:
    """Return for each block of a field the first block of its record, and the one after its last.

    A record is the largest element around the start of a block without that of another one of the field.
    """

def repeated_runs(blocks: Blocks, of: Rows, size: int) -> list[int]:
    """Return which of some blocks, as indices into `of`, are in a run of `size` whose texts are those of another one.

    Args:
        blocks: the blocks of a page.
        of: indices of some of them, ascending.
        size: blocks of a run, 1 or more.
    """
