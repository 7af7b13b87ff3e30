"""What a run is asked for, and what it came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from dehusk.corpus.sinks import SINKS
from dehusk.corpus.work import VERSION, Cleaning, takes_site
from dehusk.errors import ConfigError, unknown
from dehusk.methods import SITE_METHODS
from dehusk.read import Limits
from dehusk.records.tables import Columns
from dehusk.site.grouping import By
from dehusk.site.model import ENOUGH
from dehusk.write import format_names

SAMPLE = 50
"""Pages that a site is learned from: ten times as many as were measured to be enough."""


@dataclass(frozen=True)
class Job:
    """What a run is asked for.

    Raises:
        ConfigError: what cannot be.
    """

    method: str | None = None
    sites: bool = True
    """Whether sites are learned, where the method takes them."""
    by: By = "host"
    sample: int = SAMPLE
    format: str = "parquet"
    content: str = "text"
    blocks: bool = False
    columns: Columns = field(default_factory=Columns)
    limits: Limits = field(default_factory=Limits)
    memory: float = 2000.0
    """MB that a page may cost."""

    def __post_init__(self) -> None:
        if self.format not in SINKS:
            raise ConfigError(f"no format {self.format!r}; known: {', '.join(SINKS)}")
        if self.content not in (contents := format_names(text_only=True)):
            raise ConfigError(unknown("content", self.content, contents))
        if self.blocks and self.format == "wet":
            raise ConfigError("WET records hold text alone: blocks need another format")
        if self.sample < ENOUGH:
            raise ConfigError(f"a site is learned from {ENOUGH} pages at least, not {self.sample}")
        if not self.memory > 0:
            raise ConfigError(f"memory must be positive, not {self.memory}")
        if self.method in SITE_METHODS and not self.sites:
            raise ConfigError(f"method {self.method} needs sites")

    @property
    def learns(self) -> bool:
        """Whether sites are learned.

        Raises:
            ConfigError: no such method, or one whose models do not add up.
        """
        return takes_site(self.method) and self.sites

    @property
    def cleaning(self) -> Cleaning:
        """What the children that clean are told."""
        return Cleaning(self.method, self.content, self.blocks, self.limits)

    def identity(self) -> dict[str, Any]:
        """Return everything that the rows depend on, as plain values."""
        return {**asdict(self), "version": VERSION}


@dataclass
class Tally:
    """What files came to; adds up."""

    files: int = 0
    pages: int = 0
    extracted: int = 0
    """Pages of which some text was kept."""
    text_bytes: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    """Status and message of pages that are not fine."""
    skipped: Counter[str] = field(default_factory=Counter)
    """Records that are no pages, by why."""
    losses: list[list[Any]] = field(default_factory=list)
    """File, offset, bytes and message of each part of an input that could not be read."""

    def add(self, other: Tally) -> None:
        """Add what other files came to."""
        for name in ("files", "pages", "extracted", "text_bytes"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.statuses.update(other.statuses)
        self.errors.update(other.errors)
        self.skipped.update(other.skipped)
        self.losses += other.losses

    def count(self, row: dict[str, Any]) -> None:
        """Add a page."""
        self.pages += 1
        self.extracted += bool(row["text"])
        self.text_bytes += row["text_bytes"] or 0
        self.statuses[row["status"]] += 1
        if row["status"] not in ("ok", "no-content"):
            self.errors[f"{row['status']}: {row['error']}"] += 1

    def values(self) -> dict[str, Any]:
        """Return plain values, ready for JSON, in an order that does not depend on that of the work."""
        counted = {name: dict(sorted(getattr(self, name).items())) for name in ("statuses", "errors", "skipped")}
        return {**vars(self), **counted, "losses": sorted(self.losses)}

    @classmethod
    def of_values(cls, values: dict[str, Any]) -> Tally:
        """Return what `values` were made of."""
        counted = {name: Counter(values[name]) for name in ("statuses", "errors", "skipped")}
        return cls(**{**values, **counted})


@dataclass
class Summary:
    """What a run came to."""

    tally: Tally
    sites: int = 0
    """Sites that were learned."""
    unlearned: list[str] = field(default_factory=list)
    """A line for each page or site that could not be learned from."""
    resumed: int = 0
    """Files that were done before."""
    foreign: list[str] = field(default_factory=list)
    """Files among the pages that are of no input of this run."""

    def values(self) -> dict[str, Any]:
        """Return plain values, ready for JSON; the same whether the run was ended in between or not."""
        return {**self.tally.values(), "sites": self.sites, "unlearned": sorted(self.unlearned), "version": VERSION}


Watch = Callable[[str, int, int, str], None]
"""Is told of the work: the pass ("index", "learn", "merge", "clean"), how many more are done, of how many in all
(files, sites or pages; 0 where that was said), and a page's status."""


def silent(_pass: str, _done: int, _total: int, _status: str) -> None:
    """Watch nothing."""
