"""Tables of reports in Markdown and CSV."""

from collections.abc import Iterable, Sequence
from io import StringIO

from dehusk.base.csv_cells import write_cells


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Return the lines of a table, with a blank line after it; floats have three decimals, None is empty."""
    lines = [_row(head), _row(["---"] * len(head))]
    return [*lines, *(_row([cell(value) for value in row]) for row in rows), ""]


def cell(value: object) -> str:
    """Return a value as the text of a cell."""
    if value is None:
        return ""
    text = f"{value:.3f}" if isinstance(value, float) else str(value)
    return " ".join(text.split()).replace("\\", "\\\\").replace("|", "\\|")


def csv_text(head: Sequence[str], rows: Iterable[Sequence[object]], *, raw_cells: bool = False) -> str:
    """Return a CSV file; floats have six decimals, None is empty.

    Args:
        head: the names of the columns.
        rows: their cells.
        raw_cells: whether texts that a spreadsheet takes for formulas get no quote before them.
    """
    stream = StringIO()
    cells = ([f"{value:.6f}" if isinstance(value, float) else value for value in row] for row in rows)
    write_cells(stream, head, cells, raw_cells=raw_cells)
    return stream.getvalue()


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
