"""Which site a page is of."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, Literal
from urllib.parse import urlsplit

import idna

from dehusk.errors import InputError
from dehusk.page import Page

By = Literal["host", "domain", "section"]
BY: tuple[By, ...] = ("host", "domain", "section")
"""A site is a host, a registered domain (`news.example.co.uk` and `example.co.uk`), or a host and the first part of
the path (`example.org/blog`)."""

_ARCHIVE = re.compile(
    r"(?:https?://?|//)?(?:web(?:-\w+)?\.archive\.org/web|wayback\.[\w.-]+/\w+|archive\.(?:today|ph|is|org/wayback))/"
    r"\d{4,14}(?:[a-z]{2}_)?/(?=.)",
    re.IGNORECASE,
)
_ARCHIVES = (".archive.org", "archive.org", "archive.today", "archive.ph", "archive.is")
"""Ends of hosts that keep pages of others: as the address of a page they say nothing of its site."""
_ABSOLUTE = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)
_ONE_SLASH = re.compile(r"https?:/(?!/)", re.IGNORECASE)  # what programs that fold slashes make of a nested address


def without_archive(url: str) -> str:
    """Return the address that a web archive's address holds; others unchanged."""
    at = 0
    while match := _ARCHIVE.match(url, at):
        at = match.end()
    if not at:
        return url
    held = url[at:]
    return held if _ABSOLUTE.match(held) else f"http://{_ONE_SLASH.sub('', held, count=1)}"


@lru_cache(1000)  # it is asked for twice of each page of a corpus
def site_name(url: str, by: By = "host", *, unwrap_archives: bool = True) -> str:
    """Return the name of the site that an address is of, "" where it has none.

    Hosts are in lower case and IDNA's ASCII form, without "www." and the port.

    Args:
        url: the address.
        by: what a site is.
        unwrap_archives: whether a page in a web archive belongs to the site it was archived from; otherwise it belongs
            to the archive, the server that a crawler contacts.
    """
    address = without_archive(url.strip()) if unwrap_archives else url.strip()
    try:
        parts = urlsplit(address if _ABSOLUTE.match(address) else f"//{address}")
        host = _ascii(parts.hostname or "")
    except ValueError:
        return ""
    if by == "domain" and not host.rpartition(".")[2].isdigit():  # else it is a number and has no domain
        return str(_suffixes().privatesuffix(host) or host)
    host = host.removeprefix("www.") if host.count(".") > 1 else host
    section = parts.path.strip("/").split("/")
    return f"{host}/{section[0]}" if by == "section" and host and len(section) > 1 else host


def site_of(page: Page, by: By = "host") -> str:
    """Return the site of a page: by its URL, else by what it says its own address is; "" where it says nothing.

    What a page says counts where it is absolute (in `href="page.html"` no host is named) and not an archive's own
    address, which archives write into the pages of others.
    """
    if own := site_name(page.url or "", by):
        return own
    entries = dict(reversed(page.meta.entries))
    for said in (page.meta.canonical, entries.get("og:url"), page.meta.base):
        name = site_name(said, by) if said and _ABSOLUTE.match(said.strip()) else ""
        if name and not name.split("/")[0].endswith(_ARCHIVES):
            return name
    return ""


def of_one_site(pages: Iterable[Page], *, by: By = "host", mixed: bool = False) -> Iterator[Page]:
    """Yield pages unchanged, as long as they belong to one site; pages that name no site are accepted.

    Args:
        pages: parsed pages.
        by: what makes a site.
        mixed: whether to accept pages of several sites.

    Raises:
        InputError: while iterating: a page of a second site.
    """
    sites: set[str] = set()
    for page in pages:
        name = site_of(page, by)
        if name and not mixed:
            check_one_site(sites, [name])
            sites.add(name)
        yield page


def check_one_site(known: Iterable[str], new: Iterable[str]) -> None:
    """Raise InputError if known and new site names together are more than one."""
    added = sorted(set(new) - set(known))
    names = [*sorted(known)[:1], *added]
    if added and len(names) > 1:
        raise InputError(
            f"pages of two sites, {names[0]} and {names[1]}: learn them separately, or mix them (mixed=True, --mixed)"
        )


def by_site(pages: Sequence[Page], by: By = "host") -> dict[str, list[int]]:
    """Return site -> the numbers of its pages, in the order of their first pages."""
    found: dict[str, list[int]] = {}
    for number, page in enumerate(pages):
        found.setdefault(site_of(page, by), []).append(number)
    return found


def _ascii(host: str) -> str:
    host = host.lower().rstrip(".")
    try:
        return host if host.isascii() else idna.encode(host, uts46=True).decode()
    except idna.IDNAError:
        return host


@cache
def _suffixes() -> Any:
    from publicsuffixlist import PublicSuffixList  # noqa: PLC0415 (reads a list of 300 kB that few need)

    return PublicSuffixList()
