"""`dehusk crawl`: a site from an entrance URL, or a list of addresses, to WARC files and clean records."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

import click

from dehusk.cli.exit_codes import ExitCode, exit_code
from dehusk.cli.formats import FormatName
from dehusk.cli.options import NearestChoice, quiet_option
from dehusk.cli.progress import ProgressLine
from dehusk.crawl.plan import AGENT, PAGES, CrawlPlan
from dehusk.crawl.run import Tell, crawl
from dehusk.crawl.summary import CrawlSummary
from dehusk.crawl.url_list import read_url_list
from dehusk.methods import DEFAULT, STYLES
from dehusk.methods.registry import declaration, declarations, names

_PLAN = CrawlPlan()
_OF_CLEAN = ("format", "method", "style", "favour")


@click.command("crawl")
@click.argument("url", required=False)
@click.option(
    "--list",
    "listing",
    type=click.File(encoding="utf-8-sig"),
    metavar="FILE",
    help="In place of URL: fetch the addresses of this file, one a line, and follow no links; - for standard input.",
)
@click.option("-o", "--output", "folder", required=True, type=click.Path(file_okay=False), help="Job folder to write.")
@click.option("--host", "hosts", multiple=True, metavar="HOST", help="Stay on this host, too; can be repeated.")
@click.option("--depth", type=click.IntRange(1), default=_PLAN.depth, show_default=True, help="Links from URL at most.")
@click.option("--pages", type=click.IntRange(1), help=f"HTML pages to store. [default: {PAGES}; of a list all]")
@click.option("--minutes", type=click.FloatRange(0, min_open=True), help="Time for this run. [default: no bound]")
@click.option(
    "--delay",
    type=click.FloatRange(0),
    default=_PLAN.delay,
    show_default=True,
    help="Seconds between requests to a host; slow answers and robots.txt make it longer.",
)
@click.option(
    "--concurrency",
    type=click.IntRange(1, 64),
    default=_PLAN.concurrency,
    show_default=True,
    help="Requests to a host under way.",
)
@click.option("--sitemap", is_flag=True, help="Begin with the addresses of the site's sitemaps, too.")
@click.option("--private", is_flag=True, help="Allow addresses that are not public, such as 127.0.0.1 and 10.0.0.1.")
@click.option("--agent", default=AGENT, show_default=True, metavar="TEXT", help="User agent; say where to write to.")
@click.option("--max-bytes", type=click.IntRange(1), default=_PLAN.max_bytes, show_default=True, help="Of one page.")
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    default=_PLAN.timeout,
    show_default=True,
    help="Seconds for one answer.",
)
@click.option(
    "--per-pattern",
    type=click.IntRange(1),
    default=_PLAN.per_pattern,
    show_default=True,
    help="Addresses that differ only in their numbers, at most.",
)
@click.option(
    "--per-path",
    type=click.IntRange(1),
    default=_PLAN.per_path,
    show_default=True,
    help="Addresses that differ only in their query, at most.",
)
@click.option(
    "--clean", is_flag=True, help="Learn the site from its pages and clean them all: clean.jsonl, wisdom.jsonl."
)
@click.option("-f", "--format", type=FormatName(), help="--clean: of the content. [default: text]")
@click.option("--method", type=NearestChoice(names(), "method"), help=f"--clean: [default: {DEFAULT}]")
@click.option(
    "--style", type=NearestChoice(STYLES, "style"), help="--clean: what is wanted of the pages. [default: auto]"
)
@click.option("--favour", type=click.FloatRange(0, 1), help="--clean: 0 for precision, 1 for recall. [default: 0.5]")
@quiet_option
def crawl_command(url: str | None, listing: TextIO | None, folder: str, **options: Any) -> int:
    """Crawl a site from an entrance URL into WARC files; by robots.txt, slowly, and only what is public.

    Or, with --list, fetch the addresses of a list, of any hosts.

    The same command on the same folder goes on where a run ended or was killed; no stored page is fetched twice.

    \b
    Examples:
      dehusk crawl https://example.org/ -o job
      dehusk crawl https://example.org/ -o job --pages 200 --minutes 10 --sitemap --clean
      dehusk crawl https://example.org/ -o job --host blog.example.org --delay 2 --agent "me/1 (+https://me.example/)"
      dehusk crawl http://localhost:8000/ -o job --private --delay 0
      dehusk crawl --list urls.txt -o job
    """
    begin = _beginning(url, listing)
    wishes = {name: options.pop(name) for name in _OF_CLEAN}
    wanted, quiet = options.pop("clean"), options.pop("quiet")
    given = {name: value for name, value in wishes.items() if value is not None}
    if given and not wanted:
        raise click.UsageError(f"--{min(given)} is for --clean")
    if not declaration(given.get("method", DEFAULT)).learns_from_counts:
        users = ", ".join(method.name for method in declarations() if method.learns_from_counts)
        raise click.UsageError(f"method {given['method']} cannot clean a crawl; these can: {users}")
    if given.get("method", DEFAULT) != DEFAULT and given.keys() & {"style", "favour"}:
        raise click.UsageError(f"--style and --favour are for method {DEFAULT}")
    plan = CrawlPlan(**options)
    with _shown("crawling", quiet=quiet) as tell:
        summary = crawl(begin, folder, plan=plan, tell=tell)
    if not quiet:
        for line in summary.lines():
            click.echo(line, err=True)
    code = crawl_exit_code(summary)
    if not wanted or not summary.pages or summary.end == "interrupted":
        return code
    return max(code, _clean(folder, summary, given, quiet=quiet))


def _beginning(url: str | None, listing: TextIO | None) -> str | Iterable[str]:
    """Return the entrance or the addresses of the list, of which there is one."""
    if url is not None and listing is not None:
        raise click.UsageError("give URL or --list, not both")
    if url is not None:
        return url
    if listing is None:
        raise click.UsageError("Missing argument 'URL' (or option '--list')")
    return read_url_list(listing, "standard input" if listing.name == "<stdin>" else listing.name)


def _clean(folder: str, summary: CrawlSummary, given: dict[str, Any], *, quiet: bool) -> int:
    from dehusk.crawl.cleaning import clean_crawl

    form = given.pop("format", "text")
    with _shown("cleaning", quiet=quiet) as tell:
        total = summary.pages
        cleaned = clean_crawl(folder, form=form, tell=lambda number: tell({"pages": number, "of": total}), **given)
    if not quiet:
        for warning in cleaned.warnings:
            click.echo(f"dehusk: {warning}", err=True)
        counts = ", ".join(f"{status} {count}" for status, count in sorted(cleaned.statuses.items()))
        click.echo(f"cleaned    {counts}", err=True)
    return exit_code(cleaned.statuses, cleaned.extracted)


def crawl_exit_code(summary: CrawlSummary) -> ExitCode:
    """Return the exit code of a crawl."""
    if summary.end == "interrupted":
        return ExitCode.INTERRUPTED
    if not summary.pages:
        return ExitCode.NOTHING
    return ExitCode.SOME_FAILED if summary.failed or not summary.ended_as_planned else ExitCode.OK


@contextmanager
def _shown(what: str, *, quiet: bool) -> Iterator[Tell]:
    """Give a callback that shows the progress of a crawl on standard error, if that is a terminal."""
    with ProgressLine(quiet=quiet) as line:

        def tell(progress: dict[str, int]) -> None:
            waiting = f"{progress['waiting']} waiting" if "waiting" in progress else ""
            line.show(what, progress["pages"], progress["of"], waiting)

        yield tell
