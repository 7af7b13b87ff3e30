"""Who wrote what in a thread, for writers of tokens: where each post starts, and by whom and when it was written."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from dehusk.about.posts import find_posts
from dehusk.blocks.labels import Labels
from dehusk.write.tokens import Edge, Token

MAX_LEVEL = 5
"""Replies deeper than this are shown as replies of this depth."""


@dataclass
class Attribution:
    """The leaves of a page that belong to posts; the keys are indices of tokens."""

    openings: dict[int, str] = field(default_factory=dict)
    """First leaf of a post, or the start of the outermost container in the post that it is in -> author and date."""
    levels: dict[int, int] = field(default_factory=dict)
    """Leaf or opening of a post -> the depth of the post, 0 to `MAX_LEVEL`."""
    lines: set[int] = field(default_factory=set)
    """Leaves that only say what the opening says: names, dates and buttons."""


def attribute(labels: Labels, tokens: list[Token]) -> Attribution:
    """Return which leaves of the kept content belong to which post."""
    found, attribution = find_posts(labels.blocks), Attribution()
    leaves = [index for index, token in enumerate(tokens) if token.edge is Edge.LEAF and _first(token) >= 0]
    if not len(found) or not leaves:
        return attribution
    first = np.array([_first(tokens[index]) for index in leaves])
    blocks = np.searchsorted(labels.blocks.first, first, "right") - 1
    opened = -1
    rows = zip(leaves, found.post_of[blocks].tolist(), found.is_line[blocks].tolist(), strict=True)
    for index, number, is_line in rows:
        if number < 0:
            continue
        post = found.posts[number]
        if is_line:
            attribution.lines.add(index)
            continue
        attribution.levels[index] = min(post.depth, MAX_LEVEL)
        if number != opened:
            opened, start = number, index
            while start and tokens[start - 1].edge is Edge.OPEN and tokens[start - 1].node > post.node:
                start -= 1
            attribution.levels[start] = attribution.levels[index]
            attribution.openings[start] = ", ".join(filter(None, (post.author, post.date_text or post.date)))
    return attribution


def _first(token: Token) -> int:
    """Return the first text node of a leaf, -1 if it has none."""
    if not token.rows:
        return token.first
    return next((cell.first for row in token.rows for cell in row.cells if cell.first >= 0), -1)
