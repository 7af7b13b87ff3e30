"""Which blocks play the same role in a list of records, and which blocks must be decided together."""

from dataclasses import dataclass

import numpy as np

from dehusk.base.caching import cached_per_object
from dehusk.base.tags import HEADINGS
from dehusk.blocks import Blocks
from dehusk.blocks.units.keys import Indices, Keys, distinct, mix, numbered
from dehusk.blocks.units.skeleton import Skeleton, skeleton_of, tag_table
from dehusk.blocks.units.structures import find_structures
from dehusk.compiled import decide
from dehusk.read.page import Bools, Ints

MANY_RECORDS = 5
"""The lists at the same path in this many records are decided together, as are tags and buttons of posts."""

_TEXT_ELEMENTS = tag_table(
    ("p", "li", "dt", "dd", "td", "th", "option", "blockquote", "figcaption", "caption", *HEADINGS)
)
_ZERO = np.uint64(0)


@dataclass(frozen=True, eq=False)
class _Parts:
    """The q elements that the records of l lists consist of, items and definitions included."""

    element: Indices
    """(q,) element of the skeleton."""
    list_of: Indices
    """(q,) list of each part."""
    kind: Indices
    """(q,) its signature; like parts of a list have the same."""
    around: Indices
    """(m,) innermost part around each element, itself included, or -1."""


@dataclass(frozen=True, eq=False)
class Grouping:
    """The roles of the b blocks of a page."""

    field: Ints
    """(b,) see `fields`."""
    is_bound: Bools
    """(b,) see `is_bound`."""
    group: Ints
    """(b,) see `decision_groups`."""


def fields(blocks: Blocks) -> Ints:
    """Return the field of each block, shape (b,): equal for the same field of all records of a list of records.

    Lists of records are `records`, lists with an item of several blocks, and definition lists. A field is a path of
    tags and first classes without digits from the record, or from its sibling part, to the block. Blocks outside
    records have -1. Lists of records at the same path in outer records share their fields, and so do nested lists
    whose records start alike, such as comments and replies.
    """
    return grouping(blocks).field


def is_bound(blocks: Blocks) -> Bools:
    """Return whether each block is in a list, a table of data or a code listing, shape (b,).

    The groups of such blocks are decided together in any case; those of other blocks only if they are alike.
    """
    return grouping(blocks).is_bound


def decision_groups(blocks: Blocks) -> Ints:
    """Return the group of each block, shape (b,): 0, 1, … in order of first appearance.

    A group holds all blocks of a code listing or of a table of data; otherwise the blocks at the same path in the items
    of the outermost list around them, or of all such lists if it is in one of `MANY_RECORDS` or more; otherwise the
    blocks of the same field of records; otherwise one block.
    """
    return grouping(blocks).group


grouping = cached_per_object(decide.grouping)
"""Return the fields and groups of the blocks, and which of them are bound."""


def _fields(blocks: Blocks) -> Ints:
    tree, parts = skeleton_of(blocks), _parts(blocks)
    field = np.full(len(blocks), -1, dtype=np.int32)
    if not len(parts.element):
        return field
    holder = _text_holders(blocks)
    inside = (parts.around[holder] >= 0).nonzero()[0]
    field[inside] = _by_first(_field_keys(tree, parts, _families(blocks), holder[inside], holder[inside]))
    return field


@cached_per_object
def _text_holders(blocks: Blocks) -> Indices:
    """Return for each block its innermost element; if that is in a paragraph, heading or item, this element, (b,).

    So a paragraph that is a link as a whole has the same path as the others.
    """
    tree = skeleton_of(blocks)
    return np.where(tree.has_tag(_TEXT_ELEMENTS)[tree.holder], tree.holder, tree.innermost)


@cached_per_object
def _parts(blocks: Blocks) -> _Parts:
    tree, parts = skeleton_of(blocks), find_structures(blocks)
    several = np.zeros(len(tree), dtype=np.bool_)
    items = parts.items.nonzero()[0]
    several[tree.parent[items[tree.end[items] - tree.first[items] > 1]]] = True
    items = items[several[tree.parent[items]]]
    lists = len(parts.records.parent)
    item_list = numbered(tree.parent[items], len(tree))
    after = lists + int(item_list.max(initial=-1)) + 1
    element = np.concatenate((parts.records.part, items, parts.pairs.part))
    index = np.full(len(tree), -1)
    index[element] = np.arange(len(element))
    around = tree.nearest(index >= 0)
    return _Parts(
        element=element,
        list_of=np.concatenate((parts.records.part_list, item_list + lists, parts.pairs.part_list + after)),
        kind=np.concatenate(
            (parts.records.part_kind, *(tree.tag[of].astype(np.intp) for of in (items, parts.pairs.part)))
        ),
        around=np.where(around >= 0, index[around], -1),
    )


def _field_keys(tree: Skeleton, parts: _Parts, families: Keys, place: Indices, holder: Indices) -> Keys:
    """Return a key for the path from the innermost part around each place, which is in one, to a holder, shape (k,)."""
    part = parts.around[place]
    path = tree.path_between(parts.element[part], holder)
    return mix(path, families[parts.list_of[part]], parts.kind[part])


@cached_per_object
def _families(blocks: Blocks) -> Keys:
    """Return a key for each list, shape (l,): equal for lists at the same path in the records of one list.

    A list whose records start like those of the list around it has the key of that list.
    """
    tree, parts = skeleton_of(blocks), _parts(blocks)
    lead, _, _ = distinct(parts.list_of)
    parent = np.maximum(tree.parent[parts.element[lead]], 0)
    around, kind = parts.around[parent], parts.kind[lead]
    is_inner, is_alike = around >= 0, (around >= 0) & (parts.kind[around] == kind)
    path = tree.path_between(np.where(is_inner, parts.element[around], parent), parent)
    own = np.where(is_inner, mix(path, kind), mix(np.arange(len(lead))))
    own[is_alike] = 0
    outer = np.append(np.where(is_inner, parts.list_of[around], len(lead)), len(lead))
    level = _sums_outwards(np.append((is_inner & ~is_alike).astype(np.uint64), _ZERO), outer)[:-1]
    return _sums_outwards(np.append(own * tree.power.take(level.astype(np.intp)), _ZERO), outer)[:-1]


def _sums_outwards(values: Keys, outer: Indices) -> Keys:
    """Return for each list the sum of its value and those of all lists around it; the last value is 0."""
    total, pointer = values.copy(), outer
    while (pointer < len(outer) - 1).any():  # each round doubles the distance
        total += total.take(pointer)
        pointer = pointer.take(pointer)
    return total


def _by_first(key: Keys) -> Ints:
    """Return the number of each key in order of first appearance, shape (k,)."""
    lead, inverse, _ = distinct(key)
    number = np.empty(len(lead), dtype=np.int32)
    number[lead.argsort()] = np.arange(len(lead), dtype=np.int32)
    return number[inverse]
