"""The settings of a crawl: which hosts, how fast, and how much."""

from dataclasses import dataclass, fields
from typing import Any, Self

from dehusk.base.errors import ConfigError, unknown
from dehusk.base.version import __version__
from dehusk.counts.grouping import site_name
from dehusk.label.registry import link_searches
from dehusk.read import Limits

DEFAULT_PAGES = 1000
"""Default limit on the pages stored from a site."""
DEFAULT_AGENT = f"dehusk/{__version__}"
"""Default user agent; robots.txt is searched for its part before the first slash or space."""

MAX_HOPS = 10
"""Maximum number of redirects in a row, and of levels of nested sitemaps."""

SITE_SETTINGS = ("hosts", "depth", "sitemap", "per_pattern", "per_path", "along")
"""Settings that apply only to crawling a site; a list of URLs is fetched without following links."""
FIXED_SETTINGS = ("hosts", "depth", "sitemap", "per_pattern", "per_path", "private")
"""Settings that cannot change when a crawl is resumed, because they decided which URLs were left out."""

BREADTH = "breadth"
"""The order of a crawl that follows first what is nearest to the start."""

MOST_CONCURRENT = 64
"""Requests to a host at a time, at most."""
_POSITIVE = ("depth", "pages", "concurrency", "max_bytes", "timeout", "per_pattern", "per_path")


@dataclass(frozen=True)
class CrawlPlan:
    """The settings of a crawl.

    Raises:
        ConfigError: a value is out of range.
    """

    hosts: tuple[str, ...] = ()
    """Hosts to crawl in addition to that of the start URL; a leading `www.` and the port are ignored."""
    depth: int = 10
    """Maximum number of links between the start URL and a page; URLs from a sitemap are one link away."""
    pages: int | None = None
    """Maximum number of HTML pages to store over all runs of the job; None: `DEFAULT_PAGES` for a site, no limit for a
    list."""
    minutes: float | None = None
    """Maximum wall time of this run; None: no limit."""
    delay: float = 1.0
    """Minimum number of seconds between two requests to a host; robots.txt and slow responses increase it."""
    concurrency: int = 2
    """Maximum number of simultaneous requests to a host, at most 64."""
    sitemap: bool = False
    """Whether to also start from the sitemaps listed in robots.txt, or from /sitemap.xml if it lists none."""
    private: bool = False
    """Whether addresses outside the public internet may be contacted: loopback, RFC 1918, link-local and so on."""
    max_bytes: int = Limits.bytes
    """Maximum size of a response as transferred, and of a page after decompression."""
    timeout: float = 30.0
    """Maximum number of seconds for one response."""
    along: str = BREADTH
    """Which URLs come first: those nearest to the start, or the links that a method finds, such as "toc", those in TOC
    blocks (`orders`)."""
    per_pattern: int = 1000
    """Maximum number of URLs that differ only in their numbers and query values."""
    per_path: int = 100
    """Maximum number of URLs that differ only in their query."""
    markdown: bool = False
    """Whether to ask servers for Markdown, which some have beside HTML; what comes is stored."""
    agent: str = DEFAULT_AGENT
    """The user agent; please include a way to contact you: "dehusk/0.1 (+https://example.org/contact)"."""

    def __post_init__(self) -> None:
        self._check_numbers()
        if self.along != BREADTH and self.along not in (known := orders()):
            raise ConfigError(f"crawl: {unknown('order', self.along, known)}")
        if not self.robots_name or not self.agent.isascii() or not self.agent.isprintable():
            raise ConfigError(f"crawl: agent must start with a name and be printable ASCII, not {self.agent!r}")
        if isinstance(self.hosts, str):
            raise ConfigError(f"crawl: hosts must be a tuple of names, not {self.hosts!r}")
        for host in self.hosts:
            _check_host(host)

    def _check_numbers(self) -> None:
        for name in _POSITIVE:
            value = getattr(self, name)
            if value is None and name == "pages":  # no limit
                continue
            if value is None or not value > 0:
                raise ConfigError(f"crawl: {name} must be positive, not {value}")
        if not self.delay >= 0:
            raise ConfigError(f"crawl: delay must be zero or positive, not {self.delay}")
        if self.minutes is not None and not self.minutes > 0:
            raise ConfigError(f"crawl: minutes must be positive, not {self.minutes}")
        if not isinstance(self.pages, int | None):
            raise ConfigError(f"crawl: pages must be a whole number, not {self.pages}")
        if self.concurrency > MOST_CONCURRENT:
            raise ConfigError(f"crawl: concurrency must be at most {MOST_CONCURRENT}, not {self.concurrency}")

    @property
    def robots_name(self) -> str:
        """The name that robots.txt is searched for: the user agent up to the first slash or space."""
        return self.agent.replace("/", " ").split(" ")[0]

    def record(self) -> dict[str, Any]:
        """Return the settings as JSON values."""
        return {field.name: getattr(self, field.name) for field in fields(self)} | {"hosts": list(self.hosts)}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> Self:
        """Return the settings stored by `record`.

        Raises:
            TypeError: a setting is unknown or missing.
            ConfigError: a value is out of range.
        """
        if names := record.keys() ^ {field.name for field in fields(cls)}:
            raise TypeError(f"unknown or missing settings: {', '.join(sorted(names))}")
        return cls(**{**record, "hosts": tuple(record["hosts"])})


def orders() -> tuple[str, ...]:
    """Return the orders of a crawl: by breadth, and those of the methods that find links."""
    return (BREADTH, *link_searches())


def _check_host(host: str) -> None:
    if any(character in host for character in "/@:? ") or not site_name(f"http://{host}/"):
        raise ConfigError(f"crawl: {host!r} is not a host name, e.g. example.org")
