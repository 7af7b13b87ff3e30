"""WARC files that are intact, truncated, damaged or mislabelled: only damaged records are lost."""

import gc
import gzip
import io
import warnings
import zlib
from pathlib import Path
from random import Random

import brotli
import pytest
import zstandard
from warcio.warcwriter import WARCWriter

import warcs
from dehusk.many.files.options import ReadOptions
from dehusk.many.files.record import Loss, Record
from dehusk.many.files.warc import read_warc

LIMIT = 100_000
COUNT = 12


def read(path: Path, limit: int = LIMIT) -> tuple[list[Record], list[Loss]]:
    items = list(read_warc(path, ReadOptions(limit)))
    return [item for item in items if isinstance(item, Record)], [item for item in items if isinstance(item, Loss)]


def numbers(records: list[Record]) -> list[int]:
    return [int(record.id.removeprefix("urn:uuid:")) for record in records]


@pytest.fixture(params=list(warcs.FORMS))
def path(request, tmp_path) -> Path:
    return tmp_path / f"tea{request.param}"


def test_every_page_of_an_intact_file_is_read_unchanged(path):
    records, losses = read(warcs.write(path, warcs.page_records(COUNT)))
    assert (numbers(records), losses) == (list(range(COUNT)), [])
    assert [record.raw.decode() for record in records] == warcs.made_sites.site(COUNT)
    assert {(record.skipped, record.type, record.http_status, record.truncated, record.date) for record in records} == {
        ("", "response", 200, "", "2026-05-03T10:00:00Z")
    }
    assert records[3].url == "https://tea.example/page3.html"
    assert records[3].headers == {"content-type": "text/html; charset=utf-8"}


def test_a_record_can_be_read_from_its_offset(path):
    data = warcs.write(path, warcs.page_records(4)).read_bytes()
    records, _ = read(path)
    path.write_bytes(data[records[2].offset :])
    assert numbers(read(path)[0]) == [2, 3]


@pytest.mark.parametrize("seed", range(20))
def test_a_truncated_file_gives_every_record_before_its_end_and_is_reported(path, seed):
    ends = [len(warcs.FORMS["".join(path.suffixes)](warcs.page_records(n))) for n in range(COUNT + 1)]
    data = warcs.write(path, warcs.page_records(COUNT)).read_bytes()
    at = Random(seed).randrange(1, len(data) - 4)  # noqa: S311 (nothing secret)
    path.write_bytes(data[:at])
    records, losses = read(path)
    whole = [record for record in records if not record.truncated]
    slack = 4 if path.suffix == ".warc" else 0  # the line ends after a record are not part of it
    assert numbers(whole) == list(range(sum(at >= end - slack for end in ends[1:])))
    assert len(records) <= len(whole) + 1
    assert bool(losses) is (not any(end - slack <= at <= end for end in ends))
    for record in records[len(whole) :]:
        assert warcs.made_sites.site(COUNT)[len(whole)].encode().startswith(record.raw)


@pytest.mark.parametrize("end", [".warc.gz", ".warc.zst"])
@pytest.mark.parametrize("seed", range(10))
def test_flipped_bits_cost_one_record_and_are_reported(tmp_path, end, seed):
    path = tmp_path / f"tea{end}"
    members = [warcs.FORMS[end]([record]) for record in warcs.page_records(COUNT)]
    random = Random(seed)  # noqa: S311 (nothing secret)
    hit = random.randrange(COUNT)
    member = bytearray(members[hit])
    for _ in range(3):
        member[random.randrange(len(member))] ^= 1 << random.randrange(8)
    path.write_bytes(b"".join([*members[:hit], bytes(member), *members[hit + 1 :]]))
    records, losses = read(path)
    sound = [record for record in records if not record.damaged and not record.truncated]
    if numbers(sound) == list(range(COUNT)):  # a bit of a member's header that does not matter, such as the time
        assert [record.raw.decode() for record in sound] == warcs.made_sites.site(COUNT)
        return
    assert numbers(sound) == [number for number in range(COUNT) if number != hit]
    start = sum(map(len, members[:hit]))
    assert [(loss.offset, loss.size) for loss in losses] == [(start, len(members[hit]))]


def test_bytes_that_look_like_a_member_do_not_end_a_damaged_one(tmp_path):
    members = [gzip.compress(record, mtime=0) for record in warcs.page_records(3)]
    false = members[1][:300] + b"\x1f\x8b\x08\x00" + gzip.compress(b"no record", mtime=0) + members[1][310:]
    path = tmp_path / "tea.warc.gz"
    path.write_bytes(members[0] + false + members[2])
    records, losses = read(path)
    assert numbers([record for record in records if not record.damaged]) == [0, 2]
    assert [(loss.offset, loss.size) for loss in losses] == [(len(members[0]), len(false))]


