"""The local run: its output does not depend on workers or interruptions, and a bad page affects only its own row."""

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import made_sites
import warcs
from dehusk import Site
from dehusk.base.errors import ConfigError, InputError, MissingExtraError
from dehusk.label import DEFAULT
from dehusk.label.baseline import KeepAll
from dehusk.label.registry import names
from dehusk.many.corpus.child_tasks import ChildSettings, LearnTask, learns_sites, make_handler
from dehusk.many.corpus.children import new_child
from dehusk.many.corpus.folder import RunFolder
from dehusk.many.corpus.index import FileIndex, IndexTask, PageRef, choose_samples, page_key, read_pages
from dehusk.many.corpus.job import CorpusJob, CorpusSummary, Tally, ignore_progress
from dehusk.many.corpus.runner import run
from dehusk.many.corpus.stages import Stages
from dehusk.many.files.inputs import find_inputs, read_records
from dehusk.many.files.options import ReadOptions
from dehusk.many.files.record import Record
from dehusk.read import Limits

JOB = CorpusJob(sample=8)


def write_corpus(folder: Path, count: int = 4) -> Path:
    """Write files with pages of four hosts; one has most pages, and two have too few to be learned."""
    for number in range(count):
        records = warcs.page_records(12, first=number * 12)
        records += warcs.page_records(3, first=1000 + number * 3, host="cups.example")
        records += warcs.page_records(1, first=2000 + number, host=f"www.kettles{number // 2}.example")
        warcs.write(folder / f"{number}.warc.gz", records)
    return folder


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> Path:
    return write_corpus(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="module")
def reference(corpus, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("reference")
    clean_corpus(corpus, out)
    return out


def clean_corpus(corpus: Path, out: Path, job: CorpusJob = JOB, **options: Any) -> CorpusSummary:
    return run(job, find_inputs([str(corpus)]), out, **options)


def output_files(out: Path) -> dict[str, bytes]:
    """Return the output files of a run: name -> bytes."""
    paths = [*out.glob("pages/**/*"), *out.glob("sites/**/*"), out / "summary.json"]
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in paths if path.is_file()}


def rows(out: Path) -> list[dict[str, Any]]:
    return [row for path in sorted(out.glob("pages/**/*.parquet")) for row in pq.read_table(path).to_pylist()]


def test_every_page_becomes_a_row_cleaned_with_its_site_model(reference):
    all_rows = rows(reference)
    assert len(all_rows) == 64
    assert len({row["url"] for row in all_rows}) == 64
    assert {row["host"]: (row["method"], row["site_pages"]) for row in all_rows} == {
        "tea.example": (DEFAULT, 8),
        "cups.example": (DEFAULT, 8),
        "kettles0.example": (DEFAULT, None),
        "kettles1.example": (DEFAULT, None),
    }
    learned = [row for row in all_rows if row["site_pages"]]
    assert {row["status"] for row in learned} == {"ok"}
    assert learned[5]["text"].strip().split("\n\n") == made_sites.article(5)
    assert sorted(path.name for path in (reference / "sites").iterdir()) == ["cups.example", "tea.example"]
    summary = json.loads((reference / "summary.json").read_text())
    assert (summary["pages"], summary["files"], summary["sites"]) == (64, 4, 2)


def test_a_site_is_learned_from_its_pages_with_the_smallest_keys(reference, tmp_path):
    pages = {f"https://tea.example/page{n}.html": page for n, page in enumerate(made_sites.site(48))}
    chosen = sorted(pages, key=page_key)[: JOB.sample]
    site = Site(structure=False)
    for url in reversed(chosen):
        site.add(pages[url], url=url)
    site.save(tmp_path)
    assert made_sites.folder_bytes(tmp_path) == made_sites.folder_bytes(reference / "sites" / "tea.example")


@pytest.mark.parametrize("form", ["parquet", "text"])
def test_the_output_does_not_depend_on_the_number_of_workers(corpus, reference, tmp_path, form):
    job = CorpusJob(sample=8, format=form)
    expected = reference if form == "parquet" else tmp_path / "one"
    clean_corpus(corpus, expected, job)
    clean_corpus(corpus, tmp_path / "three", job, workers=3)
    assert output_files(expected) == output_files(tmp_path / "three")


