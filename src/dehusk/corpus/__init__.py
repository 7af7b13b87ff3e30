"""Corpora: files of many pages in, one row a page out.

    files ─ records ─► index ─► sample of each host ─► site models
                 └───────────────────────────────────► clean ─► sinks

Every pass is keyed by input file. Pages go from the thread that reads a file to its own child process and nowhere
else.
"""
