"""`lexicon.*` and `nearby.*`: words in the class and id attributes of the elements around a block; not in the thesis.

Names can mislead (a class "toolbar" may contain code), so they are evidence and never a rule. A page has about a
thousand names that no other page has, so array operations first select the few parts that may match a word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from operator import attrgetter

import numpy as np
import numpy.typing as npt

from dehusk.backends import kernel
from dehusk.blocks import Blocks
from dehusk.caching import cached_per_object
from dehusk.features.family import Columns, Family, FeatureSettings, truths
from dehusk.hashing import Keys, span_keys
from dehusk.page import Bools, Page

_EXACT = 3  # words up to this length must be the whole part: "ad" must not match "address"
_LOWER, _UPPER = 1, 2
_CASE = np.zeros(256, dtype=np.uint8)
_CASE[ord("a") : ord("z") + 1], _CASE[ord("A") : ord("Z") + 1] = _LOWER, _UPPER
_CASES = _CASE.tobytes()  # a table for bytes, which look up in less time than arrays
_START, _INSIDE = 1, 2
_LETTERS = 4  # first letters of a part that its code contains; a letter is five bits, a missing one is 0
_WEIGHTS = 1 << 5 * np.arange(_LETTERS)[::-1]
_BITS = [int(_WEIGHTS[:length].sum()) * 31 for length in range(_LETTERS + 1)]
_MASKS = np.array(_BITS, dtype=np.int32)  # bits of the first letters


def _role(before: int, previous: int, case: int) -> int:
    """Return whether a character with the given case, after two others, starts a part or is inside one; else 0."""
    if case == _UPPER:
        return _INSIDE if previous == _UPPER else _START
    follows_single_capital = previous == _UPPER and before != _UPPER
    return 0 if not case else _INSIDE if previous == _LOWER or follows_single_capital else _START


_ROLE = np.array([_role(*cases) for cases in product(range(3), repeat=3)], dtype=np.uint8)
"""Role of a character by its case and those of the two before it, as three digits of base 3."""
_ROLES = _ROLE.tobytes().ljust(256, b"\0")


@kernel("features_names.lexicon_features")
def lexicon_features(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return a 0/1 column for each set of words, shape (b,), over all elements around a block."""
    bits = blocks.page.above(_node_bits(blocks, settings))[blocks.node]
    return _columns("lexicon", bits, tuple(settings.classes))


