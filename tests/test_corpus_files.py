"""Tables, archives, the files that an argument names, and the files that rows are written to."""

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
from lxml import etree
from warcio.archiveiterator import ArchiveIterator

import dehusk
import made_sites
import warcs
from dehusk.base.atomic import replacing
from dehusk.base.errors import InputError
from dehusk.many.corpus.sinks import SINKS
from dehusk.many.files.archives import read_tar
from dehusk.many.files.inputs import Input, find_inputs, read_records
from dehusk.many.files.options import Columns, ReadOptions
from dehusk.many.files.record import Loss, Record
from dehusk.many.files.tables import read_json_lines
from dehusk.many.rows import COLUMNS, arrow_schema, make_row
from tei_schema import NAMESPACE, body_text, valid

LIMIT = 1_000_000
PAGES = made_sites.site(50)


def read_all(path: Path, columns: Columns | None = None, limit: int = LIMIT) -> tuple[list[Record], list[Loss]]:
    [file] = find_inputs([str(path)])
    items = list(read_records(file, ReadOptions(limit, columns or Columns())))
    return [item for item in items if isinstance(item, Record)], [item for item in items if isinstance(item, Loss)]


def lines(pages: list[str], **names: str) -> bytes:
    keys = {"url": "url", "html": "html"} | names
    rows = [{keys["url"]: f"https://tea.example/{n}", keys["html"]: page} for n, page in enumerate(pages)]
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def test_json_lines_are_read_in_every_compression(tmp_path):
    for end, pack in {"": bytes, ".gz": gzip.compress, ".zst": zstandard.compress}.items():
        path = tmp_path / f"tea.jsonl{end}"
        path.write_bytes(pack(lines(PAGES)))
        records, losses = read_all(path)
        assert ([record.raw.decode() for record in records], losses) == (PAGES, [])
        assert (records[7].url, records[7].id, records[7].decoded) == ("https://tea.example/7", "7", True)


def test_truncated_or_malformed_json_lines_lose_only_the_bad_lines(tmp_path):
    path = tmp_path / "tea.jsonl.gz"
    path.write_bytes(gzip.compress(lines(PAGES))[:-9000])
    records, losses = read_all(path)
    assert 3 < len(records) < len(PAGES)
    assert losses
    first, second, *rest = lines(PAGES[:4]).splitlines(keepends=True)
    path = tmp_path / "tea.jsonl"
    path.write_bytes(
        first + b"{not json}\n[1]\n\n" + second + b'{"url": "https://tea.example/none"}\n' + b"".join(rest)
    )
    records, losses = read_all(path)
    assert [record.skipped for record in records] == ["", "", "no page in the row", "", ""]
    assert [loss.offset for loss in losses] == [1, 2]
    assert "line 2 is not a JSON object" in losses[0].message


def test_a_very_long_line_is_skipped(tmp_path):
    path = tmp_path / "tea.jsonl"
    long = json.dumps({"html": "x" * 3_000_000}).encode() + b"\n"
    path.write_bytes(lines(PAGES[:1]) + long + lines(PAGES[1:2]))
    records, [loss] = read_all(path, limit=1000)
    assert (len(records), loss.size) == (2, len(long) - 1)


def test_parquet_columns_have_usual_names_or_are_named(tmp_path):
    path = tmp_path / "tea.parquet"
    table = {
        "uri": [f"https://tea.example/{n}" for n in range(50)],
        "content": PAGES,
        "bytes": [p.encode() for p in PAGES],
    }
    pq.write_table(pa.table(table), path, row_group_size=7)
    records, losses = read_all(path)
    assert ([record.raw.decode() for record in records], losses) == (PAGES, [])
    assert [record.number for record in records] == list(range(50))
    records, _ = read_all(path, Columns(html="bytes", id="uri"))
    assert (records[9].raw.decode(), records[9].decoded, records[9].id) == (PAGES[9], False, "https://tea.example/9")
    with pytest.raises(InputError, match=r"unknown column 'page'\. Known: uri, content, bytes"):
        read_all(path, Columns(html="page"))
    pq.write_table(pa.table({"a": [1]}), path)
    with pytest.raises(InputError, match="no column with pages among a"):
        read_all(path)


