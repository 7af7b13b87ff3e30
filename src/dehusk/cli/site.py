"""`dehusk site`: learn what the pages of a site share, clean with it, show it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dehusk.base.atomic import write_text
from dehusk.base.errors import ConfigError, InputError, counted
from dehusk.base.store import method_of
from dehusk.cli.clean import clean_command
from dehusk.cli.exit_codes import ExitCode
from dehusk.cli.links import folder_links, follow_links_option
from dehusk.cli.options import (
    HelpLater,
    NearestChoice,
    by_option,
    list_option,
    mixed_option,
    output_option,
    silencing_option,
    template_gold_option,
)
from dehusk.cli.output import open_output, report, spare_pages
from dehusk.cli.settings import method_options, set_option, wisdom_set_option, with_option
from dehusk.counts.grouping import BY
from dehusk.counts.model import CARD, SiteModel, too_few
from dehusk.counts.templates import RULES_FILE
from dehusk.label import DEFAULT, STYLES
from dehusk.label.registry import declaration, declarations

if TYPE_CHECKING:
    from dehusk.cli.learning import PageReader
    from dehusk.read.files import PageLocations


def _learnable() -> tuple[str, ...]:
    """Return the values of `--method`: the counts that most methods use, and the methods with models of their own."""
    return (CARD, *(declared.name for declared in declarations() if declared.own_models))


def _most_learned() -> int:
    from dehusk.cli.learning import MOST_LEARNED

    return MOST_LEARNED


def _using_site() -> tuple[str, ...]:
    return tuple(declared.name for declared in declarations() if declared.site != "no")


@click.group("site")
def site_command() -> None:
    """Learn what the pages of a site share, clean with it, show it."""


@site_command.command("learn")
@click.argument("pages", nargs=-1, metavar="PAGE...")
@list_option
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False), help="Folder of the new site model.")
@click.option(
    "--method",
    type=NearestChoice(_learnable, "method"),
    default=CARD,
    help="Method to learn for; a model for `site` also serves the other methods that use a site.",
)
@set_option
@click.option(
    "--search",
    cls=HelpLater,
    metavar="RULE",
    describe=lambda: f"Rule of the search, {with_option('search')}; short for --set search=RULE.",
)
@by_option(BY)
@mixed_option()
@click.option("--merge", "merged", multiple=True, metavar="SITE", help="Add a model saved with --complete.")
@click.option("--complete", is_flag=True, help="Save all counts, so that models can be merged later.")
@click.option(
    "--cut/--no-cut",
    default=None,
    help="Search for FindOptimal's cut point, for `dehusk site show`. [default: if the extra findoptimal is installed]",
)
@template_gold_option
@click.option(
    "--most",
    type=click.IntRange(1),
    cls=HelpLater,
    describe=lambda: f"Pages to learn from; of more, a sample by their paths. [default: {_most_learned():,}]",
)
@click.option(
    "--compile",
    "rules",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Also write a rules file that cleans pages of the site's templates without the model, element by element.",
)
@click.option(
    "--style",
    cls=HelpLater,
    type=NearestChoice(STYLES, "style"),
    describe=lambda: "How much of a page the rules of its templates keep. [default: auto]",
)
@follow_links_option
@silencing_option
def site_learn(pages: tuple[str, ...], lists: tuple[str, ...], **options: Any) -> int:
    """Learn what the pages of one site share.

    PAGE is a file, a folder, or a glob in quotes. A page whose URL belongs to another site is refused unless you add
    --mixed.

    \b
    Examples:
      dehusk site learn saved/example.org -o example.site
      dehusk clean --site example.site saved/example.org/page.html
      dehusk site learn saved/example.org --gold corrected -o example.site
      dehusk site learn saved/example.org -o example.site --compile example.toml
      dehusk site learn saved/example.org --method wisdom --set k=3 -o example.wisdom
    """
    from dehusk.cli.learning import MOST_LEARNED, PageReader, learn_method, sample_of
    from dehusk.read import Limits
    from dehusk.read.files import PageLocations, find_pages

    if not pages and not lists and not options["merged"]:
        raise click.UsageError("name a PAGE, a --list or a model to --merge")
    if options["rules"] and not pages and not lists:
        raise click.UsageError("--compile needs pages of the site: name a PAGE or a --list")
    sources = find_pages(pages, lists, links=folder_links()) if pages or lists else PageLocations((), many=False)
    reader = PageReader(sample_of(sources, options["most"] or MOST_LEARNED), Limits())
    if len(reader.pages.sources) < len(sources.sources):
        report(f"learning from {len(reader.pages.sources):,} of {len(sources.sources):,} pages, chosen by their paths")
    settings = [*options["settings"], *([f"search={options['search']}"] if options["search"] else [])]
    if options["method"] == CARD:
        if settings:
            raise click.UsageError(f"--set and --search need another --method than {CARD}, which has no options")
        _learn_site(reader, sources, options)
    else:
        if options["merged"] or options["complete"] or options["cut"] is not None:
            raise click.UsageError(f"--merge, --complete, --cut and --no-cut require --method {CARD}")
        if options["gold"] or options["rules"]:
            raise click.UsageError(f"--gold and --compile require --method {CARD}")
        declared = declaration(options["method"])
        chosen = method_options(declared, settings)
        method = learn_method(declared, reader, options=chosen, by=options["by"], mixed=options["mixed"])
        method.save(Path(options["output"]))
        _report_learned(
            reader.read_pages, len(reader.texts), f"{options['output']}: learned for method {declared.name}"
        )
    return ExitCode.SOME_FAILED if reader.failed else ExitCode.OK


def _learn_site(reader: PageReader, sources: PageLocations, options: dict[str, Any]) -> None:
    """Learn a site, merge models into it, teach it by those of all pages that are labelled, and save it."""
    from dehusk.cli.learning import declared_counts, learn_site, learned_templates, taught_by, write_templates

    models = [SiteModel.load(folder, counts=declared_counts()) for folder in options["merged"]]
    if reader.pages.sources:
        site = learn_site(reader, by=options["by"], mixed=options["mixed"], cut=options["cut"])
    else:
        site = models[0].blank(mixed=options["mixed"])
    for model in models:
        site.merge(model)
    taught = taught_by(site, sources, options["gold"]) if options["gold"] else ""
    site.save(options["output"], complete=options["complete"])
    _report_site(site, options["output"])
    if taught:
        report(f"{options['output']}: {taught}")
    if not reader.pages.sources:
        return
    rules = learned_templates(site, reader.pages, reader.limits, options["style"] or "auto")
    write_text(Path(options["output"], RULES_FILE), rules.text())
    if file := options["rules"]:
        report(f"{file}: {write_templates(rules, Path(file))}")


def _report_site(site: SiteModel, output: str) -> None:
    _report_learned(site.tables.seen, site.tables.distinct, f"{output}: learned", hosts=site.hosts)


def _report_learned(pages: int, distinct: int, learned: str, *, hosts: Sequence[str] = ()) -> None:
    """Tell from how many pages a model was learned, and whether these are too few."""
    of_hosts = f" of {', '.join(hosts)}" if hosts else ""
    copies = pages - distinct
    report(
        f"{learned} from {counted(pages, 'page')}{of_hosts}, {copies} of them {'a copy' if copies == 1 else 'copies'}"
    )
    if warning := too_few(pages, distinct):
        report(warning)


def _site_clean() -> click.Command:
    """Return `dehusk clean` without the options for models, and with a required site."""
    params: list[click.Parameter] = []
    for param in clean_command.params:
        if param.name in ("model", "config"):
            continue
        adapted = copy(param)
        if isinstance(adapted, click.Option) and adapted.name == "site":
            adapted.required = True
        if isinstance(adapted, click.Option) and adapted.name == "method":
            adapted.type, adapted.default = NearestChoice(_using_site, "method"), DEFAULT
            adapted.help = None
        params.append(adapted)

    def callback(pages: tuple[str, ...], lists: tuple[str, ...], **options: Any) -> int:
        assert clean_command.callback is not None  # noqa: S101 (a command made by a decorator has one)
        return int(clean_command.callback(pages, lists, model=None, config=None, **options))

    text = """Clean pages with what the pages of their site share.

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
    "-f",
    "--format",
    "form",
    type=NearestChoice(["text", "json", "svg", "html"], "format"),
    default="text",
    help="svg for the structure tree; html for --tree.",
)
@output_option
@click.option("--texts", type=click.IntRange(0), default=20, help="Repeated texts to show.")
@click.option("--elements", type=click.IntRange(1), default=60, help="Elements of the tree to show.")
@click.option("--tree", "page", metavar="PAGE", help="Show the information coverage tree of this page of the site.")
@wisdom_set_option
@follow_links_option
@silencing_option
def site_show(folder: str, form: str, output: str | None, **options: Any) -> int:
    """Show a site model: its pages, the texts they repeat, the structure tree with importances, the cut point.

    Use -f svg to draw the structure tree.

    With --tree, show what WISDOM sees of a page: its elements with CII, lengths, API and SII, the blocks it finds, and
    the entropies of the words; -f html folds. SITE can also be a folder of pages, and --set gives options of wisdom.

    \b
    Examples:
      dehusk site show example.site
      dehusk site show example.site -f svg -o tree.svg
      dehusk site show saved/example.org --tree saved/example.org/page.html -f html -o tree.html
    """
    if options["page"] is not None:
        return show_tree(folder, form, output, options["page"], options["settings"])
    from dehusk.sites.report import site_json, site_svg, site_text

    if form == "html" or options["settings"]:
        raise click.UsageError("-f html and --set need --tree PAGE")
    if folder_links().follow:
        raise click.UsageError("--follow-links is of folders of pages: it needs --tree PAGE")
    learned_for = method_of(Path(folder))
    if learned_for not in ("", CARD):
        hint = "with --tree PAGE, site show also takes models of wisdom"
        raise ConfigError(f"model {folder} belongs to method {learned_for!r}, not {CARD!r}; {hint}")
    site = SiteModel.load(folder)
    shown = {name: options[name] for name in ("texts", "elements")}
    with open_output(output) as stream:
        if form == "json":
            stream.write(site_json(site, **shown))
        elif form == "svg":
            stream.write(site_svg(site, elements=shown["elements"]))
        else:
            stream.write(site_text(site, **shown))
    return ExitCode.OK


