"""The kept text of a page as a tree: sections, lists, tables, figures, posts and their parts, each with its place.

The tree is read from the tokens that Markdown and TEI are written from, so it has what they have. Headings make
sections: one ends before the next heading of its level or a higher one, in the same container. Posts are put around
what they consist of.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from dehusk.about.posts import find_posts
from dehusk.blocks.labels import Labels
from dehusk.read.xpath import xpaths
from dehusk.write.threads import shown_posts
from dehusk.write.token_reader import read_tokens
from dehusk.write.tokens import Edge, Run, RunKind, TableCell, TableRow, Token, TokenKind


@dataclass(frozen=True)
class Part:
    """A part of the kept text of a page, with the parts in it."""

    kind: str
    """"document", "section", "post", "paragraph", "list", "item", "definitions", "term", "description", "table", "row",
    "cell", "code", "quote", "figure", "caption", "image", "note" or "rule"."""
    text: str = ""
    """The text of a paragraph, a term, a caption, a cell or code; the heading of a section; the alternative text of an
    image; the author of a post; the label of a note; "" for others, whose text is in their parts."""
    level: int = 0
    """Level of a section, 1 to 6; depth of a post, 0 for one that is no reply."""
    date: str | None = None
    """Of a post: ISO 8601, None if it shows none."""
    blocks: tuple[int, int] | None = None
    """(first, end) in `Document.blocks`; the end is one past the last. None if it has no text of the page."""
    span: tuple[int, int] | None = None
    """(start, end) in characters of `page.text`."""
    probability: float | None = None
    """Mean probability of its blocks, weighted by words; None if they have none that is finite."""
    xpath: str | None = None
    """XPath of its element: of a section that of its heading, of a list without an element that of its first item. None
    for the document."""
    parts: tuple[Part, ...] = ()
    """What is in it, in document order."""

    def record(self) -> dict[str, object]:
        """Return the part as plain values, ready for JSON: its kind, and of all else what it has."""
        values = ("text", self.text), ("level", self.level), ("date", self.date), ("probability", self.probability)
        places = ("blocks", self.blocks), ("span", self.span), ("xpath", self.xpath)
        record: dict[str, object] = {"kind": self.kind}
        record |= {name: value for name, value in values if value not in ("", None) and (name != "level" or value)}
        record |= {name: list(value) if isinstance(value, tuple) else value for name, value in places if value}
        if self.parts:
            record["parts"] = [part.record() for part in self.parts]
        return record

    def walk(self) -> Iterator[Part]:
        """Yield this part and all parts in it, in document order."""
        waiting = [self]
        while waiting:
            part = waiting.pop()
            yield part
            waiting += reversed(part.parts)


@dataclass
class _OpenPart:
    """A part that is being read."""

    part: Part
    node: int = -1
    first: int = -1
    """The first text node in it, -1 if there is none; likewise the last."""
    last: int = -1
    parts: list[Part] = field(default_factory=list)
    is_container: bool = False
    """Whether it is an element of the page, which ends where that ends."""
    post: int = -1
    """The post that it is, -1 for none."""

    def add(self, part: Part, first: int, last: int) -> None:
        """Add a part, which has text from one node to another."""
        self.parts.append(part)
        self.reach(first, last)

    def reach(self, first: int, last: int) -> None:
        """Take in text from one node to another; -1 for none."""
        if first >= 0:
            self.first, self.last = first if self.first < 0 else self.first, max(self.last, last)


def read_outline(labels: Labels) -> Part:
    """Return the kept text of a page as a tree; its root is the "document"."""
    return _OutlineReader(labels).read()


class _OutlineReader:
    """Reads the tokens of a page, and keeps the parts that are open."""

    def __init__(self, labels: Labels) -> None:
        self._blocks, self._labels = labels.blocks, labels
        self._firsts: list[int] = labels.blocks.first.tolist()
        is_finite = np.isfinite(labels.probability)
        words = np.where(is_finite, np.maximum(labels.blocks.words, 1), 0)
        likely = words * np.where(is_finite, labels.probability, 0.0)
        # sums before each block: a mean of numpy for each part would take most of the time
        self._words, self._likely = (np.append(0, each.cumsum()).tolist() for each in (words, likely))
        self._posts = find_posts(labels.blocks)
        self._shown = set(shown_posts(labels)) if len(self._posts) else set()
        self._open = [_OpenPart(Part("document"), is_container=True)]

    def read(self) -> Part:
        tokens = read_tokens(self._labels)
        nodes = {node for token in tokens for node in _nodes(token)}
        nodes |= {self._posts.posts[post].node for post in self._shown}
        self._paths = xpaths(self._blocks.page, sorted(nodes))
        posts = self._posts_of(tokens)
        for token, post in zip(tokens, posts, strict=True):
            if token.edge is Edge.CLOSE:
                self._close_to_container()
                self._close()
                continue
            self._enter_post(post)
            if token.edge is Edge.OPEN:
                self._open.append(_OpenPart(Part(token.kind.value, token.text), token.node, is_container=True))
            else:
                self._leaf(token)
        while len(self._open) > 1:
            self._close()
        return self._finished(self._open[0])

    def _posts_of(self, tokens: Sequence[Token]) -> list[int]:
        """Return the post of the first leaf at or in each token, -1 for none."""
        posts, post = [-1] * len(tokens), -1
        for at in range(len(tokens) - 1, -1, -1):
            if tokens[at].edge is Edge.LEAF and (first := _first(tokens[at])) >= 0:
                found = int(self._posts.post_of[self._block(first)]) if self._shown else -1
                post = found if found in self._shown else -1
            posts[at] = post
        return posts

    def _block(self, node: int) -> int:
        return bisect_right(self._firsts, node) - 1

    def _enter_post(self, post: int) -> None:
        """End the post that is open, and start another one, unless both are the same or what is open is in it."""
        around = next((each.post for each in reversed(self._open) if each.post >= 0), -1)
        if post == around:
            return
        inner = next((at for at in range(len(self._open) - 1, -1, -1) if self._open[at].is_container), 0)
        if any(each.post >= 0 for each in self._open[inner + 1 :]):
            self._close_to_container()
        if post >= 0:
            found = self._posts.posts[post]
            part = Part("post", found.author or "", found.depth, found.date)
            self._open.append(_OpenPart(part, found.node, post=post))

    def _leaf(self, token: Token) -> None:
        if token.kind is TokenKind.HEADING:
            while self._open[-1].part.kind == "section" and self._open[-1].part.level >= token.level:
                self._close()
            self._open.append(_OpenPart(Part("section", _text(token.runs), token.level), token.node))
            self._open[-1].reach(token.first, token.last)
        elif token.kind is TokenKind.TABLE:
            self._open.append(_OpenPart(Part("table"), token.node))
            for row in token.rows:
                self._row(row)
            self._close()
        else:
            self._add(_leaf_part(token), token)

    def _row(self, row: TableRow) -> None:
        self._open.append(_OpenPart(Part("row"), row.node))
        for cell in row.cells:
            self._add(Part("cell", _text(cell.runs)), cell)
        self._close()

    def _add(self, part: Part, leaf: Token | TableCell) -> None:
        done = self._finished(_OpenPart(part, leaf.node, leaf.first, leaf.last))
        self._open[-1].add(done, leaf.first, leaf.last)

    def _close_to_container(self) -> None:
        while not self._open[-1].is_container:
            self._close()

    def _close(self) -> None:
        done = self._open.pop()
        self._open[-1].add(self._finished(done), done.first, done.last)

    def _finished(self, done: _OpenPart) -> Part:
        """Return a part with its place on the page."""
        path = self._paths.get(done.node)
        if done.first < 0:
            return replace(done.part, parts=tuple(done.parts), xpath=path)
        blocks = self._block(done.first), self._block(done.last) + 1
        spans = self._blocks.span(blocks[0]), self._blocks.span(blocks[1] - 1)
        words, likely = (sums[blocks[1]] - sums[blocks[0]] for sums in (self._words, self._likely))
        probability = round(likely / words, 4) if words else None
        span = spans[0][0], spans[1][1]
        return replace(
            done.part, parts=tuple(done.parts), blocks=blocks, span=span, probability=probability, xpath=path
        )


def _nodes(token: Token) -> Iterator[int]:
    yield token.node
    for row in token.rows:
        yield row.node
        yield from (cell.node for cell in row.cells)


def _first(token: Token) -> int:
    """Return the first text node of a leaf, -1 if it has none."""
    firsts = [cell.first for row in token.rows for cell in row.cells if cell.first >= 0]
    return firsts[0] if firsts else token.first


def _leaf_part(token: Token) -> Part:
    if token.kind is TokenKind.CODE:
        return Part("code", token.text)
    if token.kind is TokenKind.PARAGRAPH and token.runs and all(run.kind is RunKind.IMAGE for run in token.runs):
        return Part("image", " ".join(run.text for run in token.runs if run.text))
    return Part(token.kind.value, _text(token.runs))


def _text(runs: Sequence[Run]) -> str:
    """Return the text of runs, as it is in `Document.text`: without images, which only have an alternative text."""
    text = "".join(map(_run_text, runs))
    if all(run.kind is not RunKind.IMAGE for run in runs):
        return text
    return "\n".join(" ".join(line.split()) for line in text.split("\n")).strip("\n")


def _run_text(run: Run) -> str:
    if run.kind is RunKind.BREAK:
        return "\n"
    if run.kind is RunKind.FORMULA:
        return f"$${run.text}$$" if run.display else f"${run.text}$"
    if run.kind is RunKind.REFERENCE:
        return f"[{run.text}]"
    return "" if run.kind is RunKind.IMAGE else run.text
