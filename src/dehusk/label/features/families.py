"""All features of dehusk, of the modules that declare them."""

from dehusk.label.features import lexicon, markup, page, place, text, words
from dehusk.label.features.family import FeatureSet

FEATURES = FeatureSet(markup, text, words, place, page, lexicon)
"""The features of dehusk: first those of Victor's thesis with what is counted alike, then ours."""

DOC = FEATURES.doc
"""Feature name, or `prefix.*` if the user defines the names -> what its values mean."""

compute = FEATURES.compute
compute_each = FEATURES.each
is_known = FEATURES.is_known