def test_all_shards_together_write_what_a_single_run_writes(corpus, reference, tmp_path):
    for number in (2, 1):
        clean_corpus(corpus, tmp_path, shard=(number, 2))
    for part in ("pages", "sites"):
        expected = {name: data for name, data in output_files(reference).items() if name.startswith(part)}
        assert expected == {name: data for name, data in output_files(tmp_path).items() if name.startswith(part)}
    assert [json.loads((tmp_path / f"summary-{n}of2.json").read_text())["files"] for n in (1, 2)] == [2, 2]


def progress(out: Path) -> int:
    """Return how far a run is: the number of finished parts and of files being written."""
    parts = ("index", "counts", "sites", "done")
    return sum(len(list((out / "state" / part).glob("*.json"))) for part in parts) + len(list(out.glob("pages/.*tmp")))


def children(parent: int) -> list[int]:
    """Return the running children of a process, and theirs."""
    pids: list[int] = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(") ")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent and fields[0] != "Z":
            pids += [int(path.parent.name), *children(int(path.parent.name))]
    return pids


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for orphans in /proc")
def test_a_run_killed_at_any_moment_resumes_to_the_same_bytes(corpus, reference, tmp_path):
    out = tmp_path / "out"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, sys.path))}
    command = [sys.executable, "-m", "dehusk", "corpus", str(corpus), "-o", str(out), "--sample", "8", "-q"]
    for moment in (2, 5, 9, 11, 13):
        program = subprocess.Popen(command, env=environment)
        while progress(out) < moment and program.poll() is None:
            time.sleep(0.002)
        pids = children(program.pid)
        program.send_signal(signal.SIGKILL)
        program.wait()
        deadline = time.monotonic() + 60
        while any(Path(f"/proc/{pid}").exists() for pid in pids):
            assert time.monotonic() < deadline, "children outlive their parent"
            time.sleep(0.01)
    before = {path.name: path.stat().st_mtime_ns for path in out.glob("pages/*.parquet")}
    done = {f"{path.name.removesuffix('.json')}.parquet" for path in out.glob("state/done/*.json")}
    summary = clean_corpus(corpus, out)
    assert output_files(out) == output_files(reference)
    assert summary.resumed == len(done)
    assert done
    assert not list(out.rglob("*.tmp"))
    assert all((out / "pages" / name).stat().st_mtime_ns == before[name] for name in done)


def ignore_interrupts() -> None:
    """Ignore SIGINT, as a process started in the background of a shell does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def start(command: list[str], *, ignore: bool = False) -> "subprocess.Popen[bytes]":
    """Start Python in a new process group."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, sys.path))}
    return subprocess.Popen(
        [sys.executable, *command],
        env=environment,
        start_new_session=True,
        stderr=subprocess.PIPE,
        preexec_fn=ignore_interrupts if ignore else None,  # noqa: PLW1509 (this process has no other threads)
    )


@pytest.mark.skipif(os.name != "posix", reason="signals a group of processes")
@pytest.mark.parametrize(
    ("moment", "number", "ignore"),
    [
        (3, signal.SIGINT, False),
        (12, signal.SIGINT, True),
        (14, signal.SIGTERM, False),
        (22, signal.SIGINT, False),
        (34, signal.SIGTERM, True),
    ],
)
def test_a_run_ended_by_a_signal_to_all_its_processes_is_resumed(tmp_path, moment, number, ignore):
    for n in range(16):
        warcs.write(tmp_path / "in" / f"{n}.warc.gz", warcs.page_records(1, first=n))
    clean_corpus(tmp_path / "in", tmp_path / "reference")
    out = tmp_path / "out"
    command = ["-m", "dehusk", "corpus", str(tmp_path / "in"), "-q", "-o", str(out), "--sample", "8"]
    program = start([*command, "--workers", "2"], ignore=ignore)
    while progress(out) < moment and program.poll() is None:
        time.sleep(0.002)
    with suppress(ProcessLookupError):
        os.killpg(program.pid, number)
    _, errors = program.communicate()
    after_its_work = (-number,) if (out / "summary.json").exists() else ()  # while the interpreter exits
    assert program.returncode in (0, 128 + number, *after_its_work)
    assert b"Traceback" not in errors
    clean_corpus(tmp_path / "in", out)
    assert output_files(out) == output_files(tmp_path / "reference")


