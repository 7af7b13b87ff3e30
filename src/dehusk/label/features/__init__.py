"""Features of blocks: named columns with one value per block.

"The thesis" in this package is Marek's *Automatic cleaning of HTML documents* (docs/victor.md).

A module of this package declares its features as `FAMILIES`; to add one, write the module and list it in `FEATURES` of
`families.py`, which is imported when something of it is asked for: the compiled kernels need few of the modules.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dehusk.label.features.family import Columns, Expressions, Family, FeatureSet, FeatureSettings

if TYPE_CHECKING:
    from dehusk.label.features.families import DOC, FEATURES, compute, compute_each, is_known

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

VERSION = 2
"""Increase this whenever the values of a feature change, and retrain all models: their hashes cover it."""


def __getattr__(name: str) -> Any:
    """Import all features."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("dehusk.label.features.families"), name)
