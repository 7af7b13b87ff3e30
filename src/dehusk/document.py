"""The result of cleaning one page: its status, its blocks, and the kept text in every format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dehusk import write
from dehusk.base.caching import cached_property
from dehusk.base.lazy import IMPORTING
from dehusk.write.interface import CleanedPage
from dehusk.write.options import FrontMatterChoice, LinksChoice, PostsChoice, TitleChoice, WriteOptions

if TYPE_CHECKING:
    from dehusk.about.declared import DeclaredThing
    from dehusk.about.partial import PageWarning
    from dehusk.read.source import SourceSpans
    from dehusk.write.chunks import Chunk, Excerpt, Relevance
    from dehusk.write.outline import Part
    from dehusk.write.quotes import QuotePlace

_MAX_TITLE = 80  # characters in a repr


@dataclass(frozen=True)
class Block:
    """One block of a document, as plain values."""

    text: str
    """Of a kept block the text that is written; of a dropped block all of its text."""
    label: str
    """One of `dehusk.blocks.labels.KINDS`."""
    probability: float
    """Probability that the block is content, 0 to 1."""
    kept: bool
    reason: str | None
    """Why the block is kept or dropped; None unless the page was cleaned with `explain=True`."""
    xpath: str
    """XPath of the innermost element that contains the block; of the source `data`, of what holds it."""
    span: tuple[int, int]
    """(start, end) in characters of `page.text`."""
    hidden: str | None = None
    """Why readers of the page cannot see the text; None if they can."""
    source: str = "elements"
    """"elements", or "data" for text that the page holds only in its scripts, templates or attributes."""
    evidence: Mapping[str, object] | None = None
    """The evidence for the decision, as plain values; None unless the page was cleaned with `explain=True` by a method
    that gives evidence."""


@dataclass(frozen=True)
class Unit:
    """Blocks of a document that belong together, such as a list, a record or a section, as plain values."""

    kind: str
    """One of `dehusk.blocks.units.UNIT_KINDS`."""
    blocks: tuple[int, int]
    """(first, end) in `Document.blocks`; the end is one past the last block."""
    parent: int | None
    """Index in `Document.units` of the innermost unit around it; None if there is none."""
    members: int
    """Number of items, rows or records that are directly in it."""
    header: bool
    """Whether it is a row of header cells."""
    kept: float
    """Share of its words that are in kept blocks, 0 to 1."""
    probability: float | None
    """Mean probability of its blocks, weighted by words; None if a method gave a probability that is not finite."""
    xpath: str | None
    """XPath of its element; of records the element around them, of a record of several siblings the first. None for
    sections and runs of paragraphs."""
    span: tuple[int, int]
    """(start, end) in characters of `page.text`."""


@dataclass(frozen=True)
class Post:
    """A post, comment, answer or review on a page, as plain values; docs/posts.md says how they are found."""

    author: str | None
    """The author's name as the page shows it; None if the post shows none."""
    author_url: str | None
    """The address that the name links to; absolute if the page's address is known."""
    date: str | None
    """ISO 8601, to the day, minute or second, with an offset only if the page gives one; None unless the page gives
    day, month and year."""
    date_text: str | None
    """The date as the page shows it, or, if it shows none, the value of an attribute."""
    permalink: str | None
    """The address of the post; absolute if the page's address is known."""
    depth: int
    """0 for a post that is not a reply, 1 for a reply to it, and so on; 0 where the page does not show it."""
    kind: str | None
    """"post", "comment", "answer", "question" or "review" if the markup says so, else None."""
    text: str
    """The kept blocks of its text, without names, dates and buttons."""
    blocks: tuple[int, int]
    """(first, end) in `Document.blocks`; the end is one past the last block. Posts do not overlap: a post ends where a
    reply inside it starts."""
    body: tuple[int, ...]
    """The blocks of its text in `Document.blocks`, kept or dropped: all but names, dates, links and buttons."""
    kept: float
    """Share of the words of its text that are in kept blocks, 0 to 1."""
    probability: float | None
    """Mean probability of the blocks of its text, weighted by words; None if there are none, or if a method gave a
    probability that is not finite."""
    xpath: str
    """XPath of its element; of a post of several siblings the first."""
    span: tuple[int, int]
    """(start, end) in characters of `page.text`."""