def show_tree(folder: str, form: str, output: str | None, name: str, settings: Iterable[str]) -> int:
    """Write the information coverage tree of a page.

    Args:
        folder: a model of the page's site, or a folder of its pages.
        form: "text", "json" or "html".
        output: the file to write; None for standard output.
        name: the page.
        settings: the values of `--set`.

    Raises:
        InputError: the page cannot be read, or its site was not learned.
    """
    from dehusk.cli.toc import learn_sites
    from dehusk.sites.toc.information_nodes import information_tree, tree_html, tree_text
    from dehusk.sites.toc.inputs import PageSet
    from dehusk.write.json import dumps

    if form == "svg":
        raise click.UsageError("-f svg draws the structure tree: --tree is text, json or html")
    options = method_options(declaration("wisdom"), settings)
    named = PageSet([name])
    spare_pages(named.saved, output=output)
    first = list(islice(named, 2))
    if len(first) > 1:
        raise InputError(f"{name} names several pages: --tree shows one")
    given = first[0] if first else None
    if given is None or given.page is None or not given.page.status.is_readable:
        raise InputError(f"{name}: {given.problem if given else 'no page'}")
    if given.problem:
        report(f"{name}: {given.problem}")
    wisdom = learn_sites(PageSet([]), folder, options, output=output).of(given.page)
    if wisdom is None:
        raise InputError(f"{name}: no page of its site was learned from {folder}")
    tree = information_tree(given.page, wisdom)
    with open_output(output) as stream:
        if form == "json":
            stream.write(dumps(tree))
        else:
            stream.write(tree_html(tree, name) if form == "html" else tree_text(tree))
    return ExitCode.SOME_FAILED if given.problem else ExitCode.OK
