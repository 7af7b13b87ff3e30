"""`dehusk corpus`: clean files of many pages."""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from typing import Any, Literal

import click

from dehusk.base.errors import counted
from dehusk.base.remote.paths import path_of
from dehusk.cli.exit_codes import exit_code
from dehusk.cli.links import folder_links, follow_links_option
from dehusk.cli.options import HelpLater, NearestChoice, adding, max_bytes_option, quiet_option, timeout_option
from dehusk.cli.output import report
from dehusk.cli.progress import ProgressLine
from dehusk.cli.read import columns_of, table_options
from dehusk.cli.settings import comments_option, hidden_option, labelling_options
from dehusk.cli.writing import FormatName, writing_of, writing_options
from dehusk.counts.grouping import BY
from dehusk.counts.model import ENOUGH
from dehusk.label.registry import declarations
from dehusk.many.corpus.job import CorpusJob, CorpusSummary, ProgressListener
from dehusk.many.corpus.sinks import SINKS
from dehusk.read import Limits

_DEFAULTS = CorpusJob()
_MAX_LINES = 10  # lines shown of each list in the summary
_STAGES = {"index": "reading", "learn": "learning", "merge": "saving sites", "clean": "cleaning"}


class _Shard(click.ParamType):  # type: ignore[type-arg]  # generic only since click 8.4
    name = "i/n"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """Parse i/n."""
        if isinstance(value, tuple):
            return value
        match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", value)
        if match is None or not 1 <= int(match[1]) <= int(match[2]):
            self.fail(f"{value!r} is not of the form i/n, with i between 1 and n", param, ctx)
        return int(match[1]), int(match[2])


class _Workers(click.ParamType):  # type: ignore[type-arg]  # generic only since click 8.4
    name = "n|auto"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | Literal["auto"]:
        """Parse a number or "auto"."""
        if value == "auto":
            return "auto"
        if not re.fullmatch(r"[1-9]\d{0,3}", str(value)):
            self.fail(f"{value!r} is neither a number from 1 nor auto", param, ctx)
        return int(value)


def _finders() -> tuple[str, ...]:
    """Return the methods that find more on a page than what they keep."""
    return tuple(declared.name for declared in declarations() if declared.findings)


def _describe_finders() -> str:
    summaries = {declared.name: declared.findings.summary for declared in declarations() if declared.findings}
    found = ", ".join(f"{name}: {summary}" for name, summary in summaries.items())
    return f"Also write what a method finds on each page ({found}); JSON Lines only."


job_options = adding(
    table_options,
    click.option(
        "-f", "--format", type=NearestChoice(SINKS, "format"), default=_DEFAULTS.format, help="Output format."
    ),
    click.option(
        "--content",
        type=FormatName(),
        help="Format of the column `text`; those with a header of their own need --metadata.  "
        "[default: text; with -f tei, tei with metadata]",
    ),
    writing_options,
    click.option(
        "--metadata",
        is_flag=True,
        help="Also write authors, date, language and the like of each page; takes about as long as cleaning.",
    ),
    click.option("--blocks", is_flag=True, help="Also write each block with its label and probability."),
    click.option(
        "--find",
        "findings",
        type=NearestChoice(_finders, "method"),
        multiple=True,
        cls=HelpLater,
        describe=_describe_finders,
    ),
    labelling_options(),
    hidden_option,
    comments_option,
    click.option("--sites/--no-sites", default=_DEFAULTS.sites, help="Learn each site from a sample of its pages."),
    click.option("--by", type=NearestChoice(BY), default=_DEFAULTS.by, help="What counts as a site."),
    click.option(
        "--sample",
        type=click.IntRange(ENOUGH),
        default=_DEFAULTS.sample,
        help="Maximum number of pages to learn a site from.",
    ),
    timeout_option(_DEFAULTS.limits.seconds),
    max_bytes_option(_DEFAULTS.limits.bytes),
    click.option(
        "--max-memory",
        type=click.FloatRange(100),
        default=_DEFAULTS.memory,
        help="Maximum MB of memory to clean a page.",
    ),
    click.option("--resume/--no-resume", default=True, help="Resume an interrupted run."),
)
"""Adds the options that describe a job."""


def job_of(options: dict[str, Any]) -> CorpusJob:
    """Return the job that the options describe; a format that takes one content only has its header, too."""
    needed = SINKS[options["format"]].content
    options["content"] = options["content"] or needed or _DEFAULTS.content
    options["metadata"] |= options["content"] == needed
    return CorpusJob(
        **{field.name: options[field.name] for field in fields(CorpusJob) if field.name in options},
        writing=writing_of(options),
        columns=columns_of(options),
        limits=Limits(bytes=options["max_bytes"], seconds=options["timeout"]),
        memory=options["max_memory"],
    )


