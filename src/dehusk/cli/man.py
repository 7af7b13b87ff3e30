"""`dehusk man`: the help of commands as pages of the manual."""

from collections.abc import Iterator
from inspect import cleandoc

import click

from dehusk.base.errors import unknown
from dehusk.base.version import __version__
from dehusk.cli.completion import write_file, xdg
from dehusk.cli.exit_codes import ExitCode
from dehusk.cli.options import silencing_option
from dehusk.cli.output import report


@click.command("man")
@click.argument("words", nargs=-1, metavar="[COMMAND]...")
@click.option(
    "--install", is_flag=True, help="Write the pages of all commands where man looks for them, and say where."
)
@silencing_option
@click.pass_context
def man_command(context: click.Context, words: tuple[str, ...], install: bool) -> int:
    """Print the manual page of dehusk or of a command, for man.

    \b
    Examples:
      dehusk man --install && man dehusk-clean
      dehusk man site learn | man -l -
    """
    program = context.find_root().command
    root = click.Context(program, info_name="dehusk", **program.context_settings)
    if not install:
        click.echo(manual_page(_find(root, words)), nl=False)
        return ExitCode.OK
    if words:
        raise click.UsageError("--install writes the pages of all commands: name none")
    folder = xdg("XDG_DATA_HOME", ".local/share") / "man" / "man1"
    pages = {_title(each): manual_page(each) for each in _with_subcommands(root)}
    for title, text in pages.items():
        write_file(folder / f"{title}.1", text)
    report(f"{len(pages)} manual pages are in {folder}; if man dehusk does not find them, add its parent to MANPATH")
    return ExitCode.OK


def _find(context: click.Context, words: tuple[str, ...]) -> click.Context:
    """Return the context of the command that words name, from the one of its group."""
    for word in words[words[:1] == ("dehusk",) :]:
        if not isinstance(context.command, click.Group):
            raise click.UsageError(f"{context.command_path} has no commands")
        command = context.command.get_command(context, word)
        if command is None:
            raise click.UsageError(unknown("command", word, context.command.list_commands(context)))
        context = click.Context(command, info_name=command.name, parent=context)
    return context


def _subcommands(context: click.Context) -> Iterator[click.Context]:
    if isinstance(context.command, click.Group):
        for name in context.command.list_commands(context):
            if command := context.command.get_command(context, name):
                yield click.Context(command, info_name=name, parent=context)


def _with_subcommands(context: click.Context) -> Iterator[click.Context]:
    yield context
    for subcommand in _subcommands(context):
        yield from _with_subcommands(subcommand)


def _title(context: click.Context) -> str:
    return context.command_path.replace(" ", "-")


def manual_page(context: click.Context) -> str:
    """Return the page of a command in the language of man, which `groff -man` and mandoc read."""
    command = context.command
    usage = " ".join(command.collect_usage_pieces(context))
    lines = [
        f'.TH {_text(_title(context)).upper()} 1 "" "dehusk {__version__}" "dehusk"',
        *(".SH NAME", f"{_text(_title(context))} \\- {_text(command.get_short_help_str(limit=500))}"),
        *(".SH SYNOPSIS", f"\\fB{_text(context.command_path)}\\fR {_text(usage)}"),
        *(".SH DESCRIPTION", *_paragraphs(command.help or "")),
    ]
    options = [each for each in command.get_params(context) if isinstance(each, click.Option)]
    records = [record for each in options if (record := each.get_help_record(context))]
    lines += [".SH OPTIONS", *(line for names, text in records for line in _item(names, text))]
    subcommands = [*_subcommands(context)]
    if subcommands:
        lines.append(".SH COMMANDS")
    for each in subcommands:
        lines += _item(each.command_path, each.command.get_short_help_str(limit=500))
    others = [context.parent] if context.parent else []
    if related := [f"{_text(_title(each))}(1)" for each in (*others, *subcommands)]:
        lines += [".SH SEE ALSO", ", ".join(related)]
    return "\n".join(lines) + "\n"


def _item(name: str, text: str) -> list[str]:
    return [".TP", f"\\fB{_text(name)}\\fR", _text(" ".join(text.split()))]


def _paragraphs(text: str) -> Iterator[str]:
    """Yield the lines of a help text; click keeps the line breaks of a paragraph after a backspace."""
    for number, paragraph in enumerate(cleandoc(text).split("\n\n")):
        if number:
            yield ".PP"
        if paragraph.startswith("\b"):
            yield from (".nf", *map(_text, paragraph.splitlines()[1:]), ".fi")
        else:
            yield _text(" ".join(paragraph.split()))


def _text(text: str) -> str:
    """Return a line as it is read again: no dot or quotation mark at its beginning is a command, hyphens are typed.

    Characters beyond ASCII are named: groff does not read UTF-8.
    """
    ascii_text = "".join(c if c.isascii() else f"\\[u{ord(c):04X}]" for c in text.replace("\\", "\\e"))
    escaped = ascii_text.replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
