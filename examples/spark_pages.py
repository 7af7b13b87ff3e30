"""Learn the sites of the pages in a Spark table, clean the pages, and count their statuses.

    python examples/spark_pages.py PAGES.parquet SITES OUTPUT

The table has the columns `html` and `url`; SITES and OUTPUT are folders to write.
Install: pip install 'dehusk[spark]'
"""

import sys

from dehusk.many.corpus.job import CorpusJob
from dehusk.many.spark import clean_pages, learn_pages, session


def main(pages: str, sites: str, output: str) -> None:
    """Learn the sites of a table of pages, and clean the pages."""
    with session("local[2]") as spark:
        table = spark.read.parquet(pages)
        for site in learn_pages(table, sites).collect():
            print(site.site, site.pages, site.problem or "learned")
        rows = clean_pages(table, CorpusJob(content="markdown"), sites=sites)
        rows.write.mode("overwrite").parquet(output)
        for status in spark.read.parquet(output).groupBy("status").count().orderBy("status").collect():
            print(status["status"], status["count"])


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: python spark_pages.py PAGES.parquet SITES OUTPUT")
    main(*sys.argv[1:])
