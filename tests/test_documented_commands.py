"""Every command in the documentation names options that exist, and runs; what it prints there is what it prints."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import command_line
from dehusk.cli import command
from dehusk.cli.commands import SUBCOMMANDS
from documented_pages import PAGES, ROOT, blocks, make_files

NOT_RUN = {
    r"\bpip install\b": "installs",
    r"venv": "installs",
    r"_DEHUSK_COMPLETE=": "for other shells: test_completion.py",
    r"\bs3://": "needs a bucket: test_s3.py",
    r"\bspark\b|[Ss]park-|SPARK": "needs Java or a cluster: test_spark.py",
    r"dehusk (clean )?https:|dehusk crawl ": "fetches: test_crawl*.py",
    r"dehusk (serve|mcp)|curl": "serves until it is ended: test_service.py, test_mcp.py",
    r"podman": "needs a container engine: test_container.py",
    r"dehusk studio": "serves until it is ended: test_studio_*.py",
    r"dehusk .*tea-study": "needs work of the studio: test_studio_walk.py",
    r"dehusk annotate ": "asks in the terminal: test_annotate*.py",
    r"python bench/(?!shop_folder)|dehusk sets (get|check)": "needs the sets",
    r"dehusk paper": "takes long: test_papers.py",
    r"dehusk (bench|compare)|runs\.jsonl": "needs other tools: test_bench*.py, test_compare.py",
}
"""Pattern of a line -> why it is not run."""
MOST_NOT_RUN = 88
"""How many lines are not run; raise it only with a reason in `NOT_RUN`."""
NOTHING_FOUND = 3
"""The exit code of a command that has nothing to complain about, but found nothing on these small pages."""
COMMANDS = [
    pytest.param(words, id=f"{page.name}: {' '.join(words)}"[:100])
    for page in PAGES
    for code, _ in blocks(page, "sh", "console")
    for line in code.replace("\\\n", " ").splitlines()
    for part in re.split(r"&&|\|", line.removeprefix("$ "))
    if (words := shlex.split(part, comments=True) if "dehusk" in part else [])[:1] == ["dehusk"]
]


def lines(page: Path) -> Iterator[tuple[str, str | None]]:
    """Yield the lines of the page's blocks for a shell, each with why it is not run."""
    for code, reason in blocks(page, "sh"):
        for line in code.replace("\\\n", " ").splitlines():
            if line.strip():
                yield line, reason or next((why for pattern, why in NOT_RUN.items() if re.search(pattern, line)), None)


def transcripts(page: Path) -> list[tuple[str, str]]:
    """Return commands that a page shows with what they print."""
    codes = [code for code, _ in blocks(page, "console", "text") if code.startswith("$ ")]
    return [found for code in codes for found in re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", code, re.MULTILINE)]


RUN = [page for page in PAGES if any(reason is None for _, reason in lines(page)) or transcripts(page)]


def test_there_are_documented_commands() -> None:
    assert len(COMMANDS) > 40
    assert sum(len(transcripts(page)) for page in PAGES) >= 7


def test_few_lines_are_not_run() -> None:
    not_run = [(page.name, line, reason) for page in PAGES for line, reason in lines(page) if reason]
    assert len(not_run) == MOST_NOT_RUN, "\n".join(map(str, not_run))


@pytest.mark.parametrize("words", COMMANDS)
def test_commands_and_options_exist(words: list[str]) -> None:
    current: click.Command = command
    rest = words[1:]
    if rest and rest[0] not in {*SUBCOMMANDS, "--help", "--version", "-v"}:
        rest = ["clean", *rest]  # a page without a command
    while isinstance(current, click.Group) and rest and not rest[0].startswith("-"):
        subcommand = current.get_command(click.Context(current), rest.pop(0))
        assert subcommand is not None
        current = subcommand
    options = {option for parameter in current.params for option in (*parameter.opts, *parameter.secondary_opts)}
    unknown = [word for word in rest if re.match(r"--?[a-z]", word) and word not in {*options, "--help"}]
    assert not unknown


@pytest.mark.parametrize("words", COMMANDS)
def test_examples_are_in_the_repository(words: list[str]) -> None:
    paths = [word for word in words if word.startswith("examples/")]
    assert all(list(ROOT.glob(path)) for path in paths)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which the command `dehusk` is this one."""
    folder = tmp_path_factory.mktemp("bin")
    for name, line in (("dehusk", command_line.script()), ("python", f'exec "{sys.executable}" "$@"')):
        (folder / name).write_text(f"#!/bin/sh\n{line}\n", "utf-8")
        (folder / name).chmod(0o755)
    paths = {"PATH": f"{folder}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "200"}
    return {**os.environ, **paths}


@pytest.mark.parametrize("page", RUN, ids=lambda page: page.name)
def test_commands_run(page: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    make_files(tmp_path, page)
    for line in [line for line, reason in lines(page) if reason is None]:
        done = shell(line, tmp_path, environment)
        assert done.returncode in (0, NOTHING_FOUND), (line, done.stdout[-1_000:])
    for line, printed in transcripts(page):
        assert shell(line, tmp_path, environment).stdout == printed, line


def shell(line: str, folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-uo", "pipefail", "-c", line],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=300,
    )