@pytest.mark.parametrize("off", [-700, -2, 2, 700, 10**9])
def test_a_wrong_content_length_costs_nothing_and_is_reported(path, off):
    records = warcs.page_records(COUNT)
    records[4] = warcs.record(4, warcs.answer(warcs.made_sites.site(COUNT)[4].encode()), off=off)
    read_back, losses = read(warcs.write(path, records))
    assert numbers(read_back) == list(range(COUNT))
    assert [record.raw.decode() for record in read_back] == warcs.made_sites.site(COUNT)
    assert [loss.size for loss in losses] == [0]
    assert "Content-Length is" in losses[0].message


def test_bytes_between_records_are_skipped_and_reported(tmp_path):
    records = warcs.page_records(3)
    path = tmp_path / "tea.warc"
    path.write_bytes(records[0] + b"garbage\r\n" * 3 + records[1] + records[2] + b"more")
    read_back, losses = read(path)
    assert numbers(read_back) == [0, 1, 2]
    assert [loss.size for loss in losses] == [27, 4]
    assert losses[0].offset == len(records[0])


def test_trailing_zeros_are_not_a_loss_but_other_bytes_are(tmp_path):
    path = tmp_path / "tea.warc.gz"
    data = warcs.FORMS[".warc.gz"](warcs.page_records(2))
    path.write_bytes(data + b"\0" * 700)
    assert [len(part) for part in read(path)] == [2, 0]
    path.write_bytes(data + b"not gzip")
    records, losses = read(path)
    assert (len(records), losses) == (2, [Loss(len(data), 8, "not compressed data")])


