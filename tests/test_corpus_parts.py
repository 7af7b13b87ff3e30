"""One file is read in parts: the records, losses and rows are those of a file that is read in one go."""

import gzip
import json
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import click
import pytest
from threadpoolctl import threadpool_info

import made_sites
import warcs
from dehusk import Site
from dehusk.base.errors import InputError
from dehusk.base.processes import processors
from dehusk.base.processes.child import Child
from dehusk.base.processes.threads import run_in_threads
from dehusk.cli import command
from dehusk.many.corpus import runner
from dehusk.many.corpus.child_tasks import ChildSettings, make_handler
from dehusk.many.corpus.children import new_child
from dehusk.many.corpus.file_output import InOrder
from dehusk.many.corpus.folder import RunFolder
from dehusk.many.corpus.index import FileIndex, IndexScope, IndexTask, index_file, index_part, page_key
from dehusk.many.corpus.job import CorpusJob, ignore_progress
from dehusk.many.corpus.page_rows import PartTask
from dehusk.many.corpus.runner import FileIndexing
from dehusk.many.corpus.stages import Stages
from dehusk.many.files.inputs import find_inputs, read_part_heads
from dehusk.many.files.options import ReadOptions
from dehusk.many.files.record import Loss, Record
from dehusk.many.files.warc import find_record, read_warc, read_warc_part
from test_corpus_run import clean_corpus, output_files

OPTIONS = ReadOptions(100_000)
SCOPE = IndexScope(OPTIONS, "host", 8)
WARC_IN_A_PAGE = warcs.record(7, warcs.answer(b"<p>a page in a page"), url="https://inner.example/")
RANDOM = Random(1)  # noqa: S311 (nothing secret)
PARTS = (300, 1000, 20_000)


def pages(count: int = 12) -> list[bytes]:
    return warcs.page_records(count)


def flipped(member: bytes, at: float) -> bytes:
    """Return a member with a wrong bit."""
    changed = bytearray(member)
    changed[int(at * len(member))] ^= 4
    return bytes(changed)


def members(records: list[bytes]) -> list[bytes]:
    return [gzip.compress(record, mtime=0) for record in records]


def long_pages() -> list[str]:
    """Return pages that take more bytes, even compressed, than reading their heads does."""
    return [page.replace("</body>", f"<!-- {RANDOM.randbytes(6000).hex()} --></body>") for page in made_sites.site(12)]


def broken(hit: int, at: float) -> bytes:
    """Return a file with a wrong bit in one member."""
    packed = members([warcs.record(n, warcs.answer(page.encode())) for n, page in enumerate(LONG_PAGES)])
    return b"".join([*packed[:hit], flipped(packed[hit], at), *packed[hit + 1 :]])


LONG_PAGES = long_pages()
FILES = {
    "plain.warc": b"".join(pages()),
    "members.warc.gz": b"".join(members(pages())),
    "frames.warc.zst": warcs.FORMS[".warc.zst"](pages()),
    "whole.warc.gz": gzip.compress(b"".join(pages()), mtime=0),
    "pairs.warc.gz": b"".join(members([b"".join(pages()[n : n + 2]) for n in range(0, 12, 2)])),
    "spanning.warc.gz": b"".join(
        members([b"".join(pages())[n : n + 5000] for n in range(0, len(b"".join(pages())), 5000)])
    ),
    "empty members.warc.gz": b"".join(member + gzip.compress(b"", mtime=0) for member in members(pages())),
    "last member cut.warc.gz": b"".join(members(pages()))[:-200],
    "head of the last member.warc.gz": b"".join([*members(pages(6)), members(pages(7))[6][:30]]),
    "padded.warc.gz": b"".join(members(pages())) + bytes(5000),
    "one large record.warc.gz": b"".join(
        members([pages()[0], warcs.record(1, warcs.answer(RANDOM.randbytes(60_000))), *pages()[2:4]])
    ),
    "one large record.warc": b"".join([pages()[0], warcs.record(1, warcs.answer(b"<p>long " * 9000)), *pages()[2:4]]),
    "record in a page.warc": b"".join(
        [pages()[0], warcs.record(1, warcs.answer(b"<p>\r\n\r\n" + WARC_IN_A_PAGE * 3)), *pages()[2:4]]
    ),
    "member in a page.warc.gz": b"".join(
        [
            members(pages())[0],
            gzip.compress(warcs.record(1, warcs.answer(b"<p>" + gzip.compress(WARC_IN_A_PAGE) * 3)), 0, mtime=0),
            *members(pages())[2:4],
        ]
    ),
    "wrong length.warc": b"".join([*pages(3), warcs.record(3, warcs.answer(b"<p>text"), off=-2), *pages()[4:]]),
    "wrong length.warc.gz": b"".join(
        members([*pages(3), warcs.record(3, warcs.answer(b"<p>text"), off=9), *pages()[4:]])
    ),
    "garbage.warc": b"".join([*pages(3), b"garbage\r\n" * 300, *pages()[3:]]),
    "garbage.warc.gz": b"".join([*members(pages(3)), b"garbage\r\n" * 300, *members(pages())[3:]]),
    "garbage first.warc.gz": b"".join([members(pages())[0][3:], *members(pages())[1:]]),
    "no records.warc": b"x" * 3000,
    "empty.warc": b"",
    "types.warc.gz": b"".join(
        members(
            [
                warcs.record(0, b"software: pen\r\n", kind="warcinfo"),
                warcs.record(1, warcs.answer(b"gone" * 3000, status="404 Not Found")),
                warcs.record(2, warcs.answer(b"<!DOCTYPE html><p>" + b"no type " * 1000, headers="")),
                warcs.record(3, warcs.answer(b"no page " * 1000, headers="")),
                warcs.record(4, warcs.answer(b"")),
                warcs.record(5, warcs.answer(b"<p>x" * 3000, headers="X-Long: " + "x" * 9000 + "\r\n" + warcs.HTML)),
                warcs.record(6, b"<p>saved " * 900, kind="resource"),
                warcs.record(7, b"<p>no HTTP", kind="response"),
            ]
        )
    ),
}
for number, at in enumerate((0.0, 0.02, 0.1, 0.3, 0.5, 0.9, 0.999)):
    FILES[f"broken {at}.warc.gz"] = broken(2 + number, at)


