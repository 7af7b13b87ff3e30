"""Pieces of a page's kept text for retrieval: along headings and blocks, each with where it comes from.

`Document.chunks` calls `make_chunks`. A page's leaves become pieces (`pieces`), which are grouped along its headings
(`packing`), and each group becomes a `Chunk` (`chunking`). `Document.within` chooses some of them (`excerpt`).
"""

from dehusk.write.chunks.chunking import Chunk, make_chunks
from dehusk.write.chunks.excerpt import Excerpt, Relevance, make_excerpt
from dehusk.write.chunks.measuring import DEFAULT_WORDS, ChunkSize

__all__ = ["DEFAULT_WORDS", "Chunk", "ChunkSize", "Excerpt", "Relevance", "make_chunks", "make_excerpt"]
