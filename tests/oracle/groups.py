"""What `dehusk.compiled.decide` computes: the roles of blocks in records, and which are decided together."""

from collections import Counter
from collections.abc import Hashable, Iterable
from functools import lru_cache
from typing import NamedTuple

from dehusk.base.tags import HEADINGS
from dehusk.blocks import Blocks
from oracle.skeleton import Tree, lineage, nearest, outermost, path_between, skeleton_of
from oracle.structures import find_structures

TEXT_ELEMENTS = HEADINGS | {"p", "li", "dt", "dd", "td", "th", "option", "blockquote", "figcaption", "caption"}
"""A link that is the whole of one of these is at the path of the others."""


class Part(NamedTuple):
    """An element that a record consists of."""

    element: int
    list_of: Hashable
    kind: int
    """The number of its signature, or its tag; the same for like parts of a list."""


def parts_of(blocks: Blocks) -> list[Part]:
    """Return the parts of records, of lists with an item of several blocks, and of definition lists."""
    tree = skeleton_of(blocks)
    masks, pairs, records = find_structures(blocks)
    items = [e for e, is_item in enumerate(masks.items) if is_item]
    several = {tree.parent[e] for e in items if tree.end[e] - tree.first[e] > 1}
    columns = zip(records.part, records.part_list, records.part_kind, strict=True)
    parts = [Part(e, ("records", of), kind) for e, of, kind in columns]
    parts += [Part(e, ("items", tree.parent[e]), tree.tag[e]) for e in items if tree.parent[e] in several]
    return parts + [Part(e, ("pairs", of), tree.tag[e]) for e, of in zip(pairs.part, pairs.part_list, strict=True)]


class Families:
    """The families of lists: lists at the same path in the records of one list are one, as are comments and replies."""

    def __init__(self, blocks: Blocks) -> None:
        """Find the parts of a page."""
        self.tree, self.parts = skeleton_of(blocks), parts_of(blocks)
        self.part_at = {part.element: part for part in self.parts}

    def part_around(self, element: int) -> Part | None:
        """Return the innermost part that an element is or lies in."""
        return next((self.part_at[e] for e in lineage(self.tree, element) if e in self.part_at), None)

    def family(self, list_of: Hashable) -> Hashable:
        """Return the key of a list; if its first part is like the part around it, that of the list around it."""
        lead = next(part for part in self.parts if part.list_of == list_of)
        parent = self.tree.parent[lead.element]
        around = self.part_around(parent)
        if around is None:
            return list_of
        outer = self.family(around.list_of)
        path = tuple(path_between(self.tree, around.element, parent))
        return outer if around.kind == lead.kind else (outer, path, lead.kind)

    def field(self, place: int, holder: int) -> Hashable:
        """Return the key of a path from the part around a place to an element; None outside of parts."""
        part = self.part_around(place)
        if part is None:
            return None
        return tuple(path_between(self.tree, part.element, holder)), self.family(part.list_of), part.kind


def text_holder(tree: Tree, innermost: int) -> int:
    """Return the element that holds a block's text: the block-level one, if that is for text, or the innermost."""
    holder = max(nearest(tree, innermost, tree.is_holder), 0)
    return holder if tree.names[holder] in TEXT_ELEMENTS else innermost


def list_key(tree: Tree, families: Families, outer: int, holder: int) -> Hashable:
    """Return the key of a block in an outermost list: the list and the path in it.

    If there are five parts or more in the family of the list of records around it, the path counts from there.
    """
    around = families.part_around(tree.parent[outer])
    holder = max(holder, outer)
    if around is not None:
        own = families.family(around.list_of)
        if Counter(families.family(part.list_of) for part in families.parts)[own] >= 5:
            return families.field(tree.parent[outer], holder)
    item = next((e for e in lineage(tree, holder) if tree.parent[e] == outer), outer)
    return tuple(path_between(tree, item, holder)), outer, tree.tag[item]


def by_first(keys: Iterable[Hashable]) -> list[int]:
    """Return the number of each key in the order of first appearance; None has -1."""
    numbers: dict[Hashable, int] = {}
    return [-1 if key is None else numbers.setdefault(key, len(numbers)) for key in keys]


@lru_cache(maxsize=4)
def grouping(blocks: Blocks) -> tuple[list[int], list[bool], list[int]]:
    """Return the field of each block in records, whether it is bound to its group, and its group.

    A group is a listing, or else a table of data, or else a path in a list, or else a field, or else one block.
    """
    tree, families, masks = skeleton_of(blocks), Families(blocks), find_structures(blocks)[0]
    lists = [a or b for a, b in zip(masks.lists, masks.definitions, strict=True)]
    fields, bound, keys = list[Hashable](), list[bool](), list[Hashable]()
    for block, innermost in enumerate(tree.innermost):
        holder = text_holder(tree, innermost)
        fields.append(families.field(holder, holder))
        of_list, table, listing = (outermost(tree, innermost, mask) for mask in (lists, masks.tables, masks.listings))
        bound.append(max(of_list, table, listing) >= 0)
        if listing >= 0 or table >= 0:
            keys.append(("listing", listing) if listing >= 0 else ("table", table))
        elif of_list >= 0:
            keys.append(("list", list_key(tree, families, of_list, holder)))
        else:
            keys.append(("block", block) if fields[-1] is None else ("field", fields[-1]))
    return by_first(fields), bound, by_first(keys)
