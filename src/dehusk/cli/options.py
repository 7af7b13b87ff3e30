"""What the options of all commands have in common."""

from collections.abc import Iterable
from functools import partial
from typing import Any

import click

from dehusk import __version__
from dehusk.errors import unknown

_QUIET = "dehusk.quiet"


def _remember_quiet(context: click.Context, _parameter: click.Parameter, value: bool) -> bool:
    context.meta[_QUIET] = value
    return value


_quiet = partial(
    click.option,
    "-q",
    "--quiet",
    is_flag=True,
    callback=_remember_quiet,
    help="Print errors only: no progress, notes or summary.",
)

quiet_option = _quiet()
"""Every command has it; `dehusk.cli.output.report` obeys it."""

silencing_option = _quiet(expose_value=False)
"""The same, for a command that prints nothing on standard error but by `report`."""


def is_quiet() -> bool:
    """Return whether the running command has the option `-q`."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(_QUIET))


class NearestChoice(click.Choice):  # type: ignore[type-arg]  # generic only since click 8.4
    """A choice that answers an unknown name with the nearest one and the list.

    Args:
        names: the names to choose from.
        kind: what a name stands for: "format", "method".
    """

    def __init__(self, names: Iterable[str], kind: str = "value") -> None:
        super().__init__(list(names))
        self.kind = kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name; fail on one that does not exist."""
        if value not in self.choices:
            self.fail(unknown(self.kind, value, self.choices), param, ctx)
        return value


def add_version(command: click.Command) -> click.Command:
    """Give a command and its subcommands the option `--version`."""
    if isinstance(command, click.Group):
        for subcommand in command.commands.values():
            add_version(subcommand)
    return click.version_option(__version__, prog_name="dehusk")(command)
