"""Fetches one page by the rules of a crawl: robots.txt, public addresses only, limits of size and time."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from dehusk.base.errors import FetchError, InputError
from dehusk.many.crawl.crawling import crawl
from dehusk.many.crawl.job_folder import URL_OUTCOMES
from dehusk.many.crawl.plan import MAX_HOPS, CrawlPlan
from dehusk.many.crawl.reading import stored_pages
from dehusk.many.crawl.start_urls import complete_url
from dehusk.many.crawl.summary import (
    ERROR,
    FAILED_RESPONSE,
    INTERRUPTED,
    LEFT_OUT,
    NOT_HTML,
    PAGE,
    PRIVATE,
    REDIRECT,
    ROBOTS,
    TOO_BIG,
    UNREACHABLE,
)

Row = dict[str, Any]
"""A line of `addresses.jsonl`."""


@dataclass(frozen=True)
class FetchedPage:
    """A page fetched from the web."""

    url: str
    """The page's URL after redirects."""
    headers: Mapping[str, str]
    """Names in lower case; without Content-Encoding, because the body is decompressed."""
    data: bytes
    """The body after decompression."""
    truncated: str
    """Why the body is incomplete; "" if it is complete."""


def fetch(url: str, *, plan: CrawlPlan | None = None) -> FetchedPage:
    """Fetch one page by the rules of a crawl.

    Redirects are followed to any host. A request that fails with a server error is repeated twice.

    Args:
        url: the page's URL; the default scheme is https.
        plan: the settings; by default those of `CrawlPlan`, but without delay.

    Raises:
        FetchError: the page cannot be fetched; `reason` says why in one word: robots, private, too-big, http-error,
            not-html, redirect or error.
        InputError: `url` is not a web address.
        ConfigError: a setting applies only to crawling a site.
        MissingExtraError: the extra "crawl" is not installed.
        KeyboardInterrupt: SIGINT ended the request.
    """
    url, plan = complete_url(url), plan or CrawlPlan(delay=0)
    with TemporaryDirectory(prefix="dehusk-fetch-") as folder:
        job = Path(folder) / "job"
        summary = crawl([url], job, plan=plan)
        if summary.end == INTERRUPTED:
            raise KeyboardInterrupt
        rows = [json.loads(line) for line in (job / URL_OUTCOMES).read_text("utf-8").split("\n") if line]
        if not rows:
            raise InputError(f"{url!r} is not a valid URL")
        outcome = _last(rows)
        if outcome["state"] != PAGE:
            redirected = "" if outcome is rows[0] else f" (redirected to {outcome['url']})"
            raise FetchError(f"{url}{redirected}: {_message(outcome, plan)}", reason=_reason(outcome))
        page = next(stored_pages(job, limit=plan.max_bytes))
    return FetchedPage(page.url, page.headers, page.data, outcome["message"])


def _last(rows: Sequence[Row]) -> Row:
    """Return the outcome at the end of the redirects."""
    target_of = {row["via"]: row for row in rows}
    row = rows[0]
    while row["state"] == REDIRECT and row["url"] in target_of:
        row = target_of[row["url"]]
    return row


def _reason(outcome: Row) -> str:
    """Return why a page cannot be fetched, in one word."""
    if outcome["state"] == LEFT_OUT:
        return REDIRECT
    return ERROR if outcome["message"].startswith(UNREACHABLE) else str(outcome["state"])


def _message(outcome: Row, plan: CrawlPlan) -> str:
    """Return why a page cannot be fetched, in a few words."""
    status, detail = outcome["http"], outcome["message"]
    messages: dict[str, str] = {
        ROBOTS: "robots.txt forbids fetching it" + (f" ({detail})" if detail else ""),
        PRIVATE: f"not on the public internet: {detail}",
        TOO_BIG: f"too large: {detail}",
        FAILED_RESPONSE: f"not found (HTTP {status})" if status in (404, 410) else f"the server returns HTTP {status}",
        NOT_HTML: f"not an HTML page but {detail}",
        REDIRECT: f"the redirect to {detail} cannot be followed",
        ERROR: f"cannot be fetched: {_error_message(detail.removeprefix(UNREACHABLE), plan)}",
    }
    if outcome["state"] == LEFT_OUT:
        return f"more than {MAX_HOPS} redirects in a row"
    return messages[_reason(outcome)]


def _error_message(error: str, plan: CrawlPlan) -> str:
    """Return an error of Scrapy in plain words, if it is a common one."""
    if "Timeout" in error:
        return f"no response within {plan.timeout:g} s"
    if "ResolveHost" in error or "DNSLookup" in error:
        return "the host name cannot be resolved"
    return "the connection was refused" if "ConnectionRefused" in error else error
