"""`dehusk toc`: the tables of contents of pages, and their other informative blocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO, get_args

import click

from dehusk.base.errors import Status, counted
from dehusk.base.store import method_of
from dehusk.cli.exit_codes import ExitCode
from dehusk.cli.links import folder_links, follow_links_option
from dehusk.cli.options import (
    NearestChoice,
    by_option,
    is_quiet,
    list_option,
    mixed_option,
    output_option,
    silencing_option,
)
from dehusk.cli.output import open_output, report, spare_pages
from dehusk.cli.progress import track
from dehusk.cli.settings import method_options, wisdom_set_option
from dehusk.counts.grouping import BY, By
from dehusk.label import load_method
from dehusk.label.registry import declaration
from dehusk.read.files import PageLocation
from dehusk.read.page import Page
from dehusk.sites.toc.formats import TOC_FORMATS, TocFormat
from dehusk.sites.toc.inputs import GivenPage, PageSet
from dehusk.sites.toc.page_records import RecordChoice, page_record, row_files, stored_records, unread_record
from dehusk.sites.toc.sites import LearnedSites, weakness
from dehusk.sites.wisdom import Wisdom
from dehusk.sites.wisdom.block_records import BLOCK_TYPES, TYPE_NAMES
from dehusk.sites.wisdom.presets import PRESETS, Search, Toc

_SHOWN = 3  # pages that a note names
_DIRECT = ("preset", "k", "st", "tc_article", "tc_toc", "tc_alen", "toc", "cstm", "dstm", "condense", "search")
"""Options of the method that have an option of the command."""


class _BlockCount(click.ParamType):  # type: ignore[type-arg]  # generic only since click 8.4
    name = "integer|all"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Parse a positive integer, or "all"."""
        if value == "all":
            return float("inf")
        try:
            number = int(value)
        except ValueError:
            number = 0
        if number < 1:
            self.fail(f"{value!r} is neither a positive integer nor all", param, ctx)
        return number


@click.command("toc")
@click.argument("pages", nargs=-1, metavar="PAGE...")
@list_option
@click.option(
    "-f", "--format", "form", type=NearestChoice(TOC_FORMATS, "format"), default="text",
    help="text, json (a line for each page), html, or opml."
)  # fmt: skip
@output_option
@click.option(
    "--blocks", type=NearestChoice([*BLOCK_TYPES, "both"], "value"), default="toc", help="Which blocks to write."
)
@click.option("--tree", is_flag=True, help="Also write the page reduced to the blocks and the elements around them.")
@click.option(
    "--site",
    type=click.Path(exists=True),
    help="Learn from these pages instead of PAGE: a model from `dehusk site learn`, a folder, or a file of pages.",
)
@by_option(BY)
@mixed_option("Treat pages of several sites as one site.")
@click.option("--preset", type=NearestChoice(PRESETS, "preset"), help="Settings to start from. [default: recommended]")
@click.option("--k", type=_BlockCount(), help="Number of blocks of each type that the search returns, or all.")
@click.option("--st", type=click.FloatRange(0, 1), help="SII that a block must exceed.")
@click.option("--tc-article", type=click.FloatRange(0, 1), help="An article block has a CII of at least 1 minus this.")
@click.option("--tc-toc", type=click.FloatRange(0), help="A TOC block by API has at least this mean API per link.")
@click.option("--tc-alen", type=click.FloatRange(0, 1), help="A TOC block by ALEN has at least this CII.")
@click.option("--feature", "toc", type=NearestChoice(get_args(Toc), "feature"), help="Feature f of TOC blocks.")
@click.option("--dstm/--no-dstm", default=None, help="Merge siblings into the blocks that the search returns.")
@click.option("--cstm", type=click.IntRange(0), help="Merge siblings of their k-th ancestors; 0 for none.")
@click.option("--condense/--no-condense", default=None, help="Remove parts of blocks that fail the constraint.")
@click.option("--search", type=NearestChoice(get_args(Search), "search"), help="mib, or the paper's rivals m1, m2.")
@wisdom_set_option
@follow_links_option
@silencing_option
def toc_command(pages: tuple[str, ...], lists: tuple[str, ...], **options: Any) -> int:
    """Find the tables of contents of pages: the blocks of links that are particular to a page, by WISDOM.

    PAGE is a file, a folder, a glob in quotes, or - for standard input; a file of many pages (.warc.gz, .parquet,
    .jsonl, .zip, .tar); the job folder of a crawl; or rows with blocks, from `dehusk corpus --find wisdom`. The command
    learns each site from the given pages, or one site from --site, and writes for each page the links of its TOC blocks
    in order, with text, target, CII, API and depth.

    With --blocks both --tree it is the paper's whole pipeline: TOC and article blocks, their skeleton, and the page
    reduced to them.

    \b
    Examples:
      dehusk toc saved/example.org
      dehusk toc job/ -f opml -o links.opml
      dehusk toc --site example.site -f json index.html
      dehusk toc --preset paper --blocks both --tree -f html saved/example.org -o blocks.html
    """
    if not pages and not lists:
        raise click.UsageError("name a PAGE, a --list, or - for standard input")
    settings = _settings(options)
    choice = _choice(options)
    rows = [file for argument in pages for file in row_files(argument)]
    if rows:
        others = bool(lists) or not all(map(row_files, pages))
        return _write_rows(rows, others=others, options=options, settings=settings, choice=choice)
    inputs = PageSet(pages, lists, links=folder_links())
    spare_pages(inputs.saved, output=options["output"])
    chosen = {name: options[name] for name in ("output", "by", "mixed")}
    sites = learn_sites(inputs, options["site"], settings, **chosen)
    run = _Run(choice, sites)
    with open_output(options["output"]) as stream:
        run.write(inputs, TOC_FORMATS[options["form"]], stream)
    run.summarise()
    return run.exit_code()


