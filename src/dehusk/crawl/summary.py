"""What came of a crawl."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

PAGE, REDIRECT, FAILED_ANSWER, NOT_HTML, ROBOTS, PRIVATE, TOO_BIG, ERROR = (
    "page",
    "redirect",
    "http-error",
    "not-html",
    "robots",
    "private",
    "too-big",
    "error",
)
"""What can become of an address that was asked for, or was to be."""
SITEMAP, LEFT = "sitemap", "left-out"

_BUSY = ("429",)
_ORDERLY = ("complete", "pages", "minutes")


@dataclass(frozen=True)
class CrawlSummary:
    """Counts over all runs of a job."""

    url: str
    """The entrance; "" for a list."""
    end: str
    """Why this run ended: complete, pages, minutes, interrupted, or Scrapy's word for what went wrong."""
    outcomes: Mapping[str, int] = field(default_factory=dict)
    """Outcome -> addresses; outcomes are page, redirect, http-error, not-html, robots, private, too-big, error,
    sitemap."""
    statuses: Mapping[str, int] = field(default_factory=dict)
    """HTTP status -> addresses."""
    damaged: int = 0
    """Pages that were stored and are not whole: the connection ended too early, their compression is damaged, or their
    links cannot be read."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Reason -> addresses that were never asked for: depth, long, repeating, file, per-pattern, per-path, hops."""
    elsewhere: Mapping[str, int] = field(default_factory=dict)
    """Other host -> links that lead there."""
    waiting: int = 0
    """Addresses that are still to be asked for."""
    bytes: int = 0
    """Of the pages, as transferred."""
    seconds: float = 0.0
    """Of this run."""
    message: str = ""
    """What became of the entrance, where it gave no page."""

    @property
    def pages(self) -> int:
        """HTML pages that were stored."""
        return self.outcomes.get(PAGE, 0)

    @property
    def failed(self) -> int:
        """Addresses that gave nothing whole: errors, answers too big or cut off, and servers' own failures.

        Dead links (404) and what robots.txt forbids are no failures.
        """
        servers = sum(count for status, count in self.statuses.items() if status >= "500" or status in _BUSY)
        return self.outcomes.get(ERROR, 0) + self.outcomes.get(TOO_BIG, 0) + self.damaged + servers

    @property
    def ended_as_planned(self) -> bool:
        """Whether the run fetched everything or reached its bound of pages or minutes."""
        return self.end in _ORDERLY

    def record(self) -> dict[str, Any]:
        """Return the counts as JSON values."""
        return asdict(self)

    def lines(self) -> list[str]:
        """Return the counts for a person."""
        rows = {
            "pages": f"{self.pages}, {self.bytes / 1e6:.1f} MB as transferred",
            "outcomes": _counts(self.outcomes),
            "statuses": _counts(self.statuses),
            "damaged": str(self.damaged or ""),
            "left out": _counts(self.left_out),
            "elsewhere": _counts(self.elsewhere, "links", 5),
            "waiting": str(self.waiting or ""),
            "end": f"{self.end} after {self.seconds:.0f} s",
            "entrance": self.message,
        }
        return [f"{name:<9}  {value}" for name, value in rows.items() if value]


def _counts(found: Mapping[str, int], what: str = "", most: int = 12) -> str:
    rows = sorted(found.items(), key=lambda row: (-row[1], row[0]))
    more = f", {len(rows) - most} more" if len(rows) > most else ""
    return ", ".join(f"{name} {count}{' ' if what else ''}{what}" for name, count in rows[:most]) + more
