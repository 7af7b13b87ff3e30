"""`dehusk spark`: files of many pages to rows, on Apache Spark."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from dehusk.cli.corpus import job_of, job_options, summary_exit_code, tell
from dehusk.cli.options import quiet_option


@click.command("spark")
@click.argument("inputs", nargs=-1, required=True, metavar="INPUT...")
@click.option("-o", "--output", required=True, type=click.Path(file_okay=False), help="Folder for what comes out.")
@job_options
@click.option("--master", metavar="URL", help="local[4], spark://host:7077, yarn, …  [default: local[*]]")
@click.option("--remote", metavar="URL", help="A Spark Connect server, sc://host:15002.")
@click.option("--conf", multiple=True, metavar="NAME=VALUE", help="A setting of Spark; may be given again.")
@quiet_option
def spark_command(inputs: tuple[str, ...], **options: Any) -> int:
    """Clean files of many pages on Apache Spark.

    The same as `dehusk corpus`, with the same options and the same output, byte by byte. INPUT and OUTPUT are found
    under the same paths by every worker, and dehusk is installed there.

    \b
    Examples:
      dehusk spark crawl/ -o out --master 'local[4]'
      dehusk spark /mnt/crawl -o /mnt/out --master spark://host:7077
      dehusk spark /mnt/crawl -o /mnt/out --remote sc://host:15002
    """
    from dehusk.errors import InputError
    from dehusk.records.inputs import find_inputs

    job = job_of(options)
    found = find_inputs(inputs)
    conf = _shown(options) | dict(map(_setting, options["conf"]))
    try:
        from dehusk import spark as engine
    except ImportError as error:
        raise InputError("pyspark is not installed: pip install 'dehusk[spark]'") from error
    with engine.session(options["master"], options["remote"], conf) as session:
        summary = _run(engine, session, job, found, options)
    if not options["quiet"]:
        tell(summary, options["output"])
    return summary_exit_code(summary)


def _shown(options: dict[str, Any]) -> dict[str, str]:
    """Return Spark's setting for a progress bar; a Connect server has its own."""
    if options["remote"]:
        return {}
    shown = sys.stderr.isatty() and not options["quiet"]
    return {"spark.ui.showConsoleProgress": str(shown).lower()}


def _setting(given: str) -> tuple[str, str]:
    name, equals, value = given.partition("=")
    if not (name and equals):
        raise click.BadParameter(f"{given!r} is not NAME=VALUE", param_hint="--conf")
    return name, value


def _run(engine: Any, session: Any, job: Any, found: Any, options: dict[str, Any]) -> Any:
    """Run, and make one line of what Spark says when it fails."""
    from dehusk.errors import InputError
    from dehusk.spark.sessions import FAILURES, said

    try:
        return engine.run(session, job, found, Path(options["output"]), resume=options["resume"])
    except FAILURES as error:
        raise InputError(f"Spark failed: {said(error)}") from error
