"""Files of pages that want more memory than there is, or more time: each costs what is damaged, and says so."""

import gzip
import zipfile
import zlib
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import zstandard

import warcs
from cpu_time import assert_linear, assert_quick
from dehusk.base.errors import InputError
from dehusk.many.files import parquet, tables
from dehusk.many.files.archives import read_zip
from dehusk.many.files.formats import format_of
from dehusk.many.files.options import ReadOptions
from dehusk.many.files.record import Loss, Record
from dehusk.many.files.warc import MAX_HTTP_HEAD
from dehusk.read.inflating import MislabelledError, inflated

arrow = pytest.importorskip("pyarrow", reason="the extra corpus is not installed")
LIMIT = 10_000


def read(path: Path, limit: int = LIMIT) -> tuple[list[Record], list[Loss]]:
    items = list(format_of(path).read(path, ReadOptions(limit)))
    return [item for item in items if isinstance(item, Record)], [item for item in items if isinstance(item, Loss)]


def ids(records: list[Record]) -> list[int]:
    return [int(record.id.removeprefix("urn:uuid:")) for record in records]


def write_parquet(path: Path, column: object, **options: object) -> Path:
    from pyarrow import parquet as writer

    writer.write_table(arrow.table({"html": column}), path, **options)
    return path


@pytest.mark.parametrize("size", [3 * 10**9, 10**12, 10**15, 10**17, 10**30])
@pytest.mark.parametrize("form", list(warcs.FORMS))
def test_a_huge_content_length_costs_nothing_else(tmp_path, form, size):
    records = warcs.page_records(4)
    records[1] = warcs.record(1, warcs.answer(b"<p>kept"), off=size)
    found, losses = read(warcs.write(tmp_path / f"x{form}", records))
    assert ids(found) == [0, 1, 2, 3]
    assert found[1].raw == b"<p>kept"
    assert len(losses) == 1
    assert "Content-Length" in losses[0].message


@pytest.mark.parametrize("size", [3 * 10**9, 10**15])
def test_a_huge_content_length_in_a_member_of_all_records(tmp_path, size):
    records = warcs.page_records(4)
    records[1] = warcs.record(1, warcs.answer(b"<p>kept"), off=size)
    (tmp_path / "x.warc.gz").write_bytes(gzip.compress(b"".join(records)))
    found, losses = read(tmp_path / "x.warc.gz")
    assert ids(found) == [0, 1, 2, 3]
    assert len(losses) == 1


def test_a_long_record_with_a_huge_content_length_hides_no_other(tmp_path):
    records = warcs.page_records(3)
    records[1] = warcs.record(1, warcs.answer(b"<p>" + b"long " * 40_000), off=10**15)
    found, losses = read(warcs.write(tmp_path / "x.warc", records))
    assert ids(found) == [0, 1, 2]
    assert ["no record follows" in losses[0].message, losses[1].message] == [True, "not a record"]


def bomb(start: bytes, part: bytes, times: int) -> bytes:
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    return b"".join([packer.compress(start), *(packer.compress(part) for _ in range(times)), packer.flush()])


HEADS = {
    "one endless line": (b"WARC/1.1\r\nX: ", b"a" * 500_000),
    "lines without an end": (b"WARC/1.1\r\n", b"X: aaaaaa\r\n" * 50_000),
    "blank lines": (b"WARC/1.1\r\nX: ", b"\r\n" * 250_000),
    "false starts": (b"", b"\r\n\r\nWARC/x" * 50_000),
}


@pytest.mark.parametrize("name", HEADS)
def test_headers_without_an_end_cost_their_record_and_little_time(tmp_path, name):
    start, part = HEADS[name]
    good = warcs.FORMS[".warc.gz"](warcs.page_records(1))
    path = tmp_path / "x.warc.gz"
    path.write_bytes(bomb(start, part, 20) + good)  # 10 MB
    found, losses = assert_quick(lambda: read(path), 3)
    assert ids([record for record in found if record.url]) == [0]
    assert losses


