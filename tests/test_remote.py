"""Files on remote filesystems: the same records and bytes as local files, one line for what cannot be reached."""

import gzip
import io
import json
import os
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import made_sites
import warcs
from dehusk.base.atomic import remove, replacing
from dehusk.base.errors import ChildError, InputError, MissingExtraError
from dehusk.base.remote import leases, ranges
from dehusk.base.remote.paths import RemotePath, is_address, local_folder, path_of
from dehusk.base.remote.stores import status_of
from dehusk.cli import main as program
from dehusk.many.corpus.children import clean_in_child
from dehusk.many.corpus.folder import RunFolder, read_values
from dehusk.many.corpus.job import CorpusJob
from dehusk.many.files.bodies import Body
from dehusk.many.files.inputs import find_inputs, find_part, read_at, read_part, read_part_heads, read_records
from dehusk.many.files.options import ReadOptions
from dehusk.many.files.record import Loss, Record

fsspec = pytest.importorskip("fsspec", reason="the extra remote is not installed")
arrow_wrapper = pytest.importorskip("fsspec.implementations.arrow")

OPTIONS = ReadOptions(10**6)
FILES = ("a/w.warc.gz", "a/w.warc", "w.warc.zst", "one.warc.gz", "l.jsonl.gz", "t.parquet", "z.zip", "t.tar.gz")


class Dirs(arrow_wrapper.ArrowFSWrapper):
    """A local folder behind the class that fsspec reaches HDFS with, as HDFS cannot be started here."""

    protocol = "dirs"

    def __init__(self, **options: Any) -> None:
        from pyarrow.fs import LocalFileSystem

        super().__init__(fs=LocalFileSystem(), **options)


fsspec.register_implementation("dirs", Dirs, clobber=True)


@pytest.fixture(scope="module")
def crawl(tmp_path_factory) -> Path:
    """Write a file of each format, and a folder of saved pages."""
    folder = tmp_path_factory.mktemp("crawl")
    records, pages = warcs.page_records(40), made_sites.site(6)
    for name in ("a/w.warc.gz", "a/w.warc", "w.warc.zst"):
        warcs.write(folder / name, records)
    (folder / "one.warc.gz").write_bytes(gzip.compress(b"".join(records[:20]), mtime=0))
    rows = [{"html": page, "url": f"https://tea.example/{n}"} for n, page in enumerate(pages)]
    with gzip.open(folder / "l.jsonl.gz", "wt", encoding="utf-8") as lines:
        lines.write("".join(json.dumps(row) + "\n" for row in rows))
    pq.write_table(pa.Table.from_pylist(rows), folder / "t.parquet", row_group_size=2)
    with zipfile.ZipFile(folder / "z.zip", "w") as zipped, tarfile.open(folder / "t.tar.gz", "w:gz") as tarred:
        for n, page in enumerate(pages):
            zipped.writestr(f"tea.example/{n}.html", page)
            entry = tarfile.TarInfo(f"tea.example/{n}.html")
            entry.size = len(page.encode())
            tarred.addfile(entry, io.BytesIO(page.encode()))
    (folder / "saved/html").mkdir(parents=True)
    for n, page in enumerate(pages):
        (folder / f"saved/html/{n}.html").write_text(page, "utf-8")
    (folder / "saved/pages.jsonl").write_text('{"id": "0", "url": "https://tea.example/0"}\n', "utf-8")
    return folder


@pytest.fixture(scope="module")
def memory(crawl) -> str:
    """Return the address of a copy in memory."""
    store = fsspec.filesystem("memory")
    for path in crawl.rglob("*"):
        if path.is_file():
            store.put_file(str(path), f"/crawl/{path.relative_to(crawl).as_posix()}")
    return "memory://crawl"


# ── addresses ──


def test_addresses_are_told_from_local_paths():
    assert is_address("s3://bucket/x")
    assert is_address("HDFS://node:8020/x")
    assert not is_address("crawl/x.warc")
    assert not is_address("c:/x")
    assert path_of("file:///x/y.warc") == Path("/x/y.warc")
    assert path_of("s3://bucket/crawl/") == RemotePath("s3://bucket/crawl")


