"""From a cleaned page to its chunks."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass

import numpy as np

from dehusk.about.posts import find_posts
from dehusk.blocks.labels import KINDS, Labels
from dehusk.compiled.write import part_writer
from dehusk.read.addresses import address_of
from dehusk.read.xpath import xpaths
from dehusk.write.chunks.kept_text import KeptText
from dehusk.write.chunks.measuring import ChunkSize, Measure
from dehusk.write.chunks.pieces import TextPiece, cut_piece, read_pieces
from dehusk.write.chunks.splitting import TextSplitter
from dehusk.write.chunks.token_parts import TokenParts
from dehusk.write.interface import CleanedPage
from dehusk.write.threads import shown_posts
from dehusk.write.token_reader import read_tokens

# ---------------------------------------------------------------- packing
# PieceGroup the pieces of a page into chunks along its headings.
#
# A section is a heading with everything up to the next heading of its level or a higher one. A section that fits into
# a chunk is one chunk, with its subsections. Of a longer one, the text before its subsections fills as many chunks as
# it needs, and each subsection is packed in turn. Neighbours below the same heading share a chunk if they fit and one
# of them is small (`SMALL`). What a heading is followed by is in its chunk whenever it fits.
#
# A chunk has whole posts of a thread, or, if a post is longer than a chunk, a part of that post alone. A heading in a
# post heads nothing outside of it.

SMALL = 1 / 3
"""Sections of at most this share of the limit are small."""


@dataclass(frozen=True)
class PieceGroup:
    """The pieces of a chunk."""

    pieces: list[TextPiece]
    start: int
    """Where the chunk starts in the kept text."""
    end: int
    headings: tuple[int, ...]
    """The indices of the headings whose sections contain all of the chunk, outermost first."""


class Packer:
    """Groups pieces.

    Args:
        kept: the text of the page.
        pieces: its pieces.
        measure: measures slices of the text.
        size: the size of a chunk, and how much it may repeat of the one before it.
        post_of: the post of each piece, -1 outside posts.
    """

    def __init__(
        self, kept: KeptText, pieces: list[TextPiece], measure: Measure, size: ChunkSize, post_of: list[int]
    ) -> None:
        self.kept, self.pieces, self.measure, self.post_of = kept, pieces, measure, post_of
        self.limit, self.overlap = size.limit, size.overlap
        limit = size.limit
        self.splitter = TextSplitter(kept, measure, limit)
        self.above, self.section_end = _sections(pieces, post_of)
        self.post_start, self.post_end = _posts(post_of)
        self.headings_before = np.append(0, np.cumsum([piece.level > 0 for piece in pieces])).tolist()
        sizes = [] if measure.adds_up else [measure.size(piece.start, piece.end) for piece in pieces]
        self.size_before = np.append(0, np.cumsum(sizes)).tolist()

    def groups(self) -> list[PieceGroup]:
        """Return the groups in the order of the text; each piece is new in exactly one."""
        groups: list[PieceGroup] = []
        first = before = 0
        while first < len(self.pieces):
            repeated = self._repeated(before, first) if self.overlap and first else []
            end = self._end(first, repeated)
            if not end:
                repeated, end = [], self._end(first, [])
            groups.append(self._group(repeated, first, end))
            before, first = first, end
        return groups

    def _group(self, repeated: list[TextPiece], first: int, end: int) -> PieceGroup:
        pieces = repeated + self.pieces[first:end]
        return PieceGroup(pieces, pieces[0].start, pieces[-1].end, self._headings(first, end))

    def _headings(self, first: int, end: int) -> tuple[int, ...]:
        """Return the indices of the headings whose sections contain all pieces from `first` to `end`."""
        heading = first if self.pieces[first].level else self.above[first]
        path = []
        while heading >= 0:
            if self.section_end[heading] >= end:
                path.append(heading)
            heading = self.above[heading]
        return tuple(reversed(path))

    def _size(self, first: int, end: int) -> int:
        if self.measure.adds_up:
            return self.measure.size(self.pieces[first].start, self.pieces[end - 1].end)
        return int(self.size_before[end] - self.size_before[first])

    def _end(self, first: int, repeated: list[TextPiece]) -> int:
        """Return where the chunk that starts with a piece ends; 0 if there is no room for what it is to repeat."""
        start = repeated[0].start if repeated else self.pieces[first].start
        limit = self.limit - (self.measure.size(start, repeated[-1].end) if repeated else 0)
        if repeated and self._size(first, first + 1) > limit:
            return 0
        end = self._with_headings(first, self._reach(first, limit))
        while end > first + 1 and self.measure.size(start, self.pieces[end - 1].end) > self.limit:
            end = self._with_headings(first, end - 1)
        fits = not repeated or self.measure.size(start, self.pieces[end - 1].end) <= self.limit
        return self._at_post(first, end) if fits else 0

    def _at_post(self, first: int, end: int) -> int:
        """Return the last end, at most the given one, at which no post is divided that need not be."""
        if first > self.post_start[first]:
            return min(end, self.post_end[first])
        if end < len(self.pieces) and self.post_start[end] < end:
            start = self.post_start[end]
            return self._with_headings(first, start) if start > first else end
        return end

    def _with_headings(self, first: int, end: int) -> int:
        """Return the end without headings that are last, unless there is nothing else or nothing follows."""
        if end == len(self.pieces):
            return end
        last = end
        while last > first and self.pieces[last - 1].level:
            last -= 1
        return last if last > first else end

    def _reach(self, first: int, limit: int) -> int:
        """Return the end of the largest group that starts with a piece."""
        end = first + 1
        if self.pieces[first].level and self._size(first, self.section_end[first]) <= limit:
            end = self.section_end[first]
        while end < len(self.pieces):
            following = end + 1
            if self.pieces[end].level:
                following = self._next_section(first, end, limit)
            if following <= end or self._size(first, following) > limit:
                break
            end = following
        return end

    def _next_section(self, first: int, heading: int, limit: int) -> int:
        """Return the end of what a heading adds to a group before it; `heading` if it starts another group."""
        end = self.section_end[heading]
        fits = self._size(first, end) <= limit
        if self.headings_before[heading] - self.headings_before[first] == heading - first:  # nothing but headings
            return end if fits else heading + 1
        is_small = min(self._size(first, heading), self._size(heading, end)) <= SMALL * self.limit
        return end if fits and is_small and self._may_cross(first, heading) else heading

    def _may_cross(self, first: int, heading: int) -> bool:
        """Return whether a heading is below the one that a group is below, or a sibling of the one it starts with."""
        level = self.pieces[heading].level
        if self.pieces[first].level:
            return level >= self.pieces[first].level
        above = self.above[first]
        return above < 0 or level > self.pieces[above].level

    def _repeated(self, before: int, first: int) -> list[TextPiece]:
        """Return what a chunk repeats of the one before it: whole pieces if they fit, else the end of the last."""
        if self.pieces[first].level or self.post_of[first] != self.post_of[first - 1]:
            return []
        end, start = self.pieces[first - 1].end, first
        while start > before and not self.pieces[start - 1].level:
            if self.measure.size(self.pieces[start - 1].start, end) > self.overlap:
                break
            start -= 1
        if start < first:
            return self.pieces[start:first]
        last = self.pieces[first - 1]
        if last.level or not last.can_be_cut:
            return []
        cut = self.splitter.tail(last.start, last.end, self.overlap)
        return [cut_piece(last, self.kept, cut, last.end)] if cut < last.end else []


def _sections(pieces: list[TextPiece], post_of: list[int]) -> tuple[list[int], list[int]]:
    """Return for each piece the heading above it (-1 for none), and one past the last piece of its section."""
    above, ends = [], list(range(1, len(pieces) + 1))
    open_headings: list[int] = []
    for index, piece in enumerate(pieces):
        while open_headings and _ends_section(pieces, post_of, open_headings[-1], index):
            ends[open_headings.pop()] = index
        above.append(open_headings[-1] if open_headings else -1)
        if piece.level:
            open_headings.append(index)
    for index in open_headings:
        ends[index] = len(pieces)
    return above, ends


def _ends_section(pieces: list[TextPiece], post_of: list[int], heading: int, index: int) -> bool:
    """Return whether a piece is not in the section of a heading: in another post, or a heading that is not lower."""
    if post_of[heading] != post_of[index]:
        return post_of[heading] >= 0
    return 0 < pieces[index].level <= pieces[heading].level


def _posts(post_of: list[int]) -> tuple[list[int], list[int]]:
    """Return for each piece the first of those of its post around it, and one past the last; outside posts itself."""
    starts, ends = list(range(len(post_of))), list(range(1, len(post_of) + 1))
    for index in range(1, len(post_of)):
        if post_of[index] == post_of[index - 1] >= 0:
            starts[index] = starts[index - 1]
    for index in range(len(post_of) - 1, 0, -1):
        if starts[index] < index:
            ends[index - 1] = ends[index]
    return starts, ends


# ---------------------------------------------------------------- chunking

MAX_HEADING = 200
"""Maximum number of characters of a heading in `Chunk.headings`."""
_VERSION = "1"
"""Changes whenever other ids are given to the same text."""


@dataclass(frozen=True)
class ChunkPost:
    """A post that a chunk has, or has a part of."""

    number: int
    """Its index in `Document.posts`."""
    author: str | None
    date: str | None
    """ISO 8601, as `Post.date`."""
    kind: str | None


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
    """Address of the page, as `Metadata.url` has it."""
    posts: tuple[ChunkPost, ...] = ()
    """The posts of a thread that it has, in order; if there is one, the chunk may have only a part of it."""

    def record(self) -> dict[str, object]:
        """Return the chunk as plain values, ready for JSON."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}


