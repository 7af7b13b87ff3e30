"""`duplicate-count` and `first-duplicate`: texts that a page repeats (thesis, section 4.2)."""

from dehusk.compiled.features import duplicate_features
from dehusk.label.features.family import Family

FAMILIES = (
    Family(
        duplicate_features,
        {
            "duplicate-count": "Number of blocks on the page with the same letters; case and all other characters are "
            "ignored.",
            "first-duplicate": "1 for the first of two or more duplicates, else 0.",
        },
    ),
)
