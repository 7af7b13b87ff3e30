"""Sections 4.2 and 4.3 of Ikeda, Yamada & Hirokawa, *Eliminating Useless Parts in Semi-structured Documents* (2001).

Documents are sources, markup and scripts included, with white space collapsed. The correct string of a document has 1
where its article stands: between the delimiters of the site, or on generated pages the source of the content. Accuracy,
recall and precision count characters (section 4.1). Most characters are useless, so "everything grey" has a high
accuracy; balanced accuracy is the mean of the shares of useful and of useless characters that are found, .5 for a rule
that does not look. The rival of one line keeps text of `LONG` characters or more between two tags.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from dehusk.lab.gold.datasets import Sample
from dehusk.lab.papers.experiment import Experiment, TableRows, best, read_open_set
from dehusk.lab.papers.shops.pages import ShopPage, generate
from dehusk.read import decode
from dehusk.sites.alternation import FindOptimal, RangeAgreement, agreement, correct_string
from dehusk.sites.alternation.strings import fold, folded_text
from dehusk.sites.alternation.surface_picture import draw_surface

ANDROID: Final = (('<div class="post-text" itemprop="text">', "</div>"),)
ZHIHU: Final = (('<div class="zm-editable-content clearfix">', "</div>"),)
NEWS: Final = {
    "forbes.com": (("<!-- story -->", "<!--/story-->"),),
    "latimes.com": (('<div class="storybody">', "</div>"), ("<h1>", "</h1>")),
    "yahoo.com": (("<!-- BEGIN STORY BODY -->", "<!-- END STORY BODY -->"),),
}
MOST: Final = 4
"""Maximum number of generated pages per category and shop."""
PAGES: Final = 76
"""Number of pages of a site, as in the paper."""
LEAST: Final = 300
"""Least number of characters of an article."""
LONG: Final = 100
"""Least characters of a text that the rival keeps: a line or two. Chosen before any figure, and not tuned."""
PRINTED: Final = {
    "one English site, 76 pages": ("(24, 10)", "0.975", "0.939", "0.872"),
    "one Japanese site, 198 pages": ("(8, 10)", "0.992", "0.808", "0.991"),
    "Japanese and English, 23 + 150 pages": ("(23, 6)", "0.959", "0.958", "0.755"),
}
"""Cut point, accuracy, recall and precision where the paper's text has them."""

Marked = list[tuple[str, npt.NDArray[np.uint8]]]
"""Folded sources with their correct strings."""
Cleaner = Callable[[str], npt.NDArray[np.uint8]]


def folded(sample: Sample) -> str:
    """Return a page as the paper reads it: with all markup and scripts, white space collapsed."""
    return folded_source(decode(sample.bare).text)


def folded_source(source: str) -> str:
    """Return a source with white space collapsed."""
    return folded_text(fold(source).points)


def mark_articles(samples: Sequence[Sample], delimiters: Sequence[tuple[str, str]], site: str | None = None) -> Marked:
    """Return the pages of a site with at least `LEAST` characters between delimiters, and their correct strings."""
    documents = [folded(sample) for sample in samples if site is None or sample.site == site]
    strings = [(document, correct_string(document, delimiters)) for document in documents]
    return [(document, correct) for document, correct in strings if int(correct.sum()) >= LEAST]


def mark_content(pages: Sequence[ShopPage]) -> Marked:
    """Return generated pages with 1 where their content stands."""
    marked = []
    for page in pages:
        document = folded_source(page.html)
        correct = np.zeros(len(document), dtype=np.uint8)
        for part in map(folded_source, page.content):
            start = document.find(part.strip())
            correct[start : start + len(part.strip())] = 1
        marked.append((document, correct))
    return marked


def long_texts(document: str) -> npt.NDArray[np.uint8]:
    """Return 1 for the characters of texts of `LONG` characters or more between two tags: the rival of one line."""
    kept = np.zeros(len(document), dtype=np.uint8)
    for match in re.finditer(rf">([^<]{{{LONG},}})<", document):
        kept[slice(*match.span(1))] = 1
    return kept


RIVALS: Final[dict[str, Cleaner]] = {
    "everything grey": lambda document: np.zeros(len(document), dtype=np.uint8),
    "nothing grey": lambda document: np.ones(len(document), dtype=np.uint8),
    "rule of one line": long_texts,
}
PAPER: Final = "search as printed"
SEARCHES: Final[dict[str, dict[str, int | str]]] = {
    PAPER: {"search": "printed"},
    "printed, look-ahead 2": {"search": "printed", "look_ahead": 2},
    "df ≥ 2, n = 32 (default)": {},
}
"""Name -> options of `FindOptimal`."""


