"""`dehusk read`: list the contents of files of pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from dehusk.base.errors import InputError, printable
from dehusk.cli.exit_codes import exit_code
from dehusk.cli.links import folder_links, follow_links_option
from dehusk.cli.options import adding, max_bytes_option, output_option, quiet_option, text_or_json_option
from dehusk.cli.output import open_output, report, spare_pages
from dehusk.many.files.bodies import Body
from dehusk.many.files.inputs import Input, find_inputs, read_records
from dehusk.many.files.options import Columns, ReadOptions
from dehusk.many.files.record import Loss, Record
from dehusk.read import Limits
from dehusk.read.files import PageLocation
from dehusk.write.json import dumps

_TABLE = {"html": "pages", "url": "addresses", "id": "ids"}
"""Column of a table -> what it contains."""
table_options = adding(
    *(
        click.option(f"--{name}-column", metavar="NAME", help=f"Table column that contains the {content}.")
        for name, content in _TABLE.items()
    )
)
"""Adds the options that name the columns of tables."""


def columns_of(options: dict[str, Any]) -> Columns:
    """Return the columns that the options name."""
    return Columns(*(options[f"{name}_column"] for name in _TABLE))


@click.command("read")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@text_or_json_option
@output_option
@max_bytes_option(Limits().bytes)
@table_options
@follow_links_option
@quiet_option
def read_command(files: tuple[str, ...], **options: Any) -> int:
    """List the contents of files of pages: one line per record, and one per damaged or missing part.

    FILE is .warc (.gz, .zst), .parquet, .jsonl (.gz, .zst), .zip, .tar (.gz, .bz2, .xz), a folder of these or of saved
    pages, a quoted glob, or an address such as s3://bucket/x.warc.gz. For a record that is not a page, the line says
    what it is. The exit code is 1 if a part is damaged or missing, and 3 if there is no page.

    \b
    Examples:
      dehusk read crawl.warc.gz
      dehusk read -f json --html-column body pages.parquet
    """
    pages, losses, output = 0, 0, options["output"]
    inputs = find_inputs(files, folder_links(), for_outputs=False)
    spare_pages((PageLocation(str(file.path), file.name) for file in inputs), output=output)
    with open_output(output) as stream:
        for file in inputs:
            for line, is_page, is_loss in _lines(file, options):
                stream.write(line)
                pages += is_page
                losses += is_loss
    if losses and not options["quiet"]:
        report(f"{losses} {'part is' if losses == 1 else 'parts are'} damaged or missing")
    return exit_code({}, pages, lost=losses)


def _lines(file: Input, options: dict[str, Any]) -> Iterator[tuple[str, bool, bool]]:
    """Yield the lines for a file, and whether each is a page or a loss."""
    as_json = options["form"] == "json"
    read_options = ReadOptions(options["max_bytes"], columns_of(options))
    for record in _records(file, read_options):
        if isinstance(record, Loss):
            yield (_loss_json if as_json else _loss_text)(file, record), False, True
        else:
            line = (_record_json if as_json else _record_text)(file, record, read_options.limit)
            yield line, not record.skipped, False


def _records(file: Input, options: ReadOptions) -> Iterator[Record | Loss]:
    """Yield the records of a file; what is wrong with it is said with its path."""
    try:
        yield from read_records(file, options)
    except InputError as error:
        raise InputError(str(error) if str(file.path) in str(error) else f"{file.path}: {error}") from error


def _body(record: Record, limit: int) -> tuple[Body, list[str]]:
    """Return the body of a record, and what is to be said of it."""
    body = Body(record.raw) if record.skipped or record.decoded else record.body(limit)
    return body, [*body.notes, *([f"longer than {limit} bytes"] if len(body.data) > limit else [])]


def _record_json(file: Input, record: Record, limit: int) -> str:
    body, notes = _body(record, limit)
    return dumps(
        {
            "file": file.name,
            "number": record.number,
            "offset": record.offset,
            "kind": record.type,
            "skipped": record.skipped,
            "id": record.id,
            "url": record.url,
            "http_status": record.http_status,
            "date": record.date,
            "bytes": min(len(body.data), limit),
            "truncated": record.truncated,
            "damaged": record.damaged,
            "notes": notes,
        }
    )


def _record_text(file: Input, record: Record, limit: int) -> str:
    body, given = _body(record, limit)
    notes = [f"truncated: {record.truncated}"] if record.truncated else []
    notes += [f"damaged: {record.damaged}"] if record.damaged else []
    notes, size = notes + given, str(min(len(body.data), limit))
    type_ = "page" if not record.skipped else f"- {record.skipped}"
    fields = [f"{file.name}:{record.offset}", type_, size, record.url or record.id, "; ".join(notes)]
    return "\t".join(printable(field) for field in fields).rstrip("\t") + "\n"


def _loss_json(file: Input, loss: Loss) -> str:
    return dumps({"file": file.name, "offset": loss.offset, "lost": loss.size, "message": loss.message})


def _loss_text(file: Input, loss: Loss) -> str:
    return f"{file.name}:{loss.offset}\tLOST\t{loss.size}\t{printable(loss.message)}\n"
