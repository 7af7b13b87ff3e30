"""Load pages as LangChain documents, one per chunk, and find the one that has most words of a query.

    python examples/langchain_chunks.py FOLDER QUERY

A vector store takes the place of the search in earnest: `store.add_documents(documents)`.
Install: pip install 'dehusk[langchain]'
"""

import sys

from dehusk.integrations.langchain import DehuskLoader


def main(folder: str, query: str) -> None:
    """Print where the best chunk is, and report pages without text."""
    documents = DehuskLoader(folder, max_words=150).load()
    for document in documents:
        if not document.page_content:
            print(f"{document.metadata['source']}: {document.metadata['status']}", file=sys.stderr)
    wanted = set(query.lower().split())
    best = max(documents, key=lambda document: len(wanted & set(document.page_content.lower().split())))
    print(best.metadata["title"], best.metadata["headings"], best.metadata["xpath"], sep="\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python langchain_chunks.py FOLDER QUERY")
    main(*sys.argv[1:])
