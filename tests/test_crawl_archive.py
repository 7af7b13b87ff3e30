"""Writing WARC files: when a new file starts, and how the next run continues."""

import gzip
import zlib
from collections.abc import Iterable
from pathlib import Path

import pytest

pytest.importorskip("scrapy", reason="the extra crawl is not installed")
pytest.importorskip("warcio", reason="the extra crawl is not installed")

from warcio.archiveiterator import ArchiveIterator

from dehusk.base.errors import InputError
from dehusk.many.crawl.archive import Archive, Exchange
from dehusk.many.crawl.job_folder import warc_files
from dehusk.many.crawl.reading import stored_pages
from made_sites import words

ROLL = 3000
NEW = (-1, 0)
PAGES = range(24)


def archive(folder: Path, at: tuple[int, int] = NEW) -> Archive:
    return Archive(folder, at, agent="me/1", file_size=ROLL)


def url(number: int) -> str:
    return f"http://tea.example/{number}"


def write(writer: Archive, numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Write pages; return the number and length of the file after each."""
    sent, headers = [("Host", "tea.example")], [("Content-Type", "text/html")]
    return [
        writer.write(Exchange(url(number), sent, 200, headers, f"<p>{words(number, 60)}".encode()))[1]
        for number in numbers
    ]


def kill(writer: Archive) -> None:
    """Leave an archive as a killed process does, with an incomplete record at its end."""
    writer._stream.write(b"\x1f\x8b half a record")
    writer._stream.close()


def records(path: Path) -> list[tuple[str, str]]:
    """Return type and URL (or file name) of each record; warcio reads them and verifies their digests."""
    rows = []
    with path.open("rb") as stream:
        for record in ArchiveIterator(stream, check_digests="raise"):
            record.content_stream().read()
            headers = record.rec_headers
            name = headers.get_header("WARC-Target-URI") or headers.get_header("WARC-Filename")
            rows.append((record.rec_type, name))
    return rows


def check(folder: Path, names: list[str]) -> None:
    """Check that the files contain every page once, in order, with its request, and each file its first record."""
    files = warc_files(folder)
    assert [path.name for path in files] == names
    for path in files:
        first, *rest = records(path)
        assert first == ("warcinfo", path.name)
        assert [kind for kind, _ in rest] == ["response", "request"] * (len(rest) // 2)
        assert [name for _, name in rest[::2]] == [name for _, name in rest[1::2]]
    pages = list(stored_pages(folder, limit=10**6))
    assert [page.url for page in pages] == [url(number) for number in PAGES]
    assert pages[7].data.decode() == f"<p>{words(7, 60)}"


def test_a_file_ends_after_the_page_that_reaches_its_size(tmp_path: Path) -> None:
    writer = archive(tmp_path)
    ends = write(writer, PAGES)
    assert [path.suffix for path in warc_files(tmp_path)[-2:]] == [".gz", ".open"]
    writer.close()
    count = ends[-1][0] + 1
    assert count > 3
    check(tmp_path, [f"pages-{number:05d}.warc.gz" for number in range(count)])
    for number, path in enumerate(warc_files(tmp_path)[:-1]):
        *before, end = [end for file, end in ends if file == number]
        assert path.stat().st_size == end >= ROLL
        assert max(before) < ROLL


@pytest.mark.parametrize("kept", [5, 6, 7])
@pytest.mark.parametrize("lost", [0, 1])
def test_a_killed_run_continues_in_its_last_file_or_the_next(tmp_path: Path, kept: int, lost: int) -> None:
    """A file has three pages. A page may be written without its outcome being stored; it is then fetched again."""
    writer = archive(tmp_path)
    ends = write(writer, PAGES[:kept])
    write(writer, PAGES[kept : kept + lost])
    kill(writer)
    assert [number for number, _ in ends] == [page // 3 for page in PAGES[:kept]]
    writer = archive(tmp_path, ends[-1])
    write(writer, PAGES[kept:])
    writer.close()
    check(tmp_path, [f"pages-{number:05d}.warc.gz" for number in range(8)])


def test_a_new_run_starts_a_new_file(tmp_path: Path) -> None:
    writer = archive(tmp_path)
    ends = write(writer, PAGES[:5])
    writer.close()
    before = {path: path.read_bytes() for path in warc_files(tmp_path)}
    writer = archive(tmp_path, ends[-1])
    write(writer, PAGES[5:])
    writer.close()
    assert {path: path.read_bytes() for path in before} == before
    check(tmp_path, [f"pages-{number:05d}.warc.gz" for number in range(writer.number + 1)])


def test_a_file_that_became_shorter_cannot_be_continued(tmp_path: Path) -> None:
    writer = archive(tmp_path)
    number, end = write(writer, PAGES[:2])[-1]
    kill(writer)
    with pytest.raises(InputError, match="is shorter than at the end of the last run"):
        archive(tmp_path, (number, end + 100))


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_bodies_are_decompressed_when_read(tmp_path: Path, encoding: str) -> None:
    text = f"<p>{words(1, 60)}".encode()
    compress = {
        "gzip": gzip.compress,
        "deflate": zlib.compress,
        "br": lambda data: pytest.importorskip("brotli").compress(data),
        "zstd": lambda data: pytest.importorskip("zstandard").compress(data),
    }[encoding]
    writer = archive(tmp_path)
    writer.write(
        Exchange(url(1), [], 200, [("Content-Type", "text/html"), ("Content-Encoding", encoding)], compress(text))
    )
    writer.close()
    (page,) = stored_pages(tmp_path, limit=10**6)
    assert (page.data, page.headers) == (text, {"content-type": "text/html"})
