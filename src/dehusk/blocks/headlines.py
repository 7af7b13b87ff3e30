"""Headings of a page, and the line that is its title where no main heading is: an `h3`, or a `div` in large letters.

>>> says_title(words_of("Tea from Japan"), words_of("Tea from Japan | Tea Times"))
True
"""

import re
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from dehusk.base.caching import cached_per_object
from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.blocks import Blocks
from dehusk.blocks.layout import Nodes
from dehusk.read.page import Bools, Page

_WORD = pattern(r"\w+")
_PARTS = pattern(r"\s+[-–—|｜·•»«/~:]+\s+|\s*(?:[|｜»«]|--+|::+|_)\s*")
_WIDE = pattern("[\u2e80-\ud7ff\uf900-\uffdc]")
_MAIN_HEADING = numbers("h1")
_LEAST_WORDS, _LEAST_CHARS = 3, 4
"""Words of a line that can be a part of the title, and characters of one between two signs."""
START = 12
"""Kept blocks at the start that may be the title."""
HEADING_TAGS = np.concatenate([numbers(f"h{level}") for level in range(1, 7)])
"""The tags of headings, in the order of their levels."""
_HEAD = pattern(r"(?:^|[\s_-])(?:header|heading|masthead|branding|site-description)(?:$|\s)", re.IGNORECASE)
_START = pattern(r"(?:(?:https?:)?//[^/?#]+/?|/|(?:\.\.?/)+)?(?:index\.\w+)?(?:\?[^#]*)?", re.IGNORECASE)
"""Addresses of the start of a site."""
_LONG, _MOST_WORDS, _MOST_TITLES = 300, 100, 4  # characters of a title, words of a line, titles for Open Graph


def words_of(text: str) -> list[str]:
    """Return the words of a line or a title, without regard to letter case."""
    return _WORD.findall(text.casefold())


def says_title(line: list[str], title: list[str]) -> bool:
    """Return whether a line is the title, or more than half of it: what the site adds is not shown on the page.

    Args:
        line: the words of the line.
        title: the words of the title.
    """
    size = len(line)
    if size < _LEAST_WORDS or 2 * size <= len(title):
        return line == title
    return any(title[start : start + size] == line for start in range(len(title) - size + 1))


class Titles(NamedTuple):
    """What a page declares as its title, in words."""

    whole: tuple[list[str], ...]
    """The title element, and what Open Graph has."""
    parts: tuple[list[str], ...]
    """The longest part of each, between signs such as "|"."""
    words: frozenset[str]
    """All words of both: few lines begin with one of them, and only these are looked at."""

    def are_said_by(self, text: str) -> bool:
        """Return whether a text says one of the titles."""
        line = self._likely(text)
        return bool(line) and (line in self.parts or any(says_title(line, title) for title in self.whole))

    def first_in(self, blocks: Blocks, among: Nodes) -> int:
        """Return the first of some blocks that says the title of its page; -1 if none does."""
        known = _saying(blocks)
        for block in among.tolist():
            if (says := known.get(block)) is None:
                says = known[block] = (
                    self.are_said_by(blocks.text_of(block)) if blocks.words[block] <= _MOST_WORDS else False
                )
            if says:
                return int(block)
        return -1

    def first_part_in(self, blocks: Blocks, among: list[int]) -> int:
        """Return the first of some blocks, short ones too, that is a part of the title, in whole words; else -1."""
        return next((block for block in among if self.have(blocks.text_of(block))), -1)

    def have(self, text: str) -> bool:
        """Return whether a text, which may be short, is a part of a title, in whole words."""
        part = " ".join(self._likely(text))
        return len(part) >= _LEAST_CHARS and any(f" {part} " in f" {' '.join(title)} " for title in self.whole)

    def _likely(self, text: str) -> list[str]:
        """Return the words of a text that may say a title; of others none."""
        folded = text.casefold()
        first = _WORD.search(folded)
        return _WORD.findall(folded) if first and first[0] in self.words else []


@cached_per_object
def titles_of(page: Page) -> Titles:
    """Return the titles of a page."""
    shared = islice(page.meta.values("og:title"), _MOST_TITLES)
    cut = dict.fromkeys(title[:_LONG] for title in (page.meta.title, *shared) if title.strip())  # they are often alike
    longest = [max(_PARTS.split(title), key=_width) for title in cut]
    parts = tuple(words_of(part) for part in longest if len(part) >= _LEAST_CHARS)
    whole = tuple(map(words_of, cut))
    return Titles(whole, parts, frozenset(chain(*whole, *parts)))


def _width(part: str) -> float:
    """Return how much a part of a title says: a Chinese, Japanese or Korean character as much as a letter and a half.

    The number was set by hand: with two, the names of some sections would win.
    """
    return len(part) + len(_WIDE.findall(part)) / 2


@cached_per_object
def _saying(_blocks: Blocks) -> dict[int, bool]:
    """Return what is known of whether blocks say the title, because several parts of the work ask for the same ones."""
    return {}


def line_of_title(blocks: Blocks, kept: Bools) -> int:
    """Return the first of the kept lines that is what the page declares as its title.

    Returns:
        The block; -1 if no line is, or one of the first lines is in an h1.
    """
    page, start = blocks.page, kept.nonzero()[0][:START]
    headings = page.nodes_of(_MAIN_HEADING)
    if not len(start) or (len(headings) and page.within_at(headings, blocks.first[start]).any()):
        return -1
    return titles_of(page).first_in(blocks, start)


def is_in_head(page: Page, node: int, title: int) -> bool:
    """Return whether a node is in a link to the start of a site or in the head of a page, above the node `title`."""
    node = int(page.parent[node])
    while node > 0 and title >= page.end[node]:
        names = (page.class_names[page.class_code[node]], page.id_names[page.id_code[node]])
        is_head = page.tag[node] not in HEADING_TAGS and any(map(_HEAD.search, names))
        if is_head or leads_to_start(page, node):
            return True
        node = int(page.parent[node])
    return False


def leads_to_start(page: Page, node: int) -> bool:
    """Return whether a node is a link to the start of the site."""
    address = page.attribute(node, "href")
    return bool(address and _START.fullmatch(address))
