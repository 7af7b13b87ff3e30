"""The row of a page is one, whoever writes it, and its schemas say what it is."""

import json
import re
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

import made_sites
from dehusk.cli import command
from dehusk.many.rows import COLUMNS, VERSION, arrow_schema, json_schema, make_row, spark_schema

DOCS = Path(__file__).parents[1] / "docs"


def run(*args: str) -> str:
    result = CliRunner().invoke(command, args)
    assert result.exit_code == 0, result.output
    return result.stdout


def rows_of(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".parquet":
        return pq.read_table(path).to_pylist()
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    """Rows of the same six pages by each command, with metadata and as Markdown."""
    folder = tmp_path_factory.mktemp("rows")
    source = folder / "pages"
    source.mkdir()
    for number, page in enumerate(made_sites.site(6)):
        (source / f"{number}.html").write_text(page, "utf-8")
    form = ("--content", "markdown", "--metadata", "--blocks", "-q")
    run("corpus", str(source), "-o", str(folder / "lines"), "-f", "jsonl", *form)
    run("corpus", str(source), "-o", str(folder / "table"), *form)
    run("clean", str(source), "-f", "markdown", "-o", str(folder / "clean.jsonl"), "-q")
    return {
        "corpus": rows_of(folder / "lines/pages/pages.jsonl"),
        "parquet": rows_of(folder / "table/pages/pages.parquet"),
        "clean": rows_of(folder / "clean.jsonl"),
    }


def test_every_command_writes_the_same_row(written: dict[str, list[dict[str, Any]]]) -> None:
    of_the_file = {"id", "file", "number", "offset", "retrieved", "http_status", "site_pages", "blocks"}
    lines = [{name: value for name, value in row.items() if name != "page"} for row in written["clean"]]
    for line, row in zip(lines, written["corpus"], strict=True):
        assert list(line) == list(row) == list(COLUMNS)
        same = line.keys() - of_the_file - {"confidence", "notes"}  # which the site's model may change
        assert {name: line[name] for name in same} == {name: row[name] for name in same}
        assert row["date"] != row["retrieved"] != ""
    assert written["parquet"] == written["corpus"]


def test_rows_fit_the_schema(written: dict[str, list[dict[str, Any]]]) -> None:
    validator = Draft202012Validator(json_schema())
    for rows in written.values():
        for row in rows:
            validator.validate(row)
    row = written["corpus"][0]
    assert not validator.is_valid({**row, "number": "7"})
    assert not validator.is_valid({**row, "encoding": {**row["encoding"], "more": 1}})


def test_the_schemas_agree_and_are_documented() -> None:
    printed = run("corpus", "--schema")
    assert printed == (DOCS / "row.schema.json").read_text("utf-8")
    assert json.loads(printed) == json_schema()
    assert arrow_schema().metadata == {b"dehusk.row": str(VERSION).encode()}
    assert re.findall(r"(?:^|, )(\w+) ", spark_schema()) == arrow_schema().names == list(COLUMNS)
    page = (DOCS / "rows.md").read_text("utf-8")
    lines = [
        f"| `{name}` | {column.type} | {column.about}{' †' if column.metadata else ''} |"
        for name, column in COLUMNS.items()
    ]
    assert "\n".join(lines) in page
    assert f"version {VERSION}" in page


def test_an_unknown_column_is_refused() -> None:
    with pytest.raises(KeyError, match="facts"):
        make_row(facts={})
