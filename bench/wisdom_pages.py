"""The pages of WISDOM's benchmark: news sites with gold texts, and forum crawls with known title links.

Article blocks are evaluated by information coverage (section 4.1), in characters; the gold standard is the blocks at
least half of whose words align with the gold text. TOC blocks are evaluated by the links in them; the gold standard is
the title links of threads.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from dehusk.blocks import Blocks, segment
from dehusk.blocks.labels import OTHER
from dehusk.lab.gold.alignment import label_blocks
from dehusk.lab.gold.datasets import Sample, read_set
from dehusk.read import parse
from dehusk.read.page import Bools, Page
from dehusk.sites.wisdom import PAPER, RECOMMENDED, Coverage, Settings, Wisdom
from dehusk.sites.wisdom.blocksets import BlockSet, articles, tables_of_contents
from dehusk.sites.wisdom.link_targets import Anchors
from dehusk.sites.wisdom.node_features import NodeFeatures
from sets import set_path

CLEANED = ("cleanportaleval-a", "big9-2005", "big9-2013")
FORUMS = {
    "site-android-questions": (
        r"//[^/]+/(questions/?(\?|$)|questions/tagged|unanswered|\?|$)",
        "class",
        r"question-hyperlink",
    ),
    "site-asp-forums": (r"//[^/]+/\d+\.aspx", "href", r"^/t/\d+\.aspx"),
}
"""Crawl -> (pattern of the URLs of index pages, attribute of a title link, pattern of its value)."""
INDEX_PAGES, MIN_TITLES = 60, 5
MEASURES = ("P", "R", "F")
Points = list[tuple[float, float]]
Series = dict[str, Points]

Site = list[tuple[str, Blocks, str]]
"""(id, blocks, gold text) of the pages of one site"""


def sites(data: Path) -> dict[tuple[str, str], Site]:
    """Return the pages of each site of each set."""
    pages = defaultdict(list)
    for name in CLEANED:
        for sample in read_set(set_path(data, name)):
            pages[name, str(sample.site)].append((sample.id, segment(parse(sample.bare)), sample.gold_text))
    return dict(pages)


def titles(page: Page, attribute: str, pattern: str) -> set[int]:
    """Return the title links of an index page."""
    links = Anchors.of(page).node.tolist()
    return {node for node in links if re.search(pattern, page.attribute(node, attribute) or "")}


@dataclass(frozen=True, eq=False)
class Forum:
    """A crawl of a forum."""

    methods: dict[str, Wisdom]
    """`Settings.words` -> WISDOM, fitted to the whole crawl with these terms."""
    indexes: list[tuple[Page, set[int]]]
    """Index pages and their title links."""


def read_forum(data: Path, name: str, settings: Sequence[Settings]) -> Forum:
    """Fit WISDOM to a whole crawl, once for each choice of terms in the settings, and select its index pages."""
    index, attribute, pattern = FORUMS[name]
    pages = [parse(sample.data, url=sample.url) for sample in read_set(set_path(data, name))]
    methods = {preset.words: Wisdom(preset=preset).fit(pages) for preset in settings}
    indexes = [page for page in pages if re.search(index, page.url or "")][:INDEX_PAGES]
    gold = [(page, titles(page, attribute, pattern)) for page in indexes]
    return Forum(methods, [(page, links) for page, links in gold if len(links) >= MIN_TITLES])


@dataclass(frozen=True, eq=False)
class Case:
    """One page with its gold standard."""

    set: str
    site: str
    features: dict[str, NodeFeatures]
    """`Settings.words` -> the features of the page's nodes with these terms."""
    gold: Bools
    """For articles (characters of the blocks,), for TOC blocks (nodes,)."""
    extract: Callable[[NodeFeatures, Settings], BlockSet]

    def blocks(self, settings: Settings) -> BlockSet:
        """Return the blocks that WISDOM extracts."""
        return self.extract(self.features[settings.words], settings)

    def coverage(self, settings: Settings) -> Coverage:
        """Compare the extracted blocks with the gold standard."""
        blocks = self.blocks(settings)
        if self.extract is articles:
            result = blocks.chars
        else:
            links = self.features[settings.words].anchors.node
            result = np.zeros(len(self.gold), dtype=np.bool_)
            result[links] = blocks.inside[links]
        return Coverage.between(self.gold, result)


@dataclass(frozen=True, eq=False)
class Cases:
    """Article pages or index pages; results are cached."""

    pages: list[Case]
    _cache: dict[Settings, np.ndarray] = field(default_factory=dict)

    def figures(self, settings: Settings, *, site: tuple[str, str] | None = None, name: str = "") -> list[float]:
        """Return mean P, R and F over all pages, or over those of one site or set."""
        if settings not in self._cache:
            coverages = [page.coverage(settings) for page in self.pages]
            self._cache[settings] = np.array(
                [(coverage.precision, coverage.recall, coverage.f) for coverage in coverages]
            )
        chosen = [site in (None, (page.set, page.site)) and name in ("", page.set) for page in self.pages]
        return self._cache[settings][chosen].mean(axis=0).tolist()

    def curve(self, xs: Iterable[float], vary: Callable[[float], Settings], name: str) -> Series:
        """Return the three measures for each value of a setting; `name` is a format for the name of the measure."""
        rows = {x: self.figures(vary(x)) for x in xs}
        return {name.format(measure): [(x, row[i]) for x, row in rows.items()] for i, measure in enumerate(MEASURES)}

    def f(self, xs: Iterable[float], vary: Callable[[float], Settings]) -> Points:
        """Return F for each value of a setting."""
        return [(x, self.figures(vary(x))[2]) for x in xs]


def article_pages(data: Path) -> Cases:
    """Return the pages of the news sites; WISDOM is fitted to each site."""
    sites: dict[tuple[str, str], list[Sample]] = {}
    for name in CLEANED:
        for sample in read_set(set_path(data, name)):
            sites.setdefault((name, str(sample.site)), []).append(sample)
    cases = []
    for (name, site), samples in sites.items():
        pages = [segment(parse(sample.bare)) for sample in samples]
        methods = [Wisdom(preset=preset).fit(pages) for preset in (PAPER, RECOMMENDED)]
        for sample, blocks in zip(samples, pages, strict=True):
            codes, _ = label_blocks(blocks, sample.segments)
            features = {method.words_: method.features(blocks) for method in methods}
            cases.append(Case(name, site, features, (codes != OTHER)[blocks.block_of], articles))
    return Cases(cases)


def toc_pages(data: Path) -> Cases:
    """Return the index pages of the forums; WISDOM is fitted to each whole crawl."""
    cases = []
    for name in FORUMS:
        forum = read_forum(data, name, (PAPER, RECOMMENDED))
        for page, titles in forum.indexes:
            gold = np.zeros(len(page), dtype=np.bool_)
            gold[list(titles)] = True
            features = {words: method.features(page) for words, method in forum.methods.items()}
            cases.append(Case(name, "", features, gold, tables_of_contents))
    return Cases(cases)
