"""What the adapters for LangChain, LlamaIndex and Haystack share: cleaned pages as texts with flat metadata."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self, TypedDict

from dehusk.base.errors import ConfigError, FetchError, require_type, unknown
from dehusk.cleaning import CommonOptions, clean, failed
from dehusk.document import Document
from dehusk.many.web import clean_url
from dehusk.read.files import PageLocation, find_pages
from dehusk.write.chunks import Chunk, ChunkSize

Plain = str | int | float | bool
ContentForm = Literal["markdown", "text"]
_FORMS = ("markdown", "text")

CONTENT_KEYS = frozenset({"title", "author", "date", "site_name", "headings", "url"})
"""The metadata that mean something to a language model; the others say where a text comes from."""


class RetrievalOptions(TypedDict, total=False):
    """The keyword arguments that all adapters have; see `PageTexts`."""

    max_words: int | None
    max_tokens: int | None
    overlap: int
    tokenizer: Callable[[str], int] | None
    whole: bool
    form: ContentForm
    clean_options: CommonOptions | None


@dataclass(frozen=True)
class RetrievedText:
    """A chunk, or a page."""

    id: str
    text: str
    """"" for a page without text; `status` in the metadata says why."""
    metadata: dict[str, Plain]


@dataclass(frozen=True)
class PageTexts:
    """Turns pages into texts for retrieval.

    Raises:
        ConfigError: as `Document.chunks`, `dehusk.clean`, or an unknown form.
    """

    max_words: int | None = None
    """As for `Document.chunks`, as are the next three."""
    max_tokens: int | None = None
    overlap: int = 0
    tokenizer: Callable[[str], int] | None = None
    whole: bool = False
    """Whether each page is one text, rather than chunks."""
    form: ContentForm = "markdown"
    clean_options: CommonOptions | None = None
    """Keyword arguments of `dehusk.clean`, such as `{"style": "article"}`."""

    @classmethod
    def of_options(cls, options: RetrievalOptions) -> Self:
        """Return the object with the keyword arguments of an adapter."""
        if unexpected := [name for name in options if name not in RetrievalOptions.__annotations__]:
            raise ConfigError(unknown("option", unexpected[0], RetrievalOptions.__annotations__))
        return cls(**options)

    def __post_init__(self) -> None:
        limits = {"max_words": None, "max_tokens": None, "overlap": 0, "tokenizer": None}
        if self.whole and (given := [name for name, none in limits.items() if getattr(self, name) != none]):
            raise ConfigError(f"{given[0]} is of chunks, and a whole page is none: leave it out, or whole=True")
        if self.form not in _FORMS:
            raise ConfigError(unknown("form", self.form, _FORMS))
        if unexpected := [name for name in self.options if name not in CommonOptions.__annotations__]:
            raise ConfigError(unknown("option of clean", unexpected[0], CommonOptions.__annotations__))
        _ = self.size
        clean("", **self.options)  # which tells what is wrong with them

    @property
    def options(self) -> CommonOptions:
        """The keyword arguments for `dehusk.clean`."""
        return self.clean_options or {}

    @property
    def size(self) -> ChunkSize:
        """How long chunks may be."""
        return ChunkSize(self.max_words, self.max_tokens, self.overlap, self.tokenizer)

    def of_sources(self, sources: str | Path | Sequence[str | Path]) -> Iterator[RetrievedText]:
        """Yield the texts of files, folders, globs and web addresses, in their order.

        Raises:
            InputError: a folder without pages, or a glob without matches.
            TypeError: a source is neither a str nor a `Path`.
        """
        named = [sources] if isinstance(sources, str | bytes | Path) else sources
        for source in named:
            require_type(source, str | Path, "a source must be the name of a file, folder or page, or a Path")
        for location in find_pages([str(source) for source in named], remote=True).sources:
            yield from self.of(self._document(location), source=location.name)

    def of_page(
        self, data: str | bytes, *, url: str | None = None, content_type: str | None = None, source: object = None
    ) -> Iterator[RetrievedText]:
        """Yield the texts of one page.

        Args:
            data: the page.
            url: its address.
            content_type: the header of its response.
            source: where it was read from: a name, a path, a number.
        """
        headers = {"Content-Type": content_type} if content_type else None
        yield from self.of(clean(data, url=url, headers=headers, **self.options), source=source)

    def of(self, document: Document, *, source: object = None) -> Iterator[RetrievedText]:
        """Yield the texts of a cleaned page; of a page without text, one that is empty."""
        name, url = "" if source is None else str(source), document.page.url or ""
        facts = _page_facts(document, name)
        size = self.size
        chunks = (
            []
            if self.whole
            else document.chunks(
                max_words=size.max_words, max_tokens=size.max_tokens, overlap=size.overlap, tokenizer=size.tokenizer
            )
        )
        for chunk in chunks:
            text = chunk.markdown if self.form == "markdown" else chunk.text
            identity = _hash(name, chunk.id) if name and not url else chunk.id  # equal files are several pages
            yield RetrievedText(identity, text, {**facts, **_chunk_facts(chunk)})
        if not chunks:
            facts["confidence"] = round(document.confidence, 4)
            identity = _hash(url, name, document.page.elements.text)
            has_text = bool(document.labels.kept.any())
            yield RetrievedText(identity, document.render(self.form) if has_text else "", facts)

    def _document(self, location: PageLocation) -> Document:
        try:
            if location.is_remote:
                return clean_url(location.name, **self.options)
        except FetchError as error:
            return failed(str(error).removeprefix(f"{location.name}: "), url=location.name)
        return clean(Path(location.name), url=location.url, **self.options)


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:32]


def _page_facts(document: Document, source: str) -> dict[str, Plain]:
    """Return what is known about a page: only strings, numbers and booleans, because many stores take nothing else."""
    facts = document.metadata
    language = facts.text_language.code if facts.text_language else facts.language
    values: Mapping[str, str | None] = {
        "source": source or facts.url,
        "url": facts.url,
        "status": str(document.status),
        "message": document.message or None,
        "title": facts.title,
        "author": facts.author,
        "date": facts.date,
        "site_name": facts.site_name,
        "language": language,
    }
    return {name: value for name, value in values.items() if value is not None}


def _chunk_facts(chunk: Chunk) -> dict[str, Plain]:
    values: Mapping[str, Plain | None] = {
        "chunk": chunk.index,
        "headings": " > ".join(chunk.headings),
        "labels": ", ".join(chunk.labels),
        "probability": chunk.probability,
        "words": chunk.words,
        "start": chunk.span_text[0],
        "end": chunk.span_text[1],
        "page_start": chunk.span_page[0],
        "page_end": chunk.span_page[1],
        "xpath": chunk.xpath,
    }
    return {name: value for name, value in values.items() if value is not None}
