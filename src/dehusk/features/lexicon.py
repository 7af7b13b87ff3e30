"""`lexicon.*`: what class and id attributes call the elements around a block; not in the thesis.

Names lie (a class "toolbar" may hold code), so they are evidence among other evidence and never a rule. A page has
some thousand names that no other page has, so the few parts that may be a word are found on arrays first.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.caching import cached_per_object
from dehusk.features.settings import Columns, FeatureSettings
from dehusk.page import Bools

DOC = {
    "lexicon.*": "1 where the class or id of an element above the block has a part that is a configured word.",
    "nearby.*": "The same for the three innermost elements that hold the block.",
}

_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_EXACT = 3  # words up to this length must be the whole part: "ad" is not the beginning of "address"
_LOWER, _UPPER = 1, 2
_KIND = np.zeros(256, dtype=np.uint8)
_KIND[ord("a") : ord("z") + 1], _KIND[ord("A") : ord("Z") + 1] = _LOWER, _UPPER
_LETTERS = 4  # of a part's beginning; a letter is its last five bits, none is 0
_WEIGHTS = 1 << 5 * np.arange(_LETTERS)[::-1]


def lexicon(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return one 0/1 column for each configured set of words, shape (b,)."""
    page, names = blocks.page, tuple(settings.classes)
    return _columns("lexicon", page.above(_bits(blocks, settings))[blocks.node], names)


def nearby(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return one 0/1 column for each configured set of words, shape (b,)."""
    bits, node = _bits(blocks, settings), blocks.node
    held = bits.take(node)
    for _ in range(2):
        node = np.maximum(blocks.page.parent.take(node), 0)
        held = held | bits.take(node)
    return _columns("nearby", held, tuple(settings.classes))


def named(blocks: Blocks, settings: FeatureSettings, name: str) -> Bools:
    """Return which nodes of the page, shape (n,), have a word of a configured set in their class or id.

    Raises:
        ValueError: no such set is configured.
    """
    bit = np.uint64(tuple(settings.classes).index(name))
    marked: Bools = (_bits(blocks, settings) >> bit) & np.uint64(1) > 0
    return marked


def _columns(kind: str, held: npt.NDArray[np.uint64], names: tuple[str, ...]) -> Columns:
    return {f"{kind}.{name}": (held >> np.uint64(bit)) & np.uint64(1) > 0 for bit, name in enumerate(names)}


@cached_per_object
def _bits(blocks: Blocks, settings: FeatureSettings) -> npt.NDArray[np.uint64]:
    """Return for each node, shape (n,), a bit for each set that its class or id has a word of."""
    page = blocks.page
    words = _words(tuple(tuple(listed) for listed in settings.classes.values()))
    bits = words.bits(page.class_names).take(page.class_code) | words.bits(page.id_names).take(page.id_code)
    bits[:1] = 0  # the body's class speaks of the whole page
    return bits


@dataclass
class _Words:
    """The words of all sets, a bit for each set."""

    exact: dict[str, int] = field(default_factory=dict)
    beginnings: dict[str, int] = field(default_factory=dict)
    of: Callable[[str], int] = field(init=False)
    """The bits of one part; the likely ones come again and again."""
    may_begin: npt.NDArray[np.bool_] = field(default_factory=lambda: np.zeros(1 << 5 * _LETTERS, dtype=np.bool_))
    """Whether a part with these first letters may be, or begin with, a word."""

    def __post_init__(self) -> None:
        self.of = lru_cache(maxsize=65536)(self._of)

    def _of(self, part: str) -> int:
        part = part.lower()
        bits = self.exact.get(part, 0)
        for length in range(_EXACT + 1, len(part) + 1):
            bits |= self.beginnings.get(part[:length], 0)
        return bits

    def bits(self, names: tuple[str, ...]) -> npt.NDArray[np.uint64]:
        """Return the bits of each name, shape (names,): "top-nav" and "topNav" have the parts top and nav."""
        text = "\0".join(names).encode("ascii", "replace").decode()  # no attribute holds a zero byte
        source = np.frombuffer(text.encode() + bytes(_LETTERS), dtype=np.uint8)
        starts, codes = _parts(source)
        likely = starts[self.may_begin.take(codes)]
        found = np.zeros(len(names), dtype=np.uint64)
        parts = [_PART.match(text, start)[0] for start in likely.tolist()]  # type: ignore[index]
        values = np.fromiter(map(self.of, parts), np.uint64, len(parts))
        np.bitwise_or.at(found, np.cumsum(source == 0).take(likely), values)
        return found


def _parts(source: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return where parts begin, and a code of the first letters of each."""
    kind = _KIND.take(source)
    lower, upper = kind == _LOWER, kind == _UPPER
    after_lower, after_upper = np.append(False, lower[:-1]), np.append(False, upper[:-1])
    one_capital = after_upper & ~np.append(False, after_upper[:-1])
    begins = (upper & ~after_upper) | (lower & ~after_lower & ~one_capital)
    starts = np.flatnonzero(begins)
    at = starts[:, None] + np.arange(_LETTERS)
    goes_on = (kind > 0) & ~begins
    inside = goes_on.take(at)
    inside[:, 0] = True
    return starts, ((source.take(at) & 31) * np.logical_and.accumulate(inside, axis=1)) @ _WEIGHTS


@lru_cache(maxsize=8)
def _words(sets: tuple[tuple[str, ...], ...]) -> _Words:
    words = _Words()
    for bit, listed in enumerate(sets):
        for word in listed:
            table = words.exact if len(word) <= _EXACT else words.beginnings
            table[word] = table.get(word, 0) | 1 << bit
            letters = np.frombuffer(word[:_LETTERS].encode("ascii").ljust(_LETTERS, b"\0"), dtype=np.uint8)
            words.may_begin[int((letters & 31) @ _WEIGHTS)] = True
    return words
