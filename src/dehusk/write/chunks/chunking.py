"""From a cleaned page to its chunks."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass

import numpy as np

from dehusk.blocks.labels import KINDS, Labels
from dehusk.compiled.write import part_writer
from dehusk.read.xpath import xpaths
from dehusk.write.chunks.kept_text import KeptText
from dehusk.write.chunks.measuring import ChunkSize, Measure
from dehusk.write.chunks.packing import Packer, PieceGroup
from dehusk.write.chunks.pieces import TextPiece, read_pieces
from dehusk.write.chunks.token_parts import TokenParts
from dehusk.write.interface import CleanedPage
from dehusk.write.token_reader import read_tokens

MAX_HEADING = 200
"""Maximum number of characters of a heading in `Chunk.headings`."""
_VERSION = "1"
"""Changes whenever other ids are given to the same text."""


@dataclass(frozen=True)
class Chunk:
    """A piece of a page's kept text, as plain values."""

    id: str
    """32 hex digits: a hash of the page's address (without one, of its source) and of `text`, so that a chunk keeps its
    id when other parts of the page change. Chunks with equal texts on one page differ in it."""
    index: int
    """Its number on the page, from 0."""
    text: str
    """`Document.text[start:end]` of `span_text`."""
    markdown: str
    """The same as Markdown. Part of a table starts with the header row of the table."""
    headings: tuple[str, ...]
    """The headings whose sections contain all of it, outermost first, each cut to `MAX_HEADING` characters."""
    labels: tuple[str, ...]
    """The labels of its blocks, of `dehusk.blocks.labels.KINDS`, in order of appearance."""
    probability: float | None
    """Mean probability of its blocks, weighted by words; None if a method gave a probability that is not finite."""
    min_probability: float | None
    """The lowest probability of its blocks; None as above."""
    words: int
    """Number of words, as `Blocks.words` counts them; list markers do not count."""
    overlap: int
    """Number of characters at its start that the chunk before it ends with."""
    span_text: tuple[int, int]
    """(start, end) in characters of `Document.text`."""
    span_page: tuple[int, int]
    """(start, end) in characters of `page.text`."""
    blocks: tuple[int, int]
    """(first, end) in `Document.blocks`; the end is one past the last block. Dropped blocks may be among them."""
    xpath: str
    """XPath of the innermost element that contains its first block."""
    url: str | None
    """Address of the page."""

    def record(self) -> dict[str, object]:
        """Return the chunk as plain values, ready for JSON."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}


def make_chunks(cleaned: CleanedPage, size: ChunkSize) -> list[Chunk]:
    """Return the chunks of a page, in the order of its text; none if nothing is kept."""
    return list(_Chunker(cleaned.labels, size).chunks())


class _Chunker:
    """Makes the chunks of one page."""

    def __init__(self, labels: Labels, size: ChunkSize) -> None:
        self.labels, self.kept = labels, KeptText.of(labels)
        self.measure, self.size = Measure(self.kept, size), size
        self.tokens = read_tokens(labels)
        self.parts = TokenParts(self.kept, self.tokens)
        self.seen: Counter[str] = Counter()
        page = labels.blocks.page
        self.identity = page.url or hashlib.sha256(page.elements.text.encode("utf-8", "replace")).hexdigest()

    def chunks(self) -> Iterator[Chunk]:
        """Yield the chunks."""
        if not len(self.labels.written):
            return
        limit, overlap = self.size.limit, self.size.overlap
        pieces = read_pieces(self.kept, self.tokens, self.measure, limit, overlap)
        self.parts.measure_leaves(pieces)
        groups = Packer(self.kept, pieces, self.measure, limit, overlap).groups()
        write = part_writer(self.labels, self.tokens)
        headings = {index: self._heading(pieces[index]) for group in groups for index in group.headings}
        blocks = [self._blocks(group) for group in groups]
        paths = xpaths(self.labels.blocks.page, {int(self.labels.blocks.node[first]) for first, _ in blocks})
        for index, (group, (first, end)) in enumerate(zip(groups, blocks, strict=True)):
            text = self.kept.text[group.start : group.end]
            mean, least, labels = self._judged(group)
            yield Chunk(
                id=self._id(text),
                index=index,
                text=text,
                markdown=write(self.parts.of(group.pieces)),
                headings=tuple(headings[each] for each in group.headings),
                labels=labels,
                probability=mean,
                min_probability=least,
                words=self.measure.words(group.start, group.end),
                overlap=group.new - group.start,
                span_text=(group.start, group.end),
                span_page=self._span(group),
                blocks=(first, end),
                xpath=paths[int(self.labels.blocks.node[first])],
                url=self.labels.blocks.page.url,
            )

    def _heading(self, piece: TextPiece) -> str:
        text = " ".join(self.kept.text[piece.start : piece.end].split())
        return text if len(text) <= MAX_HEADING else f"{text[: MAX_HEADING - 1]}…"

    def _blocks(self, group: PieceGroup) -> tuple[int, int]:
        first, last = self.labels.written[[group.pieces[0].blocks[0], group.pieces[-1].blocks[1] - 1]].tolist()
        return first, last + 1

    def _span(self, group: PieceGroup) -> tuple[int, int]:
        first, last = group.pieces[0].blocks[0], group.pieces[-1].blocks[1] - 1
        return (
            self.kept.in_page(first, group.start, group.end)[0],
            self.kept.in_page(last, group.start, group.end)[1],
        )

    def _judged(self, group: PieceGroup) -> tuple[float | None, float | None, tuple[str, ...]]:
        """Return the mean probability, the lowest, and the labels."""
        inside = slice(group.pieces[0].blocks[0], group.pieces[-1].blocks[1])
        written = self.labels.written[inside]
        probability = self.labels.probability[written]
        starts = np.maximum(self.kept.start[inside], group.start).tolist()
        ends = np.minimum(self.kept.end[inside], group.end).tolist()
        words = [max(self.measure.words(*each), 1) for each in zip(starts, ends, strict=True)]
        mean, least = float(np.average(probability, weights=words)), float(probability.min())
        labels = tuple(dict.fromkeys(KINDS[label] for label in self.labels.label[written].tolist()))
        if not math.isfinite(mean):
            return None, None, labels
        return round(mean, 4), round(least, 4), labels

    def _id(self, text: str) -> str:
        key = "\0".join((_VERSION, self.identity, text))
        self.seen[key] += 1
        return hashlib.sha256(f"{key}\0{self.seen[key]}".encode("utf-8", "replace")).hexdigest()[:32]
