"""`dehusk doctor`: what it says of a whole installation, and of each thing that can be wrong with one."""

import hashlib
import json
import shutil
import sys
import tomllib
from base64 import urlsafe_b64encode
from importlib.metadata import PathDistribution
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from packaging.requirements import Requirement

import dehusk
from command_line import dehusk as run_command
from dehusk.cli import command, doctor
from dehusk.label import registry

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))["project"]


def examined() -> tuple[int, dict[str, dict[str, str]]]:
    """Return the exit code, and what was found by name, of the command run in this process."""
    done = CliRunner().invoke(command, ["doctor", "--json"], standalone_mode=False)
    report = json.loads(done.output)
    assert report["whole"] == (done.return_value == 0)
    return done.return_value, {finding["name"]: finding for finding in report["findings"]}


def broken(findings: dict[str, dict[str, str]]) -> list[str]:
    return [name for name, finding in findings.items() if finding["state"] == "broken"]


def test_a_whole_installation() -> None:
    done = run_command("doctor", watched=True)
    lines = done.stdout.decode().splitlines()
    assert (done.returncode, done.stderr) == (0, b"")
    assert f"         dehusk: {dehusk.__version__} in {Path(dehusk.__file__).parent}" in lines
    assert "fine     turbohtml: 1.15.4, as tested" in lines
    assert "fine     compiled modules: 9, of this version" in lines
    assert any(line.startswith("fine     model united: intact, ") for line in lines)
    for place in ("this", "a child"):
        assert any(line.startswith(f"fine     a page in {place} process: ok, ") for line in lines)
    assert not [line for line in lines if line.startswith("broken")]


def test_the_report_as_json_has_the_same_lines() -> None:
    code, findings = examined()
    assert code == 0
    assert len(run_command("doctor").stdout.decode().splitlines()) == len(findings)
    assert {finding["state"] for finding in findings.values()} <= {"fine", "missing", "info"}


