"""`dehusk colour`: pages with their useless characters in grey, the delimiters of the rest, and the surface."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from dehusk.base.errors import InputError, counted
from dehusk.base.store import method_of
from dehusk.cli.exit_codes import ExitCode
from dehusk.cli.learning import PageReader
from dehusk.cli.links import folder_links, follow_links_option
from dehusk.cli.options import NearestChoice, by_option, list_option, mixed_option, silencing_option
from dehusk.cli.output import OutputFolder, open_output, report, spare_pages
from dehusk.counts.grouping import BY, of_one_site
from dehusk.label.site_models import check_kind
from dehusk.read import Limits
from dehusk.read.files import find_pages
from dehusk.read.page import Page
from dehusk.sites.alternation import Alternation, FindOptimal, page_string
from dehusk.sites.alternation.alternation import MODEL as ALTERNATION_MODEL
from dehusk.sites.alternation.colouring import ColouredSite
from dehusk.sites.alternation.find_optimal import MODEL as FIND_OPTIMAL_MODEL
from dehusk.sites.alternation.ranking import TIES
from dehusk.sites.alternation.surface_picture import draw_surface

_LEARNING = ("search", "n", "t", "ties", "look_ahead", "longest", "bounds")
_RECORDS = "records"
_LENGTHS, _PERCENTS = 60, 30  # least extent of a surface


class _LeastCount(click.ParamType):  # type: ignore[type-arg]  # generic only since click 8.4
    """A count, or "records"."""

    name = "count"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the count or the word."""
        try:
            return value if value == _RECORDS else int(value)
        except ValueError:
            self.fail(f"{value!r} is neither an integer nor {_RECORDS}", param, ctx)


@click.command("colour")
@click.argument("pages", nargs=-1, metavar="PAGE...")
@list_option
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False), help="Folder of the coloured pages.")
@click.option(
    "--site",
    metavar="SITE",
    help="Folder of a model of method alternation, or of pages to learn from.  [default: learn from PAGE]",
)
@click.option(
    "--strings",
    type=NearestChoice(["raw", "page"], "kind of string"),
    help="What is compared: the source (raw), or body, tags and --attributes (page).  [default: raw, or a model's own]",
)
@click.option(
    "--attributes", metavar="NAMES", help="Attributes of page strings, with commas; all for all.  [default: class]"
)
@click.option(
    "--search", type=NearestChoice(["printed", "df"], "search"), help="How to find what is useless.  [default: printed]"
)
@click.option("--n", type=click.IntRange(1), help="For df: characters of an n-gram.  [default: 32]")
@click.option(
    "--t", type=_LeastCount(), help="Least number of documents (df, or records) or of occurrences.  [default: 2]"
)
@click.option(
    "--ties", type=NearestChoice(TIES, "order"), help="Order of n-grams that are equally frequent.  [default: hashed]"
)
@click.option(
    "--look-ahead", type=click.IntRange(0), help="Steps to look beyond the end of the printed search.  [default: 0]"
)
@click.option("--longest", type=click.IntRange(2), help="Largest n of the search.  [default: 256]")
@click.option("--bounds", metavar="CHARACTERS", help="N-grams have these characters at their ends only, e.g. '<>.?'.")
@click.option("--surface", type=click.Path(dir_okay=False), help="Draw the alternation counts and the search as SVG.")
@click.option("--omit", type=click.IntRange(0), help="Shorten long parts to this many characters at each end.")
@by_option(BY)
@mixed_option()
@follow_links_option
@silencing_option
def colour_command(pages: tuple[str, ...], lists: tuple[str, ...], **options: Any) -> int:
    """Show what FindOptimal finds useless on pages: coloured pages, delimiters, the surface of alternation counts.

    PAGE is a file, a folder, or a glob in quotes. OUTPUT gets an HTML file for each page, in which useless characters
    are grey and the others black, and delimiters.json: the cut point, its path, and what recurs around black parts.

    \b
    Examples:
      dehusk colour saved/example.org -o coloured --surface surface.svg
      dehusk colour page.html --site saved/example.org --search df -o coloured
      dehusk site learn --method alternation saved/example.org -o example.model
      dehusk colour page.html --site example.model -o coloured
    """
    if not pages and not lists:
        raise click.UsageError("name a PAGE or a --list")
    if options["surface"] and options["search"] == "df":
        raise click.UsageError("--surface is of the printed search: leave out --search df")
    reader = PageReader(find_pages(pages, lists, links=folder_links()), Limits())
    model = _model(options)
    teachers = (
        reader
        if model or not options["site"]
        else PageReader(find_pages([options["site"]], links=folder_links()), Limits())
    )
    sources = (*reader.pages.sources, *teachers.pages.sources)
    spare_pages(sources, surface=options["surface"])
    names = _attributes(options, model)
    relative, documents = _read(reader, names, options)
    if not documents:
        raise InputError("no pages to colour")
    learned = documents if teachers is reader else _read_folder(teachers, names, options)
    cut = model[0] if model else _learn(learned, options)
    site = ColouredSite(cut, relative, documents)
    folder = OutputFolder(Path(options["output"]), ".html", (Path(source.name) for source in sources))
    _write(site, relative, folder, options)
    if options["surface"]:
        with open_output(options["surface"]) as stream:
            stream.write(_surface(cut, learned))
    _summarise(site, options)
    return ExitCode.SOME_FAILED if reader.failed or teachers.failed else ExitCode.OK


