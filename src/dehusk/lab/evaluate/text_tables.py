"""Tables that are valid Markdown and easy to read on a terminal."""

from collections.abc import Sequence


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as a Markdown table with aligned columns; the first row is the head."""
    rows = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    widths = _widths(rows)
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in rows
    ]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return "\n".join([lines[0], rule, *lines[1:]]) + "\n"


def table_width(rows: Sequence[Sequence[str]]) -> int:
    """Return the number of characters in a line of the Markdown table of some rows."""
    return sum(_widths(rows)) + 3 * len(rows[0]) + 1


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
