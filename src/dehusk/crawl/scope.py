"""Which addresses belong to a crawl: the web's, on its hosts, near enough, and not of a shape that never ends.

What a list names belongs to its crawl whatever it looks like: somebody wrote it down. So do the redirects from there,
on any host, since no more than `HOPS` follow each other.
"""

import re
import sys
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from scrapy.linkextractors import IGNORED_EXTENSIONS
from w3lib.url import canonicalize_url, safe_url_string

from dehusk.crawl.plan import PAGES, CrawlPlan, host_of

LONGEST = 2000
"""Characters of an address at most; longer ones are made by programs that do not end."""
SEGMENTS = 20
"""Parts of a path at most."""
HOPS = 10
"""Redirects from one to the next at most, and sitemaps within each other."""

_NO_PAGES = frozenset(IGNORED_EXTENSIONS)
_NUMBER = re.compile(r"\d+")
_REPEATED = re.compile(r"((?:/[^/]+){1,4}?)\1\1(?=/|$)")


@dataclass(frozen=True)
class Address:
    """An address as it is asked for and as it is known."""

    url: str
    """Safe to ask for; without fragment."""
    key: str
    """The same for addresses that differ only in the order of the query, in escapes and in the fragment."""
    host: str
    pattern: str
    """Host and path with each number as 0, and the names of the query."""
    path: str
    """Host and path."""


def address(url: str) -> Address | None:
    """Return an absolute link as an address; None where it is none of the web, or says who asks."""
    try:
        safe = safe_url_string(url.strip()).partition("#")[0]
        parts = urlsplit(safe)
        _ = parts.port
        key = canonicalize_url(safe)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or "@" in parts.netloc or not (host := host_of(safe)):
        return None
    if not parts.path:
        safe = f"{parts.scheme}://{parts.netloc}/" + (f"?{parts.query}" if parts.query else "")
    names = "&".join(sorted({name for name, _ in parse_qsl(parts.query, keep_blank_values=True)}))
    path = f"{parts.netloc}{parts.path or '/'}"
    return Address(safe, key, host, f"{_NUMBER.sub('0', path)}?{names}", path)


class Scope:
    """The rules that need nothing but the address itself.

    Args:
        plan: the settings.
        entrance: where the crawl begins; its host is one of the crawl's. "" for a list of addresses.
    """

    def __init__(self, plan: CrawlPlan, entrance: str) -> None:
        self.plan = plan
        self.listed = not entrance
        self.pages = plan.pages or (sys.maxsize if self.listed else PAGES)
        self.hosts = frozenset({host_of(entrance), *(host_of(f"http://{host}/") for host in plan.hosts)})

    def holds(self, host: str) -> bool:
        """Return whether a host is one of the crawl's."""
        return self.listed or host in self.hosts

    def refusal(self, link: Address, depth: int) -> str:
        """Return in a word why an address on one of the hosts is left out, "" where it is not."""
        if self.listed:
            return ""
        path = urlsplit(link.url).path
        if len(link.url) > LONGEST or path.count("/") > SEGMENTS:
            return "long"
        if any(re.search(r"[^/\d]", match[1]) for match in _REPEATED.finditer(path)):
            return "repeating"
        if path.rpartition("/")[2].rpartition(".")[2].lower() in _NO_PAGES and "." in path.rpartition("/")[2]:
            return "file"
        return "depth" if depth > self.plan.depth else ""
