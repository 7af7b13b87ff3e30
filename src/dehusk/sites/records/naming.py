"""Names of columns: the label beside the values, constant words in them, itemprop, class, heading, or the tag."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dehusk.counts.display import normalise_attribute
from dehusk.read.page import Page
from dehusk.sites.records.lexicon import label_text

MAX_NAME = 60
_PLAIN_CLASS = re.compile(
    r"(?:(?:[a-z]{1,3}-)?(?:col|row|span|grid|cell|pull|push|offset|order|text|font|align|float|clear|margin|padding|"
    r"m[btlrxy]?|p[btlrxy]?|d|w|h|is|has|left|right|center|centre|top|bottom|first|last|odd|even|active|inner|outer|"
    r"wrap|wrapper|container|content|contents|box|block|item|items|list|main|section|body|page|bold|small|big|large|"
    r"normal|hidden|visible|inline|flex|even|module|mod|line|element|value|label|link|no|on|off|"
    r"clearfix|cleartype|roundify|cf|fix|group|nowrap|bg|css|js|sc|style|yui|ui|uix)"
    r"(?:[-_]?(?:\d+|xs|sm|md|lg|xl|left|right|center|inner|outer|wrap|wrapper|box|fix))*|[a-z]{1,2}\d*|.*\d{3,}.*|"
    r"css-.*|sc-.*|[a-zA-Z]{1,3}\d\w*|(?=[a-z]*\d)[a-z0-9]{6,10})",
    re.IGNORECASE,
)
"""Classes that say how an element looks, not what it holds."""
_VAGUE = frozenset(("name", "value", "url", "text", "item", "id"))
_LAST = 100
_CAPITAL = re.compile(r"[^\W\d_a-z][^.!?]{1,30}")
_LEVELS = 3
"""Elements above a value, its own included, whose classes can name it."""
_TAG_NAMES = {"h1": "title", "time": "date", "address": "address", "caption": "caption", "blockquote": "quote"}
_PLAIN_TAGS = {"img": "image", "a": "link", "td": "cell", "li": "item", "b": "bold", "strong": "bold"}


@dataclass(frozen=True)
class NameEvidence:
    """What may name a column, of one of its values."""

    page: Page
    element: int
    """Element that holds the value."""
    label: str = ""
    """Label before it."""
    constant: str = ""
    """Constant words around it."""
    before: str = ""
    """Template text before it."""
    heading: str = ""
    """Heading before it."""
    type: str = ""
    """Type of the values, if it may name them: that of a part of a text."""
    data: str = ""
    """Property of linked data, such as "offers.price"."""

    def candidates(self) -> Iterator[tuple[int, str, str]]:
        """Yield rank, name and what the name comes from, the best first."""
        for rank, (text, source) in enumerate(self._names()):
            name = _short(label_text(text))
            if any(map(str.isalpha, name)):
                yield rank, name, source

    def _names(self) -> Iterator[tuple[str, str]]:
        constant = self.constant.strip("()[]|/-–—•· ")
        yield self.label, "label"
        yield "" if self.data else self._column_header(), "column header"
        yield "" if self.data else self._attribute("itemprop"), "itemprop"
        yield _property(self.data), "linked data"
        yield "" if self.data else _TAG_NAMES.get(self._tag(), ""), "tag"
        yield self.type, "type"
        yield constant if _CAPITAL.match(constant) else "", "constant text"
        yield self._class(), "class"
        yield constant, "constant text"
        yield self.heading, "heading"
        yield self.before, "text before"
        yield "" if self.data else _PLAIN_TAGS.get(self._tag(), "text"), "tag"

    def _above(self) -> Iterator[int]:
        node = self.element
        for _ in range(_LEVELS):
            if node <= 0:
                return
            yield node
            node = int(self.page.parent[node])

    def _attribute(self, name: str) -> str:
        return next((value for node in self._above() if (value := self.page.attribute(node, name))), "")

    def _column_header(self) -> str:
        """Return the text of the header cell above the value in a table."""
        cells = [node for node in self._above() if self.page.tag_name(node) == "td"]
        table = self._nearest(cells[0], "table") if cells else -1
        if table < 0:
            return ""
        index = self._index(cells[0])
        header = next((n for n in range(table, int(self.page.end[table])) if self.page.tag_name(n) == "th"), -1)
        row = int(self.page.parent[header]) if header >= 0 else -1
        if row < 0 or row >= int(self.page.parent[cells[0]]):
            return ""
        child, position = row + 1, 0
        while child < int(self.page.end[row]):
            if self.page.tag_name(child) in ("td", "th"):
                if position == index:
                    return self.page.text[self.page.text_start[child] : self.page.text_end[child]]
                position += 1
            child = int(self.page.end[child])
        return ""

    def _nearest(self, node: int, tag: str) -> int:
        while node > 0 and self.page.tag_name(node) != tag:
            node = int(self.page.parent[node])
        return node if node > 0 else -1

    def _index(self, cell: int) -> int:
        """Return how many cells of its row come before a cell."""
        child, position = int(self.page.parent[cell]) + 1, 0
        while child < cell:
            position += self.page.tag_name(child) in ("td", "th")
            child = int(self.page.end[child])
        return position

    def _class(self) -> str:
        if self.data:
            return ""
        for node in self._above():
            names = self.page.class_names[int(self.page.class_code[node])].split()
            names += self.page.id_names[int(self.page.id_code[node])].split()
            for name in names:
                if not _PLAIN_CLASS.fullmatch(name) and len(name) > 2:
                    return normalise_attribute("class", name).strip(".") and name
        return ""

    def _tag(self) -> str:
        return self.page.tag_name(self.element)


def best_name(evidence: Iterable[NameEvidence]) -> tuple[int, str, str]:
    """Return the best name that some values of a column suggest, with its rank and what it comes from."""
    names = (candidate for one in evidence for candidate in one.candidates())
    return min(names, key=lambda candidate: candidate[0], default=(_LAST, "field", "none"))


def _property(path: str) -> str:
    """Return the last part of the path of a property that says what it is: "brand" of "brand.name"."""
    parts = [part for part in path.split(".") if part]
    return next((part for part in reversed(parts) if part not in _VAGUE), parts[-1] if parts else "")


def _short(name: str) -> str:
    name = " ".join(name.split())
    return name if len(name) <= MAX_NAME else name[: MAX_NAME - 1].rstrip() + "…"


class UniqueNames:
    """Numbers names that are taken: "price", "price 2"."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = {name.casefold() for name in taken}

    def take(self, name: str) -> str:
        """Return the name, with a number if it is taken."""
        number, unique = 2, name
        while unique.casefold() in self._taken:
            unique, number = f"{name} {number}", number + 1
        self._taken.add(unique.casefold())
        return unique
