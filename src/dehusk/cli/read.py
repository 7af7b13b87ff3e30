"""`dehusk read`: what files of pages hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from dehusk.cli.exit_codes import exit_code
from dehusk.cli.options import NearestChoice, quiet_option
from dehusk.read import Limits

if TYPE_CHECKING:
    from dehusk.records.inputs import Input
    from dehusk.records.record import Loss, Record


def table_options(command: Any) -> Any:
    """Add the options that name columns of tables."""
    for name, what in (("id", "the page's name"), ("url", "its address"), ("html", "the page")):
        command = click.option(f"--{name}-column", metavar="NAME", help=f"Column of a table that holds {what}.")(
            command
        )
    return command


def columns_of(options: dict[str, Any]) -> Any:
    """Return the columns that options name."""
    from dehusk.records.tables import Columns

    return Columns(*(options[f"{name}_column"] for name in ("html", "url", "id")))


@click.command("read")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "-f", "--format", "form", type=NearestChoice(["text", "json"], "format"), default="text", show_default=True
)
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="Write to this file instead of standard output.")
@click.option("--max-bytes", type=click.IntRange(1), default=Limits().bytes, show_default=True)
@table_options
@quiet_option
def read_command(files: tuple[str, ...], **options: Any) -> int:
    """List what files of pages hold: a line a record, and a line for each part that is damaged or missing.

    FILE is .warc, .warc.gz, .warc.zst, .parquet, .jsonl (.gz, .zst), .zip, .tar (.gz, .bz2, .xz), a folder of them or
    a glob in quotes. A record is a page, or it says what it is instead. Exit code 1 where something was lost, 3 where
    there is no page.

    \b
    Examples:
      dehusk read crawl.warc.gz
      dehusk read -f json --html-column body pages.parquet
    """
    from dehusk.cli.output import open_output
    from dehusk.records.inputs import find_inputs

    pages, lost = 0, 0
    with open_output(options["output"]) as stream:
        for one in find_inputs(files):
            for line, is_page, is_loss in _listed(one, options):
                stream.write(line)
                pages += is_page
                lost += is_loss
    if lost and not options["quiet"]:
        click.echo(f"dehusk: {lost} {'part is' if lost == 1 else 'parts are'} damaged or missing", err=True)
    return exit_code({}, pages, lost=lost)


def _listed(one: Input, options: dict[str, Any]) -> Any:
    """Yield the lines of a file, and whether each is a page or a loss."""
    from dehusk.records.inputs import read as records
    from dehusk.records.record import Loss

    limit = options["max_bytes"]
    for found in records(one, columns_of(options), limit):
        if isinstance(found, Loss):
            yield (_loss_json if options["form"] == "json" else _loss_text)(one, found), False, True
        else:
            line = (_json if options["form"] == "json" else _text)(one, found, limit)
            yield line, not found.skipped, False


def _json(one: Input, record: Record, limit: int) -> str:
    from dehusk.write.json import dumps

    body = record.body(limit) if not record.skipped and not record.decoded else None
    return dumps(
        {
            "file": one.name,
            "number": record.number,
            "offset": record.offset,
            "kind": record.kind,
            "skipped": record.skipped,
            "id": record.id,
            "url": record.url,
            "http_status": record.http_status,
            "date": record.date,
            "bytes": len(body.data) if body else len(record.raw),
            "truncated": record.truncated,
            "damaged": record.damaged,
            "notes": list(body.notes) if body else [],
        }
    )


def _text(one: Input, record: Record, limit: int) -> str:
    body = record.body(limit) if not record.skipped and not record.decoded else None
    size = len(body.data) if body else len(record.raw)
    said = [f"cut: {record.truncated}"] if record.truncated else []
    said += [f"damaged: {record.damaged}"] if record.damaged else []
    said += body.notes if body else ()
    what = "page" if not record.skipped else f"- {record.skipped}"
    fields = [f"{one.name}:{record.offset}", what, str(size), record.url or record.id, "; ".join(said)]
    return "\t".join(_flat(field) for field in fields).rstrip("\t") + "\n"


def _loss_json(one: Input, loss: Loss) -> str:
    from dehusk.write.json import dumps

    return dumps({"file": one.name, "offset": loss.offset, "lost": loss.size, "message": loss.message})


def _loss_text(one: Input, loss: Loss) -> str:
    return f"{one.name}:{loss.offset}\tLOST\t{loss.size}\t{_flat(loss.message)}\n"


def _flat(text: str) -> str:
    return "".join(char if char.isprintable() else "\ufffd" for char in text)
