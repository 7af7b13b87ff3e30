"""Corpora on Apache Spark (extra `spark`): what `dehusk corpus` does, on as many machines as there are.

session ─► run: passes over files            tasks: what a worker does   plan: which task gets what
       └─► learn_pages, clean_pages: a table of pages
"""

from dehusk.spark.frames import ROWS, clean_pages, learn_pages
from dehusk.spark.runs import run
from dehusk.spark.sessions import session

__all__ = ["ROWS", "clean_pages", "learn_pages", "run", "session"]
