"""Every `dehusk` command in the documentation names a command and options that exist, and files of the repository."""

import re
import shlex
from pathlib import Path

import click
import pytest

from dehusk.cli import command
from dehusk.cli.commands import SUBCOMMANDS

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "docs" / "skill" / "SKILL.md"]
COMMANDS = [
    pytest.param(words, id=f"{page.name}: {' '.join(words)}"[:100])
    for page in PAGES
    for block in re.findall(r"^ *```sh\n(.*?)^ *```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    for line in block.replace("\\\n", " ").splitlines()
    for part in re.split(r"&&|\|", line)
    if (words := shlex.split(part, comments=True))[:1] == ["dehusk"]
]


def test_there_are_documented_commands() -> None:
    assert len(COMMANDS) > 40


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
