"""dehusk: take the husk off web pages, keep the kernel.

import dehusk
doc = dehusk.clean(html)           # bytes or str
doc.status, doc.text, doc.markdown, doc.blocks
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dehusk.backends import Backend, chosen
from dehusk.blocks import Blocks, segment
from dehusk.cleaning import clean, clean_file
from dehusk.document import Block, Document, Post, Unit
from dehusk.errors import (
    ConfigError,
    DehuskError,
    GoldError,
    InputError,
    MissingExtraError,
    ModelError,
    NotFittedError,
    Status,
)
from dehusk.labels import KINDS, LABELS, Labels
from dehusk.methods import load_method
from dehusk.page import Page
from dehusk.read import Limits, parse
from dehusk.version import __version__
from dehusk.web import clean_url

if TYPE_CHECKING:
    from dehusk.chunks import Chunk
    from dehusk.metadata import Metadata
    from dehusk.methods.alternation import FindOptimal
    from dehusk.methods.structure_tree import CompressedStructureTree
    from dehusk.methods.victor.config import VictorConfig, load_config
    from dehusk.methods.victor.method import Victor
    from dehusk.methods.wisdom import Wisdom
    from dehusk.rules import Rules
    from dehusk.site.model import Site
    from dehusk.site.sources import PageSource
    from dehusk.wrapper import Wrapper

    backend: Backend

__all__ = [
    "KINDS",
    "LABELS",
    "Block",
    "Blocks",
    "Chunk",
    "CompressedStructureTree",
    "ConfigError",
    "DehuskError",
    "Document",
    "FindOptimal",
    "GoldError",
    "InputError",
    "Labels",
    "Limits",
    "Metadata",
    "MissingExtraError",
    "ModelError",
    "NotFittedError",
    "Page",
    "PageSource",
    "Post",
    "Rules",
    "Site",
    "Status",
    "Unit",
    "Victor",
    "VictorConfig",
    "Wisdom",
    "Wrapper",
    "__version__",
    "backend",
    "clean",
    "clean_file",
    "clean_url",
    "load_config",
    "load_method",
    "parse",
    "segment",
]

_LATER = {
    "Chunk": "dehusk.chunks",
    "CompressedStructureTree": "dehusk.methods.structure_tree",
    "FindOptimal": "dehusk.methods.alternation",
    "Metadata": "dehusk.metadata",
    "PageSource": "dehusk.site.sources",
    "Rules": "dehusk.rules",
    "Site": "dehusk.site.model",
    "Victor": "dehusk.methods.victor.method",
    "VictorConfig": "dehusk.methods.victor.config",
    "Wisdom": "dehusk.methods.wisdom",
    "Wrapper": "dehusk.wrapper",
    "load_config": "dehusk.methods.victor.config",
}


def __getattr__(name: str) -> Any:
    """Return the backend in use, or load what cleaning a page does not need when it is asked for."""
    if name == "backend":
        return chosen()
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LATER[name]), name)
