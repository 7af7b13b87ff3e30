"""Learn from and clean pages already in a Spark table.

Unlike pages in files (`dehusk.many.spark.run`), the pages of a table must be copied from Java to Python; otherwise the
work and its results are the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from uuid import uuid4

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812 (its usual name)

from dehusk.base.atomic import replacing
from dehusk.base.errors import ChildError, ConfigError, InputError
from dehusk.base.remote.paths import one_in_each_store, path_of
from dehusk.counts.grouping import By, site_name
from dehusk.counts.model import ENOUGH
from dehusk.label import DEFAULT
from dehusk.label.registry import declaration
from dehusk.many.corpus.child_tasks import LearnTask, MergeTask, PageTask
from dehusk.many.corpus.children import NO_DEADLINE, clean_in_child, page_deadline
from dehusk.many.corpus.folder import file_name
from dehusk.many.corpus.index import page_key
from dehusk.many.corpus.job import CorpusJob
from dehusk.many.files.bodies import Body
from dehusk.many.files.tables import row_record
from dehusk.many.rows import arrow_schema, make_row, spark_schema
from dehusk.many.spark.tasks import SHIFT, RowWork, SparkRow, arrow_columns, map_rows, worker_child

if TYPE_CHECKING:
    from dehusk.base.remote.file_path import FilePath

ROWS = spark_schema()
"""The columns of `clean_pages`: those of `dehusk.many.rows`."""

_BROADCAST_ROWS = 1_000_000
"""A sample of at most so many pages is copied to every executor: about 300 bytes of Java memory each."""
_KINDS = ("string", "varchar", "char", "binary", "void")  # Spark's names for what pages may be, or nothing at all
_KEYS = "site string, key long, url string"
_COUNTS = "site string, counts binary"
_MODELS = "site string, pages long, unread long, problem string"


def clean_pages(pages: DataFrame, job: CorpusJob | None = None, *, sites: str | FilePath | None = None) -> DataFrame:
    """Return one row of `ROWS` per page; `file`, `number`, `offset` and `retrieved` are null.

    Args:
        pages: the columns named by `job.columns`, or those with the usual names: `html` (text or bytes), `url`, `id`. A
            row without a page becomes a row with status no-content.
        job: how to clean pages; its `format` and `sample` are ignored.
        sites: the folder of site models that `learn_pages` or a run wrote; every worker finds it at this path.

    Raises:
        InputError: a column is missing, or that of the pages has neither text nor bytes.
        ConfigError: the method needs site models, but `sites` is None; or the job requests findings.
    """
    job = job or CorpusJob()
    if sites is None and declaration(job.method or DEFAULT).site == "required":
        raise ConfigError(f"method {job.method} needs `sites`")
    if job.findings:
        raise ConfigError("findings can only be written as JSON Lines: clean files instead of a table")
    columns = _columns(pages, job)
    work = _clean(job, columns, None if sites is None else path_of(str(sites)).absolute())
    return pages.select(*(name for name in columns if name)).mapInArrow(map_rows(work, arrow_schema()), ROWS)


def _columns(pages: DataFrame, job: CorpusJob) -> tuple[str, str | None, str | None]:
    """Return the columns of a table that are of a page, its address and its id."""
    columns = job.columns.among(pages.columns)
    kind = pages.schema[columns[0]].dataType.typeName()
    if kind not in _KINDS:
        raise InputError(f"column {columns[0]!r} is of {kind}: pages are text or bytes")
    return columns


def _clean(job: CorpusJob, columns: tuple[str, str | None, str | None], sites: FilePath | None) -> RowWork:
    found: dict[str, bool] = {}  # asking a remote store takes a while
    stores = one_in_each_store([sites] if sites else [])

    def work(row: SparkRow) -> Iterator[SparkRow]:
        record = row_record(row, columns, None, job.limits.bytes)
        folder = sites / file_name(site_name(record.url, job.by)) if sites and record.url else None
        model = str(folder) if folder else ""
        if folder and model not in found:
            found[model] = folder.is_dir()
        model = model if found.get(model) else ""
        yield make_row(**clean_in_child(worker_child(job, stores=stores), job, record, Body(record.raw), model))

    return work


def learn_pages(pages: DataFrame, sites: str | FilePath, job: CorpusJob | None = None) -> DataFrame:
    """Learn each site from a sample of its pages and write the models.

    If each URL occurs once, the models are those of a run over the same pages; otherwise one of the pages with the
    same URL is used. The call itself reads the URLs once, to count the sample. The URLs of a sample of up to 1,000,000
    pages go to every executor, and only sampled pages are shuffled; for a larger sample, all pages are.

    Args:
        pages: as for `clean_pages`; the column of URLs is required.
        sites: the folder to write the models to; every worker must be able to write there.
        job: how to learn sites, from up to `sample` pages each.

    Returns:
        One row per site: `site`; `pages`, the number of pages it was learned from; `unread`, the number of pages that
        could not be used; `problem`, why there is no model. Computing the table writes the models.

    Raises:
        InputError: a column is missing, or that of the pages has neither text nor bytes.
        ConfigError: the method does not learn from sites.
    """
    job = job or CorpusJob()
    html, url, _ = _columns(pages, job)
    if url is None:
        raise InputError("the table has no column of URLs, so sites are unknown: name one with Columns(url=...)")
    if not job.learns:
        raise ConfigError(f"method {job.method} does not learn from sites")
    named = pages.select(F.col(url).cast("string").alias("url"), F.col(html).alias("html")).where("length(url) > 0")
    counts = _sampled(named, job).mapInArrow(map_rows(_count(job), arrow_columns(_COUNTS)), _COUNTS)
    unread = F.expr("count_if(counts is null)").alias("unread")
    by_site = counts.groupBy("site").agg(F.collect_list("counts").alias("counts"), unread)
    return by_site.mapInArrow(map_rows(_merge(job, path_of(str(sites)).absolute()), arrow_columns(_MODELS)), _MODELS)


def _sampled(named: DataFrame, job: CorpusJob) -> DataFrame:
    """Return `url`, `html` and `site` of the pages that sites are learned from; each URL occurs once.

    Args:
        named: `url` and `html` of the pages that have a URL.
        job: how to learn sites.
    """
    # The bound includes URLs without a page, so that a file by columns is not read as a whole.
    bound = _sample(named.select("url"), job).count()
    pages = named.where("length(html) > 0")
    # A cached sample would outlive this call, and be reused after its files have changed: it is computed again.
    sample = _sample(pages.select("url"), job).hint("broadcast" if bound <= _BROADCAST_ROWS else "merge")
    turn = F.row_number().over(Window.partitionBy("url").orderBy(F.md5("html"), "html"))
    return pages.join(sample, "url").withColumn("turn", turn).where("turn = 1").drop("turn")


def _sample(urls: DataFrame, job: CorpusJob) -> DataFrame:
    """Return `url` and `site` of the pages that sites are learned from."""
    keys = urls.mapInArrow(map_rows(_key(job.by), arrow_columns(_KEYS)), _KEYS)
    distinct = keys.groupBy("site", "key").agg(F.min("url").alias("url"))
    by_site = Window.partitionBy("site")
    ranked = distinct.withColumn("rank", F.row_number().over(by_site.orderBy("key")))
    smallest = ranked.where(F.col("rank") <= job.sample).withColumn("pages", F.count("*").over(by_site))
    return smallest.where(F.col("pages") >= ENOUGH).select("url", "site")


def _key(by: By) -> RowWork:
    def work(row: SparkRow) -> Iterator[SparkRow]:
        url = row["url"] or ""
        if site := site_name(url, by) if url else "":
            yield {"site": site, "key": page_key(url) - SHIFT, "url": url}

    return work


def _count(job: CorpusJob) -> RowWork:
    def work(row: SparkRow) -> Iterator[SparkRow]:
        record = row_record(row, ("html", "url", None), None, job.limits.bytes)
        page = PageTask(record.raw, record.url, {}, record.decoded, row["site"])
        try:
            learned = worker_child(job).work(LearnTask([page]), seconds=page_deadline(job)).result
        except ChildError:
            learned = []
        yield {"site": row["site"], "counts": learned[0].counts if learned else None}

    return work


def _merge(job: CorpusJob, sites: FilePath) -> RowWork:
    def work(row: SparkRow) -> Iterator[SparkRow]:
        result = {"site": row["site"], "unread": row["unread"]}
        if not row["counts"]:
            yield result | {"problem": "none of its pages could be read"}
            return
        try:
            with replacing(sites / file_name(row["site"]), owner=uuid4().hex) as temporary:
                temporary.mkdir()
                task = MergeTask(row["counts"], job.by, job.counts, str(temporary))
                pages = worker_child(job).work(task, seconds=NO_DEADLINE).result
        except ChildError as error:
            yield result | {"problem": str(error)}
            return
        yield result | {"pages": pages}

    return work