def test_damaged_parquet_loses_one_row_group_or_is_reported(tmp_path):
    path = tmp_path / "tea.parquet"
    pq.write_table(pa.table({"html": PAGES}), path, row_group_size=10, use_dictionary=False, write_page_checksum=True)
    whole = path.read_bytes()
    column = pq.ParquetFile(path).metadata.row_group(2).column(0)
    at = column.data_page_offset + column.total_compressed_size - 300  # not in the header of the Parquet page
    path.write_bytes(whole[:at] + b"\xff" * 60 + whole[at + 60 :])
    records, [loss] = read_all(path)
    assert [record.raw.decode() for record in records] == PAGES[:20] + PAGES[30:]
    assert [record.number for record in records] == [*range(20), *range(30, 50)]
    assert "10 rows of row group 2" in loss.message
    path.write_bytes(whole[:-100])
    assert read_all(path)[0] == []
    assert read_all(path)[1][0].size == len(whole) - 100


def archived() -> dict[str, bytes]:
    files = {f"www.tea.example/a/page{n}.html": page.encode() for n, page in enumerate(PAGES[:5])}
    return {**files, "www.tea.example/style.css": b"p {}", "loose.html": b"<p>loose", "empty.htm": b""}


def test_addresses_of_archived_pages_come_from_folders_named_like_hosts(tmp_path):
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
        records, losses = read_all(tmp_path / name)
        assert ([record.raw for record in records], losses) == (list(archived().values()), [])
        assert [record.skipped for record in records] == [""] * 5 + ["a .css file", "", "an empty file"]
        assert (records[2].url, records[6].url) == ("http://www.tea.example/a/page2.html", "")


def test_losses_in_damaged_archives_are_reported(tmp_path):
    path = tmp_path / "tea.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for n, page in enumerate(PAGES[:5]):
            archive.writestr(f"page{n}.html", page)
        at = archive.infolist()[2].header_offset
    data = bytearray(path.read_bytes())
    data[at + 200 : at + 220] = bytes(20)
    path.write_bytes(data)
    records, [loss] = read_all(path)
    assert [record.id for record in records] == ["page0.html", "page1.html", "page3.html", "page4.html"]
    assert (loss.offset, "page2.html is damaged" in loss.message) == (at, True)
    path.write_bytes(bytes(data)[:500])
    assert [len(part) for part in read_all(path)] == [0, 1]
    path = tmp_path / "tea.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for n, page in enumerate(PAGES):
            entry = tarfile.TarInfo(f"page{n}.html")
            entry.size = len(page)
            archive.addfile(entry, io.BytesIO(page.encode()))
    path.write_bytes(path.read_bytes()[:-6000])
    records, losses = read_all(path)
    assert 3 < len(records) < len(PAGES)
    assert len(losses) == 1


def test_folders_and_globs_stand_for_the_files_in_them(tmp_path):
    for name in ("a.warc.gz", "sub/a.warc.gz", "sub/b.jsonl.zst", "sub/notes.txt", "c.tgz"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    inputs = [(file.name, file.format) for file in find_inputs([str(tmp_path)])]
    assert inputs == [("a.warc.gz", "warc"), ("c.tgz", "tar"), ("sub/a.warc.gz", "warc"), ("sub/b.jsonl.zst", "lines")]
    assert [file.name for file in find_inputs([str(tmp_path / "*.*gz")])] == ["a.warc.gz", "c.tgz"]
    for arguments, message in (
        (["none.warc"], "no such file"),
        ([str(tmp_path / "sub/notes.txt")], "unsupported file type"),
        ([str(tmp_path / "*.nothing")], "no file matches"),
        ([str(tmp_path / "a.warc.gz"), str(tmp_path / "sub/a.warc.gz")], "would be written to the same output"),
    ):
        with pytest.raises(InputError, match=message):
            find_inputs(arguments)
    (tmp_path / "none").mkdir()
    with pytest.raises(InputError, match="contains neither pages nor files of pages"):
        find_inputs([str(tmp_path / "none")])


def test_an_unreadable_file_is_reported_in_one_line(tmp_path):
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
        retrieved="2026-05-03T10:00:00Z",
        http_status=200,
        status="ok" if n else "error",
        message="" if n else "its process died\nlike that",
        method="victor" if n else None,
        text=f"tea {n} \ud800 € 茶" if n else None,
        blocks=[{"text": "a\ud800", "label": "other", "probability": 0.5, "kept": True}] if n == 2 else None,
        confidence=0.5 if n else None,
        version="0",
    )
    for n in range(3)
]


