"""The post that a thread begins with, if it is in another place of the markup than its replies, as questions are."""

import numpy as np

from dehusk.about.posts.authors import Name, Names
from dehusk.about.posts.extents import Extents, block_at, unlinked_words
from dehusk.about.posts.marks import DateMark
from dehusk.blocks import Blocks
from dehusk.blocks.units.keys import Indices

RUNNING = 8
"""Words outside links of a block of the opening post, at least."""
MIN_POINTS = 1.5
"""Points of its author's name, at least, if it is not in the place of the other authors."""


def find_opening(
    names: Names, around: Extents, marks: list[DateMark], writer: Name | None
) -> tuple[int, int, DateMark, Name] | None:
    """Return the opening post before some posts: the first and one past the last of its nodes, its date and its author.

    Args:
        names: the elements of the page that may hold names.
        around: the posts.
        marks: all dates of the page.
        writer: the author of the first of the posts.
    """
    blocks, places = names.blocks, names.places
    page, first_post = blocks.page, int(around.root[0])
    like = {places.signatures[node] for node in around.anchor.tolist()}
    dates = {mark.node: mark for mark in marks}
    first = dates[int(around.anchor[0])]
    known = {first.text, first.date.value}
    own = [mark for mark in marks if page.end[mark.node] <= first_post and places.signatures[mark.node] in like]
    running = np.flatnonzero(unlinked_words(blocks) >= RUNNING)
    for mark in reversed(own):
        root, stop = _reach(blocks, mark.node, first_post, running)
        author = _author(names, root, stop) if root >= 0 else None
        repeated = mark.text in known or mark.date.value in known
        if author and not (
            repeated and writer and writer.text == author.text
        ):  # heads of threads repeat the first post
            return root, stop, mark, author
    return None


def _reach(blocks: Blocks, node: int, before: int, running: Indices) -> tuple[int, int]:
    """Return the innermost element around a date that contains running text, and its end; -1 if there is none."""
    page = blocks.page
    root = int(page.parent[node])
    while root > 0 and page.end[root] <= before:
        bounds = running.searchsorted(block_at(blocks, np.array([root, page.end[root]])))
        if bounds[1] > bounds[0]:
            return root, int(page.end[root])
        root = int(page.parent[root])
    return -1, -1


def _author(names: Names, first: int, stop: int) -> Name | None:
    found = max(names.between(first, stop), key=lambda name: name.points, default=None)
    return found if found and found.points >= MIN_POINTS else None


def with_opening(blocks: Blocks, around: Extents, root: int, stop: int, date_node: int) -> Extents:
    """Return posts with the opening post before them."""
    stop = min(stop, int(around.root[0]))
    first, end = block_at(blocks, np.array([root, stop])).tolist()
    return Extents(
        anchor=np.append(date_node, around.anchor),
        root=np.append(root, around.root),
        outer=np.append(root, around.outer),
        first=np.append(first, around.first),
        end=np.append(end, around.end),
        stop=np.append(stop, around.stop),
    )
