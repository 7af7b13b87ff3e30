"""dehusk: take the husk off web pages, keep the kernel.

import dehusk
doc = dehusk.clean(html)           # bytes or str
doc.status, doc.text, doc.markdown, doc.blocks
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any

from dehusk.version import __version__

if TYPE_CHECKING:
    from dehusk.blocks import Blocks, segment
    from dehusk.chunks import Chunk
    from dehusk.cleaning import Pool, clean, clean_file
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
    from dehusk.metadata import Metadata
    from dehusk.methods import load_method
    from dehusk.methods.alternation import FindOptimal
    from dehusk.methods.structure_tree import CompressedStructureTree
    from dehusk.methods.victor.config import VictorConfig, load_config
    from dehusk.methods.victor.method import Victor
    from dehusk.methods.wisdom import Wisdom
    from dehusk.page import Page
    from dehusk.read import Limits, parse
    from dehusk.rules import Rules
    from dehusk.site.model import Site
    from dehusk.site.sources import PageSource
    from dehusk.web import clean_url
    from dehusk.wrapper import Wrapper


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
    "Pool",
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
    "clean",
    "clean_file",
    "clean_url",
    "load_config",
    "load_method",
    "parse",
    "segment",
]

_HOMES = {
    "KINDS": "dehusk.labels",
    "LABELS": "dehusk.labels",
    "Block": "dehusk.document",
    "Blocks": "dehusk.blocks",
    "Chunk": "dehusk.chunks",
    "CompressedStructureTree": "dehusk.methods.structure_tree",
    "ConfigError": "dehusk.errors",
    "DehuskError": "dehusk.errors",
    "Document": "dehusk.document",
    "FindOptimal": "dehusk.methods.alternation",
    "GoldError": "dehusk.errors",
    "InputError": "dehusk.errors",
    "Labels": "dehusk.labels",
    "Limits": "dehusk.read",
    "Metadata": "dehusk.metadata",
    "MissingExtraError": "dehusk.errors",
    "ModelError": "dehusk.errors",
    "NotFittedError": "dehusk.errors",
    "Page": "dehusk.page",
    "PageSource": "dehusk.site.sources",
    "Pool": "dehusk.cleaning",
    "Post": "dehusk.document",
    "Rules": "dehusk.rules",
    "Site": "dehusk.site.model",
    "Status": "dehusk.errors",
    "Unit": "dehusk.document",
    "Victor": "dehusk.methods.victor.method",
    "VictorConfig": "dehusk.methods.victor.config",
    "Wisdom": "dehusk.methods.wisdom",
    "Wrapper": "dehusk.wrapper",
    "clean": "dehusk.cleaning",
    "clean_file": "dehusk.cleaning",
    "clean_url": "dehusk.web",
    "load_config": "dehusk.methods.victor.config",
    "load_method": "dehusk.methods",
    "parse": "dehusk.read",
    "segment": "dehusk.blocks",
}
"""Name -> the module that defines it. It is imported when it is asked for, so that `dehusk clean` can say how many
threads numpy is to start before numpy is imported."""


_IDLE_CYCLES = "OPENBLAS_THREAD_TIMEOUT"
"""The environment variable of the number of cycles, as a power of two."""


def __getattr__(name: str) -> Any:
    """Import a name; a module of the package is found without an import of its own."""
    if name in _HOMES:
        with import_module("dehusk.lazy").IMPORTING, _drowsy_threads():
            value = globals()[name] = getattr(import_module(_HOMES[name]), name)
        return value
    if not name.startswith("_"):
        try:
            return import_module(f"dehusk.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"dehusk.{name}":
                raise
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@contextmanager
def _drowsy_threads() -> Iterator[None]:
    """If numpy is imported in this block, have the threads of OpenBLAS sleep when they have been idle for 0.1 ms.

    They are started with numpy and spin until their first product of matrices, by default for 2^26 cycles: starting
    them costs each core 25 ms. Their number stays the same, and so does the environment after the block.
    """
    if "numpy" in sys.modules or _IDLE_CYCLES in os.environ:
        yield
        return
    os.putenv(_IDLE_CYCLES, "18")  # for the library alone: other threads may read or change `os.environ` meanwhile
    try:
        yield
    finally:
        os.unsetenv(_IDLE_CYCLES)


def __dir__() -> list[str]:
    """Return the names of the package, imported or not."""
    return sorted({*globals(), *__all__})
