"""`dehusk site`: learn what a site's pages share, clean with it, look at it."""

from copy import copy
from pathlib import Path
from typing import Any

import click

from dehusk.cli.clean import clean_command
from dehusk.cli.exit_codes import ExitCode
from dehusk.cli.options import NearestChoice, quiet_option, silencing_option
from dehusk.cli.output import open_output
from dehusk.methods import DEFAULT
from dehusk.methods.registry import names
from dehusk.site.grouping import BY


@click.group("site")
def site_command() -> None:
    """What the pages of a site share: learn it, clean with it, show it."""


@site_command.command("learn")
@click.argument("pages", nargs=-1, metavar="PAGE...")
@click.option("--list", "lists", multiple=True, metavar="FILE", help="File with one PAGE a line; - for standard input.")
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False), help="Site model to write: a folder.")
@click.option(
    "--method",
    type=NearestChoice(["site", "alternation"], "method"),
    default="site",
    show_default=True,
    help="site: for the methods site, cst and wisdom. alternation: for that method alone.",
)
@click.option("--by", type=NearestChoice(BY), default="host", show_default=True, help="What a site is.")
@click.option("--mixed", is_flag=True, help="Take pages of several sites as one.")
@click.option("--merge", "merged", multiple=True, metavar="SITE", help="Add a model that was written with --complete.")
@click.option("--complete", is_flag=True, help="Keep all counts, so that models can be merged later.")
@click.option("--cut/--no-cut", default=None, help="Search FindOptimal's cut point for `show`. [default: cut]")
@quiet_option
def site_learn(pages: tuple[str, ...], lists: tuple[str, ...], **options: Any) -> int:
    """Learn what the pages of one site share.

    PAGE is a file, a folder or a glob in quotes. Pages whose address says that they are of another site are refused,
    unless they are --mixed on purpose.

    \b
    Example:
      dehusk site learn saved/example.org -o example.site
      dehusk clean --site example.site saved/example.org/page.html
    """
    from dehusk.cli.learning import Reader, learn, learn_alternation
    from dehusk.read import Limits
    from dehusk.read.files import PageSources, find_pages
    from dehusk.site.model import Site

    if not pages and not lists and not options["merged"]:
        raise click.UsageError("name a PAGE, a --list or a model to --merge")
    found = find_pages(pages, lists) if pages or lists else PageSources((), many=False)
    reader = Reader(found, Limits(), options["quiet"])
    chosen = {"by": options["by"], "mixed": options["mixed"]}
    if options["method"] == "alternation":
        if options["merged"] or options["complete"] or options["cut"] is not None:
            raise click.UsageError("--merge, --complete, --cut and --no-cut are for --method site")
        learn_alternation(reader, **chosen).save(Path(options["output"]))
        return ExitCode.SOME_FAILED if reader.failed else ExitCode.OK
    models = [Site.load(folder) for folder in options["merged"]]
    if found.sources:
        learned = learn(reader, cut=options["cut"] is not False, **chosen)
    else:
        learned = Site(by=models[0].by, mixed=options["mixed"], structure=models[0].structure)
    for model in models:
        learned.merge(model)
    learned.save(options["output"], complete=options["complete"])
    if not options["quiet"]:
        _tell(learned, options["output"])
    return ExitCode.SOME_FAILED if reader.failed else ExitCode.OK


def _tell(learned: Any, output: str) -> None:
    tables = learned.tables
    copies = tables.seen - tables.distinct
    of = f" of {', '.join(learned.hosts)}" if learned.hosts else ""
    click.echo(f"{output}: learned from {tables.seen} pages{of}, {copies} of them copies", err=True)
    if learned.warning:
        click.echo(f"dehusk: {learned.warning}", err=True)


def _site_clean() -> click.Command:
    """Return `dehusk clean` with what only page methods need left away, and the site asked for."""
    params = []
    for param in clean_command.params:
        if param.name in ("model", "config"):
            continue
        own = copy(param)
        if isinstance(own, click.Option) and own.name == "site":
            own.required = True
        if isinstance(own, click.Option) and own.name == "method":
            own.type, own.default, own.help = NearestChoice(names(), "method"), DEFAULT, None
            own.show_default = True
        params.append(own)

    def callback(pages: tuple[str, ...], lists: tuple[str, ...], **options: Any) -> int:
        assert clean_command.callback is not None  # noqa: S101 (a command made by a decorator has one)
        return int(clean_command.callback(pages, lists, model=None, config=None, **options))

    text = """Clean pages with what their site's pages share.

    \b
    Examples:
      dehusk site clean --site example.site page.html
      dehusk site clean --site saved/example.org --method wisdom saved/example.org --output-dir out
    """
    return click.Command("clean", params=params, callback=callback, help=text)


site_command.add_command(_site_clean())


@site_command.command("show")
@click.argument("folder", type=click.Path(exists=True, file_okay=False), metavar="SITE")
@click.option(
    "-f", "--format", "form", type=NearestChoice(["text", "json", "svg"], "format"), default="text", show_default=True
)
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="Write to this file instead of standard output.")
@click.option("--texts", type=click.IntRange(0), default=20, show_default=True, help="Repeated texts to show.")
@click.option("--elements", type=click.IntRange(1), default=60, show_default=True, help="Elements of the tree to show.")
@silencing_option
def site_show(folder: str, form: str, output: str | None, *, texts: int, elements: int) -> int:
    """Show what a site model holds: pages, texts they repeat, the structure tree with importances, the cut point.

    svg draws the structure tree.
    """
    from dehusk.show import account, drawing, record
    from dehusk.site.model import Site

    shown = Site.load(folder)
    with open_output(output) as stream:
        if form == "json":
            stream.write(record(shown, texts=texts, elements=elements))
        elif form == "svg":
            stream.write(drawing(shown, elements=elements))
        else:
            stream.write(account(shown, texts=texts, elements=elements))
    return 0
