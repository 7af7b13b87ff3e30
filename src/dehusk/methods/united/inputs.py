"""What the net sees of a page: columns, tags, words of names and texts, and groups of blocks.

Words enter as numbers of rows of an embedding table: the key of a word modulo the size of the table, so that no list of
words is stored. Words that share a row are told apart by the words around them.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.backends import kernel
from dehusk.blocks import Blocks
from dehusk.characters import CharClass, lower
from dehusk.features.holders import topmost
from dehusk.features.lexicon import name_parts
from dehusk.features.subtrees import count_subtrees
from dehusk.hashing import Keys, mix, pair_keys, span_keys
from dehusk.methods.united.columns import columns_signature, table
from dehusk.page import Page
from dehusk.store import feature_hash
from dehusk.tags import KNOWN, TAG_NUMBER
from dehusk.units.keys import distinct, numbered, ranges, run_starts, sums_before

Floats = npt.NDArray[np.float32]

VERSION = 1
"""Increase this whenever the values of tags, names, texts or groups change, and retrain the model."""

NAME_ROWS, TEXT_ROWS = 1 << 12, 1 << 13
"""Rows of the embedding tables for words of names (class and id attributes) and for words of texts."""
TAG_ROWS = KNOWN + 1
"""Rows of the embedding table for tags; the last is for tags that are not in `dehusk.tags`."""
NO_TAG = 0
"""Row for a tag that is left out, and for what is above the root."""
TAGS = 3
"""How many of the innermost elements around a block give their tags."""
CONTAINERS = 3
"""How many of the enclosing containers form groups."""
GROUP_COUNT = 1 + CONTAINERS + 1
"""Number of partitions of the blocks into groups: by path, by each enclosing container, and the page."""
_NEAR, _LEVELS = 3, 10  # levels of elements whose names count as near, and at all
_FIRST_WORDS, _LAST_WORDS = 8, 2
_MOST_PARTS = 2_000_000  # words of all chains of names; pages of the open sets have at most a few hundred thousand
_LONG = 80  # characters of a block whose last words count
_BUCKET, _BUCKETS = 10, 12  # characters per bucket of lengths, and the last bucket
_IS_FAR = np.tile(np.arange(_LEVELS) >= _NEAR, 2)  # of the classes and ids of the elements around a block
_CHAIN_WEIGHTS = mix(np.arange(1, 2 * _LEVELS + 1, dtype=np.uint64)) | np.uint64(1)
_SALT = {name: np.uint64(number) for number, name in enumerate(("far", "start", "end", "pair", "length"), start=1)}


@dataclass(frozen=True, eq=False)
class Bags:
    """Bags of words as one flat column: bag i is `row[start[i]:start[i + 1]]`."""

    row: npt.NDArray[np.int32]
    """(w,) rows of an embedding table."""
    start: npt.NDArray[np.intp]
    """(bags + 1,)"""

    def between(self, first: int, stop: int) -> "Bags":
        """Return a run of the bags."""
        start = self.start[first : stop + 1]
        return self if len(start) == len(self.start) else Bags(self.row[start[0] : start[-1]], start - start[0])


@dataclass(frozen=True, eq=False)
class NetInputs:
    """The inputs of a page of b blocks."""

    columns: Floats
    """(k, b) features, unscaled."""
    tags: npt.NDArray[np.int32]
    """(b, TAGS) rows of the tags of the innermost elements."""
    names: Bags
    """Words of the names of the elements around a block, a bag for each distinct chain of names."""
    chain: npt.NDArray[np.intp]
    """(b,) the bag of each block in `names`."""
    texts: Bags
    """First and last words of each block, its length, and pairs of words: one bag per block."""
    groups: tuple[npt.NDArray[np.intp], ...]
    """Each (b,): numbers of groups of blocks, from 0: of the same path, of the enclosing containers, of the page."""

    def __len__(self) -> int:
        return len(self.chain)


def inputs_hash() -> str:
    """Return the hash of everything that the inputs depend on.

    A model whose card has a different hash is refused: its net was trained on different inputs.
    """
    shape = f"inputs {VERSION}: {NAME_ROWS} {TEXT_ROWS} {TAGS} {CONTAINERS}"
    return feature_hash([*columns_signature(), *TAG_NUMBER, shape])


def net_inputs(blocks: Blocks) -> NetInputs:
    """Return the inputs of a page with at least one block."""
    levels = _levels(blocks)
    names, chain = _names(blocks.page, levels)
    return NetInputs(table(blocks), _tags(blocks.page, levels), names, chain, _texts(blocks), _groups(blocks))


@kernel("net_inputs.innermost_levels")
def _levels(blocks: Blocks) -> npt.NDArray[np.int32]:
    """Return the innermost elements around each block, shape (b, 10), -1 above the root."""
    parent = np.append(blocks.page.parent, -1)  # the parent of -1 is -1
    nodes = np.empty((len(blocks), _LEVELS), dtype=np.int32)
    nodes[:, 0] = blocks.node
    for level in range(1, _LEVELS):
        nodes[:, level] = parent.take(nodes[:, level - 1], mode="wrap")
    return nodes


@kernel("net_inputs.innermost_tags")
def _tags(page: Page, levels: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    tags = np.append(page.tag, 0).take(levels[:, :TAGS], mode="wrap")
    known: npt.NDArray[np.int32] = np.minimum(tags, KNOWN).astype(np.int32)
    return known


@kernel("input_words.name_bags")
def _names(page: Page, levels: npt.NDArray[np.int32]) -> tuple[Bags, npt.NDArray[np.intp]]:
    """Return a bag for each distinct chain of names, and the chain of each block."""
    own = np.zeros((len(page) + 1, 2), dtype=np.int32)
    own[:-1, 0], own[:-1, 1] = page.class_code, page.id_code
    own[:, 1] += len(page.class_names)
    codes = own.take(levels, axis=0, mode="wrap").transpose(0, 2, 1).reshape(-1, 2 * _LEVELS)
    first, chain, _ = distinct(codes.astype(np.uint64) @ _CHAIN_WEIGHTS)
    if not np.array_equal(codes.take(first, axis=0).take(chain, axis=0), codes):
        first = chain = np.arange(len(codes))  # keys collide, on a page made for it: each block has its own chain
    codes = codes.take(first, axis=0)
    parts, start = name_parts(page).keys()
    lengths = _bounded(np.diff(start).take(codes))
    # the rows of all parts as they are near, then as they are far
    rows = (np.concatenate([parts, mix(parts + _SALT["far"])]) % np.uint64(NAME_ROWS)).astype(np.int32)
    starts = start.take(codes) + np.where(_IS_FAR, len(parts), 0)
    bounds = np.zeros(len(codes) + 1, dtype=np.intp)
    lengths.sum(axis=1).cumsum(out=bounds[1:])
    return Bags(rows.take(ranges(starts.ravel(), lengths.ravel())), bounds), chain


def _bounded(lengths: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Return how many words of each name count: the first ones if all chains together would have too many."""
    if lengths.sum() <= _MOST_PARTS:
        return lengths
    longest = int(lengths.max())
    while np.minimum(lengths, longest).sum() > _MOST_PARTS:
        longest //= 2
    return np.minimum(lengths, longest)


