"""Files and folders of pages that went wrong once: what users of corpora and crawls found by running them."""

import gzip
import io
import json
import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from cpu_time import assert_quick
from dehusk.base.errors import ConfigError, InputError
from dehusk.cli import command
from dehusk.many.corpus.job import CorpusJob
from dehusk.many.corpus.page_rows import cleaned_row
from dehusk.many.corpus.runner import run
from dehusk.many.crawl.plan import CrawlPlan
from dehusk.many.crawl.reading import stored_pages
from dehusk.many.files.bodies import decode_body
from dehusk.many.files.inputs import find_inputs, read_records
from dehusk.many.files.options import Columns, ReadOptions
from dehusk.many.files.record import Loss, Record
from dehusk.many.files.tables import row_record
from dehusk.many.files.warc import read_warc

pyarrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
zstandard = pytest.importorskip("zstandard")

PAGE = b"<h1>Tea</h1><p>Steep sencha at seventy degrees, and gyokuro at less, for a minute or two.</p>" * 4
OPTIONS = ReadOptions(1_000_000, Columns())


def read(path: Path) -> list[Record | Loss]:
    return [record for file in find_inputs([str(path)]) for record in read_records(file, OPTIONS)]


def run_command(*words: object) -> tuple[int, str]:
    done = CliRunner().invoke(command, [*map(str, words)])
    return done.exit_code, done.output


@pytest.mark.parametrize("dictionary", [True, False])
def test_a_parquet_file_may_have_no_rows(tmp_path: Path, dictionary: bool) -> None:
    table = pyarrow.table({"html": pyarrow.array([], pyarrow.string())})
    parquet.write_table(table, tmp_path / "none.parquet", use_dictionary=dictionary)
    assert read(tmp_path / "none.parquet") == []


@pytest.mark.parametrize(
    ("raw", "headers", "loss"),
    [
        (gzip.compress(PAGE, mtime=0)[:-60], {"content-encoding": "gzip"}, "the gzip data is damaged or truncated"),
        (b"190\r\n" + PAGE[:200], {"transfer-encoding": "chunked"}, "the last chunk is incomplete"),
        (PAGE, {"content-encoding": "utf8"}, ""),
    ],
)
def test_a_row_says_that_an_encoding_is_damaged(raw: bytes, headers: dict[str, str], loss: str) -> None:
    body = decode_body(raw, headers, limit=10_000)
    row = cleaned_row(Record(0, 0, "", "", raw, "response", ""), body, lambda: {"status": "ok", "message": ""})
    assert body.loss == loss
    assert row == ({"status": "truncated", "message": loss} if loss else {"status": "ok", "message": ""})


@pytest.mark.parametrize("cut", [1, 100, 300])
def test_a_body_may_have_several_zstd_frames(cut: int) -> None:
    pack = zstandard.ZstdCompressor().compress
    skippable = b"\x50\x2a\x4d\x18\x04\0\0\0abcd"
    raw = skippable + pack(PAGE[:cut]) + pack(PAGE[cut:])
    assert decode_body(raw, {"content-encoding": "zstd"}, limit=10_000) == (PAGE, (), "")
    assert decode_body(raw + b"no frame", {"content-encoding": "zstd"}, limit=10_000).loss != ""


def test_a_page_that_starts_with_a_number_is_not_chunked() -> None:
    page = b"0\n" + PAGE * 10
    assert decode_body(page, {}, limit=100_000).data == page
    assert decode_body(page, {"transfer-encoding": "chunked"}, limit=100_000).data == page
    assert decode_body(b"4\r\nabcd\r\n0\r\n\r\n", {}, limit=100).data == b"abcd"


def test_columns_of_bytes_are_texts_and_other_values_are_no_addresses() -> None:
    columns = ("html", "url", "id")
    given = {"html": PAGE, "url": b"http://tea.example/1", "id": b"one"}
    record = row_record(given, columns, 0, 10_000)
    assert (record.url, record.id) == ("http://tea.example/1", "one")
    odd = [row_record({**given, "url": url}, columns, 0, 10_000).url for url in (float("nan"), ["http://x"], 123)]
    assert odd == ["", "", ""]


def test_packed_pages_and_pages_with_queries_in_their_names_are_pages(tmp_path: Path) -> None:
    names = ("a.html", "b.html.gz", "viewtopic.php?t=1", "viewtopic.php@t=2", "notes.txt")
    for name in names:
        (tmp_path / name).write_bytes(gzip.compress(PAGE) if name.endswith(".gz") else PAGE)
    (tmp_path / "pages.jsonl").write_text('\n{"id": "b", "url": "http://tea.example/b"}\n{"id": 0, "file": "a.html"}\n')
    records = [record for record in read(tmp_path) if isinstance(record, Record)]
    assert sorted(record.id for record in records) == ["0", "b", "viewtopic.php?t=1", "viewtopic.php@t=2"]
    assert not any(record.skipped for record in records)
    assert next(record.body(10_000).data for record in records if record.id == "b") == PAGE


