"""Tables of reports in Markdown and CSV."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO


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


def csv_text(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a CSV file; floats have six decimals, None is empty."""
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([f"{value:.6f}" if isinstance(value, float) else value for value in row] for row in rows)
    return stream.getvalue()


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
