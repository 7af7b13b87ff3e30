"""The run on Apache Spark: the stages of `dehusk corpus`, each a Spark job with one task per file.

index ─► sample of each site (SQL) ─► counts ─► a model for each site ─► clean

It uses only DataFrames, `mapInArrow` and SQL, so it also runs over Spark Connect. Between stages it keeps small tables
in `state/spark/` of the output folder. The tasks themselves write pages and models, the same bytes as the local run;
therefore a run started on one machine can be resumed on Spark, and vice versa.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame, SparkSession

from dehusk.base.atomic import remove, replacing
from dehusk.base.errors import InputError
from dehusk.base.extras import require
from dehusk.base.remote.paths import RemotePath, path_of
from dehusk.counts.model import ENOUGH
from dehusk.many.corpus.folder import RunFolder
from dehusk.many.corpus.job import CorpusJob, CorpusSummary, Tally
from dehusk.many.corpus.sinks import SINKS
from dehusk.many.files.inputs import Input
from dehusk.many.spark import queries, tasks
from dehusk.many.spark.tasks import Batches, RowWork, SharedSettings, arrow_columns, map_rows

if TYPE_CHECKING:
    from dehusk.base.remote.file_path import FilePath

# ---------------------------------------------------------------- stored tables
# Tables between the stages of a run whose output folder is remote: Spark's tasks write and read them themselves.
#
# Spark's own writer would need a connector of Hadoop for the store, with settings of its own. Each task writes one
# file under a new name and returns that name, so what an attempt that failed has left behind is never read.

_FILES = "file string"


def stored(
    spark: SparkSession, table: DataFrame, run: Callable[[Batches], Batches], ddl: str, to: RemotePath
) -> DataFrame:
    """Apply a function to a table, store the result, and return the table that reads it: the work is done only once.

    Args:
        spark: the session.
        table: the table.
        run: a function for `mapInArrow`.
        ddl: the columns of the result.
        to: the folder to write to.
    """
    written = table.mapInArrow(_writing(run, ddl, to), _FILES)
    names = [row["file"] for row in queries.collect(written, "file")]
    return queries.file_numbers(spark, len(names)).mapInArrow(_reading(names, to), ddl)


def _writing(run: Callable[[Batches], Batches], ddl: str, to: RemotePath) -> Callable[[Batches], Batches]:
    def write(batches: Batches) -> Batches:
        arrow, parquet = _libraries()
        results = run(batches)
        first = next(results, None)
        if first is None:
            return
        name = f"{uuid.uuid4().hex}.parquet"
        with replacing(to / name) as temporary, parquet.ParquetWriter(temporary, arrow_columns(ddl)) as writer:
            writer.write_batch(first)
            for batch in results:
                writer.write_batch(batch)
        yield arrow.RecordBatch.from_pylist([{"file": name}], schema=arrow_columns(_FILES))

    return write


def _reading(names: list[str], folder: RemotePath) -> Callable[[Batches], Batches]:
    def read(batches: Batches) -> Batches:
        _, parquet = _libraries()
        for batch in batches:
            for number in batch.column("id").to_pylist():
                with (folder / names[number]).open("rb") as stream, parquet.ParquetFile(stream) as file:
                    yield from file.iter_batches(use_threads=False)

    return read


def _libraries() -> tuple[Any, Any]:
    purpose = "running on Spark"
    return require("pyarrow", extra="spark", purpose=purpose), require(
        "pyarrow.parquet", extra="spark", purpose=purpose
    )


# ---------------------------------------------------------------- driver

_GLOB = re.compile(r"[\\\[\]{}*?]")
"""Characters that Spark interprets as a pattern in the name of a folder."""


def run(
    spark: SparkSession, job: CorpusJob, inputs: Sequence[Input], output: FilePath, *, resume: bool = True
) -> CorpusSummary:
    """Clean files of pages and write the rows, site models and summary to a folder.

    Args:
        spark: a session, classic or Connect. Its workers have dehusk installed and find inputs and output at the same
            paths as this process.
        job: how to learn sites and clean pages.
        inputs: the input files.
        output: the output folder, a `Path` or `RemotePath`; see `dehusk.many.corpus.folder`.
        resume: reuse the results of an earlier run with the same inputs and job, even an interrupted one.

    Raises:
        InputError: an input cannot be read, or the output folder cannot be written.
        ConfigError: the method is unknown, or its models do not match it.
        pyspark.errors.PySparkException: Spark failed.
    """
    files = tuple(replace(file, path=file.path.absolute()) for file in inputs)
    shared = SharedSettings(job, str(output.absolute()), files, job.learns)
    folder = RunFolder(path_of(shared.root))
    with folder.locked():
        if not resume:
            folder.forget()
        try:
            summary = _SparkRun(spark, shared, folder).run()
        finally:
            remove(folder.state / "spark")
        folder.write(folder.summary, summary.values())
    return summary


class _SparkRun:
    def __init__(self, spark: SparkSession, shared: SharedSettings, folder: RunFolder) -> None:
        self.spark = spark
        self.shared = shared
        self.folder = folder
        self.count = len(shared.inputs)

    def run(self) -> CorpusSummary:
        files = queries.file_numbers(self.spark, self.count)
        index = self._store("index", files, tasks.index_task(self.shared), tasks.INDEX)
        _raise_problem(index)
        self._check(index)
        chosen = self._choose(index)
        sites, unlearned = self._learn(chosen)
        tally, resumed = self._clean(index, chosen)
        names = [file.name for file in self.shared.inputs]
        foreign = self.folder.foreign(names, SINKS[self.shared.job.format].suffix)
        return CorpusSummary(tally, sites, unlearned, resumed, foreign)

    def _check(self, index: DataFrame) -> None:
        missing = self.count - index.where("pages is not null").count()
        if missing:
            root = self.shared.root
            raise InputError(f"{missing} of {self.count} indexes are missing: is {root} shared by all machines?")

    def _choose(self, index: DataFrame) -> DataFrame:
        """Return the pages to learn sites from."""
        stamps: list[list[int]] = [[] for _ in self.shared.inputs]
        for row in queries.collect(index.where("pages is not null"), "file_number", "size", "changed"):
            stamps[row["file_number"]] = [row["size"], row["changed"]]
        work = tasks.digest_task([file.name for file in self.shared.inputs], stamps)
        sampled = queries.sampled(index, sample=self.shared.job.sample, least=ENOUGH)
        return self._store("chosen", sampled, work, tasks.CHOSEN)

    def _learn(self, chosen: DataFrame) -> tuple[int, list[str]]:
        """Learn the sites; return their number, and one line per page or site that could not be learned from."""
        files, sites = (chosen.select(name).distinct().count() for name in ("file_number", "site"))
        if not sites:
            return 0, []
        learned = self._store("learned", queries.to_learn(chosen, files), tasks.learn_task(self.shared), tasks.LEARNED)
        _raise_problem(learned)
        merge = map_rows(tasks.merge_task(self.shared), arrow_columns(tasks.MERGED))
        merged = queries.to_merge(chosen, learned, sites).mapInArrow(merge, tasks.MERGED)
        rows = [*queries.collect(learned, "note"), *queries.collect(merged, "note")]
        return sites, [row["note"] for row in rows if row["note"]]

    def _clean(self, index: DataFrame, chosen: DataFrame) -> tuple[Tally, int]:
        """Clean the files; return their tally, and how many were done by an earlier run."""
        clean = map_rows(tasks.clean_task(self.shared), arrow_columns(tasks.CLEANED))
        cleaned = queries.to_clean(index, chosen, self.count).mapInArrow(clean, tasks.CLEANED)
        tally, resumed = Tally(), 0
        for row in queries.collect(cleaned, "tally", "resumed", "problem"):
            if row["problem"]:
                raise InputError(row["problem"])
            tally.add(Tally.of_values(json.loads(row["tally"])))
            resumed += row["resumed"]
        return tally, resumed

    def _store(self, name: str, table: DataFrame, work: RowWork, ddl: str) -> DataFrame:
        """Apply work to a table, store the result in a file and read it back, so that the work is done only once."""
        run = map_rows(work, arrow_columns(ddl))
        if isinstance(self.folder.state, RemotePath):
            return stored(self.spark, table, run, ddl, self.folder.state / "spark" / name)
        location = f"file://{self.folder.state / 'spark' / name}"
        result: Any = table.mapInArrow(run, ddl)
        result.write.mode("overwrite").parquet(location)
        return self.spark.read.schema(ddl).parquet(_GLOB.sub(r"\\\g<0>", location))


def _raise_problem(table: DataFrame) -> None:
    """Raise the problem of the first file that has one."""
    for row in queries.collect(table.where("problem is not null").orderBy("file_number").limit(1), "problem"):
        raise InputError(row["problem"])