def test_a_remote_path_has_the_parts_of_its_address():
    path = path_of("webhdfs://node:9870/crawl/x.warc.gz")
    assert (path.name, path.stem, path.suffix) == ("x.warc.gz", "x.warc", ".gz")
    assert str(path.parent / "y") == str(path.with_name("y")) == "webhdfs://node:9870/crawl/y"
    assert str(path.with_suffix(".json")) == "webhdfs://node:9870/crawl/x.warc.json"
    assert RemotePath("https://host/x.warc.gz?key=1").name == "x.warc.gz"
    assert RemotePath("s3://b/a/z") < RemotePath("s3://b/a-b/a")  # as pathlib sorts


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("foo://x/y.warc", "foo://x: unknown scheme foo://; known, such as s3"),
        ("memory://none/x.warc", "memory://none/x.warc: no such file or folder"),
        ("memory://none/*.warc", "memory://none/*.warc: no file matches"),
        ("ftp://me:secret@host/x.warc", "the ftp:// address contains a password"),
        ("webhdfs://127.0.0.1:1/x.warc", "webhdfs://127.0.0.1:1/x.warc: cannot be read: "),
        ("http://127.0.0.1:1/x.warc", "http://127.0.0.1:1/x.warc: cannot be read: "),
        ("hdfs://127.0.0.1:1/x.warc", "hdfs://127.0.0.1:1 cannot be reached: hdfs:// needs Hadoop on this machine"),
    ],
)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_what_cannot_be_read_is_one_line_and_exit_code_2(address, message, monkeypatch, capsys):
    if address.startswith("webhdfs"):
        pytest.importorskip("requests")
    if address.startswith("hdfs") and "HADOOP_HOME" in os.environ:
        pytest.skip("Hadoop is installed")
    monkeypatch.setattr("sys.argv", ["dehusk", "read", address])
    with pytest.raises(SystemExit) as ended:
        program()
    error = capsys.readouterr().err
    assert ended.value.code == 2
    assert error.startswith(f"dehusk: {message}")
    assert error.count("\n") == 1
    assert "secret" not in error


@pytest.mark.parametrize(("address", "package"), [("gs://b/x.warc", "gcsfs"), ("s3://b/x.warc", "s3fs")])
def test_a_missing_library_is_named(address, package, monkeypatch):
    from dehusk.base.remote import stores

    monkeypatch.setitem(sys.modules, package, None)
    stores.store_of.cache_clear()
    with pytest.raises(MissingExtraError, match=package):
        find_inputs([address])


def test_local_files_are_read_without_fsspec(crawl):
    code = "import sys; from dehusk.cli import command; command.main(sys.argv[1:], standalone_mode=False)"
    code += "; assert 'fsspec' not in sys.modules"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, sys.path))}
    command = [sys.executable, "-c", code, "read", str(crawl / "a/w.warc.gz")]
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)


# ── input ──


def test_a_folder_and_a_glob_name_the_same_files_as_local_ones(crawl, memory):
    here, there = find_inputs([str(crawl)]), find_inputs([memory])
    assert [(file.name, file.format) for file in there] == [(file.name, file.format) for file in here]
    found = find_inputs([f"{memory}/**/*.warc.gz"])
    assert [str(file.path) for file in found] == [f"{memory}/a/w.warc.gz", f"{memory}/one.warc.gz"]
    assert [file.name for file in find_inputs([f"{memory}/t.*"])] == ["t.parquet", "t.tar.gz"]


@pytest.mark.parametrize("name", [*FILES, "saved"])
def test_records_are_those_of_the_local_file(crawl, memory, name):
    here, there = (find_inputs([f"{folder}/{name}"])[0] for folder in (crawl, memory))
    expected = list(read_records(here, OPTIONS))
    found = list(read_records(there, OPTIONS))
    assert len(expected) >= 6
    if name == "saved":  # dates are those of the copies
        expected, found = ([(r.id, r.url, r.raw) for r in records] for records in (expected, found))
    assert found == expected
    assert len(there.modified()) in (0, 20)


