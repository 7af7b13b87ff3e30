"""What `dehusk.compiled.features` computes: words in the class and id attributes of elements."""

import re
from functools import lru_cache

from dehusk.blocks import Blocks
from dehusk.label.features import FeatureSettings
from dehusk.read.page import Page
from oracle.tree import lineages

Columns = dict[str, list[float]]

PART = re.compile("[A-Z][a-z]+|[A-Z]+|[a-z]+")
"""Parts are runs of ASCII letters, divided before capitals."""


def parts_of_names(page: Page) -> list[list[str]]:
    """Return the parts of each class attribute of a page, then of each id."""
    return [PART.findall(name) for name in (*page.class_names, *page.id_names)]


@lru_cache(maxsize=4096)
def has_word(name: str, words: tuple[str, ...]) -> bool:
    """Return whether a part of a name is one of some words or, if the word has four letters or more, starts with it."""
    parts = [part.lower() for part in PART.findall(name)]
    return any(part == word or (len(word) > 3 and part.startswith(word)) for part in parts for word in words)


def bits_of_names(page: Page, settings: FeatureSettings) -> list[int]:
    """Return for each class attribute, then for each id, the sum of 2**i for each set i that it has a word of."""
    return [
        sum(1 << bit for bit, words in enumerate(settings.classes.values()) if has_word(name, words))
        for name in (*page.class_names, *page.id_names)
    ]


@lru_cache(maxsize=64)
def nodes_with_word(page: Page, words: tuple[str, ...]) -> set[int]:
    """Return the elements below the body whose class or id has one of some words."""
    found = set()
    for node in range(1, len(page)):
        names = page.class_names[page.class_code[node]], page.id_names[page.id_code[node]]
        if any(has_word(name, words) for name in names):
            found.add(node)
    return found


def lexicon_features(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return for each set of words whether an element around each block has one of them in its class or id."""
    page, columns = blocks.page, Columns()
    for name, words in settings.classes.items():
        found = nodes_with_word(page, words)
        columns[f"lexicon.{name}"] = [not found.isdisjoint(lineages(page)[node]) for node in blocks.node.tolist()]
    return columns


def nearby_features(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return the same for the three innermost elements around each block."""
    page, columns = blocks.page, Columns()
    for name, words in settings.classes.items():
        found = nodes_with_word(page, words)
        columns[f"nearby.{name}"] = [not found.isdisjoint(lineages(page)[node][:3]) for node in blocks.node.tolist()]
    return columns
