"""Which URLs belong to a crawl: those on its hosts, near the start URL, and outside traps that generate URLs forever.

Every URL in a list belongs to its crawl, whatever it looks like, because the user chose it. So do its redirects, to any
host, up to `dehusk.many.crawl.plan.MAX_HOPS` in a row.
"""

import re
import sys
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from scrapy.linkextractors import IGNORED_EXTENSIONS
from w3lib.url import canonicalize_url, safe_url_string

from dehusk.counts.grouping import site_name
from dehusk.many.crawl.plan import DEFAULT_PAGES, CrawlPlan

MAX_LENGTH = 2000
"""Maximum length of a URL in characters; longer ones come from scripts that extend URLs forever."""
MAX_SEGMENTS = 20
"""Maximum number of path segments."""

_FILE_EXTENSIONS = frozenset(IGNORED_EXTENSIONS)
_NUMBER = re.compile(r"\d+")
_REPEATED = re.compile(r"((?:/[^/]+){1,4}?)\1\1(?=/|$)")


@dataclass(frozen=True)
class CrawlUrl:
    """A URL in the forms that a crawl needs."""

    url: str
    """The URL to request, escaped and without fragment."""
    key: str
    """Canonical form; equal for URLs that differ only in the order of the query, in escapes and in the fragment."""
    host: str
    pattern: str
    """Host and path with each number replaced by 0, and the names in the query."""
    path: str
    """Host and path."""


def crawl_host(url: str) -> str:
    """Return the host that serves a URL, without `www.` and the port; "" if it has none."""
    return site_name(url, unwrap_archives=False)


def parse_link(url: str) -> CrawlUrl | None:
    """Parse an absolute link; None unless it is an http or https URL without a user name."""
    try:
        safe = safe_url_string(url.strip()).partition("#")[0]
        parts = urlsplit(safe)
        _ = parts.port
        key = canonicalize_url(safe)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or "@" in parts.netloc or not (host := crawl_host(safe)):
        return None
    if not parts.path:
        safe = f"{parts.scheme}://{parts.netloc}/" + (f"?{parts.query}" if parts.query else "")
    names = "&".join(sorted({name for name, _ in parse_qsl(parts.query, keep_blank_values=True)}))
    path = f"{parts.netloc}{parts.path or '/'}"
    return CrawlUrl(safe, key, host, f"{_NUMBER.sub('0', path)}?{names}", path)


class Scope:
    """The rules that depend only on the URL itself.

    Args:
        plan: the settings.
        start_url: its host is crawled; "" for a list of URLs.
    """

    def __init__(self, plan: CrawlPlan, start_url: str) -> None:
        self.plan = plan
        self.is_list = not start_url
        self.max_pages = plan.pages or (sys.maxsize if self.is_list else DEFAULT_PAGES)
        self.hosts = frozenset({crawl_host(start_url), *(crawl_host(f"http://{host}/") for host in plan.hosts)})

    def includes(self, host: str) -> bool:
        """Return whether a host is crawled."""
        return self.is_list or host in self.hosts

    def refusal(self, link: CrawlUrl, depth: int) -> str:
        """Return in one word why a URL on a crawled host is left out; "" if it is not."""
        if self.is_list:
            return ""
        path = urlsplit(link.url).path
        if len(link.url) > MAX_LENGTH or path.count("/") > MAX_SEGMENTS:
            return "long"
        if any(re.search(r"[^/\d]", match[1]) for match in _REPEATED.finditer(path)):
            return "repeating"
        name = path.rpartition("/")[2]
        if "." in name and name.rpartition(".")[2].lower() in _FILE_EXTENSIONS:
            return "file"
        return "depth" if depth > self.plan.depth else ""
