"""`dehusk spark`: clean files of many pages on Apache Spark."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from dehusk.base.errors import InputError
from dehusk.base.remote.paths import path_of
from dehusk.cli.corpus import job_of, job_options, print_summary, summary_exit_code
from dehusk.cli.links import folder_links, follow_links_option
from dehusk.cli.options import quiet_option
from dehusk.many.files.inputs import Input, find_inputs

if TYPE_CHECKING:
    from dehusk.many.corpus.job import CorpusJob, CorpusSummary


@click.command("spark")
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False), help="Output folder.")
@job_options
@click.option("--master", metavar="URL", help="local[4], spark://host:7077, yarn, …  [default: local[*]]")
@click.option("--remote", metavar="URL", help="A Spark Connect server, e.g. sc://host:15002.")
@click.option("--conf", multiple=True, metavar="NAME=VALUE", help="A Spark setting; repeat for several.")
@follow_links_option
@quiet_option
def spark_command(inputs: tuple[str, ...], **options: Any) -> int:
    """Clean files of many pages on Apache Spark.

    Takes the same options as `dehusk corpus` and produces the same output, byte for byte. Every worker must have dehusk
    installed and find INPUT and OUTPUT at the same paths or addresses.

    \b
    Examples:
      dehusk spark crawl/ -o out --master 'local[4]'
      dehusk spark /mnt/crawl -o /mnt/out --master spark://host:7077
      dehusk spark /mnt/crawl -o /mnt/out --remote sc://host:15002
      dehusk spark s3://bucket/crawl -o s3://bucket/out --master spark://host:7077
    """
    job = job_of(options)
    files = find_inputs(inputs, folder_links())
    conf = _progress_setting(options) | dict(map(_setting, options["conf"]))
    from dehusk.many import spark as engine

    with _without_logging(), engine.session(options["master"], options["remote"], conf) as session:
        summary = _run(session, job, files, options)
    if not options["quiet"]:
        print_summary(summary, options["output"])
    return summary_exit_code(summary)


@contextmanager
def _without_logging() -> Iterator[None]:
    """Silence py4j, which logs tracebacks even for failures and interrupts that the command handles."""
    before = logging.root.manager.disable
    logging.disable(logging.ERROR)
    try:
        yield
    finally:
        logging.disable(before)


def _progress_setting(options: dict[str, Any]) -> dict[str, str]:
    """Return the setting for Spark's progress bar; a Connect server has its own."""
    if options["remote"]:
        return {}
    visible = sys.stderr.isatty() and not options["quiet"]
    return {"spark.ui.showConsoleProgress": str(visible).lower()}


def _setting(argument: str) -> tuple[str, str]:
    name, equals, value = argument.partition("=")
    if not (name and equals):
        raise click.BadParameter(f"{argument!r} is not of the form NAME=VALUE", param_hint="--conf")
    return name, value


def _run(session: Any, job: CorpusJob, files: Sequence[Input], options: dict[str, Any]) -> CorpusSummary:
    """Run the job; turn a failure of Spark into a one-line error."""
    from dehusk.many import spark as engine
    from dehusk.many.spark.sessions import FAILURES, failure_line

    try:
        return engine.run(session, job, files, path_of(options["output"]), resume=options["resume"])
    except FAILURES as error:
        raise InputError(f"Spark failed: {failure_line(error)}") from error
