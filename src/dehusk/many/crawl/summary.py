"""Counts over all URLs of a crawl."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

PAGE, REDIRECT, FAILED_RESPONSE, NOT_HTML, ROBOTS, PRIVATE, TOO_BIG, ERROR = (
    "page",
    "redirect",
    "http-error",
    "not-html",
    "robots",
    "private",
    "too-big",
    "error",
)
"""Outcomes of a URL that was requested, or whose request was refused at the last moment."""
SITEMAP, LEFT_OUT = "sitemap", "left-out"
UNREACHABLE = "robots.txt cannot be read: "
"""The message of an outcome `ROBOTS` starts with this if the host did not respond; the name of the error follows."""
INTERRUPTED = "interrupted"

_TOO_MANY_REQUESTS = "429"
_PLANNED_ENDS = ("complete", "pages", "minutes")


@dataclass(frozen=True)
class CrawlSummary:
    """Counts over all runs of a job."""

    url: str
    """The start URL; "" for a list."""
    end: str
    """Why this run ended: complete, pages, minutes, interrupted, or Scrapy's name for a failure."""
    outcomes: Mapping[str, int] = field(default_factory=dict)
    """Number of URLs by outcome: page, redirect, http-error, not-html, robots, private, too-big, error, sitemap."""
    statuses: Mapping[str, int] = field(default_factory=dict)
    """Number of URLs by HTTP status."""
    damaged: int = 0
    """Stored pages that are incomplete: the connection ended early, the compressed data is damaged, or the links cannot
    be read."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Number of URLs never requested, by reason: depth, long, repeating, file, per-pattern, per-path, hops."""
    elsewhere: Mapping[str, int] = field(default_factory=dict)
    """Number of links to other hosts, by host."""
    waiting: int = 0
    """URLs still to be requested."""
    bytes: int = 0
    """Total size of the pages as transferred."""
    seconds: float = 0.0
    """Duration of this run."""
    message: str = ""
    """The outcome of the start URL if it is not a page."""

    @property
    def pages(self) -> int:
        """Number of HTML pages stored."""
        return self.outcomes.get(PAGE, 0)

    @property
    def failed(self) -> int:
        """Number of URLs that failed: errors, incomplete responses, responses that are too big, and HTTP 5xx and 429.

        Dead links (404) and URLs that robots.txt forbids are not failures.
        """
        server_errors = sum(
            count for status, count in self.statuses.items() if status >= "500" or status == _TOO_MANY_REQUESTS
        )
        return self.outcomes.get(ERROR, 0) + self.outcomes.get(TOO_BIG, 0) + self.damaged + server_errors

    @property
    def ended_as_planned(self) -> bool:
        """Whether the run completed the crawl or used up a budget."""
        return self.end in _PLANNED_ENDS

    def record(self) -> dict[str, Any]:
        """Return the counts as JSON values."""
        return asdict(self)

    def lines(self) -> list[str]:
        """Return the counts as lines of text."""
        rows = {
            "pages": f"{self.pages}, {self.bytes / 1e6:.1f} MB as transferred",
            "outcomes": _listed(self.outcomes),
            "statuses": _listed(self.statuses),
            "damaged": str(self.damaged or ""),
            "left out": _listed(self.left_out),
            "elsewhere": _listed(self.elsewhere, unit="links", limit=5),
            "waiting": str(self.waiting or ""),
            "end": f"{self.end} after {self.seconds:.0f} s",
            "start URL": self.message,
        }
        return [f"{name:<9}  {value}" for name, value in rows.items() if value]


def _listed(counts: Mapping[str, int], *, unit: str = "", limit: int = 12) -> str:
    """Return the largest counts, separated by commas."""
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    more = f", {len(rows) - limit} more" if len(rows) > limit else ""
    return ", ".join(f"{name} {count}{' ' if unit else ''}{unit}" for name, count in rows[:limit]) + more
