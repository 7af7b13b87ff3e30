"""`dehusk compare`: what dehusk and other tools keep of a page, side by side."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from dehusk.base.errors import counted, printable, unknown
from dehusk.cli.exit_codes import ExitCode
from dehusk.cli.explanation import Appearance, appearance_on
from dehusk.cli.links import folder_links, follow_links_option
from dehusk.cli.options import output_option, silencing_option, text_or_json_option, timeout_option
from dehusk.cli.output import open_output, report, spare_pages

if TYPE_CHECKING:
    from dehusk.lab.evaluate.side_by_side import SideBySide
    from dehusk.read.files import PageLocation


@click.command("compare")
@click.argument("pages", nargs=-1, required=True, metavar="PAGE...")
@click.option(
    "--with",
    "tools",
    default="trafilatura",
    metavar="TOOLS",
    help="Names of tools, separated by commas; as in dehusk bench.",
)
@text_or_json_option
@click.option("--all", "everything", is_flag=True, help="Show also the blocks that no tool keeps.")
@output_option
@timeout_option(20.0, "Maximum seconds for a tool to clean a page.")
@follow_links_option
@silencing_option
def compare_command(
    *, pages: tuple[str, ...], tools: str, form: str, everything: bool, output: str | None, timeout: float
) -> int:
    """Show what dehusk and other tools keep of pages, side by side, block by block.

    Every tool gets the same decoded page, in a child process. Its text is aligned with the blocks of the page; it keeps
    a block if at least half of the block's words are in its text. Needs the extra "bench" for other tools.

    \b
    Examples:
      dehusk compare page.html --with trafilatura
      dehusk compare page.html --with trafilatura,readability,resiliparse
      dehusk compare saved/ --with trafilatura -f json -o compared.jsonl
    """
    from dehusk.read.files import find_pages

    names = _installed_tools(tools)
    found = find_pages(pages, links=folder_links())
    spare_pages(found.sources, output=output)
    appearance = appearance_on(sys.stdout) if output is None else Appearance()
    code = ExitCode.OK
    with open_output(output, coloured=appearance.colour) as stream:
        for source in found.sources:
            compared = _compare(source, names, timeout)
            if isinstance(compared, _Unread) or any(other.problem for other in compared.others):
                code = ExitCode.SOME_FAILED
            if form == "json":
                stream.write(json.dumps(compared.record()) + "\n")
            elif not isinstance(compared, _Unread):
                stream.writelines(_text(compared, appearance, named=found.many, everything=everything))
    return code


def _installed_tools(chosen: str) -> tuple[str, ...]:
    """Return the names of the tools to compare with.

    Raises:
        click.UsageError: a tool does not exist, or is named twice.
        MissingExtraError: a tool is not installed.
    """
    from dehusk.base.extras import require
    from dehusk.lab.evaluate.tools import known_tools

    tools = {name: tool for name, tool in known_tools().items() if name != "dehusk" and not tool.by_site}
    names = tuple(name.strip() for name in chosen.split(","))
    for name in names:
        if name not in tools:
            raise click.UsageError(unknown("tool", name, tools))
        if not tools[name].version and tools[name].package != "dehusk":
            raise tools[name].missing(f"comparing with {name}")
    if len(set(names)) < len(names):
        raise click.UsageError("--with names a tool twice")
    require("rapidfuzz.distance", extra="bench", purpose="dehusk compare")
    return names


class _Unread(NamedTuple):
    """A page that cannot be read."""

    page: str
    status: str
    message: str

    @classmethod
    def told(cls, page: str, status: str, message: str) -> _Unread:
        report(f"{page}: {status}: {message}")
        return cls(page, status, message)

    def record(self) -> dict[str, str]:
        return self._asdict()


def _compare(source: PageLocation, names: tuple[str, ...], timeout: float) -> SideBySide | _Unread:
    """Return what the tools keep of a page; for one that cannot be read, why, which is reported."""
    import dehusk
    from dehusk.lab.evaluate.side_by_side import compare_page
    from dehusk.read import Limits

    try:
        data = source.read(Limits().bytes)
    except OSError as error:
        return _Unread.told(source.name, "error", f"cannot be read: {error.strerror or error}")
    document = dehusk.clean(data, url=source.url)
    if not document.status.is_readable:
        return _Unread.told(source.name, str(document.status), document.message)
    return compare_page(source.name, data, document, names, url=source.url, seconds=timeout)


def _text(compared: SideBySide, appearance: Appearance, *, named: bool, everything: bool) -> Iterator[str]:
    """Yield the lines of a comparison: the tools with their figures, then a column for each tool beside the blocks."""
    if named:
        yield f"{printable(compared.name)}\n"
    record = compared.record()
    yield f"1  {compared.own.title}: {counted(record['dehusk']['words'], 'word')}\n"
    for number, (other, figures) in enumerate(zip(compared.others, record["tools"], strict=True), start=2):
        yield f"{number}  {other.title}: {_figures(figures)}\n"
    yield "\n"
    everyone = (compared.own, *compared.others)
    for number, text in enumerate(compared.texts):
        marks = [bool(each.kept[number]) for each in everyone]
        if any(marks) or everything:
            yield _line(marks, text, appearance)
    yield "\n" if named else ""


def _figures(figures: dict[str, Any]) -> str:
    if figures["problem"]:
        return f"failed: {printable(str(figures['problem']))}"
    parts = {"both": "both keep", "only_dehusk": "only dehusk", "only_tool": "only the tool"}
    amounts = [f"{label} {_amount(figures[name])}" for name, label in parts.items()]
    if figures["elsewhere"]:
        amounts.append(f"{counted(figures['elsewhere'], 'word')} in no block")
    return f"{counted(figures['words'], 'word')}, word F1 with dehusk {figures['f1']:.3f}; {', '.join(amounts)}"


def _amount(part: dict[str, int]) -> str:
    return f"{counted(part['blocks'], 'block')} ({counted(part['words'], 'word')})"


def _line(marks: list[bool], text: str, appearance: Appearance) -> str:
    """Return the line of a block: + or - for each tool, then the text; green if all agree, else by who keeps it."""
    signs = " ".join("+" if mark else "-" for mark in marks)
    indent = len(signs) + 2
    room = max(20, (appearance.width or 10_000) - indent)
    shown = printable(text)
    line = f"{signs}  {shown if len(shown) <= room else shown[: room - 1] + '…'}"
    if appearance.colour:
        colour = "green" if all(marks) else "cyan" if marks[0] else "yellow" if any(marks) else None
        line = click.style(line, fg=colour, dim=None if any(marks) else True)
    return f"{line}\n"
