"""The passages of a page that answer a question best, within a number of words or tokens.

A passage counts by its relevance to the query (BM25 by bm25s, or a function of the caller) times its probability of
being content; without a query, passages come in the order of the page until there is no room. Order and headings stay.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dehusk.base.caching import cached_property
from dehusk.base.errors import ConfigError, counted
from dehusk.base.extras import require
from dehusk.base.lazy import pattern
from dehusk.blocks import word_starts
from dehusk.blocks.labels import Labels
from dehusk.compiled.text import classify
from dehusk.compiled.write import part_writer
from dehusk.write.attribution import REPLY, Signature, shows_posts, signed
from dehusk.write.chunks.chunking import Chunk, Chunker
from dehusk.write.chunks.measuring import BYTES_PER_TOKEN, ChunkSize
from dehusk.write.chunks.pieces import TextPiece
from dehusk.write.options import WriteOptions
from dehusk.write.tokens import Run, RunKind, Style, Token, TokenKind

if TYPE_CHECKING:
    from dehusk.write.interface import CleanedPage

Relevance = Callable[[str, Sequence[str]], Sequence[float]]
"""Returns how relevant each text is to a query, 0 for not at all."""

_PASSAGES = 4
"""Passages that a long excerpt has room for, at least."""
_WORDS, _TOKENS = (40, 60), (100, 200)
"""The least and the most words or tokens of a passage."""
_FULL = 0.6
"""Share of what an excerpt may have from which on smaller passages are not tried; set by hand."""
_SHARE = 0.2
"""Of the value of the best passage, that of the others, at least: less is due to words that any passage has. Set by
hand, after six excerpts had been read."""
_GAP = "[…]"
_WORD = pattern(r"[\u3040-\u9fff\uac00-\ud7af]|\w+")  # each character of Chinese, Japanese and Korean is a word


@dataclass(frozen=True, repr=False)
class Excerpt:
    """Passages of a page, in its order; as a string, their Markdown."""

    markdown: str
    """The passages below their headings; "[…]" where something is left out."""
    size: int
    """Words or tokens of it, as they were limited."""
    passages: tuple[Chunk, ...]
    left_out: tuple[Chunk, ...]
    """The other passages, in the order of the page: their texts and headings say what to ask for."""

    def __str__(self) -> str:
        return self.markdown

    def __repr__(self) -> str:
        """Return one line: how many of the passages there are, and their size."""
        of = counted(len(self.passages) + len(self.left_out), "passage")
        return f"<Excerpt of size {self.size:,}, {len(self.passages)} of {of}>"

    def describe(self) -> str:
        """Return a line on what is left out, "" if nothing is."""
        if not self.left_out:
            return ""
        found = "" if self.passages else "no passage fits or answers the query; "
        heads = dict.fromkeys(chunk.headings[-1] for chunk in self.left_out if chunk.headings)
        below = f", below {'; '.join(heads)}" if heads else ""
        words = sum(chunk.words for chunk in self.left_out)
        return f"{found}left out: {counted(len(self.left_out), 'passage')} ({counted(words, 'word')} in all){below}"


def make_excerpt(
    cleaned: CleanedPage, size: ChunkSize, query: str | None = None, relevance: Relevance | None = None
) -> Excerpt:
    """Return the best passages of a page.

    Args:
        cleaned: the page.
        size: how long the excerpt may be; its overlap does not count.
        query: what the excerpt should answer; None for the start of the page.
        relevance: instead of BM25.

    Raises:
        TypeError: `query` is no str.
        ConfigError: `relevance` without a query, or one that does not return a number for each text.
        MissingExtraError: a query without `relevance`, and the extra "query" is not installed.
    """
    if query is not None and not isinstance(query, str):
        raise TypeError(f"a query must be a str, not {type(query).__name__}")
    if relevance is not None and query is None:
        raise ConfigError("relevance is that of texts to a query: give a query, too")
    if relevance is not None and not callable(relevance):
        raise ConfigError("relevance must be a function from a query and texts to numbers")
    least, most = _WORDS if size.max_tokens is None else _TOKENS
    limit = min(size.limit, max(least, min(most, size.limit // _PASSAGES)))
    chunks, chosen, markdown = list[Chunk](), list[int](), ""
    while True:
        part = ChunkSize(limit, None) if size.max_tokens is None else ChunkSize(None, limit, tokenizer=size.tokenizer)
        passages = _Passages(cleaned.labels, part)
        parts = passages.chunks
        ranked = _ranked(parts, query, relevance)
        tried = _fitting(passages, ranked, size, in_order=query is None)
        written = passages.written(tried, size)
        if not chunks or _size(written, size) > _size(markdown, size):
            chunks, chosen, markdown = parts, tried, written
        is_full = bool(chosen) if query is not None else _size(markdown, size) >= _FULL * size.limit
        if is_full or len(tried) == len(ranked) or limit == 1:
            break
        limit //= 2  # with its headings and what says that something is left out, no passage, or no other one, fits
    left = (chunk for index, chunk in enumerate(chunks) if index not in set(chosen))
    return Excerpt(markdown, _size(markdown, size), tuple(chunks[index] for index in chosen), tuple(left))


def _fitting(passages: _Passages, ranked: Sequence[int], size: ChunkSize, *, in_order: bool) -> list[int]:
    """Return the numbers of passages that fit together, ascending; in order, none after one that does not."""
    chosen: list[int] = []
    for index in ranked:
        tried = sorted([*chosen, index])
        if _size(passages.one_by_one(tried), size) <= size.limit:
            chosen = tried
        elif in_order:
            break
    return chosen


def _ranked(chunks: Sequence[Chunk], query: str | None, relevance: Relevance | None) -> list[int]:
    """Return the numbers of the passages, the best first; none that have nothing to do with the query."""
    if query is None or not chunks:
        return [*range(len(chunks))]
    texts = [" ".join((*chunk.headings, chunk.text)) for chunk in chunks]
    found = (relevance or _bm25)(query, texts)
    try:
        scores = np.array(found if hasattr(found, "__len__") else [*found], dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ConfigError("relevance must return a number for each text") from error
    if scores.shape != (len(texts),) or not np.isfinite(scores).all():
        raise ConfigError("relevance must return a number for each text")
    scores *= np.array([chunk.probability or 0.0 for chunk in chunks])
    order = np.argsort(-scores, kind="stable")
    return [index for index in order.tolist() if scores[index] > 0 and scores[index] >= _SHARE * scores.max()]


def _bm25(query: str, texts: Sequence[str]) -> Sequence[float]:
    bm25s = require("bm25s", extra="query", purpose="finding the passages that answer a query")
    index = bm25s.BM25()
    words = [_words(text) or [""] for text in texts]
    index.index(words, show_progress=False)
    known = set().union(*words)
    wanted = [word for word in _words(query) if word in known]
    scores: Sequence[float] = index.get_scores(wanted) if wanted else [0.0] * len(texts)
    return scores


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


class _SignedText(NamedTuple):
    """Markdown of a passage, or of the part of it that is in one post."""

    post: int
    """The element of the post, -1 for none."""
    line: str
    """Who wrote the post."""
    text: str


class _Passages:
    """The chunks of a page, and their Markdown without images, whose addresses cost more than they tell.

    What is of a post comes below a line that says who wrote it, if the markup of the page names authors.
    """

    def __init__(self, labels: Labels, size: ChunkSize) -> None:
        labels, self._signatures = signed(labels) if shows_posts(labels, "auto") else (labels, {})
        self._signed = sorted(self._signatures)
        self._chunker = Chunker(labels, size)
        self.chunks = list(self._chunker.chunks())
        self._write = self._writer()
        self._line = cache(self._heading_line)

    def one_by_one(self, chosen: Sequence[int]) -> str:
        """Return passages as Markdown: below the headings above them that are not there yet, and with signs of gaps."""
        return self._joined([(number, number + 1, self._segments[number]) for number in chosen])

    def written(self, chosen: Sequence[int], size: ChunkSize) -> str:
        """Return the same, with paragraphs, lists and tables whole where passages follow each other, if that fits."""
        write, runs = self._writer(), list[tuple[int, int]]()
        for number in chosen:
            first = runs.pop()[0] if runs and runs[-1][1] == number else number
            runs.append((first, number + 1))
        whole = self._joined([(first, end, self._segments_of(write, first, end)) for first, end in runs])
        return whole if _size(whole, size) <= size.limit else self.one_by_one(chosen)

    @cached_property
    def _segments(self) -> list[list[_SignedText]]:
        return [self._segments_of(self._write, number, number + 1) for number in range(len(self.chunks))]

    def _writer(self) -> Callable[[list[Token]], str]:
        return part_writer(self._chunker.labels, self._chunker.tokens, WriteOptions(posts="plain", images=False))

    def _segments_of(self, write: Callable[[list[Token]], str], first: int, end: int) -> list[_SignedText]:
        pieces = [piece for group in self._chunker.groups[first:end] for piece in group.pieces]
        return [
            _SignedText(signature.node if signature else -1, self._signature_line(signature), write(parts).strip())
            for signature, inside in groupby(pieces, self._signature)
            for parts in (self._chunker.parts.of(list(inside)),)
        ]

    def _signature(self, piece: TextPiece) -> Signature | None:
        """Return what the post starts with that a piece is in, None if it is in none."""
        blocks = self._chunker.labels.blocks
        block = int(self._chunker.labels.written[piece.blocks[0]])
        place = bisect_right(self._signed, block)
        found = self._signatures[self._signed[place - 1]] if place else None
        return found if found and blocks.first[block] < blocks.page.end[found.node] else None

    def _signature_line(self, signature: Signature | None) -> str:
        if signature is None:
            return ""
        runs = [Run(RunKind.TEXT, f"{REPLY * signature.level}{signature.author}", Style.STRONG)]
        return self._line_of([*runs * bool(signature.author), Run(RunKind.TEXT, signature.rest)])

    def _joined(self, runs: Iterable[tuple[int, int, list[_SignedText]]]) -> str:
        parts, shown, last, post = list[str](), set[int](), 0, -1
        for first, end, segments in runs:
            inside = {piece.start for group in self._chunker.groups[first:end] for piece in group.pieces}
            if first > last:
                above = {number: self._chunker.pieces[number].start for number in self._chunker.groups[first].headings}
                missing = [number for number, start in above.items() if start not in shown | inside]
                parts += [_GAP, *[self._line(*missing)] * bool(missing)]
                shown |= set(above.values())
            for segment in segments:
                parts += (segment.line * (segment.post != post), segment.text)
                post = segment.post
            shown |= inside
            last = end
        if runs and last < len(self.chunks):
            parts.append(_GAP)
        return "\n\n".join(filter(None, parts))

    def _heading_line(self, *headings: int) -> str:
        text = " › ".join(map(self._chunker.heading, headings))
        return self._line_of([Run(RunKind.TEXT, text, Style.STRONG)])

    def _line_of(self, runs: list[Run]) -> str:
        return self._write([Token(TokenKind.PARAGRAPH, self._chunker.tokens[0].node, runs=runs)]).strip()


def _size(text: str, size: ChunkSize) -> int:
    if size.max_tokens is None:
        points = np.frombuffer(text.encode("utf-32-le", "replace"), dtype=np.uint32)
        starts = word_starts(points, classify(points), np.zeros(min(len(points), 1), np.int32))
        return int(np.count_nonzero(starts))
    return size.tokenizer(text) if size.tokenizer else -(-len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN)