def _model(options: dict[str, Any]) -> tuple[FindOptimal, tuple[str, ...] | str | None] | None:
    """Return a saved finder and the attributes of its documents, "raw" for the source; None if it is to be learned."""
    given = [name for name in (*_LEARNING, "surface") if options[name] is not None]
    kind = method_of(Path(options["site"])) if options["site"] else None
    if not kind:
        return None
    if given:
        flag = given[0].replace("_", "-")
        raise click.UsageError(f"--{flag} is for learning, and {options['site']} is a model: name a folder of pages")
    if kind == FIND_OPTIMAL_MODEL:
        return FindOptimal.load(Path(options["site"])), "raw"
    check_kind(Path(options["site"]), ALTERNATION_MODEL)
    method = Alternation.load(Path(options["site"]))
    return method.cut_, method.attributes_


def _attributes(
    options: dict[str, Any], model: tuple[FindOptimal, tuple[str, ...] | str | None] | None
) -> tuple[str, ...] | str | None:
    """Return the attributes of the documents, None for all, or "raw" if the documents are the source."""
    strings, text = options["strings"], options["attributes"]
    if model:
        own = "raw" if model[1] == "raw" else "page"
        if strings not in (None, own) or text is not None:
            raise click.UsageError(f"the model is of {own} strings: leave out --strings and --attributes")
        return model[1]
    if strings != "page":
        if text is not None:
            raise click.UsageError("--attributes needs --strings page")
        return "raw"
    if text is None:
        return ("class",)
    return None if text == "all" else tuple(filter(None, text.split(",")))


def _read(
    reader: PageReader, names: tuple[str, ...] | str | None, options: dict[str, Any]
) -> tuple[list[str], list[str]]:
    """Return the relative path of each page that can be read, and its document."""
    relative: list[str] = []

    def pages() -> Iterator[Page]:
        for source, page in reader.read_located():
            relative.append(source.relative)
            yield page

    documents = []
    for page in of_one_site(pages(), by=options["by"], mixed=options["mixed"]):
        documents.append(_document(page, names))
        page.release()
    return relative, documents


def _document(page: Page, names: tuple[str, ...] | str | None) -> str:
    if isinstance(names, str):
        return page.elements.text
    return page_string(page, attributes=names).text


def _read_folder(reader: PageReader, names: tuple[str, ...] | str | None, options: dict[str, Any]) -> list[str]:
    documents = _read(reader, names, options)[1]
    if not documents:
        raise InputError(f"{options['site']}: no pages to learn from")
    return documents


def _learn(documents: list[str], options: dict[str, Any]) -> FindOptimal:
    given = {name: options[name] for name in _LEARNING if options[name] is not None}
    cut = FindOptimal(**{"search": "printed", **given}).fit(documents)
    if cut.warning:
        report(cut.warning)
    return cut


def _write(site: ColouredSite, names: list[str], folder: OutputFolder, options: dict[str, Any]) -> None:
    for index, relative in enumerate(names):
        folder.put(relative, site.picture(index, omit=options["omit"]))
    with open_output(str(folder.folder / "delimiters.json")) as stream:
        stream.write(json.dumps(site.report(), ensure_ascii=False, indent=1) + "\n")


def _surface(cut: FindOptimal, documents: list[str]) -> str:
    lengths = range(2, max(_LENGTHS, cut.n_ + 4) + 1)
    percents = range(1, max(_PERCENTS, min(int(cut.a_) + 4, 100)) + 1)
    grid = cut.surface(documents, lengths, percents)
    return draw_surface(
        grid, {"the search": cut.path_}, title=f"Alternation counts of {counted(len(documents), 'page')}"
    )


def _summarise(site: ColouredSite, options: dict[str, Any]) -> None:
    report(f"{options['output']}: {counted(len(site.documents), 'page')}; {site.describe()}")
    for pair in site.delimiters[:3]:
        report(
            f"between {pair.left} and {pair.right}: {pair.characters:,} characters in {counted(pair.documents, 'page')}"
        )