@kernel("input_words.text_bags")
def _texts(blocks: Blocks) -> Bags:
    """Return the bags of the texts' words; digits count as zeros."""
    from dehusk.site.terms import term_spans  # noqa: PLC0415 (the compiled twin does without)

    starts, ends, block = term_spans(blocks)
    points, b, chars = lower(blocks.code_points), len(blocks), blocks.chars
    points[(blocks.char_class == CharClass.DIGIT).nonzero()[0]] = ord("0")
    keys = span_keys(points, starts, ends)
    before = sums_before(np.bincount(block, minlength=b))  # words before each block
    index = np.arange(len(keys))
    leads = run_starts(block).nonzero()[0]
    first = (index - before.take(block) < _FIRST_WORDS).nonzero()[0]
    last = ((index >= before[1:].take(block) - _LAST_WORDS) & (chars > _LONG).take(block)).nonzero()[0]
    pairs = leads[before[1:].take(block.take(leads)) - leads > 1]  # the words that start pairs
    length = np.minimum(chars // _BUCKET, _BUCKETS).astype(np.uint64)
    key = [
        keys.take(first),
        mix(keys.take(leads) + _SALT["start"]),
        mix(keys.take(last) + _SALT["end"]),
        pair_keys(keys.take(pairs) + _SALT["pair"], keys.take(pairs + 1)),
        mix(length + (_SALT["length"] << np.uint64(32))),
    ]
    words = block.take(np.concatenate([first, leads, last, pairs]))
    return _bags(np.concatenate([words, np.arange(b)]), np.concatenate(key) % np.uint64(TEXT_ROWS), b)


def _bags(block: npt.NDArray[np.integer], rows: Keys, b: int) -> Bags:
    start = sums_before(np.bincount(block, minlength=b))
    return Bags(rows.take(block.argsort(kind="stable")).astype(np.int32), start)


@kernel("net_inputs.groups_of")
def _groups(blocks: Blocks) -> tuple[npt.NDArray[np.intp], ...]:
    paths = distinct(slot_keys(blocks.page).take(blocks.node))[1]
    numbers = [numbered(nodes, len(blocks.page)) for nodes in enclosing_containers(blocks)]
    return (paths, *numbers, np.zeros(len(blocks), dtype=np.intp))


def slot_keys(page: Page) -> Keys:
    """Return a key of the path of tags and first classes, without digits, from the root to each node, shape (n,)."""
    names = first_class_keys(page.class_names)
    own = pair_keys(page.tag.astype(np.uint64) + np.uint64(1), names.take(page.class_code))
    own *= np.uint64(2) * page.depth.astype(np.uint64) + np.uint64(1)
    change = np.zeros(len(page) + 1, dtype=np.uint64)
    change[:-1] = own
    np.subtract.at(change, page.end, own)
    return change[:-1].cumsum(dtype=np.uint64)


def first_class_keys(names: tuple[str, ...]) -> Keys:
    """Return a key of the first class of each class attribute, in lower case and without digits, shape (names,)."""
    points = np.frombuffer("\0".join((*names, "")).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    gaps = (points <= ord(" ")).nonzero()[0]
    name_end = (points.take(gaps) == 0).nonzero()[0]  # the gap that ends each name
    before = np.append(-1, gaps)
    ends = (gaps - before[:-1] > 1).nonzero()[0]  # the gap that ends each class
    next_end = ends.searchsorted(np.append(-1, name_end[:-1]), side="right")
    ending = np.minimum(np.append(ends, len(gaps)).take(next_end), name_end)  # without a class, the end of the name
    start, end = before.take(ending) + 1, gaps.take(ending)
    is_digit = points - np.uint32(ord("0")) < 10
    digits = is_digit.nonzero()[0]
    if len(digits):
        points = points.compress(~is_digit)
        start, end = (offset - digits.searchsorted(offset) for offset in (start, end))
    return span_keys(lower(points), start, end)


def enclosing_containers(blocks: Blocks) -> list[npt.NDArray[np.intp]]:
    """Return the innermost elements around each block with more and more blocks, `CONTAINERS` of shape (b,)."""
    page, count, top = blocks.page, count_subtrees(blocks).count, topmost(blocks)
    node, containers = blocks.node.astype(np.intp), []
    for level in range(CONTAINERS):
        up = np.maximum(page.parent.take(top.take(node)), 0)
        node = np.where(count.take(node) > 1, node, up) if level == 0 else up
        containers.append(node)
    return containers
