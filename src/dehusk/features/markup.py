"""`container.*` and `split.*`: the elements around a block and the tags before it (thesis, section 4.1)."""

from functools import lru_cache
from operator import attrgetter

import numpy as np
import numpy.typing as npt

from dehusk.backends import kernel
from dehusk.blocks import Blocks
from dehusk.features.family import Columns, Family, FeatureSettings, truths
from dehusk.tags import VOID, numbers

_Tags = npt.NDArray[np.uint16]


@kernel("features_tags.container_features")
def container_features(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return a 0/1 column for each set of tags, shape (b,)."""
    page = blocks.page
    tags, tag_bits = _container_bits(tuple(settings.containers.values()))
    bits = page.above(page.per_tag(tags, tag_bits))[blocks.node]
    columns = truths(bits, len(settings.containers))
    return {f"container.{name}": column for name, column in zip(settings.containers, columns, strict=True)}


@kernel("features_tags.split_features")
def split_features(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return a column of counts for each set of tags, shape (b,)."""
    page, b, k = blocks.page, len(blocks), len(settings.splits)
    tags, opens, closes = _split_tables(tuple(settings.splits.values()))
    counts = np.zeros((b, k), dtype=np.int64)
    nodes = page.is_one_of(tags).nonzero()[0]
    row, before = tags.searchsorted(page.tag[nodes]), np.append(0, blocks.last)
    for positions, is_counted in ((nodes, opens), (page.end[nodes], closes)):
        block = blocks.first.searchsorted(positions)  # the first that starts at the position or after it
        between = ((block < b) & (positions > before.take(block))).nonzero()[0]
        index, column = np.nonzero(is_counted[row[between]])
        counts += np.bincount(block[between][index] * k + column, minlength=b * k).reshape(b, k)
    return {f"split.{name}": counts[:, number] for number, name in enumerate(settings.splits)}


@lru_cache(maxsize=8)
def _container_bits(sets: tuple[tuple[str, ...], ...]) -> tuple[_Tags, npt.NDArray[np.uint64]]:
    """Return the tags of all sets, and for each tag one bit per set: whether the set contains it."""
    tags = numbers(frozenset(name for names in sets for name in names))
    bits = np.zeros(len(tags), dtype=np.uint64)
    for bit, names in enumerate(sets):
        bits[np.isin(tags, numbers(names))] |= np.uint64(1 << bit)
    return tags, bits


@lru_cache(maxsize=8)
def _split_tables(sets: tuple[tuple[str, ...], ...]) -> tuple[_Tags, npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Return the tags of all sets and, shape (tags, sets), which set counts a tag when it opens and when it closes."""
    tags = numbers(frozenset(name for names in sets for name in names))
    opens = np.zeros((len(tags), len(sets)), dtype=np.bool_)
    for column, names in enumerate(sets):
        opens[:, column] = np.isin(tags, numbers(names))
    return tags, opens, opens & ~np.isin(tags, numbers(VOID))[:, None]


FAMILIES = (
    Family(
        container_features,
        {"container.*": "1 if the block is in an element with one of the tags configured under this name, else 0."},
        attrgetter("containers"),
    ),
    Family(
        split_features,
        {
            "split.*": "Opening and closing tags since the previous block, of those configured under this name; a void "
            "element such as br counts once."
        },
        attrgetter("splits"),
    ),
)