def test_headers_of_a_response_without_an_end_damage_that_page(tmp_path):
    records = warcs.page_records(2)
    endless = warcs.record(2, b"HTTP/1.1 200 OK\r\n" + b"X: aaaaaa\r\n" * (MAX_HTTP_HEAD // 10))
    found, _ = read(warcs.write(tmp_path / "x.warc.gz", [records[0], endless, records[1]]), 2_000_000)
    assert [record.damaged for record in found] == ["", f"its HTTP headers are longer than {MAX_HTTP_HEAD} bytes", ""]
    assert found[1].raw == b""


def test_headers_that_end_in_line_feeds_keep_their_page(tmp_path):
    block = warcs.answer(b"<p>kept").replace(b"\r\n", b"\n")
    found, losses = read(warcs.write(tmp_path / "x.warc", [warcs.record(0, block)]))
    assert (found[0].raw, found[0].http_status, found[0].skipped, losses) == (b"<p>kept", 200, "", [])


def test_a_response_without_headers_is_all_body(tmp_path):
    found, _ = read(warcs.write(tmp_path / "x.warc", [warcs.record(0, b"<p>first\r\n\r\n<p>second")]))
    assert found[0].raw == b"<p>first\r\n\r\n<p>second"


def test_many_empty_members_of_gzip_take_linear_time():
    empty = gzip.compress(b"")
    assert_linear(lambda size: partial(inflated, empty * size, 1_000), 8_000)
    assert inflated(empty * 3 + gzip.compress(b"<p>tea"), 1_000) == (b"<p>tea", True)


@pytest.mark.parametrize(("end", "whole"), [(b"", True), (b"no member", True), (b"\x1f\x8b no member", True)])
def test_a_member_of_gzip_may_be_followed_by_anything(end, whole):
    packed = gzip.compress(b"<p>tea" * 200)
    assert inflated(packed + end, 10_000) == (b"<p>tea" * 200, whole)
    assert inflated(packed[:-9] + end, 7) == (b"<p>tea<", True)  # no more is asked for


def test_of_damaged_gzip_what_is_before_the_damage_is_read():
    packed = gzip.compress(" ".join(f"cup {number}" for number in range(900)).encode())
    text, is_whole = inflated(packed[:1_500] + b"x" * 900, 10_000)
    assert not is_whole
    assert text.startswith(b"cup 0 cup 1 ")
    assert 1_000 < len(text) < 9_000
    with pytest.raises(MislabelledError):
        inflated(b"<p>no gzip", 10)


def test_a_bomb_of_zstd_is_read_in_small_steps(tmp_path):
    good = warcs.page_records(2)
    path = tmp_path / "x.warc.zst"
    path.write_bytes(zstandard.compress(good[0]) + zstandard.compress(bytes(50_000_000)) + zstandard.compress(good[1]))
    found, losses = read(path)
    assert ids(found) == [0, 1]
    assert [loss.message for loss in losses] == ["not a record"]


def test_a_dictionary_that_says_it_is_huge_is_reported(tmp_path):
    content = b"\x28\xb5\x2f\xfd\xe0" + (1 << 50).to_bytes(8, "little") + b"\x01\x00\x00"
    path = tmp_path / "x.warc.zst"
    path.write_bytes(b"\x5d\x2a\x4d\x18" + len(content).to_bytes(4, "little") + content + zstandard.compress(b"WARC/"))
    assert read(path)[1]


def test_one_long_text_for_many_rows_is_decoded_once_per_batch(tmp_path, monkeypatch):
    """A dictionary makes 16 rows of 1 MB out of 1 kB; the pages are cut."""
    path = write_parquet(tmp_path / "x.parquet", [b"<p>a " * 200_000] * 16, compression="zstd")
    assert path.stat().st_size < 10_000
    found, losses = read(path)
    assert [len(record.raw) for record in found] == [LIMIT + 1] * 16
    assert losses == []
    monkeypatch.setattr(parquet, "MOST_IN_DICTIONARY", 900_000)
    found, losses = read(path)
    assert (found, len(losses)) == ([], 1)
    assert "html needs 1000004 bytes at a time, more than 900000" in losses[0].message


def test_a_page_of_a_column_that_is_too_large_costs_its_row_group(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "MOST_DECODED", 1_000_000)
    pages = [b"<p>a " * 50_000] * 8 + [b"<p>small"] * 8
    path = write_parquet(tmp_path / "x.parquet", pages, compression="zstd", use_dictionary=False, row_group_size=8)
    found, losses = read(path)
    assert [(record.number, record.raw) for record in found] == [(number, b"<p>small") for number in range(8, 16)]
    assert [loss.offset for loss in losses] == [0]
    assert losses[0].message.startswith("8 rows of row group 0 are damaged: html needs 2000")


def test_rows_are_bounded_by_the_size_of_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "MIN_ROWS", 100)
    path = write_parquet(tmp_path / "x.parquet", [b"<p>a"] * 20_000, compression="zstd")
    size = path.stat().st_size
    found, losses = read(path)
    assert 100 < len(found) == size < 20_000
    assert losses == [
        Loss(size, size, f"{20_000 - size} rows are not read: a file of {size} bytes may have {size} rows")
    ]


def test_values_that_python_does_not_know_lose_no_row(tmp_path):
    from pyarrow import parquet as writer

    table = arrow.table(
        {
            "html": arrow.array(["<p>a", "<p>b"]),
            "url": arrow.Array.from_buffers(
                arrow.string(),
                2,
                [None, arrow.py_buffer(np.array([0, 2, 4], np.int32)), arrow.py_buffer(b"\xff\xfeok")],
            ),
            "id": arrow.array([2**50, 5], arrow.timestamp("s")),
        }
    )
    writer.write_table(table, tmp_path / "x.parquet")
    found, losses = read(tmp_path / "x.parquet")
    assert [(record.raw, record.url) for record in found] == [(b"<p>a", "\ufffd\ufffd"), (b"<p>b", "ok")]
    assert losses == []


@pytest.mark.parametrize("kind", ["byte", "double", "text"])
def test_a_footer_of_parquet_that_promises_items_without_end(tmp_path, kind):
    many = b"\xff" * 8 + b"\x0f"  # 2^60 as a varint
    types = {"byte": b"\xf3", "double": b"\xf7", "text": b"\xf8"}
    footer = b"\x49" + types[kind] + many  # field 4, the row groups, as a list of this type
    path = tmp_path / "x.parquet"
    path.write_bytes(b"PAR1" + footer + len(footer).to_bytes(4, "little") + b"PAR1")
    found, losses = read(path)
    assert found == []
    assert ["no end" in loss.message for loss in losses] == [True]


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_parquet_file_only_loses_rows(tmp_path, seed):
    path = write_parquet(tmp_path / "x.parquet", [b"<p>%d" % number for number in range(50)], row_group_size=10)
    data = bytearray(path.read_bytes())
    random = np.random.default_rng(seed)
    for _ in range(5):
        data[random.integers(4, len(data) - 8)] = random.integers(256)
    path.write_bytes(data)
    try:
        found, losses = read(path)
    except InputError as error:  # the name of the column is damaged
        assert "no column with pages" in str(error)  # noqa: PT017
        return
    assert losses or [record.raw for record in found] == [b"<p>%d" % number for number in range(50)]
    assert all(loss.size >= 0 and "\n" not in loss.message for loss in losses)


def test_a_footer_that_would_end_pyarrows_process_is_a_loss(tmp_path):
    """`pyarrow` 26 ends the process if it is asked for a column whose histogram of levels has the wrong size."""
    path = write_parquet(tmp_path / "x.parquet", [b"<p>%d" % number for number in range(3)])
    data = path.read_bytes()
    for position in range(len(data) - 700, len(data) - 8):  # every byte of the footer
        path.write_bytes(data[:position] + bytes([data[position] ^ 0x10]) + data[position + 1 :])
        try:
            found, losses = read(path)
        except InputError:
            continue
        assert losses or len(found) == 3


@pytest.mark.parametrize("values", [b"[]," * 600_000, b'{"a":[1,2]},' * 300_000, b"1," * 1_100_000])
def test_an_object_of_too_many_values_is_a_loss(tmp_path, values):
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"html":"<p>a","x":[' + values + b'0]}\n{"html":"<p>b"}\n')
    found, losses = read(path, 1_000_000)
    assert [record.raw for record in found] == [b"<p>b"]
    assert [loss.message for loss in losses] == [f"line 1 is not a JSON object: more than {tables.MOST_VALUES} values"]


