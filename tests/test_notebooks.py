"""The notebooks: each runs from top to bottom in its folder, and prints what is stored in it.

`DEHUSK_REWRITE_GOLDEN=1` stores what they print.
"""

import contextlib
import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "examples" / "notebooks").glob("*.ipynb"))


def read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text("utf-8"))


def source(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def printed(cells: list[dict[str, Any]]) -> list[str]:
    """Return what each cell of code prints, run in order as one program."""
    names: dict[str, Any] = {"__name__": "__main__"}
    outputs = []
    for number, cell in enumerate(cells, start=1):
        with contextlib.redirect_stdout(io.StringIO()) as stream:
            exec(compile(source(cell), f"cell {number}", "exec"), names)  # noqa: S102 (the repository's own)
        outputs.append(stream.getvalue())
    return outputs


def stored(cell: dict[str, Any]) -> str:
    return "".join(line for output in cell["outputs"] for line in output["text"])


def store(path: Path, notebook: dict[str, Any], cells: list[dict[str, Any]], outputs: list[str]) -> None:
    for number, (cell, text) in enumerate(zip(cells, outputs, strict=True), start=1):
        stream = {"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)}
        cell.update(execution_count=number, outputs=[stream] if text else [])
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")


def test_there_are_three() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["first_page", "quotes", "site"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_prints_what_it_stores(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    notebook = read(path)
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    outputs = printed(cells)
    if os.environ.get("DEHUSK_REWRITE_GOLDEN"):
        store(path, notebook, cells, outputs)
    assert [stored(cell) for cell in cells] == outputs
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert any(outputs)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_small_and_in_the_format(path: Path) -> None:
    notebook = read(path)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert 6 <= len(notebook["cells"]) <= 12
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    assert notebook["cells"][0]["cell_type"] == "markdown"
    assert source(notebook["cells"][0]).startswith("# ")
