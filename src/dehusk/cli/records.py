"""`dehusk records`: a table of what varies between the pages of a site."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from dehusk.base.atomic import replacing
from dehusk.base.errors import InputError, counted, explaining
from dehusk.base.store import method_of
from dehusk.blocks import Blocks, segment
from dehusk.cli.exit_codes import ExitCode
from dehusk.cli.learning import PageReader
from dehusk.cli.links import folder_links, follow_links_option
from dehusk.cli.options import NearestChoice, list_option, output_option, raw_cells_option, silencing_option
from dehusk.cli.output import open_output, report, spare_pages
from dehusk.counts.grouping import of_one_site
from dehusk.read import Limits
from dehusk.read.files import PageLocation, PageLocations, find_pages
from dehusk.read.page import Page
from dehusk.sites.records import Wrapper
from dehusk.sites.records.fitting import MAX_COLUMNS
from dehusk.sites.records.learning import ROWS
from dehusk.sites.records.record_tables import (
    TABLE_FORMATS,
    TABLE_SUFFIXES,
    TEXT_TABLES,
    TableRow,
    describe_columns,
    table_header,
    table_rows,
    write_csv,
    write_parquet,
)
from dehusk.sites.records.storing import CARD


@click.command("records")
@click.argument("pages", nargs=-1, metavar="PAGE...")
@list_option
@click.option(
    "--site",
    type=click.Path(exists=True, file_okay=False),
    help="Folder of pages of the site to learn the columns from. [default: PAGES]",
)
@click.option("--model", type=click.Path(exists=True, file_okay=False), help="Use the columns that --save has written.")
@click.option("--save", type=click.Path(file_okay=False), help="Write what was learned to this folder, for --model.")
@click.option(
    "--rows",
    type=NearestChoice(ROWS, "rows"),
    help="A row per page, or per record of a list or thread. [default: auto]",
)
@click.option(
    "--learn-from", type=click.IntRange(1), default=200, help="Learn from at most so many pages, evenly chosen."
)
@click.option(
    "--max-columns", type=click.IntRange(1), help="Most columns of a template, those with most values.  [default: 1000]"
)
@click.option("--mixed", is_flag=True, help="Accept pages of several sites.")
@click.option("--places", is_flag=True, help="Add a column with the XPath of each value.")
@click.option(
    "--columns", type=click.Path(dir_okay=False), metavar="FILE", help="Write what is known of each column as JSON."
)
@click.option(
    "-f",
    "--format",
    "form",
    type=NearestChoice(TABLE_FORMATS, "format"),
    help="Output format.  [default: by the suffix of the output, else jsonl]",
)
@output_option
@raw_cells_option
@follow_links_option
@silencing_option
def records_command(pages: tuple[str, ...], lists: tuple[str, ...], **options: Any) -> int:
    """Write a table of what varies between pages of one site: a row per page, or per record of lists and threads.

    PAGE is a file, a folder, or a glob in quotes. Columns are named by the label beside the values, or else by
    their itemprop, class or heading.

    \b
    Examples:
      dehusk records saved/shop.example -o products.csv
      dehusk records saved/shop.example --columns columns.json --save shop.wrapper -o products.parquet
      dehusk records --model shop.wrapper new-pages -o new.csv
    """
    output = options["output"]
    form = options["form"] or TABLE_SUFFIXES.get(Path(output or "").suffix.lower(), "" if output else "jsonl")
    _check(pages or lists, form, options)
    sources = find_pages(pages or ([] if lists else [options["site"]]), lists, links=folder_links())
    spare_pages(sources.sources, **_files(options))
    reader, failed = PageReader(sources, Limits()), 0
    if options["model"]:
        wrapper = Wrapper.load(options["model"])
    else:
        wrapper, failed = _learned(reader, options)
    if options["save"]:
        wrapper.save(options["save"])
    if options["columns"]:
        described = json.dumps(describe_columns(wrapper.templates), indent=1, ensure_ascii=False) + "\n"
        with open_output(options["columns"]) as stream:
            stream.write(described)
    table = _RecordTable(wrapper, reader, places=options["places"])
    _write(table, form, output, raw_cells=options["raw_cells"])
    report(f"{output or 'records'}: {counted(table.rows, 'row')} of {counted(table.pages, 'page')}")
    if table.reader.failed or failed:
        return ExitCode.SOME_FAILED
    return ExitCode.OK if table.rows else ExitCode.NOTHING


def _check(named: object, form: str, options: dict[str, Any]) -> None:
    """Refuse, before any page is read, what cannot be done.

    Raises:
        UsageError: no pages, options that exclude each other, or an output that cannot be written.
        InputError: the folder of the output does not exist.
    """
    output = options["output"]
    if not named and not options["site"]:
        raise click.UsageError("name a PAGE, a --list or a --site")
    if options["model"]:
        given = [f"--{name}" for name in ("site", "rows", "save", "max-columns") if options[name.replace("-", "_")]]
        if given:
            raise click.UsageError(f"--model has learned already: leave out {' and '.join(given)}")
    if options["site"] and (method := method_of(Path(options["site"]))):
        hint = "use it as --model" if method == CARD else "its counts have no columns: name a folder of pages"
        raise click.UsageError(f"--site {options['site']} is a model of {method}: {hint}")
    if not form:
        raise click.UsageError(f"{output}: no format has this suffix; add one of {', '.join(TABLE_SUFFIXES)}, or -f")
    if options["raw_cells"] and form != "csv":
        raise click.UsageError(f"--raw-cells is of CSV: format {form} has no formulas")
    if output is None and form not in TEXT_TABLES:
        raise click.UsageError(f"format {form} needs a file: add -o FILE")
    if output and options["columns"] and Path(output).resolve() == Path(options["columns"]).resolve():
        raise click.UsageError(f"--output and --columns are both {output}: choose two files")
    if output is not None and not Path(output).parent.is_dir():
        raise InputError(f"{output} cannot be written: folder {Path(output).parent} does not exist")


def _files(options: dict[str, Any]) -> dict[str, str | None]:
    return {name: options[name] for name in ("output", "columns")}


def _learned(given: PageReader, options: dict[str, Any]) -> tuple[Wrapper, int]:
    """Learn from the pages of the site; the reader of the given pages gets what need not be read or told again.

    Returns:
        The wrapper; the number of pages of another folder that cannot be read.
    """
    found = find_pages([options["site"]], links=folder_links()) if options["site"] else given.pages
    spare_pages(found.sources, **_files(options))
    limit, number = options["learn_from"], len(found.sources)
    if number > limit:
        chosen = tuple(found.sources[index * number // limit] for index in range(limit))
        report(f"the columns are learned from {limit} of {counted(number, 'page')}: --learn-from changes the number")
        found = PageLocations(chosen, many=True)
    reader = PageReader(found, Limits(), told=given.told)
    pages = _segmented(reader, mixed=options["mixed"], wanted=frozenset(given.pages.sources), learned=given.ready)
    wrapper = Wrapper(rows=options["rows"] or "auto", max_columns=options["max_columns"] or MAX_COLUMNS).fit(pages)
    for warning in wrapper.warnings:
        report(warning)
    return wrapper, reader.failed if options["site"] else 0


def _segmented(
    reader: PageReader, *, mixed: bool, wanted: frozenset[PageLocation], learned: dict[PageLocation, Blocks]
) -> Iterator[Blocks]:
    """Yield the blocks of the pages of one site, and keep those that are wanted."""
    sources: list[PageLocation] = []

    def pages() -> Iterator[Page]:
        for source, page in reader.read_located():
            sources.append(source)
            yield page

    for page in of_one_site(pages(), mixed=mixed):
        blocks = segment(page)
        if sources[-1] in wanted:
            learned[sources[-1]] = blocks
        yield blocks
        page.release()


@dataclass
class _RecordTable:
    """The rows of pages; counts them, and reports pages without any."""

    wrapper: Wrapper
    reader: PageReader
    places: bool
    rows: int = 0
    pages: int = 0

    @property
    def header(self) -> list[str]:
        return table_header(self.wrapper.templates, places=self.places)

    def read(self) -> Iterator[TableRow]:
        """Yield the rows of all pages."""
        header = self.header
        for source, page in self.reader.read_located():
            self.pages += 1
            records = self.wrapper.read_records(self.reader.ready.pop(source, page), places=self.places)
            if records.template is None:
                report(f"{source.name}: no row: like no page that the columns were learned from")
                continue
            found = list(table_rows(header, source.name, page.url, records.template, records.rows))
            if not found:
                report(f"{source.name}: no row: no record on the page")
            self.rows += len(found)
            yield from found


def _write(table: _RecordTable, form: str, output: str | None, *, raw_cells: bool) -> None:
    if form == "csv":
        with open_output(output) as stream:
            write_csv(table.read(), table.header, stream, raw_cells=raw_cells)
        return
    if form in TEXT_TABLES:
        with open_output(output) as stream:
            TEXT_TABLES[form](table.read(), table.header, stream)
        return
    assert output is not None  # noqa: S101 (binary formats need a file)
    with explaining(f"{output} cannot be written"), replacing(Path(output)) as temporary:
        write_parquet(table.read(), table.header, temporary)
