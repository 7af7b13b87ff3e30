"""A LangChain loader of pages, and a transformer of documents that contain HTML.

    documents = DehuskLoader("saved/", max_words=200).load()
    chunks = DehuskTransformer().transform_documents(AsyncHtmlLoader(urls).load())

Needs the extra "langchain".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Unpack

from dehusk.base.extras import missing
from dehusk.integrations.retrieval import PageTexts, RetrievalOptions, RetrievedText
from dehusk.read.files import is_web_address

try:
    from langchain_core.document_loaders import BaseLoader
    from langchain_core.documents import BaseDocumentTransformer, Document
except ImportError as error:
    raise missing("langchain_core", extra="langchain", purpose="dehusk.integrations.langchain") from error


class DehuskLoader(BaseLoader):  # type: ignore[misc] # (types are not read)
    """Loads pages as documents: one per chunk, or per page with `whole=True`.

    A page without text is a document with empty content; `status` and `message` in its metadata say why.

    Args:
        sources: files, folders, globs and web addresses, as for `dehusk clean`.
        **options: `max_words`, `max_tokens`, `overlap` and `tokenizer` of `dehusk.Document.chunks`; `whole`; `form`:
            "markdown" or "text"; `clean_options`: keyword arguments of `dehusk.clean`.

    Raises:
        ConfigError: an option is invalid.
    """

    def __init__(self, sources: str | Path | Sequence[str | Path], **options: Unpack[RetrievalOptions]) -> None:
        self.sources = sources
        self.texts = PageTexts.of_options(options)

    def lazy_load(self) -> Iterator[Document]:
        """Yield the documents in the order of the sources.

        Raises:
            InputError: a folder without pages, or a glob without matches.
        """
        for text in self.texts.of_sources(self.sources):
            yield _document(text, {})


class DehuskTransformer(BaseDocumentTransformer):  # type: ignore[misc] # (types are not read)
    """Turns documents whose content is HTML into documents of clean text, one per chunk or page.

    Their metadata are those of the page and the chunk added to those of the document; `url`, or a web address in
    `source`, resolves links.

    Args:
        **options: as for `DehuskLoader`.

    Raises:
        ConfigError: an option is invalid.
    """

    def __init__(self, **options: Unpack[RetrievalOptions]) -> None:
        self.texts = PageTexts.of_options(options)

    def transform_documents(self, documents: Sequence[Document], **_: Any) -> Sequence[Document]:
        """Return the documents of all pages, in order."""
        return [each for document in documents for each in self._of(document)]

    def _of(self, document: Document) -> Iterator[Document]:
        metadata = document.metadata
        source = metadata.get("source")
        url = metadata.get("url") or (source if isinstance(source, str) and is_web_address(source) else None)
        for text in self.texts.of_page(document.page_content, url=url, source=source):
            yield _document(text, metadata)


def _document(text: RetrievedText, metadata: dict[str, Any]) -> Document:
    return Document(id=text.id, page_content=text.text, metadata={**metadata, **text.metadata})
