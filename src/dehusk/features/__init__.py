"""Features of blocks: named columns with one value per block.

"The thesis" in this package is Marek's *Automatic cleaning of HTML documents* (docs/victor.md).

A module of this package declares its features as `FAMILIES`; to add one, write the module and list it in `FEATURES`.
"""

from dehusk.features import (
    candidates,
    duplicates,
    groups,
    holders,
    lexicon,
    links,
    main_text,
    markup,
    neighbours,
    page_type,
    paths,
    patterns,
    text,
)
from dehusk.features.family import Columns, Expressions, Family, FeatureSet, FeatureSettings

__all__ = [
    "DOC",
    "FEATURES",
    "VERSION",
    "Columns",
    "Expressions",
    "Family",
    "FeatureSet",
    "FeatureSettings",
    "compute",
    "compute_each",
    "is_known",
]

FEATURES = FeatureSet(
    markup,
    text,
    duplicates,
    patterns,
    groups,
    links,
    paths,
    main_text,
    lexicon,
    holders,
    neighbours,
    candidates,
    page_type,
)
"""The features of dehusk: first those of Victor's thesis, then ours."""

VERSION = 2
"""Increase this whenever the values of a feature change, and retrain all models: their hashes cover it."""

DOC = FEATURES.doc
"""Feature name, or `prefix.*` if the user defines the names -> what its values mean."""

compute = FEATURES.compute
compute_each = FEATURES.each
is_known = FEATURES.is_known
