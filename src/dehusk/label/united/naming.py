"""What the tag, the classes and the ids around a short text say that it is, and whether it is a field of records."""

import re
from functools import lru_cache

import numpy as np

from dehusk.base.lazy import pattern
from dehusk.blocks import Blocks
from dehusk.read.page import Page

FIELD = 4
"""Elements of the same classes, in elements of the same classes, from which a text is a field of records."""
_LEVELS, _CHARS = 4, 150  # elements around a text whose classes may name it, and characters of each
_AUTHOR_NAMES = pattern("author|address|by-?line|writer|reporter|journalist|contributor|autor|redact", re.IGNORECASE)
_DATE_NAMES = pattern("date|time|publish|posted|datum|fecha", re.IGNORECASE)
_PRICE_NAMES = ("price", "preis", "prix", "precio", "preco", "prezzo", "cena", "cijena", "hinta", "amount", "cost")
_STOCK_NAMES = ("stock", "availab", "inventory", "disponib", "verfuegbar", "dispo", "lager", "nalichi")
OF_AUTHOR, OF_DATE, OF_PRICE, OF_STOCK = 1, 2, 4, 8
"""What a text may be named as."""
_KNOWN_NAMES, _LONG_NAME = 4_096, 200  # classes and ids whose words are remembered, and the characters of these


def text_of(blocks: Blocks, block: int) -> str:
    """Return the folded text of a block."""
    return blocks.text[blocks.start[block] : blocks.end[block]]


@lru_cache(_KNOWN_NAMES)
def _meaning(name: str) -> int:
    """Return the bits of what a class, an id or a tag names."""
    is_price = any(map(name.lower().__contains__, _PRICE_NAMES))
    is_author, is_date = _AUTHOR_NAMES.search(name), _DATE_NAMES.search(name)
    is_stock = any(map(name.lower().__contains__, _STOCK_NAMES))
    bits = (is_author, OF_AUTHOR), (is_date, OF_DATE), (is_price, OF_PRICE), (is_stock, OF_STOCK)
    return sum(bit for is_so, bit in bits if is_so)


def is_named(blocks: Blocks, block: int, bit: int) -> bool:
    """Return whether the tag, the class or the id of a short element around the start of a block names something."""
    page = blocks.page
    node = int(page.parent[blocks.first[block]])
    for _ in range(_LEVELS):
        if node <= 0 or page.text_end[node] - page.text_start[node] > _CHARS:
            return False
        names = page.class_names[page.class_code[node]], page.id_names[page.id_code[node]], page.tag_name(node)
        if any(_meaning(name) & bit for name in names if 0 < len(name) <= _LONG_NAME):
            return True
        node = int(page.parent[node])
    return False


def is_field(page: Page, node: int) -> bool:
    """Return whether a page has several elements with the tag and the classes of one, in such as that is in."""
    classes, around = page.class_code[node], page.class_code[page.parent[node]]
    alike = ((page.class_code == classes) & (page.tag == page.tag[node])).nonzero()[0]
    return bool(classes > 0 and np.count_nonzero(page.class_code[page.parent[alike]] == around) >= FIELD)
