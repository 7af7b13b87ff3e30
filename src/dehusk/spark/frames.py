"""Pages that are in a table of Spark already: learned from and cleaned without files in between.

Pages of a table have to go from Java to Python once each time, which files do not (`dehusk.spark.run`); else the work
and its results are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812 (its usual name)

from dehusk.atomic import replacing
from dehusk.corpus.folder import file_name
from dehusk.corpus.index import page_key
from dehusk.corpus.job import Job
from dehusk.corpus.one import clean_page, deadline
from dehusk.corpus.passes import FOR_EVER
from dehusk.corpus.schema import BLOCK, COLUMNS, arrow_schema, row
from dehusk.corpus.work import Batch, Merge, Sent
from dehusk.errors import ConfigError, InputError
from dehusk.methods import SITE_METHODS
from dehusk.processes.child import ChildError
from dehusk.records.record import Body
from dehusk.records.tables import record_of
from dehusk.site.grouping import By, site_name
from dehusk.site.model import ENOUGH
from dehusk.spark.tasks import SHIFT, Row, arrow_of, child, each

_KINDS = {"string": "string", "int64": "bigint", "int32": "int", "float64": "double", "bool_": "boolean"}
_BLOCK = ", ".join(f"{name}: {_KINDS[kind]}" for name, kind in BLOCK.items())
ROWS = ", ".join(f"{name} {_KINDS.get(kind) or f'array<struct<{_BLOCK}>>'}" for name, kind in COLUMNS.items())
"""The columns of `clean_pages`: those of `dehusk.corpus.schema`."""

_KEYS = "site string, key long, url string"
_COUNTS = "site string, counts binary"
_MODELS = "site string, pages long, unread long, problem string"


def clean_pages(pages: DataFrame, job: Job | None = None, *, sites: str | Path | None = None) -> DataFrame:
    """Return a row of `ROWS` for each page; `file`, `number`, `offset` and `date` are null.

    Args:
        pages: with columns as `job.columns` names them, or as is usual: `html` (text or bytes), `url`, `id`. Rows
            without a page become rows with status no-content.
        job: what is wanted; its `format` and `sample` say nothing here.
        sites: the folder with a model for each site, of `learn_pages` or of a run; every worker finds it there.

    Raises:
        InputError: a column is not there.
        ConfigError: a method for sites without models.
    """
    job = job or Job()
    if job.method in SITE_METHODS and sites is None:
        raise ConfigError(f"method {job.method} needs `sites`")
    chosen = job.columns.among(pages.columns)
    work = _clean(job, chosen, None if sites is None else Path(sites).absolute())
    return pages.select(*(name for name in chosen if name)).mapInArrow(each(work, arrow_schema()), ROWS)


def _clean(job: Job, chosen: tuple[str, str | None, str | None], sites: Path | None) -> Callable[[Row], Iterator[Row]]:
    def work(given: Row) -> Iterator[Row]:
        record = record_of(given, chosen, None, job.limits.bytes)
        folder = sites / file_name(site_name(record.url, job.by)) if sites and record.url else None
        model = str(folder) if folder and folder.is_dir() else ""
        yield row(**clean_page(child(job), job, record, Body(record.raw, ()), model))

    return work


def learn_pages(pages: DataFrame, sites: str | Path, job: Job | None = None) -> DataFrame:
    """Learn each site from a sample of its pages and write the models.

    They are those of a run over the same pages, where each address comes once.

    Of pages with the same address one is taken. Only those of samples go through a shuffle; their addresses go to every
    executor, 100 bytes each.

    Args:
        pages: as of `clean_pages`, with a column of addresses.
        sites: a folder that every worker reaches; a folder for each site is written there.
        job: what is wanted; `sample` pages of a site at most.

    Returns:
        `site`, `pages` that it was learned from, how many were `unread` since they could not be, and what was the
        `problem` if there is no model. Models are written when this is computed.

    Raises:
        InputError: a column is not there.
        ConfigError: the method does not learn from sites.
    """
    job = job or Job()
    html, url, _ = job.columns.among(pages.columns)
    if url is None:
        raise InputError("pages without addresses are of no site: name the column with Columns(url=...)")
    if not job.learns:
        raise ConfigError(f"method {job.method} does not learn from sites")
    named = pages.select(F.col(url).cast("string").alias("url"), F.col(html).alias("html")).where("length(html) > 0")
    sample = _sample(named.select("url"), job)
    once = F.row_number().over(Window.partitionBy("url").orderBy(F.md5("html"), "html"))
    held = named.join(F.broadcast(sample), "url").withColumn("turn", once).where("turn = 1").drop("turn")
    counts = held.mapInArrow(each(_count(job), arrow_of(_COUNTS)), _COUNTS)
    unread = F.expr("count_if(counts is null)").alias("unread")
    by_site = counts.groupBy("site").agg(F.collect_list("counts").alias("counts"), unread)
    return by_site.mapInArrow(each(_merge(job, Path(sites).absolute()), arrow_of(_MODELS)), _MODELS)


def _sample(urls: DataFrame, job: Job) -> DataFrame:
    """Return `url` and `site` of the pages that sites are learned from."""
    keys = urls.mapInArrow(each(_key(job.by), arrow_of(_KEYS)), _KEYS)
    first = keys.groupBy("site", "key").agg(F.min("url").alias("url"))
    by_site = Window.partitionBy("site")
    ranked = first.withColumn("rank", F.row_number().over(by_site.orderBy("key"))).where(F.col("rank") <= job.sample)
    return ranked.withColumn("pages", F.count("*").over(by_site)).where(F.col("pages") >= ENOUGH).select("url", "site")


def _key(by: By) -> Callable[[Row], Iterator[Row]]:
    def work(given: Row) -> Iterator[Row]:
        url = given["url"] or ""
        if site := site_name(url, by) if url else "":
            yield {"site": site, "key": page_key(url) - SHIFT, "url": url}

    return work


def _count(job: Job) -> Callable[[Row], Iterator[Row]]:
    def work(given: Row) -> Iterator[Row]:
        record = record_of(given, ("html", "url", None), None, job.limits.bytes)
        sent = Sent(record.raw, record.url, {}, record.decoded, given["site"])
        try:
            learned = child(job).work(Batch([sent]), seconds=deadline(job)).result
        except ChildError:
            learned = []
        yield {"site": given["site"], "counts": learned[0].counts if learned else None}

    return work


def _merge(job: Job, sites: Path) -> Callable[[Row], Iterator[Row]]:
    def work(given: Row) -> Iterator[Row]:
        found = {"site": given["site"], "unread": given["unread"]}
        if not given["counts"]:
            yield found | {"problem": "none of its pages could be read"}
            return
        try:
            with replacing(sites / file_name(given["site"]), owner=uuid4().hex) as temporary:
                temporary.mkdir()
                merging = Merge(given["counts"], job.by, str(temporary))
                pages = child(job).work(merging, seconds=FOR_EVER).result
        except ChildError as error:
            yield found | {"problem": str(error)}
            return
        yield found | {"pages": pages}

    return work
