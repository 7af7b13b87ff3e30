"""The job and summary of a corpus run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, get_args

from dehusk.about import CommentsChoice
from dehusk.base.errors import ConfigError, Status, unknown
from dehusk.base.version import __version__
from dehusk.counts.grouping import By
from dehusk.counts.model import ENOUGH
from dehusk.counts.own_counts import DeclaredCounts
from dehusk.label import DEFAULT, Style
from dehusk.label.registry import declaration
from dehusk.many.corpus.child_tasks import CleanSettings, findings_of, learns_sites
from dehusk.many.corpus.sinks import SINKS
from dehusk.many.files.options import Columns, ReadOptions
from dehusk.many.rows import JSON_ONLY, Row
from dehusk.read import Limits
from dehusk.visible import HiddenText
from dehusk.write import find_writer, format_names
from dehusk.write.options import DEFAULTS, WriteOptions


@dataclass(frozen=True)
class CorpusJob:
    """How to read, learn from and clean the pages of a corpus.

    Raises:
        ConfigError: a value is invalid, or values contradict each other.
    """

    method: str | None = None
    style: Style | None = None
    """Which parts of a page to keep; only for method "united", see `dehusk.clean`."""
    favour: float | None = None
    """0 for precision, 1 for recall; only for method "united", see `dehusk.clean`."""
    hidden: HiddenText = "drop"
    """Whether to drop or keep text that readers of the page do not see, see `dehusk.clean`."""
    comments: CommentsChoice = "drop"
    """Whether to drop or keep what readers write below an article, see `dehusk.clean`."""
    sites: bool = True
    """Whether to learn sites, if the method can use them."""
    by: By = "host"
    sample: int = 50
    """Number of pages to learn a site from: ten times the number that proved sufficient."""
    format: str = "parquet"
    content: str = "text"
    """The format of the column `text`."""
    writing: WriteOptions = DEFAULTS
    """Choices of that format, such as front matter."""
    blocks: bool = False
    """Whether rows contain the blocks of their page."""
    metadata: bool = False
    """Whether rows contain the metadata of their page, which takes about as long as cleaning."""
    findings: tuple[str, ...] = ()
    """Methods of which rows contain, in the column `findings`, what they find on a page beside what they keep
    (`dehusk.label.declaration.Findings`); only JSON Lines. Each site then learns what they need."""
    columns: Columns = field(default_factory=Columns)
    limits: Limits = field(default_factory=Limits)
    memory: float = 2000.0
    """MB of memory that a page may use."""

    def __post_init__(self) -> None:
        if self.format not in SINKS:
            raise ConfigError(unknown("format", self.format, SINKS))
        if self.content not in (contents := format_names()):
            raise ConfigError(unknown("content", self.content, contents))
        if not self.metadata and self.content not in (texts := format_names(text_only=True)):
            raise ConfigError(
                f"content {self.content} is more than text: write it with metadata (metadata=True, "
                f"--metadata), or choose one of {', '.join(texts)}"
            )
        find_writer(self.content).check(self.writing)
        if (needed := SINKS[self.format].content) and self.content != needed:
            raise ConfigError(
                f"format {self.format} takes content {needed} with metadata (content={needed!r}, metadata=True), "
                f"not {self.content}"
            )
        if self.blocks and self.format in ("wet", "tei"):
            raise ConfigError(f"format {self.format} has no place for blocks: choose another one to write them")
        self._check_json_only()
        if self.hidden not in get_args(HiddenText):
            raise ConfigError(unknown("hidden", self.hidden, get_args(HiddenText)))
        if self.comments not in get_args(CommentsChoice):
            raise ConfigError(unknown("comments", self.comments, get_args(CommentsChoice)))
        self._check_sites()
        if self.sample < ENOUGH:
            raise ConfigError(f"sample must be at least {ENOUGH} pages, not {self.sample}")
        if not self.memory > 0:
            raise ConfigError(f"memory must be positive, not {self.memory}")
        options = {"style": self.style, "favour": self.favour}
        declaration(self.method or DEFAULT).check_options({k: v for k, v in options.items() if v is not None})

    def _check_sites(self) -> None:
        if self.by not in get_args(By):
            raise ConfigError(unknown("by", self.by, get_args(By)))
        if self.favour is not None and not (isinstance(self.favour, int | float) and 0 <= self.favour <= 1):
            raise ConfigError(f"favour must be between 0 and 1, not {self.favour!r}")
        if not self.sites and declaration(self.method or DEFAULT).site == "required":
            raise ConfigError(f"method {self.method} needs sites to be learned: omit --no-sites (sites=False)")

    def _check_json_only(self) -> None:
        for name in JSON_ONLY:
            if getattr(self, name) and not self.format.startswith("jsonl"):
                raise ConfigError(f"{name} can only be written as JSON Lines, not as {self.format}")
        for name in self.findings:
            findings_of(name)

    @property
    def learns(self) -> bool:
        """Whether sites are learned.

        Raises:
            ConfigError: the method is unknown, its models do not match it, or findings are requested although no sites
                are learned.
        """
        learns = learns_sites(self.method) and self.sites
        if self.findings and not learns:
            raise ConfigError(
                f"the findings of {self.findings[0]} need sites to be learned: omit --no-sites (sites=False), and "
                "choose a method that can use sites"
            )
        return learns

    @property
    def counts(self) -> tuple[type[DeclaredCounts], ...]:
        """What is counted of each site, for the method and for the findings, beyond what is counted of every site."""
        of_findings = (findings_of(name).counts for name in self.findings)
        return tuple(dict.fromkeys((*declaration(self.method or DEFAULT).counts, *of_findings)))

    @property
    def read_options(self) -> ReadOptions:
        """How to read input files."""
        return ReadOptions(self.limits.bytes, self.columns)

    @property
    def cleaning(self) -> CleanSettings:
        """How the children clean pages."""
        return CleanSettings(
            self.method,
            self.content,
            self.blocks,
            self.limits,
            self.style,
            self.favour,
            self.metadata,
            self.findings,
            self.hidden,
            self.comments,
            self.writing,
        )

    def identity(self) -> dict[str, Any]:
        """Return everything that the rows depend on, as plain values."""
        return {**asdict(self), "version": __version__}


@dataclass
class Tally:
    """Counts of the pages and records of some files; tallies add up."""

    files: int = 0
    pages: int = 0
    extracted: int = 0
    """Pages with at least some text kept."""
    text_bytes: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    """Status and message of pages that failed."""
    skipped: Counter[str] = field(default_factory=Counter)
    """Records that are not pages, by reason."""
    losses: list[list[Any]] = field(default_factory=list)
    """File, offset, number of bytes and message of each part of an input that could not be read."""

    def add(self, other: Tally) -> None:
        """Add the counts of other files."""
        for name in ("files", "pages", "extracted", "text_bytes"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.statuses.update(other.statuses)
        self.errors.update(other.errors)
        self.skipped.update(other.skipped)
        self.losses += other.losses

    def count(self, row: Row) -> None:
        """Count a page."""
        self.pages += 1
        self.extracted += bool(row["text"])
        self.text_bytes += row["text_bytes"] or 0
        self.statuses[row["status"]] += 1
        if not Status(row["status"]).is_fine:
            self.errors[f"{row['status']}: {row['message']}"] += 1

    def values(self) -> dict[str, Any]:
        """Return plain values, ready for JSON; their order does not depend on the order of the work."""
        counters = {name: dict(sorted(getattr(self, name).items())) for name in ("statuses", "errors", "skipped")}
        return {**vars(self), **counters, "losses": sorted(self.losses)}

    @classmethod
    def of_values(cls, values: dict[str, Any]) -> Tally:
        """Return the tally from its plain values."""
        counters = {name: Counter(values[name]) for name in ("statuses", "errors", "skipped")}
        return cls(**{**values, **counters})


@dataclass
class CorpusSummary:
    """The results of a run."""

    tally: Tally
    sites: int = 0
    """Number of sites learned."""
    unlearned: list[str] = field(default_factory=list)
    """One line for each page or site that could not be learned from."""
    resumed: int = 0
    """Number of files that an earlier run cleaned."""
    foreign: list[str] = field(default_factory=list)
    """Files in `pages/` that belong to no input of this run."""
    undivided: list[str] = field(default_factory=list)
    """Large files of a format that workers read in parts, but whose records can only be read one after another."""

    def values(self) -> dict[str, Any]:
        """Return plain values, ready for JSON; the same whether or not the run was interrupted and resumed."""
        return {**self.tally.values(), "sites": self.sites, "unlearned": sorted(self.unlearned), "version": __version__}


ProgressListener = Callable[[str, int, int, str], None]
"""Called with the stage ("index", "learn", "merge" or "clean"), how many files, sites or pages have been done since the
last call, their total (0 except in the first call of a stage), and the status of these pages ("" if they were not
cleaned just now)."""


def ignore_progress(_stage: str, _done: int, _total: int, _status: str) -> None:
    """Ignore progress."""
