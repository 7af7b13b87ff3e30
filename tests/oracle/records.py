"""What `dehusk.compiled.decide` computes: repeated siblings of like structure, and terms with their definitions."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from dehusk.base.tags import HEADINGS, PREFORMATTED
from dehusk.blocks import Blocks
from oracle.skeleton import Tree, below, lineage, nearest, skeleton_of

NO_RECORD = HEADINGS | PREFORMATTED | {"body", "caption", "colgroup", "dd", "dt", "figcaption", "legend", "optgroup"}
NO_RECORD |= {"option", "p", "summary", "td", "th", "thead"}

Kind = tuple[int, ...]
"""What the members of a group of like siblings, or the other siblings of a signature, have in common; it sorts."""


class Records(NamedTuple):
    """The records of a page, as `dehusk.blocks.units.records.Records` has them."""

    first: list[int]
    end: list[int]
    start: list[int]
    list_of: list[int]
    parent: list[int]
    part: list[int]
    part_list: list[int]
    part_kind: list[int]


class Group(NamedTuple):
    """Siblings that are alike."""

    members: list[int]
    cohesion: float
    """How many of the paths below a member half of the members have, on average."""


class Row(NamedTuple):
    """Elements that can be parts of records: siblings in order, one parent after the other."""

    elements: list[int]
    parents: list[int]
    kinds: list[Kind]


Record = list[int]
"""The positions of the parts of a record in the row."""


def paths_below(tree: Tree, member: int) -> set[tuple[int, ...]]:
    """Return the paths of tags from a member to the elements up to three levels below it."""
    paths = set()
    for element in below(tree, member):
        inner = lineage(tree, element)[: tree.depth[element] - tree.depth[member]]
        if len(inner) <= 3:
            paths.add(tuple(tree.tag[e] for e in inner))
    return paths


def common_paths(tree: Tree, members: list[int]) -> set[tuple[int, ...]]:
    """Return the paths that at least half of some elements have below them; of two elements, both."""
    counts = Counter(path for member in members for path in paths_below(tree, member))
    return {path for path, count in counts.items() if count >= (2 if len(members) == 2 else len(members) / 2)}


def like_siblings(tree: Tree, eligible: list[bool]) -> list[Group]:
    """Return groups with the same parent and signature; a group that is like the largest of its tag joins that."""
    groups = defaultdict(list)
    for e, can_be in enumerate(eligible):
        if can_be:
            groups[tree.parent[e], tree.signature[e]].append(e)
    common = {key: common_paths(tree, members) for key, members in groups.items()}
    joined: dict[tuple[int, int], list[int]] = {}
    for key, members in sorted(groups.items()):
        kin = [k for k in sorted(groups) if k[0] == key[0] and (k[1] - key[1]) % tree.n_tags == 0]
        kin.sort(key=lambda k: (-len(groups[k]), groups[k][0]))
        largest, number = kin[0], len(common[key])
        shared = len(common[key] & common[largest])
        is_alike = number > 1 and shared >= 0.6 * max(number, len(common[largest]))
        joined.setdefault(largest if is_alike else key, []).extend(members)
    return [Group(sorted(members), cohesion(tree, groups[key], common[key])) for key, members in sorted(joined.items())]


def cohesion(tree: Tree, members: list[int], common: set[tuple[int, ...]]) -> float:
    """Return which part of the paths below each member are common, the mean over the members."""
    paths = [paths_below(tree, member) for member in members]
    return sum(len(own & common) / len(own) if own else 1.0 for own in paths) / len(members)


def row_of(tree: Tree, groups: list[Group], taken: list[bool]) -> Row:
    """Return all elements that are free, with the group of each or, outside of groups, its parent and signature."""
    group_of = {member: number for number, group in enumerate(groups) for member in group.members}
    free = sorted((parent, e) for e, parent in enumerate(tree.parent) if parent >= 0 and not taken[e])
    elements, parents = [e for _, e in free], [parent for parent, _ in free]
    kinds: list[Kind] = [
        (0, group_of[e]) if e in group_of else (1, tree.parent[e], tree.signature[e]) for e in elements
    ]
    return Row(elements, parents, kinds)


def cut(row: Row, starts: list[int], *, every: bool = False) -> dict[Kind, list[Record]]:
    """Return lists of records by the kind of their starts; a record has the siblings up to the next start.

    Without `every`, only those belong to it whose kind is in most records of the list; and the last one of a list ends
    before the first sibling that does not, and is no longer than the longest other record of the list.
    """
    lists = defaultdict[Kind, list[Record]](list)
    for number, start in enumerate(starts):
        stop = [*starts, len(row.kinds)][number + 1]
        siblings = [at for at in range(start, stop) if row.parents[at] == row.parents[start]]
        lists[(row.parents[start],) if every else row.kinds[start]].append(siblings)
    return dict(lists) if every else {kind: usual_parts(row, starts, records) for kind, records in lists.items()}


def usual_parts(row: Row, starts: list[int], records: list[Record]) -> list[Record]:
    """Return the records of a list without the siblings that are no parts of them."""
    counts = Counter(kind for record in records for kind in {row.kinds[at] for at in record})
    usual = {kind for kind, count in counts.items() if count > 1 and count >= 0.6 * len(records)}
    found = [[at for at in record if row.kinds[at] in usual or at == record[0]] for record in records]
    gaps = [starts[starts.index(record[0]) + 1] - record[0] for record in records[:-1]]
    longest, start = max(gaps, default=1), records[-1][0]
    last = [at for n, at in enumerate(found[-1]) if at == start + n and n < longest]
    return [*found[:-1], last]


def first_of_most(candidates: list[list[int]]) -> list[int]:
    """Return the first of some lists of positions that is at least .6 times as long as the longest of them."""
    most = max(map(len, candidates))
    return next(positions for positions in sorted(candidates) if len(positions) >= 0.6 * most)


def heading_starts(tree: Tree, row: Row) -> list[int]:
    """Return where headings, and paragraphs with a class, start records: three or more of a kind under one parent."""
    positions = defaultdict(list)
    for at, e in enumerate(row.elements):
        if tree.names[e] in HEADINGS or (tree.names[e] == "p" and tree.signature[e] >= tree.n_tags):
            positions[row.parents[at], row.kinds[at]].append(at)
    of_parent = defaultdict(list)
    for (parent, _), found in positions.items():
        if len(found) >= 3:
            of_parent[parent].append(found)
    return sorted(at for candidates in of_parent.values() for at in first_of_most(candidates))


def is_regular(row: Row, records: list[Record]) -> bool:
    """Return whether half of the records or more have the same parts in the same places, two parts or more."""
    shapes = Counter(tuple((row.kinds[at], at - record[0]) for at in record) for record in records if len(record) > 1)
    return 2 * max(shapes.values(), default=0) >= len(records)


def is_dense(records: list[Record]) -> bool:
    """Return whether there are no more other siblings between the records than records."""
    span = max(record[-1] for record in records) + 1 - min(record[0] for record in records)
    return span - sum(map(len, records)) <= len(records)


def are_records(blocks: Blocks, tree: Tree, group: Group, posts: list[bool]) -> bool:
    """Return whether like siblings are records: posts; or three, or two long ones or articles, with a like content."""
    size, lead = len(group.members), group.members[0]
    if posts[lead] and (size > 1 or any(is_nested_post(tree, e, posts) for e in group.members)):
        return True
    words = [0] * size
    for number, e in enumerate(group.members):
        for block in range(tree.first[e], tree.end[e]):
            unlinked, chars = blocks.words - blocks.link_words, blocks.chars - blocks.link_chars
            words[number] += max(int(unlinked[block]), int(chars[block]) // 6)
    is_article = tree.names[lead] == "article"
    has_name = tree.signature[lead] >= tree.n_tags
    has_several = any(tree.end[e] - tree.first[e] > 1 for e in group.members)
    enough = size >= 3 or (size > 1 and (min(words) >= 40 or is_article))
    return enough and group.cohesion >= 0.5 and (has_several or has_name or is_article)


def is_nested_post(tree: Tree, element: int, posts: list[bool]) -> bool:
    """Return whether a post is right in or right around a post with the same signature."""
    if not posts[element]:
        return False
    around = nearest(tree, tree.parent[element], posts)
    inner = [e for e in below(tree, element) if posts[e] and nearest(tree, tree.parent[e], posts) == element]
    return any(e >= 0 and tree.signature[e] == tree.signature[element] for e in (around, *inner))


def plain_starts(row: Row, good: list[Kind], headed: list[Record]) -> list[int]:
    """Return where like siblings start records; of groups that alternate, one starts the records of all."""
    covered = {at for record in headed for at in range(record[0], record[-1] + 1)}
    groups = [[at for at, kind in enumerate(row.kinds) if kind == own] for own in good]
    clusters: list[list[list[int]]] = []
    reach = -1
    for positions in sorted(groups):
        if not covered.isdisjoint(range(positions[0], positions[-1] + 1)):
            continue
        if positions[0] > reach:
            clusters.append([])
        clusters[-1].append(positions)
        reach = max(reach, positions[-1])
    return sorted(at for cluster in clusters for at in first_of_most(cluster))


def resolved(tree: Tree, row: Row, lists: Sequence[list[Record]]) -> Records:
    """Return the records of some lists in the order of their starts, as elements and blocks."""
    ordered = sorted((record, number) for number, records in enumerate(lists) for record in records)
    parts = [(row.elements[at], number, row.kinds[at]) for record, number in ordered for at in record]
    kinds: dict[Kind, int] = {}
    for e, _, kind in parts:
        kinds.setdefault(kind, tree.signature[e])
    return Records(
        first=[tree.first[row.elements[record[0]]] for record, _ in ordered],
        end=[tree.end[row.elements[record[-1]]] for record, _ in ordered],
        start=[row.elements[record[0]] for record, _ in ordered],
        list_of=[number for _, number in ordered],
        parent=[row.parents[records[0][0]] for records in lists],
        part=[e for e, _, _ in parts],
        part_list=[number for _, number, _ in parts],
        part_kind=[kinds[kind] for _, _, kind in parts],
    )


def find_pairs(blocks: Blocks) -> Records:
    """Return the terms of definition lists, each with what follows up to the next term after a definition."""
    tree = skeleton_of(blocks)
    children = sorted((p, e) for e, p in enumerate(tree.parent) if p >= 0 and tree.names[p] == "dl")
    elements, parents = [e for _, e in children], [parent for parent, _ in children]
    row = Row(elements, parents, [(tree.signature[e],) for e in elements])
    is_term = [tree.names[e] == "dt" for e in elements]
    starts = []
    for at, term in enumerate(is_term):
        if term and not (at and is_term[at - 1] and parents[at - 1] == parents[at]):
            starts.append(at)
    lists = cut(row, starts, every=True)
    return resolved(tree, row, [records for _, records in sorted(lists.items())])


def find_records(blocks: Blocks, taken: list[bool]) -> Records:
    """Return the lists of records: those that headings start, then those of like siblings."""
    tree = skeleton_of(blocks)
    elements = range(len(tree.node))
    has_holder = [tree.is_holder[e] or any(tree.is_holder[inner] for inner in below(tree, e)) for e in elements]
    can_be = [has_holder[e] and not taken[e] and tree.names[e] not in NO_RECORD for e in elements]
    posts = [can_be[e] and tree.is_post[e] for e in elements]
    kin = Counter((tree.parent[e], tree.tag[e]) for e in elements if can_be[e])
    groups = like_siblings(tree, [posts[e] or (can_be[e] and kin[tree.parent[e], tree.tag[e]] > 1) for e in elements])
    row = row_of(tree, groups, taken)
    headed = [records for _, records in sorted(cut(row, heading_starts(tree, row)).items()) if is_regular(row, records)]
    good: list[Kind] = [(0, n) for n, group in enumerate(groups) if are_records(blocks, tree, group, posts)]
    plain = cut(row, plain_starts(row, good, [record for records in headed for record in records]))
    lists = []
    for _, records in sorted(plain.items()):
        shortened = records if is_regular(row, records) else [record[:1] for record in records]
        if is_dense(shortened):
            lists.append(shortened)
    return joined(resolved(tree, row, headed), resolved(tree, row, lists))


def joined(headed: Records, plain: Records) -> Records:
    """Return both, the second with the next numbers of lists."""
    lists = len(headed.parent)
    moved = plain._replace(
        list_of=[number + lists for number in plain.list_of], part_list=[number + lists for number in plain.part_list]
    )
    return Records(*(a + b for a, b in zip(headed, moved, strict=True)))
