"""`main.*`, `candidate.*` and `holder.*`: where a block is relative to the main text; not in the thesis.

`main.*` says which element contains the page's main text, `candidate.*` where the block is relative to more candidates
for it, `holder.*` what the elements around the block contain, level by level. Pages wrap elements in elements that
contain nothing else. Going up one level therefore skips to the next element with more blocks. All of them use the same
word counts of subtrees, which are computed once per page.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_per_object
from dehusk.base.tags import numbers
from dehusk.compiled import features
from dehusk.compiled.features import candidate_features, holder_features, main_text_features
from dehusk.label.features.family import Family

Reals = npt.NDArray[np.float64]

MIN_RUNNING_WORDS = 10
"""Blocks with fewer words are not running text."""
SHARES = {"half": 0.5, "most": 0.8, "nearly-all": 0.95}
"""Name -> share of the page's running text; the smallest element with more than it is a candidate for the main text."""


@dataclass(frozen=True, eq=False)
class SubtreeCounts:
    """What the subtrees of the n nodes contain."""

    running_words: npt.NDArray[np.int32]
    """(b,) unlinked words of each block of running text, 0 for other blocks."""
    before: Reals
    """(n,) blocks that start before the node."""
    count: Reals
    """(n,) blocks that start in the subtree."""
    words: Reals
    """(n,) words of these blocks."""
    linked: Reals
    """(n,) words of these blocks in links."""
    running: Reals
    """(n,) words of these blocks in running text."""


count_subtrees = cached_per_object(features.count_subtrees)
"""Count the blocks and words in each subtree of the page."""


_OUTSIDE_CANDIDATE = 30  # levels
_OUTSIDE_MAIN = 20  # levels
_MIN_GROUP = 3  # elements
_H1 = numbers("h1")

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

LEVELS = 4
"""Number of levels; level 0 is the outermost element that contains only the block."""

_TAGS = {
    "p": "p",
    "heading": "h1 h2 h3 h4 h5 h6",
    "item": "li dt dd",
    "cell": "td th",
    "inline": "a span b strong i em font small label button",
    "pre": "pre code",
    "quote": "blockquote",
}
_CATEGORIES = [(numbers(tags), category) for category, tags in enumerate(_TAGS.values(), start=1)]

_HOLDER_DOC = {
    "holder.tag": "Category of the block's innermost element: "
    + ", ".join(f"{number} {name}" for number, name in enumerate(_TAGS, start=1))
    + ", 0 other.",
    "holder.depth": "Number of elements above the block's innermost element.",
} | {
    f"holder.{level}.{name}": text.format(f"level {level}")
    for level in range(LEVELS)
    for name, text in {
        "words": "Share of the page's words in the element at {}.",
        "blocks": "Blocks in the element at {}.",
        "link-density": "Share of linked words in the element at {}.",
        "running": "Share of running text among the words of the element at {}.",
        "siblings": "Siblings of the element at {} with the same tag and class, including itself.",
        "sibling-words": "Mean number of words in these siblings at {}.",
        "sibling-running": "Share of running text among the words of these siblings at {}.",
    }.items()
}


topmost = cached_per_object(features.topmost)
"""Return for each node, shape (n,), the outermost element around it (or itself) with the same number of blocks."""


FAMILIES = (
    Family(
        main_text_features,
        {
            "main.half": "1 in the smallest element with more than 50 % of the page's running text, else 0.",
            "main.most": "1 in the smallest element with more than 80 % of the page's running text, else 0.",
            "main.nearly-all": "1 in the smallest element with more than 95 % of the page's running text, else 0.",
            "main.place": "0 before the main element, 1 in it, 2 after it; the main element has the most running text "
            "in its children and few links.",
            "main.inner": "Position among the blocks of the main element: 0 for the first (and before it), 1 for the "
            "last (and after it).",
            "main.levels": "Levels from the block's innermost element up to the main element; 20 outside it.",
            "main.share": "Share of the page's running text in the main element.",
            "main.run": "1 in the run of blocks with the most running text and the least other text, else 0.",
            "main.run-distance": "Blocks to that run; 0 in it.",
            "main.local": "Share of running text among the words of the element two levels above the block's innermost "
            "element.",
        },
    ),
    Family(candidate_features, _SHARE_DOC | _GROUP_DOC | _ANCHOR_DOC),
    Family(holder_features, _HOLDER_DOC),
)
