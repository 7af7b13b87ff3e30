"""`dehusk serve`: clean pages for other programs, over HTTP."""

from typing import Any

import click

from dehusk.cli.options import fetch_option, max_bytes_option, silencing_option, timeout_option, workers_option
from dehusk.cli.output import report
from dehusk.read import Limits

_LIMITS = Limits()


@click.command("serve")
@click.option("--host", default="127.0.0.1", help="Address of this machine to listen on.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8420, help="Port; 0 for a free one.")
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="HOST",
    help="Further name by which requests may call the service, such as that of a proxy. May be repeated.",
)
@workers_option(None, "Processes that clean pages. [default: all processors]")
@click.option(
    "--queue", type=click.IntRange(0), default=64, help="Requests that may wait; others are told to try again later."
)
@max_bytes_option(_LIMITS.bytes, "Maximum size of a request.")
@click.option("--max-batch-bytes", type=click.IntRange(1), default=100_000_000, help="Maximum size of a batch.")
@timeout_option(_LIMITS.seconds)
@click.option(
    "--body-timeout",
    type=click.FloatRange(0, min_open=True),
    default=10.0,
    help="Seconds for a request to arrive, and one more for each 100 kB of it.",
)
@fetch_option
@silencing_option
def serve_command(**options: Any) -> None:
    """Clean pages for other programs over HTTP: send a page, get its content.

    It listens on this machine only, unless --host says otherwise; GET / lists what it does, GET /openapi.json describes
    it. Needs the extra "serve", with --fetch also "crawl".

    \b
    Examples:
      dehusk serve
      dehusk serve --workers 4 --port 8000
      dehusk serve --host 0.0.0.0 --name dehusk.internal
    """
    from dehusk.base.extras import require

    require("starlette", "uvicorn", "pydantic", "anyio", "prometheus_client", extra="serve", purpose="dehusk serve")
    from dehusk.base.processes.processors import available
    from dehusk.service.http import ServicePlan, serve_http

    names = ("host", "port", "names", "queue")
    plan = ServicePlan(
        **{name: options[name] for name in names},
        workers=options["workers"] or available(),
        limits=Limits(bytes=options["max_bytes"], seconds=options["timeout"]),
        batch_bytes=options["max_batch_bytes"],
        body_seconds=options["body_timeout"],
        fetch=fetching() if options["fetch"] else None,
    )
    serve_http(plan, announce=report)


def fetching() -> Any:
    """Return how pages are fetched of which only the address is sent.

    Raises:
        MissingExtraError: the extra "crawl" is not installed.
    """
    from dehusk.base.extras import require
    from dehusk.many.crawl import CrawlPlan

    require("scrapy", "warcio", extra="crawl", purpose="fetching pages")
    return CrawlPlan(delay=0)
