"""`page.*`: what type of page it is; every block of a page has the same values. Not in the thesis."""

from dehusk.base.tags import HEADINGS, numbers
from dehusk.compiled.features import page_features
from dehusk.label.features.family import Family

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