def make_chunks(cleaned: CleanedPage, size: ChunkSize) -> list[Chunk]:
    """Return the chunks of a page, in the order of its text; none if nothing is kept."""
    return list(Chunker(cleaned.labels, size).chunks())


class Chunker:
    """Makes the chunks of one page."""

    def __init__(self, labels: Labels, size: ChunkSize) -> None:
        self.labels, self.kept = labels, KeptText.of(labels)
        self.measure, self.posts = Measure(self.kept, size), find_posts(labels.blocks)
        self.tokens = read_tokens(labels)
        self.parts = TokenParts(self.kept, self.tokens)
        self.pieces = read_pieces(self.kept, self.tokens, self.measure, size.limit, size.overlap)
        self.parts.measure_leaves(self.pieces)
        post_of = [int(self.posts.post_of[labels.written[piece.blocks[0]]]) for piece in self.pieces]
        self.groups = Packer(self.kept, self.pieces, self.measure, size, post_of).groups()
        """The pieces of each chunk."""
        self.seen: Counter[str] = Counter()
        page = labels.blocks.page
        self.url = address_of(page)
        self.identity = self.url or hashlib.sha256(page.elements.text.encode("utf-8", "replace")).hexdigest()

    def chunks(self) -> Iterator[Chunk]:
        """Yield the chunks."""
        groups = self.groups
        if not groups:
            return
        shown = {post: number for number, post in enumerate(shown_posts(self.labels))} if len(self.posts) else {}
        write = part_writer(self.labels, self.tokens)
        headings = {index: self.heading(index) for group in groups for index in group.headings}
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
                overlap=max(groups[index - 1].end - group.start, 0) if index else 0,
                span_text=(group.start, group.end),
                span_page=self._span(group),
                blocks=(first, end),
                xpath=paths[int(self.labels.blocks.node[first])],
                url=self.url,
                posts=self._posts(group, shown),
            )

    def _posts(self, group: PieceGroup, shown: dict[int, int]) -> tuple[ChunkPost, ...]:
        written = self.labels.written[group.pieces[0].blocks[0] : group.pieces[-1].blocks[1]]
        inside = dict.fromkeys(self.posts.post_of[written].tolist())
        found = ((shown[number], self.posts.posts[number]) for number in inside if number in shown)
        return tuple(ChunkPost(number, post.author, post.date, post.kind) for number, post in found)

    def heading(self, index: int) -> str:
        """Return the text of a piece that is a heading, cut to `MAX_HEADING`."""
        piece = self.pieces[index]
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
