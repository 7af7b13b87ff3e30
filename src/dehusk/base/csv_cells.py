"""CSV that a spreadsheet reads as text: what pages say cannot become a formula there.

A spreadsheet takes a cell that begins with `=`, `+`, `-` or `@` for a formula, which can send the other cells to an
address or start a program. A single quote before it makes it text (OWASP, "CSV Injection").
"""

import csv
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TextIO

from dehusk.base.lazy import pattern

_STARTS = ("=", "+", "-", "@", "\t", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""The last four are `= + - @` of full width, which some spreadsheets take for the narrow ones."""
_NUMBER = pattern(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def write_cells(
    stream: TextIO, head: Sequence[str], rows: Iterable[Sequence[object]], *, raw_cells: bool = False
) -> None:
    """Write a header and rows as CSV.

    Args:
        stream: where to.
        head: the names of the columns.
        rows: their cells; None is empty.
        raw_cells: whether texts are written as they are, although a spreadsheet may take them for formulas.
    """
    writer = csv.writer(stream, lineterminator="\n")
    for row in chain([head], rows):
        writer.writerow([_cell(value, raw_cells=raw_cells) for value in row])


def _cell(value: object, *, raw_cells: bool) -> object:
    """Return a cell, with a quote before a text that is a formula; signed numbers stay as they are."""
    if not isinstance(value, str):
        return value
    text = value.replace("\r\n", "\n").replace("\r", "\n")  # a bare "\r" would end the row: csv does not quote it
    is_formula = not raw_cells and text.startswith(_STARTS) and not _NUMBER.fullmatch(text)
    return f"'{text}" if is_formula else text
