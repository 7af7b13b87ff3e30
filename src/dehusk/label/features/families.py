"""All features of dehusk, of the modules that declare them."""

from dehusk.label.features import (
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
from dehusk.label.features.family import FeatureSet

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

DOC = FEATURES.doc
"""Feature name, or `prefix.*` if the user defines the names -> what its values mean."""

compute = FEATURES.compute
compute_each = FEATURES.each
is_known = FEATURES.is_known