@pytest.fixture(params=FILES)
def path(request, tmp_path) -> Path:
    path = tmp_path / request.param
    path.write_bytes(FILES[request.param])
    return path


def read_in_parts(path: Path, size: int) -> list[Record | Loss]:
    """Read a file part by part, each from where the one before ended; number its records through."""
    items: list[Record | Loss] = []
    start, end = 0, path.stat().st_size
    while start < end:
        part = read_warc_part(path, start, (start // size + 1) * size, OPTIONS)
        first = sum(isinstance(item, Record) for item in items)
        before, ends = start, []
        read = list(with_end(part, ends))
        items += [item if isinstance(item, Loss) else replace(item, number=first + item.number) for item in read]
        [start] = ends
        assert start > before
    return items


def with_end(part: Generator[Record | Loss, None, int], ends: list[int]) -> Iterator[Record | Loss]:
    ends.append((yield from part))


@pytest.mark.parametrize("size", PARTS)
def test_parts_give_the_records_and_losses_of_the_file(path, size):
    assert read_in_parts(path, size) == list(read_warc(path, OPTIONS))


@pytest.mark.parametrize("size", PARTS)
def test_heads_give_the_same_index_as_whole_records(path, size):
    """Only damage inside a body may remain unseen: the page is then in the sample."""
    [file] = find_inputs([str(path)])
    start, skimmed = 0, 0
    while start < path.stat().st_size:
        task = IndexTask(file, start, (start // size + 1) * size)
        skimmed += read_part_heads(file, start, task.stop, OPTIONS) is not None
        heads, whole = index_part(task, SCOPE), index_part(task._replace(whole=True), SCOPE)
        if not path.name.startswith("broken"):
            assert heads == whole
        facts = [(index.parts, index.skipped, index.sites) for index in (heads, whole)]
        assert facts[0] == facts[1]
        start = whole.parts[0].end
    if path.name in ("members.warc.gz", "types.warc.gz", "broken 0.5.warc.gz"):
        assert skimmed


@pytest.mark.parametrize("size", PARTS)
@pytest.mark.parametrize("whole", [False, True])
def test_parts_indexed_in_any_order_are_those_of_a_reading_from_the_start(path, size, whole):
    [file] = find_inputs([str(path)])
    indexing = FileIndexing(file, part_bytes=size, sample=SCOPE.sample, whole=whole)
    order = list(range(len(indexing.tasks)))
    RANDOM.shuffle(order)
    last = [indexing.put(number, index_part(indexing.tasks[number], SCOPE)) for number in order]
    assert last == [False] * (len(order) - 1) + [True]
    index = indexing.join(lambda task: index_part(task, SCOPE))
    expected = index_file(file, SCOPE, part_bytes=size)
    if whole or not path.name.startswith("broken"):
        assert [index.samples, index.skipped] == [expected.samples, expected.skipped]
    assert [index.parts or [(0, 0, 0, 0, 0)], index.sites] == [expected.parts or [(0, 0, 0, 0, 0)], expected.sites]
    assert FileIndex.of_values(index.values()) == index


def test_a_record_that_only_seems_to_start_is_found_and_put_right(tmp_path):
    for name in ("record in a page.warc", "member in a page.warc.gz"):
        path = tmp_path / name
        path.write_bytes(FILES[name])
        true = {item.offset for item in read_warc(path, OPTIONS)}
        found = {find_record(path, start, start + 300) for start in range(0, path.stat().st_size, 300)}
        assert found - true - {None}, "the test does not test what it says"


@pytest.mark.parametrize("name", [*FILES, "several"])
def test_rows_do_not_depend_on_the_number_of_workers(tmp_path, monkeypatch, name):
    (tmp_path / "in").mkdir()
    for each in FILES if name == "several" else [name]:
        (tmp_path / "in" / each).write_bytes(FILES[each])
    clean_corpus(tmp_path / "in", tmp_path / "one", CorpusJob(sample=8, format="jsonl"))
    monkeypatch.setattr(runner, "PART_BYTES", 2500)
    monkeypatch.setattr(runner, "_INDEX_BYTES", 1)
    monkeypatch.setattr("dehusk.many.corpus.file_rows.BATCH_BYTES", 1)
    for workers in (2, 4) if name == "several" else (2,):
        clean_corpus(tmp_path / "in", tmp_path / str(workers), CorpusJob(sample=8, format="jsonl"), workers=workers)
        assert output_files(tmp_path / str(workers)) == output_files(tmp_path / "one")


@pytest.mark.parametrize("at", [0.1, 0.5, 0.9])
def test_a_damaged_page_is_not_learned_from_although_its_head_is_sound(tmp_path, at):
    urls = [f"https://tea.example/page{n}.html" for n in range(12)]
    smallest = sorted(range(12), key=lambda n: page_key(urls[n]))
    hit = smallest[3]
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.warc.gz").write_bytes(broken(hit, at))
    for again in (0, 1):
        summary = clean_corpus(tmp_path / "in", tmp_path / "out", CorpusJob(sample=8))
        assert (summary.sites, summary.unlearned, summary.resumed) == (1, [], again)
        assert [loss[3].partition(" ")[0] for loss in summary.tally.losses] == ["damaged"]
    site = Site(structure=False)
    for n in sorted(set(smallest[:9]) - {hit}):
        site.add(LONG_PAGES[n], url=urls[n])
    site.save(tmp_path / "expected")
    assert made_sites.folder_bytes(tmp_path / "out" / "sites" / "tea.example") == made_sites.folder_bytes(
        tmp_path / "expected"
    )


def test_a_file_that_changes_during_the_run_ends_it_with_a_message(tmp_path):
    path = warcs.write(tmp_path / "in" / "a.warc.gz", pages())
    [file] = find_inputs([str(path)])
    index = index_file(file, SCOPE)
    index.parts = [part._replace(records=part.records + 1) for part in index.parts]
    stages = Stages(CorpusJob(sample=8), RunFolder(tmp_path / "out"), ignore_progress, threading.Event())
    with (
        new_child(stages.job, learns=True) as child,
        pytest.raises(InputError, match="has changed since it was indexed"),
    ):
        stages.clean(child, file, index, {})
    assert not list((tmp_path / "out" / "pages").glob("*"))


def test_results_are_handled_in_order_whichever_thread_delivers_them():
    handled: list[int] = []
    order = InOrder(handled.append, size=lambda item: item)
    numbers = list(range(200))
    RANDOM.shuffle(numbers)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(order.put, numbers, numbers))
    assert handled == sorted(numbers)
    assert order.waiting == 0
    order.put(201, 7)
    assert (handled[-1], order.waiting) == (199, 7)


def test_after_an_error_no_result_is_handled():
    order = InOrder([].remove)
    with pytest.raises(ValueError, match="not in list"):
        order.put(0, "a")
    order.put(1, "b")
    assert order.waiting == 1


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"cpu.max": "150000 100000\n"}, 2),
        ({"cpu.max": "max 100000\n"}, 0),
        ({"cpu.cfs_quota_us": "300000\n", "cpu.cfs_period_us": "100000\n"}, 3),
        ({"cpu.cfs_quota_us": "-1\n", "cpu.cfs_period_us": "100000\n"}, 0),
        ({"cpu.max": "nonsense"}, 0),
        ({}, 0),
    ],
)
def test_the_quota_of_a_container_counts(tmp_path, files, expected):
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    assert processors._quota(tmp_path, tmp_path) == expected


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="processors cannot be chosen here")
def test_processors_that_are_not_allowed_do_not_count():
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        assert processors.available() == 1
    finally:
        os.sched_setaffinity(0, before)


