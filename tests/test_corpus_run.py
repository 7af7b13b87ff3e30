"""The local run: the same bytes whatever the workers and however often it was killed; one bad page costs one row."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import sites
import warcs
from dehusk.corpus.child_tasks import ChildSettings, LearnTask, learns_sites, make_handler
from dehusk.corpus.children import new_child
from dehusk.corpus.folder import RunFolder
from dehusk.corpus.index import FileIndex, PageRef, choose_samples, page_key, read_pages
from dehusk.corpus.job import CorpusJob, CorpusSummary, Tally, ignore_progress
from dehusk.corpus.runner import run
from dehusk.corpus.stages import Stages
from dehusk.errors import ConfigError, InputError
from dehusk.methods import DEFAULT
from dehusk.methods.baseline import KeepAll
from dehusk.methods.registry import names
from dehusk.read import Limits
from dehusk.records.inputs import Input, find_inputs, read_records
from dehusk.records.options import ReadOptions
from dehusk.records.record import Record
from dehusk.site.model import Site

JOB = CorpusJob(sample=8)


def files(folder: Path, count: int = 4) -> Path:
    """Write files with pages of four hosts, of which one has most pages and one too few to be learned."""
    for number in range(count):
        records = warcs.page_records(12, first=number * 12)
        records += warcs.page_records(3, first=1000 + number * 3, host="cups.example")
        records += warcs.page_records(1, first=2000 + number, host=f"www.kettles{number // 2}.example")
        warcs.write(folder / f"{number}.warc.gz", records)
    return folder


@pytest.fixture(scope="module")
def given(tmp_path_factory) -> Path:
    return files(tmp_path_factory.mktemp("given"))


@pytest.fixture(scope="module")
def undisturbed(given, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("undisturbed")
    work(given, out)
    return out


def work(given: Path, out: Path, job: CorpusJob = JOB, **options: Any) -> CorpusSummary:
    return run(job, find_inputs([str(given)]), out, **options)


def results(out: Path) -> dict[str, bytes]:
    """Return everything that a run is for: name -> bytes."""
    found = [*out.glob("pages/**/*"), *out.glob("sites/**/*"), out / "summary.json"]
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in found if path.is_file()}


def rows(out: Path) -> list[dict[str, Any]]:
    return [one for path in sorted(out.glob("pages/**/*.parquet")) for one in pq.read_table(path).to_pylist()]


def test_every_page_is_a_row_cleaned_with_its_site(undisturbed):
    found = rows(undisturbed)
    assert len(found) == 64
    assert len({one["url"] for one in found}) == 64
    assert {one["host"]: (one["method"], one["site_pages"]) for one in found} == {
        "tea.example": (DEFAULT, 8),
        "cups.example": (DEFAULT, 8),
        "kettles0.example": (DEFAULT, None),
        "kettles1.example": (DEFAULT, None),
    }
    learned = [one for one in found if one["site_pages"]]
    assert {one["status"] for one in learned} == {"ok"}
    assert learned[5]["text"].strip().split("\n\n") == sites.article(5)
    assert sorted(path.name for path in (undisturbed / "sites").iterdir()) == ["cups.example", "tea.example"]
    summary = json.loads((undisturbed / "summary.json").read_text())
    assert (summary["pages"], summary["files"], summary["sites"]) == (64, 4, 2)


def test_a_site_is_learned_from_its_pages_with_the_smallest_keys(undisturbed, tmp_path):
    pages = {f"https://tea.example/page{n}.html": page for n, page in enumerate(sites.site(48))}
    chosen = sorted(pages, key=page_key)[: JOB.sample]
    site = Site(structure=False)
    for url in reversed(chosen):
        site.add(pages[url], url=url)
    site.save(tmp_path)
    assert sites.folder_bytes(tmp_path) == sites.folder_bytes(undisturbed / "sites" / "tea.example")


@pytest.mark.parametrize("form", ["parquet", "text"])
def test_the_number_of_workers_changes_nothing(given, undisturbed, tmp_path, form):
    job = CorpusJob(sample=8, format=form)
    one = undisturbed if form == "parquet" else tmp_path / "one"
    work(given, one, job)
    work(given, tmp_path / "three", job, workers=3)
    assert results(one) == results(tmp_path / "three")


def test_shards_make_together_what_one_run_makes(given, undisturbed, tmp_path):
    for number in (2, 1):
        work(given, tmp_path, shard=(number, 2))
    for part in ("pages", "sites"):
        wanted = {name: data for name, data in results(undisturbed).items() if name.startswith(part)}
        assert wanted == {name: data for name, data in results(tmp_path).items() if name.startswith(part)}
    assert [json.loads((tmp_path / f"summary-{n}of2.json").read_text())["files"] for n in (1, 2)] == [2, 2]


def state(out: Path) -> int:
    """Return how far a run is: how many parts are finished, and rows begun to be written."""
    kinds = ("index", "counts", "sites", "done")
    return sum(len(list((out / "state" / kind).glob("*.json"))) for kind in kinds) + len(list(out.glob("pages/.*tmp")))


def children(parent: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(") ")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent and fields[0] != "Z":
            found.append(int(path.parent.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for orphans in /proc")
def test_a_run_that_is_killed_at_any_moment_goes_on_to_the_same_bytes(given, undisturbed, tmp_path):
    out = tmp_path / "out"
    program_of = "from dehusk.cli import main; main()"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, sys.path))}
    command = [sys.executable, "-c", program_of, "corpus", str(given), "-o", str(out), "--sample", "8", "-q"]
    for moment in (2, 5, 9, 11, 13):
        program = subprocess.Popen(command, env=environment)
        while state(out) < moment and program.poll() is None:
            time.sleep(0.002)
        theirs = children(program.pid)
        program.send_signal(signal.SIGKILL)
        program.wait()
        deadline = time.monotonic() + 20
        while any(Path(f"/proc/{pid}").exists() for pid in theirs):
            assert time.monotonic() < deadline, "children outlive their parent"
            time.sleep(0.01)
    before = {path.name: path.stat().st_mtime_ns for path in out.glob("pages/*.parquet")}
    done = {f"{path.name.removesuffix('.json')}.parquet" for path in out.glob("state/done/*.json")}
    summary = work(given, out)
    assert results(out) == results(undisturbed)
    assert summary.resumed == len(done)
    assert done
    assert not list(out.rglob("*.tmp"))
    assert all((out / "pages" / name).stat().st_mtime_ns == before[name] for name in done)


def ignore_interrupts() -> None:
    """Ignore SIGINT, as a process started in the background of a shell does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def start(command: list[str], *, ignore: bool = False) -> "subprocess.Popen[bytes]":
    """Start Python in a process group of its own."""
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
        warcs.write(tmp_path / "given" / f"{n}.warc.gz", warcs.page_records(1, first=n))
    work(tmp_path / "given", tmp_path / "undisturbed")
    out = tmp_path / "out"
    command = ["-m", "dehusk", "corpus", str(tmp_path / "given"), "-q", "-o", str(out), "--sample", "8"]
    program = start([*command, "--workers", "2"], ignore=ignore)
    while state(out) < moment and program.poll() is None:
        time.sleep(0.002)
    with suppress(ProcessLookupError):
        os.killpg(program.pid, number)
    _, errors = program.communicate()
    assert program.returncode in (0, 128 + number)
    assert b"Traceback" not in errors
    work(tmp_path / "given", out)
    assert results(out) == results(tmp_path / "undisturbed")