@pytest.mark.parametrize("form", list(SINKS))
def test_every_format_keeps_all_rows_and_is_deterministic(tmp_path, form):
    sink = SINKS[form]
    paths = [tmp_path / f"{n}{sink.suffix}" for n in range(2)]
    for path in paths:
        with replacing(path, owner="1of1") as temporary, sink.open(temporary) as write_row:
            for row in ROWS:
                write_row(row | {"text": (sink.content and _as_tei(row["text"])) or row["text"]})
    contents = [
        {file.name: file.read_bytes() for file in path.rglob("*")} if path.is_dir() else path.read_bytes()
        for path in paths
    ]
    assert contents[0] == contents[1]
    assert len(list(tmp_path.iterdir())) == 2
    assert READERS[form](paths[0]) == [(None, "error"), ("tea 1 ? € 茶", "ok"), ("tea 2 ? € 茶", "ok")]


def _read_json(data: bytes) -> list[tuple[str | None, str]]:
    rows = [json.loads(line) for line in data.splitlines()]
    assert [list(row) for row in rows] == [list(COLUMNS)] * 3
    assert rows[2]["blocks"] == [{"text": "a?", "label": "other", "probability": 0.5, "kept": True}]
    return [(row["text"], row["status"]) for row in rows]


def _read_parquet(path: Path) -> list[tuple[str | None, str]]:
    table = pq.read_table(path)
    assert table.schema.equals(arrow_schema())
    return [(row["text"], row["status"]) for row in table.to_pylist()]


def _read_wet(path: Path) -> list[tuple[str | None, str]]:
    with path.open("rb") as stream:
        return [
            (record.content_stream().read().decode() or None, record.rec_headers.get_header("Dehusk-Status"))
            for record in ArchiveIterator(stream)
        ]


def _read_texts(path: Path) -> list[tuple[str | None, str]]:
    rows = [json.loads(line) for line in (path / "rows.jsonl").read_text("utf-8").splitlines()]
    return [((path / row["text_file"]).read_text("utf-8") if row["text_file"] else None, row["status"]) for row in rows]


def _as_tei(text: str | None) -> str | None:
    return text and dehusk.clean(f"<main><p>{text}").render("tei")


def _read_tei(path: Path) -> list[tuple[str | None, str]]:
    read = [
        (" ".join(body_text(page).split()) or None, "ok" if "Status: ok" in etree.tostring(page).decode() else "error")
        for page in valid(path.read_text("utf-8")).iter(f"{NAMESPACE}TEI")
    ]
    assert len(read) == 3
    return read


READERS = {
    "parquet": _read_parquet,
    "jsonl": lambda path: _read_json(path.read_bytes()),
    "jsonl.gz": lambda path: _read_json(gzip.decompress(path.read_bytes())),
    "jsonl.zst": lambda path: _read_json(zstandard.ZstdDecompressor().decompressobj().decompress(path.read_bytes())),
    "wet": _read_wet,
    "text": _read_texts,
    "tei": _read_tei,
}


