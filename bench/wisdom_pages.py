"""The pages of WISDOM's benchmark: news sites with gold texts, forum crawls whose title links are known.

Article blocks are judged by information coverage (section 4.1), in characters: gold are the common blocks at least half
of whose words align with the gold text. TOC blocks are judged by the links in them, gold are the titles of threads.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from dehusk.blocks import Blocks, segment
from dehusk.gold.alignment import label_blocks
from dehusk.gold.datasets import Sample, read_set
from dehusk.labels import OTHER
from dehusk.methods.wisdom import PAPER, RECOMMENDED, Coverage, Settings, Wisdom
from dehusk.methods.wisdom.blocksets import BlockSet, articles, tables_of_contents
from dehusk.methods.wisdom.node_features import NodeFeatures
from dehusk.page import Bools, Page
from dehusk.read import parse
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
"""Crawl -> (URLs of index pages, attribute of a title link, what is in it)."""
INDEX_PAGES, LEAST_TITLES = 60, 5
MEASURES = ("P", "R", "F")
Points = list[tuple[float, float]]
Series = dict[str, Points]

Site = list[tuple[str, Blocks, str]]
"""(id, blocks, gold text) of pages of one site"""


def sites(data: Path) -> dict[tuple[str, str], Site]:
    """Return the pages of each site of each set."""
    found = defaultdict(list)
    for name in CLEANED:
        for sample in read_set(set_path(data, name)):
            found[name, str(sample.site)].append((sample.id, segment(parse(sample.bare)), sample.gold_text))
    return dict(found)


def titles(page: Page, method: Wisdom, attribute: str, pattern: str) -> set[int]:
    """Return the title links of an index page."""
    links = method.links_.anchors(page).node.tolist()
    return {node for node in links if re.search(pattern, page.attribute(node, attribute) or "")}


@dataclass(frozen=True, eq=False)
class Forum:
    """A crawl of a forum."""

    methods: dict[str, Wisdom]
    """`Settings.words` -> what was learned of the whole crawl with these terms."""
    indexes: list[tuple[Page, set[int]]]
    """Index pages with their title links."""


def read_forum(data: Path, name: str, settings: Sequence[Settings]) -> Forum:
    """Learn a whole crawl, once for each kind of terms in settings, and choose its index pages."""
    index, attribute, pattern = FORUMS[name]
    pages = [parse(sample.data, url=sample.url) for sample in read_set(set_path(data, name))]
    methods = {one.words: Wisdom(preset=one).fit(pages) for one in settings}
    wanted = [page for page in pages if re.search(index, page.url or "")][:INDEX_PAGES]
    method = next(iter(methods.values()))
    gold = [(page, titles(page, method, attribute, pattern)) for page in wanted]
    return Forum(methods, [(page, links) for page, links in gold if len(links) >= LEAST_TITLES])


@dataclass(frozen=True, eq=False)
class Case:
    """One page with its gold."""

    set: str
    site: str
    features: dict[str, NodeFeatures]
    """`Settings.words` -> what the page's nodes are worth with these terms."""
    gold: Bools
    """(characters of the blocks,) for articles, (nodes,) for TOC blocks."""
    mine: Callable[[NodeFeatures, Settings], BlockSet]

    def found(self, settings: Settings) -> BlockSet:
        """Return the blocks that are found."""
        return self.mine(self.features[settings.words], settings)

    def judged(self, settings: Settings) -> Coverage:
        """Compare what is found with the gold."""
        found = self.found(settings)
        if self.mine is articles:
            result = found.chars
        else:
            links = self.features[settings.words].anchors.node
            result = np.zeros(len(self.gold), dtype=np.bool_)
            result[links] = found.inside[links]
        both = int((self.gold & result).sum())
        return Coverage(both, int(self.gold.sum()) - both, int(result.sum()) - both)


@dataclass(frozen=True, eq=False)
class Cases:
    """Pages of one kind; what was measured once is remembered."""

    pages: list[Case]
    _known: dict[Settings, np.ndarray] = field(default_factory=dict)

    def figures(self, settings: Settings, *, site: tuple[str, str] | None = None, name: str = "") -> list[float]:
        """Return mean P, R and F over all pages, or those of one site or set."""
        if settings not in self._known:
            found = [page.judged(settings) for page in self.pages]
            self._known[settings] = np.array([(one.precision, one.recall, one.f) for one in found])
        chosen = [site in (None, (one.set, one.site)) and name in ("", one.set) for one in self.pages]
        return self._known[settings][chosen].mean(axis=0).tolist()

    def curve(self, xs: Iterable[float], vary: Callable[[float], Settings], name: str) -> Series:
        """Return the three measures against what is varied; `name` has a place for the measure."""
        rows = {x: self.figures(vary(x)) for x in xs}
        return {name.format(one): [(x, row[i]) for x, row in rows.items()] for i, one in enumerate(MEASURES)}

    def f(self, xs: Iterable[float], vary: Callable[[float], Settings]) -> Points:
        """Return F alone against what is varied."""
        return [(x, self.figures(vary(x))[2]) for x in xs]


def article_pages(data: Path) -> Cases:
    """Return the pages of the news sites, each site learned from its own pages."""
    sites: dict[tuple[str, str], list[Sample]] = {}
    for name in CLEANED:
        for sample in read_set(set_path(data, name)):
            sites.setdefault((name, str(sample.site)), []).append(sample)
    found = []
    for (name, site), samples in sites.items():
        pages = [segment(parse(sample.bare)) for sample in samples]
        methods = [Wisdom(preset=one).fit(pages) for one in (PAPER, RECOMMENDED)]
        for sample, blocks in zip(samples, pages, strict=True):
            codes, _ = label_blocks(blocks, sample.segments)
            features = {one.words_: one.features(blocks) for one in methods}
            found.append(Case(name, site, features, (codes != OTHER)[blocks.block_of], articles))
    return Cases(found)


def toc_pages(data: Path) -> Cases:
    """Return the index pages of the forums, each learned from its whole crawl."""
    found = []
    for name in FORUMS:
        forum = read_forum(data, name, (PAPER, RECOMMENDED))
        for page, titles in forum.indexes:
            gold = np.zeros(len(page), dtype=np.bool_)
            gold[list(titles)] = True
            features = {words: method.features(page) for words, method in forum.methods.items()}
            found.append(Case(name, "", features, gold, tables_of_contents))
    return Cases(found)
