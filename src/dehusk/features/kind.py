"""`page.*`: what kind of page it is, the same for each of its blocks; not in the thesis."""

import numpy as np

from dehusk.blocks import Blocks
from dehusk.features.settings import Columns, FeatureSettings
from dehusk.features.sums import sums
from dehusk.tags import HEADINGS, KNOWN, numbers

DOC = {
    "page.running": "Share of the page's words that are running text.",
    "page.running-blocks": "Blocks of running text.",
    "page.running-words": "Words a block of running text.",
    "page.classes": "Share of the elements that have a class.",
    "page.elements": "Elements a word.",
    "page.cells": "Share of the page's words in table cells.",
    "page.items": "Share of the page's words in list items.",
    "page.inner": "Share of the page's words in article or main elements.",
    "page.headings": "Headings of the page.",
    "page.forms": "Fields of forms of the page.",
    "page.articles": "Article elements of the page.",
    "page.article-type": "1 where the page calls itself an article (og:type).",
    "page.noscript": "Share of the page's words in noscript elements.",
}

_SHARES = {
    "page.cells": numbers("td th"),
    "page.items": numbers("li dt dd"),
    "page.inner": numbers("article main"),
    "page.noscript": numbers("noscript"),
}
_COUNTS = {
    "page.headings": numbers(HEADINGS),
    "page.forms": numbers("input textarea select button"),
    "page.articles": numbers("article"),
}
_ARTICLES = ("article", "blog", "news")


def kind(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return the figures of the page, shape (b,) each."""
    page, known = blocks.page, sums(blocks)
    total, running = max(int(known.words[0]), 1), known.running_words
    elements = max(len(page) - int(page.is_text.sum()), 1)
    long = int((running > 0).sum())
    said = next((content for name, content in page.meta.entries if name.lower() == "og:type"), "")
    figures = {
        "page.running": int(running.sum()) / total,
        "page.running-blocks": long,
        "page.running-words": int(running.sum()) / max(long, 1),
        "page.classes": int((page.class_code > 0).sum()) / elements,
        "page.elements": elements / total,
        "page.article-type": float(said.strip().lower() in _ARTICLES),
    }
    sizes = np.bincount(page.tag, minlength=KNOWN)
    figures |= {name: int(sizes[tags].sum()) for name, tags in _COUNTS.items()}
    for name, tags in _SHARES.items():
        nodes = page.nodes_of(tags) if sizes[tags].any() else np.zeros(0, dtype=np.intp)
        reached = np.append(0, np.maximum.accumulate(page.end.take(nodes)))[: len(nodes)]
        outer = nodes[nodes >= reached]  # nested ones count once
        figures[name] = float(known.words.take(outer).sum()) / total
    return {name: np.full(len(blocks), value, dtype=np.float64) for name, value in figures.items()}