@pytest.mark.parametrize("file", ["arrays.npz", "card.json"])
@pytest.mark.parametrize("damage", ["changed", "gone"])
def test_a_damaged_model_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, damage: str) -> None:
    models = Path(shutil.copytree(registry.MODELS, tmp_path / "models"))
    monkeypatch.setattr(registry, "MODELS", models)
    victim = models / "united" / file
    content = bytearray(victim.read_bytes())
    content[len(content) // 2] ^= 255
    victim.write_bytes(content)
    if damage == "gone":
        victim.unlink()
    code, findings = examined()
    assert code == 1
    assert "model united" in broken(findings)
    assert findings["model web"]["state"] == "fine"
    assert findings["model united"]["remedy"].startswith("pip install --force-reinstall")


def test_a_missing_extra_breaks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_is_installed", lambda package: package != "zstandard")
    code, findings = examined()
    assert (code, broken(findings)) == (0, [])
    assert findings["extra corpus"] == {
        "name": "extra corpus",
        "state": "missing",
        "text": "Parquet, WET, Brotli and Zstandard; without zstandard",
        "remedy": "pip install 'dehusk[corpus]'",
    }
    assert findings["extra studio"]["state"] == "missing"  # it includes corpus
    assert findings["extra query"]["state"] == "fine"


def test_extras_are_those_of_the_project() -> None:
    declared = {
        name: [Requirement(each) for each in wanted] for name, wanted in PROJECT["optional-dependencies"].items()
    }
    for name in ("test", "fuzz", "docs"):
        del declared[name]
    assert {
        name: sorted(extra.packages.split(), key=str.lower) + list(extra.includes)
        for name, extra in doctor.EXTRAS.items()
    } == {
        name: sorted((each.name for each in wanted if each.name != "dehusk"), key=str.lower)
        + sorted(extra for each in wanted for extra in each.extras if each.name == "dehusk")
        for name, wanted in declared.items()
    }


def test_tested_versions_are_those_that_the_project_allows() -> None:
    allowed = {found.name: found.specifier for text in PROJECT["dependencies"] if (found := Requirement(text))}
    for name, tested in doctor.TESTED.items():
        *head, last = tested.split(".")
        assert f"{tested}.0" in allowed[name]
        assert ".".join([*head, str(int(last) + 1)]) not in allowed[name]


@pytest.mark.parametrize(("version", "text"), [("1.16.0", "1.16.0 is not tested, 1.15.4 is"), ("", "not installed")])
def test_a_library_of_another_version(monkeypatch: pytest.MonkeyPatch, version: str, text: str) -> None:
    monkeypatch.setattr(doctor, "versions", lambda: {"Python": "3.11.7", "numpy": "2.0.1", "turbohtml": version})
    code, findings = examined()
    assert (code, broken(findings)) == (1, ["turbohtml"])
    assert findings["turbohtml"]["text"] == text
    assert findings["turbohtml"]["remedy"].startswith("pip install ")


def test_a_compiled_module_of_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tree.pyi").write_text("COUNT: int\ndef depth(a, *, b): ...\nclass Node: ...\ndef above(a): ...\n")

    def problems(**contents: Any) -> list[str]:
        monkeypatch.setitem(sys.modules, "made_tree", SimpleNamespace(**contents))
        return list(doctor.problems_of_module("made_tree", tmp_path / "tree"))

    same = {"depth": lambda a, *, b: (a, b), "Node": int, "above": lambda a: a}
    assert problems(**same) == []
    assert problems(**{**same, "above": lambda a, b: (a, b)}) == [
        "tree is of another version: above has other arguments"
    ]
    del same["Node"]
    assert problems(**same) == ["tree is of another version: it has no Node"]


def test_a_compiled_module_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dehusk.compiled.site", None)
    code, findings = examined()
    assert (code, broken(findings)[0]) == (1, "compiled modules")
    assert findings["compiled modules"]["text"].startswith("site cannot be imported (ModuleNotFoundError: ")


def test_files_that_are_not_as_installed(tmp_path: Path) -> None:
    folder = tmp_path / "dehusk-0.1.0.dist-info"
    folder.mkdir()
    (tmp_path / "dehusk").mkdir()
    record = []
    for name in ("a.npy", "b.py", "c.py"):
        digest = urlsafe_b64encode(hashlib.sha256(name.encode()).digest()).rstrip(b"=").decode()
        (tmp_path / "dehusk" / name).write_bytes(name.encode())
        record.append(f"dehusk/{name},sha256={digest},{len(name)}\n")
    (folder / "RECORD").write_text("".join([*record, "dehusk-0.1.0.dist-info/RECORD,,\n"]))
    assert doctor.changed_files(PathDistribution(folder)) == (3, [])
    (tmp_path / "dehusk" / "a.npy").write_bytes(b"other")
    (tmp_path / "dehusk" / "c.py").unlink()
    assert doctor.changed_files(PathDistribution(folder)) == (3, ["dehusk/a.npy", "dehusk/c.py"])


def test_a_page_that_is_cleaned_wrongly(monkeypatch: pytest.MonkeyPatch) -> None:
    clean = dehusk.clean
    monkeypatch.setattr(dehusk, "clean", lambda page, **_options: clean(page[:100]))
    code, findings = examined()
    assert (code, broken(findings)) == (1, ["a page in this process", "a page in a child process"])


def test_a_check_that_fails_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "memory_limit", lambda *_files: 1 // 0)
    code, findings = examined()
    assert (code, broken(findings)) == (1, ["machine"])
    assert findings["machine"]["text"].startswith("ZeroDivisionError: ")
    assert findings["extra query"]["state"] == "fine"


@pytest.mark.parametrize(
    ("second", "first", "limit"),
    [
        ("1000000000\n", None, 10**9),
        ("max\n", None, 0),
        (None, "2000\n", 2000),
        (None, f"{2**63 - 4096}", 0),
        (None, None, 0),
    ],
)
def test_the_memory_limit_of_a_container(tmp_path: Path, second: str | None, first: str | None, limit: int) -> None:
    for name, text in (("v2", second), ("v1", first)):
        if text is not None:
            (tmp_path / name).write_text(text)
    assert doctor.memory_limit(tmp_path / "v2", tmp_path / "v1") == limit
