"""Spark produces the same models and rows as the local run."""

import json
import os
import runpy
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import made_sites
import warcs
from dehusk.base.errors import ConfigError, InputError
from dehusk.cli import command
from dehusk.many.corpus.job import CorpusJob
from dehusk.many.corpus.runner import run as run_here
from dehusk.many.files.inputs import find_inputs
from dehusk.many.files.options import Columns
from dehusk.read import Limits
from test_corpus_run import output_files, write_corpus


def _java() -> bool:
    program = shutil.which("java")
    return (
        program is not None and subprocess.run([program, "-version"], capture_output=True, check=False).returncode == 0
    )


pytest.importorskip("pyspark", reason="the extra spark is not installed")
pytestmark = [
    pytest.mark.spark,
    pytest.mark.skipif(not _java(), reason="Spark needs Java, which is not here"),
    pytest.mark.filterwarnings("default"),  # Spark's own
]

JOB = CorpusJob(sample=8)
SMALL = {
    "spark.python.daemon.module": "spark_workers",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.shuffle.partitions": "4",
}
"""Settings of Spark for few rows: imports, compiled plans and 200 parts of each table cost more than the rows do.

Spark's own settings are those of `tests/test_s3.py`."""


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    from dehusk.many.spark import session

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=os.pathsep)
        with session("local[2]", conf=SMALL) as engine:
            yield engine


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> Path:
    return write_corpus(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="module")
