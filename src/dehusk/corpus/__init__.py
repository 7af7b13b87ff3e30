"""Corpora: clean files of many pages; each page becomes one output row.

    files ─ records ─► index ─► sample of each site ─► site models
                 └───────────────────────────────────► clean ─► sinks

Every stage works file by file. A page goes only from the thread that reads its file to that thread's child process.
"""

from dehusk.corpus.job import CorpusJob, CorpusSummary, ProgressListener
from dehusk.corpus.runner import run

__all__ = ["CorpusJob", "CorpusSummary", "ProgressListener", "run"]
