"""Corpora: clean files of many pages; each page becomes one output row.

    files ─ records ─► index ─► sample of each site ─► site models
                 └───────────────────────────────────► clean ─► sinks

Every stage divides files into parts, which child processes read. A page passes through another process only if its file
cannot be divided.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dehusk.many.corpus.job import CorpusJob, CorpusSummary, ProgressListener
    from dehusk.many.corpus.runner import run

__all__ = ["CorpusJob", "CorpusSummary", "ProgressListener", "run"]


def __getattr__(name: str) -> Any:
    """Import what is used: child processes use other modules of this package, and start sooner without these."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"dehusk.many.corpus.{'runner' if name == 'run' else 'job'}"), name)
