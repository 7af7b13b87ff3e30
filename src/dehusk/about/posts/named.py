"""Comments and reviews that classes name, on pages where no dates tell posts: their texts, and nobody's names."""

import itertools
import re
from collections import Counter, defaultdict

import numpy as np

from dehusk.about.posts.authors import Region
from dehusk.about.posts.bodies import post_of_blocks
from dehusk.about.posts.extents import block_at, unlinked_words
from dehusk.about.posts.finding import LONG_BLOCK, RUNNING, FoundPost, Posts
from dehusk.about.posts.kinds import is_teaser_list, kind_of_name
from dehusk.about.posts.marks import places_of
from dehusk.base.caching import cached_per_object
from dehusk.base.tags import numbers
from dehusk.blocks import Blocks
from dehusk.blocks.units.keys import Indices

_KINDS = ("comment", "review")
_FIELDS = numbers("input select textarea")
_BESIDE = re.compile(
    r"form|filter|menu|respond|notif|subscri|toolbar|policy|log-?in|nav|sort|summary|count|pag(?:er|inat)|notice"
    r"|disclaimer|error|explan|option|author|user-?name|avatar|header|footer|meta|title|date",
    re.IGNORECASE,
)
"""What is named so, too, and stands around comments."""


@cached_per_object
def named_posts(blocks: Blocks) -> Posts:
    """Return the elements of one tag and class, most in number, then in words, that are named as comments or reviews.

    Half of them have running text of their own, one a long one, without fields of a form; and half do not start with a
    link to another page, as teasers do.
    """
    found = max((group for group in _groups(blocks) if not _are_teasers(blocks, group)), key=len, default=None)
    if found is None:
        return Posts((), np.full(len(blocks), -1), np.zeros(len(blocks), dtype=np.bool_))
    page, first, end = blocks.page, block_at(blocks, found), block_at(blocks, blocks.page.end[found])
    kind = kind_of_name(page.class_names[int(page.class_code[found[0]])])
    posts = tuple(
        FoundPost(start, stop, node, None, None, None, None, 0, kind)
        for start, stop, node in zip(first.tolist(), end.tolist(), found.tolist(), strict=True)
    )
    return Posts(posts, post_of_blocks(blocks, first, end), np.zeros(len(blocks), dtype=np.bool_))


def _groups(blocks: Blocks) -> list[Indices]:
    """Return the elements of each tag and class that are named so and hold running text, most words first."""
    page, places = blocks.page, places_of(blocks.page)
    fields = page.nodes_of(_FIELDS)
    names = enumerate(page.class_names)
    named = [code for code, name in names if kind_of_name(name) in _KINDS and not _BESIDE.search(name)]
    alike = defaultdict[int, list[int]](list)
    for node in np.isin(page.class_code, named).nonzero()[0].tolist():
        alike[places.signatures[node]].append(node)
    words = np.append(0, np.cumsum(unlinked_words(blocks)))
    groups = list[tuple[int, Indices]]()
    for nodes in map(np.array, alike.values()):
        outermost = nodes[page.within(nodes)[nodes] == 1]
        size = words[block_at(blocks, page.end[outermost])] - words[block_at(blocks, outermost)]
        has_field = fields.searchsorted(page.end[outermost]) > fields.searchsorted(outermost)
        texts = [" ".join(page.text_of(node).split()) for node in outermost.tolist()]
        times = Counter(texts)
        own = np.array([times[text] == 1 for text in texts], dtype=np.bool_)
        running = (size >= RUNNING) & ~has_field & own
        if running.sum() >= 2 and 2 * running.sum() >= len(running) and size.max() >= LONG_BLOCK:
            groups.append((int(size.sum()), outermost[(size > 0) & ~has_field]))
    return [group for _, group in sorted(groups, key=lambda one: -one[0])]


def _are_teasers(blocks: Blocks, group: Indices) -> bool:
    ends = np.append(blocks.start, len(blocks.text))
    starts = ends[block_at(blocks, group)].tolist()
    columns = zip(group.tolist(), blocks.page.end[group].tolist(), starts, strict=True)
    regions = [Region(node, stop, node, start, False, start) for node, stop, start in columns]
    return is_teaser_list(blocks, regions, [*itertools.repeat(None, len(regions))])