def local(corpus, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("local")
    run_here(JOB, find_inputs([str(corpus)]), out)
    return out


def run_there(spark: Any, corpus: Path, out: Path, job: CorpusJob = JOB, **options: Any) -> Any:
    from dehusk.many.spark import run

    return run(spark, job, find_inputs([str(corpus)]), out, **options)


def test_models_rows_and_summary_equal_those_of_the_local_run(spark, corpus, local, tmp_path):
    out = tmp_path / "out [1] {a,b}*"  # not a pattern
    run_there(spark, corpus, out)
    assert output_files(out) == output_files(local)
    assert not (out / "state" / "spark").exists()


def test_a_local_run_is_resumed_on_spark_and_vice_versa(spark, corpus, local, tmp_path):
    run_here(JOB, find_inputs([str(corpus)]), tmp_path)
    (tmp_path / "pages" / "2.warc.gz.parquet").unlink()
    times = {path.name: path.stat().st_mtime_ns for path in tmp_path.glob("pages/*")}
    assert run_there(spark, corpus, tmp_path).resumed == 3
    assert output_files(tmp_path) == output_files(local)
    assert {name: (tmp_path / "pages" / name).stat().st_mtime_ns for name in times} == times
    assert run_here(JOB, find_inputs([str(corpus)]), tmp_path).resumed == 4
    assert run_there(spark, corpus, tmp_path, resume=False).resumed == 0


def test_bad_pages_become_rows_and_damage_is_reported_as_in_the_local_run(spark, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    records = [*warcs.page_records(9), warcs.record(90, warcs.answer(b"<p>" + b"large " * 20_000))]
    data = warcs.FORMS[".warc.gz"](records)
    (folder / "a.warc.gz").write_bytes(data[:3000] + bytes(40) + data[3040:])
    (folder / "b.warc.gz").write_bytes(warcs.FORMS[".warc.gz"](warcs.page_records(3, first=50))[:-30])
    job = CorpusJob(limits=Limits(bytes=50_000), sample=5)
    here = run_here(job, find_inputs([str(folder)]), tmp_path / "here")
    there = run_there(spark, folder, tmp_path / "there", job)
    assert there == here
    assert len(there.tally.losses) == 2
    assert there.tally.statuses["truncated"] == 2
    assert output_files(tmp_path / "here") == output_files(tmp_path / "there")


def test_a_site_with_only_damaged_pages_and_duplicate_pages(spark, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    warcs.write(folder / "a.warc.gz", warcs.page_records(9))
    warcs.write(folder / "b.warc.gz", [*warcs.page_records(4), *warcs.page_records(4, host="cups.example")])
    run_here(JOB, find_inputs([str(folder)]), tmp_path / "here")
    assert run_there(spark, folder, tmp_path / "there").sites == 1
    assert output_files(tmp_path / "here") == output_files(tmp_path / "there")


def test_an_unreadable_input_is_reported_in_one_line(spark, tmp_path):
    rows = pa.table({"words": ["no page"]})
    pq.write_table(rows, tmp_path / "a.parquet")
    with pytest.raises(InputError, match="no column with pages among words"):
        run_there(spark, tmp_path / "a.parquet", tmp_path / "out")


def test_an_output_folder_that_is_not_shared_is_reported(spark, corpus, tmp_path, monkeypatch):
    from dehusk.many.spark import driver

    monkeypatch.setattr(driver.queries, "file_numbers", lambda spark, count: spark.range(0, count - 1, 1, 1))
    with pytest.raises(InputError, match=r"1 of 4 indexes are missing: is .* shared by all machines"):
        run_there(spark, corpus, tmp_path)


def pages() -> list[dict[str, Any]]:
    tea = [{"url": f"https://tea.example/page{n}.html", "html": page} for n, page in enumerate(made_sites.site(12))]
    no_page = [{"url": f"https://cups.example/{number}", "html": ""} for number in range(6)]
    return [*tea, tea[3], {"url": None, "html": "<p>A page without an address is cleaned individually."}, *no_page]


def test_pages_in_a_table_are_learned_from_and_cleaned(spark, tmp_path):
    from dehusk.many.spark import clean_pages, learn_pages

    (tmp_path / "in").mkdir()
    pq.write_table(pa.Table.from_pylist(pages()), tmp_path / "in" / "a.parquet")
    run_here(JOB, find_inputs([str(tmp_path / "in")]), tmp_path / "here")
    table = spark.read.parquet(str(tmp_path / "in")).repartition(3)
    learned = learn_pages(table, tmp_path / "sites", JOB).collect()
    assert [(model.site, model.pages, model.problem) for model in learned] == [("tea.example", 8, None)]
    here = tmp_path / "here" / "sites" / "tea.example"
    assert made_sites.folder_bytes(tmp_path / "sites" / "tea.example") == made_sites.folder_bytes(here)
    cleaned = [row.asDict(recursive=True) for row in clean_pages(table, JOB, sites=tmp_path / "sites").collect()]
    where = ("file", "number", "offset", "retrieved", "id")

    def plain(rows: list[dict[str, Any]]) -> list[str]:
        return sorted(json.dumps({k: v for k, v in row.items() if k not in where}, sort_keys=True) for row in rows)

    empty = [row for row in cleaned if row["status"] == "no-content"]  # a run does not count them as pages
    assert [row["host"] for row in empty] == 6 * ["cups.example"]
    there = [row for row in cleaned if row not in empty]
    assert plain(there) == plain(pq.read_table(tmp_path / "here" / "pages").to_pylist())
    assert [row["site_pages"] for row in cleaned].count(8) == 13


def test_a_sample_too_large_to_broadcast_gives_the_same_models(spark, tmp_path, capsys, monkeypatch):
    from dehusk.many.spark import frames

    table_rows = [(page["url"], page["html"]) for page in [*pages(), {"url": "", "html": "<p>No address"}]]
    table = spark.createDataFrame(table_rows, "url string, html string").repartition(3)
    joins, models = [], []
    for most in (8, 7):  # the sample has 8 pages of tea.example; the pages of cups.example are empty, but counted
        monkeypatch.setattr(frames, "_BROADCAST_ROWS", most + 6)
        learned = frames.learn_pages(table, tmp_path / str(most), JOB)
        learned.explain()
        plan = capsys.readouterr().out
        joins.append([name for name in ("BroadcastHashJoin", "SortMergeJoin") if name in plan])
        models.append([(model.site, model.pages, model.unread, model.problem) for model in learned.collect()])
    assert joins == [["BroadcastHashJoin"], ["SortMergeJoin"]]
    assert models == 2 * [[("tea.example", 8, 0, None)]]
    broadcast, shuffled = (made_sites.folder_bytes(tmp_path / most / "tea.example") for most in ("8", "7"))
    assert shuffled == broadcast


def test_pages_that_cannot_be_learned_from_are_counted(spark, tmp_path):
    from dehusk.many.spark import learn_pages

    broken = "\x89PNG\r\n\x1a\n" + "\0" * 40
    table_rows = [(f"https://tea.example/{n}", page) for n, page in enumerate([*made_sites.site(7), broken])]
    table_rows += [(f"https://cups.example/{n}", broken) for n in range(6)]
    table = spark.createDataFrame(
        [(url, html.encode("latin-1")) for url, html in table_rows], "url string, html binary"
    )
    models = sorted(map(tuple, learn_pages(table, tmp_path).collect()))
    assert models == [
        ("cups.example", None, 6, "none of its pages could be read"),
        ("tea.example", 7, 1, None),
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["tea.example"]


def test_the_example(spark, tmp_path, capsys, monkeypatch):
    example = runpy.run_path(str(Path(__file__).parents[1] / "examples" / "spark_pages.py"))
    monkeypatch.setitem(example["main"].__globals__, "session", lambda _: nullcontext(spark))
    pq.write_table(pa.Table.from_pylist(pages()), tmp_path / "pages.parquet")
    example["main"](*(str(tmp_path / name) for name in ("pages.parquet", "sites", "clean")))
    assert capsys.readouterr().out == "tea.example 12 learned\nno-content 6\nok 14\n"
    cleaned = pq.read_table(tmp_path / "clean").to_pylist()
    assert sorted(row["site_pages"] or 0 for row in cleaned) == 7 * [0] + 13 * [12]


def test_tables_with_other_columns_bytes_and_blocks(spark):
    from dehusk.many.spark import clean_pages

    table_rows = [(bytes(page["html"], "utf-8"), number) for number, page in enumerate(pages()[:3])]
    table = spark.createDataFrame(table_rows, "body binary, name int")
    job = CorpusJob(blocks=True, content="markdown", columns=Columns("body", None, "name"))
    cleaned = sorted(clean_pages(table, job).collect(), key=lambda row: row.id)
    declared = [(str(number), f"https://tea.example/page{number}.html", "ok", None) for number in range(3)]
    assert [(row.id, row.url, row.status, row.file) for row in cleaned] == declared
    assert cleaned[0].blocks[0].asDict().keys() == {"text", "label", "probability", "kept"}
    with pytest.raises(InputError, match="unknown column 'html'"):
        clean_pages(table, CorpusJob(columns=Columns("html")))
    with pytest.raises(ConfigError, match="needs `sites`"):
        clean_pages(table, CorpusJob(method="cst", columns=Columns("body")))
    with pytest.raises(ConfigError, match="findings can only be written as JSON Lines"):
        clean_pages(table, CorpusJob(format="jsonl", findings=("wisdom",)))


def test_the_command(spark, corpus, local, tmp_path, capsys, monkeypatch):
    asked: list[Any] = []
    silent = {"spark.ui.showConsoleProgress": "false"}  # standard error is not a terminal
    monkeypatch.setattr("dehusk.many.spark.session", lambda *how: asked.append(how) or nullcontext(spark))
    options = ["--sample", "8", "--master", "local[2]", "--conf", "spark.a=b=c", "--conf", "spark.d="]
    assert command.main(["spark", str(corpus), "-o", str(tmp_path), *options], standalone_mode=False) == 0
    assert asked == [("local[2]", None, {**silent, "spark.a": "b=c", "spark.d": ""})]
    assert output_files(tmp_path) == output_files(local)
    assert "4 files, 64 pages: 64 ok" in capsys.readouterr().err
