"""Index pages with a Haystack pipeline, one document per chunk, and search them.

    python examples/haystack_search.py FOLDER QUERY

Install: pip install 'dehusk[haystack]'
"""

import sys

from haystack import Pipeline
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.components.writers import DocumentWriter
from haystack.document_stores.in_memory import InMemoryDocumentStore

from dehusk.integrations.haystack import DehuskConverter


def main(folder: str, query: str) -> None:
    """Print where the best chunk is."""
    store = InMemoryDocumentStore()
    pipeline = Pipeline()
    pipeline.add_component("converter", DehuskConverter(max_words=150))
    pipeline.add_component("writer", DocumentWriter(store))
    pipeline.connect("converter", "writer")
    pipeline.run({"converter": {"sources": [folder]}})
    best = InMemoryBM25Retriever(store, top_k=1).run(query)["documents"][0]
    print(best.meta["title"], best.meta["headings"], best.meta["xpath"], sep="\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python haystack_search.py FOLDER QUERY")
    main(*sys.argv[1:])
