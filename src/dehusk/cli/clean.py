"""`dehusk clean`: extract the content of pages."""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

import click

from dehusk.base.errors import ChildError, ChildSlowError, FetchError, InputError, Status, counted
from dehusk.base.lazy import pattern
from dehusk.base.processes.alarm import AlarmError, alarm_after
from dehusk.base.processes.risk import DeadlyPageError, at_risk
from dehusk.cleaning import MethodOptions, clean, failed
from dehusk.cli.commands import BARE
from dehusk.cli.exit_codes import ExitCode, exit_code
from dehusk.cli.explanation import PLAIN, Appearance, appearance_on, explain_document
from dehusk.cli.links import folder_links, follow_links_option
from dehusk.cli.options import (
    HelpLater,
    is_quiet,
    list_option,
    max_bytes_option,
    output_option,
    silencing_option,
    template_gold_option,
    timeout_option,
    workers_option,
)
from dehusk.cli.output import OutputFolder, open_output, report, spare_pages
from dehusk.cli.progress import track
from dehusk.cli.settings import comments_option, hidden_option, labelling_options, method_options, set_option
from dehusk.cli.writing import FormatName, writing_of, writing_options
from dehusk.document import Document
from dehusk.label import DEFAULT, load_method, shipped_models
from dehusk.label.loading import implied_method
from dehusk.label.registry import declaration, declarations
from dehusk.read import Limits
from dehusk.read.files import STDIN, PageLocation, PageLocations, find_pages, has_page_suffix, is_web_address
from dehusk.write import find_writer, format_named
from dehusk.write.options import WriteOptions

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from dehusk.base.processes.pool import ChildPool
    from dehusk.label.declaration import Declaration
    from dehusk.label.rules import Reach, Rule
    from dehusk.write.chunks import ChunkSize

# ---------------------------------------------------------------- page jobs
# What `dehusk clean` does with one page; runs in worker processes too.

_HOST = pattern(r"(?:[\w-]{1,63}\.){1,9}[a-z]{2,18}(?::\d{1,5})?(?:/\S*)?", re.IGNORECASE)
_ADDRESS = pattern(r"[a-z][a-z0-9+.-]*://[^\s/]+|file:///\S", re.IGNORECASE)
_FETCHES = 20  # robots.txt and the page, thrice each, and redirects


@dataclass(frozen=True)
class CleanJob:
    """How to clean the pages of a run; sent to worker processes."""

    options: MethodOptions
    """Arguments of `dehusk.clean`."""
    sites: Mapping[str, str]
    """Page -> the folder of its site's model, where sites are learned from the pages themselves."""
    limits: Limits
    format: str
    writing: WriteOptions
    """Choices of the format."""
    url: str | None
    """The page's URL, if the user gave it."""
    explain: bool
    appearance: Appearance
    """The appearance of an explanation as text."""
    rules: str | None
    """File of rules for hosts."""
    private: bool
    """Whether pages may be fetched from addresses outside the public internet."""
    chunks: ChunkSize | None
    """How long chunks may be, if the page becomes chunks."""
    excerpt: ChunkSize | None
    """How long the passages of a page may be that answer the query, or its start."""
    query: str | None
    as_lines: bool
    """Whether each page becomes a line of JSON."""

    @property
    def as_rows(self) -> bool:
        """Whether these lines are rows; chunks and records are lines of their own."""
        return self.as_lines and not self.chunks and (self.format != "json" or self.explain)


@dataclass(frozen=True)
class PageOutcome:
    """The result of one page."""

    source: PageLocation
    status: Status
    message: str
    content: str
    row: dict[str, Any]
    """The page's row; empty unless its line is one."""
    has_text: bool
    """Whether any block was kept."""
    reach: Mapping[Rule, Reach] = field(default_factory=dict)
    """How much each rule for the page's host affected."""
    by_template: str = ""
    """What rules of templates did with the page; see `Labels`."""