@dataclass(frozen=True, eq=False, repr=False)
class Document(CleanedPage):
    """A cleaned page: its status, its metadata, its blocks, and the kept text in every format."""

    @cached_property
    def text(self) -> str:
        """The kept blocks as plain text."""
        return self.render("text")

    @cached_property
    def markdown(self) -> str:
        """The kept blocks as Markdown, after the page's title if they do not have it."""
        return self.render("markdown")

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
        with IMPORTING:
            from dehusk.write.json import block_records  # noqa: PLC0415 (text needs none of it)

        records = block_records(self.labels)
        return [Block(**{**record, "span": tuple(record["span"])}) for record in records]

    @cached_property
    def units(self) -> list[Unit]:
        """The page's lists, tables, records, sections and other units; a unit comes before the units inside it."""
        with IMPORTING:
            from dehusk.write.json import unit_records  # noqa: PLC0415 (text needs none of it)

        records = unit_records(self.labels)
        return [
            Unit(**{**record, "blocks": tuple(record["blocks"]), "span": tuple(record["span"])}) for record in records
        ]

    @cached_property
    def posts(self) -> list[Post]:
        """The posts, comments, answers and reviews of the page in its order, each with author, date and address.

        A post of which nothing is kept is left out, unless something is kept of most posts.
        """
        with IMPORTING:
            from dehusk.write.threads import post_records  # noqa: PLC0415 (text needs none of it)

        return list(map(_post, post_records(self.labels)))

    @cached_property
    def comments(self) -> list[Post]:
        """What readers write below an article, a recipe or a product, which the text leaves out, with all of its text.

        Comments that the text has, as those of a thread or with `clean(…, comments="keep")`, are in `posts`.
        """
        with IMPORTING:
            from dehusk.write.threads import comment_records  # noqa: PLC0415 (text needs none of it)

        return list(map(_post, comment_records(self.labels)))

    @cached_property
    def declared(self) -> list[DeclaredThing]:
        """What the page declares in the words of schema.org, such as a product's price, and the blocks that show it.

        docs/declared.md says when a value counts as shown.
        """
        with IMPORTING:
            from dehusk.about.declared import read_declared  # noqa: PLC0415 (text needs none of it)

        return read_declared(self.labels)

    @cached_property
    def outline(self) -> Part:
        """The kept text as a tree: sections, lists, tables, figures, posts, each with its blocks, span and XPath.

        docs/outline.md has the kinds of its parts.
        """
        with IMPORTING:
            from dehusk.write.outline import read_outline  # noqa: PLC0415 (text needs none of it)

        return read_outline(self.labels)

    @cached_property
    def warnings(self) -> list[PageWarning]:
        """What users of the kept text should know, such as a paywall, each with a name, a line and its blocks.

        docs/warnings.md has the names. A page of which nothing is kept has none: its `status` and `kind` say why.
        """
        with IMPORTING:
            from dehusk.about.verdict import warnings_of  # noqa: PLC0415 (text needs none of it)

        return warnings_of(self.labels, lambda: self.metadata)

    def chunks(
        self,
        *,
        max_words: int | None = None,
        max_tokens: int | None = None,
        overlap: int = 0,
        tokenizer: Callable[[str], int] | None = None,
    ) -> list[Chunk]:
        """Return the kept text in pieces for retrieval, along its headings and blocks; docs/chunks.md says how.

        Args:
            max_words: the most words in a chunk; 300 if neither limit is given.
            max_tokens: the most tokens in a chunk.
            overlap: how many words (or tokens) of the chunk before it a chunk may repeat, at most half the limit.
            tokenizer: returns the number of tokens of a text; by default, three bytes of UTF-8 count as a token.

        Returns:
            The chunks in the order of the text; none if nothing is kept. Without an overlap, they have all of `text`
            once, except for the white space between them. Only a row of a table, a line of a listing or a single
            character may exceed the limit.

        Raises:
            ConfigError: both limits, an invalid limit or overlap, or a tokenizer without `max_tokens`.
        """
        with IMPORTING:
            from dehusk.write.chunks import ChunkSize, make_chunks  # noqa: PLC0415 (text needs none of it)

        return make_chunks(self, ChunkSize(max_words, max_tokens, overlap, tokenizer))

    def within(
        self,
        *,
        max_words: int | None = None,
        max_tokens: int | None = None,
        query: str | None = None,
        relevance: Relevance | None = None,
        tokenizer: Callable[[str], int] | None = None,
    ) -> Excerpt:
        """Return the passages that answer a query best, or the start of the text, within a limit.

        Args:
            max_words: the most words; 300 if neither limit is given.
            max_tokens: the most tokens.
            query: what the passages should answer, in the language of the page.
            relevance: a function from the query and texts to a number for each text, 0 for no relevance; by default
                BM25, which needs the extra "query".
            tokenizer: as in `chunks`.

        Raises:
            ConfigError: both limits, an invalid one, a tokenizer without `max_tokens`, or `relevance` without a query.
            MissingExtraError: the extra "query" is not installed, and there is no `relevance`.
        """
        with IMPORTING:
            from dehusk.write.chunks import ChunkSize, make_excerpt  # noqa: PLC0415 (text needs none of it)

        return make_excerpt(self, ChunkSize(max_words, max_tokens, 0, tokenizer), query, relevance)

    @cached_property
    def overlay(self) -> str:
        """The page as one HTML file with every block marked; with reasons if it was cleaned with `explain=True`."""
        return self._overlay(brief=False)

    def _overlay(self, *, brief: bool) -> str:
        facts = {"status": f"{self.status} {self.message}".strip(), "confidence": f"{self.confidence:.2f}"}
        return write.to_overlay(self.labels, facts=facts, notes=self.notes, brief=brief)

    def locate(self, quote: str, *, least: float = 0.7) -> list[QuotePlace]:
        """Return the places of a quotation on the page, the best first; none if it stands nowhere.

        Args:
            quote: what a reader or a model quoted of the page, or of its text, Markdown or chunks. Spaces, quotation
                marks, case and markup do not matter, and some words may be missing or different.
            least: share of its letters and digits that a place must have, 0 to 1.
        """
        with IMPORTING:
            from dehusk.write.quotes import find_quote  # noqa: PLC0415 (text needs none of it)

        places = find_quote(self.labels, quote, least=least)
        return [replace(place, source=self.source_span(place.span)) for place in places]

    def source_span(self, span: tuple[int, int]) -> tuple[int, int] | None:
        """Return where a part of the page's text stands in the page as it was given.

        Args:
            span: (start, end) in characters of `page.text`, such as the span of a block, a unit, a post or a quotation.

        Returns:
            (start, end) in bytes of `page.data`: from the first to the last character, with the markup in between. None
            if it is not known, as for text of scripts and of feeds.

        Raises:
            ValueError: the span is not one of the text.
        """
        return self._source.of_text(*span)

    def text_span(self, source: tuple[int, int]) -> tuple[int, int] | None:
        """Return which part of the page's text a part of the page as it was given holds.

        Args:
            source: (start, end) in bytes of `page.data`.

        Returns:
            (start, end) in characters of `page.text`; None if there is none of it.

        Raises:
            ValueError: the span is not one of the bytes.
        """
        return self._source.of_source(*source)

    @cached_property
    def _source(self) -> SourceSpans:
        with IMPORTING:
            from dehusk.read.source import source_spans  # noqa: PLC0415 (text needs none of it)

        return source_spans(self.page)

    def record(self, *, evidence: bool = False) -> dict[str, object]:
        """Return the document as plain values, ready for JSON: facts about the page, and every block.

        Args:
            evidence: whether to include the warnings, the outline, the units, the posts, and each block's evidence if
                the page was cleaned with `explain=True`.
        """
        with IMPORTING:
            from dehusk.write.json import document_record  # noqa: PLC0415 (text needs none of it)

        return document_record(self, evidence=evidence)

    def facts(self) -> dict[str, object]:
        """Return `record` without the blocks."""
        with IMPORTING:
            from dehusk.write.json import page_record  # noqa: PLC0415 (text needs none of it)

        return page_record(self)

    def render(  # noqa: PLR0913 (what a caller can choose is named here, with its type)
        self,
        format_name: str,
        *,
        title: TitleChoice | None = None,
        links: LinksChoice | None = None,
        images: bool = True,
        tracking: bool = True,
        posts: PostsChoice | None = None,
        front_matter: FrontMatterChoice = "none",
    ) -> str:
        """Return the document in one of the formats of `dehusk.write.WRITERS`.

        Args:
            format_name: name of the format.
            title: "always", "never" or "auto" (if the kept text does not have it); by default "auto" in Markdown and
                "never" in text.
            links: "keep" their addresses, "drop" them, or put them into "footnotes"; by default "keep" in Markdown and
                "drop" in prompts.
            images: whether to write images.
            tracking: whether addresses keep parameters that only track who follows a link.
            posts: how to show who wrote each post of a thread: "lines", "headings", "quotes", or not ("plain"); "auto"
                is "lines" for threads whose markup names the authors; by default "auto", and "plain" in text unless
                it has readers' comments.
            front_matter: "yaml" for metadata before the text, or "none".

        Raises:
            ConfigError: unknown format or choice, or the format does not have the choice.
        """
        options = WriteOptions(title, links, images, tracking, posts, front_matter)
        return write.find_writer(format_name).render(self, options)

    def _repr_html_(self) -> str:
        """Return the overlay, of long pages the beginning, in a sandboxed frame; notebooks show it for the document."""
        with IMPORTING:
            from dehusk.base.framed import to_frame  # noqa: PLC0415 (text needs none of it)

        return to_frame(self._overlay(brief=True))

    def __repr__(self) -> str:
        """Return one line: status, title, how many of the blocks and words are kept, confidence."""
        title = self.title if len(self.title) <= _MAX_TITLE else f"{self.title[: _MAX_TITLE - 1]}…"
        kept, words = self.labels.kept, self.labels.blocks.words
        return (
            f"<Document {self.status}, {title!r}, {int(kept.sum())} of {len(kept)} blocks and "
            f"{int(words[kept].sum())} of {int(words.sum())} words kept, confidence {self.confidence:.2f}>"
        )


def _post(record: dict[str, Any]) -> Post:
    return Post(**{**record, **{name: tuple(record[name]) for name in ("blocks", "body", "span")}})
