"""`dehusk mcp`: clean pages for language models, over the Model Context Protocol."""

from typing import Any

import click

from dehusk.cli.options import fetch_option, silencing_option, timeout_option, workers_option
from dehusk.cli.output import report
from dehusk.read import Limits

_LIMITS = Limits()


@click.command("mcp")
@fetch_option
@click.option(
    "--http",
    "port",
    type=click.IntRange(0, 65_535),
    metavar="PORT",
    help="Serve over HTTP on this port of this machine, 0 for a free one, instead of standard input and output.",
)
@workers_option(1)
@timeout_option(_LIMITS.seconds)
@silencing_option
def mcp_command(**options: Any) -> None:
    """Clean pages for language models: a server of the Model Context Protocol, for their programs to start.

    Its tools are clean, chunks, within, locate, records and toc. Needs the extra "mcp", with --fetch also "crawl".

    \b
    Examples:
      dehusk mcp
      dehusk mcp --fetch
      dehusk mcp --http 8421
    """
    from dehusk.base.extras import require

    require("mcp", extra="mcp", purpose="dehusk mcp")
    from dehusk.cli.serve import fetching
    from dehusk.service.mcp_server import serve_stdio, serve_streamable
    from dehusk.service.workers import Workers

    fetch = fetching() if options["fetch"] else None
    with Workers(workers=options["workers"], limits=Limits(seconds=options["timeout"]), fetch=fetch) as workers:
        if options["port"] is None:
            serve_stdio(workers, fetches=options["fetch"])
            return
        workers.start()
        serve_streamable(workers, fetches=options["fetch"], port=options["port"], announce=report)
