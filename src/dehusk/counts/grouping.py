"""The site that a page belongs to."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, Literal
from urllib.parse import urlsplit

from dehusk.base.errors import InputError
from dehusk.base.lazy import pattern
from dehusk.read.page import Page

By = Literal["host", "domain", "section"]
BY: tuple[By, ...] = ("host", "domain", "section")
"""What defines a site: a host, a registered domain (`news.example.co.uk` belongs to `example.co.uk`), or a host and the
first part of the path (`example.org/blog`)."""

_ARCHIVE = pattern(
    r"(?:https?://?|//)?(?:web(?:-\w+)?\.archive\.org/web|wayback\.[\w.-]+/\w+|archive\.(?:today|ph|is|org/wayback))/"
    r"\d{4,14}(?:[a-z]{2}_)?/(?=.)",
    re.IGNORECASE,
)
_MAYBE_ARCHIVE = pattern("archive|wayback")
_ARCHIVES = (".archive.org", "archive.org", "archive.today", "archive.ph", "archive.is")
"""Suffixes of the hosts of web archives, whose addresses do not show the site of the page."""
_ABSOLUTE = pattern(r"(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)
_PLAIN = pattern(r"https?://((?:[a-z0-9-]+\.)+[a-z0-9-]+)(?::\d{1,5})?(?:[/?#]|\Z)")  # nothing to decode or remove
_ONE_SLASH = pattern(r"https?:/(?!/)", re.IGNORECASE)  # a nested address in which a program has merged the slashes


def without_archive(url: str) -> str:
    """Return the original address inside a web archive's address; other addresses unchanged."""
    start = 0
    while match := _ARCHIVE.match(url, start):
        start = match.end()
    if not start:
        return url
    original = url[start:]
    return original if _ABSOLUTE.match(original) else f"http://{_ONE_SLASH.sub('', original, count=1)}"


@lru_cache(1000)  # a corpus needs it twice for each page
def site_name(url: str, by: By = "host", *, unwrap_archives: bool = True) -> str:
    """Return the name of the site of an address; "" if it has no host.

    Hosts are in lower case and IDNA's ASCII form, without "www." and the port.

    Args:
        url: the address.
        by: what defines a site.
        unwrap_archives: whether a page in a web archive belongs to the site it was archived from; otherwise it belongs
            to the archive, which is the host that a crawler contacts.
    """
    if by == "host" and (plain := _PLAIN.match(url)) and not (unwrap_archives and _MAYBE_ARCHIVE.search(plain[1])):
        return _without_www(plain[1])
    address = without_archive(url.strip()) if unwrap_archives else url.strip()
    try:
        parts = urlsplit(address if _ABSOLUTE.match(address) else f"//{address}")
        host = _ascii(parts.hostname or "")
    except ValueError:
        return ""
    if by == "domain" and not host.rpartition(".")[2].isdigit():  # an IP address has no domain
        return str(_suffixes().privatesuffix(host) or host)
    host = _without_www(host)
    section = parts.path.strip("/").split("/")
    return f"{host}/{section[0]}" if by == "section" and host and len(section) > 1 else host


def site_of(page: Page, by: By = "host") -> str:
    """Return the site of a page: of its URL, otherwise of the address that it declares; "" if there is neither.

    A declared address counts only if it is absolute (`href="page.html"` names no host) and not the address of a web
    archive, which archives write into the pages they store.
    """
    if own := site_name(page.url or "", by):
        return own
    for declared in (page.meta.canonical, next(page.meta.values("og:url"), None), page.meta.base):
        name = site_name(declared, by) if declared and _ABSOLUTE.match(declared.strip()) else ""
        if name and not name.split("/")[0].endswith(_ARCHIVES):
            return name
    return ""


def of_one_site(pages: Iterable[Page], *, by: By = "host", mixed: bool = False) -> Iterator[Page]:
    """Yield pages unchanged and check that all belong to one site; pages of unknown sites are accepted.

    Args:
        pages: parsed pages.
        by: what defines a site.
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
            f"pages of two sites, {names[0]} and {names[1]}: learn them separately, or mix them (option mixed)"
        )


def by_site(pages: Sequence[Page], by: By = "host") -> dict[str, list[int]]:
    """Return site -> the indices of its pages, in the order of their first pages."""
    sites: dict[str, list[int]] = {}
    for index, page in enumerate(pages):
        sites.setdefault(site_of(page, by), []).append(index)
    return sites


def _without_www(host: str) -> str:
    return host.removeprefix("www.") if host.count(".") > 1 else host


def _ascii(host: str) -> str:
    host = host.lower().rstrip(".")
    if host.isascii():
        return host
    import idna  # noqa: PLC0415 (few hosts need it)

    try:
        return idna.encode(host, uts46=True).decode()
    except idna.IDNAError:
        return host


@cache
def _suffixes() -> Any:
    from publicsuffixlist import PublicSuffixList  # noqa: PLC0415 (reads 300 kB that are rarely needed)

    return PublicSuffixList()
