"""`candidate.*`: further guesses at where the main text is; not in the thesis."""

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.features.links import title_match
from dehusk.features.settings import Columns, FeatureSettings
from dehusk.features.sums import SHARES, siblings, sums, text_holders
from dehusk.tags import numbers

DOC = {
    f"candidate.{name}.{part}": text
    for name, share in SHARES.items()
    for part, text in {
        "place": f"Place relative to the smallest element with {share:.0%} of the running text: below 0 before it, "
        "0 to 1 in it, above 1 after it.",
        "levels": "Levels from the block's innermost element up to it, 30 outside of it.",
        "words": "Share of the page's words that it holds.",
    }.items()
} | {
    "candidate.group": "1 in the elements of one parent, tag and class, three or more, with most running text.",
    "candidate.group.words": "Share of the page's words that this group holds.",
    "candidate.group.size": "Elements in this group.",
    "candidate.group.place": "Relative position of the block between the group's first and last element.",
    "candidate.heading": "Blocks since the first h1 of the page, negative before it; 0 where there is none.",
    "candidate.title": "Blocks since the first block that matches the title, negative before it; 0 without any.",
}

_OUTSIDE = 30
_LEAST_GROUP = 3  # elements
_H1 = numbers("h1")


def candidates(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return each block's place relative to the candidates, shape (b,) each."""
    page, known, b = blocks.page, sums(blocks), len(blocks)
    total, depth, columns = max(int(known.words[0]), 1), page.depth, Columns()
    for name, node in text_holders(blocks).items():
        first, last = np.searchsorted(blocks.first, (node, int(page.end[node])))
        inside = slice(int(first), int(last))
        columns[f"candidate.{name}.place"] = _place(b, int(first), int(last))
        levels = np.full(b, _OUTSIDE)
        levels[inside] = np.minimum(depth.take(blocks.node[inside]) - depth[node], _OUTSIDE - 1)
        columns[f"candidate.{name}.levels"] = levels
        columns[f"candidate.{name}.words"] = np.full(b, known.words[node] / total)
    return columns | _group(blocks) | _anchors(blocks)


def _place(b: int, first: int, last: int) -> npt.NDArray[np.float64]:
    """Return the place of each of b blocks relative to those from first to last, shape (b,).

    0 to 1 within them, -d before and 1 + d after, where d is the share of the page's blocks between.
    """
    if last <= first:
        return np.zeros(b)
    index = np.arange(b)
    place = (index - first) / max(last - 1 - first, 1)
    place[:first] = (index[:first] - first) / b
    place[last:] = 1 + (index[last:] - last + 1) / b
    return place


def _group(blocks: Blocks) -> Columns:
    """Return where the block stands to the repeated elements with most running text."""
    known, like, b = sums(blocks), siblings(blocks), len(blocks)
    columns = {name: np.zeros(b) for name in DOC if name.startswith("candidate.group")}
    text = np.bincount(like.group, weights=known.running.take(like.nodes))
    text[like.size < _LEAST_GROUP] = 0
    if not text.any():
        return dict(columns)
    best = int(np.argmax(text))
    members = like.nodes[like.group == best]
    ends = blocks.page.end.take(members)
    at = np.searchsorted(members, blocks.first, side="right") - 1
    columns["candidate.group"][:] = (at >= 0) & (blocks.first < ends.take(np.maximum(at, 0)))
    columns["candidate.group.words"][:] = known.words.take(members).sum() / max(int(known.words[0]), 1)
    columns["candidate.group.size"][:] = len(members)
    first, last = np.searchsorted(blocks.first, (members[0], ends[-1]))
    columns["candidate.group.place"] = _place(b, int(first), int(last))
    return dict(columns)


def _anchors(blocks: Blocks) -> Columns:
    page, b, index = blocks.page, len(blocks), np.arange(len(blocks))
    tops = page.nodes_of(_H1)
    at = int(np.searchsorted(blocks.first, tops[0])) if len(tops) else b
    match = np.flatnonzero(title_match(blocks) == 2)
    return {
        "candidate.heading": index - at if at < b else np.zeros(b),
        "candidate.title": index - int(match[0]) if len(match) else np.zeros(b),
    }
