"""Read pages as LlamaIndex documents, one per chunk, and print what an embedding model would see of them.

    python examples/llama_index_nodes.py FOLDER

An index takes them as they are: `VectorStoreIndex(documents)`.
Install: pip install 'dehusk[llamaindex]'
"""

import sys

from llama_index.core.schema import MetadataMode

from dehusk.integrations.llama_index import DehuskReader


def main(folder: str) -> None:
    """Print each chunk with its title and headings, and report pages without text."""
    for document in DehuskReader(max_words=150, overlap=20).lazy_load_data(folder):
        if document.text:
            print(document.get_content(MetadataMode.EMBED), end="\n\n")
        else:
            print(f"{document.metadata['source']}: {document.metadata['status']}", file=sys.stderr)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python llama_index_nodes.py FOLDER")
    main(sys.argv[1])