def test_parts_are_those_of_the_local_file(crawl, memory):
    here, there = (find_inputs([f"{folder}/a/w.warc.gz"])[0] for folder in (crawl, memory))
    size = here.stamp()[0]
    assert there.stamp()[0] == size
    for read in (read_part_heads, lambda *arguments: list(read_part(*arguments))):
        assert read(there, 0, size // 2, OPTIONS) == read(here, 0, size // 2, OPTIONS)
    start = find_part(here, size // 2, size)
    assert start is not None
    assert find_part(there, size // 2, size) == start
    assert list(read_at(there, [start], OPTIONS)) == list(read_at(here, [start], OPTIONS))


@pytest.fixture
def fetched(monkeypatch) -> list[int]:
    """Return the sizes of the ranges that are transferred from now on."""
    sizes: list[int] = []
    fetch = ranges.SharedFile._fetch

    def counting(self: ranges.SharedFile, start: int, size: int) -> bytes:
        data = fetch(self, start, size)
        sizes.append(len(data))
        return data

    monkeypatch.setattr(ranges.SharedFile, "_fetch", counting)
    ranges._files.clear()
    return sizes


def test_only_ranges_are_transferred(fetched):
    record = warcs.record(0, warcs.answer(b"<p>" + os.urandom(20_000).hex().encode()))
    members = [warcs.FORMS[".warc.gz"]([record])] * 400
    fsspec.filesystem("memory").pipe_file("/large.warc.gz", b"".join(members))
    [file] = find_inputs(["memory://large.warc.gz"])
    offset = 300 * len(members[0])
    for _ in range(3):
        assert isinstance(next(read_at(file, [offset], OPTIONS)), Record)
    assert len(fetched) == 4  # the head of the file once
    assert sum(fetched) < 300_000
    fetched.clear()
    assert len(list(read_records(file, OPTIONS))) == 400
    assert sum(fetched) == file.stamp()[0] - 65_536
    assert len(fetched) < 20  # ranges grow


@pytest.mark.parametrize("name", [*FILES, "saved"])
def test_a_connection_that_breaks_ends_the_reading_and_is_no_damage(memory, name, monkeypatch):
    fetch, left = ranges.SharedFile._fetch, 0

    def breaking(self: ranges.SharedFile, start: int, size: int) -> bytes:
        nonlocal left
        if not left:
            with self._asking():
                raise RuntimeError("connection reset")
        left -= 1
        return fetch(self, start, size)

    [file] = find_inputs([f"{memory}/{name}"])
    monkeypatch.setattr(ranges.SharedFile, "_fetch", breaking)
    messages = set()
    for moment in range(100):
        left = moment
        ranges._files.clear()
        try:
            items = list(read_records(file, OPTIONS))
        except InputError as error:
            messages.add(str(error).partition(": ")[2])
        else:
            break
    assert moment > 0
    assert messages == {"cannot be read: connection reset"}
    assert not [item for item in items if isinstance(item, Loss)]


def test_a_file_that_changes_after_it_was_found_is_an_error():
    store = fsspec.filesystem("memory")
    store.pipe_file("/changing.warc", b"".join(warcs.page_records(2)))
    [file] = find_inputs(["memory://changing.warc"])
    store.pipe_file("/changing.warc", b"".join(warcs.page_records(3)))
    with pytest.raises(InputError, match="has changed since the run started: repeat the command"):
        list(read_records(file, OPTIONS))
    [again] = find_inputs(["memory://changing.warc"])
    assert again.stamp() != file.stamp()
    assert len(list(read_records(again, OPTIONS))) == 3


def test_a_name_that_leads_out_of_the_output_folder_is_refused():
    class Listing:
        def invalidate_cache(self) -> None: ...

        def find(self, _path: str, **_options: Any) -> dict[str, dict[str, Any]]:
            return {"b/in/../../x.warc": {"type": "file", "size": 1, "ETag": "1"}}

    class Listed(RemotePath):
        @contextmanager
        def _asking(self, _doing: str = "") -> Iterator[tuple[Any, str]]:
            yield Listing(), "b/in"

    with pytest.raises(InputError, match=r"contains \.\., so it has no place in an output folder"):
        list(Listed("s3://b/in").rglob("*"))


@pytest.mark.parametrize(
    ("info", "time"),
    [
        ({"LastModified": datetime(2026, 5, 3, 10, tzinfo=UTC)}, 1777802400.0),  # S3
        ({"updated": "2026-05-03T10:00:00.000Z"}, 1777802400.0),  # Google
        ({"modificationTime": 1777802400000}, 1777802400.0),  # WebHDFS
        ({"modify": "20260503100000.123"}, 1777802400.0),  # FTP
        ({"Last-Modified": "Sun, 03 May 2026 10:00:00 GMT"}, 1777802400.0),  # HTTP
        ({"generation": 1}, 0.0),
    ],
)
def test_a_status_has_the_time_and_changes_with_the_content(info, time):
    file = {"size": 5, "type": "file"} | info
    status = status_of("s3://b/x", file)
    assert (status.st_size, status.st_mtime) == (5, time)
    [(key, value)] = info.items()
    later = {datetime: lambda: value + timedelta(1), str: lambda: value.replace("03", "04")}.get(type(value))
    changed = {key: later() if later else value + 86_400_000}
    assert status_of("s3://b/x", file | changed).version != status.version
    tagged = [
        status_of("s3://b/x", file | {"ETag": tag} | extra).version for tag in ('"a"', '"b"') for extra in ({}, changed)
    ]
    assert [tagged[0] == tagged[1], tagged[2] == tagged[3], tagged[0] == tagged[2]] == [True, True, False]
    assert status_of("s3://b/x", file | {"etag": "a"}).version == tagged[0]  # as Azure lists what it quotes elsewhere
    with pytest.raises(InputError, match="does not say its size"):
        status_of("http://b/x", file | {"size": None})


# ── output ──


def test_a_web_server_is_refused_as_output():
    with (
        pytest.raises(InputError, match="is on a web server, where nothing can be written"),
        RunFolder(RemotePath("https://host/out")).locked(),
    ):
        pass


@pytest.fixture(params=["memory", "dirs"])
def root(request, tmp_path) -> RemotePath:
    """Return a folder on a store of objects, and on one of folders."""
    return RemotePath(f"memory://out-{tmp_path.name}" if request.param == "memory" else f"dirs://{tmp_path}/out")


def test_a_file_or_folder_appears_as_a_whole_or_not_at_all(root):
    target = root / "pages" / "x.jsonl"
    with suppress(KeyError), replacing(target) as temporary:
        temporary.write_text("half", "utf-8")
        raise KeyError
    assert not target.exists()
    for text in ("first", "second"):
        with replacing(target) as temporary:
            temporary.write_text(text, "utf-8")
        assert target.read_text("utf-8") == text
    for names in (("a", "b"), ("b", "c")):
        with replacing(root / "model") as temporary:
            temporary.mkdir()
            for name in names:
                (temporary / name).write_text(name, "utf-8")
    with local_folder(root / "model") as local:
        assert sorted(path.name for path in local.iterdir()) == ["b", "c"]
    assert sorted(file.relative_to(root).as_posix() for file in root.rglob("*")) == [
        "model/b",
        "model/c",
        "pages/x.jsonl",
    ]
    remove(root / "model")
    remove(root / "model")
    assert not (root / "model").exists()
    assert not (root / "model").is_dir()


def test_the_folder_of_a_run_is_the_same_as_a_local_one(root, tmp_path):
    for folder in (RunFolder(root), RunFolder(tmp_path / "local")):
        with folder.locked():
            folder.write(folder.marker("a/x.warc"), {"digest": 1})
            folder.write(folder.pages / "old.jsonl", 1)
            folder.write(folder.pages / "a/x.warc.jsonl", 1)
            assert read_values(folder.marker("a/x.warc")) == {"digest": 1}
            assert read_values(folder.marker("none")) is None
            assert folder.foreign(["a/x.warc"], ".jsonl") == ["old.jsonl"]
            folder.forget()
            assert read_values(folder.marker("a/x.warc")) is None


def test_temporary_files_of_a_killed_run_are_removed(tmp_path):
    """Stores of folders only: on stores of objects there are none."""
    folder = RunFolder(RemotePath(f"dirs://{tmp_path}/out"), (1, 2))
    for name in (".x.1of2.tmp", ".x.2of2.tmp"):
        (tmp_path / "out/pages").mkdir(parents=True, exist_ok=True)
        (tmp_path / "out/pages" / name).write_bytes(b"half")
    with folder.locked():
        assert [path.name for path in (tmp_path / "out/pages").iterdir()] == [".x.2of2.tmp"]


def test_only_one_run_uses_a_folder_and_a_killed_one_does_not_block_it(monkeypatch, tmp_path):
    monkeypatch.setattr(leases, "BEAT", 0.05)
    monkeypatch.setattr(leases, "PATIENCE", 1.0)
    root = RemotePath(f"memory://lock-{tmp_path.name}")
    with RunFolder(root).locked():
        with pytest.raises(InputError, match=f"another run is using {root}"), RunFolder(root).locked():
            pass
        with RunFolder(root, (1, 2)).locked():  # another shard may
            pass
    assert not list(root.rglob("*"))
    (root / "state/lock-1of1").write_text('{"run": "of a run that was killed"}')
    with RunFolder(root).locked():
        pass


def test_a_model_that_cannot_be_reached_ends_the_run_instead_of_failing_pages():
    class Unreachable:
        def work(self, *_arguments: Any, **_options: Any) -> None:
            raise ChildError("InputError: s3://out/sites/tea: cannot be read: connection reset")

    page = Record(number=0, offset=0, id="0", url="https://tea.example/", raw=b"<p>tea", type="row")
    child: Any = Unreachable()
    with pytest.raises(InputError, match=r"^s3://out/sites/tea: cannot be read: connection reset$"):
        clean_in_child(child, CorpusJob(), page, Body(page.raw), "s3://out/sites/tea")