def test_a_single_member_for_all_records_is_read_up_to_the_damage(tmp_path):
    path = tmp_path / "tea.warc.gz"
    data = gzip.compress(b"".join(warcs.page_records(COUNT)), mtime=0)
    path.write_bytes(data)
    assert numbers(read(path)[0]) == list(range(COUNT))
    path.write_bytes(data[: len(data) * 2 // 3])
    records, losses = read(path)
    assert 5 <= len(records) < COUNT
    assert numbers(records) == list(range(len(records)))
    assert len(losses) == 1


def test_a_huge_record_is_not_kept_in_memory_and_the_next_one_is_read(path):
    huge = warcs.record(1, warcs.answer(b"<p>" + b"long " * 600_000))
    small = warcs.page_records(3)
    records, losses = read(warcs.write(path, [small[0], huge, small[2]]), limit=1000)
    assert (numbers(records), losses) == ([0, 1, 2], [])
    assert 1000 < len(records[1].raw) < 500_000
    assert len(records[1].body(1000).data) == 1001


def test_records_that_are_not_pages_say_what_they_are(path):
    records = [
        warcs.record(0, b"software: pen\r\n", kind="warcinfo"),
        warcs.record(1, warcs.answer(b"gone", status="404 Not Found")),
        warcs.record(2, warcs.answer(b"\x89PNG", headers="Content-Type: image/png\r\n")),
        warcs.record(3, warcs.answer(b"")),
        warcs.record(4, warcs.answer(b"<!DOCTYPE html><p>x", headers="")),
        warcs.record(5, b"<p>saved", kind="resource"),
        warcs.record(6, warcs.answer(b"no page", headers="")),
        warcs.record(7, warcs.answer(b"<p>cut"), extra="WARC-Truncated: length\r\n"),
    ]
    read_back, losses = read(warcs.write(path, records))
    skipped = [record.skipped for record in read_back]
    assert skipped == ["warcinfo", "HTTP 404", "image/png", "no body", "", "", "no content type", ""]
    assert not losses
    assert (read_back[5].raw, read_back[7].truncated) == (b"<p>saved", "length")


def test_files_written_by_warcio_are_read(tmp_path):
    path = tmp_path / "theirs.warc.gz"
    with path.open("wb") as stream, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # warcio leaves closing its temporary files to the garbage collector
        writer = WARCWriter(stream, gzip=True)
        for number in range(3):
            payload = io.BytesIO(warcs.answer(f"<p>page {number}".encode()))
            record = writer.create_warc_record(f"https://a.example/{number}", "response", payload=payload)
            writer.write_record(record)
        del record, writer
        gc.collect()
    records, losses = read(path)
    assert [(record.url, record.raw) for record in records] == [
        (f"https://a.example/{number}", f"<p>page {number}".encode()) for number in range(3)
    ]
    assert not losses


def test_the_dictionary_of_a_zstd_file_is_used(tmp_path):
    records = warcs.page_records(COUNT)
    dictionary = zstandard.ZstdCompressionDict(b"".join(records)[:20_000])
    inner = zstandard.compress(dictionary.as_bytes())
    frames = [zstandard.ZstdCompressor(dict_data=dictionary).compress(record) for record in records]
    path = tmp_path / "tea.warc.zst"
    for content in (inner, dictionary.as_bytes()):
        path.write_bytes(b"\x5d\x2a\x4d\x18" + len(content).to_bytes(4, "little") + content + b"".join(frames))
        assert numbers(read(path)[0]) == list(range(COUNT))


PAGE = b"<!DOCTYPE html><p>Green tea turns bitter where the water is too hot. " * 40
CHUNKED = b"%x\r\n%b\r\n5;q=1\r\nhello\r\n0\r\n\r\n" % (len(PAGE), PAGE)


@pytest.mark.parametrize(
    ("headers", "raw", "expected", "note"),
    [
        ({}, PAGE, PAGE, ""),
        ({"content-encoding": "gzip"}, gzip.compress(PAGE), PAGE, ""),
        ({"content-encoding": "x-gzip, br"}, brotli.compress(gzip.compress(PAGE)), PAGE, ""),
        ({"content-encoding": "gzip"}, gzip.compress(PAGE[:99]) + gzip.compress(PAGE[99:]), PAGE, ""),
        ({"content-encoding": "deflate"}, zlib.compress(PAGE), PAGE, ""),
        ({"content-encoding": "deflate"}, zlib.compress(PAGE)[2:-4], PAGE, ""),
        ({"content-encoding": "br"}, brotli.compress(PAGE), PAGE, ""),
        ({"content-encoding": "zstd"}, zstandard.compress(PAGE), PAGE, ""),
        ({"content-encoding": "gzip"}, PAGE, PAGE, "not gzip, although a header says so"),
        ({"content-encoding": "br"}, PAGE, PAGE, "not br, although a header says so"),
        ({"content-encoding": "deflate"}, PAGE, PAGE, "not deflate, although a header says so"),
        ({"content-encoding": "zstd"}, PAGE, PAGE, "not zstd, although a header says so"),
        ({"content-encoding": "rot13"}, PAGE, PAGE, "unknown content encoding rot13"),
        ({}, gzip.compress(PAGE), PAGE, "gzip, although no header says so"),
        ({"transfer-encoding": "chunked"}, CHUNKED, PAGE + b"hello", ""),
        ({"transfer-encoding": "chunked"}, PAGE, PAGE, "not chunked, although a header says so"),
        ({}, CHUNKED, PAGE + b"hello", "chunked, although no header says so"),
        ({"transfer-encoding": "chunked"}, CHUNKED[:999], PAGE[:994], "the last chunk is incomplete"),
        (
            {"transfer-encoding": "chunked", "content-encoding": "gzip"},
            b"%x\r\n%b\r\n0\r\n\r\n" % (len(gzip.compress(PAGE, mtime=0)), gzip.compress(PAGE, mtime=0)),
            PAGE,
            "",
        ),
    ],
)
def test_encodings_are_undone_and_wrong_headers_lose_nothing(headers, raw, expected, note):
    body = Record(0, 0, "", "", raw, headers).body(LIMIT)
    assert body.data == expected
    assert body.notes == ((note,) if note else ())


def test_chunks_within_chunks_are_undone():
    twice = b"%x\r\n%b\r\n0\r\n\r\n" % (len(CHUNKED), CHUNKED)
    body = Record(0, 0, "", "", twice, {"transfer-encoding": "chunked"}).body(LIMIT)
    assert body.data == PAGE + b"hello"


def test_truncated_and_damaged_encodings_are_decoded_as_far_as_possible():
    random = Random(1)  # noqa: S311 (nothing secret)
    page = b"<html>" + bytes(random.choices(b"abcdefghijkl <>/", k=50_000))
    packed = gzip.compress(page)
    damaged = packed[:20_000] + b"\xff\x00\xff\x00" + packed[20_004:]
    for raw in (packed[:20_000], damaged):
        body = Record(0, 0, "", "", raw, {"content-encoding": "gzip"}).body(LIMIT)
        assert page.startswith(body.data[:10_000])
        assert len(body.data) > 10_000
        assert body.notes == ("the gzip data is damaged or truncated",)


@pytest.mark.parametrize("pack", [gzip.compress, brotli.compress, zlib.compress, zstandard.compress])
def test_decompression_bombs_are_limited(pack):
    name = {"gzip": "gzip", "brotli": "br", "_brotli": "br", "zlib": "deflate"}.get(pack.__module__, "zstd")
    raw = pack(bytes(20_000_000))
    body = Record(0, 0, "", "", raw, {"content-encoding": name}).body(1000)
    assert body.data == bytes(1001)
