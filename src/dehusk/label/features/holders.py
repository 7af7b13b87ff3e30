"""`holder.*`: what the elements around a block contain, level by level; not in the thesis.

Pages wrap elements in elements that contain nothing else. Going up one level therefore skips to the next element with
more blocks.
"""

from dehusk.base.caching import cached_per_object
from dehusk.base.tags import numbers
from dehusk.compiled import features
from dehusk.compiled.features import holder_features
from dehusk.label.features.family import Family

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

_DOC = {
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


FAMILIES = (Family(holder_features, _DOC),)
