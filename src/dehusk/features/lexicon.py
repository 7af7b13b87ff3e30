"""`lexicon.*` and `nearby.*`: words in the class and id attributes of the elements around a block; not in the thesis.

Names can mislead (a class "toolbar" may contain code), so they are evidence and never a rule. A page has about a
thousand names that no other page has, so array operations first select the few parts that may match a word.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.caching import cached_per_object
from dehusk.features.family import Columns, Family, FeatureSettings
from dehusk.page import Bools

_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_EXACT = 3  # words up to this length must be the whole part: "ad" must not match "address"
_LOWER, _UPPER = 1, 2
_CASE = np.zeros(256, dtype=np.uint8)
_CASE[ord("a") : ord("z") + 1], _CASE[ord("A") : ord("Z") + 1] = _LOWER, _UPPER
_LETTERS = 4  # first letters of a part that its code contains; a letter is five bits, a missing one is 0
_WEIGHTS = 1 << 5 * np.arange(_LETTERS)[::-1]


def lexicon_features(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return a 0/1 column for each set of words, shape (b,), over all elements around a block."""
    bits = blocks.page.above(_node_bits(blocks, settings))[blocks.node]
    return _columns("lexicon", bits, tuple(settings.classes))


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
    return {f"{prefix}.{name}": (bits >> np.uint64(bit)) & np.uint64(1) > 0 for bit, name in enumerate(names)}


@cached_per_object
def _node_bits(blocks: Blocks, settings: FeatureSettings) -> npt.NDArray[np.uint64]:
    """Return for each node, shape (n,), one bit per set: whether its class or id contains a word of the set."""
    page = blocks.page
    lexicon = _build_lexicon(tuple(tuple(words) for words in settings.classes.values()))
    bits = lexicon.bits(page.class_names).take(page.class_code) | lexicon.bits(page.id_names).take(page.id_code)
    bits[:1] = 0  # the body's class describes the whole page
    return bits


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

    def bits(self, names: tuple[str, ...]) -> npt.NDArray[np.uint64]:
        """Return the bits of each name, shape (names,): "top-nav" and "topNav" have the parts top and nav."""
        text = "\0".join(names).encode("ascii", "replace").decode()  # attributes contain no zero bytes
        source = np.frombuffer(text.encode() + bytes(_LETTERS), dtype=np.uint8)
        starts, codes = _find_parts(source)
        candidates = starts[self.may_match.take(codes)]
        bits = np.zeros(len(names), dtype=np.uint64)
        parts = [_PART.match(text, start)[0] for start in candidates.tolist()]  # type: ignore[index]
        values = np.fromiter(map(self.part_bits, parts), np.uint64, len(parts))
        np.bitwise_or.at(bits, np.cumsum(source == 0).take(candidates), values)
        return bits


def _find_parts(source: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return the offset of each part in the source, and a code of its first letters."""
    case = _CASE.take(source)
    lower, upper = case == _LOWER, case == _UPPER
    after_lower, after_upper = np.append(False, lower[:-1]), np.append(False, upper[:-1])
    after_single_capital = after_upper & ~np.append(False, after_upper[:-1])
    starts_part = (upper & ~after_upper) | (lower & ~after_lower & ~after_single_capital)
    starts = np.flatnonzero(starts_part)
    offsets = starts[:, None] + np.arange(_LETTERS)
    inside = ((case > 0) & ~starts_part).take(offsets)
    inside[:, 0] = True
    return starts, ((source.take(offsets) & 31) * np.logical_and.accumulate(inside, axis=1)) @ _WEIGHTS


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