def make_hanging(settings: ChildSettings) -> Callable[[Any], Any]:
    """Return a handler that never finishes, and create a file that tells that it has started."""
    del settings

    def handle(file: Input) -> None:
        file.path.with_suffix(".started").touch()
        time.sleep(600)

    return handle


HANGING_RUN = """
import sys
from pathlib import Path
from dehusk.cli.signals import interruptible
from dehusk.corpus import CorpusJob, run
from dehusk.records.inputs import find_inputs
from test_corpus_run import make_hanging

if __name__ == "__main__":
    inputs = find_inputs(sys.argv[1:2])
    with interruptible() as interruption:
        try:
            run(CorpusJob(), inputs, Path(sys.argv[2]), workers=2, make_handler=make_hanging)
        except KeyboardInterrupt:
            pass
    sys.exit(interruption.exit_code)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for orphans in /proc")
@pytest.mark.parametrize(("number", "ignore"), [(signal.SIGINT, True), (signal.SIGTERM, False)])
def test_a_signal_ends_children_that_hang(tmp_path, number, ignore):
    for n in range(2):
        warcs.write(tmp_path / "given" / f"{n}.warc", warcs.page_records(1, first=n))
    (tmp_path / "hanging_run.py").write_text(HANGING_RUN)
    out = tmp_path / "out"
    program = start([str(tmp_path / "hanging_run.py"), str(tmp_path / "given"), str(out)], ignore=ignore)
    while len(list((tmp_path / "given").glob("*.started"))) < 2:
        assert program.poll() is None
        time.sleep(0.01)
    pids = children(program.pid)
    begin = time.monotonic()
    program.send_signal(number)
    _, errors = program.communicate(timeout=60)
    assert (program.returncode, errors) == (128 + number, b"")
    assert time.monotonic() - begin < 20
    assert len(pids) >= 2
    while any(Path(f"/proc/{pid}").exists() for pid in pids):
        assert time.monotonic() - begin < 30, "children outlive the program"
        time.sleep(0.01)


def test_shards_that_work_at_once_do_not_spoil_each_other(tmp_path):
    for number in range(4):
        own = ("cups.example", "pots.example")[number % 2]
        records = [*warcs.page_records(4, first=4 * number), *warcs.page_records(4, first=4 * number, host=own)]
        warcs.write(tmp_path / "given" / f"{number}.warc.gz", records)
    work(tmp_path / "given", tmp_path / "one")
    with ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(work, tmp_path / "given", tmp_path / "out", shard=(n, 2)) for n in (1, 2)]
        assert [run.result().unlearned for run in runs] == [[], []]
    for part in ("pages", "sites"):
        wanted = {name: data for name, data in results(tmp_path / "one").items() if name.startswith(part)}
        assert wanted == {name: data for name, data in results(tmp_path / "out").items() if name.startswith(part)}


def test_a_model_that_has_gone_is_told(given, tmp_path):
    work(given, tmp_path)
    shutil.rmtree(tmp_path / "sites" / "tea.example")
    for path in (tmp_path / "state" / "done").iterdir():
        path.unlink()
    passes = Stages(JOB, RunFolder(tmp_path), ignore_progress, threading.Event())
    (one, *_) = find_inputs([str(given)])
    with new_child(JOB, learns=True) as child, pytest.raises(InputError, match=r"the model of tea\.example is missing"):
        passes.clean(child, one, passes.index(child, one), {"tea.example": "digest"})


def test_a_file_that_has_changed_since_it_was_indexed_is_told(tmp_path):
    path = warcs.write(tmp_path / "a.warc.gz", warcs.page_records(6))
    (one,) = find_inputs([str(path)])
    places = [
        PageRef(page_key(r.url), r.number, r.offset)
        for r in read_records(one, ReadOptions(10**6))
        if isinstance(r, Record)
    ]
    warcs.write(path, warcs.page_records(6, host="cups.example"))
    with pytest.raises(InputError, match="has changed since it was indexed"):
        list(read_pages(one, ReadOptions(10**6), places[2:4]))


def test_what_is_done_is_done_again_only_where_it_has_changed(tmp_path):
    given, out = files(tmp_path / "given"), tmp_path / "out"
    work(given, out)
    times = {path.name: path.stat().st_mtime_ns for path in out.glob("pages/*")}

    def again(job: CorpusJob = JOB, **options: Any) -> tuple[int, set[str]]:
        summary = work(given, out, job, **options)
        new = {path.name: path.stat().st_mtime_ns for path in out.glob("pages/*")}
        changed = {name[0] for name, when in new.items() if times.get(name) != when}
        times.clear()
        times.update(new)
        return summary.resumed, changed

    assert again() == (4, set())
    warcs.write(given / "4.warc.gz", warcs.page_records(6, first=5000, host="pots.example"))
    assert again() == (4, {"4"})  # no other file has pages of that site
    warcs.write(given / "2.warc.gz", warcs.page_records(40, first=24))
    assert again() == (1, {"0", "1", "2", "3"})  # the sites' samples have changed
    (out / "pages/1.warc.gz.parquet").unlink()
    assert again() == (4, {"1"})
    assert again(CorpusJob(sample=8, content="markdown")) == (0, {"0", "1", "2", "3", "4"})
    assert again(CorpusJob(sample=8, content="markdown"), resume=False) == (0, {"0", "1", "2", "3", "4"})
    assert again(CorpusJob(sample=8, content="markdown", format="jsonl")) == (0, {"0", "1", "2", "3", "4"})
    assert {path.suffix for path in out.glob("pages/*")} == {".jsonl"}
    (given / "0.warc.gz").unlink()
    assert work(given, out, CorpusJob(sample=8, content="markdown", format="jsonl")).foreign == ["0.warc.gz.jsonl"]


def test_two_runs_do_not_work_in_one_folder(given, tmp_path):
    from dehusk.corpus.folder import RunFolder

    with RunFolder(tmp_path).locked(), pytest.raises(InputError, match="another run is using"):
        work(given, tmp_path)


class Poison(KeepAll):
    """A method that does what a page says."""

    def label(self, blocks: Any, *, explain: bool = False) -> Any:
        said = blocks.page.text
        if "crash!" in said:
            os.kill(os.getpid(), signal.SIGSEGV)
        if "hang!" in said:
            time.sleep(600)
        if "raise!" in said:
            raise ValueError("as it was told")
        if "hog!" in said:
            held = [bytes(50_000_000) + b"x" for _ in range(100)]
            raise AssertionError(f"{len(held)} times 50 MB were to be had")
        return super().label(blocks, explain=explain)


def make_poisonous(jobs: ChildSettings) -> Callable[[Any], Any]:
    """Return what does everything as always, but with a method that is dangerous."""
    from dehusk.corpus import child_tasks as real

    real.load_method = lambda *_args, **_options: Poison()  # type: ignore[assignment]
    return make_handler(jobs)


def test_a_crash_a_hang_a_huge_page_an_exception_and_a_hog_cost_one_row_each(tmp_path):
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
    warcs.write(tmp_path / "given/0.warc.gz", records[:half])
    warcs.write(tmp_path / "given/1.warc.gz", records[half:])
    job = CorpusJob(limits=Limits(bytes=200_000, seconds=1.0), memory=600.0, sites=False)
    summary = work(tmp_path / "given", tmp_path / "out", job, workers=2, make_handler=make_poisonous)
    found = rows(tmp_path / "out")
    fine = [one for one in found if one["host"] == sites.HOST]
    assert len(fine) == 400
    assert {(one["status"], one["error"]) for one in fine} == {("ok", "")}
    assert all(sites.article(0)[0] in one["text"] for one in fine[:1])
    said = {int(one["id"].removeprefix("urn:uuid:")): (one["status"], one["error"]) for one in found if one not in fine}
    assert said == {
        1050: ("error", "its process died (signal 11)"),
        1051: ("limit", "took longer than 1.75 s"),
        1120: ("error", "ValueError: as it was told"),
        1200: ("error", "MemoryError:"),
        1399: ("truncated", "longer than 200000 bytes"),
    }
    assert summary.tally.statuses == {"ok": 400, "error": 3, "limit": 1, "truncated": 1}
    assert summary.tally.pages == 405


def make_deadly(jobs: ChildSettings) -> Callable[[Any], Any]:
    """Return what does everything as always, but dies of a page that it is to learn from."""
    real = make_handler(jobs)

    def work(item: Any) -> Any:
        if isinstance(item, LearnTask) and any("page3.html" in sent.url for sent in item.pages):
            os._exit(9)
        return real(item)

    return work


def test_a_page_that_kills_the_learner_is_left_out_and_told(tmp_path):
    warcs.write(tmp_path / "given/0.warc.gz", warcs.page_records(12))
    for resumed in (0, 1):
        summary = work(tmp_path / "given", tmp_path / "out", CorpusJob(), make_handler=make_deadly)
        assert summary.unlearned == ["https://tea.example/page3.html: its process died (exit code 9)"]
        assert summary.resumed == resumed
    assert {one["site_pages"] for one in rows(tmp_path / "out")} == {11}


def test_damaged_and_cut_records_are_rows_that_say_so(tmp_path):
    records = warcs.page_records(6)
    records[1] = warcs.record(1, warcs.answer(sites.site(2)[1].encode()), extra="WARC-Truncated: length\r\n")
    members = [warcs.FORMS[".warc.gz"]([one]) for one in records]
    members[3] = members[3][:-8] + bytes(4) + members[3][-4:]
    (tmp_path / "given").mkdir()
    (tmp_path / "given/0.warc.gz").write_bytes(b"".join(members)[:-100])
    summary = work(tmp_path / "given", tmp_path / "out", CorpusJob(sites=False))
    found = rows(tmp_path / "out")
    assert [one["status"] for one in found] == ["ok", "truncated", "ok", "error", "ok", "truncated"]
    assert found[1]["error"] == "already truncated in its file: length"
    assert found[3]["error"] == "damaged in its file (incorrect data check)"
    assert found[3]["text"] is None
    assert found[5]["error"] == "already truncated in its file: the file ends inside the record"
    assert [loss[0] for loss in summary.tally.losses] == ["0.warc.gz"] * 2


@pytest.mark.parametrize("form", [".warc", ".warc.gz", ".warc.zst"])
@pytest.mark.parametrize("members", [1, 5])
def test_some_pages_of_a_file_are_those_of_the_whole(tmp_path, form, members):
    records = warcs.page_records(10)
    parts = [records[start::members] for start in range(members)]
    (tmp_path / f"a{form}").write_bytes(b"".join(warcs.FORMS[form]([b"".join(part)]) for part in parts))
    (one,) = find_inputs([str(tmp_path)])
    whole = [record for record in read_records(one, ReadOptions(10**6)) if isinstance(record, Record)]
    places = [PageRef(page_key(record.url), record.number, record.offset) for record in whole]
    found = dict(read_pages(one, ReadOptions(10**6), [places[n] for n in (8, 2, 5)]))
    assert found == {places[n]: whole[n] for n in (2, 5, 8)}
    moved = [place._replace(offset=place.offset + 3) for place in places[3:5]]  # finds them all the same
    assert [record.url for _, record in read_pages(one, ReadOptions(10**6), moved)] == [one.url for one in whole[3:5]]


def test_the_cut_takes_each_page_once_and_leaves_small_sites_alone():
    at = [PageRef(1, 0, 5), PageRef(3, 1, 55), PageRef(9, 2, 99), PageRef(4, 3, 111)]
    one = FileIndex([1, 1], samples={"a": at[:3], "b": at[3:]})
    two = FileIndex([2, 2], samples={"a": [PageRef(1, 7, 7), PageRef(2, 8, 8), PageRef(8, 9, 9)]})
    made = choose_samples([one, two], ["one", "two"], sample=3, least=2)
    assert made.by_file == [{at[0]: "a", at[1]: "a"}, {PageRef(2, 8, 8): "a"}]
    assert list(made.digests) == ["a"]
    assert (
        choose_samples([one, FileIndex([3, 2], samples=two.samples)], ["one", "two"], sample=3, least=2).digests
        != made.digests
    )


def test_tallies_add_up_and_come_back():
    one = Tally()
    for status in ("ok", "limit", "ok"):
        one.count({"status": status, "error": "slow", "text": "a", "text_bytes": 1})
    total = Tally(losses=[["f", 3, 4, "gone"]])
    total.add(Tally.of_values(json.loads(json.dumps(one.values()))))
    assert (total.pages, total.statuses, total.errors) == (3, {"ok": 2, "limit": 1}, {"limit: slow": 1})
    assert total.losses == [["f", 3, 4, "gone"]]


def test_methods_take_sites_or_not():
    taking = {name for name in names() if name != "alternation" and learns_sites(name)}
    assert taking >= {"site", "cst", "wisdom"}
    assert not taking & {"victor", "keep-all"}
    for name, said in (("alternation", "compares all pages"), ("none", "unknown method 'none'")):
        with pytest.raises(ConfigError, match=said):
            learns_sites(name)


@pytest.mark.parametrize(
    "wrong", [{"format": "doc"}, {"content": "html"}, {"sample": 4}, {"memory": 0}, {"blocks": True, "format": "wet"}]
)
def test_jobs_that_cannot_be_are_refused(wrong):
    with pytest.raises(ConfigError):
        CorpusJob(**wrong)
    with pytest.raises(ConfigError, match="method site needs sites"):
        CorpusJob(method="site", sites=False)


@pytest.mark.parametrize("method", ["victor", "cst", "wisdom"])
def test_other_methods_can_be_asked_for(given, tmp_path, method):
    summary = work(given, tmp_path, CorpusJob(method=method, blocks=True, sample=5))
    found = rows(tmp_path)
    assert summary.sites == (0 if method == "victor" else 2)
    assert found[0]["method"] == method
    assert {one["label"] for one in found[0]["blocks"]} <= {"header", "list", "paragraph", "continuation", "other"}
