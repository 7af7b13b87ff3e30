"""What a reader of the page can check about a block, in words that quote the page.

For each family of inputs there is a phrase about the page itself: which element, which class, which heading, how many
of the texts around are links. All are counted on the page, so they are true whatever the net made of them. A phrase is
telling if it speaks for what the family did to the block: a text in an `aside` is no reason to keep it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dehusk.base.caching import cached_property
from dehusk.base.errors import counted
from dehusk.base.lazy import pattern
from dehusk.base.tags import HEADINGS, numbers
from dehusk.blocks import Blocks
from dehusk.label.united.columns import LEXICON, NEVER_CONTENT

_NEAR = 5
"""Texts on either side that count as the neighbours, as in the columns `near.5`."""
LONG = 20
"""Words outside of links from which a text is called long (docs/explain.md)."""
_WORDY = 8
"""Words that texts have on average if they are called many."""
_QUOTED, _QUOTED_NAME = 40, 40  # characters of a text and of a class or id
_HEADING = numbers(HEADINGS)
_NEVER = frozenset(NEVER_CONTENT.split())
_PART = pattern("[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_KNOWN_NAMES = 4_096  # classes and ids that are remembered
_EXACT = 3  # as in `dehusk.label.features.lexicon`
_AGAINST = {
    "nav": "in a navigation",
    "aside": "in an aside",
    "footer": "in a footer",
    "header": "in a header",
    "form": "in a form",
    "button": "on a button",
    "menu": "in a menu",
}
_FOR = {
    "p": "in a paragraph",
    "blockquote": "in a quotation",
    "pre": "in preformatted text",
    "code": "in code",
    "figcaption": "in a caption",
    "td": "in a cell of a table",
    "th": "in a cell of a table",
    "li": "in an item of a list",
    "dd": "in a list of definitions",
    "dt": "in a list of definitions",
} | dict.fromkeys(HEADINGS, "in a heading")
_MAIN = ("article", "main")
_NAMES_AGAINST = ("navigation", "frame", "related", "social", "advert", "archive")
_NAMES_FOR = ("content", "comment", "product")
_SAY_NOTHING = frozenset({"text", "body"})  # `text-center`, `card-body`: no reader believes them
_WORDS_OF_NAMES = {
    sign: frozenset(word for key in keys for word in LEXICON[key].split()) - _SAY_NOTHING
    for sign, keys in ((1, _NAMES_FOR), (-1, _NAMES_AGAINST))
}


@dataclass(frozen=True)
class Fact:
    """Something about a block that its page shows."""

    says: str
    node: int = -1
    """The element that the words quote; -1 if they quote none."""
    is_telling: bool = True
    """Whether it speaks for what it is to explain, and not only tells what was looked at."""


class Quotes:
    """Words about the blocks of one page."""

    def __init__(self, blocks: Blocks) -> None:
        self.blocks, self.page = blocks, blocks.page
        self.words, self.linked = blocks.words.tolist(), blocks.link_words.tolist()
        self.first, self.node = blocks.first.tolist(), blocks.node.tolist()
        columns = (blocks.words, blocks.link_words, (blocks.words > 0) & (blocks.link_words >= blocks.words))
        self._before = [[0, *np.cumsum(column, dtype=np.int64).tolist()] for column in columns]
        self._phrases: dict[str, Callable[[int, int], Fact | None]] = {
            "the tags around it": self._tags,
            "names of classes": self._names,
            "its links": self._links,
            "its words": self._own_words,
            "its neighbours": self._neighbours,
            "the content of its container elements": self._holders,
            "blocks of the same path": self._alike,
            "its relation to the main text": self._main_text,
            "its position on the page": self._position,
            "its section": self._section,
            "the content of its div": self._div,
            "the page's title": self._title,
            "the type of page": self._type,
        }

    def about(self, family: str, block: int, sign: int) -> Fact | None:
        """Return what the page shows about a block that a family of inputs stands for.

        Args:
            family: one of `FAMILIES`.
            block: the block.
            sign: 1 if the family speaks for the block, -1 if it speaks against it.
        """
        return self._phrases[family](block, sign)

    def never(self, block: int) -> Fact | None:
        """Return the element around a block whose text is never content."""
        for node in self._around(block):
            if self.page.tag_name(node) in _NEVER:
                return Fact(f"in {self.quoted(node)}, whose text is never content", node)
        return None

    def together(self, members: list[int]) -> Fact:
        """Return what holds blocks that are decided as one."""
        node = self.node[members[0]]
        while node > 0 and self.page.end[node] <= self.first[members[-1]]:
            node = int(self.page.parent[node])
        return Fact(f"decided as one with {_others(len(members) - 1, 'text')} in {self.quoted(node)}", node)

    def quoted(self, node: int) -> str:
        """Return the start tag of an element, with its class or else its id."""
        return _start_tag(
            self.page.tag_name(node),
            self.page.class_names[self.page.class_code[node]],
            self.page.id_names[self.page.id_code[node]],
        )

    def text(self, block: int) -> str:
        """Return the start of a block's text in quotation marks."""
        text = " ".join(self.blocks.texts[block].split())
        return f"“{text if len(text) <= _QUOTED else f'{text[: _QUOTED - 1].rstrip()}…'}”"

    def _around(self, block: int) -> Iterator[int]:
        """Yield the elements around a block, the innermost first, without the body."""
        node = self.node[block]
        while node > 0:
            yield node
            node = int(self.page.parent[node])

    def _range(self, node: int) -> tuple[int, int]:
        """Return the first block in an element, and one past the last."""
        return bisect_left(self.first, node), bisect_left(self.first, int(self.page.end[node]))

    def _sums(self, first: int, end: int) -> tuple[int, int, int]:
        """Return of blocks in a row: words, words in links, blocks that are links."""
        words, linked, links = (column[end] - column[first] for column in self._before)
        return words, linked, links

    # ------------------------------------------------------------ families

    def _tags(self, block: int, sign: int) -> Fact | None:
        around = [(node, self.page.tag_name(node)) for node in self._around(block)]
        if sign < 0:
            for node, tag in around:
                if tag in _AGAINST:
                    return Fact(f"{_AGAINST[tag]}, {self.quoted(node)}", node)
            if around and not {"p", *_MAIN, *HEADINGS} & {tag for _, tag in around}:
                return Fact(f"in no paragraph, heading or article, only in {self.quoted(around[0][0])}", around[0][0])
            return None
        own = next((f"{_FOR[tag]}" for _, tag in around if tag in _FOR), "")
        main = next((node for node, tag in around if tag in _MAIN), -1)
        if main >= 0:
            return Fact(f"{own} in {self.quoted(main)}".lstrip(), main)
        node = next((node for node, tag in around if tag in _FOR), -1)
        if node >= 0:
            return Fact(f"{own}, {self.quoted(node)}", node, not any(tag in _AGAINST for _, tag in around))
        return None

    def _names(self, block: int, sign: int) -> Fact | None:
        for node in self._around(block):
            names = self.page.class_names[self.page.class_code[node]], self.page.id_names[self.page.id_code[node]]
            for number, name in enumerate(names):
                if word := _word_in(name, sign):
                    tag = self.page.tag_name(node)
                    element = _start_tag(tag, "", name) if number else _start_tag(tag, name, "", word)
                    return Fact(f"in {element}, whose {'id' if number else 'class'} says “{word}”", node)
        return None

    def _links(self, block: int, sign: int) -> Fact | None:
        words, linked = self.words[block], self.linked[block]
        if not words:
            return None
        if not linked:
            return Fact("it has no link", is_telling=sign > 0 and words >= _WORDY)
        says = (
            f"{linked} of its {words} words {'is' if linked == 1 else 'are'} linked"
            if linked < words
            else "it is a link and nothing else"
        )
        return Fact(says, is_telling=(2 * linked >= words) == (sign < 0))

    def _own_words(self, block: int, sign: int) -> Fact | None:
        words, copies = self.words[block], self._copies[self.blocks.texts[block]]
        if sign < 0 and copies > 1:
            return Fact(f"{self.text(block)} is on the page {counted(copies, 'time')}")
        if sign > 0 and words >= _WORDY:
            return Fact(f"it has {words} words")
        says = "it says" if sign > 0 else "it says only" if words <= _WORDY else "it begins"
        return Fact(f"{says} {self.text(block)}", is_telling=says == "it says only")

    def _neighbours(self, block: int, sign: int) -> Fact | None:
        low, high = max(block - _NEAR, 0), min(block + _NEAR + 1, len(self.words))
        count = high - low - 1
        if not count:
            return None
        own = self._sums(block, block + 1)
        words, linked, links = (whole - part for whole, part in zip(self._sums(low, high), own, strict=True))
        if sign < 0:
            if 2 * links > count:
                return Fact(f"{_of(links, count, 'text')} around it {'is a link' if count == 1 else 'are links'}")
            return Fact(
                f"only {counted(words, 'word')} in the {count} texts around it", is_telling=words < count * _WORDY
            )
        is_telling = words >= count * _WORDY and 3 * linked < words
        return Fact(
            f"{counted(words, 'word')} in the {count} texts around it, {linked} in links", is_telling=is_telling
        )

    def _holders(self, block: int, sign: int) -> Fact | None:
        size, levels = 1, 0
        for node in self._around(block):
            first, end = self._range(node)
            if end - first <= size:
                continue
            size, levels = end - first, levels + 1
            words, linked, links = self._sums(first, end)
            if sign < 0 and 2 * links > size:
                return Fact(f"{_of(links, size, 'text')} of its {self.quoted(node)} are links", node)
            if sign < 0 and words < size * _WORDY:
                return Fact(f"only {counted(words, 'word')} in the {size} texts of its {self.quoted(node)}", node)
            if sign > 0 and words >= size * _WORDY and 3 * linked < words:
                return Fact(f"{words} words in the {size} texts of its {self.quoted(node)}, {linked} in links", node)
            if levels == 4:
                break
        return None

    def _alike(self, block: int, sign: int) -> Fact | None:
        count, words, links = self._by_path[self._paths[block]]
        if count == 1:
            return None
        of = f"of the {count} texts with its tags and classes"
        if sign < 0 and 2 * links > count:
            return Fact(f"{_of(links, count, 'text')} with its tags and classes are links")
        is_telling = words >= count * _WORDY if sign > 0 else words < count * _WORDY
        return Fact(f"{'only ' if sign < 0 else ''}{words / count:.0f} words on average {of}", is_telling=is_telling)

    def _main_text(self, block: int, sign: int) -> Fact | None:
        node, share = self._main
        if node < 0:
            return None
        if long := self._long:
            if sign < 0 and block < long[0]:
                return Fact("before the first long text of the page")
            if sign < 0 and block > long[1]:
                return Fact("after the last long text of the page")
        is_inside = node <= self.first[block] < self.page.end[node]
        if not is_inside:
            tag = self.quoted(node)
            is_alike = any(self.quoted(other) == tag for other in self._around(block))  # in one that looks the same
            says = f"outside of {tag}, which has {share} % of the page's words"
            return Fact(f"{says}, and is not the one around it" if is_alike else says, node, sign < 0)
        return Fact(f"inside of {self.quoted(node)}, which has {share} % of the page's words", node, sign > 0)

    def _position(self, block: int, _sign: int) -> Fact:
        return Fact(f"it is text {block + 1} of the page's {len(self.words)}", is_telling=False)

    def _section(self, block: int, sign: int) -> Fact | None:
        at = bisect_left(self._headings, block)
        if at < len(self._headings) and self._headings[at] == block:
            end = self._headings[at + 1] if at + 1 < len(self._headings) else len(self.words)
            words = self._sums(block + 1, end)[0]
            only = "" if words >= LONG else "only "
            return Fact(
                f"it is a heading with {only}{counted(words, 'word')} under it",
                is_telling=(words >= LONG) == (sign > 0),
            )
        if not at:
            return Fact("above the first heading", is_telling=sign < 0) if self._headings else None
        heading = self._headings[at - 1]
        is_near = sign > 0 or block - heading <= 2 * _NEAR
        return Fact(f"under the heading {self.text(heading)}", self.node[heading], is_near)

    def _div(self, block: int, _sign: int) -> Fact | None:
        node = next((node for node in self._around(block) if self.page.tag_name(node) == "div"), -1)
        if node < 0:
            return None
        words = self._sums(*self._range(node))[0]
        return Fact(f"{counted(words, 'word')} in its {self.quoted(node)}", node, is_telling=False)

    def _title(self, block: int, sign: int) -> Fact | None:
        title, text = (" ".join(each.casefold().split()) for each in (self.page.meta.title, self.blocks.texts[block]))
        if sign < 0 or not title or len(text) < _EXACT or text not in title:
            return None
        return Fact("it is the page's title" if text == title else "it is part of the page's title")

    def _type(self, _block: int, sign: int) -> Fact | None:
        words, long = self._before[0][-1], self._long_words
        says = f"on a page with {long} of {counted(words, 'word')} in texts of {LONG} words or more"
        return Fact(says, is_telling=False) if (2 * long >= words) == (sign > 0) else None

    # ------------------------------------------------------------ the page

    @cached_property
    def _copies(self) -> Counter[str]:
        return Counter(self.blocks.texts)

    @cached_property
    def _paths(self) -> list[int]:
        """(b,) number of the path of tags and classes of each block."""
        numbered: dict[tuple[int, int, int], int] = {}
        of_node: dict[int, int] = {-1: 0}

        def number(node: int) -> int:
            chain = []
            while node not in of_node:
                chain.append(node)
                node = int(self.page.parent[node])
            for inner in reversed(chain):
                step = of_node[node], int(self.page.tag[inner]), int(self.page.class_code[inner])
                node = inner
                of_node[inner] = numbered.setdefault(step, len(numbered) + 1)
            return of_node[node]

        return [number(node) for node in self.node]

    @cached_property
    def _by_path(self) -> dict[int, tuple[int, int, int]]:
        """Path -> its blocks, their words, and how many of them are links."""
        sums: dict[int, tuple[int, int, int]] = {}
        for path, words, linked in zip(self._paths, self.words, self.linked, strict=True):
            count, of_all, links = sums.get(path, (0, 0, 0))
            sums[path] = count + 1, of_all + words, links + (0 < words <= linked)
        return sums

    @cached_property
    def _headings(self) -> list[int]:
        """Blocks that are in a heading."""
        within = self.page.within_at(self.page.nodes_of(_HEADING), self.blocks.first)
        headings: list[int] = within.nonzero()[0].tolist()
        return headings

    @cached_property
    def _long(self) -> tuple[int, int] | None:
        """The first and the last long text."""
        long = (self.blocks.words - self.blocks.link_words >= LONG).nonzero()[0].tolist()
        return (long[0], long[-1]) if long else None

    @cached_property
    def _long_words(self) -> int:
        """Words of all long texts."""
        return sum(words for words, linked in zip(self.words, self.linked, strict=True) if words - linked >= LONG)

    @cached_property
    def _main(self) -> tuple[int, int]:
        """The smallest element with half of the words outside of links, and its per cent of all words; -1 for none."""
        words, linked, _ = self._sums(0, len(self.words))
        node = child = 0
        while words > linked and child < self.page.end[node]:
            own, of_links, _ = self._sums(*self._range(child)) if not self.page.is_text[child] else (0, 0, 0)
            if child != node and 2 * (own - of_links) >= words - linked:
                node = child
            child = child + 1 if child == node else int(self.page.end[child])
        return (node, round(100 * self._sums(*self._range(node))[0] / words)) if node else (-1, 0)