def balanced(found: RangeAgreement) -> float:
    """Return the mean of the shares of useful and of useless characters that are found."""
    useless = found.size - found.correct
    specificity = 1 - (found.kept - found.both) / useless if useless else 1.0
    return (found.recall + specificity) / 2


def experiment(data: Path | None = None) -> Experiment:
    """Find the useless parts of the pages of one site and of two, beside the rivals.

    Args:
        data: folder of the open sets; by default pages are generated.
    """
    groups = _open_sites(data) if data else _shops()
    table, scores = _table(groups)
    name, sites = next(iter(groups.items()))
    means = {way: float(np.mean([of_set[way] for of_set in scores.values()])) for way in (*SEARCHES, *RIVALS)}
    rival = best({way: means[way] for way in RIVALS})
    findings = [
        f"**Balanced accuracy: {way} is ahead of every rival on {_beaten(scores, way)} of {len(scores)} sets, mean "
        f"{means[way]:.3f}; the best rival, {rival}, has {means[rival]:.3f}.**"
        for way in dict.fromkeys((best({way: means[way] for way in SEARCHES}), PAPER))
    ]
    return Experiment(
        "FindOptimal: useless parts of pages (Ikeda, Yamada & Hirokawa 2001, section 4)",
        "All characters of the sources, markup included. Everything grey, nothing grey and the rule of one line (text "
        f"of {LONG} characters or more between two tags) need no other page.",
        {"Sections 4.2 and 4.3": table},
        findings,
        {"findoptimal.svg": _surface(name, sites)},
    )


def _shops() -> dict[str, list[Marked]]:
    pages: dict[str, list[ShopPage]] = {}
    for page in generate(most=MOST):
        pages.setdefault(page.site, []).append(page)
    marked = {site: mark_content(of_site) for site, of_site in pages.items()}
    first, second, *_ = marked
    return {
        **{site: [of_site] for site, of_site in marked.items()},
        f"{first} + {second}": [marked[first], marked[second]],
    }


def _open_sites(data: Path) -> dict[str, list[Marked]]:
    """Return the sets of section 4 as near as the open sets come: name -> the pages of each site."""
    android = mark_articles(read_open_set(data, "site-android-questions"), ANDROID)
    zhihu = mark_articles(read_open_set(data, "site-zhihu-a"), ZHIHU)
    of_news = read_open_set(data, "big9-2005")
    news = {site: mark_articles(of_news, pairs, site) for site, pairs in NEWS.items()}
    return {
        "android.stackexchange.com": [android[:PAGES]],
        "zhihu.com": [zhihu],
        **{site: [pages] for site, pages in news.items()},
        "zhihu.com (small) + android.stackexchange.com": [zhihu[:23], android[:150]],
    }


def _table(groups: Mapping[str, list[Marked]]) -> tuple[TableRows, dict[str, dict[str, float]]]:
    """Return the table, and set -> way -> balanced accuracy."""
    table = [["set", "rule", "cut", "accuracy", "recall", "precision", "balanced accuracy"]]
    table += [[name, "the paper", *figures, ""] for name, figures in PRINTED.items()]
    scores: dict[str, dict[str, float]] = {}
    for name, sites in groups.items():
        scores[name] = {}
        for way, cut, cleaner in _cleaners([document for site in sites for document, _ in site]):
            parts = (agreement(correct, cleaner(document)) for site in sites for document, correct in site)
            found = sum(parts, RangeAgreement())
            scores[name][way] = balanced(found)
            figures = (found.accuracy, found.recall, found.precision, scores[name][way])
            table.append([name, way, cut, *(f"{figure:.3f}" for figure in figures)])
    return table, scores


def _cleaners(documents: list[str]) -> list[tuple[str, str, Cleaner]]:
    found: list[tuple[str, str, Cleaner]] = []
    for name, options in SEARCHES.items():
        cut = FindOptimal(**options).fit(documents)  # type: ignore[arg-type] # options by name
        found.append((name, f"({cut.n_}, {cut.a_:.3g})", cut.range_string))
    return [*found, *((name, "", cleaner) for name, cleaner in RIVALS.items())]


def _beaten(scores: dict[str, dict[str, float]], way: str) -> int:
    """Return the number of sets on which a way is ahead of every rival."""
    return sum(all(of_set[way] > of_set[rival] for rival in RIVALS) for of_set in scores.values())


def _surface(name: str, sites: list[Marked]) -> str:
    """Draw the alternation counts of the first set, with the path of the search as printed."""
    documents = [document for site in sites for document, _ in site]
    finder = FindOptimal("printed").fit(documents)
    end = finder.path_[-1]
    lengths, percents = range(2, max(40, end.n + 5) + 1), range(1, max(30, end.a + 5) + 1)
    grid = FindOptimal("printed").surface(documents, lengths, percents)
    return draw_surface(grid, {"as printed": finder.path_}, title=f"Alternation counts: {name}")
