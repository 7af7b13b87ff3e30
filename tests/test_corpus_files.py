"""Tables, archives, which files an argument stands for, and the files that rows are written to."""

import bz2
import gzip
import io
import json
import lzma
import tarfile
import uuid
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from warcio.archiveiterator import ArchiveIterator

import sites
import warcs
from dehusk.atomic import replacing
from dehusk.corpus.schema import COLUMNS, arrow_schema, make_row
from dehusk.corpus.sinks import SINKS
from dehusk.errors import InputError
from dehusk.records.archives import read_tar
from dehusk.records.inputs import Input, find_inputs, read_records
from dehusk.records.options import Columns, ReadOptions
from dehusk.records.record import Loss, Record
from dehusk.records.tables import read_json_lines

LIMIT = 1_000_000
PAGES = sites.site(50)


def records(path: Path, columns: Columns | None = None, limit: int = LIMIT) -> tuple[list[Record], list[Loss]]:
    [one] = find_inputs([str(path)])
    found = list(read_records(one, ReadOptions(limit, columns or Columns())))
    return [one for one in found if isinstance(one, Record)], [one for one in found if isinstance(one, Loss)]


def lines(pages: list[str], **names: str) -> bytes:
    keys = {"url": "url", "html": "html"} | names
    rows = [{keys["url"]: f"https://tea.example/{n}", keys["html"]: page} for n, page in enumerate(pages)]
    return b"".join(json.dumps(one).encode() + b"\n" for one in rows)


def test_json_lines_are_read_in_every_compression(tmp_path):
    for end, pack in {"": bytes, ".gz": gzip.compress, ".zst": zstandard.compress}.items():
        path = tmp_path / f"tea.jsonl{end}"
        path.write_bytes(pack(lines(PAGES)))
        found, losses = records(path)
        assert ([one.raw.decode() for one in found], losses) == (PAGES, [])
        assert (found[7].url, found[7].id, found[7].decoded) == ("https://tea.example/7", "7", True)


def test_json_lines_that_are_cut_or_wrong_lose_only_what_is_wrong(tmp_path):
    path = tmp_path / "tea.jsonl.gz"
    path.write_bytes(gzip.compress(lines(PAGES))[:-9000])
    found, losses = records(path)
    assert 3 < len(found) < len(PAGES)
    assert losses
    first, second, *rest = lines(PAGES[:4]).splitlines(keepends=True)
    path = tmp_path / "tea.jsonl"
    path.write_bytes(
        first + b"{not json}\n[1]\n\n" + second + b'{"url": "https://tea.example/none"}\n' + b"".join(rest)
    )
    found, losses = records(path)
    assert [one.skipped for one in found] == ["", "", "no page in the row", "", ""]
    assert [loss.offset for loss in losses] == [1, 2]
    assert "line 2 is not a JSON object" in losses[0].message


def test_a_line_that_is_far_too_long_is_passed_over(tmp_path):
    path = tmp_path / "tea.jsonl"
    long = json.dumps({"html": "x" * 3_000_000}).encode() + b"\n"
    path.write_bytes(lines(PAGES[:1]) + long + lines(PAGES[1:2]))
    found, [loss] = records(path, limit=1000)
    assert (len(found), loss.size) == (2, len(long) - 1)


def test_parquet_columns_are_found_or_named(tmp_path):
    path = tmp_path / "tea.parquet"
    table = {
        "uri": [f"https://tea.example/{n}" for n in range(50)],
        "content": PAGES,
        "bytes": [p.encode() for p in PAGES],
    }
    pq.write_table(pa.table(table), path, row_group_size=7)
    found, losses = records(path)
    assert ([one.raw.decode() for one in found], losses) == (PAGES, [])
    assert [one.number for one in found] == list(range(50))
    found, _ = records(path, Columns(html="bytes", id="uri"))
    assert (found[9].raw.decode(), found[9].decoded, found[9].id) == (PAGES[9], False, "https://tea.example/9")
    with pytest.raises(InputError, match=r"unknown column 'page'\. Known: uri, content, bytes"):
        records(path, Columns(html="page"))
    pq.write_table(pa.table({"a": [1]}), path)
    with pytest.raises(InputError, match="no column of pages among a"):
        records(path)


def test_damaged_parquet_loses_a_row_group_or_says_that_it_is_none(tmp_path):
    path = tmp_path / "tea.parquet"
    pq.write_table(pa.table({"html": PAGES}), path, row_group_size=10, use_dictionary=False, write_page_checksum=True)
    whole = path.read_bytes()
    column = pq.ParquetFile(path).metadata.row_group(2).column(0)
    at = column.data_page_offset + column.total_compressed_size - 300  # a page begins with a head that nobody misses
    path.write_bytes(whole[:at] + b"\xff" * 60 + whole[at + 60 :])
    found, [loss] = records(path)
    assert [one.raw.decode() for one in found] == PAGES[:20] + PAGES[30:]
    assert [one.number for one in found] == [*range(20), *range(30, 50)]
    assert "10 rows of row group 2" in loss.message
    path.write_bytes(whole[:-100])
    assert records(path)[0] == []
    assert records(path)[1][0].size == len(whole) - 100


