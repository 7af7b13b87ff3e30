"""Fetch a page from the web and clean it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from dehusk.base.errors import Status
from dehusk.cleaning import CommonOptions, clean

if TYPE_CHECKING:
    from dehusk.document import Document
    from dehusk.many.crawl import CrawlPlan


def clean_url(url: str, *, plan: CrawlPlan | None = None, **options: Unpack[CommonOptions]) -> Document:
    """Fetch one page, following the rules of a crawl, and clean it.

    robots.txt is obeyed, and addresses outside the public internet are refused unless `plan` allows them. Links are
    resolved against the URL after redirects.

    Args:
        url: the page's URL; the default scheme is https.
        plan: settings of the request, such as `agent`, `timeout` and `private`.
        **options: the keyword arguments of `clean`, except `url` and `headers`.

    Returns:
        The document. Its status is `truncated` if the response was incomplete.

    Raises:
        MissingExtraError: the extra "crawl" is not installed.
        FetchError: the page cannot be fetched; `reason` says why in one word.
        InputError: `url` is not a web address.

    `clean` may raise other errors.
    """
    from dehusk.many.crawl import fetch  # noqa: PLC0415 (few uses of dehusk fetch anything)

    page = fetch(url, plan=plan)
    document = clean(page.data, url=page.url, headers=page.headers, **options)
    if page.truncated and document.status.is_fine:
        message = f"the response was cut short: {page.truncated}"
        document = replace(document, status=Status.TRUNCATED, message=message)
    return document
