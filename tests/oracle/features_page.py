"""What `dehusk.compiled.features` computes: statistics of the page, and of blocks with the same path."""

from dehusk.base.tags import HEADINGS
from dehusk.blocks import Blocks
from oracle.subtrees import running_words
from oracle.tree import is_in, lineages, parent_of, tag_names

Columns = dict[str, list[float]]

SHARES = {"cells": "td th", "items": "li dt dd", "inner": "article main", "noscript": "noscript"}
COUNTS = {"headings": " ".join(HEADINGS), "forms": "input textarea select button", "articles": "article"}


def page_features(blocks: Blocks) -> Columns:
    """Return statistics of the page, the same for each block."""
    page, names, running, words = blocks.page, tag_names(blocks.page), running_words(blocks), blocks.words.tolist()
    total, elements = max(sum(words), 1), max(sum(name != "#text" for name in names), 1)
    types = [content.strip().lower() for name, content in page.meta.entries if name.lower() == "og:type"]
    values: dict[str, float] = {
        "running": sum(running) / total,
        "running-blocks": sum(map(bool, running)),
        "running-words": sum(running) / max(sum(map(bool, running)), 1),
        "classes": sum(page.class_names[code] != "" for code in page.class_code) / elements,
        "elements": elements / total,
        "article-type": bool(types) and types[0] in {"article", "blog", "news"},
    }
    for key, tags in COUNTS.items():
        values[key] = sum(name in tags.split() for name in names)
    for key, tags in SHARES.items():
        inside = [is_in(page, first, frozenset(tags.split())) for first in blocks.first.tolist()]
        values[key] = sum(w for w, is_inside in zip(words, inside, strict=True) if is_inside) / total
    return {f"page.{key}": [value] * len(blocks) for key, value in values.items()}


def path(blocks: Blocks, node: int) -> tuple[tuple[int, int], ...]:
    """Return the tags and classes of an element and of those around it."""
    page = blocks.page
    return tuple((int(page.tag[outer]), int(page.class_code[outer])) for outer in lineages(page)[node])


def path_features(blocks: Blocks) -> Columns:
    """Return statistics of the blocks with the same path as each, then of those whose parents have the same path."""
    words, unlinked = blocks.words.tolist(), (blocks.words - blocks.link_words).tolist()
    columns, nodes = Columns(), blocks.node.tolist()
    parents = [parent_of(blocks.page, node) for node in nodes]
    for prefix, elements in (("path.", nodes), ("path.parent-", parents)):
        rows, paths = [], [path(blocks, element) for element in elements]
        for own in paths:
            like = [block for block, other in enumerate(paths) if other == own]
            size = max(sum(words[i] for i in like), 1)
            unlinked_words = sum(unlinked[i] for i in like)
            long = sum(words[i] for i in like if words[i] >= 15 and 2 * unlinked[i] >= words[i])
            rows.append((unlinked_words / max(sum(unlinked), 1), long / size, 1 - unlinked_words / size, len(like)))
        of_each = zip(*rows, strict=True)
        columns |= dict(zip([f"{prefix}{key}" for key in PATH], map(list[float], of_each), strict=True))
    del columns["path.parent-blocks"]
    return columns


PATH = ("words", "long", "link-density", "blocks")
