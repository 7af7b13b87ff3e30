"""Labels with their values as definition lists, element by element."""

from itertools import pairwise

from dehusk.read.page import Page
from oracle.pruning import has_ink
from oracle.tree import lineages, tag_names

SIDES = {*["b", "div", "dfn", "em", "i", "label", "p", "span", "strong"]}
INSIDE = {*SIDES, *["#text", "a", "abbr", "bdi", "data", "s", "small", "sub", "sup", "time", "u", "wbr"]}


def pair_of(page: Page, nodes: list[int], holder: int) -> list[int] | None:
    """Return an element, its label and its value, if it has nothing else among some nodes."""
    tags = tag_names(page)
    within = {node: [each for each in nodes if node < each < page.end[node]] for node in (holder, *nodes)}
    children = [node for node in within[holder] if page.parent[node] == holder and not page.is_text[node]]
    if len(children) != 2 or not {tags[node] for node in children} <= SIDES:
        return None
    texts = [
        {node for node in within[part] if page.is_text[node] and has_ink(page, node)} for part in (holder, *children)
    ]
    sizes = [page.text_end[node] - page.text_start[node] for node in children]
    if not (texts[1] and texts[2] and texts[1] | texts[2] == texts[0] and sizes[0] <= 40 and sizes[1] <= 80):
        return None
    if not {tags[node] for node in within[holder]} <= INSIDE or "a" in {tags[node] for node in within[children[0]]}:
        return None
    return [holder, *children]


def runs(page: Page, nodes: list[int], names: list[str]) -> list[list[list[int]]]:
    """Return the pairs among some nodes, those together that are alike and right after each other."""
    own = (pair_of(page, nodes, node) for node, name in zip(nodes, names, strict=True) if name == "div")
    pairs = [pair for pair in own if pair]
    starts = [0]
    for index, (before, pair) in enumerate(pairwise(pairs), 1):
        tags = [[page.tag[node] for node in each] for each in (before, pair)]
        classes = [are_alike(page, before, pair, part) for part in (1, 2)]
        between = page.text[page.text_end[before[0]] : page.text_start[pair[0]]]
        is_inside = before[0] in lineages(page)[pair[0]]
        if tags[0] != tags[1] or not all(classes) or between.strip() or is_inside:
            starts.append(index)
    return [pairs[start:end] for start, end in pairwise([*starts, len(pairs)]) if start < end]


def are_alike(page: Page, before: list[int], pair: list[int], part: int) -> bool:
    """Return whether a part of two pairs has the same classes, or one of them in two rows that are alike."""
    names = [page.class_names[page.class_code[each[part]]] for each in (before, pair)]
    rows = {(page.parent[each[0]], page.class_code[each[0]]) for each in (before, pair)}
    return names[0] == names[1] or (len(rows) == 1 and bool({*names[0].split()} & {*names[1].split()}))
