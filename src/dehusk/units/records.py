"""Records: repeated sibling subtrees of like structure under one parent, such as posts, cards and rows of `div`s.

A record starts at a sibling whose signature (tag and first class without digits) repeats. Siblings with other
signatures belong to the record if the same ones follow most of the starts in the same order; others, such as
advertisements, stand between records.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from dehusk.backends import kernel
from dehusk.blocks import Blocks
from dehusk.page import Bools
from dehusk.tags import HEADINGS, PREFORMATTED
from dehusk.units.keys import Indices, distinct, run_starts, sums_before
from dehusk.units.likeness import Siblings, like_siblings
from dehusk.units.segments import Cut, Row, cut, is_dense, is_regular
from dehusk.units.skeleton import CHARS_PER_WORD, Skeleton, skeleton_of, tag_table

MIN_RECORDS = 3
"""Members of a list of records, if they are not long or named like posts; then two are enough."""
LONG_RECORD = 40
"""Number of unlinked words in long records."""
MIN_COHESION = 0.5
"""Share of the paths below like siblings that at least half of them must have."""
MAIN_STARTS = 0.6
"""Of siblings that alternate, the first start records if they are this many times as many as the most frequent."""

_NO_RECORD = tag_table(
    ("p", "dt", "dd", "td", "th", "option", "optgroup", "thead", "caption", "colgroup", "figcaption", "body", "summary",
     "legend", *HEADINGS, *PREFORMATTED)
)  # fmt: skip
_HEADING, _P = tag_table(HEADINGS), tag_table("p")
_ARTICLE = tag_table("article")
_DEFINITIONS, _TERM = tag_table("dl"), tag_table("dt")


@dataclass(frozen=True, eq=False)
class Records:
    """The records of a page: r records in l lists, made of q parts."""

    first: Indices
    """(r,) first block of each record."""
    end: Indices
    """(r,) one past its last block."""
    start: Indices
    """(r,) element that each record starts with."""
    list_of: Indices
    """(r,) list of each record."""
    parent: Indices
    """(l,) element around each list."""
    part: Indices
    """(q,) elements that the records consist of: siblings."""
    part_list: Indices
    """(q,) list of each part."""
    part_kind: Indices
    """(q,) signature of each part; like parts of a list have the same."""


@cache
def no_records() -> Records:
    """Return no record, in no list."""
    none = np.zeros(0, dtype=np.intp)
    return Records(none, none, none, none, none, none, none, none)


@kernel("records.find_records")
def find_records(blocks: Blocks, taken: Bools) -> Records:
    """Return the lists of records of a page.

    Args:
        blocks: the blocks of a page.
        taken: which elements of the skeleton, shape (m,), cannot be records: items of lists, and what is inside data
            tables and code listings.
    """
    tree = skeleton_of(blocks)
    has_blocks_inside = tree.counts_inside(tree.is_holder) > 0
    eligible = ~taken & ~tree.has_tag(_NO_RECORD) & (tree.is_holder | has_blocks_inside)
    is_post = eligible & tree.is_post
    eligible &= _has_sibling(tree, eligible) | is_post
    siblings = like_siblings(tree, eligible)
    row = Row.of(tree, siblings, ~taken)
    headed = cut(row, *_heading_starts(tree, row))
    if len(headed.start):
        headed = headed.only(is_regular(row, headed))
    good = _are_records(blocks, siblings, is_post)
    plain = cut(row, *_starts(row, good, headed))
    if len(plain.start):
        plain = plain.starts_only(~is_regular(row, plain))
        plain = plain.only(is_dense(plain))
    return _resolved(tree, row, headed.joined(plain))


@kernel("records.find_pairs")
def find_pairs(blocks: Blocks) -> Records:
    """Return the terms of definition lists, each with what defines it, as records."""
    tree = skeleton_of(blocks)
    is_list = tree.has_tag(_DEFINITIONS)
    if not is_list.any():
        return no_records()
    element = is_list[np.maximum(tree.parent, 0)].nonzero()[0]
    element = element[tree.parent[element].argsort(kind="stable")]
    parent, is_term = tree.parent[element], tree.has_tag(_TERM)[element]
    row = Row(element, parent, tree.signature[element])
    follows_term = np.append(False, is_term[:-1] & (parent[1:] == parent[:-1]))[: len(element)]
    start = (is_term & ~follows_term).nonzero()[0]
    return _resolved(tree, row, cut(row, start, parent[start], every=True))


def _resolved(tree: Skeleton, row: Row, records: Cut) -> Records:
    """Return records as elements and blocks."""
    start, last = row.element[records.start], row.element[records.stop - 1]
    lead = _first_index(records.list_of, int(records.list_of.max(initial=-1)) + 1)
    part = row.element[records.part]
    lead_of_kind, kind, _ = distinct(row.kind[records.part])
    return Records(
        first=tree.first[start],
        end=tree.end[last],
        start=start,
        list_of=records.list_of,
        parent=row.parent[records.start[lead]],
        part=part,
        part_list=records.list_of[records.record_of],
        part_kind=tree.signature[part[lead_of_kind]][kind],
    )


def _heading_starts(tree: Skeleton, row: Row) -> tuple[Indices, Indices]:
    """Return the positions of headings, and of paragraphs with a class, that may start records, and their lists."""
    thin = tree.has_tag(_HEADING) | (tree.has_tag(_P) & (tree.signature >= tree.n_tags))
    position = thin[row.element].nonzero()[0]
    lead, kind, size = distinct(row.kind[position])
    many = size >= MIN_RECORDS
    if not many.any():
        return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)
    chosen = _first_of_most(lead[many], size[many], row.parent[position[lead[many]]])
    is_chosen = np.zeros(len(size), dtype=np.bool_)
    is_chosen[many.nonzero()[0][chosen]] = True
    return position[is_chosen[kind]], kind[is_chosen[kind]]


def _are_records(blocks: Blocks, siblings: Siblings, is_post: Bools) -> Bools:
    """Return which groups of like siblings are records, shape (g,)."""
    tree, group, size = skeleton_of(blocks), siblings.group, siblings.size
    element = siblings.element
    unlinked = np.maximum(blocks.words - blocks.link_words, (blocks.chars - blocks.link_chars) // CHARS_PER_WORD)
    before = sums_before(unlinked)
    words = np.full(len(size), np.iinfo(np.int64).max)
    np.minimum.at(words, group, before[tree.end[element]] - before[tree.first[element]])
    blocks_inside = np.zeros(len(size), dtype=np.intp)
    np.maximum.at(blocks_inside, group, tree.end[element] - tree.first[element])
    token, lead = tree.signature[element] // tree.n_tags, _first_index(group, len(size))
    is_nested = np.zeros(len(size), dtype=np.bool_)
    is_nested[group[_nested_posts(tree, is_post)[element]]] = True
    is_post = is_post[element[lead]] & ((size > 1) | is_nested)
    is_article = tree.has_tag(_ARTICLE)[element[lead]]
    enough = (size >= MIN_RECORDS) | ((size > 1) & ((words >= LONG_RECORD) | is_article))
    shaped = (siblings.cohesion >= MIN_COHESION) & ((blocks_inside > 1) | (token[lead] > 0) | is_article)
    return is_post | (enough & shaped)


def _has_sibling(tree: Skeleton, eligible: Bools) -> Bools:
    """Return which elements, shape (m,), have a sibling with the same tag, both of a mask."""
    element, mask = eligible.nonzero()[0], np.zeros(len(tree), dtype=np.bool_)
    _, number, size = distinct(tree.parent[element] * tree.n_tags + tree.tag[element])
    mask[element] = size[number] > 1
    return mask


def _nested_posts(tree: Skeleton, is_post: Bools) -> Bools:
    """Return which posts, shape (m,), are in or around a post with the same signature."""
    around = tree.nearest(is_post)[np.maximum(tree.parent, 0)]
    inner = (is_post & (around >= 0) & (tree.signature == tree.signature[around]) & (tree.parent >= 0)).nonzero()[0]
    nested = np.zeros(len(tree), dtype=np.bool_)
    nested[inner] = nested[around[inner]] = True
    return nested


def _first_index(group: Indices, number: int) -> Indices:
    """Return the index of the first member of each group."""
    first = np.zeros(number, dtype=np.intp)
    first[group[::-1]] = np.arange(len(group))[::-1]
    return first


def _starts(row: Row, good: Bools, headed: Cut) -> tuple[Indices, Indices]:
    """Return the positions at which records start, and the list of each.

    Groups of siblings that alternate form one list.
    """
    position = (row.kind < len(good)).nonzero()[0]
    position = position[good[row.kind[position]]]
    kind = row.kind[position]
    first, last = np.full(len(good), len(row.kind)), np.full(len(good), -1)
    np.minimum.at(first, kind, position)
    np.maximum.at(last, kind, position)
    covered = sums_before(headed.covers(len(row.kind)))
    groups = good.nonzero()[0]
    groups = groups[covered[last[groups] + 1] == covered[first[groups]]]
    groups = groups[first[groups].argsort(kind="stable")]
    reach = np.maximum.accumulate(last[groups])
    cluster = np.append(True, first[groups][1:] > reach[:-1])[: len(groups)].cumsum()
    size = np.bincount(kind, minlength=len(good))
    chosen = np.zeros(len(good), dtype=np.bool_)
    chosen[groups[_first_of_most(first[groups], size[groups], cluster)]] = True
    return position[chosen[kind]], kind[chosen[kind]]


def _first_of_most(first: Indices, size: Indices, cluster: Indices) -> Indices:
    """Return the index of the group in each cluster that starts its records.

    It is the first of those that have at least `MAIN_STARTS` times as many members as the largest. The groups of a
    cluster come first before those of the next.
    """
    order = first.argsort()
    starts = run_starts(cluster[order])
    size, number = size[order], starts.cumsum() - 1
    largest = np.maximum.reduceat(size, starts.nonzero()[0])
    enough: Indices = (size >= MAIN_STARTS * largest[number]).nonzero()[0]
    return order[enough[run_starts(number[enough])]]
