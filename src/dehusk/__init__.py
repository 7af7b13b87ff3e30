"""dehusk: take the husk off web pages, keep the kernel.

import dehusk
doc = dehusk.clean(html)           # bytes or str
doc.status, doc.text, doc.markdown, doc.blocks
"""

from dehusk.blocks import Blocks, segment
from dehusk.clean import Block, Document, clean
from dehusk.config import Config, load_config
from dehusk.errors import ConfigError, DehuskError, GoldError, InputError, ModelError, NotFittedError, Status
from dehusk.labels import LABELS, Labels
from dehusk.methods import load_method
from dehusk.methods.victor import Victor
from dehusk.page import Page
from dehusk.read import Limits, parse

__version__ = "0.1.0"

__all__ = [
    "LABELS",
    "Block",
    "Blocks",
    "Config",
    "ConfigError",
    "DehuskError",
    "Document",
    "GoldError",
    "InputError",
    "Labels",
    "Limits",
    "ModelError",
    "NotFittedError",
    "Page",
    "Status",
    "Victor",
    "clean",
    "load_config",
    "load_method",
    "parse",
    "segment",
]
