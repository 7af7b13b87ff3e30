"""What `dehusk.compiled.features` computes: `candidate.*`, `holder.*` and `main.*`."""

from itertools import accumulate

from dehusk.blocks import Blocks
from oracle.features_text import match_title
from oracle.subtrees import blocks_in, count_subtrees, like_siblings, text_holders, topmost
from oracle.tree import depth, lineages, parent_of, tag_names

Columns = dict[str, list[float]]

CATEGORIES = (
    "p",
    "h1 h2 h3 h4 h5 h6",
    "li dt dd",
    "td th",
    "a span b strong i em font small label button",
    "pre code",
    "blockquote",
)


def positions(b: int, inside: range) -> list[float]:
    """Return where each of b blocks is: 0 to 1 inside a range, below 0 before it, above 1 after it; 0 without one."""
    found = []
    for block in range(b):
        if block < inside.start:
            found.append((block - inside.start) / b)
        elif block >= inside.stop:
            found.append(1 + (block - inside.stop + 1) / b)
        else:
            found.append((block - inside.start) / max(len(inside) - 1, 1))
    return found if inside else [0.0] * b


def candidate_features(blocks: Blocks) -> Columns:
    """Return where each block is relative to the smallest elements with most of the running text."""
    b, words, level = len(blocks), count_subtrees(blocks).words, depth(blocks.page)
    columns: Columns = {}
    for name, holder in text_holders(blocks).items():
        inside = blocks_in(blocks, holder)
        columns[f"candidate.{name}.place"] = positions(b, range(inside[0], inside[-1] + 1))
        columns[f"candidate.{name}.levels"] = [
            min(level[node] - level[holder], 29) if block in inside else 30
            for block, node in enumerate(blocks.node.tolist())
        ]
        columns[f"candidate.{name}.words"] = [words[holder] / max(words[0], 1)] * b
    return columns | group_columns(blocks) | anchor_columns(blocks)


def group_columns(blocks: Blocks) -> Columns:
    """Return where each block is relative to the three or more like siblings with the most running text."""
    b, counts = len(blocks), count_subtrees(blocks)
    groups = [nodes for _, nodes in sorted(like_siblings(blocks).items()) if len(nodes) >= 3]
    best = max(groups, key=lambda nodes: sum(counts.running[node] for node in nodes), default=[])
    if not any(counts.running[node] for node in best):
        best = []
    inside = [block for node in best for block in blocks_in(blocks, node)]
    return {
        "candidate.group": [block in inside for block in range(b)],
        "candidate.group.words": [sum(counts.words[node] for node in best) / max(counts.words[0], 1)] * b,
        "candidate.group.size": [len(best)] * b,
        "candidate.group.place": positions(b, range(inside[0], inside[-1] + 1) if inside else range(0)),
    }


def anchor_columns(blocks: Blocks) -> Columns:
    """Return how many blocks each is after the first that starts after an h1, and after the first in the title."""
    names, b = tag_names(blocks.page), len(blocks)
    heading = names.index("h1") if "h1" in names else len(names)
    after_heading = [block for block, first in enumerate(blocks.first.tolist()) if first >= heading]
    in_title = [block for block, match in enumerate(match_title(blocks)) if match == 2]
    return {
        f"candidate.{name}": [block - anchors[0] if anchors else 0 for block in range(b)]
        for name, anchors in (("heading", after_heading), ("title", in_title))
    }


def holder_features(blocks: Blocks) -> Columns:
    """Return what is in the elements around each block; each level goes up to the next element with more blocks."""
    page, top, counts, level_of = blocks.page, topmost(blocks), count_subtrees(blocks), depth(blocks.page)
    category = {name: number for number, names in enumerate(CATEGORIES, start=1) for name in names.split()}
    siblings = {node: nodes for nodes in like_siblings(blocks).values() for node in nodes}
    rows = []
    for innermost in blocks.node.tolist():
        node = innermost
        row: dict[str, float] = {"tag": category.get(tag_names(page)[node], 0), "depth": level_of[node]}
        for level in range(4):
            outer = top[node]
            words, like = counts.words[outer], siblings[outer]
            words_in_like = sum(counts.words[each] for each in like)
            row[f"{level}.words"] = words / max(counts.words[0], 1)
            row[f"{level}.blocks"] = counts.blocks[outer]
            row[f"{level}.link-density"] = counts.linked[outer] / max(words, 1)
            row[f"{level}.running"] = counts.running[outer] / max(words, 1)
            row[f"{level}.siblings"] = len(like)
            row[f"{level}.sibling-words"] = words_in_like / len(like)
            row[f"{level}.sibling-running"] = sum(counts.running[each] for each in like) / max(words_in_like, 1)
            node = parent_of(page, outer)
        rows.append(row)
    return {f"holder.{name}": [row[name] for row in rows] for name in rows[0]}


def main_element(blocks: Blocks) -> int:
    """Return the element with the best score: running words of its children and half of those of its grandchildren.

    The score is multiplied by the share of unlinked words.
    """
    page, counts = blocks.page, count_subtrees(blocks)
    children, grandchildren = [0] * len(page), [0] * len(page)
    for node, words in zip(blocks.node.tolist(), counts.running_words, strict=True):
        parent = parent_of(page, node)
        children[parent] += words
        grandchildren[parent_of(page, parent)] += words
    scores = [
        (children[node] + 0.5 * grandchildren[node]) * (1 - counts.linked[node] / max(counts.words[node], 1))
        for node in range(len(page))
    ]
    return scores.index(max(scores))


def main_run(blocks: Blocks) -> range:
    """Return the blocks in a row with the best sum of points, the first such run.

    A block of running text has a point for each word of it; another loses 3 points and one for each of ten words.
    """
    running = count_subtrees(blocks).running_words
    points = [gain or -3 - min(words, 10) for gain, words in zip(running, blocks.words.tolist(), strict=True)]
    before = [0, *accumulate(points)]
    ends = [(stop, start) for stop in range(len(before)) for start in range(stop + 1)]
    stop, start = max(ends, key=lambda end: before[end[0]] - before[end[1]])
    return range(start, stop)


def main_text_features(blocks: Blocks) -> Columns:
    """Return where each block is relative to the main element and the main run of blocks."""
    page, counts, best, run = blocks.page, count_subtrees(blocks), main_element(blocks), main_run(blocks)
    inside, level, nodes, b = blocks_in(blocks, best), depth(page), blocks.node.tolist(), len(blocks)
    held = {name: blocks_in(blocks, node) for name, node in text_holders(blocks).items()}
    two_up = [parent_of(page, parent_of(page, node)) for node in nodes]
    is_inside = [best in lineages(page)[first] for first in blocks.first.tolist()]
    return {
        **{f"main.{name}": [block in blocks_there for block in range(b)] for name, blocks_there in held.items()},
        "main.place": [1 if is_inside[i] else 0 if i < inside[0] else 2 for i in range(b)],
        "main.inner": [max(sum(i <= block for i in inside) - 1, 0) / max(len(inside) - 1, 1) for block in range(b)],
        "main.levels": [min(level[nodes[i]] - level[best], 20) if is_inside[i] else 20 for i in range(b)],
        "main.share": [counts.running[best] / max(counts.running[0], 1)] * b,
        "main.local": [counts.running[node] / max(counts.words[node], 1) for node in two_up],
        "main.run": [block in run for block in range(b)],
        "main.run-distance": [max(run.start - block, block - run.stop + 1, 0) for block in range(b)],
    }