def make_hanging_handler(settings: ChildSettings) -> Callable[[Any], Any]:
    """Return a handler that never finishes, and create a file to show that it has started."""
    del settings

    def handle(tasks: list[IndexTask]) -> None:
        tasks[0].file.path.with_suffix(".started").touch()
        time.sleep(600)

    return handle


HANGING_RUN = """
import sys
from pathlib import Path
from dehusk.cli import interruptible
from dehusk.many.corpus import CorpusJob, run, runner
from dehusk.many.files.inputs import find_inputs
from test_corpus_run import make_hanging_handler

if __name__ == "__main__":
    runner._INDEX_BYTES = 1  # so that each child has a file to read
    inputs = find_inputs(sys.argv[1:2])
    with interruptible() as interruption:
        try:
            run(CorpusJob(), inputs, Path(sys.argv[2]), workers=2, make_handler=make_hanging_handler)
        except KeyboardInterrupt:
            pass
    sys.exit(interruption.exit_code)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for orphans in /proc")
@pytest.mark.parametrize(("number", "ignore"), [(signal.SIGINT, True), (signal.SIGTERM, False)])
def test_a_signal_ends_children_that_hang(tmp_path, number, ignore):
    for n in range(2):
        warcs.write(tmp_path / "in" / f"{n}.warc", warcs.page_records(1, first=n))
    (tmp_path / "hanging_run.py").write_text(HANGING_RUN)
    out = tmp_path / "out"
    program = start([str(tmp_path / "hanging_run.py"), str(tmp_path / "in"), str(out)], ignore=ignore)
    while len(list((tmp_path / "in").glob("*.started"))) < 2:
        assert program.poll() is None
        time.sleep(0.01)
    pids = children(program.pid)
    program.send_signal(number)
    _, errors = program.communicate(timeout=60)
    assert (program.returncode, errors.decode()) == (128 + number, "")
    assert len(pids) >= 4  # two children, the server that they come from, and a process of `multiprocessing`
    deadline = time.monotonic() + 60
    while any(Path(f"/proc/{pid}").exists() for pid in pids):
        assert time.monotonic() < deadline, "children outlive the program"
        time.sleep(0.01)


def test_shards_running_at_the_same_time_do_not_interfere(tmp_path):
    for number in range(4):
        own = ("cups.example", "pots.example")[number % 2]
        records = [*warcs.page_records(4, first=4 * number), *warcs.page_records(4, first=4 * number, host=own)]
        warcs.write(tmp_path / "in" / f"{number}.warc.gz", records)
    clean_corpus(tmp_path / "in", tmp_path / "one")
    with ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(clean_corpus, tmp_path / "in", tmp_path / "out", shard=(n, 2)) for n in (1, 2)]
        assert [run.result().unlearned for run in runs] == [[], []]
    for part in ("pages", "sites"):
        expected = {name: data for name, data in output_files(tmp_path / "one").items() if name.startswith(part)}
        assert expected == {
            name: data for name, data in output_files(tmp_path / "out").items() if name.startswith(part)
        }


@pytest.mark.parametrize(
    ("format_", "module"), [("parquet", "pyarrow.parquet"), ("jsonl.zst", "zstandard"), ("wet", "fastwarc.warc")]
)
def test_nothing_is_begun_without_the_library_of_the_output(corpus, tmp_path, monkeypatch, format_, module):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=r"writing .* needs .*pip install 'dehusk\[corpus\]'"):
        clean_corpus(corpus, tmp_path / "out", CorpusJob(format=format_))
    assert not (tmp_path / "out").exists()


def test_a_missing_model_is_reported(corpus, tmp_path):
    clean_corpus(corpus, tmp_path)
    shutil.rmtree(tmp_path / "sites" / "tea.example")
    for path in (tmp_path / "state" / "done").iterdir():
        path.unlink()
    stages = Stages(JOB, RunFolder(tmp_path), ignore_progress, threading.Event())
    file, *_ = find_inputs([str(corpus)])
    with new_child(JOB, learns=True) as child, pytest.raises(InputError, match=r"the model of tea\.example is missing"):
        stages.clean(child, file, stages.index(child, file), {"tea.example": "digest"})


def test_a_file_changed_since_it_was_indexed_is_reported(tmp_path):
    path = warcs.write(tmp_path / "a.warc.gz", warcs.page_records(6))
    [file] = find_inputs([str(path)])
    refs = [
        PageRef(page_key(r.url), r.number, r.offset)
        for r in read_records(file, ReadOptions(10**6))
        if isinstance(r, Record)
    ]
    warcs.write(path, warcs.page_records(6, host="cups.example"))
    with pytest.raises(InputError, match="has changed since it was indexed"):
        list(read_pages(file, ReadOptions(10**6), refs[2:4]))


def test_only_what_has_changed_is_done_again(tmp_path):
    corpus, out = write_corpus(tmp_path / "in"), tmp_path / "out"
    clean_corpus(corpus, out)
    times = {path.name: path.stat().st_mtime_ns for path in out.glob("pages/*")}

    def again(job: CorpusJob = JOB, **options: Any) -> tuple[int, set[str]]:
        summary = clean_corpus(corpus, out, job, **options)
        new = {path.name: path.stat().st_mtime_ns for path in out.glob("pages/*")}
        changed = {name[0] for name, when in new.items() if times.get(name) != when}
        times.clear()
        times.update(new)
        return summary.resumed, changed

    assert again() == (4, set())
    warcs.write(corpus / "4.warc.gz", warcs.page_records(6, first=5000, host="pots.example"))
    assert again() == (4, {"4"})  # no other file has pages of that site
    warcs.write(corpus / "2.warc.gz", warcs.page_records(40, first=24))
    assert again() == (1, {"0", "1", "2", "3"})  # the sites' samples have changed
    (out / "pages/1.warc.gz.parquet").unlink()
    assert again() == (4, {"1"})
    assert again(CorpusJob(sample=8, content="markdown")) == (0, {"0", "1", "2", "3", "4"})
    assert again(CorpusJob(sample=8, content="markdown"), resume=False) == (0, {"0", "1", "2", "3", "4"})
    assert again(CorpusJob(sample=8, content="markdown", format="jsonl")) == (0, {"0", "1", "2", "3", "4"})
    assert {path.suffix for path in out.glob("pages/*")} == {".jsonl"}
    (corpus / "0.warc.gz").unlink()
    assert clean_corpus(corpus, out, CorpusJob(sample=8, content="markdown", format="jsonl")).foreign == [
        "0.warc.gz.jsonl"
    ]


def test_two_runs_cannot_use_the_same_folder(corpus, tmp_path):
    from dehusk.many.corpus.folder import RunFolder

    with RunFolder(tmp_path).locked(), pytest.raises(InputError, match="another run is using"):
        clean_corpus(corpus, tmp_path)


class DangerousMethod(KeepAll):
    """A method that a page can make crash or hang."""

    def label(self, blocks: Any, *, explain: bool = False) -> Any:
        text = blocks.page.text
        if "crash!" in text:
            os.kill(os.getpid(), signal.SIGSEGV)
        if "hang!" in text:
            time.sleep(600)
        if "raise!" in text:
            raise ValueError("raised on purpose")
        if "hog!" in text:
            memory = [bytes(50_000_000) for _ in range(100)]
            raise AssertionError(f"got {len(memory)} times 50 MB")
        return super().label(blocks, explain=explain)


def make_dangerous_handler(settings: ChildSettings) -> Callable[[Any], Any]:
    """Return the usual handler, but with a dangerous method."""
    from dehusk.many.corpus import child_tasks

    child_tasks.load_method = lambda *_args, **_options: DangerousMethod()  # type: ignore[assignment]
    return make_handler(settings)


@pytest.mark.parametrize("memory", [100, 150])
def test_what_reading_parquet_takes_is_not_taken_from_the_memory_of_pages(memory, tmp_path):
    pages = {f"{n}.html": f"<title>Tea</title><p>Leaves of tea number {n} steep for {n} minutes." for n in range(20)}
    (tmp_path / "in").mkdir()
    table = {"url": [f"http://tea.example/{name}" for name in pages], "html": list(pages.values())}
    pq.write_table(pa.table(table), tmp_path / "in/a.parquet")
    with tarfile.open(tmp_path / "in/b.tar.gz", "w:gz") as archive:
        for name, html in pages.items():
            entry = tarfile.TarInfo(f"cups.example/{name}")
            entry.size = len(html)
            archive.addfile(entry, io.BytesIO(html.encode()))
    clean_corpus(tmp_path / "in", tmp_path / "out", CorpusJob(memory=memory))
    assert [row["site_pages"] for row in rows(tmp_path / "out")] == [20] * 40


def test_crash_hang_huge_page_exception_and_memory_hog_affect_only_their_own_rows(tmp_path):
    good = warcs.page_records(400)
    bad = {
        number: warcs.record(number, warcs.answer(body), url=f"https://bad.example/{number}")
        for number, body in {
            1050: b"<p>crash!",
            1051: b"<p>hang!",
            1120: b"<p>raise!",
            1200: b"<p>hog!",
            1399: b"<p>long " + b"and long " * 22_000_000,
        }.items()
    }
    records = list(good)
    for number, record in bad.items():
        records.insert(number - 1000, record)
    half = len(records) // 2
    warcs.write(tmp_path / "in/0.warc.gz", records[:half])
    warcs.write(tmp_path / "in/1.warc.gz", records[half:])
    job = CorpusJob(limits=Limits(bytes=200_000, seconds=1.0), memory=600.0, sites=False)
    summary = clean_corpus(tmp_path / "in", tmp_path / "out", job, workers=2, make_handler=make_dangerous_handler)
    all_rows = rows(tmp_path / "out")
    fine = [row for row in all_rows if row["host"] == made_sites.HOST]
    assert len(fine) == 400
    assert {(row["status"], row["message"]) for row in fine} == {("ok", "")}
    assert all(made_sites.article(0)[0] in row["text"] for row in fine[:1])
    outcomes = {
        int(row["id"].removeprefix("urn:uuid:")): (row["status"], row["message"]) for row in all_rows if row not in fine
    }
    assert outcomes == {
        1050: ("error", "its process died (signal 11)"),
        1051: ("limit", "took longer than 1.75 s"),
        1120: ("error", "ValueError: raised on purpose"),
        1200: ("error", "MemoryError:"),
        1399: ("truncated", "longer than 200000 bytes"),
    }
    assert summary.tally.statuses == {"ok": 400, "error": 3, "limit": 1, "truncated": 1}
    assert summary.tally.pages == 405


def make_dying_handler(settings: ChildSettings) -> Callable[[Any], Any]:
    """Return the usual handler, but one that dies when it learns from a certain page."""
    usual = make_handler(settings)

    def handle(task: Any) -> Any:
        if isinstance(task, LearnTask) and any("page3.html" in page.url for page in task.pages):
            os._exit(9)
        return usual(task)

    return handle


def test_a_page_that_crashes_learning_is_skipped_and_reported(tmp_path):
    warcs.write(tmp_path / "in/0.warc.gz", warcs.page_records(12))
    for resumed in (0, 1):
        summary = clean_corpus(tmp_path / "in", tmp_path / "out", CorpusJob(), make_handler=make_dying_handler)
        assert summary.unlearned == ["https://tea.example/page3.html: its process died (exit code 9)"]
        assert summary.resumed == resumed
    assert {row["site_pages"] for row in rows(tmp_path / "out")} == {11}


def test_damaged_and_truncated_records_become_rows_with_that_status(tmp_path):
    records = warcs.page_records(6)
    records[1] = warcs.record(1, warcs.answer(made_sites.site(2)[1].encode()), extra="WARC-Truncated: length\r\n")
    members = [warcs.FORMS[".warc.gz"]([record]) for record in records]
    members[3] = members[3][:-8] + bytes(4) + members[3][-4:]
    (tmp_path / "in").mkdir()
    (tmp_path / "in/0.warc.gz").write_bytes(b"".join(members)[:-100])
    summary = clean_corpus(tmp_path / "in", tmp_path / "out", CorpusJob(sites=False))
    page_rows = rows(tmp_path / "out")
    assert [row["status"] for row in page_rows] == ["ok", "truncated", "ok", "error", "ok", "truncated"]
    assert page_rows[1]["message"] == "truncated in the input file: length"
    assert page_rows[3]["message"] == "damaged in the input file (incorrect data check)"
    assert page_rows[3]["text"] is None
    assert page_rows[5]["message"] == "truncated in the input file: the file ends inside the record"
    assert [loss[0] for loss in summary.tally.losses] == ["0.warc.gz"] * 2


@pytest.mark.parametrize("form", [".warc", ".warc.gz", ".warc.zst"])
@pytest.mark.parametrize("members", [1, 5])
def test_selected_pages_of_a_file_equal_those_of_a_full_reading(tmp_path, form, members):
    records = warcs.page_records(10)
    parts = [records[start::members] for start in range(members)]
    (tmp_path / f"a{form}").write_bytes(b"".join(warcs.FORMS[form]([b"".join(part)]) for part in parts))
    [file] = find_inputs([str(tmp_path)])
    whole = [record for record in read_records(file, ReadOptions(10**6)) if isinstance(record, Record)]
    refs = [PageRef(page_key(record.url), record.number, record.offset) for record in whole]
    selected = dict(read_pages(file, ReadOptions(10**6), [refs[n] for n in (8, 2, 5)]))
    assert selected == {refs[n]: whole[n] for n in (2, 5, 8)}
    moved = [ref._replace(offset=ref.offset + 3) for ref in refs[3:5]]  # wrong offsets do no harm
    assert [record.url for _, record in read_pages(file, ReadOptions(10**6), moved)] == [
        record.url for record in whole[3:5]
    ]


def test_samples_contain_each_page_once_and_no_small_sites():
    refs = [PageRef(1, 0, 5), PageRef(3, 1, 55), PageRef(9, 2, 99), PageRef(4, 3, 111)]
    first = FileIndex([1, 1], samples={"a": refs[:3], "b": refs[3:]})
    second = FileIndex([2, 2], samples={"a": [PageRef(1, 7, 7), PageRef(2, 8, 8), PageRef(8, 9, 9)]})
    samples = choose_samples([first, second], ["one", "two"], sample=3, least=2)
    assert samples.by_file == [{refs[0]: "a", refs[1]: "a"}, {PageRef(2, 8, 8): "a"}]
    assert list(samples.digests) == ["a"]
    assert (
        choose_samples([first, FileIndex([3, 2], samples=second.samples)], ["one", "two"], sample=3, least=2).digests
        != samples.digests
    )


def test_tallies_add_up_and_survive_json():
    tally = Tally()
    for status in ("ok", "limit", "ok"):
        tally.count({"status": status, "message": "slow", "text": "a", "text_bytes": 1})
    total = Tally(losses=[["f", 3, 4, "gone"]])
    total.add(Tally.of_values(json.loads(json.dumps(tally.values()))))
    assert (total.pages, total.statuses, total.errors) == (3, {"ok": 2, "limit": 1}, {"limit: slow": 1})
    assert total.losses == [["f", 3, 4, "gone"]]


def test_which_methods_learn_sites():
    taking = {name for name in names() if name != "alternation" and learns_sites(name)}
    assert taking >= {"site", "cst", "wisdom"}
    assert not taking & {"victor", "keep-all"}
    for name, message in (("alternation", "compares all pages"), ("none", "unknown method 'none'")):
        with pytest.raises(ConfigError, match=message):
            learns_sites(name)


@pytest.mark.parametrize(
    "wrong",
    [
        {"format": "doc"},
        {"content": "html"},
        {"sample": 4},
        {"memory": 0},
        {"blocks": True, "format": "wet"},
        {"format": "tei"},
        {"format": "tei", "content": "tei"},
    ],
)
def test_invalid_jobs_are_refused(wrong):
    with pytest.raises(ConfigError):
        CorpusJob(**wrong)
    with pytest.raises(ConfigError, match="method site needs sites to be learned"):
        CorpusJob(method="site", sites=False)


@pytest.mark.parametrize("method", ["victor", "cst", "wisdom"])
def test_other_methods_can_be_used(corpus, tmp_path, method):
    summary = clean_corpus(corpus, tmp_path, CorpusJob(method=method, blocks=True, sample=5))
    page_rows = rows(tmp_path)
    assert summary.sites == (0 if method == "victor" else 2)
    assert page_rows[0]["method"] == method
    assert {block["label"] for block in page_rows[0]["blocks"]} <= {
        "header",
        "list",
        "paragraph",
        "continuation",
        "other",
    }
