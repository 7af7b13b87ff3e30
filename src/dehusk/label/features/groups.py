"""`div-group.*`, `td-group.*`, `position` and `document.*`: a block's position (thesis, sections 4.2, 4.3)."""

from dehusk.compiled.features import document_features, group_features
from dehusk.label.features.family import Family

FAMILIES = (
    Family(
        group_features,
        {
            "div-group.word-ratio": "Share of the page's unlinked words in blocks with the same innermost div.",
            "td-group.word-ratio": "Share of the page's unlinked words in blocks with the same innermost td.",
        },
    ),
    Family(
        document_features,
        {
            "position": "Position among the page's blocks: 0 for the first, 1 for the last.",
            "document.word-count": "Words on the page.",
            "document.block-count": "Blocks on the page.",
        },
    ),
    Family(
        group_features,
        {
            "document.max-div-group": "Largest div-group.word-ratio on the page.",
            "document.max-td-group": "Largest td-group.word-ratio on the page.",
        },
    ),
)
