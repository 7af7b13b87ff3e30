"""Which task gets what, in Spark's SQL: tables of keys and numbers, none of which holds a page.

The cut is that of `dehusk.corpus.index.cut`: of each site the pages with the smallest keys, each key once, that of the
first file. Sorting and grouping it leaves to Spark, so a site of any size costs a machine no more than its sample.
"""

from __future__ import annotations

from typing import Any

from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as F  # noqa: N812 (its usual name)

_TASKS = 10_000
"""Tasks of a pass at most."""
_SITES = 50
"""Sites that are merged in a task, where there are many."""


def tasks(count: int) -> int:
    """Return how many tasks a pass over so many files has: one a file, as long as Spark's driver can keep up."""
    return max(1, min(count, _TASKS))


def places(spark: SparkSession, count: int) -> DataFrame:
    """Return the places of files, a partition each."""
    return spark.range(0, count, 1, tasks(count))


def sampled(index: DataFrame, *, sample: int, least: int) -> DataFrame:
    """Return `site` and `pages` (key, place, number, offset; by rising key) of the sites that are learned.

    Args:
        index: rows of `dehusk.spark.tasks.INDEX`.
        sample: pages of a site at most.
        least: a site with fewer different pages than this is not learned.
    """
    first = (
        index.where("key is not null")
        .groupBy("site", "key")
        .agg(F.expr("min(struct(place, number, offset))").alias("at"))
    )
    rank = F.row_number().over(Window.partitionBy("site").orderBy("key"))
    page = F.expr("struct(key, at.place as place, at.number as number, at.offset as offset)")
    smallest = first.withColumn("rank", rank).where(F.col("rank") <= sample)
    grouped = smallest.groupBy("site").agg(F.sort_array(F.collect_list(page)).alias("pages"))
    return grouped.where(F.size("pages") >= least)


def to_learn(chosen: DataFrame, count: int) -> DataFrame:
    """Return `place` and `pages` (key, number, offset, site) of each file with chosen pages; of `count` files."""
    pages = F.collect_list(F.struct("key", "number", "offset", "site")).alias("pages")
    return chosen.groupBy("place").agg(pages).repartitionByRange(tasks(count), "place")


def to_merge(chosen: DataFrame, learned: DataFrame, count: int) -> DataFrame:
    """Return `site`, `digest` and `parts` (place, offset, size; in this order) of each of `count` sites."""
    part = F.sort_array(F.collect_list(F.struct("place", "offset", "size"))).alias("parts")
    parts = learned.where("site is not null").groupBy("site").agg(part)
    sites = chosen.select("site", "digest").distinct()
    return sites.join(parts, "site", "left").repartition(max(min(count, 64), tasks(count // _SITES)), "site")


def to_clean(index: DataFrame, chosen: DataFrame, count: int) -> DataFrame:
    """Return `place` and `sites` (site, digest) of each of `count` files: those with most pages in the first tasks."""
    sites = index.where("site is not null").select("site", "place").distinct()
    learned = sites.join(chosen.select("site", "digest").distinct(), "site")
    by_file = learned.groupBy("place").agg(F.collect_list(F.struct("site", "digest")).alias("sites"))
    files = index.where("pages is not null").select("place", "pages").join(by_file, "place", "left")
    return files.repartitionByRange(tasks(count), F.desc("pages"), "place")


def rows(table: DataFrame, *names: str) -> list[dict[str, Any]]:
    """Return some columns of a small table, here."""
    return [row.asDict() for row in table.select(*names).collect()]