def _settings(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of the method; raise an error if one is invalid or given twice."""
    direct = {name: options[name] for name in _DIRECT if options[name] is not None}
    settings = method_options(declaration("wisdom"), options["settings"])
    twice = sorted(set(direct) & set(settings))
    if twice:
        raise click.UsageError(f"{twice[0]} is given twice: as an option and by --set")
    _ = Wisdom(**direct, **settings).settings
    return direct | settings


def _choice(options: dict[str, Any]) -> RecordChoice:
    types = BLOCK_TYPES if options["blocks"] == "both" else (options["blocks"],)
    if options["form"] == "opml" and (options["tree"] or types != ("toc",)):
        raise click.UsageError("-f opml has links only: leave out --tree, and --blocks other than toc")
    return RecordChoice(types, options["tree"])


def _write_rows(
    files: list[Path], *, others: bool, options: dict[str, Any], settings: dict[str, Any], choice: RecordChoice
) -> ExitCode:
    """Write the blocks that a corpus or a crawl has found."""
    if settings or options["site"] or choice.tree:
        raise click.UsageError(
            f"the blocks in {files[0]} were found before: --site, --tree and settings need the pages"
        )
    if others:
        raise click.UsageError(f"{files[0]} has blocks that were found before: name it without other pages")
    spare_pages((PageLocation(str(file), file.name) for file in files), output=options["output"])
    run, form = _Run(choice), TOC_FORMATS[options["form"]]
    with open_output(options["output"]) as stream:
        stream.write(form.head(f"Blocks of {', '.join(map(str, files[:_SHOWN]))}"))
        for file in files:
            for record in stored_records(file, choice.types):
                stream.write(form.write(record))
                run.count(record)
        stream.write(form.foot)
    run.summarise()
    return run.exit_code()


def learn_sites(
    inputs: PageSet,
    folder: str | None,
    settings: dict[str, Any],
    *,
    output: str | None,
    by: By = "host",
    mixed: bool = False,
) -> LearnedSites:
    """Return the sites: of a model, of the pages in a folder or file, or of the given pages; report their weaknesses.

    Args:
        inputs: the given pages, used if there is no folder.
        folder: a model, or a folder or file of pages; None for none.
        settings: options of `Wisdom`.
        output: the file to write, which must be none of the pages.
        by: what defines a site.
        mixed: whether to treat all pages as one site.

    Raises:
        InputError: there are no pages.
        ConfigError: the model does not fit the settings.
    """
    sites = LearnedSites(settings, by=by, mixed=mixed)
    if folder and method_of(Path(folder)):
        method = load_method("wisdom", site=folder, options=settings)
        assert isinstance(method, Wisdom)  # noqa: S101 (narrows the type)
        sites.sites = {"": method}
        problems = [f"{folder}: {problem}"] if (problem := weakness(method)) else []
    else:
        teachers = PageSet([folder], links=folder_links()) if folder else inputs
        spare_pages(teachers.saved, output=output)
        sites.learn(_readable(teachers, tell=folder is not None))
        problems = sites.warnings()
    for problem in problems[:_SHOWN]:
        report(problem)
    if len(problems) > _SHOWN:
        report(f"… and {len(problems) - _SHOWN} more sites of one page or of equal pages")
    return sites


def _readable(inputs: PageSet, *, tell: bool) -> Iterator[Page]:
    """Yield the pages that can be learned from; report the others unless they are read again or are all there is."""
    unread, readable = [], False
    for given in track(inputs, inputs.count or 0, stage="learning", quiet=is_quiet()):
        if given.problem:
            unread.append(f"{given.name}: {given.problem}")
        if given.page is not None and given.page.status.is_readable:
            readable = True
            yield given.page
    if tell or not readable:
        for problem in unread:
            report(problem)


class _Run:
    """The second reading of the pages, in which their blocks are found, and what was found."""

    def __init__(self, choice: RecordChoice, sites: LearnedSites | None = None) -> None:
        self.choice = choice
        self.sites = sites
        self.failed = 0
        self.counts = Counter[str]()
        self.notes: dict[str, list[str]] = {}

    def write(self, inputs: PageSet, form: TocFormat, stream: TextIO) -> None:
        """Write the records of all pages."""
        stream.write(form.head(f"Blocks of {inputs.title}"))
        for given in track(inputs, inputs.count or 0, stage="finding blocks", quiet=is_quiet()):
            record = self._record(given)
            stream.write(form.write(record))
            self.count(record)
            if given.problem:
                report(f"{given.name}: {given.problem}")
        stream.write(form.foot)

    def _record(self, given: GivenPage) -> dict[str, Any]:
        page = given.page
        assert self.sites is not None  # noqa: S101 (given where pages are read)
        if page is None or not page.status.is_readable:
            return unread_record(given.name, page, given.problem)
        wisdom = self.sites.of(page)
        if wisdom is None:
            return unread_record(given.name, page, given.problem, note="no page of its site was learned")
        facts = unread_record(given.name, page, given.problem)
        return facts | page_record(page, wisdom, self.choice) | {"learned": wisdom.pages_}

    def count(self, record: dict[str, Any]) -> None:
        """Count what a record has."""
        self.counts["page"] += 1
        self.failed += not Status(record["status"]).is_fine
        for name in self.choice.types:
            self.counts[name] += len(record.get(name, ()))
        self.counts["link"] += sum(len(block["links"]) for block in record.get("toc", ()))
        for note in record.get("notes", ()):
            self.notes.setdefault(note, []).append(record["page"])

    def summarise(self) -> None:
        """Tell people what was found, and each note once, with the pages that have it."""
        for note, names in self.notes.items():
            more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
            report(f"{', '.join(names[:_SHOWN])}{more}: {note}")
        found = [f"{counted(self.counts[name], f'{TYPE_NAMES[name]} block')}" for name in self.choice.types]
        links = f", {counted(self.counts['link'], 'link')}" if "toc" in self.choice.types else ""
        report(f"{counted(self.counts['page'], 'page')}: {', '.join(found)}{links}")

    def exit_code(self) -> ExitCode:
        """Return the exit code."""
        if self.failed:
            return ExitCode.SOME_FAILED
        return ExitCode.OK if any(self.counts[name] for name in self.choice.types) else ExitCode.NOTHING
