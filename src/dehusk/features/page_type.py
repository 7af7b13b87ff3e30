"""`page.*`: what type of page it is; every block of a page has the same values. Not in the thesis."""

import numpy as np

from dehusk.backends import kernel
from dehusk.blocks import Blocks
from dehusk.features.family import Columns, Family, FeatureSettings
from dehusk.features.subtrees import count_subtrees
from dehusk.tags import HEADINGS, KNOWN, numbers

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


@kernel("features_page.page_features")
def page_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return statistics of the page, shape (b,) each."""
    page, counts = blocks.page, count_subtrees(blocks)
    total, running = max(int(counts.words[0]), 1), counts.running_words
    elements = max(len(page) - int(np.count_nonzero(page.is_text)), 1)
    running_blocks = int(np.count_nonzero(running))
    og_type = next((content for name, content in page.meta.entries if name.lower() == "og:type"), "")
    values = {
        "page.running": int(running.sum()) / total,
        "page.running-blocks": running_blocks,
        "page.running-words": int(running.sum()) / max(running_blocks, 1),
        "page.classes": int(np.count_nonzero(page.class_code)) / elements,
        "page.elements": elements / total,
        "page.article-type": float(og_type.strip().lower() in _ARTICLES),
    }
    sizes = np.bincount(page.tag, minlength=KNOWN)
    values |= {name: int(sizes[tags].sum()) for name, tags in _COUNTS.items()}
    for name, tags in _SHARES.items():
        values[name] = 0.0
        if not len(nodes := page.nodes_of(tags)):
            continue
        previous_end = np.append(0, np.maximum.accumulate(page.end.take(nodes)))[: len(nodes)]
        outermost = nodes[nodes >= previous_end]  # so that nested elements count once
        values[name] = float(counts.words.take(outermost).sum()) / total
    rows = np.array([*values.values()], dtype=np.float64)[:, None].repeat(len(blocks), axis=1)
    return dict(zip(values, rows, strict=True))


FAMILIES = (
    Family(
        page_features,
        {
            "page.running": "Share of running text among the page's words.",
            "page.running-blocks": "Blocks of running text on the page.",
            "page.running-words": "Mean number of words in the page's blocks of running text.",
            "page.classes": "Share of the page's elements that have a class.",
            "page.elements": "Elements per word of the page.",
            "page.cells": "Share of the page's words in table cells.",
            "page.items": "Share of the page's words in list items.",
            "page.inner": "Share of the page's words in article or main elements.",
            "page.headings": "Headings on the page.",
            "page.forms": "Form fields and buttons on the page.",
            "page.articles": "Article elements on the page.",
            "page.article-type": "1 if the page declares itself an article (og:type), else 0.",
            "page.noscript": "Share of the page's words in noscript elements.",
        },
    ),
)