def test_a_corpus_of_tei_has_unique_ids_and_one_text_at_least(tmp_path):
    page = "<main><p>Steam the leaves<sup><a href=#n1>1</a></sup> for a minute.</p><p id=n1>1. In a basket.</p></main>"
    document = dehusk.clean(page).render("tei")
    assert 'xml:id="note-1"' in document
    for name, rows in (("a", [{**row, "text": document} for row in ROWS]), ("b", [])):
        with replacing(tmp_path / name, owner="t") as temporary, SINKS["tei"].open(temporary) as write_row:
            for row in rows:
                write_row(row)
        root = valid((tmp_path / name).read_text("utf-8"))
        assert len(root.findall(f"{NAMESPACE}TEI")) == max(len(rows), 1)
        targets = [element.get("target") for element in root.iter() if (element.get("target") or "").startswith("#")]
        ids = [element.get("{http://www.w3.org/XML/1998/namespace}id") for element in root.iter()]
        assert sorted(targets) == sorted(f"#{name}" for name in ids if name)


def test_wet_records_have_unique_ids(tmp_path):
    pages = [{**row, "number": 0, "id": ""} for row in ROWS]  # as from two crawls with files of the same name
    with replacing(tmp_path / "a", owner="t") as temporary, SINKS["wet"].open(temporary) as write_row:
        for page in pages:
            write_row(page)
    with (tmp_path / "a").open("rb") as stream:
        ids = [record.rec_headers.get_header("WARC-Record-ID") for record in ArchiveIterator(stream)]
    assert len(set(ids)) == 3
    assert [str(uuid.UUID(id_.removeprefix("<urn:uuid:").removesuffix(">"))) in id_ for id_ in ids] == [True] * 3


def test_a_failed_write_leaves_only_the_old_file(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text("old")

    def fail() -> None:
        with replacing(path, owner="1of1") as temporary:
            temporary.write_text("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("rows.jsonl", "old")]


def test_the_warc_files_of_the_tests_are_valid(tmp_path):
    path = warcs.write(tmp_path / "tea.warc.gz", warcs.page_records(3))
    with path.open("rb") as stream:
        assert [record.rec_headers.get_header("WARC-Type") for record in ArchiveIterator(stream)] == ["response"] * 3


def test_rows_have_no_other_columns():
    with pytest.raises(KeyError):
        make_row(colour="green")


@pytest.mark.parametrize("form", ["", "gz", "bz2", "xz"])
def test_losses_after_a_damaged_tar_header_are_reported(tmp_path, form):
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
    assert [record.id for record in read_tar(path, ReadOptions(10_000))] == names
    data[2 * 1536 + 3] ^= 4  # a header is 512 bytes, a page takes two blocks
    with opened(path, "wb") as stream:
        stream.write(bytes(data))
    *records, loss = read_tar(path, ReadOptions(10_000))
    assert [record.id for record in records] == names[:2]
    assert "no header at byte 3072" in loss.message


def test_the_checksum_of_a_compressed_tar_is_verified(tmp_path):
    path = tmp_path / "a.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        archive.add(Path(__file__), "tea.example/page.html")
    data = bytearray(path.read_bytes())
    data[-6] ^= 1
    path.write_bytes(bytes(data))
    record, loss = read_tar(path, ReadOptions(10**6))
    assert (record.id, "CRC" in loss.message) == ("tea.example/page.html", True)


def test_each_line_may_have_different_columns(tmp_path):
    lines = [{"html": "<p>a"}, {"url": "https://tea.example/b", "html": "<p>b", "id": "B"}, {"url": "c"}]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    records = list(read_json_lines(path, ReadOptions(1000)))
    assert [(record.id, record.url, record.skipped) for record in records] == [
        ("0", "", ""),
        ("B", "https://tea.example/b", ""),
        ("2", "c", "no page in the row"),
    ]


def test_a_link_to_nothing_is_reported(tmp_path):
    (tmp_path / "a.html").write_text("<p>a page")
    (tmp_path / "b.html").symlink_to(tmp_path / "missing.html")
    [file] = find_inputs([str(tmp_path)])
    file.stamp()
    found = list(read_records(file, ReadOptions(1000)))
    assert [type(item) for item in found] == [Record, Loss]
    assert found[1].message == "b.html cannot be read: No such file or directory"
    (tmp_path / "c.warc.gz").symlink_to(tmp_path / "missing.warc.gz")
    with pytest.raises(InputError, match=r"c\.warc\.gz is a link to a file that does not exist"):
        find_inputs([str(tmp_path)])
