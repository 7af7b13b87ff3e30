"""`lexicon.*`: what class and id attributes call the elements around a block; not in the thesis.

Names lie (a class "toolbar" may hold code), so they are evidence among other evidence and never a rule. Each distinct
string is looked at once.
"""

import re
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from dehusk.blocks import Blocks
from dehusk.features.settings import Columns, FeatureSettings

DOC = {"lexicon.*": "1 where the class or id of an element above the block has a part that is a configured word."}

_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_EXACT = 3  # words up to this length must be the whole part: "ad" is not the beginning of "address"


def lexicon(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return one 0/1 column for each configured set of words, shape (b,)."""
    page, names = blocks.page, tuple(settings.classes)
    bits_of = _matcher(tuple(settings.classes[name] for name in names))
    bits = np.array([bits_of(name) for name in page.class_names], dtype=np.uint64)[page.class_code]
    for node, value in zip(*page.indexed["id"], strict=True):
        bits[node] |= np.uint64(bits_of(value))
    bits[:1] = 0  # the body's class speaks of the whole page
    held = page.above(bits)[blocks.node]
    return {f"lexicon.{name}": (held >> np.uint64(bit)) & np.uint64(1) > 0 for bit, name in enumerate(names)}


@lru_cache(maxsize=8)
def _matcher(sets: tuple[tuple[str, ...], ...]) -> Callable[[str], int]:
    """Return the function that gives the bits of a name: "top-nav" and "topNav" have the parts top and nav."""
    exact: dict[str, int] = {}
    beginnings: dict[str, int] = {}
    for bit, words in enumerate(sets):
        for word in words:
            table = exact if len(word) <= _EXACT else beginnings
            table[word] = table.get(word, 0) | 1 << bit

    longest = max(map(len, beginnings), default=0)

    @lru_cache(maxsize=65536)
    def of_part(part: str) -> int:
        part = part.lower()
        bits = exact.get(part, 0)
        for length in range(_EXACT + 1, min(len(part), longest) + 1):
            bits |= beginnings.get(part[:length], 0)
        return bits

    @lru_cache(maxsize=65536)
    def of_name(name: str) -> int:
        bits = 0
        for part in _PART.findall(name):
            bits |= of_part(part)
        return bits

    return of_name
