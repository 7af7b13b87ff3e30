"""What is installed and what runs in CI is pinned: bounds of dependencies, lock files, actions by their commits."""

import re
import tomllib
from fnmatch import fnmatch
from itertools import chain
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from dehusk.base.version import __version__

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
LOCKS = {
    "requirements.lock": PROJECT["project"]["dependencies"],
    "requirements-test.lock": PROJECT["project"]["dependencies"] + PROJECT["project"]["optional-dependencies"]["test"],
    ".ci/build.lock": PROJECT["build-system"]["requires"],
}
COMPILED = ("numpy", "pydivsufsort", "python-crfsuite", "pyyaml", "rapidfuzz", "turbohtml")
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def pins(lock: str) -> list[Requirement]:
    """Return what a lock file pins; every entry must have hashes."""
    entries = re.findall(r"^(?P<pin>[^\s#].*?)(?P<hashes>(?: \\\n +--hash=sha256:[0-9a-f]{64})*)$", lock, re.MULTILINE)
    assert all(hashes for _, hashes in entries)
    return [Requirement(pin) for pin, _ in entries]


@pytest.mark.parametrize("name", LOCKS)
def test_lock_files_have_what_the_project_requires(name: str) -> None:
    lock = (ROOT / name).read_text("utf-8")
    assert "://" not in lock
    pinned = pins(lock)
    for text in LOCKS[name]:
        wanted = Requirement(text)
        versions = [next(iter(pin.specifier)) for pin in pinned if pin.name == wanted.name.lower()]
        assert versions, f"{wanted.name} is missing: run .ci/lock"
        assert all(pin.operator == "==" and pin.version in wanted.specifier for pin in versions), (
            f"{wanted}: run .ci/lock"
        )


@pytest.mark.parametrize("name", COMPILED)
def test_compiled_dependencies_have_an_upper_bound(name: str) -> None:
    texts = {*PROJECT["project"]["dependencies"], *chain(*PROJECT["project"]["optional-dependencies"].values())}
    wanted = [found for text in texts if (found := Requirement(text)).name == name]
    assert wanted
    assert all("<" in {part.operator for part in found.specifier} for found in wanted)


def test_wheels_are_built_for_both_libraries_of_linux() -> None:
    skipped = PROJECT["tool"]["cibuildwheel"]["skip"].split()
    for name in ("cp313-manylinux_x86_64", "cp313-musllinux_x86_64", "cp311-musllinux_aarch64"):
        assert not any(fnmatch(name, pattern) for pattern in skipped)
        assert any(fnmatch(name, pattern) for pattern in PROJECT["tool"]["cibuildwheel"]["build"].split())


def test_cleaning_needs_few_packages() -> None:
    assert len(LOCKS["requirements.lock"]) <= 9


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_use_actions_by_their_commits_and_need_no_rights(workflow: Path) -> None:
    text = workflow.read_text("utf-8")
    uses = re.findall(r"uses: (.*)", text)
    assert uses
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action) for action in uses)
    content = yaml.safe_load(text)
    assert content["permissions"] == {"contents": "read"}
    for job in content["jobs"].values():
        for step in job["steps"]:
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False


def test_the_citation_is_that_of_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert (citation["version"], citation["license"]) == (__version__, PROJECT["project"]["license"])
    assert len(citation["references"]) == 4
    assert all(author["family-names"] for reference in citation["references"] for author in reference["authors"])


def test_forms_for_issues_can_be_read() -> None:
    forms = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
    assert len(forms) == 2
    for form in forms:
        fields = yaml.safe_load(form.read_text("utf-8"))["body"]
        assert all(field["attributes"]["label"] and field["validations"]["required"] for field in fields)
