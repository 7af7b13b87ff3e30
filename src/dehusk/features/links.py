"""`link.*`, `block.*` and `title.*`: size, links and the page's title; not in the thesis, for the modern web."""

from collections import Counter

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.caching import cached_per_object
from dehusk.features.settings import Columns, FeatureSettings
from dehusk.tags import HEADINGS, numbers

DOC = {
    "link.density": "Share of the block's words that stand in links.",
    "link.page-density": "Share of the page's words that stand in links.",
    "block.words": "Words in the block.",
    "block.noscript": "1 in a noscript element.",
    "block.hidden": "1 in an element that its own attributes hide: hidden, aria-hidden, display:none.",
    "block.copies": "Blocks of the page with the same text.",
    "block.since-heading": "Blocks since the last heading (h1 to h6); 1,000 before the first.",
    "title.match": "2 where the block is the page's title or a part of it, 1 where it holds the title, else 0.",
    "title.seen": "1 after the first block that matches the title.",
}

_MOST_TITLE = 500  # characters: each block is looked for in the title, which must not take the time of a page
_LEAST_TITLE = 8  # characters: shorter texts stand in many a title by chance


def links(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return sizes, link densities and the distance from the last heading, shape (b,) each."""
    words, linked = blocks.words, blocks.link_words
    page_density = int(linked.sum()) / max(int(words.sum()), 1)
    return {
        "link.density": linked / np.maximum(words, 1),
        "link.page-density": np.full(len(blocks), page_density),
        "block.words": words,
        "block.noscript": blocks.in_noscript,
        "block.hidden": _hidden(blocks),
        "block.copies": _copies(blocks),
        "block.since-heading": _since_heading(blocks),
    }


def _hidden(blocks: Blocks) -> npt.NDArray[np.bool_]:
    mask: npt.NDArray[np.bool_] = blocks.page.within(blocks.page.hidden_nodes)[blocks.node] > 0
    return mask


def _copies(blocks: Blocks) -> npt.NDArray[np.int64]:
    counts = Counter(blocks.texts)
    return np.fromiter(map(counts.__getitem__, blocks.texts), np.int64, len(blocks))


def _since_heading(blocks: Blocks) -> npt.NDArray[np.int64]:
    page, index = blocks.page, np.arange(len(blocks))
    heading = page.within(page.nodes_of(numbers(HEADINGS)))[blocks.node] > 0
    last = np.maximum.accumulate(np.where(heading, index, -1)) if len(index) else index
    return np.where(last < 0, 1000, index - last)


def title(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return how each block matches the page's title, shape (b,)."""
    match = title_match(blocks)
    return {"title.match": match, "title.seen": np.cumsum(match == 2) > 0}


@cached_per_object
def title_match(blocks: Blocks) -> npt.NDArray[np.int32]:
    """Return `title.match` of each block, shape (b,)."""
    match = np.zeros(len(blocks), dtype=np.int32)
    wanted = " ".join(blocks.page.meta.title[:_MOST_TITLE].lower().split())
    if len(wanted) >= _LEAST_TITLE:
        short = np.flatnonzero((blocks.chars >= _LEAST_TITLE) & (blocks.chars <= 2 * len(wanted)))
        texts = blocks.texts
        for block in short.tolist():
            text = texts[block].lower()
            match[block] = 2 if text in wanted else int(wanted in text)
    return match