class PageCleaner:
    """Cleans the pages of a run one after the other, and waits between two requests to a host."""

    def __init__(self, job: CleanJob) -> None:
        self.job = job
        self._fetched_at: dict[str, float] = {}

    def clean(self, source: PageLocation) -> PageOutcome:
        """Read or fetch a page and clean it; also return an outcome for a page that cannot be read."""
        try:
            with at_risk(source.name):
                return self._cleaned(source)
        except DeadlyPageError as error:
            return self._outcome(source, failed(str(error), url=self._url(source)))

    def _cleaned(self, source: PageLocation) -> PageOutcome:
        try:
            document = self._fetched(source) if source.is_remote else self._from_file(source)
        except OSError as error:
            document = failed(f"cannot be read: {error.strerror or error}", url=self._url(source))
        except FetchError as error:
            document = failed(str(error).removeprefix(f"{source.name}: "), url=self._url(source))
        except AlarmError:
            document = failed(self._late, url=self._url(source), status=Status.LIMIT)
        try:
            with alarm_after(self.job.limits.latest):  # writing takes as long at most
                return self._outcome(source, document)
        except AlarmError:
            return self._shortened(source, document)

    @property
    def _late(self) -> str:
        return f"took longer than {self.job.limits.latest:g} s"

    def _shortened(self, source: PageLocation, document: Document) -> PageOutcome:
        """Return the outcome of a page that takes too long to write: its text, where the format is one of text."""
        lost = self._outcome(source, failed(f"writing {self._late}", url=self._url(source), status=Status.LIMIT))
        if not find_writer(self.job.format).text_only or self.job.explain or self.job.chunks:
            return lost
        try:
            with alarm_after(self.job.limits.latest):
                text = document.text
            size = {"text": text, "text_bytes": len(text.encode("utf-8", "replace"))}
            return replace(lost, content=text, row=lost.row and lost.row | size, has_text=bool(text))
        except AlarmError:
            return lost

    def outcome(self, cleaned: tuple[PageLocation, PageOutcome | ChildError]) -> PageOutcome:
        """Return the outcome of a page from a child process; also if the child returned none."""
        source, result = cleaned
        if not isinstance(result, ChildError):
            return result
        status = Status.LIMIT if isinstance(result, ChildSlowError) else Status.ERROR
        return self._outcome(source, failed(str(result), url=self._url(source), status=status))

    def _url(self, source: PageLocation) -> str | None:
        return self.job.url or source.url

    def _from_file(self, source: PageLocation) -> Document:
        job = self.job
        data = source.read(job.limits.bytes)
        options = job.options
        if source.name in job.sites:
            options = {**options, "site": job.sites[source.name]}
        with alarm_after(job.limits.latest):
            return clean(data, url=self._url(source), explain=self._explains, limits=job.limits, **options)

    def _fetched(self, source: PageLocation) -> Document:
        from dehusk.counts.grouping import site_name
        from dehusk.many.crawl import CrawlPlan
        from dehusk.many.web import clean_url

        host = site_name(source.name)
        if host in self._fetched_at:
            time.sleep(max(0.0, self._fetched_at[host] + CrawlPlan.delay - time.monotonic()))
        job = self.job
        plan = CrawlPlan(delay=0, private=job.private, max_bytes=max(job.limits.bytes, CrawlPlan.max_bytes))
        try:
            with alarm_after(plan.timeout * _FETCHES + job.limits.latest):
                return clean_url(source.name, plan=plan, explain=self._explains, limits=job.limits, **job.options)
        finally:
            self._fetched_at[host] = time.monotonic()

    @property
    def _explains(self) -> bool:
        return self.job.explain or self.job.format == "json"

    def _outcome(self, source: PageLocation, document: Document) -> PageOutcome:
        content = self._content(source, document)
        return PageOutcome(
            source,
            document.status,
            document.message,
            content,
            self._row(document, content) if self.job.as_rows else {},
            has_text=bool(document.labels.kept.any()),
            reach=self._reach(document),
            by_template=document.labels.by_template,
        )

    def _content(self, source: PageLocation, document: Document) -> str:
        job = self.job
        if job.chunks or job.format == "json":
            from dehusk.write.json import dumps
        if job.chunks:
            return "".join(map(dumps, _chunk_lines(source, document, job.chunks)))
        if job.excerpt:
            excerpt = document.within(max_tokens=job.excerpt.max_tokens, query=job.query)
            if excerpt.left_out and not job.as_lines:
                report(f"{source.name}: {excerpt.describe()}")
            return f"{excerpt.markdown}\n" if excerpt.markdown else ""
        if job.format == "json":
            return dumps({"page": source.name, **document.record(evidence=job.explain)})
        if not job.explain:
            return find_writer(job.format).render(document, job.writing)
        return document.overlay if job.format == "html" else explain_document(document, job.appearance)

    def _row(self, document: Document, content: str) -> dict[str, Any]:
        from dehusk.many.rows import document_columns, make_row

        columns = document_columns(document, self.job.format, metadata=True, text=content)
        method = self.job.options.get("method") or document.model.partition(" ")[0] or DEFAULT
        return make_row(**columns, html_bytes=len(document.page.data), method=method)

    def _reach(self, document: Document) -> Mapping[Rule, Reach]:
        if self.job.rules is None or document.status is Status.ERROR:
            return {}
        from dehusk.label.rules import Rules

        return Rules.load(self.job.rules).match(document.labels.blocks).reach


