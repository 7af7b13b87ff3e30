"""Methods: estimate how likely each block of a page is content, and label the blocks.

`registry` knows all methods; each declares itself (`declaration`). `load_method` returns one that is ready to label.
"""

from dehusk.methods.base import PageMethod, TrainedMethod
from dehusk.methods.declaration import Declaration, Option, Request
from dehusk.methods.loading import load_method
from dehusk.methods.registry import DEFAULT, model_folder, register, shipped_models
from dehusk.methods.styles import STYLES, Style

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
