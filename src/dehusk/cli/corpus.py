"""`dehusk corpus`: files of many pages to rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dehusk.cli.exit_codes import exit_code
from dehusk.cli.formats import FormatName
from dehusk.cli.options import NearestChoice, quiet_option
from dehusk.cli.progress import ProgressLine
from dehusk.cli.read import columns_of, table_options
from dehusk.methods import METHODS
from dehusk.read import Limits
from dehusk.site.grouping import BY

if TYPE_CHECKING:
    from dehusk.corpus.job import Job, Summary, Watch

_LIMITS = Limits()
_FORMATS = ("parquet", "jsonl", "jsonl.gz", "jsonl.zst", "wet", "text")
_SHOWN = 10  # lines of losses and errors that are shown
_PASSES = {"index": "reading", "learn": "learning", "merge": "sites", "clean": "cleaning"}


class _Shard(click.ParamType):  # type: ignore[type-arg]  # generic only since click 8.4
    name = "i/n"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        """Read i/n."""
        if isinstance(value, tuple):
            return value
        match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", value)
        if match is None or not 1 <= int(match[1]) <= int(match[2]):
            self.fail(f"{value!r} is not i/n with i from 1 to n", param, ctx)
        return int(match[1]), int(match[2])


_OPTIONS = (
    click.option("-f", "--format", type=NearestChoice(_FORMATS, "format"), default="parquet", show_default=True),
    click.option(
        "--content",
        type=FormatName(text_only=True),
        default="text",
        show_default=True,
        help="Format of the column `text`.",
    ),
    click.option("--blocks", is_flag=True, help="Give every block with label and probability, too."),
    click.option("--method", type=NearestChoice(METHODS, "method"), help="[default: that of `dehusk clean`]"),
    click.option(
        "--sites/--no-sites", default=True, show_default=True, help="Learn sites from a sample of their pages."
    ),
    click.option("--by", type=NearestChoice(BY), default="host", show_default=True, help="What a site is."),
    click.option("--sample", type=click.IntRange(5), default=50, show_default=True, help="Pages to learn a site from."),
    click.option(
        "--timeout",
        type=click.FloatRange(0, min_open=True),
        default=_LIMITS.seconds,
        show_default=True,
        help="Seconds a page may take.",
    ),
    click.option("--max-bytes", type=click.IntRange(1), default=_LIMITS.bytes, show_default=True, help="Of a page."),
    click.option(
        "--max-memory", type=click.FloatRange(100), default=2000.0, show_default=True, help="MB that a page may cost."
    ),
    click.option("--resume/--no-resume", default=True, show_default=True, help="Go on where an earlier run was ended."),
)
"""What `dehusk corpus` and `dehusk spark` have in common."""


def job_options(command: Any) -> Any:
    """Add the options that say what is wanted of a corpus."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return table_options(command)


def job_of(options: dict[str, Any]) -> Job:
    """Return the job that these options describe."""
    from dehusk.corpus.job import Job

    return Job(
        **{name: options[name] for name in ("method", "sites", "by", "sample", "format", "content", "blocks")},
        columns=columns_of(options),
        limits=Limits(bytes=options["max_bytes"], seconds=options["timeout"]),
        memory=options["max_memory"],
    )


@click.command("corpus")
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False), help="Folder for what comes out.")
@job_options
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Processes; output is the same.")
@click.option("--shard", type=_Shard(), default="1/1", show_default=True, help="Do every n-th file from the i-th on.")
@quiet_option
def corpus_command(inputs: tuple[str, ...], **options: Any) -> int:
    """Clean files of many pages: WARC, Parquet, JSON Lines, zip, tar.

    INPUT is a file, a folder or a glob in quotes. First the files are indexed, then each site with five pages or more
    is learned from a sample of them, then every page is cleaned in a process that may hang or die without harm to the
    others. A page is always a row of OUTPUT/pages/, whatever became of it; OUTPUT/summary.json says what the run came
    to. A run that was ended goes on when it is called again.

    \b
    Examples:
      dehusk corpus crawl/ -o out --workers 4
      dehusk corpus 'crawl/*.warc.gz' -o out -f jsonl.zst --content markdown
      dehusk corpus pages.parquet --html-column body -o out --shard 1/2
    """
    from dehusk.corpus.local import run
    from dehusk.records.inputs import find_inputs

    job = job_of(options)
    found = find_inputs(inputs)
    with _watching(quiet=options["quiet"]) as watch:
        summary = run(
            job,
            found,
            Path(options["output"]),
            workers=options["workers"],
            shard=options["shard"],
            resume=options["resume"],
            watch=watch,
        )
    if not options["quiet"]:
        tell(summary, options["output"])
    return summary_exit_code(summary)


def summary_exit_code(summary: Summary) -> int:
    """Return the exit code of a run over a corpus."""
    tally = summary.tally
    return exit_code(tally.statuses, tally.extracted, lost=len(tally.losses))


@contextmanager
def _watching(*, quiet: bool) -> Iterator[Watch]:
    """Give a watch that shows the passes of a run on standard error, if that is a terminal."""
    statuses: Counter[str] = Counter()
    done: Counter[str] = Counter()
    totals: dict[str, int] = {}
    with ProgressLine(quiet=quiet) as line:

        def watch(name: str, more: int, total: int, status: str) -> None:
            totals.setdefault(name, total)
            done[name] += more
            if status:
                statuses[status] += 1
            note = ", ".join(f"{count} {status}" for status, count in statuses.most_common())
            line.show(_PASSES[name], done[name], totals[name], note)

        yield watch


def tell(summary: Summary, output: str) -> None:
    """Print what a run came to on standard error."""
    tally = summary.tally
    statuses = ", ".join(f"{count} {status}" for status, count in tally.statuses.most_common())
    before = f" ({summary.resumed} done before)" if summary.resumed else ""
    lines = [f"{output}: {tally.files} files{before}, {tally.pages} pages: {statuses or 'none'}"]
    lines.append(f"{summary.sites} sites learned; {tally.text_bytes / 1e6:.1f} MB of text")
    if tally.skipped:
        lines.append("no pages: " + ", ".join(f"{count} {why}" for why, count in tally.skipped.most_common(_SHOWN)))
    lines += _some([f"{count} {what}" for what, count in tally.errors.most_common()], "kinds of errors")
    losses = [f"{file} at {offset}: {size} bytes lost: {what}" for file, offset, size, what in sorted(tally.losses)]
    lines += _some(losses, "damaged parts")
    lines += _some([f"not learned from: {line}" for line in sorted(summary.unlearned)], "more")
    lines += _some([f"{name} is of no input of this run" for name in summary.foreign], "such files")
    for line in lines:
        click.echo(f"dehusk: {line}", err=True)


def _some(lines: list[str], what: str) -> list[str]:
    more = len(lines) - _SHOWN
    return lines[:_SHOWN] + ([f"… and {more} {what}"] if more > 0 else [])
