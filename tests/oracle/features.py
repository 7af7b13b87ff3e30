"""All features of a page: what each family of `dehusk.compiled.features` computes, by the name of its function."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.label.features import FeatureSettings
from oracle import features_names, features_page, features_place, features_tags, features_text, features_words

Columns = dict[str, list[float]]
Compute = Callable[[Blocks], Columns]

PLAIN: dict[str, Compute] = {
    "candidate_features": features_place.candidate_features,
    "holder_features": features_place.holder_features,
    "main_text_features": features_place.main_text_features,
    "document_features": features_words.document_features,
    "group_features": features_words.group_features,
    "link_features": features_words.link_features,
    "neighbour_features": features_words.neighbour_features,
    "character_features": features_text.character_features,
    "token_features": features_text.token_features,
    "sentence_features": features_text.sentence_features,
    "sentence_end_features": features_text.sentence_end_features,
    "duplicate_features": features_text.duplicate_features,
    "title_features": features_text.title_features,
    "page_features": features_page.page_features,
    "path_features": features_page.path_features,
}
"""Families that need no settings."""

CONFIGURED: dict[str, Callable[[Blocks, FeatureSettings], Columns]] = {
    "container_features": features_tags.container_features,
    "split_features": features_tags.split_features,
    "lexicon_features": features_names.lexicon_features,
    "nearby_features": features_names.nearby_features,
}
"""Families whose features the settings name."""


def columns(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return the columns of all families."""
    found: Columns = {}
    for compute in PLAIN.values():
        found |= compute(blocks)
    for compute_configured in CONFIGURED.values():
        found |= compute_configured(blocks, settings)
    return found


def table(blocks: Blocks, settings: FeatureSettings, names: Sequence[str]) -> npt.NDArray[np.float32]:
    """Return the named columns as the rows of a table of 32-bit numbers."""
    of_name = columns(blocks, settings)
    return np.array([of_name[name] for name in names], dtype=np.float32)