def _show_schema(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from dehusk.many.rows import json_schema

        click.echo(json.dumps(json_schema(), indent=2))
        context.exit()


@click.command("corpus")
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False), help="Output folder.")
@job_options
@click.option(
    "--workers",
    type=_Workers(),
    default="auto",
    help="Number of processes; auto: one per processor. Does not change the output.",
)
@click.option("--shard", type=_Shard(), default="1/1", help="Clean every n-th file, starting with the i-th.")
@click.option(
    "--schema", is_flag=True, is_eager=True, expose_value=False, callback=_show_schema,
    help="Print the JSON Schema of a row and exit."
)  # fmt: skip
@follow_links_option
@quiet_option
def corpus_command(inputs: tuple[str, ...], **options: Any) -> int:
    """Clean files of many pages: WARC, Parquet, JSON Lines, zip, tar, folders of saved pages.

    INPUT is a file, a folder, a quoted glob, or an address such as s3://bucket/crawl. Each site with at least five
    pages is learned from a sample of them. Then all pages are cleaned in separate processes, so a page that hangs or
    crashes does not affect the others.

    Each page becomes one row in OUTPUT/pages/, even if it fails; OUTPUT/summary.json summarises the run. To resume an
    interrupted run, repeat the command.

    \b
    Examples:
      dehusk corpus crawl/ -o out
      dehusk corpus 'crawl/*.warc.gz' -o out -f jsonl.zst --content markdown
      dehusk corpus pages.parquet --html-column body -o out --shard 1/2
      dehusk corpus s3://bucket/crawl -o s3://bucket/out
    """
    from dehusk.many.corpus import run
    from dehusk.many.files.inputs import find_inputs

    job = job_of(options)
    files = find_inputs(inputs, folder_links())
    with _progress_bar(quiet=options["quiet"]) as on_progress:
        summary = run(
            job,
            files,
            path_of(options["output"]),
            workers=options["workers"],
            shard=options["shard"],
            resume=options["resume"],
            on_progress=on_progress,
        )
    if not options["quiet"]:
        print_summary(summary, options["output"])
    return summary_exit_code(summary)


def summary_exit_code(summary: CorpusSummary) -> int:
    """Return the exit code of a run."""
    tally = summary.tally
    return exit_code(tally.statuses, tally.extracted, lost=len(tally.losses))


@contextmanager
def _progress_bar(*, quiet: bool) -> Iterator[ProgressListener]:
    """Yield a listener that shows the progress of a run on standard error, if that is a terminal."""
    lock = threading.Lock()
    done, statuses = Counter[str](), Counter[str]()
    totals: dict[str, int] = {}
    with ProgressLine(quiet=quiet) as line:

        def on_progress(stage: str, more: int, total: int, status: str) -> None:
            with lock:
                totals.setdefault(stage, total)
                done[stage] += more
                if status:
                    statuses[status] += more
                note = ", ".join(f"{count} {name}" for name, count in statuses.most_common())
                line.show(_STAGES[stage], done[stage], totals[stage], note)

        yield on_progress


def print_summary(summary: CorpusSummary, output: str) -> None:
    """Print the results of a run on standard error."""
    tally = summary.tally
    statuses = ", ".join(f"{count} {status}" for status, count in tally.statuses.most_common())
    resumed = f" ({summary.resumed} done by an earlier run)" if summary.resumed else ""
    files, pages, sites = counted(tally.files, "file"), counted(tally.pages, "page"), counted(summary.sites, "site")
    lines = [f"{output}: {files}{resumed}, {pages}{f': {statuses}' if statuses else ''}"]
    lines.append(f"{sites} learned; {tally.text_bytes / 1e6:.1f} MB of text")
    if tally.skipped:
        reasons = ", ".join(f"{count} {reason}" for reason, count in tally.skipped.most_common(_MAX_LINES))
        lines.append(f"records that are not pages: {reasons}")
    lines += _first([f"{count} × {error}" for error, count in tally.errors.most_common()], "different errors")
    losses = [
        f"{file}:{offset}: {counted(size, 'byte')} lost: {why}" for file, offset, size, why in sorted(tally.losses)
    ]
    lines += _first(losses, "damaged parts")
    lines += _first([f"could not learn from {line}" for line in sorted(summary.unlearned)], "pages or sites")
    what = "compressed as one, so a single process reads them; a gzip member per record, as crawlers write, is faster"
    lines += _first([f"{file}: its records are {what}" for file in summary.undivided], "files")
    left = "left by a run with other inputs or in another format"
    lines += _first([f"pages/{name}: {left}" for name in summary.foreign], "files")
    for line in lines:
        report(line)


def _first(lines: list[str], what: str) -> list[str]:
    """Return the first lines, and how many more there are."""
    more = len(lines) - _MAX_LINES
    return lines[:_MAX_LINES] + ([f"… and {more} more {what}"] if more > 0 else [])
