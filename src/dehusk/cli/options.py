"""Options that several commands have, and types of options."""

from collections.abc import Callable, Iterable
from functools import partial
from math import isnan
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
    "--raw-cells", is_flag=True, help="Write texts in CSV as they are, also what a spreadsheet takes for formulas."
)
"""The option of commands that write CSV: no quote before a cell that begins with = + - or @."""


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


list_option = click.option(
    "--list",
    "lists",
    multiple=True,
    metavar="FILE",
    help="File with one PAGE per line, optionally followed by a tab and its URL; - for standard input.",
)
output_option = click.option(
    "-o", "--output", type=click.Path(dir_okay=False), help="Write to this file instead of standard output."
)
text_or_json_option = click.option(
    "-f", "--format", "form", type=NearestChoice(["text", "json"], "format"), default="text", help="Output format."
)
fetch_option = click.option(
    "--fetch", is_flag=True, help="Fetch pages of which only the address is sent, from the public internet alone."
)


def timeout_option(default: float, text: str = "Maximum seconds to clean a page.") -> Callable[[Any], Any]:
    """Return the option of a time limit."""
    return click.option("--timeout", type=click.FloatRange(0, min_open=True), default=default, help=text)


def max_bytes_option(default: int, text: str = "Maximum size of a page; the rest is cut off.") -> Callable[[Any], Any]:
    """Return the option of a limit of size."""
    return click.option("--max-bytes", type=click.IntRange(1), default=default, help=text)


def workers_option(default: int | None, text: str = "Processes that clean pages.") -> Callable[[Any], Any]:
    """Return the option of the number of processes."""
    return click.option("--workers", type=click.IntRange(1), default=default, help=text)


def _gold(more: str) -> Callable[[Any], Any]:
    text = f"Folder of annotations (<page>.anno.json) and gold texts (<page>.txt){more}"
    return click.option("--gold", type=click.Path(exists=True, file_okay=False), help=text)


gold_option = _gold(". [default: beside the pages]")
template_gold_option = _gold(" of some PAGEs: what these keep and drop, all pages of their template do.")


def report_option(condition: str = "") -> Callable[[Any], Any]:
    """Return the option of the file for all figures; `condition` says when it counts: ", with --predictions"."""
    text = f"Write a report with all figures, HTML or (*.md) Markdown{condition}."
    return click.option("--report", type=click.Path(dir_okay=False), help=text)


def by_option(names: Iterable[str], text: str = "What counts as a site.") -> Callable[[Any], Any]:
    """Return the option of what counts as a site; the names are those of `dehusk.counts.grouping.BY`, or more."""
    return click.option("--by", type=NearestChoice(names), default="host", callback=_by_or_mixed, help=text)


def mixed_option(text: str = "Accept pages of several sites, and treat them as one.") -> Callable[[Any], Any]:
    """Return the option that goes with `by_option`."""
    return click.option("--mixed", is_flag=True, callback=_by_or_mixed, help=text)


def adding(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return what adds options to a command, in this order."""

    def add(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def _by_or_mixed(context: click.Context, _parameter: click.Parameter, value: Any) -> Any:
    """Be the callback of both `--by` and `--mixed`, of which a command takes one.

    Raises:
        click.UsageError: the command line has both.
    """
    if all(context.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in ("by", "mixed")):
        raise click.UsageError("--by says what counts as a site, --mixed that all pages do: give one of them")
    return value


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


def refuse_blanks(command: click.Command) -> click.Command:
    """Have a command and its subcommands refuse what click lets pass: empty names of files, and NaN for a number."""
    if isinstance(command, click.Group):
        for subcommand in command.commands.values():
            refuse_blanks(subcommand)
    for parameter in command.params:
        if isinstance(parameter, click.Argument) or isinstance(parameter.type, click.Path | click.FloatRange):
            parameter.callback = partial(_without_blanks, parameter.callback)
    return command


def _without_blanks(
    then: Callable[..., Any] | None, context: click.Context, parameter: click.Parameter, value: Any
) -> Any:
    if "" in (value if isinstance(value, tuple) else (value,)):  # Python takes it for the current folder
        raise click.BadParameter("it is empty, perhaps a variable that is not set (the current folder is .)")
    if isinstance(value, float) and isnan(value):
        raise click.BadParameter("nan is no number.")
    return then(context, parameter, value) if then else value


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
