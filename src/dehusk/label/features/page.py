"""`path.*` and `page.*`: blocks with the same path of tags and classes, and what type of page it is; not in the thesis.

Blocks with the same path usually have the same role: all paragraphs of an article, all entries of a menu. The key of a
path is the sum over its elements of a hash of tag, class and depth, so that one cumulative sum gives the keys of all
nodes. Every block of a page has the same values of `page.*`.
"""

from dehusk.base.tags import HEADINGS, numbers
from dehusk.compiled.features import page_features, path_features
from dehusk.label.features.family import Family

_MIN_LONG = 15  # words of a long block
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


FAMILIES = (
    Family(
        path_features,
        {
            "path.blocks": "Blocks with the same path.",
            "path.words": "Share of the page's unlinked words in blocks with the same path.",
            "path.long": "Share of the words of these blocks that are in blocks of 15 words or more, half or more "
            "unlinked.",
            "path.link-density": "Share of linked words among the words of these blocks.",
            "path.parent-words": "path.words for blocks whose innermost elements' parents have the same path.",
            "path.parent-long": "path.long for blocks whose innermost elements' parents have the same path.",
            "path.parent-link-density": "path.link-density for blocks whose innermost elements' parents have the same "
            "path.",
        },
    ),
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
