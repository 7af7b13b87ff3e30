"""`dehusk completion`: the script with which a shell completes commands, options and values."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import click

from dehusk.base.errors import explaining
from dehusk.cli.exit_codes import ExitCode
from dehusk.cli.options import NearestChoice, silencing_option
from dehusk.cli.output import open_output, report

VARIABLE = "_DEHUSK_COMPLETE"
"""Environment variable by which the scripts ask the program."""


class _Home(NamedTuple):
    """Where a shell looks for scripts of completion."""

    path: Callable[[], Path]
    needs: str


def xdg(variable: str, default: str) -> Path:
    """Return a folder of the user that an environment variable of the XDG base directories may name."""
    return Path(os.environ.get(variable) or Path.home() / default)


def _bash() -> Path:
    folder = os.environ.get("BASH_COMPLETION_USER_DIR") or xdg("XDG_DATA_HOME", ".local/share") / "bash-completion"
    return Path(folder) / "completions" / "dehusk"


def _zsh() -> Path:
    return xdg("XDG_DATA_HOME", ".local/share") / "zsh" / "site-functions" / "_dehusk"


def _fish() -> Path:
    return xdg("XDG_CONFIG_HOME", ".config") / "fish" / "completions" / "dehusk.fish"


_HOMES: Mapping[str, _Home] = {
    "bash": _Home(_bash, "bash 4.4 with the package bash-completion reads it when it starts"),
    "zsh": _Home(_zsh, "have fpath+=({folder}) before compinit in ~/.zshrc"),
    "fish": _Home(_fish, "fish reads it when it starts"),
}


@click.command("completion")
@click.argument("shell", type=NearestChoice(tuple(_HOMES), "shell"), metavar="SHELL")
@click.option("--install", is_flag=True, help="Write the script where the shell looks for it, and say where.")
@silencing_option
@click.pass_context
def completion_command(context: click.Context, shell: str, install: bool) -> int:
    """Print the script that completes commands, options and values with the Tab key.

    SHELL is bash, zsh or fish.

    \b
    Examples:
      dehusk completion bash --install
      eval "$(dehusk completion zsh)"
    """
    from click.shell_completion import get_completion_class

    complete = get_completion_class(shell)
    if complete is None:
        raise click.UsageError(f"this version of click has no completion for {shell}")
    script = complete(context.find_root().command, {}, "dehusk", VARIABLE).source()
    if not install:
        click.echo(script)
        return ExitCode.OK
    path = _HOMES[shell].path()
    write_file(path, f"{script}\n")
    report(f"completion for {shell} is in {path}: {_HOMES[shell].needs.format(folder=path.parent)}")
    return ExitCode.OK


def write_file(path: Path, text: str) -> None:
    """Write a file, and the folders above it if they do not exist.

    Raises:
        InputError: it cannot be written.
    """
    with explaining(f"{path} cannot be written"):
        path.parent.mkdir(parents=True, exist_ok=True)
    with open_output(str(path)) as stream:
        stream.write(text)
