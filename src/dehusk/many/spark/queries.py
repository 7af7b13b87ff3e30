"""Spark SQL queries that decide which task gets which files and sites.

Their tables contain keys and numbers, not pages.

The sampling is that of `dehusk.many.corpus.index.choose_samples`: for each site the pages with the smallest keys; a
page that is in several files is taken from the first. Spark does the sorting and grouping, so that each machine handles
only the sample of a site, however large the site is.
"""

from __future__ import annotations

from typing import Any

from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as F  # noqa: N812 (its usual name)

_MAX_TASKS = 10_000
"""Maximum number of tasks in a stage."""
_SITES_PER_TASK = 50
"""Number of sites merged in one task, if there are many sites."""


def task_count(files: int) -> int:
    """Return the number of tasks for a stage: one per file, as long as Spark's driver can keep up."""
    return max(1, min(files, _MAX_TASKS))


def file_numbers(spark: SparkSession, count: int) -> DataFrame:
    """Return the numbers of files, one per partition."""
    return spark.range(0, count, 1, task_count(count))


def sampled(index: DataFrame, *, sample: int, least: int) -> DataFrame:
    """Return `site` and `pages` (key, file_number, number, offset; in ascending order of keys) of the sites to learn.

    Args:
        index: rows of `dehusk.many.spark.tasks.INDEX`.
        sample: maximum number of pages per site.
        least: sites with fewer distinct pages are not learned.
    """
    first = (
        index.where("key is not null")
        .groupBy("site", "key")
        .agg(F.expr("min(struct(file_number, number, offset))").alias("at"))
    )
    rank = F.row_number().over(Window.partitionBy("site").orderBy("key"))
    page = F.expr("struct(key, at.file_number as file_number, at.number as number, at.offset as offset)")
    smallest = first.withColumn("rank", rank).where(F.col("rank") <= sample)
    grouped = smallest.groupBy("site").agg(F.sort_array(F.collect_list(page)).alias("pages"))
    return grouped.where(F.size("pages") >= least)


def to_learn(chosen: DataFrame, count: int) -> DataFrame:
    """Return `file_number` and `pages` (key, number, offset, site) of each of the `count` files with sampled pages."""
    pages = F.collect_list(F.struct("key", "number", "offset", "site")).alias("pages")
    return chosen.groupBy("file_number").agg(pages).repartitionByRange(task_count(count), "file_number")


def to_merge(chosen: DataFrame, learned: DataFrame, count: int) -> DataFrame:
    """Return `site`, `digest` and `parts` (file_number, offset, size; sorted) of each of the `count` sites."""
    part = F.sort_array(F.collect_list(F.struct("file_number", "offset", "size"))).alias("parts")
    parts = learned.where("site is not null").groupBy("site").agg(part)
    sites = chosen.select("site", "digest").distinct()
    tasks = max(min(count, 64), task_count(count // _SITES_PER_TASK))
    return sites.join(parts, "site", "left").repartition(tasks, "site")


def to_clean(index: DataFrame, chosen: DataFrame, count: int) -> DataFrame:
    """Return `file_number` and `sites` (site, digest) of each of the `count` files, largest first."""
    sites = index.where("site is not null").select("site", "file_number").distinct()
    learned = sites.join(chosen.select("site", "digest").distinct(), "site")
    by_file = learned.groupBy("file_number").agg(F.collect_list(F.struct("site", "digest")).alias("sites"))
    files = index.where("pages is not null").select("file_number", "pages").join(by_file, "file_number", "left")
    return files.repartitionByRange(task_count(count), F.desc("pages"), "file_number")


def collect(table: DataFrame, *names: str) -> list[dict[str, Any]]:
    """Return some columns of a small table as a list of rows."""
    return [row.asDict() for row in table.select(*names).collect()]
