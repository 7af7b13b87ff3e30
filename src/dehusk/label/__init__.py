"""Methods: estimate how likely each block of a page is content, and label the blocks.

`registry` knows all methods; each declares itself (`declaration`). `load_method` returns one that is ready to label.
"""

from dehusk.label.base import PageMethod, TrainedMethod
from dehusk.label.declaration import Declaration, Option, Request
from dehusk.label.loading import load_method
from dehusk.label.registry import DEFAULT, model_folder, register, shipped_models
from dehusk.label.styles import STYLES, Style

__all__ = [
    "DEFAULT",
    "STYLES",
    "Declaration",
    "Option",
    "PageMethod",
    "Request",
    "Style",
    "TrainedMethod",
    "load_method",
    "model_folder",
    "register",
    "shipped_models",
]