@kernel("features_names.nearby_features")
def nearby_features(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return a 0/1 column for each set of words, shape (b,), over the three innermost elements around a block."""
    node_bits, node = _node_bits(blocks, settings), blocks.node
    bits = node_bits.take(node)
    for _ in range(2):
        node = np.maximum(blocks.page.parent.take(node), 0)
        bits = bits | node_bits.take(node)
    return _columns("nearby", bits, tuple(settings.classes))


def nodes_with_word_of(blocks: Blocks, settings: FeatureSettings, name: str) -> Bools:
    """Return which nodes of the page, shape (n,), have a word of the named set in their class or id.

    Raises:
        ValueError: the settings contain no such set.
    """
    bit = np.uint64(tuple(settings.classes).index(name))
    mask: Bools = (_node_bits(blocks, settings) >> bit) & np.uint64(1) > 0
    return mask


def _columns(prefix: str, bits: npt.NDArray[np.uint64], names: tuple[str, ...]) -> Columns:
    return {f"{prefix}.{name}": column for name, column in zip(names, truths(bits, len(names)), strict=True)}


@cached_per_object
def _node_bits(blocks: Blocks, settings: FeatureSettings) -> npt.NDArray[np.uint64]:
    """Return for each node, shape (n,), one bit per set: whether its class or id contains a word of the set."""
    page = blocks.page
    of_name, classes = name_bits(page, settings), len(page.class_names)
    bits = of_name.take(page.class_code) | of_name[classes:].take(page.id_code)
    bits[:1] = 0  # the body's class describes the whole page
    return bits


@cached_per_object
@kernel("features_names.bits_of_names")
def name_bits(page: Page, settings: FeatureSettings) -> npt.NDArray[np.uint64]:
    """Return for each class attribute, then for each id, one bit per set: whether it contains a word of the set."""
    return _build_lexicon(tuple(tuple(words) for words in settings.classes.values())).bits(name_parts(page))


@dataclass
class _Lexicon:
    """The words of all sets; values are bit masks with one bit per set."""

    exact: dict[str, int] = field(default_factory=dict)
    """Short words, which must be a whole part."""
    beginnings: dict[str, int] = field(default_factory=dict)
    """Longer words, which match the start of a part."""
    part_bits: Callable[[str], int] = field(init=False)
    """`_part_bits`, cached: pages use the same parts again and again."""
    may_match: npt.NDArray[np.bool_] = field(default_factory=lambda: np.zeros(1 << 5 * _LETTERS, dtype=np.bool_))
    """Code of a part's first letters -> whether the part may match a word."""

    def __post_init__(self) -> None:
        self.part_bits = lru_cache(maxsize=65536)(self._part_bits)

    def _part_bits(self, part: str) -> int:
        part = part.lower()
        bits = self.exact.get(part, 0)
        for length in range(_EXACT + 1, len(part) + 1):
            bits |= self.beginnings.get(part[:length], 0)
        return bits

    def bits(self, parts: NameParts) -> npt.NDArray[np.uint64]:
        """Return the bits of each name, shape (names,)."""
        bits = np.zeros(len(parts.first) - 1, dtype=np.uint64)
        letters = (parts.source & 31).astype(np.int32)
        codes = letters.take(parts.start)
        for following in range(1, _LETTERS):
            codes = (codes << 5) | letters.take(parts.start + following)
        codes &= _MASKS.take(parts.end - parts.start, mode="clip")
        matched = self.may_match.take(codes).nonzero()[0]
        text, bounds = parts.source.tobytes().decode("ascii"), (parts.start.take(matched), parts.end.take(matched))
        found = map(text.__getitem__, map(slice, *(bound.tolist() for bound in bounds)))
        values = np.fromiter(map(self.part_bits, found), np.uint64, len(matched))
        names = parts.first.searchsorted(matched, side="right") - 1
        np.bitwise_or.at(bits, names, values)
        return bits


@dataclass(frozen=True, eq=False)
class NameParts:
    """The q parts of names: runs of letters, also divided at capitals, so that "topNav" has the parts top and nav."""

    source: npt.NDArray[np.uint8]
    """All names in ASCII, with a zero byte after each."""
    start: npt.NDArray[np.intp]
    """(q,) offset of each part in `source`."""
    end: npt.NDArray[np.intp]
    """(q,) one past its last letter."""
    first: npt.NDArray[np.intp]
    """(names + 1,) the first part of each name."""

    @classmethod
    def of(cls, names: tuple[str, ...]) -> NameParts:
        """Find the parts of names, which contain no zero bytes."""
        given = "\0".join((*names, "")).encode("ascii", "replace") + bytes(_LETTERS)
        source, case = (np.frombuffer(each, dtype=np.uint8) for each in (given, given.translate(_CASES)))
        pattern = case.copy()
        pattern[1:] += 3 * case[:-1]
        pattern[2:] += 9 * case[:-2]
        role = np.frombuffer(pattern.tobytes().translate(_ROLES), dtype=np.uint8)
        edges = (role != _INSIDE).nonzero()[0]
        starts = (role.take(edges) == _START).nonzero()[0]
        start, name_end = edges.take(starts), (source == 0).nonzero()[0][: len(names)]
        return cls(source, start, edges.take(starts + 1), np.append(0, start.searchsorted(name_end)))

    def keys(self) -> tuple[Keys, npt.NDArray[np.intp]]:
        """Return the keys of the parts, and where those of each name start, shape (names + 1,).

        Parts of a single letter are left out. Keys do not depend on case: "topNav" and "nav-top" share two.
        """
        long = (self.end - self.start > 1).nonzero()[0]
        keys = span_keys(self.source | np.uint8(32), self.start.take(long), self.end.take(long))
        return keys, long.searchsorted(self.first)


@cached_per_object
@kernel("features_names.parts_of_names")
def name_parts(page: Page) -> NameParts:
    """Return the parts of a page's class attributes, then of its id attributes."""
    return NameParts.of((*page.class_names, *page.id_names))


@lru_cache(maxsize=8)
def _build_lexicon(sets: tuple[tuple[str, ...], ...]) -> _Lexicon:
    lexicon = _Lexicon()
    for bit, words in enumerate(sets):
        for word in words:
            table = lexicon.exact if len(word) <= _EXACT else lexicon.beginnings
            table[word] = table.get(word, 0) | 1 << bit
            letters = np.frombuffer(word[:_LETTERS].encode("ascii").ljust(_LETTERS, b"\0"), dtype=np.uint8)
            lexicon.may_match[int((letters & 31) @ _WEIGHTS)] = True
    return lexicon


FAMILIES = (
    Family(
        lexicon_features,
        {
            "lexicon.*": "1 if the class or id of any element around the block contains a word configured under this "
            "name, else 0."
        },
        attrgetter("classes"),
    ),
    Family(
        nearby_features,
        {
            "nearby.*": "1 if the class or id of one of the three innermost elements around the block contains a word "
            "configured under this name, else 0."
        },
        attrgetter("classes"),
    ),
)
