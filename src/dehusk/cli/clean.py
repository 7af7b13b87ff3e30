"""`dehusk clean`: pages to kernels."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from dehusk.cleaning import clean as clean_page
from dehusk.cleaning import failed
from dehusk.cli.exit_codes import exit_code
from dehusk.cli.explanation import PLAIN, Appearance, appearance_on, explanation
from dehusk.cli.formats import FormatName
from dehusk.cli.options import NearestChoice, quiet_option
from dehusk.cli.output import OutputFolder, open_output, report
from dehusk.cli.progress import track
from dehusk.document import Document
from dehusk.errors import Status
from dehusk.methods import DEFAULT, STYLES, Style, load_method, shipped_models
from dehusk.methods.registry import declaration, declarations, names
from dehusk.processes.pool import map_in_order
from dehusk.read import Limits
from dehusk.read.files import STDIN, PageSource, PageSources, find_pages
from dehusk.rules import Reach, Rule, Rules
from dehusk.write import find_writer
from dehusk.write.json import dumps

_LIMITS = Limits()


@dataclass(frozen=True)
class Job:
    """What every page of a run is done with; crosses process borders."""

    format: str
    method: str | None
    model: str | None
    config: str | None
    site: str | None
    """Folder of a site model."""
    style: Style | None
    favour: float | None
    url: str | None
    limits: Limits
    explain: bool
    appearance: Appearance
    """Of an explanation as text."""
    rules: str | None
    """File of rules for hosts."""
    lines: bool
    """Whether each page becomes a line of JSON."""


@dataclass(frozen=True)
class Result:
    """What one page gave."""

    source: PageSource
    status: Status
    message: str
    content: str
    facts: dict[str, object]
    """The JSON record without blocks; empty where no line of JSON is written."""
    kept: bool
    """Whether anything was extracted."""
    reach: Mapping[Rule, Reach] = field(default_factory=dict)
    """How far the rules that hold for the page's host reached."""


def clean_source(job: Job, source: PageSource) -> Result:
    """Read and clean one page; a file that cannot be read is a result, too."""
    try:
        data = source.read(job.limits.bytes)
    except OSError as error:
        return _result(job, source, failed(f"cannot be read: {error.strerror or error}", url=job.url or source.url))
    document = clean_page(
        data,
        url=job.url or source.url,
        method=job.method,
        model=job.model,
        config=job.config,
        site=job.site,
        style=job.style,
        favour=job.favour,
        limits=job.limits,
        explain=job.explain or job.format == "json",
        rules=job.rules,
    )
    result = _result(job, source, document)
    if job.rules is None or document.status is Status.ERROR:
        return result
    return replace(result, reach=Rules.load(job.rules).of(document.labels.blocks).reach)


def _died(job: Job, source: PageSource) -> Result:
    return _result(job, source, failed("the process that cleaned it died", url=job.url or source.url))


def _result(job: Job, source: PageSource, document: Document) -> Result:
    facts = document.facts() if job.lines else {}
    if job.explain and job.format == "html":
        content = document.overlay
    elif job.explain and job.format != "json":
        content = explanation(document, job.appearance)
    elif job.format == "json":
        content = dumps({"page": source.name, **document.record(evidence=job.explain)})
    else:
        content = document.render(job.format)
    return Result(source, document.status, document.message, content, facts, kept=bool(document.labels.kept.any()))