def test_commas_in_a_page_are_no_values(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"html":"<p>' + b'a,[{\\"' * 400_000 + b'"}\n')
    found, losses = read(path, 4_000_000)
    assert (len(found[0].raw), losses) == (5 * 400_000 + 3, [])


@pytest.mark.parametrize("seed", range(60))
def test_a_damaged_zip_archive_only_loses_files(tmp_path, seed):
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(5):
            archive.writestr(f"{number}.html", f"<p>page {number} of a zip archive")
    data = bytearray(path.read_bytes())
    random = np.random.default_rng(seed)
    for _ in range(4):
        data[random.integers(len(data) - 350, len(data))] = random.integers(256)
    path.write_bytes(data)
    found, losses = read(path)
    assert losses or len(found) == 5
    assert all(loss.size >= 0 and "\n" not in loss.message for loss in losses)


def test_a_file_without_a_name_in_a_zip_archive(tmp_path):
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.html", "<p>a page")
    path.write_bytes(path.read_bytes().replace(b"a.html", b"\0.html"))
    found, losses = read(path)
    assert (len(found), losses) == (1, [])
    assert found[0].skipped == "a file without a suffix"


def zip_of_empty_files(path: Path, number: int) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for index in range(number):
            archive.writestr(f"{index}.txt", b"")
        archive.writestr("page.html", b"<p>a page")
    return path


def test_empty_files_of_a_zip_archive_are_not_opened(tmp_path, monkeypatch):
    path, opened = zip_of_empty_files(tmp_path / "x.zip", 50), []
    open_member = zipfile.ZipFile.open
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *given: opened.append(given[1].filename) or open_member(*given))
    records = list(read_zip(path, ReadOptions(1000)))
    assert opened == ["page.html"]
    assert [record.skipped for record in records] == ["a .txt file"] * 50 + [""]


def test_a_zip_archive_of_many_files_takes_as_long_as_its_files(tmp_path):
    paths = {number: zip_of_empty_files(tmp_path / f"{number}.zip", number) for number in (4000, 32_000)}
    assert_linear(lambda number: lambda: list(read_zip(paths[number], ReadOptions(1000))), 4000)
    assert_quick(lambda: list(read_zip(paths[32_000], ReadOptions(1000))), 5)


def test_a_file_that_says_that_it_is_empty_is_verified(tmp_path):
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("page.html", b"<p>a page")
    data = bytearray(path.read_bytes())
    sizes = data.rindex(b"PK\1\2") + 20
    data[sizes : sizes + 8] = bytes(8)
    path.write_bytes(data)
    assert [type(found) for found in read_zip(path, ReadOptions(1000))] == [Loss]
