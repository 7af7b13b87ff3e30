"""Posts with the labels of a page: who wrote what, when and where, as plain values."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.about.posts import Posts, find_posts, permalinks_of
from dehusk.about.posts.comments import comments_of, posts_with_comments, text_of_posts, with_comments
from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.blocks.labels import Labels
from dehusk.read.addresses import Addresses
from dehusk.read.xpath import xpaths
from dehusk.visible import leave_out
from dehusk.write.text import separated_lines

_ITEM = numbers("li")
_MARKER = pattern(r"( *)(?:- |\d+\. )?")


def post_records(labels: Labels) -> list[dict[str, Any]]:
    """Return what is known about each post of a page, in document order, as plain values.

    Posts of which nothing is kept are left out, unless something is kept of most posts.

    Returns:
        For each post author, author_url, date (ISO 8601), date_text, permalink, depth, kind, text (its kept text),
        blocks (the first, and one past the last), body (the blocks of its text), kept (share of the words of its text
        in kept blocks), probability (mean over its text, weighted by words), xpath of its element and span (its start
        and end in characters of the page's text).
    """
    return _records(labels, find_posts(labels.blocks), shown_posts(labels))


def comment_records(labels: Labels) -> list[dict[str, Any]]:
    """Return what `post_records` does, of the comments that are left out, with the text that they would have."""
    shown = comments_of(labels)
    kept = leave_out(with_comments(labels)) if shown else labels
    found = posts_with_comments(labels.blocks)
    return [{**record, "kept": 0.0} for record in _records(kept, found, shown)]


def _records(labels: Labels, found: Posts, shown: Sequence[int]) -> list[dict[str, Any]]:
    if not shown:
        return []
    body = _bodies(found)
    texts = _texts(labels, found)
    kept, probability = (_means(labels, found, values) for values in (labels.kept, labels.probability))
    addresses = Addresses.of(labels.blocks.page)
    links = permalinks_of(labels.blocks, found)
    paths = xpaths(labels.blocks.page, [found.posts[index].node for index in shown])
    records = []
    for index in shown:
        post = found.posts[index]
        spans = [labels.blocks.span(block) for block in (post.first, post.end - 1)]
        records.append(
            {
                "author": post.author,
                "author_url": addresses.resolve(post.author_link or ""),
                "date": post.date,
                "date_text": post.date_text,
                "permalink": addresses.resolve(links[index] or ""),
                "depth": post.depth,
                "kind": post.kind,
                "text": texts[index],
                "blocks": [post.first, post.end],
                "body": body[index],
                "kept": kept[index] or 0.0,
                "probability": probability[index],
                "xpath": paths[post.node],
                "span": [spans[0][0], spans[1][1]],
            }
        )
    return records


def shown_posts(labels: Labels) -> list[int]:
    """Return the posts of which something is kept; all posts if that is so of most."""
    found = find_posts(labels.blocks)
    kept = np.zeros(len(found), dtype=np.bool_)
    kept[found.post_of[labels.written[text_of_posts(found)[labels.written]]]] = True
    return list(range(len(found))) if 2 * int(kept.sum()) > len(found) else np.flatnonzero(kept).tolist()


def _bodies(found: Posts) -> list[list[int]]:
    """Return the blocks of the text of each post."""
    blocks = np.flatnonzero(text_of_posts(found))
    blocks = blocks[np.argsort(found.post_of[blocks], kind="stable")]
    bounds = found.post_of[blocks].searchsorted(np.arange(1, len(found)))
    return [part.tolist() for part in np.split(blocks, bounds)]


def _texts(labels: Labels, found: Posts) -> list[str]:
    """Return the kept text of each post."""
    separators, lines = separated_lines(labels)
    in_bodies = text_of_posts(found)
    parts: list[list[str]] = [[] for _ in found.posts]
    begins = [False] * len(found)  # whether the text of a post is the start of the item that the post is
    last, written = -1, labels.written.tolist()
    for index, block in enumerate(written):
        if not in_bodies[block]:
            continue
        number = int(found.post_of[block])
        text = parts[number]
        if not text:
            begins[number] = index == 0 or written[index - 1] < found.posts[number].first
        follows = last == index - 1 and index > 0
        text += [separators[index] if follows else "\n\n", lines[index]] if text else [lines[index]]
        last = index
    rows = zip(parts, _in_items(labels, found), begins, strict=True)
    return [_unindented("".join(text), is_item=is_item, has_marker=begin) for text, is_item, begin in rows]


def _in_items(labels: Labels, found: Posts) -> list[bool]:
    """Return whether each post is an item of a list, or in one."""
    page = labels.blocks.page
    items = page.within(page.nodes_of(_ITEM))
    return [bool(items[post.node]) for post in found.posts]


def _unindented(text: str, *, is_item: bool, has_marker: bool) -> str:
    """Return the text of a post without the indentation and, if the text starts with it, the marker of its item."""
    start = _MARKER.match(text) if is_item else None
    if start is None:
        return text
    indent = " " * len(start[1])
    return "\n".join(
        line.removeprefix(indent)
        for line in text[start.end() if has_marker or start[0].endswith("- ") else start.end(1) :].split("\n")
    )


def _means(labels: Labels, found: Posts, values: npt.NDArray[Any]) -> list[float | None]:
    """Return the mean of a value of blocks over the text of each post, weighted by words; None if there is no text."""
    inside = np.flatnonzero(text_of_posts(found))
    post, words = found.post_of[inside], np.maximum(labels.blocks.words[inside], 1)
    weight = np.bincount(post, weights=words, minlength=len(found))
    total = np.bincount(post, weights=words * values[inside], minlength=len(found))
    with np.errstate(invalid="ignore"):
        means = np.round(total / weight, 4).tolist()
    return [mean if math.isfinite(mean) else None for mean in means]