@click.command("clean")
@click.argument("pages", nargs=-1, metavar="PAGE...")
@click.option(
    "--list",
    "lists",
    multiple=True,
    metavar="FILE",
    help="File with one PAGE per line, and its URL after a tab if you like; - for standard input.",
)
@click.option("-f", "--format", type=FormatName(), default="text", show_default=True)
@click.option("-o", "--output", type=click.Path(dir_okay=False), help="Write to this file instead of standard output.")
@click.option("--output-dir", type=click.Path(file_okay=False), help="Write one file a page into this folder.")
@click.option("--method", type=NearestChoice(names(), "method"), help=f"[default: {DEFAULT}]")
@click.option(
    "--style",
    type=NearestChoice(STYLES, "style"),
    help="What is wanted of the page, for method united. [default: auto]",
)
@click.option(
    "--favour",
    type=click.FloatRange(0, 1),
    help="0 for precision, 1 for recall, for method united. [default: 0.5]",
)
@click.option(
    "--site",
    type=click.Path(exists=True, file_okay=False),
    help="What the site's other pages are like: a model of `dehusk site learn`, or a folder of its pages.",
)
@click.option(
    "--model",
    metavar="NAME|FOLDER",
    help=f"Model to use: {', '.join(shipped_models())} or a folder. [default: the method's own]",
)
@click.option(
    "--config", metavar="NAME|FILE", help="Configuration: a preset's name or a TOML file that fits the model."
)
@click.option(
    "--rules",
    type=click.Path(exists=True, dir_okay=False),
    help="What must be kept or dropped on a host, by CSS selector: a TOML file.",
)
@click.option("--url", help="Address of the page, which its links are resolved against.")
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Processes; output is the same.")
@click.option(
    "--explain",
    is_flag=True,
    help="Show every block with label, probability and reason instead of the text; html: marked on the page; json: "
    "what decided.",
)
@click.option("--max-bytes", type=click.IntRange(1), default=_LIMITS.bytes, show_default=True)
@click.option("--max-nodes", type=click.IntRange(1), default=_LIMITS.nodes, show_default=True)
@click.option("--max-depth", type=click.IntRange(1), default=_LIMITS.depth, show_default=True)
@click.option("--timeout", type=click.FloatRange(0, min_open=True), default=_LIMITS.seconds, show_default=True)
@quiet_option
def clean_command(pages: tuple[str, ...], lists: tuple[str, ...], **options: Any) -> int:
    """Clean web pages: keep the kernel, drop navigation, advertisements and footers.

    PAGE is a file, a folder, a glob in quotes, or - for standard input. One page prints its content; several pages
    (also: a folder, a glob, a list) print JSON Lines, one record a page, in the order of the pages.

    \b
    Examples:
      dehusk clean page.html
      dehusk clean -f markdown page.html -o page.md
      dehusk clean --output-dir out -f markdown saved/
      curl -s https://example.org/ | dehusk clean --url https://example.org/ -
      dehusk clean --site saved/example.org page.html
      dehusk clean --rules rules.toml saved/
      dehusk clean --explain -f html page.html -o overlay.html
    """
    if not pages and not lists:
        raise click.UsageError("name a PAGE, a --list, or - for standard input")
    if options["output"] and options["output_dir"]:
        raise click.UsageError("--output and --output-dir exclude each other")
    found = find_pages(pages, lists)
    if options["output"] and any(_same_file(source.name, options["output"]) for source in found.sources):
        raise click.UsageError(f"--output {options['output']} is one of the pages")
    if options["url"] and found.many:
        raise click.UsageError("--url is the address of one page: for several pages give each its own in a --list")
    limits = Limits(options["max_bytes"], options["max_nodes"], options["max_depth"], options["timeout"])
    from dehusk.cli.learning import site_folder

    if options["site"] and declaration(options["method"] or DEFAULT).site == "no":
        users = ", ".join(method.name for method in declarations() if method.site != "no")
        raise click.UsageError(f"method {options['method']} does not use a site; these do: {users}")
    rules = Rules.load(options["rules"]) if options["rules"] else None
    lines = found.many and not options["output_dir"]
    own = ("format", "method", "model", "config", "url", "explain", "style", "favour", "rules")
    with site_folder(options["site"], options["method"], limits, quiet=options["quiet"]) as site:
        on_terminal = not (lines or options["output"] or options["output_dir"])
        appearance = appearance_on(sys.stdout) if on_terminal else PLAIN
        chosen = {name: options[name] for name in own}
        job = Job(**chosen, site=site, limits=limits, lines=lines, appearance=appearance)
        # what is wrong with them is said before any work
        load_method(job.method, model=job.model, config=job.config, site=job.site, style=job.style, favour=job.favour)
        reach = dict.fromkeys(rules or (), Reach.NOTHING)
        code = _run(job, found, options, reach)
        if not options["quiet"]:
            _say_idle(reach)
        return code


def _say_idle(reach: Mapping[Rule, Reach]) -> None:
    """Say which rules did nothing on any page."""
    for rule, reached in reach.items():
        if reached < Reach.BLOCKS:
            report(f"rule {rule} {reached.describe()} on any page")


def _same_file(page: str, output: str) -> bool:
    return page != STDIN and Path(page).resolve() == Path(output).resolve()


def _run(job: Job, found: PageSources, options: dict[str, Any], reach: dict[Rule, Reach]) -> int:
    """Clean all pages; `reach` is raised to how far each rule reached on any of them."""
    workers = min(options["workers"], len(found.sources))
    if any(source.name == STDIN for source in found.sources):
        workers = 1  # standard input belongs to this process alone
    results = map_in_order(partial(clean_source, job), found.sources, workers=workers, on_death=partial(_died, job))
    extracted, statuses = 0, Counter[str]()
    with ExitStack() as stack:
        put = stack.enter_context(_output(job, found, options))
        for result in track(results, len(found.sources), quiet=options["quiet"]):
            put(result)
            extracted += result.kept
            reach |= {rule: max(reached, reach[rule]) for rule, reached in result.reach.items()}
            if not result.status.is_fine or (result.status is Status.NO_CONTENT and not found.many):
                _say(result, quiet=options["quiet"])
            statuses[result.status] += 1
    return exit_code(statuses, extracted)


def _say(result: Result, *, quiet: bool) -> None:
    if not quiet:
        report(f"{result.source.name}: {result.status}: {result.message}")


@contextmanager
def _output(job: Job, found: PageSources, options: dict[str, Any]) -> Iterator[Callable[[Result], None]]:
    """Give the function that takes each result: into a folder, or into one stream as lines or as it is."""
    if options["output_dir"]:
        inputs = (Path(source.name) for source in found.sources)
        folder = OutputFolder(Path(options["output_dir"]), find_writer(job.format).extension, inputs)
        yield lambda result: folder.put(result.source.relative, result.content)
        return
    with open_output(options["output"]) as stream:

        def put(result: Result) -> None:
            stream.write(_line(job, result) if found.many else result.content)

        yield put


def _line(job: Job, result: Result) -> str:
    """Return a result as one line of JSON."""
    if job.format == "json" and not job.explain:
        return result.content
    record = {"page": result.source.name, **result.facts, "format": job.format, "content": result.content}
    return dumps(record)
