"""`candidate.*`: where a block is relative to more candidates for the main text than `main.*`; not in the thesis."""

from dehusk.base.tags import numbers
from dehusk.compiled.features import candidate_features
from dehusk.label.features.family import Family
from dehusk.label.features.subtrees import SHARES

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


FAMILIES = (Family(candidate_features, _SHARE_DOC | _GROUP_DOC | _ANCHOR_DOC),)
