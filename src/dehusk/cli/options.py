"""Options that every command has, and types of options that several commands use."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import click
from click.core import ParameterSource

from dehusk.base.errors import unknown
from dehusk.base.version import __version__

_QUIET = "dehusk.quiet"
DEFAULTS = "dehusk.defaults"
"""Key in the context: the file with values for options; "" for none; not there if the nearest one counts."""
VERBOSE = "dehusk.verbose"
"""Key in the context: whether `--version` shows the versions of what dehusk runs on."""


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
"""The option `-q`, which every command has; `dehusk.cli.output.report` obeys it."""

silencing_option = _quiet(expose_value=False)
"""The option `-q` of a command that prints on standard error only through `report`."""


raw_cells_option = click.option(
    "--raw-cells",
    is_flag=True,
    help="Write texts in CSV as they are, also what a spreadsheet takes for formulas.",
)
"""The option of commands that write CSV: no quote before a cell that begins with = + - or @."""


def by_or_mixed(context: click.Context, _parameter: click.Parameter, value: Any) -> Any:
    """Be the callback of both `--by` and `--mixed`, of which a command takes one.

    Raises:
        click.UsageError: the command line has both.
    """
    if all(context.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in ("by", "mixed")):
        raise click.UsageError("--by says what counts as a site, --mixed that all pages do: give one of them")
    return value


def choose_defaults(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    """Be the callback of `--defaults` and `--no-defaults`; `dehusk.cli.defaults` reads what it notes.

    Raises:
        click.UsageError: the command line has both.
    """
    if not value:
        return
    if DEFAULTS in context.meta:
        raise click.UsageError("--defaults and --no-defaults contradict each other: give one of them")
    context.meta[DEFAULTS] = value if parameter.name == "defaults" else ""


def is_quiet() -> bool:
    """Return whether the running command has the option `-q`."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(_QUIET))


class NearestChoice(click.Choice):  # type: ignore[type-arg]  # generic only since click 8.4
    """A choice that answers an unknown name with the nearest one and the list.

    Args:
        names: the names to choose from, or a function that returns them; it is called on each use, so that names
            registered later are included.
        kind: what the names are names of, for messages: "format", "method".
    """

    def __init__(self, names: Iterable[str] | Callable[[], Iterable[str]], kind: str = "value") -> None:
        self._names = names if callable(names) else partial(tuple, tuple(names))
        self.kind = kind
        self.case_sensitive = True

    @property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]  # an attribute there, which is set once
        """The names to choose from."""
        return tuple(self._names())

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name; fail if it does not exist."""
        if value not in self.choices:
            self.fail(unknown(self.kind, value, self.choices), param, ctx)
        return value


class HelpLater(click.Option):
    """An option whose help text is computed when it is shown.

    Args:
        describe: returns the help text.
    """

    def __init__(self, *args: Any, describe: Callable[[], str], **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self._describe = describe

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the option and its help text."""
        self.help = self._describe()
        return super().get_help_record(ctx)


def add_version(command: click.Command) -> click.Command:
    """Give a command and its subcommands the option `--version`, unless they have it."""
    if isinstance(command, click.Group):
        for subcommand in command.commands.values():
            add_version(subcommand)
    if any("--version" in parameter.opts for parameter in command.params):
        return command
    show = click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version,
                        help="Show the version and exit; after dehusk -v, also what dehusk runs on.")  # fmt: skip
    return show(command)


def _show_version(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        show_version(context)


def show_version(context: click.Context) -> None:
    """Show the version, with -v also what dehusk runs on, and exit."""
    click.echo(f"dehusk, version {__version__}")
    if context.meta.get(VERBOSE):
        click.echo(", ".join(f"{name} {version or 'is not installed'}" for name, version in versions().items()))
    context.exit()


def versions() -> dict[str, str]:
    """Return what dehusk runs on -> its version, "" if it is not installed."""
    import platform

    return {"Python": platform.python_version(), **{name: _version_of(name) for name in ("numpy", "turbohtml")}}


def _version_of(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return ""
