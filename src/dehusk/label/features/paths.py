"""`path.*`: blocks with the same path of tags and classes; not in the thesis.

Such blocks usually have the same role: all paragraphs of an article, all entries of a menu. The key of a path is the
sum over its elements of a hash of tag, class and depth, so that one cumulative sum gives the keys of all nodes.
"""

from dehusk.compiled.features import path_features
from dehusk.label.features.family import Family

_MIN_LONG = 15  # words of a long block


FAMILIES = (
    Family(
        path_features,
        {
            "path.blocks": "Blocks with the same path.",
            "path.words": "Share of the page's unlinked words in blocks with the same path.",
            "path.long": "Share of the words of these blocks that are in blocks of 15 words or more, half or more "
            "unlinked.",
            "path.link-density": "Share of linked words among the words of these blocks.",
            "path.parent-words": "path.words for blocks whose innermost elements' parents have the same path.",
            "path.parent-long": "path.long for blocks whose innermost elements' parents have the same path.",
            "path.parent-link-density": "path.link-density for blocks whose innermost elements' parents have the same "
            "path.",
        },
    ),
)
