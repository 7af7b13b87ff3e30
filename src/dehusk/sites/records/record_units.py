"""The records of a page: the page itself, its posts, or the rows, items and repeated elements of one of its lists."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from dehusk.about.posts import find_posts, permalinks_of
from dehusk.base.caching import cached_per_object
from dehusk.blocks import Blocks
from dehusk.blocks.units.hierarchy import DEFINITIONS, ITEM, RECORD, ROW, Units, find_units
from dehusk.blocks.units.keys import Indices, distinct, mix
from dehusk.sites.records.paths import element_paths
from dehusk.sites.records.pieces import page_pieces

RecordKind = Literal["page", "post", "list"]
POST_COLUMNS = ("author", "author address", "date", "date shown", "text", "permalink", "depth", "kind")
"""Columns of posts that are read by `dehusk.about.posts`."""
CANDIDATES, LOOKED_AT = 6, 12
"""Lists with most words that are compared, and pages on which their records are."""
MIN_ALIKE = 0.5
"""Records of a list are alike if half of them have this share of the paths of each, on average."""
MIN_RECORDS = 2.5
"""Mean number of records that pages must have."""


@dataclass(frozen=True)
class RowPlan:
    """What the rows of a template are."""

    kind: RecordKind = "page"
    lists: tuple[int, ...] = ()
    """Keys of the paths of the elements around the records, if they are those of lists."""


@dataclass(frozen=True, eq=False)
class RecordUnits:
    """The r records of a page with b blocks."""

    record_of: Indices | None
    """(b,) record of each block of which columns are learned, -1 for others; None if the page is the record."""
    roots: Indices
    """(r,) element that each record starts with."""
    ends: Indices
    """(r,) one past the last node of each record."""
    fixed: tuple[dict[str, str | int | None], ...] = field(default=())
    """(r,) what is known of posts, by name of `POST_COLUMNS`."""

    def __len__(self) -> int:
        return len(self.roots)

    def record_around(self, nodes: Indices) -> Indices:
        """Return the record that each node is in, -1 for none, shape (k,)."""
        if not len(self):
            return np.full(len(nodes), -1)
        order = np.argsort(self.roots, kind="stable")
        found = order[np.maximum(self.roots[order].searchsorted(nodes, "right") - 1, 0)]
        is_inside = (self.roots.take(found) <= nodes) & (nodes < self.ends.take(found))
        return np.where(is_inside, found, -1)


def records_of(blocks: Blocks, plan: RowPlan) -> RecordUnits:
    """Return the records of a page."""
    if plan.kind == "post":
        return _posts(blocks)
    if plan.kind == "list":
        return _listed(blocks, plan)
    return RecordUnits(None, np.zeros(1, dtype=np.intp), np.array([len(blocks.page)]))


def _posts(blocks: Blocks) -> RecordUnits:
    posts = find_posts(blocks)
    is_text = (posts.post_of >= 0) & ~posts.is_line
    texts: list[list[str]] = [[] for _ in posts.posts]
    for block in np.flatnonzero(is_text).tolist():
        texts[int(posts.post_of[block])].append(blocks.texts[block])
    fixed = tuple(
        {
            "author": post.author,
            "author address": post.author_link,
            "date": post.date,
            "date shown": post.date_text,
            "text": "\n".join(lines) or None,
            "permalink": link,
            "depth": post.depth,
            "kind": post.kind,
        }
        for post, lines, link in zip(posts.posts, texts, permalinks_of(blocks, posts), strict=True)
    )
    roots = np.array([post.node for post in posts.posts], dtype=np.intp)
    last = np.array([post.end - 1 for post in posts.posts], dtype=np.intp)
    ends = blocks.last[last].astype(np.intp) + 1 if len(last) else last
    return RecordUnits(np.where(is_text, -1, posts.post_of), roots, ends, fixed)


@cached_per_object
def _members(blocks: Blocks) -> tuple[Units, Indices, Indices]:
    """Return the units, those that can be records, and the key of the path of the unit around each of these."""
    units = find_units(blocks)
    is_member = np.isin(units.kind, (ITEM, ROW, RECORD)) & ~units.is_header & (units.parent >= 0)
    is_member &= units.kind.take(np.maximum(units.parent, 0)) != DEFINITIONS
    member = np.flatnonzero(is_member)
    around = units.node.take(units.parent.take(member))
    keys = element_paths(blocks.page).loose.take(np.maximum(around, 0))
    return units, member, (keys >> np.uint64(1)).astype(np.intp)


def _listed(blocks: Blocks, plan: RowPlan) -> RecordUnits:
    units, member, keys = _members(blocks)
    chosen = member[np.isin(keys, np.array(plan.lists, dtype=np.intp))]
    record_of = np.full(len(blocks), -1)
    for number, unit in enumerate(chosen.tolist()):
        record_of[units.first[unit] : units.end[unit]] = number
    ends = blocks.last[np.maximum(units.end[chosen] - 1, 0)].astype(np.intp) + 1
    return RecordUnits(record_of, units.node[chosen].astype(np.intp), ends)


def best_list(pages: Sequence[Blocks]) -> RowPlan:
    """Return the list that holds most of the words of a template's pages in records that are alike.

    Words in links count half, as menus consist of links. Rows are pages if the pages have no list in common.
    """
    weights: dict[int, float] = defaultdict(float)
    records: dict[int, int] = defaultdict(int)
    holders: dict[int, int] = defaultdict(int)
    for blocks in pages:
        units, member, keys = _members(blocks)
        words = np.append(0, np.cumsum(blocks.words - blocks.link_words / 2))
        gained = words[units.end[member]] - words[units.first[member]]
        for key, weight in zip(keys.tolist(), gained.tolist(), strict=True):
            weights[key] += weight
            records[key] += 1
        for key in set(keys.tolist()):
            holders[key] += 1
    many = [key for key in weights if records[key] >= MIN_RECORDS * len(pages) and 2 * holders[key] >= len(pages)]
    many.sort(key=lambda key: (-weights[key], key))
    plans = [RowPlan("list", (key,)) for key in many[:CANDIDATES]]
    likeness = [_likeness(pages, plan) for plan in plans]
    scores = [weights[plan.lists[0]] * alike for plan, alike in zip(plans, likeness, strict=True) if alike >= MIN_ALIKE]
    chosen = [plan for plan, alike in zip(plans, likeness, strict=True) if alike >= MIN_ALIKE]
    return chosen[int(np.argmax(scores))] if chosen else RowPlan()


def _likeness(pages: Sequence[Blocks], plan: RowPlan) -> float:
    """Return the mean over the records of a list of the share of their paths that half of the records have."""
    paths, owners, records = [], [], 0
    for blocks in pages[:LOOKED_AT]:
        units, pieces, page = _listed(blocks, plan), page_pieces(blocks), blocks.page
        owner = np.full(len(pieces), -1) if units.record_of is None else units.record_of.take(pieces.block)
        held = np.flatnonzero(owner >= 0)
        root, element = units.roots.take(owner[held]), page.parent.take(pieces.node[held]).astype(np.intp)
        paths.append(element_paths(page).below(page, root, element, exact=False))
        owners.append(owner[held] + records)
        records += len(units)
    path, record = np.concatenate(paths), np.concatenate(owners)
    lead, _, _ = distinct(mix(path, record))
    _, number, size = distinct(path[lead])
    is_common = 2 * size.take(number) >= records
    total = np.bincount(record[lead], minlength=max(1, records))
    common = np.bincount(record[lead], weights=is_common, minlength=max(1, records))
    return float((common[total > 0] / total[total > 0]).mean()) if total.any() else 0.0