def _hint(outcome: PageOutcome) -> str:
    """Return what to do about a page that could not be read, if that is known, to be added to its message."""
    name, message = outcome.source.name, outcome.message
    if outcome.source.is_remote and message.startswith("not on the public internet"):
        return "; --private fetches from there"
    if message.startswith("cannot be read: No such file") and _HOST.fullmatch(name) and not _is_page_name(name):
        return f"; for the web address, write https://{name}"
    return ""


def _is_page_name(name: str) -> bool:
    return has_page_suffix(Path(name)) or name.lower().endswith(".txt")


def cleaner_of(job: CleanJob) -> Callable[[PageLocation], PageOutcome]:
    """Return the function of a child process that cleans pages."""
    return PageCleaner(job).clean


def _chunk_lines(source: PageLocation, document: Document, size: ChunkSize) -> list[dict[str, object]]:
    """Return a record for each chunk of a page; of a page without text, one that is empty and says why."""
    from dehusk.write.chunks import make_chunks

    page = {"page": source.name, "status": str(document.status), "message": document.message}
    title = document.metadata.title
    lines = [{**page, "title": title, **chunk.record()} for chunk in make_chunks(document, size)]
    return lines or [{**page, "title": title, "url": document.metadata.url, "text": ""}]


# ---------------------------------------------------------------- clean

_LIMITS = Limits()
_GRACE = 5.0  # seconds


