"""Run the largest step of a huge corpus with keys alone: choosing the pages that each site is learned from, on Spark.

No page is read: the rows that the index of a corpus would have are generated, with sites as unequal as on the web, and go
through the queries of `dehusk spark`, in a Java process with a fixed heap.
"""

import argparse
import datetime as dt
import json
import os
import sys
from pathlib import Path

os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"

from dehusk.counts.model import ENOUGH
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.many.corpus.job import CorpusJob
from processes import measure
from sets import write_results

SIZES = (25_000_000, 50_000_000, 100_000_000)
PAGES_PER_FILE, ROWS_PER_SITE = 3_000, 10
HEAP = "2g"
CORES = 2


def choose(rows: int, folder: str) -> dict[str, int]:
    """Choose samples among generated rows; return the number of sites, of sampled pages, and of files with them."""
    from pyspark.sql import SparkSession

    from dehusk.many.spark import queries

    builder = SparkSession.builder.master(f"local[{CORES}]").config("spark.driver.memory", HEAP)
    builder = builder.config("spark.local.dir", folder).config("spark.ui.enabled", "false")
    spark = builder.config("spark.log.level", "ERROR").config("spark.ui.showConsoleProgress", "false").getOrCreate()
    sites = rows // ROWS_PER_SITE  # u ^ 3: a few sites have very many pages, most have few
    index = spark.range(0, rows, 1, max(8, rows // 2_000_000)).selectExpr(
        f"id div {PAGES_PER_FILE} as file_number",
        f"concat('site-', cast(floor({sites} * pow(rand(1), 3)) as string), '.example') as site",
        "xxhash64(id) as key",
        f"id % {PAGES_PER_FILE} as number",
        f"(id % {PAGES_PER_FILE}) * 30000 as offset",
    )
    chosen = queries.sampled(index, sample=CorpusJob().sample, least=ENOUGH)
    pages = chosen.selectExpr("site", "explode(pages) as page").selectExpr("site", "page.*")
    work = queries.to_learn(pages, rows // PAGES_PER_FILE).selectExpr("file_number", "size(pages) as pages")
    [row] = work.selectExpr("count(*) as files", "sum(pages) as pages").collect()
    spark.stop()
    return {"files": row["files"], "pages": row["pages"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("bench/work"), help="for what Spark spills to disk")
    parser.add_argument("--rows", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--result", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    folder = chosen.folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    if chosen.rows:
        chosen.result.write_text(json.dumps(choose(chosen.rows, str(folder))))
        return
    table, values = [["rows", "CPU s", "µs per row", "wall s", "Java MB", "sampled pages"]], {}
    for rows in SIZES:
        result = folder / "scale.json"
        cost = measure(
            [sys.executable, __file__, "--rows", str(rows), "--folder", str(folder), "--result", str(result)]
        )
        found = json.loads(result.read_text())
        cells = [
            f"{rows:,}",
            f"{cost.cpu:.0f}",
            f"{1e6 * cost.cpu / rows:.2f}",
            f"{cost.wall:.0f}",
            f"{cost.largest():.0f}",
        ]
        table.append([*cells, f"{found['pages']:,}"])
        values[str(rows)] = {"cpu": cost.cpu, "wall": cost.wall, "MB": cost.largest(), **found}
        print(*table[-1], flush=True)
    report = (
        f"# Scale\n\n`python bench/scale.py`, {dt.date.today()}: choosing the pages to learn sites from, with keys alone, on "
        f"`local[{CORES}]` with a heap of {HEAP}: one site for {ROWS_PER_SITE} rows, very unequal; samples of at most "
        f"{CorpusJob().sample} pages, then a task for each file of {PAGES_PER_FILE} pages.\n\n{markdown_table(table)}"
    )
    write_results("scale", report, values, judges="none")


if __name__ == "__main__":
    main()