def _start_tag(tag: str, classes: str, own_id: str, word: str = "") -> str:
    """Return a start tag with a class or else an id, cut if that is long; a class that has a word stays in it."""
    name, value = ("class", classes) if classes.strip() else ("id", own_id)
    parts = value.split()
    if not parts:
        return f"<{tag}>"
    if word and len(" ".join(parts)) > _QUOTED_NAME:
        parts = [part for part in parts if word in part]
    shown = " ".join(parts)
    return f'<{tag} {name}="{shown if len(shown) <= _QUOTED_NAME else f"{shown[: _QUOTED_NAME - 1]}…"}">'


@lru_cache(_KNOWN_NAMES)
def _word_in(name: str, sign: int) -> str:
    """Return the first part of a class or id that speaks for or against a text, as it is written; "" if none does."""
    for part in _PART.findall(name):
        lower = part.lower()
        for word in _WORDS_OF_NAMES[sign]:
            if lower == word or (len(word) > _EXACT and lower.startswith(word)):
                return str(part)
    return ""


def _of(some: int, count: int, what: str) -> str:
    if some == count:
        return f"the {what}" if count == 1 else f"both {what}s" if count == 2 else f"all {count} {what}s"
    return f"{some} of the {counted(count, what)}"


def _others(count: int, what: str) -> str:
    return f"{count} other {what}{'' if count == 1 else 's'}"