@click.command("clean")
@click.argument("pages", nargs=-1, metavar="PAGE...")
@list_option
@click.option(
    "-f",
    "--format",
    type=FormatName(),
    help="Output format.  [default: by the suffix of --output, else text; markdown for `dehusk PAGE`]",
)
@writing_options
@output_option
@click.option("--output-dir", type=click.Path(file_okay=False), help="Write one file per page into this folder.")
@labelling_options()
@set_option
@click.option(
    "--site",
    type=click.Path(exists=True, file_okay=False),
    help="Use what the other pages of the site share: a model from `dehusk site learn`, or a folder of pages.",
)
@click.option(
    "--sites/--no-sites",
    default=True,
    help="Learn each host that has at least five of the PAGEs from some of them, if there is no --site.",
)
@template_gold_option
@click.option(
    "--model",
    cls=HelpLater,
    metavar="NAME|FOLDER",
    describe=lambda: f"Model to use: {', '.join(shipped_models())} or a folder. [default: the method's own]",
)
@click.option("--config", metavar="NAME|FILE", help="Configuration: the name of a preset, or a TOML file.")
@click.option(
    "--rules",
    type=click.Path(exists=True, dir_okay=False),
    help="TOML file of rules: what to keep or drop on a host, by CSS selector.",
)
@click.option(
    "--project",
    type=click.Path(exists=True, path_type=Path),
    help="Folder or --bundle of a dehusk studio: clean as it does, by its model and its rules.",
)
@hidden_option
@comments_option
@click.option("--url", help="URL of the page, to resolve its links against; it is not fetched.")
@click.option("--private", is_flag=True, help="Also fetch from addresses outside the public internet: 127.0.0.1.")
@workers_option(1, "Number of processes; does not change the output.")
@click.option(
    "--explain",
    is_flag=True,
    help="Instead of the text, show every block with its label, probability and reason; with -f html, mark the blocks "
    "on the page; with -f json, add the evidence.",
)
@click.option(
    "--chunks",
    type=click.IntRange(1),
    metavar="WORDS",
    help="Instead of the text, write JSON Lines: a line for each piece of at most so many words, for retrieval.",
)
@click.option(
    "--overlap", type=click.IntRange(0), help="Words that a piece may repeat of the one before it. [default: 0]"
)
@click.option(
    "--within",
    type=click.IntRange(1),
    metavar="TOKENS",
    help="Write the start of the page, or with --query the passages that answer it best: so many tokens of Markdown.",
)
@click.option("--query", help="What the passages of --within should answer, in the language of the page.")
@max_bytes_option(_LIMITS.bytes)
@click.option("--max-nodes", type=click.IntRange(1), default=_LIMITS.nodes, help="Maximum nodes of a page.")
@click.option("--max-depth", type=click.IntRange(1), default=_LIMITS.depth, help="Maximum nesting of elements.")
@timeout_option(_LIMITS.seconds)
@follow_links_option
@silencing_option
def clean_command(pages: tuple[str, ...], lists: tuple[str, ...], **options: Any) -> int:
    """Clean web pages: keep the kernel; drop navigation, advertisements and footers.

    PAGE is a file, a folder, a glob in quotes, a web address, or - for standard input. A web address is fetched by the
    rules of `dehusk crawl`. One page prints its content; several pages (also a folder, a glob or a list) print JSON
    Lines, one record per page, in the order of the pages.

    \b
    Examples:
      dehusk clean page.html
      dehusk clean https://example.org/
      dehusk clean -f markdown --front-matter yaml page.html -o page.md
      dehusk clean --output-dir out -f markdown saved/
      curl -s https://example.org/ | dehusk clean --url https://example.org/ -
      dehusk clean --site saved/example.org page.html
      dehusk clean --gold corrected saved/example.org
      dehusk clean --rules rules.toml saved/
      dehusk clean --project study saved/
      dehusk clean --explain -f html page.html -o overlay.html
      dehusk clean --chunks 300 --overlap 30 saved/ -o chunks.jsonl
      dehusk --within 500 --query "how hot should the water be" page.html
    """
    if not pages and not lists:
        raise click.UsageError("name a PAGE, a --list, or - for standard input")
    _refuse_files_of_many(pages)
    options |= _of_project(options)
    inputs = find_pages(pages, lists, remote=True, links=folder_links())
    options["format"] = options["format"] or _usual_format(options, many=inputs.many)
    _check_usage(inputs, options)
    limits = Limits(options["max_bytes"], options["max_nodes"], options["max_depth"], options["timeout"])
    declared = implied_method(options["method"], options["model"], options["config"])
    chosen = method_options(declared, options["settings"])
    with (
        _site(options["site"], declared, limits, chosen) as (site, remaining),
        _sites(inputs, options, declared, limits, chosen) as sites,
    ):
        names = ("model", "config", "style", "favour")
        choice = {"site": site, "options": remaining, **{name: options[name] for name in names}}
        load_method(options["method"], **choice)  # fails before any page is read
        return _run(_job(options, choice, sites, limits, many=inputs.many), inputs, options)


