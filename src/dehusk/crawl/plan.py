"""What a crawl may fetch, how fast, and how much: its entrance, scope, politeness and budgets."""

import ipaddress
from dataclasses import dataclass, fields
from typing import Any, Self
from urllib.parse import urlsplit

from dehusk import __version__
from dehusk.errors import ConfigError, InputError
from dehusk.read import Limits
from dehusk.site.grouping import site_name

PAGES = 1000
"""Pages of a site that are stored where nothing else is asked for."""
AGENT = f"dehusk/{__version__}"
"""The user agent; what stands before its first slash or space is the name that robots.txt is asked for."""

_POSITIVE = ("depth", "pages", "concurrency", "max_bytes", "timeout", "per_pattern", "per_path")
OF_SITE = ("hosts", "depth", "sitemap", "per_pattern", "per_path")
"""Settings that mean nothing for a list of addresses, where no link is followed."""
FIXED = (*OF_SITE, "private")
"""Settings that a crawl keeps when it goes on: they say which addresses were left out before."""


@dataclass(frozen=True)
class CrawlPlan:
    """Settings of a crawl.

    Raises:
        ConfigError: a value that cannot be.
    """

    hosts: tuple[str, ...] = ()
    """Hosts to stay on beside that of the entrance; `www.` and the port make no difference."""
    depth: int = 10
    """Links from the entrance, at most; addresses of a sitemap count as one link away."""
    pages: int | None = None
    """HTML pages to store, in all runs of the job together; None for `PAGES` of a site and for all of a list."""
    minutes: float | None = None
    """Wall time of this run; None for as long as it takes."""
    delay: float = 1.0
    """Seconds between two requests to a host at least; robots.txt and slow answers can make it longer."""
    concurrency: int = 2
    """Requests to a host under way at most."""
    sitemap: bool = False
    """Whether to begin with the sitemaps, too, that robots.txt names, or else /sitemap.xml."""
    private: bool = False
    """Whether addresses that are not public may be asked: loopback, RFC 1918, link-local and so on."""
    max_bytes: int = Limits.bytes
    """Of an answer as transferred and of a page when it is unpacked."""
    timeout: float = 30.0
    """Seconds for one answer."""
    per_pattern: int = 1000
    """Addresses that differ only in their numbers and in the values of their query."""
    per_path: int = 100
    """Addresses that differ only in their query."""
    agent: str = AGENT
    """The user agent; an address to write to is good manners: "dehusk/0.1 (+https://example.org/contact)"."""

    def __post_init__(self) -> None:
        for name in _POSITIVE:
            value = getattr(self, name)
            if not (value is None and name == "pages") and not value > 0:
                raise ConfigError(f"crawl: {name} must be positive, not {value}")
        if not self.delay >= 0:
            raise ConfigError(f"crawl: delay must not be negative, not {self.delay}")
        if self.minutes is not None and not self.minutes > 0:
            raise ConfigError(f"crawl: minutes must be positive, not {self.minutes}")
        if not self.token or not self.agent.isascii() or not self.agent.isprintable():
            raise ConfigError(f"crawl: agent must be a name in ASCII, not {self.agent!r}")
        for host in self.hosts:
            _check_host(host)

    @property
    def token(self) -> str:
        """The user agent's name, which robots.txt is asked for."""
        return self.agent.replace("/", " ").split(" ")[0]

    def record(self) -> dict[str, Any]:
        """Return the settings as JSON values."""
        return {field.name: getattr(self, field.name) for field in fields(self)} | {"hosts": list(self.hosts)}

    @classmethod
    def of_record(cls, record: dict[str, Any]) -> Self:
        """Return the settings that `record` made.

        Raises:
            TypeError: an unknown or missing setting.
            ConfigError: a value that cannot be.
        """
        return cls(**{**record, "hosts": tuple(record["hosts"])})


def _check_host(host: str) -> None:
    if any(sign in host for sign in "/@:? ") or not site_name(f"http://{host}/"):
        raise ConfigError(f"crawl: {host!r} is no host: name it like example.org")


def host_of(url: str) -> str:
    """Return the host that an address is of, without `www.` and the port; "" where it has none.

    Unlike a page's site, an address in a web archive is of the archive.
    """
    try:
        parts = urlsplit(url)
        if not parts.hostname:
            return ""
        bare = parts.hostname
    except ValueError:
        return ""
    return site_name(f"http://[{bare}]/" if ":" in bare else f"http://{bare}/")


def entrance(url: str) -> str:
    """Return the entrance's address, complete.

    Raises:
        InputError: it is none of the web.
    """
    given = url.strip()
    complete = given if "://" in given else f"https://{given}"
    try:
        parts = urlsplit(complete)
        _ = parts.port
    except ValueError as error:
        raise InputError(f"{url!r} is no address: {error}") from error
    if parts.scheme not in ("http", "https") or not parts.hostname or " " in given:
        raise InputError(f"{url!r} is no address of the web: name it like https://example.org/")
    if "@" in parts.netloc:
        raise InputError("an address with a user's name or password is not crawled")
    return complete if parts.path else complete.replace(parts.netloc, f"{parts.netloc}/", 1)


_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def is_public(address: str) -> bool:
    """Return whether an IP address is one of the public internet, and so is the IPv4 address that it may hold."""
    ip = ipaddress.ip_address(address.split("%", maxsplit=1)[0])
    if isinstance(ip, ipaddress.IPv6Address):
        held = [ip.ipv4_mapped, ip.sixtofour, *(ip.teredo or ())]
        if ip in _NAT64:
            held.append(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF))
        if any(one is not None and not is_public(str(one)) for one in held):
            return False
        if ip.ipv4_mapped is not None:
            return True
    return ip.is_global and not ip.is_multicast
