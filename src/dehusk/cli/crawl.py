"""`dehusk crawl`: fetch a site or a list of URLs into WARC files, and clean the pages."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, TextIO

import click

from dehusk.cli.exit_codes import ExitCode, exit_code
from dehusk.cli.options import HelpLater, NearestChoice, max_bytes_option, quiet_option, timeout_option
from dehusk.cli.output import report, tell
from dehusk.cli.progress import ProgressLine
from dehusk.cli.settings import labelling_options
from dehusk.cli.writing import FormatName
from dehusk.label import DEFAULT, Style
from dehusk.label.registry import declaration, declarations, link_searches
from dehusk.many.crawl.crawling import crawl
from dehusk.many.crawl.plan import DEFAULT_AGENT, DEFAULT_PAGES, MOST_CONCURRENT, CrawlPlan, orders
from dehusk.many.crawl.start_urls import read_url_list
from dehusk.many.crawl.summary import INTERRUPTED, CrawlSummary
from dehusk.many.crawl.worker_process import ProgressCallback

_DEFAULTS = CrawlPlan()


def _describe_orders() -> str:
    found = ", ".join(f"{order}: {search.summary}, while crawling" for order, search in link_searches().items())
    return f"Which URLs come first: those nearest to URL, or the links that a method finds ({found})."


class _CleanOptions(NamedTuple):
    """The options of --clean; None if not given."""

    format: str | None
    method: str | None
    style: Style | None
    favour: float | None

    def given(self) -> dict[str, Any]:
        """Return the options that were given."""
        return {name: value for name, value in self._asdict().items() if value is not None}


@click.command("crawl")
@click.argument("url", required=False)
@click.option(
    "--list",
    "url_list",
    type=click.File(encoding="utf-8-sig"),
    metavar="FILE",
    help="Instead of URL: fetch the URLs in this file, one per line, without following links; - for standard input.",
)
@click.option("-o", "--output", "folder", required=True, type=click.Path(file_okay=False), help="Job folder to write.")
@click.option("--host", "hosts", multiple=True, metavar="HOST", help="Also crawl this host; repeat for several.")
@click.option("--depth", type=click.IntRange(1), default=_DEFAULTS.depth, help="Maximum links from URL.")
@click.option(
    "--pages", type=click.IntRange(1), help=f"Maximum HTML pages to store. [default: {DEFAULT_PAGES}; for a list, all]"
)
@click.option("--minutes", type=click.FloatRange(0, min_open=True), help="Time limit of this run. [default: none]")
@click.option(
    "--delay",
    type=click.FloatRange(0),
    default=_DEFAULTS.delay,
    help="Minimum seconds between requests to a host; slow responses and robots.txt increase it.",
)
@click.option(
    "--concurrency",
    type=click.IntRange(1, MOST_CONCURRENT),
    default=_DEFAULTS.concurrency,
    help="Maximum simultaneous requests to a host.",
)
@click.option("--sitemap", is_flag=True, help="Also start from the site's sitemaps.")
@click.option(
    "--along", type=NearestChoice(orders, "order"), default=_DEFAULTS.along, cls=HelpLater, describe=_describe_orders
)
@click.option("--markdown", is_flag=True, help="Ask servers for Markdown, which some have beside HTML.")
@click.option("--private", is_flag=True, help="Allow addresses outside the public internet: 127.0.0.1, 10.0.0.1.")
@click.option("--agent", default=DEFAULT_AGENT, metavar="TEXT", help="User agent; include how to contact you.")
@max_bytes_option(_DEFAULTS.max_bytes, "Maximum size of a page.")
@timeout_option(_DEFAULTS.timeout, "Maximum seconds for one response.")
@click.option(
    "--per-pattern",
    type=click.IntRange(1),
    default=_DEFAULTS.per_pattern,
    help="Maximum URLs that differ only in their numbers.",
)
@click.option(
    "--per-path",
    type=click.IntRange(1),
    default=_DEFAULTS.per_path,
    help="Maximum URLs that differ only in their query.",
)
@click.option(
    "--clean", is_flag=True, help="Learn each host from its pages and clean them all: clean.jsonl, and more by method."
)
@click.option(
    "-f", "--format", "format_", type=FormatName(), help="Format of the content, with --clean. [default: text]"
)
@labelling_options(", with --clean")
@quiet_option
def crawl_command(  # noqa: PLR0913 (options of --clean; the others are fields of the plan)
    *,
    url: str | None,
    url_list: TextIO | None,
    folder: str,
    clean: bool,
    format_: str | None,
    method: str | None,
    style: Style | None,
    favour: float | None,
    quiet: bool,
    **plan_settings: Any,
) -> int:
    """Crawl a site into WARC files: obey robots.txt, wait between requests, contact only the public internet.

    With --list, fetch the URLs in a list instead, on any hosts.

    To resume an interrupted crawl, repeat the command; no stored page is fetched twice.

    \b
    Examples:
      dehusk crawl https://example.org/ -o job
      dehusk crawl https://example.org/ -o job --pages 200 --minutes 10 --sitemap --clean
      dehusk crawl https://example.org/ -o job --pages 200 --along toc
      dehusk crawl https://example.org/ -o job --host blog.example.org --delay 2 --agent "me/1 (+https://me.example/)"
      dehusk crawl http://localhost:8000/ -o job --private --delay 0
      dehusk crawl --list urls.txt -o job
    """
    start = _start(url, url_list)
    clean_options = _CleanOptions(format_, method, style, favour)
    _check(clean_options, clean=clean)
    plan = CrawlPlan(**plan_settings)
    summary = _crawl(start, folder, plan, quiet=quiet)
    code = crawl_exit_code(summary)
    if not clean or not summary.pages or summary.end == INTERRUPTED:
        return code
    return max(code, _clean(folder, summary, clean_options, quiet=quiet))


def _start(url: str | None, url_list: TextIO | None) -> str | Iterable[str]:
    """Return the start URL, or the URLs in the list."""
    if url is not None and url_list is not None:
        raise click.UsageError("give URL or --list, not both")
    if url is not None:
        return url
    if url_list is None:
        raise click.UsageError("Missing argument 'URL' (or option '--list')")
    return read_url_list(url_list, "standard input" if url_list.name == "<stdin>" else url_list.name)


def _check(options: _CleanOptions, *, clean: bool) -> None:
    given = options.given()
    if given and not clean:
        raise click.UsageError(f"--{min(given)} requires --clean")
    method = declaration(options.method or DEFAULT)
    if not method.learns_from_counts:
        users = ", ".join(other.name for other in declarations() if other.learns_from_counts)
        raise click.UsageError(f"method {method.name} cannot clean a crawl; these can: {users}")
    method.check_options({name: given[name] for name in ("style", "favour") if name in given})


def _crawl(start: str | Iterable[str], folder: str, plan: CrawlPlan, *, quiet: bool) -> CrawlSummary:
    with _progress("crawling", quiet=quiet) as progress:
        summary = crawl(start, folder, plan=plan, progress=progress)
    if not quiet:
        for line in summary.lines():
            tell(line)
    return summary


def _clean(folder: str, summary: CrawlSummary, options: _CleanOptions, *, quiet: bool) -> ExitCode:
    from dehusk.many.crawl.cleaning import clean_crawl

    with _progress("cleaning", quiet=quiet) as progress:
        cleaned = clean_crawl(
            folder,
            form=options.format or "text",
            method=options.method,
            style=options.style,
            favour=options.favour,
            progress=lambda pages: progress({"pages": pages, "of": summary.pages}),
        )
    if not quiet:
        for warning in cleaned.warnings:
            report(warning)
        counts = ", ".join(f"{status} {count}" for status, count in sorted(cleaned.statuses.items()))
        tell(f"cleaned    {counts}")
    return exit_code(cleaned.statuses, cleaned.extracted, lost=cleaned.lost)


def crawl_exit_code(summary: CrawlSummary) -> ExitCode:
    """Return the exit code of a crawl."""
    if summary.end == INTERRUPTED:
        return ExitCode.INTERRUPTED
    if not summary.pages:
        return ExitCode.NOTHING
    return ExitCode.SOME_FAILED if summary.failed or not summary.ended_as_planned else ExitCode.OK


@contextmanager
def _progress(stage: str, *, quiet: bool) -> Iterator[ProgressCallback]:
    """Yield a callback that shows progress on standard error, if that is a terminal."""
    with ProgressLine(quiet=quiet) as line:

        def show(progress: dict[str, int]) -> None:
            note = f"{progress['waiting']} waiting" if "waiting" in progress else ""
            line.show(stage, progress["pages"], progress["of"], note)

        yield show
