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

from dehusk.base.version import __version__

if TYPE_CHECKING:
    from dehusk.about.declared import DeclaredFact, DeclaredThing
    from dehusk.about.metadata import Metadata
    from dehusk.about.partial import PageWarning
    from dehusk.base.errors import (
        ConfigError,
        DehuskError,
        GoldError,
        InputError,
        MissingExtraError,
        ModelError,
        NotFittedError,
        Status,
    )
    from dehusk.blocks import Blocks, segment
    from dehusk.blocks.labels import KINDS, LABELS, Labels
    from dehusk.cleaning import Pool, clean, clean_file
    from dehusk.counts.sources import PageSource
    from dehusk.document import Block, Document, Post, Unit
    from dehusk.label import load_method
    from dehusk.label.rules import Rules
    from dehusk.label.sites import Site
    from dehusk.label.victor.config import VictorConfig, load_config
    from dehusk.label.victor.method import Victor
    from dehusk.many.web import clean_url
    from dehusk.read import Limits, parse
    from dehusk.read.page import Page
    from dehusk.sites.alternation import FindOptimal
    from dehusk.sites.records import Wrapper
    from dehusk.sites.structure_tree import CompressedStructureTree
    from dehusk.sites.wisdom import Wisdom
    from dehusk.write.chunks import Chunk, Excerpt
    from dehusk.write.outline import Part
    from dehusk.write.quotes import QuotePlace


__all__ = [
    "KINDS",
    "LABELS",
    "Block",
    "Blocks",
    "Chunk",
    "CompressedStructureTree",
    "ConfigError",
    "DeclaredFact",
    "DeclaredThing",
    "DehuskError",
    "Document",
    "Excerpt",
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
    "PageWarning",
    "Part",
    "Pool",
    "Post",
    "QuotePlace",
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
    "KINDS": "dehusk.blocks.labels",
    "LABELS": "dehusk.blocks.labels",
    "Block": "dehusk.document",
    "Blocks": "dehusk.blocks",
    "Chunk": "dehusk.write.chunks",
    "CompressedStructureTree": "dehusk.sites.structure_tree",
    "ConfigError": "dehusk.base.errors",
    "DeclaredFact": "dehusk.about.declared",
    "DeclaredThing": "dehusk.about.declared",
    "DehuskError": "dehusk.base.errors",
    "Document": "dehusk.document",
    "Excerpt": "dehusk.write.chunks",
    "FindOptimal": "dehusk.sites.alternation",
    "GoldError": "dehusk.base.errors",
    "InputError": "dehusk.base.errors",
    "Labels": "dehusk.blocks.labels",
    "Limits": "dehusk.read",
    "Metadata": "dehusk.about.metadata",
    "MissingExtraError": "dehusk.base.errors",
    "ModelError": "dehusk.base.errors",
    "NotFittedError": "dehusk.base.errors",
    "Page": "dehusk.read.page",
    "PageSource": "dehusk.counts.sources",
    "PageWarning": "dehusk.about.partial",
    "Part": "dehusk.write.outline",
    "Pool": "dehusk.cleaning",
    "Post": "dehusk.document",
    "QuotePlace": "dehusk.write.quotes",
    "Rules": "dehusk.label.rules",
    "Site": "dehusk.label.sites",
    "Status": "dehusk.base.errors",
    "Unit": "dehusk.document",
    "Victor": "dehusk.label.victor.method",
    "VictorConfig": "dehusk.label.victor.config",
    "Wisdom": "dehusk.sites.wisdom",
    "Wrapper": "dehusk.sites.records",
    "clean": "dehusk.cleaning",
    "clean_file": "dehusk.cleaning",
    "clean_url": "dehusk.many.web",
    "load_config": "dehusk.label.victor.config",
    "load_method": "dehusk.label",
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
        with import_module("dehusk.base.lazy").IMPORTING, _drowsy_threads():
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
