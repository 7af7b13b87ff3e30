"""The result of cleaning one page: its status, its blocks, and the kept text in every format."""

from collections.abc import Mapping
from dataclasses import dataclass

from dehusk import write
from dehusk.caching import cached_property
from dehusk.errors import Status
from dehusk.labels import Labels
from dehusk.metadata import Metadata, read_metadata
from dehusk.page import Page
from dehusk.write.json import block_records, dumps


@dataclass(frozen=True)
class Block:
    """One block of a document, as a view on the columns."""

    text: str
    label: str
    """One of `dehusk.labels.KINDS`."""
    probability: float
    """That the block is content, 0 to 1."""
    kept: bool
    reason: str | None
    """Why it is kept or not; None unless the page was cleaned with `explain=True`."""
    xpath: str
    """Of the innermost element that holds the block."""
    span: tuple[int, int]
    """(start, end) in characters of `page.text`."""
    evidence: Mapping[str, object] | None = None
    """What decided, as plain values; None unless the page was cleaned with `explain=True` by a method that tells."""


@dataclass(frozen=True, eq=False)
class Document:
    """What became of one page."""

    status: Status
    message: str
    """One line on a status other than ok."""
    labels: Labels

    @property
    def page(self) -> Page:
        """The page that was read."""
        return self.labels.blocks.page

    @property
    def title(self) -> str:
        """The page's title element."""
        return self.page.meta.title

    @cached_property
    def metadata(self) -> Metadata:
        """What the page says of itself: title, author, date, language, canonical address; read when asked for."""
        return read_metadata(self.page)

    @property
    def confidence(self) -> float:
        """The word F1 that the probabilities promise for what was kept, 0 to 1; 0 where nothing was kept."""
        words = self.labels.blocks.words * self.labels.probability
        kept = self.labels.kept
        size = float(self.labels.blocks.words[kept].sum() + words.sum())
        return min(1.0, 2 * float(words[kept].sum()) / size) if size else 0.0

    @cached_property
    def text(self) -> str:
        """The kept blocks as plain text."""
        return write.to_text(self.labels)

    @cached_property
    def markdown(self) -> str:
        """The kept blocks as Markdown."""
        return write.to_markdown(self.labels)

    @cached_property
    def html(self) -> str:
        """The original nodes of the kept blocks as a safe HTML document."""
        return write.to_html(self.labels)

    @cached_property
    def cleaneval(self) -> str:
        """The kept blocks in CLEANEVAL's format."""
        return write.to_cleaneval(self.labels)

    @cached_property
    def blocks(self) -> list[Block]:
        """All blocks, kept and dropped, in document order."""
        records = block_records(self.labels)
        return [Block(**{**record, "span": tuple(record["span"])}) for record in records]

    @cached_property
    def overlay(self) -> str:
        """The whole page as one HTML file with every block marked; reasons where it was cleaned with `explain=True`."""
        facts = {"status": f"{self.status} {self.message}".strip(), "confidence": f"{self.confidence:.2f}"}
        return write.to_overlay(self.labels, facts=facts, notes=self.notes)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user should know of how the page was read and labelled, a line each."""
        return self.page.notes + self.labels.notes

    def record(self, *, evidence: bool = False) -> dict[str, object]:
        """Return the document as plain values, ready for JSON: facts of the page and every block.

        Args:
            evidence: tell what decided about each block too, where the page was cleaned with `explain=True`.
        """
        blocks = block_records(self.labels)
        for block in blocks:
            if not evidence:
                block.pop("evidence", None)
        return {**self.facts(), "blocks": blocks}

    def facts(self) -> dict[str, object]:
        """Return what `record` returns, without the blocks."""
        return write.page_record(
            self.page,
            self.metadata,
            status=str(self.status),
            message=self.message,
            notes=list(self.notes),
            confidence=round(self.confidence, 4),
        )

    def render(self, format_name: str) -> str:
        """Return the document in one of `dehusk.write.FORMATS`; raises KeyError for another name."""
        if format_name == "json":
            return dumps(self.record())
        return write.FORMATS[format_name].write(self.labels)