def archived() -> dict[str, bytes]:
    files = {f"www.tea.example/a/page{n}.html": page.encode() for n, page in enumerate(PAGES[:5])}
    return {**files, "www.tea.example/style.css": b"p {}", "loose.html": b"<p>loose", "empty.htm": b""}


def test_archives_are_read_with_addresses_from_folders_that_are_hosts(tmp_path):
    with zipfile.ZipFile(tmp_path / "tea.zip", "w") as archive:
        for name, data in archived().items():
            archive.writestr(name, data)
    for end in ("tar", "tar.gz", "tar.xz"):
        with tarfile.open(tmp_path / f"tea.{end}", f"w:{end[4:]}") as archive:
            for name, data in archived().items():
                entry = tarfile.TarInfo(name)
                entry.size = len(data)
                archive.addfile(entry, io.BytesIO(data))
    for name in ("tea.zip", "tea.tar", "tea.tar.gz", "tea.tar.xz"):
        found, losses = records(tmp_path / name)
        assert ([one.raw for one in found], losses) == (list(archived().values()), [])
        assert [one.skipped for one in found] == [""] * 5 + ["a .css file", "", "an empty file"]
        assert (found[2].url, found[6].url) == ("http://www.tea.example/a/page2.html", "")


def test_damaged_archives_say_what_is_lost(tmp_path):
    path = tmp_path / "tea.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for n, page in enumerate(PAGES[:5]):
            archive.writestr(f"page{n}.html", page)
        at = archive.infolist()[2].header_offset
    data = bytearray(path.read_bytes())
    data[at + 200 : at + 220] = bytes(20)
    path.write_bytes(data)
    found, [loss] = records(path)
    assert [one.id for one in found] == ["page0.html", "page1.html", "page3.html", "page4.html"]
    assert (loss.offset, "page2.html is damaged" in loss.message) == (at, True)
    path.write_bytes(bytes(data)[:500])
    assert [len(part) for part in records(path)] == [0, 1]
    path = tmp_path / "tea.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for n, page in enumerate(PAGES):
            entry = tarfile.TarInfo(f"page{n}.html")
            entry.size = len(page)
            archive.addfile(entry, io.BytesIO(page.encode()))
    path.write_bytes(path.read_bytes()[:-6000])
    found, losses = records(path)
    assert 3 < len(found) < len(PAGES)
    assert len(losses) == 1