def threads_of(settings: object) -> Callable[[object], list[int]]:
    """Return a handler that returns how many threads each library may use."""
    del settings

    def handle(_: object) -> list[int]:
        return [library["num_threads"] for library in threadpool_info()]

    return handle


def test_children_compute_in_one_thread(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    with Child(threads_of, None, seconds=60) as child:
        assert set(child.work(None).result) == {1}
    assert (os.environ["OMP_NUM_THREADS"], os.environ.get("OPENBLAS_NUM_THREADS")) == ("3", None)


def test_pages_that_share_a_large_member_are_cleaned_by_all_workers_and_that_is_told(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(runner, "PART_BYTES", 1000)
    monkeypatch.setattr("dehusk.many.corpus.file_rows.BATCH_BYTES", 3000)
    monkeypatch.setattr("dehusk.many.corpus.file_rows.BATCH_PAGES", 5)
    for name in ("whole.warc.gz", "members.warc.gz"):
        (tmp_path / name).write_bytes(FILES[name])
    options = ["--sample", "8", "--workers", "2", "-f", "jsonl"]
    assert run_command("corpus", str(tmp_path), "-o", str(tmp_path / "out"), *options) == 0
    [told] = [line for line in capsys.readouterr().err.splitlines() if "its records" in line]
    assert told.startswith("dehusk: whole.warc.gz: its records are compressed as one, so a single process reads them")
    rows = [
        [
            json.loads(line)["text"]
            for line in (tmp_path / "out/pages" / f"{name}.jsonl").read_text("utf-8").splitlines()
        ]
        for name in ("whole.warc.gz", "members.warc.gz")
    ]
    assert rows[0] == rows[1]
    assert len(rows[0]) == 12


@pytest.mark.parametrize("count", ["0", "-1", "x", "1.5", "00001"])
def test_a_wrong_number_of_workers_is_refused(tmp_path, count):
    warcs.write(tmp_path / "a.warc", pages(1))
    with pytest.raises(click.UsageError, match="neither a number from 1 nor auto"):
        run_command("corpus", str(tmp_path), "-o", str(tmp_path / "out"), "--workers", count)


def make_handler_killed_once(settings: ChildSettings) -> Callable[[Any], Any]:
    """Return the usual handler, but the system kills its process in the middle of the first part with ten pages."""
    usual = make_handler(settings)

    def handle(task: Any) -> Any:
        if isinstance(task, list) and isinstance(task[0], PartTask):
            killed = task[0].source.file.path.with_suffix(".killed")
            if task[0].number >= 10 and not killed.exists():
                killed.touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return usual(task)

    return handle


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL")
def test_rows_are_the_same_if_the_system_kills_a_child(tmp_path, monkeypatch):
    path = warcs.write(tmp_path / "in" / "a.warc.gz", pages(40))
    clean_corpus(tmp_path / "in", tmp_path / "one", CorpusJob(sample=8))
    monkeypatch.setattr(runner, "PART_BYTES", 5000)
    monkeypatch.setattr("dehusk.many.corpus.file_rows.BATCH_BYTES", 1)
    options = {"workers": 3, "make_handler": make_handler_killed_once}
    clean_corpus(tmp_path / "in", tmp_path / "killed", CorpusJob(sample=8), **options)
    assert path.with_suffix(".killed").exists()
    assert output_files(tmp_path / "killed") == output_files(tmp_path / "one")


def test_an_interrupt_while_threads_are_started_ends_those_that_run(monkeypatch):
    stop, ended, start = threading.Event(), [], threading.Thread.start

    def start_first(thread: threading.Thread) -> None:
        if thread._args[0] == "second":
            raise KeyboardInterrupt
        start(thread)

    def work(_: str, task: int) -> None:
        assert stop.wait(60)
        ended.append(task)

    monkeypatch.setattr(threading.Thread, "start", start_first)
    with pytest.raises(KeyboardInterrupt):
        run_in_threads([7, 8], work, ["first", "second"], stop=stop, abort=lambda _: None)
    assert ended in ([], [7])
    assert stop.is_set()


def run_command(*arguments: str) -> int:
    return int(command.main(list(arguments), standalone_mode=False))
