"""Type checkers accept right uses of the public interface and report every wrong one."""

import json
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDER = Path("tests", "typing")
FILES = [str(FOLDER / name) for name in ("right.py", "wrong.py")]
PUBLIC = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["basedpyright"]["include"]
Errors = dict[str, dict[int, list[str]]]


def run(*command: str) -> str:
    """Run a type checker; return what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", *command], capture_output=True, check=False, cwd=ROOT, timeout=600, text=True
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


def mypy_errors() -> Errors:
    errors: Errors = defaultdict(lambda: defaultdict(list))
    output = run("mypy", "--no-error-summary", "--no-pretty", "--show-absolute-path", *FILES)
    for path, line, message in re.findall(r"^(.+?):(\d+): error: (.*)$", output, re.MULTILINE):
        errors[Path(path).name][int(line)].append(message)
    return errors


def pyright_errors() -> Errors:
    """Return also the errors of the public interface."""
    errors: Errors = defaultdict(lambda: defaultdict(list))
    for report in json.loads(run("basedpyright", "--outputjson", *FILES, *PUBLIC))["generalDiagnostics"]:
        if report["severity"] == "error":
            errors[Path(report["file"]).name][report["range"]["start"]["line"] + 1].append(report["message"])
    return errors


@pytest.mark.parametrize("checker", [mypy_errors, pyright_errors])
def test_right_uses_and_the_public_interface_pass_and_every_wrong_use_is_reported(
    checker: Callable[[], Errors],
) -> None:
    errors = checker()
    assert errors.keys() == {"wrong.py"}, errors
    lines = (ROOT / FOLDER / "wrong.py").read_text("utf-8").splitlines()
    wrong = {number: line for number, line in enumerate(lines, start=1) if "# wrong" in line}
    assert len(wrong) > 50
    missed = [line for number, line in wrong.items() if number not in errors["wrong.py"]]
    assert not missed
    assert errors["wrong.py"].keys() == wrong.keys()
