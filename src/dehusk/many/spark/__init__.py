"""Clean corpora on Apache Spark (extra `spark`): the same as `dehusk corpus`, on many machines.

session ─► run: files of pages               tasks: the work of workers   queries: which task gets what
       └─► learn_pages, clean_pages: a table of pages
"""

from dehusk.base.extras import require

require("pyspark.sql", extra="spark", purpose="running on Spark")

from dehusk.many.spark.driver import run  # noqa: E402 (after the check)
from dehusk.many.spark.frames import ROWS, clean_pages, learn_pages  # noqa: E402
from dehusk.many.spark.sessions import session  # noqa: E402

__all__ = ["ROWS", "clean_pages", "learn_pages", "run", "session"]
