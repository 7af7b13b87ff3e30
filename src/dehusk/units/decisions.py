"""Which blocks play the same role in a list of records, and which blocks must be decided together."""

import numpy as np

from dehusk.blocks import Blocks
from dehusk.caching import cached_per_object
from dehusk.page import Ints
from dehusk.tags import HEADINGS, numbers
from dehusk.units.skeleton import Indices, Keys, Skeleton, mix, skeleton_of
from dehusk.units.structures import Structures, find_structures

_TEXT_ELEMENTS = numbers(
    ("p", "li", "dt", "dd", "td", "th", "option", "blockquote", "figcaption", "caption", *HEADINGS)
)


@cached_per_object
def fields(blocks: Blocks) -> Ints:
    """Return the field of each block, shape (b,): equal for the same field of all records of a list of records.

    Lists of records are `records`, lists with an item of several blocks, and definition lists. A field is a path of
    tags and first classes without digits from the record, or from its sibling part, to the block. Blocks outside
    records have -1. Nested lists whose records start alike, such as comments and replies, share their fields.
    """
    tree = skeleton_of(blocks)
    part, list_of, kind = _parts(tree, find_structures(blocks))
    if not len(part):
        return np.full(len(blocks), -1, dtype=np.int32)
    member = np.full(len(tree), -1)
    member[part] = np.arange(len(part))
    holder = _text_holders(tree)
    outer = tree.nearest(member >= 0)[holder]
    inside = np.flatnonzero(outer >= 0)
    family = _families(tree, part, list_of, kind)
    index = member[outer[inside]]
    path = tree.path_between(outer[inside], holder[inside])
    key = mix(path, family[list_of[index]].astype(np.uint64), kind[index].astype(np.uint64))
    field = np.full(len(blocks), -1, dtype=np.int32)
    field[inside] = _by_first(key)
    return field


@cached_per_object
def decision_groups(blocks: Blocks) -> Ints:
    """Return the group of each block, shape (b,): 0, 1, … in order of first appearance.

    A group holds all blocks of a code listing or of a table of data; otherwise the blocks at the same path of the
    outermost list around them; otherwise the blocks of the same field of records; otherwise one block.
    """
    tree, parts = skeleton_of(blocks), find_structures(blocks)
    b, holder = len(blocks), _text_holders(tree)
    field = fields(blocks)
    source = np.where(field >= 0, 1, 0)
    key = np.where(field >= 0, field, np.arange(b)).astype(np.uint64)
    listed = tree.outermost(parts.lists | parts.definitions)[tree.innermost]
    inside = np.flatnonzero(listed >= 0)
    source[inside] = 2
    path = tree.path_between(listed[inside], np.maximum(holder[inside], listed[inside]))
    key[inside] = mix(path, listed[inside].astype(np.uint64))
    for number, mask in ((3, parts.tables), (4, parts.listings)):
        whole = tree.outermost(mask)[tree.innermost]
        source = np.where(whole >= 0, number, source)
        key = np.where(whole >= 0, whole.astype(np.uint64), key)
    return _by_first(mix(key, source.astype(np.uint64)))


def _text_holders(tree: Skeleton) -> Indices:
    """Return for each block its innermost element; if that is in a paragraph, heading or item, this element, (b,).

    So a paragraph that is a link as a whole has the same path as the others.
    """
    holder = tree.nearest(tree.is_holder)[tree.innermost]
    is_text = tree.has_tag(_TEXT_ELEMENTS)[np.maximum(holder, 0)] & (holder >= 0)
    return np.where(is_text, holder, tree.innermost)


def _parts(tree: Skeleton, parts: Structures) -> tuple[Indices, Indices, Indices]:
    """Return the elements that records consist of, the list of each, and its signature in the list."""
    several = np.zeros(len(tree), dtype=np.bool_)
    items = np.flatnonzero(parts.items)
    several[tree.parent[items[tree.end[items] - tree.first[items] > 1]]] = True
    items = items[several[tree.parent[items]]]
    lists = len(parts.records.parent)
    _, item_list = np.unique(tree.parent[items], return_inverse=True)
    after = lists + int(item_list.max(initial=-1)) + 1
    return (
        np.concatenate((parts.records.part, items, parts.pairs.part)),
        np.concatenate((parts.records.part_list, item_list + lists, parts.pairs.part_list + after)),
        np.concatenate(
            (parts.records.part_kind, tree.tag[items].astype(np.intp), tree.tag[parts.pairs.part].astype(np.intp))
        ),
    )


def _families(tree: Skeleton, part: Indices, list_of: Indices, kind: Indices) -> Indices:
    """Return for each list the outermost list around it whose records start alike, one in the other, shape (l,)."""
    lists, lead = np.unique(list_of, return_index=True)
    member = np.full(len(tree), -1)
    member[part] = np.arange(len(part))
    around = tree.nearest(member >= 0)[np.maximum(tree.parent[part[lead]], 0)]
    enclosing = np.where(around >= 0, member[around], 0)
    is_alike = (around >= 0) & (kind[enclosing] == kind[lead])
    pointer = np.where(is_alike, list_of[enclosing], lists)
    for _ in range(int(tree.depth.max()).bit_length()):  # see `Page.nearest`
        pointer = pointer.take(pointer)
    return pointer


def _by_first(key: Keys) -> Ints:
    """Return the number of each key in order of first appearance, shape (k,)."""
    _, lead, inverse = np.unique(key, return_index=True, return_inverse=True)
    number = np.empty(len(lead), dtype=np.int32)
    number[np.argsort(lead)] = np.arange(len(lead), dtype=np.int32)
    return number[inverse]