def test_a_page_that_is_listed_twice_is_told(tmp_path: Path) -> None:
    (tmp_path / "0.html").write_bytes(PAGE)
    (tmp_path / "pages.jsonl").write_text(
        '{"id": "0", "url": "http://a.example/"}\n{"id": 0, "url": "http://b.example/"}\n'
    )
    told, page = read(tmp_path)
    assert isinstance(told, Loss)
    assert told.message == "pages.jsonl: line 2 lists '0' once more"
    assert isinstance(page, Record)
    assert page.url == "http://a.example/"


def test_links_in_an_archive_are_told(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "pages.tar", "w") as archive:
        entry = tarfile.TarInfo("a.html")
        entry.size = len(PAGE)
        archive.addfile(entry, io.BytesIO(PAGE))
        for kind in (tarfile.LNKTYPE, tarfile.SYMTYPE):
            link = tarfile.TarInfo("b.html")
            link.type, link.linkname = kind, "a.html"
            archive.addfile(link)
    found = [record.skipped for record in read(tmp_path / "pages.tar") if isinstance(record, Record)]
    assert found == ["", "a link to a.html", "a link to a.html"]


def test_many_false_starts_of_records_take_little_time(tmp_path: Path) -> None:
    path = tmp_path / "false.warc.gz"
    path.write_bytes(gzip.compress(b"WARC/1.0\r\n" * 20_000))
    assert_quick(lambda: [*read_warc(path, OPTIONS)], seconds=10)


def test_a_folder_of_sets_is_read_set_by_set_and_a_run_in_it_is_repeated(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "tea.html").write_bytes(PAGE)
        (tmp_path / name / "pages.jsonl").write_text(json.dumps({"id": "tea", "url": f"http://{name}.example/"}))
    job, out = CorpusJob(format="jsonl", sites=False), tmp_path / "out"
    for _ in range(2):
        summary = run(job, find_inputs([str(tmp_path)]), str(out))
        assert (summary.tally.files, summary.tally.pages) == (2, 2)
    assert [file.name for file in find_inputs([str(out)])] == ["pages/one.jsonl", "pages/two.jsonl"]


def test_files_of_one_name_are_read_and_one_file_twice_is_one(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.jsonl").write_text(json.dumps({"html": PAGE.decode()}))
    files = [str(tmp_path / name / "x.jsonl") for name in ("one", "two")]
    assert run_command("read", *files) == (0, "x.jsonl:0\tpage\t372\t0\n" * 2)
    with pytest.raises(InputError, match="the same output file"):
        find_inputs(files)
    assert len(find_inputs([files[0], files[0]])) == 1
    code, output = run_command("read", files[0], "-o", files[0])
    assert (code, "is one of the pages" in output) == (2, True)
    code, output = run_command("read", "--max-bytes", 100, files[0])
    assert (code, output) == (0, "x.jsonl:0\tpage\t100\t0\tlonger than 100 bytes\n")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"shard": (0, 2)}, "shard must be"),
        ({"shard": (3, 2)}, "shard must be"),
        ({"shard": (0, 0)}, "shard must be"),
        ({"workers": 0}, "workers must be at least 1"),
    ],
)
def test_a_run_refuses_what_would_lose_pages(tmp_path: Path, values: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        run(CorpusJob(format="jsonl"), [], tmp_path / "out", **values)  # type: ignore[arg-type]


def test_settings_of_jobs_and_plans_are_checked(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="unknown by 'hst'"):
        CorpusJob(by="hst")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="favour must be between 0 and 1"):
        CorpusJob(favour=2.0)
    with pytest.raises(ConfigError, match="hosts must be a tuple"):
        CrawlPlan(hosts="abc")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="concurrency must be at most 64"):
        CrawlPlan(concurrency=1000)
    with pytest.raises(ConfigError, match="pages must be a whole number"):
        CrawlPlan(pages=2.5)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no such folder"):
        next(stored_pages(tmp_path / "none", limit=1))


@pytest.mark.parametrize("setting", ["format=3", "rules=3", "site=3", "gold=3"])
def test_a_number_in_the_settings_is_a_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, setting: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("dehusk.toml").write_text(f"\ufeff[clean]\n{setting}\n", "utf-8")
    Path("tea.html").write_bytes(PAGE)
    code, output = run_command("clean", "tea.html")
    assert code == 2
    assert "Error: Invalid value for '-" in output


@pytest.mark.parametrize(
    ("words", "code", "shown"),
    [
        (("dehusk",), 0, ".TH DEHUSK 1"),
        (("color",), 0, "dehusk colo"),
        (("clean", "x"), 2, "dehusk clean has no commands"),
        (("claen",), 2, "Did you mean clean?"),
    ],
)
def test_pages_of_the_manual(words: tuple[str, ...], code: int, shown: str) -> None:
    found, output = run_command("man", *words)
    assert (found, shown in output.replace("\\-", "-")) == (code, True)
