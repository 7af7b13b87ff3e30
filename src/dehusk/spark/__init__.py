"""Corpora on Apache Spark (extra `spark`): what `dehusk corpus` does, on as many machines as there are.

session ─► run (passes over files)          tasks: what a worker does   plan: which task gets what
a DataFrame of pages ─► learn_pages, clean_pages
"""
