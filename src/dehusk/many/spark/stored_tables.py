"""Tables between the stages of a run whose output folder is remote: Spark's tasks write and read them themselves.

Spark's own writer would need a connector of Hadoop for the store, with settings of its own. Each task writes one file
under a new name and returns that name, so what an attempt that failed has left behind is never read.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from dehusk.base.atomic import replacing
from dehusk.base.extras import require
from dehusk.base.remote.paths import RemotePath
from dehusk.many.spark import queries
from dehusk.many.spark.tasks import Batches, arrow_columns

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