def _job(
    options: dict[str, Any], choice: dict[str, Any], sites: Mapping[str, str], limits: Limits, *, many: bool
) -> CleanJob:
    """Return how to clean the pages, `choice` being the method's site, model and options."""
    as_lines = many and not options["output_dir"]
    to_stdout = not (as_lines or options["output"] or options["output_dir"])
    given = {name: options[name] for name in ("method", "rules", "hidden", "comments")}
    return CleanJob(
        options=cast("MethodOptions", choice | given),
        sites=sites,
        limits=limits,
        as_lines=as_lines,
        appearance=appearance_on(sys.stdout) if to_stdout else PLAIN,
        writing=writing_of(options),
        chunks=_chunk_size(options),
        excerpt=_excerpt_size(options),
        **{name: options[name] for name in ("format", "url", "explain", "rules", "private", "query")},
    )


def _of_project(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that the project of a studio stands for; none without a project."""
    if options["project"] is None:
        return {}
    if given := [name for name in ("method", "model", "config", "rules") if options[name]]:
        raise click.UsageError(f"--project brings the model and the rules of a studio: omit --{given[0]}")
    from dehusk.base.extras import require

    require("starlette", "uvicorn", "jinja2", extra="studio", purpose="--project")
    from dehusk.studio.bundle import open_bundle
    from dehusk.studio.making import made_by

    folder = options["project"]
    if folder.is_file():
        from tempfile import TemporaryDirectory

        folder = Path(click.get_current_context().with_resource(TemporaryDirectory(prefix="dehusk-")))
        making = open_bundle(options["project"], folder)
    else:
        making = made_by(folder)
    if making.problem:
        raise InputError(f"{folder}: {making.problem}")
    rules = str(folder / "rules.toml") if making.rules else None
    return {"method": making.method, "model": making.model, "rules": rules}


def _report_unreached(reach: Mapping[Rule, Reach]) -> None:
    for rule, reached in reach.items():
        if not reached.affects_blocks:
            report(f"rule {rule} {reached.describe()} on any page")


def _refuse_files_of_many(pages: tuple[str, ...]) -> None:
    """Refuse archives and other files of many pages, of which `clean` would make one text."""
    for name in pages:
        if is_web_address(name) or has_page_suffix(Path(name)) or not Path(name).is_file():
            continue
        from dehusk.many.files.formats import FORMATS

        if name.lower().endswith(tuple(suffix for each in FORMATS for suffix in each.suffixes)):
            raise click.UsageError(f"{name} is a file of many pages: dehusk corpus {name} -o FOLDER")


_FOREIGN = (".pdf", ".docx", ".doc", ".odt", ".rtf", ".epub")
"""Suffixes of files that users expect of a converter."""


def _usual_format(options: dict[str, Any], *, many: bool) -> str:
    """Return the format of a run for which the user named none."""
    name = Path(options["output"] or "").name.lower()
    if name.endswith(".csv"):
        raise click.UsageError(f"{options['output']}: pages do not become CSV; dehusk records writes a table of them")
    if name.endswith(_FOREIGN):
        raise click.UsageError(f"{options['output']}: dehusk does not write these; pandoc makes them from Markdown")
    if options["chunks"] is not None:
        return "text"
    if options["within"] is not None:
        return "markdown"
    ends = (name.split(".", dots)[-1] for dots in range(1, name.count(".") + 1))
    by_suffix = None if many else next(filter(None, map(format_named, ends)), None)
    bare = click.get_current_context().meta.get(BARE) and not options["explain"]
    return by_suffix or ("markdown" if bare else "text")


def _unreached(file: str) -> dict[Rule, Reach]:
    """Return the rules of a file, none of which has reached anything."""
    from dehusk.label.rules import Reach, Rules

    return dict.fromkeys(Rules.load(file), Reach.NOTHING)


def _site(
    given: str | None, declared: Declaration, limits: Limits, options: Mapping[str, Any]
) -> AbstractContextManager[tuple[str | None, Mapping[str, Any]]]:
    """Return the context of `site_folder`."""
    if given is None:
        return nullcontext((None, options))
    from dehusk.cli.learning import site_folder

    return site_folder(given, declared, limits, options)


@contextmanager
def _sites(
    inputs: PageLocations, options: Mapping[str, Any], declared: Declaration, limits: Limits, chosen: Mapping[str, Any]
) -> Iterator[Mapping[str, str]]:
    """Yield page -> the folder of its site's model, for sites that can be learned from the pages themselves."""
    saved = [source for source in inputs.sources if not source.is_remote and source.name != STDIN]
    learns = options["sites"] and not options["site"] and declared.site == "optional"
    if options["gold"] and not learns:
        raise click.UsageError("--gold teaches sites of the PAGEs: omit --site and --no-sites, or use another method")
    if not learns or (len(saved) < 2 and not options["gold"]):
        yield {}
        return
    from tempfile import TemporaryDirectory

    from dehusk.cli.learning import learn_sites

    with TemporaryDirectory(prefix="dehusk-") as folder:
        load = partial(
            load_method,
            options["method"],
            options=chosen,
            **{name: options[name] for name in ("model", "config", "style", "favour")},
        )
        located = replace(inputs, sources=tuple(saved))
        yield learn_sites(located, limits, declared, Path(folder), load, options["gold"])


def _check_usage(inputs: PageLocations, options: dict[str, Any]) -> None:
    """Refuse options that cannot be used together or do not fit the pages."""
    output = options["output"]
    find_writer(options["format"]).check(writing_of(options))
    if output and options["output_dir"]:
        raise click.UsageError("--output and --output-dir cannot be used together")
    spare_pages(inputs.sources, output=output)
    if options["site"] and output and Path(options["site"]).resolve() in Path(output).resolve().parents:
        raise click.UsageError(f"--output {output} is in the folder of --site: choose another file")
    if options["url"] and (inputs.many or inputs.sources[0].is_remote):
        raise click.UsageError("--url applies to a single saved page: for several pages, put their URLs in a --list")
    if options["url"] and not _ADDRESS.match(options["url"]):
        raise click.UsageError(f"--url {options['url']}: no address of a page, such as https://example.org/page.html")
    if options["explain"] and options["within"] is None and options["format"] not in ("text", "html", "json"):
        raise click.UsageError(f"--explain has no --format {options['format']}: choose text, html or json")
    if options["private"] and not any(source.is_remote for source in inputs.sources):
        raise click.UsageError("--private applies only to pages that are fetched: no PAGE is a web address")
    if options["site"] and declaration(options["method"] or DEFAULT).site == "no":
        users = ", ".join(declared.name for declared in declarations() if declared.site != "no")
        raise click.UsageError(f"method {options['method']} does not use a site; these do: {users}")


def _chunk_size(options: dict[str, Any]) -> ChunkSize | None:
    """Return how long chunks may be; None if there are to be none."""
    if options["chunks"] is None:
        if options["overlap"] is not None:
            raise click.UsageError("--overlap applies only to --chunks")
        return None
    if options["format"] != "text" or options["explain"] or writing_of(options).changed():
        raise click.UsageError(
            "--chunks writes JSON Lines: it has no --format, no --explain and no options of a format"
        )
    from dehusk.write.chunks import ChunkSize

    return ChunkSize(max_words=options["chunks"], overlap=options["overlap"] or 0)


def _excerpt_size(options: dict[str, Any]) -> ChunkSize | None:
    """Return how long an excerpt may be; None if there is to be none."""
    if options["within"] is None:
        if options["query"] is not None:
            raise click.UsageError("--query applies only to --within")
        return None
    if options["chunks"] or options["explain"] or options["format"] != "markdown" or writing_of(options).changed():
        raise click.UsageError("--within writes Markdown: it has no --chunks, no --explain and no options of a format")
    from dehusk.write.chunks import ChunkSize

    return ChunkSize(max_tokens=options["within"])


def _run(job: CleanJob, inputs: PageLocations, options: dict[str, Any]) -> ExitCode:
    """Clean all pages, and tell what became of them."""
    reach = _unreached(job.rules) if job.rules else {}
    workers = min(options["workers"], len(inputs.sources))
    if len(inputs.sources) < 2 or any(source.name == STDIN or source.is_remote for source in inputs.sources):
        workers = 0  # standard input belongs to this process, and it waits between requests to a host
    cleaner = PageCleaner(job)
    extracted, statuses, templates = 0, Counter[str](), Counter[str]()
    with _output(job, inputs, options) as put, _children(job, workers) as children:
        outcomes = (
            map(cleaner.outcome, children.map(inputs.sources)) if children else map(cleaner.clean, inputs.sources)
        )
        for outcome in track(outcomes, len(inputs.sources), quiet=is_quiet()):
            put(outcome)
            statuses[outcome.status] += 1
            extracted += outcome.has_text
            templates.update([outcome.by_template] if outcome.by_template else [])
            reach |= {rule: max(reached, reach[rule]) for rule, reached in outcome.reach.items()}
            if not outcome.status.is_fine or (outcome.status is not Status.OK and not inputs.many):
                report(f"{outcome.source.name}: {outcome.status}: {outcome.message}{_hint(outcome)}")
    if inputs.many:
        counts = ", ".join(f"{count:,} {status}" for status, count in statuses.most_common())
        report(f"{counted(statuses.total(), 'page')}: {counts}")
        _report_templates(templates, statuses.total())
    _report_unreached(reach)
    return exit_code(statuses, extracted)


_OUTCOMES = {
    "drifted": "with new elements",
    "unknown": "like no template",
    "other-style": "in another style than the templates",
}


def _report_templates(outcomes: Mapping[str, int], pages: int) -> None:
    """Tell how many pages were labelled by the templates of their sites alone, and why the others were not."""
    if outcomes:
        others = ", ".join(f"{outcomes[name]:,} {words}" for name, words in _OUTCOMES.items() if outcomes[name])
        rest = f"; by the method, too: {others}" if others else ""
        report(f"{outcomes['looked-up']:,} of {counted(pages, 'page')} labelled by templates{rest}")


def _children(job: CleanJob, workers: int) -> AbstractContextManager[ChildPool[PageLocation, PageOutcome] | None]:
    """Return the child processes that clean pages; none for 0 workers."""
    if not workers:
        return nullcontext()
    from dehusk.base.processes.child import PAGE_MEMORY
    from dehusk.base.processes.pool import ChildPool

    seconds = 2 * job.limits.latest + _GRACE  # cleaning and writing may take that long each, and should end by then
    return ChildPool(
        cleaner_of, job, workers=workers, seconds=seconds, memory=PAGE_MEMORY, preload=cleaner_of.__module__
    )


@contextmanager
def _output(job: CleanJob, inputs: PageLocations, options: dict[str, Any]) -> Iterator[Callable[[PageOutcome], None]]:
    """Yield the function that writes each outcome: to a folder, or to one stream."""
    if options["output_dir"]:
        files = (Path(source.name) for source in inputs.sources if not source.is_remote)
        writer = find_writer(job.format)
        extension = ".jsonl" if job.chunks else writer.extension
        full_name = writer.beside_page and not job.chunks
        folder = OutputFolder(Path(options["output_dir"]), extension, files, full_name=full_name)
        yield lambda outcome: folder.put(outcome.source.relative, outcome.content)
        return
    coloured = job.explain and job.format == "text" and job.appearance.colour
    with open_output(options["output"], coloured=coloured) as stream:
        yield lambda outcome: _write(stream, _line(job, outcome) if inputs.many else outcome.content)


def _write(stream: TextIO, content: str) -> None:
    stream.write(content)


def _line(job: CleanJob, outcome: PageOutcome) -> str:
    """Return an outcome as one line of JSON."""
    if not job.as_rows:
        return outcome.content
    from dehusk.write.json import dumps

    return dumps({"page": outcome.source.name, **outcome.row})
