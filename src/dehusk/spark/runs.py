"""The run on Apache Spark: the passes of `dehusk corpus`, each a job of Spark with a task for each file.

index ─► which pages stand for their sites (SQL) ─► counts ─► a model for each site ─► clean

Only DataFrames with `mapInArrow` and SQL, so that it runs through Spark Connect as well. Between passes there are small
tables in `state/spark/` of the output folder; pages and models are written by the tasks themselves, as in the local
run, byte by byte the same. A run that was begun on one machine may therefore go on here, and the other way round.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from dehusk.atomic import remove
from dehusk.corpus.folder import Folder
from dehusk.corpus.job import Job, Summary, Tally
from dehusk.corpus.sinks import SINKS
from dehusk.errors import InputError
from dehusk.records.inputs import Input
from dehusk.site.model import ENOUGH
from dehusk.spark import plan, tasks
from dehusk.spark.tasks import Shared, each

_GLOB = re.compile(r"[\\\[\]{}*?]")
"""What Spark takes for a pattern in the name of a folder that it reads."""


def run(spark: SparkSession, job: Job, inputs: Sequence[Input], out: Path, *, resume: bool = True) -> Summary:
    """Clean files of pages into a folder.

    Args:
        spark: a session, classic or Connect. Its workers have dehusk installed and find inputs and output under the
            same paths as this process.
        job: what is wanted.
        inputs: the files.
        out: the folder; see `dehusk.corpus.folder`.
        resume: go on where a run with the same inputs and job was ended.

    Raises:
        InputError: an input cannot be read or the folder cannot be written.
        ConfigError: the method is unknown or has no models that add up.
        pyspark.errors.PySparkException: Spark failed.
    """
    files = tuple(Input(one.path.absolute(), one.name, one.kind) for one in inputs)
    shared = Shared(job, str(out.absolute()), files, job.learns)
    folder = Folder(Path(shared.root))
    with folder.held():
        if not resume:
            folder.forget()
        try:
            summary = _Run(spark, shared, folder).run()
        finally:
            remove(folder.state / "spark")
        folder.write(folder.summary, summary.values())
    return summary


class _Run:
    def __init__(self, spark: SparkSession, shared: Shared, folder: Folder) -> None:
        self.spark = spark
        self.shared = shared
        self.folder = folder
        self.count = len(shared.inputs)

    def run(self) -> Summary:
        work = each(tasks.index(self.shared), tasks.arrow_of(tasks.INDEX))
        index = self._kept("index", plan.places(self.spark, self.count), work, tasks.INDEX)
        _raise_problem(index)
        self._check(index)
        chosen = self._choose(index)
        sites, unlearned = self._learn(chosen)
        tally, resumed = self._clean(index, chosen)
        names = [one.name for one in self.shared.inputs]
        foreign = self.folder.foreign(names, SINKS[self.shared.job.format][0])
        return Summary(tally, sites, unlearned, resumed, foreign)

    def _check(self, index: DataFrame) -> None:
        found = index.where("pages is not null").count()
        if found != self.count:
            root, lost = self.shared.root, self.count - found
            raise InputError(f"{lost} of {self.count} indexes are not here: is {root} one folder for all machines?")

    def _choose(self, index: DataFrame) -> DataFrame:
        stamps: list[list[int]] = [[] for _ in self.shared.inputs]
        for file in plan.rows(index.where("pages is not null"), "place", "size", "changed"):
            stamps[file["place"]] = [file["size"], file["changed"]]
        work = each(tasks.digests([one.name for one in self.shared.inputs], stamps), tasks.arrow_of(tasks.CHOSEN))
        sampled = plan.sampled(index, sample=self.shared.job.sample, least=ENOUGH)
        return self._kept("chosen", sampled, work, tasks.CHOSEN)

    def _learn(self, chosen: DataFrame) -> tuple[int, list[str]]:
        """Learn the sites; return how many, and a line for each page or site that could not be learned from."""
        places, sites = (chosen.select(name).distinct().count() for name in ("place", "site"))
        if not sites:
            return 0, []
        work = each(tasks.learn(self.shared), tasks.arrow_of(tasks.LEARNED))
        learned = self._kept("learned", plan.to_learn(chosen, places), work, tasks.LEARNED)
        _raise_problem(learned)
        merging = plan.to_merge(chosen, learned, sites)
        merged = merging.mapInArrow(each(tasks.merge(self.shared), tasks.arrow_of(tasks.MERGED)), tasks.MERGED)
        said = [*plan.rows(learned, "said"), *plan.rows(merged, "said")]
        return sites, [one["said"] for one in said if one["said"]]

    def _clean(self, index: DataFrame, chosen: DataFrame) -> tuple[Tally, int]:
        files = plan.to_clean(index, chosen, self.count)
        done = files.mapInArrow(each(tasks.clean(self.shared), tasks.arrow_of(tasks.CLEANED)), tasks.CLEANED)
        tally, resumed = Tally(), 0
        for one in plan.rows(done, "tally", "resumed", "problem"):
            if one["problem"]:
                raise InputError(one["problem"])
            tally.add(Tally.of_values(json.loads(one["tally"])))
            resumed += one["resumed"]
        return tally, resumed

    def _kept(self, name: str, table: DataFrame, work: Callable[[Any], Any], ddl: str) -> DataFrame:
        """Do the work on a table, and return what comes of it from a file: so it is done once."""
        place = f"file://{self.folder.state / 'spark' / name}"
        table.mapInArrow(work, ddl).write.mode("overwrite").parquet(place)
        return self.spark.read.schema(ddl).parquet(_GLOB.sub(r"\\\g<0>", place))


def _raise_problem(table: DataFrame) -> None:
    for one in plan.rows(table.where("problem is not null").orderBy("place").limit(1), "problem"):
        raise InputError(one["problem"])
