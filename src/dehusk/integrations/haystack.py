"""A Haystack converter from pages to documents.

    pipeline.add_component("converter", DehuskConverter(max_words=200))

Needs the extra "haystack".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from dehusk.base.extras import missing
from dehusk.cleaning import CommonOptions
from dehusk.integrations.retrieval import ContentForm, PageTexts, RetrievedText

try:
    from haystack import Document, component, default_from_dict, default_to_dict
    from haystack.components.converters.utils import normalize_metadata
    from haystack.dataclasses import ByteStream
    from haystack.utils import deserialize_callable, serialize_callable
except ImportError as error:
    raise missing("haystack", extra="haystack", purpose="dehusk.integrations.haystack") from error


@component
class DehuskConverter:
    """Converts pages to documents: one per chunk, or per page with `whole=True`.

    A page without text is a document with empty content; `status` and `message` in its metadata say why.

    Args:
        max_words: as for `dehusk.Document.chunks`, as are the next three.
        max_tokens: see there.
        overlap: see there.
        tokenizer: see there; a pipeline that is saved needs one with a name that can be imported.
        whole: whether each page is one document, rather than chunks.
        form: "markdown" or "text".
        clean_options: keyword arguments of `dehusk.clean`.

    Raises:
        ConfigError: an argument is invalid.
    """

    def __init__(  # noqa: PLR0913 (Haystack saves the arguments by their names)
        self,
        *,
        max_words: int | None = None,
        max_tokens: int | None = None,
        overlap: int = 0,
        tokenizer: Callable[[str], int] | None = None,
        whole: bool = False,
        form: ContentForm = "markdown",
        clean_options: CommonOptions | None = None,
    ) -> None:
        self.texts = PageTexts(max_words, max_tokens, overlap, tokenizer, whole, form, clean_options)

    @component.output_types(documents=list[Document])  # type: ignore[untyped-decorator]
    def run(
        self,
        sources: str | Path | ByteStream | list[str | Path | ByteStream],
        meta: dict[str, Any] | list[dict[str, Any]] | None = None,
    ) -> dict[str, list[Document]]:
        """Return the documents of all pages, in order.

        Args:
            sources: files, folders, globs, web addresses and streams, or one of these; `url` in the `meta` of a stream
                resolves links.
            meta: metadata to add to the documents: of all sources, or one dictionary for each.

        Raises:
            InputError: a folder without pages, or a glob without matches.
            TypeError: a source is something else, such as the bytes of a page, which belong into a stream.
            ValueError: `meta` is a list of another length than `sources`.
        """
        if isinstance(sources, str | bytes | Path | ByteStream):
            sources = [sources]
        added = normalize_metadata(meta, len(sources))
        documents = [
            Document(id=text.id, content=text.text, meta={**_meta(source), **own, **text.metadata})
            for source, own in zip(sources, added, strict=True)
            for text in self._texts(source, own)
        ]
        return {"documents": documents}

    def _texts(self, source: str | Path | ByteStream, meta: dict[str, Any]) -> Iterator[RetrievedText]:
        if not isinstance(source, ByteStream):
            return self.texts.of_sources(source)
        merged = {**source.meta, **meta}
        return self.texts.of_page(
            source.data, url=merged.get("url"), content_type=source.mime_type, source=merged.get("file_path")
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the component as plain values, for a saved pipeline."""
        values = {name: getattr(self.texts, name) for name in PageTexts.__dataclass_fields__}
        if values["tokenizer"] is not None:
            values["tokenizer"] = serialize_callable(values["tokenizer"])
        saved: dict[str, Any] = default_to_dict(self, **values)
        return saved

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> DehuskConverter:
        """Return the component of a saved pipeline."""
        values = data["init_parameters"]
        if values.get("tokenizer"):
            values["tokenizer"] = deserialize_callable(values["tokenizer"])
        loaded: DehuskConverter = default_from_dict(cls, data)
        return loaded


def _meta(source: str | Path | ByteStream) -> dict[str, Any]:
    return source.meta if isinstance(source, ByteStream) else {}