def test_folders_and_globs_stand_for_their_files(tmp_path):
    for name in ("a.warc.gz", "sub/a.warc.gz", "sub/b.jsonl.zst", "sub/notes.txt", "c.tgz"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    found = [(one.name, one.format) for one in find_inputs([str(tmp_path)])]
    assert found == [("a.warc.gz", "warc"), ("c.tgz", "tar"), ("sub/a.warc.gz", "warc"), ("sub/b.jsonl.zst", "lines")]
    assert [one.name for one in find_inputs([str(tmp_path / "*.*gz")])] == ["a.warc.gz", "c.tgz"]
    for arguments, said in (
        (["none.warc"], "no such file"),
        ([str(tmp_path / "sub/notes.txt")], "unsupported file type"),
        ([str(tmp_path / "*.nothing")], "no file matches"),
        ([str(tmp_path / "a.warc.gz"), str(tmp_path / "sub/a.warc.gz")], "would be written to the same output"),
    ):
        with pytest.raises(InputError, match=said):
            find_inputs(arguments)
    (tmp_path / "none").mkdir()
    with pytest.raises(InputError, match="contains no pages"):
        find_inputs([str(tmp_path / "none")])


def test_a_file_that_cannot_be_read_is_one_line(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        list(read_records(Input(tmp_path / "gone.warc", "gone.warc", "warc"), ReadOptions(LIMIT)))


ROWS = [
    make_row(
        host="tea.example",
        url=f"https://tea.example/{n}",
        id=f"urn:uuid:{n}",
        file="tea.warc.gz",
        number=n,
        offset=n * 10,
        date="2026-05-03T10:00:00Z",
        http_status=200,
        status="ok" if n else "error",
        error="" if n else "its process died\nlike that",
        method="victor" if n else None,
        text=f"tea {n} \ud800 € 茶" if n else None,
        blocks=[{"text": "a\ud800", "label": "other", "probability": 0.5, "kept": True}] if n == 2 else None,
        confidence=0.5 if n else None,
        version="0",
    )
    for n in range(3)
]


@pytest.mark.parametrize("form", list(SINKS))
def test_every_format_keeps_all_rows_and_writes_the_same_bytes_again(tmp_path, form):
    sink = SINKS[form]
    paths = [tmp_path / f"{n}{sink.suffix}" for n in range(2)]
    for path in paths:
        with replacing(path, owner="1of1") as temporary, sink.open(temporary) as put:
            for one in ROWS:
                put(one)
    contents = [
        {file.name: file.read_bytes() for file in path.rglob("*")} if path.is_dir() else path.read_bytes()
        for path in paths
    ]
    assert contents[0] == contents[1]
    assert len(list(tmp_path.iterdir())) == 2
    assert READERS[form](paths[0]) == [(None, "error"), ("tea 1 ? € 茶", "ok"), ("tea 2 ? € 茶", "ok")]


def _read_json(data: bytes) -> list[tuple[str | None, str]]:
    rows = [json.loads(line) for line in data.splitlines()]
    assert [list(one) for one in rows] == [list(COLUMNS)] * 3
    assert rows[2]["blocks"] == [{"text": "a?", "label": "other", "probability": 0.5, "kept": True}]
    return [(one["text"], one["status"]) for one in rows]


def _read_parquet(path: Path) -> list[tuple[str | None, str]]:
    table = pq.read_table(path)
    assert table.schema.equals(arrow_schema())
    return [(one["text"], one["status"]) for one in table.to_pylist()]


def _read_wet(path: Path) -> list[tuple[str | None, str]]:
    with path.open("rb") as stream:
        return [
            (one.content_stream().read().decode() or None, one.rec_headers.get_header("Dehusk-Status"))
            for one in ArchiveIterator(stream)
        ]


def _read_texts(path: Path) -> list[tuple[str | None, str]]:
    rows = [json.loads(line) for line in (path / "rows.jsonl").read_text("utf-8").splitlines()]
    return [((path / one["text_file"]).read_text("utf-8") if one["text_file"] else None, one["status"]) for one in rows]


READERS = {
    "parquet": _read_parquet,
    "jsonl": lambda path: _read_json(path.read_bytes()),
    "jsonl.gz": lambda path: _read_json(gzip.decompress(path.read_bytes())),
    "jsonl.zst": lambda path: _read_json(zstandard.ZstdDecompressor().decompressobj().decompress(path.read_bytes())),
    "wet": _read_wet,
    "text": _read_texts,
}


def test_each_wet_record_has_an_id_of_its_own(tmp_path):
    pages = [{**one, "number": 0, "id": ""} for one in ROWS]  # as of two crawls with files of the same name
    with replacing(tmp_path / "a", owner="t") as temporary, SINKS["wet"].open(temporary) as put:
        for page in pages:
            put(page)
    with (tmp_path / "a").open("rb") as stream:
        ids = [one.rec_headers.get_header("WARC-Record-ID") for one in ArchiveIterator(stream)]
    assert len(set(ids)) == 3
    assert [str(uuid.UUID(one.removeprefix("<urn:uuid:").removesuffix(">"))) in one for one in ids] == [True] * 3


def test_a_run_that_fails_leaves_the_old_file_and_no_other(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text("old")

    def fail() -> None:
        with replacing(path, owner="1of1") as temporary:
            temporary.write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("rows.jsonl", "old")]


def test_what_we_write_can_be_read_as_warc(tmp_path):
    path = warcs.write(tmp_path / "tea.warc.gz", warcs.page_records(3))
    with path.open("rb") as stream:
        assert [one.rec_headers.get_header("WARC-Type") for one in ArchiveIterator(stream)] == ["response"] * 3


def test_rows_have_no_other_columns():
    with pytest.raises(KeyError):
        make_row(colour="green")


@pytest.mark.parametrize("form", ["", "gz", "bz2", "xz"])
def test_a_tar_with_a_damaged_header_tells_what_is_lost(tmp_path, form):
    path = tmp_path / f"a.tar{form and '.'}{form}"
    names = [f"tea.example/{number}.html" for number in range(6)]
    with tarfile.open(path, f"w:{form}") as archive:
        for name in names:
            entry = tarfile.TarInfo(name)
            entry.size = 700
            archive.addfile(entry, io.BytesIO(b"<p>tea" + b" " * 694))
    opened = {"": open, "gz": gzip.open, "bz2": bz2.open, "xz": lzma.open}[form]
    with opened(path, "rb") as stream:
        data = bytearray(stream.read())
    assert [one.id for one in read_tar(path, ReadOptions(10_000))] == names
    data[2 * 1536 + 3] ^= 4  # a header is 512 bytes, a page takes two blocks
    with opened(path, "wb") as stream:
        stream.write(bytes(data))
    *records, loss = read_tar(path, ReadOptions(10_000))
    assert [one.id for one in records] == names[:2]
    assert "no header at byte 3072" in loss.message


def test_the_check_sum_of_a_compressed_tar_is_looked_at(tmp_path):
    path = tmp_path / "a.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        archive.add(Path(__file__), "tea.example/page.html")
    data = bytearray(path.read_bytes())
    data[-6] ^= 1
    path.write_bytes(bytes(data))
    record, loss = read_tar(path, ReadOptions(10**6))
    assert (record.id, "CRC" in loss.message) == ("tea.example/page.html", True)


def test_each_line_may_have_columns_of_its_own(tmp_path):
    lines = [{"html": "<p>a"}, {"url": "https://tea.example/b", "html": "<p>b", "id": "B"}, {"url": "c"}]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    found = list(read_json_lines(path, ReadOptions(1000)))
    assert [(one.id, one.url, one.skipped) for one in found] == [
        ("0", "", ""),
        ("B", "https://tea.example/b", ""),
        ("2", "c", "no page in the row"),
    ]
