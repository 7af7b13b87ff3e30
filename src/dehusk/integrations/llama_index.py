"""A LlamaIndex reader of pages, and a node parser for documents that contain HTML.

    documents = DehuskReader(whole=True).load_data("saved/")
    nodes = DehuskNodeParser(max_words=200).get_nodes_from_documents(html_documents)

Needs the extra "llamaindex".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Self, Unpack

from dehusk.base.extras import missing
from dehusk.integrations.retrieval import CONTENT_KEYS, ContentForm, PageTexts, RetrievalOptions, RetrievedText

try:
    from llama_index.core.bridge.pydantic import Field, model_validator
    from llama_index.core.node_parser import NodeParser
    from llama_index.core.readers.base import BaseReader
    from llama_index.core.schema import BaseNode, Document, NodeRelationship, TextNode
except ImportError as error:
    raise missing("llama_index", extra="llamaindex", purpose="dehusk.integrations.llama_index") from error


class DehuskReader(BaseReader):  # type: ignore[misc] # (types are not read)
    """Reads pages as documents: one per chunk, or per page with `whole=True`.

    A page without text is a document with empty text; `status` and `message` in its metadata say why. Embeddings and
    language models see the metadata that mean something to them, such as title and headings.

    Args:
        **options: `max_words`, `max_tokens`, `overlap` and `tokenizer` of `dehusk.Document.chunks`; `whole`; `form`:
            "markdown" or "text"; `clean_options`: keyword arguments of `dehusk.clean`.

    Raises:
        ConfigError: an option is invalid.
    """

    def __init__(self, **options: Unpack[RetrievalOptions]) -> None:
        self.texts = PageTexts.of_options(options)

    def lazy_load_data(self, sources: str | Path | Sequence[str | Path]) -> Iterable[Document]:
        """Yield the documents of files, folders, globs and web addresses, in their order.

        Raises:
            InputError: a folder without pages, or a glob without matches.
        """
        for text in self.texts.of_sources(sources):
            yield Document(**_fields(text))


class DehuskNodeParser(NodeParser):  # type: ignore[misc] # (types are not read)
    """Turns documents whose text is HTML into nodes, one per chunk, with the metadata of page and chunk.

    `url` in a document's metadata resolves links. The fields are the arguments of `DehuskReader`.

    Raises:
        ConfigError: an option is invalid.
    """

    max_words: int | None = None
    max_tokens: int | None = None
    overlap: int = 0
    tokenizer: Callable[[str], int] | None = Field(default=None, exclude=True)
    whole: bool = False
    form: ContentForm = "markdown"
    clean_options: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")  # type: ignore[untyped-decorator]
    def _check(self) -> Self:
        self._texts()
        return self

    def _texts(self) -> PageTexts:
        return PageTexts(
            self.max_words,
            self.max_tokens,
            self.overlap,
            self.tokenizer,
            self.whole,
            self.form,
            self.clean_options,  # type: ignore[arg-type]
        )

    def _parse_nodes(self, nodes: Sequence[BaseNode], show_progress: bool = False, **_: Any) -> list[BaseNode]:  # noqa: ARG002 (its signature)
        texts = self._texts()
        return [each for node in nodes for each in _nodes(node, texts)]


def _nodes(node: BaseNode, texts: PageTexts) -> Iterator[TextNode]:
    relationships = {NodeRelationship.SOURCE: node.as_related_node_info()}
    html, source = node.get_content(), node.metadata.get("source") or node.metadata.get("file_path")
    for text in texts.of_page(html, url=node.metadata.get("url"), source=source):
        made = TextNode(relationships=relationships, **_fields(text))
        inherited = _hidden(node.metadata)  # the node gets these metadata too
        made.excluded_embed_metadata_keys += [*inherited, *node.excluded_embed_metadata_keys]
        made.excluded_llm_metadata_keys += [*inherited, *node.excluded_llm_metadata_keys]
        yield made


def _fields(text: RetrievedText) -> dict[str, Any]:
    return {
        "id_": text.id,
        "text": text.text,
        "metadata": text.metadata,
        "excluded_embed_metadata_keys": _hidden(text.metadata),
        "excluded_llm_metadata_keys": _hidden(text.metadata),
    }


def _hidden(metadata: Iterable[str]) -> list[str]:
    return [name for name in metadata if name not in CONTENT_KEYS]
