"""`main.*`: which element contains the page's main text; not in the thesis."""

from dehusk.compiled.features import main_text_features
from dehusk.label.features.family import Family

_OUTSIDE = 20  # levels


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
)
