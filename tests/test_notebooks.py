"""The notebooks: each runs from top to bottom in its folder, and prints and shows what is stored in it.

`DEHUSK_REWRITE_GOLDEN=1` stores what they print and show.
"""

import ast
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


def outputs_of(cells: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return the outputs of each cell of code, run in order as one program: what it prints, and its last value."""
    names: dict[str, Any] = {"__name__": "__main__"}
    outputs = []
    for number, cell in enumerate(cells, start=1):
        tree, last = ast.parse(source(cell)), None
        if isinstance(tree.body[-1], ast.Expr):
            last = compile(ast.Expression(tree.body.pop().value), f"cell {number}", "eval")  # type: ignore[attr-defined]
        with contextlib.redirect_stdout(io.StringIO()) as stream:
            exec(compile(tree, f"cell {number}", "exec"), names)  # noqa: S102 (the repository's own)
            value = None if last is None else eval(last, names)  # noqa: S307
        text = stream.getvalue().splitlines(keepends=True)
        found: list[dict[str, Any]] = [{"name": "stdout", "output_type": "stream", "text": text}] if text else []
        outputs.append([*found, *([] if value is None else [shown(value, number)])])
    return outputs


def shown(value: Any, number: int) -> dict[str, Any]:
    """Return what a notebook shows of the value of a cell."""
    data = {"text/html": value._repr_html_().splitlines(keepends=True), "text/plain": [repr(value)]}
    return {"output_type": "execute_result", "execution_count": number, "data": data, "metadata": {}}


def test_there_are_three() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["first_page", "quotes", "site"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_prints_what_it_stores(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    notebook = read(path)
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    outputs = outputs_of(cells)
    if os.environ.get("DEHUSK_REWRITE_GOLDEN"):
        for number, (cell, found) in enumerate(zip(cells, outputs, strict=True), start=1):
            cell.update(execution_count=number, outputs=found)
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")
    assert [cell["outputs"] for cell in cells] == outputs
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert any(outputs)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_small_and_in_the_format(path: Path) -> None:
    notebook = read(path)
    assert path.stat().st_size < 50_000
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert 6 <= len(notebook["cells"]) <= 12
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    assert notebook["cells"][0]["cell_type"] == "markdown"
    assert source(notebook["cells"][0]).startswith("# ")
