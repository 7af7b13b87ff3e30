"""`Containerfile`: what the image is built from and runs as, and that it leaves out nothing it needs."""

import fnmatch
import json
import re
import shlex
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
Step = tuple[str, str]


def steps() -> list[Step]:
    """Return the instructions of the file as (name, arguments), without comments and with lines joined."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Containerfile").read_text("utf-8"), flags=re.MULTILINE)
    lines = text.replace("\\\n", " ").splitlines()
    return [(name, rest.strip()) for line in lines if line for name, _, rest in [line.partition(" ")]]


def arguments(name: str) -> list[str]:
    return [rest for step, rest in steps() if step == name]


def copied() -> list[str]:
    """Return the paths of the checkout that are copied into the image."""
    words = [shlex.split(rest) for rest in arguments("COPY") if "--from" not in rest]
    return [path for each in words for path in each[:-1]]


def test_images_are_named_by_their_version() -> None:
    images = [rest.split()[0] for rest in arguments("FROM")]
    assert len(images) == 2
    assert all(re.fullmatch(r"python:3\.\d+-slim-\w+", image) for image in images)
    assert len(set(images)) == 1  # the compiled modules are those of this Python


def test_the_last_user_is_not_root_and_the_program_is_dehusk() -> None:
    last = steps()[max(number for number, (name, _) in enumerate(steps()) if name == "FROM") :]
    users = [rest for name, rest in last if name == "USER"]
    assert users
    assert all(int(number) > 0 for number in users[-1].split(":"))
    assert [json.loads(rest) for name, rest in last if name == "ENTRYPOINT"] == [["dehusk"]]
    assert not [rest for name, rest in last if name == "RUN"]  # what is built stays in the first stage


def test_dependencies_are_those_of_the_lock_file() -> None:
    installs = [part for rest in arguments("RUN") for part in rest.split("&&") if " install " in part]
    assert len(installs) == 2
    assert "--require-hashes -r requirements.lock" in installs[0]
    assert "--no-deps --no-index" in installs[1]


@pytest.mark.parametrize("path", copied())
def test_what_is_copied_exists_and_is_not_ignored(path: str) -> None:
    assert (ROOT / path).exists()
    assert f"!{path}" in (ROOT / ".dockerignore").read_text("utf-8").splitlines()


def test_what_the_wheel_is_built_of_is_copied() -> None:
    assert set(copied()) == {
        *("requirements.lock", "pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE", "building", "src")
    }


def test_nothing_built_here_goes_into_the_image() -> None:
    ignored = [line for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line[:1] not in "#!"]
    assert ignored[0] == "*"
    for name in ("src/dehusk/compiled/tree.cpython-311-x86_64-linux-gnu.so", "src/dehusk/compiled/tree.c"):
        assert any(fnmatch.fnmatch(name, line) for line in ignored[1:])
