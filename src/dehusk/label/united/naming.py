"""What the tag, the classes and the ids around a short text say that it is, and whether it is a field of records."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.read.names import NamePattern
from dehusk.read.page import Page

FIELD = 4
"""Elements of the same classes, in elements of the same classes, from which a text is a field of records."""
_ITEMS = frozenset(numbers("li td th").tolist())
_LEVELS, _CHARS = 4, 150  # elements around a text whose classes may name it, and characters of each
OF_AUTHOR, OF_DATE, OF_PRICE, OF_STOCK, OF_CATEGORY, OF_READING = 1, 2, 4, 8, 16, 32
"""What a text may be named as."""
_WORDS = {
    OF_AUTHOR: "author(?!i[sz]|it)|address|by-?line|writer|reporter|journalist|contributor|autor|redact",
    OF_DATE: "date|time(?!-sensitive)|publish|posted|datum|fecha",
    OF_PRICE: "price|preis|prix|precio|preco|prezzo|cena|cijena|hinta|amount|cost",
    OF_CATEGORY: "(?:^|[ _-])(?:categor(?:y|ies)|cat-links)(?:$|[ _-])",
    OF_READING: "read(?:ing)?[-_]?time|time-to-read|article-complexity",
    OF_STOCK: "stock|availab|inventory|disponib|verfuegbar|dispo|lager|nalichi",
}
_ANY = pattern("|".join(_WORDS.values()))
_EACH = {bit: pattern(words) for bit, words in _WORDS.items()}
POST_NAMES = NamePattern(
    r"(?:^|[\s_-])(?:posts?|postbody|postbit\w*|messages?|msgs?|comments?|repl(?:y|ies)|answers?)(?:$|[\s_-])",
    "post message msg comment repl answer",
)
"""The classes of posts."""
QUOTE = NamePattern("quot(?:e|ation)|cit(?:e|ation)", "quot cit")
"""The classes of quotations."""
_BLOCKQUOTE = numbers("blockquote")
_KNOWN_NAMES, _LONG_NAME = 4_096, 200  # classes and ids whose words are remembered, and the characters of these


@lru_cache(_KNOWN_NAMES)
def _meaning(name: str) -> int:
    """Return the bits of what a class, an id or a tag names."""
    name = name.lower()
    if not _ANY.search(name):
        return 0
    return sum(bit for bit, words in _EACH.items() if words.search(name))


def is_named(page: Page, leaf: int, bit: int) -> bool:
    """Return whether the tag, the class or the id of a short element around a text node names something."""
    node = int(page.parent[leaf])
    for _ in range(_LEVELS):
        if node <= 0 or page.text_end[node] - page.text_start[node] > _CHARS:
            return False
        names = page.class_names[page.class_code[node]], page.id_names[page.id_code[node]], page.tag_name(node)
        for name in names:
            if 0 < len(name) <= _LONG_NAME and _meaning(name) & bit:
                return True
        node = int(page.parent[node])
    return False


def is_field(page: Page, node: int, place: range | None = None) -> bool:
    """Return whether a page has several elements with the tag and the classes of one, in such as that is in.

    Args:
        page: the page.
        node: the element.
        place: nodes of which more than one must be such an element, if the page's other ones may stand elsewhere.
    """
    if page.class_code[node] == 0:
        return False
    classes, around = page.class_code[node], page.class_code[page.parent[node]]
    alike = (page.class_code == classes).nonzero()[0]
    alike = alike[(page.tag[alike] == page.tag[node]) & (page.class_code[page.parent[alike]] == around)]
    if len(alike) < FIELD:
        return False
    line = _line_around(page, node)
    if line > 0:  # facts side by side, as a date and the time to read
        alike = alike[(alike < line) | (alike >= page.end[line]) | (alike == node)]
    if place is not None and np.count_nonzero((alike >= place.start) & (alike < place.stop)) < 2:
        return False
    return len(alike) >= FIELD


def _line_around(page: Page, node: int) -> int:
    """Return the short element around the text of a node and others, 0 if it is none, or one of the items of a list."""
    own = size = int(page.text_end[node] - page.text_start[node])
    around = node
    while around > 0 and size == own and page.tag[around] not in _ITEMS:
        around = int(page.parent[around])
        size = int(page.text_end[around] - page.text_start[around])
    return around if around > 0 and own < size <= _CHARS else 0


def quotations_of(page: Page) -> npt.NDArray[np.intp]:
    """Return the elements that a tag or a class names as a quotation."""
    codes, tagged = page.classes.named(QUOTE), page.nodes_of(_BLOCKQUOTE)
    if not codes:
        return tagged
    return (page.has_class(codes) | page.is_one_of(_BLOCKQUOTE)).nonzero()[0]
