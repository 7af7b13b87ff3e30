"""What `dehusk.compiled.features` computes: sizes, links, groups and neighbours of blocks."""

from dehusk.base.tags import HEADINGS
from dehusk.blocks import Blocks
from oracle.subtrees import running_words
from oracle.tree import is_in, lineages, nearest, tag_names

Columns = dict[str, list[float]]


def document_features(blocks: Blocks) -> Columns:
    """Return where each block is among the blocks, and how many words and blocks the page has."""
    b = len(blocks)
    return {
        "position": [block / max(b - 1, 1) for block in range(b)],
        "document.word-count": [sum(blocks.words.tolist())] * b,
        "document.block-count": [b] * b,
    }


def word_ratio(blocks: Blocks, tag: str) -> list[float]:
    """Return the share of the page's unlinked words in the blocks with the same innermost element of a tag; or 0."""
    page, unlinked = blocks.page, (blocks.words - blocks.link_words).tolist()
    group_of = nearest(page, [name == tag for name in tag_names(page)])
    groups = [group_of[node] for node in blocks.node.tolist()]
    sizes = {group: sum(w for w, other in zip(unlinked, groups, strict=True) if other == group) for group in {*groups}}
    return [0 if group < 0 else sizes[group] / max(sum(unlinked), 1) for group in groups]


def group_features(blocks: Blocks) -> Columns:
    """Return the sizes of the div and of the td that each block is in, and the largest on the page."""
    columns: Columns = {}
    for tag in ("div", "td"):
        ratios = columns[f"{tag}-group.word-ratio"] = word_ratio(blocks, tag)
        columns[f"document.max-{tag}-group"] = [max(ratios)] * len(blocks)
    return columns


def since_heading(blocks: Blocks) -> list[float]:
    """Return how many blocks each is after the last in a heading; 1,000 before the first."""
    in_heading = [is_in(blocks.page, node, HEADINGS) for node in blocks.node.tolist()]
    found, last = list[float](), -1
    for block, is_inside in enumerate(in_heading):
        last = block if is_inside else last
        found.append(block - last if last >= 0 else 1000)
    return found


def link_features(blocks: Blocks) -> Columns:
    """Return the words and links of each block, whether it is hidden, its copies, and how far the last heading is."""
    page, b, hidden = blocks.page, len(blocks), set(blocks.page.hidden_nodes.tolist())
    words, linked = blocks.words.tolist(), blocks.link_words.tolist()
    return {
        "link.density": [linked[block] / max(words[block], 1) for block in range(b)],
        "link.page-density": [sum(linked) / max(sum(words), 1)] * b,
        "block.words": words,
        "block.noscript": [is_in(page, first, frozenset({"noscript"})) for first in blocks.first.tolist()],
        "block.hidden": [not hidden.isdisjoint(lineages(page)[node]) for node in blocks.node.tolist()],
        "block.copies": [blocks.texts.count(text) for text in blocks.texts],
        "block.since-heading": since_heading(blocks),
    }


def window_columns(blocks: Blocks, size: int) -> Columns:
    """Return statistics of each block and of those up to `size` before and after it."""
    words, linked, running = blocks.words.tolist(), blocks.link_words.tolist(), running_words(blocks)
    windows = [slice(max(block - size, 0), block + size + 1) for block in range(len(blocks))]
    sums = [max(sum(words[window]), 1) for window in windows]
    return {
        f"near.{size}.words": [sum(words[window]) / len(words[window]) for window in windows],
        f"near.{size}.link-density": [sum(linked[window]) / s for window, s in zip(windows, sums, strict=True)],
        f"near.{size}.running": [sum(running[window]) / s for window, s in zip(windows, sums, strict=True)],
    }


def heading_levels(blocks: Blocks) -> list[int]:
    """Return the level of the heading that each block is in, of those that contain others the first part only; or 0."""
    page, names, levels = blocks.page, tag_names(blocks.page), []
    for first in blocks.first.tolist():
        before = [node for node in range(first) if names[node] in HEADINGS]
        is_inside = before and before[-1] in lineages(page)[first]
        levels.append(int(names[before[-1]][1]) if is_inside else 0)
    return levels


def section_columns(blocks: Blocks) -> Columns:
    """Return statistics of the section that each block is in; it starts at a block in a heading after one in none."""
    words, linked, running = blocks.words.tolist(), blocks.link_words.tolist(), running_words(blocks)
    levels, rows = heading_levels(blocks), []
    starts = [block for block, level in enumerate(levels) if not block or (level and not levels[block - 1])]
    for number, start in enumerate(starts):
        section = slice(start, [*starts, len(levels)][number + 1])
        size = max(sum(words[section]), 1)
        row = {
            "section.words": sum(words[section]),
            "section.running": sum(running[section]) / size,
            "section.link-density": sum(linked[section]) / size,
            "section.level": levels[start],
            "section.number": number,
        }
        rows += [row] * len(words[section])
    return {name: [row[name] for row in rows] for name in rows[0]}


def neighbour_features(blocks: Blocks) -> Columns:
    """Return statistics of the blocks before and after each block, and of its section; -1 if there is no such block."""
    b, words, linked, columns = len(blocks), blocks.words.tolist(), blocks.link_words.tolist(), Columns()
    for name, offset in (("near.-1", -1), ("near.+1", 1)):
        others = [block + offset for block in range(b)]
        columns[f"{name}.words"] = [words[i] if 0 <= i < b else -1 for i in others]
        columns[f"{name}.link-density"] = [linked[i] / max(words[i], 1) if 0 <= i < b else -1 for i in others]
    return columns | window_columns(blocks, 2) | window_columns(blocks, 5) | section_columns(blocks)
