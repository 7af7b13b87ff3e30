"""`container.*` and `split.*`: which elements hold a block and which tags stand before it (thesis, section 4.1)."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.features.settings import Columns, FeatureSettings
from dehusk.tags import VOID, numbers

DOC = {
    "container.*": "1 where one of the configured tags is above the block, else 0.",
    "split.*": "Opening and closing tags of the configured kind since the block before (a void element counts once).",
}


def containers(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return one 0/1 column for each configured container, shape (b,)."""
    page = blocks.page
    names = list(settings.containers)
    tags, bits = _container_bits(tuple(settings.containers.values()))
    held = page.above(page.per_tag(tags, bits))[blocks.node]
    return {f"container.{name}": (held >> np.uint64(bit)) & np.uint64(1) > 0 for bit, name in enumerate(names)}


def splits(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return one column of counts for each configured kind of tag, shape (b,)."""
    page, b, k = blocks.page, len(blocks), len(settings.splits)
    tags, kinds, closing = _split_kinds(tuple(settings.splits.values()))
    counts = np.zeros((b, k), dtype=np.int64)
    nodes = np.flatnonzero(page.is_one_of(tags))
    row, before = np.searchsorted(tags, page.tag[nodes]), np.append(0, blocks.last)
    for places, counted in ((nodes, kinds), (page.end[nodes], closing)):
        block = np.searchsorted(blocks.first, places)  # the first that begins at the place or after it
        between = np.flatnonzero((block < b) & (places > before.take(block)))
        place, kind = np.nonzero(counted[row[between]])
        counts += np.bincount(block[between][place] * k + kind, minlength=b * k).reshape(b, k)
    return {f"split.{name}": counts[:, number] for number, name in enumerate(settings.splits)}


_Tags = npt.NDArray[np.uint16]


@lru_cache(maxsize=8)
def _container_bits(sets: tuple[tuple[str, ...], ...]) -> tuple[_Tags, npt.NDArray[np.uint64]]:
    """Return the tags of all sets and for each tag a bit for every set that has it."""
    tags = numbers(frozenset(name for names in sets for name in names))
    bits = np.zeros(len(tags), dtype=np.uint64)
    for bit, names in enumerate(sets):
        bits[np.isin(tags, numbers(names))] |= np.uint64(1 << bit)
    return tags, bits


@lru_cache(maxsize=8)
def _split_kinds(sets: tuple[tuple[str, ...], ...]) -> tuple[_Tags, npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Return the tags of all sets and, shape (tags, sets), which count when they open and when they close."""
    tags = numbers(frozenset(name for names in sets for name in names))
    kinds = np.zeros((len(tags), len(sets)), dtype=np.bool_)
    for kind, names in enumerate(sets):
        kinds[:, kind] = np.isin(tags, numbers(names))
    return tags, kinds, kinds & ~np.isin(tags, numbers(VOID))[:, None]
