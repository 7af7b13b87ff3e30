"""`candidate.*`: where a block is relative to more candidates for the main text than `main.*`; not in the thesis."""

import numpy as np
import numpy.typing as npt

from dehusk.backends import kernel
from dehusk.blocks import Blocks
from dehusk.features.family import Columns, Family, FeatureSettings
from dehusk.features.links import match_title
from dehusk.features.subtrees import SHARES, count_subtrees, group_siblings, text_holders
from dehusk.tags import numbers

_SHARE_DOC = {
    f"candidate.{name}.{part}": text
    for name, share in SHARES.items()
    for part, text in {
        "place": f"Position relative to the smallest element with {share:.0%} of the running text: below 0 before it, "
        "0 to 1 in it, above 1 after it.",
        "levels": "Levels from the block's innermost element up to that element; 30 if the block is outside it.",
        "words": "Share of the page's words in that element.",
    }.items()
}
_GROUP_DOC = {
    "candidate.group": "1 in the group of at least three siblings of the same tag and class with the most running "
    "text, else 0.",
    "candidate.group.words": "Share of the page's words in that group.",
    "candidate.group.size": "Number of elements in that group.",
    "candidate.group.place": "Position relative to that group: below 0 before it, 0 to 1 in it, above 1 after it.",
}
_ANCHOR_DOC = {
    "candidate.heading": "Blocks since the page's first h1, negative before it; 0 if the page has no h1.",
    "candidate.title": "Blocks since the first block that matches the page's title, negative before it; 0 if none "
    "does.",
}

_OUTSIDE = 30  # levels
_MIN_GROUP = 3  # elements
_H1 = numbers("h1")


@kernel("features_place.candidate_features")
def candidate_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return each block's position relative to the candidates, shape (b,) each."""
    page, counts, b = blocks.page, count_subtrees(blocks), len(blocks)
    total, depth, columns = max(int(counts.words[0]), 1), page.depth.take(blocks.node), Columns()
    for name, node in text_holders(blocks).items():
        first, last = _blocks_in(blocks, node, int(page.end[node]))
        columns[f"candidate.{name}.place"] = _positions(b, first, last)
        levels = np.full(b, _OUTSIDE)
        levels[first:last] = np.minimum(depth[first:last] - page.depth[node], _OUTSIDE - 1)
        columns[f"candidate.{name}.levels"] = levels
        columns[f"candidate.{name}.words"] = np.full(b, counts.words[node] / total)
    return columns | _group_columns(blocks) | _anchor_columns(blocks)


def _blocks_in(blocks: Blocks, start: int, end: int) -> tuple[int, int]:
    """Return the range of the blocks that start in the nodes [start, end)."""
    return int(blocks.first.searchsorted(start)), int(blocks.first.searchsorted(end))


def _positions(b: int, first: int, last: int) -> npt.NDArray[np.float64]:
    """Return the position of each of b blocks relative to the range [first, last), shape (b,).

    It is 0 to 1 in the range, -d before and 1 + d after it, where d is the distance as a share of the page's blocks.
    """
    if last <= first:
        return np.zeros(b)
    from_first = np.arange(-first, b - first)
    position = from_first / max(last - 1 - first, 1)
    position[:first] = from_first[:first] / b
    position[last:] = 1 + np.arange(1, b - last + 1) / b
    return position


def _group_columns(blocks: Blocks) -> Columns:
    """Return each block's position relative to the sibling group with the most running text."""
    counts, groups, b = count_subtrees(blocks), group_siblings(blocks), len(blocks)
    columns = {name: np.zeros(b) for name in _GROUP_DOC}
    running = np.bincount(groups.group, weights=counts.running.take(groups.nodes))
    running[groups.size < _MIN_GROUP] = 0
    if not running.any():
        return dict(columns)
    best = int(running.argmax())
    members = groups.nodes[groups.group == best]
    ends = blocks.page.end.take(members)
    member = members.searchsorted(blocks.first, side="right") - 1  # the last that starts before the block
    columns["candidate.group"][:] = (member >= 0) & (blocks.first < ends.take(np.maximum(member, 0)))
    columns["candidate.group.words"][:] = counts.words.take(members).sum() / max(int(counts.words[0]), 1)
    columns["candidate.group.size"][:] = len(members)
    columns["candidate.group.place"] = _positions(b, *_blocks_in(blocks, int(members[0]), int(ends[-1])))
    return dict(columns)


def _anchor_columns(blocks: Blocks) -> Columns:
    """Return each block's distance from the first h1 and from the first block that matches the title."""
    page, b, index = blocks.page, len(blocks), np.arange(len(blocks))
    headings = page.nodes_of(_H1)
    heading = int(blocks.first.searchsorted(headings[0])) if len(headings) else b
    titles = (match_title(blocks) == 2).nonzero()[0]
    return {
        "candidate.heading": index - heading if heading < b else np.zeros(b, dtype=np.int64),
        "candidate.title": index - int(titles[0]) if len(titles) else np.zeros(b, dtype=np.int64),
    }


FAMILIES = (Family(candidate_features, _SHARE_DOC | _GROUP_DOC | _ANCHOR_DOC),)
