"""Commands run in a process that may die: a page that ends it is an error of that page, and the rest is done."""

import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from command_line import dehusk
from dehusk.base.processes import risk
from dehusk.base.processes.watched import _with
from test_studio_killed import Client

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs fork, and the known page elsewhere")
DEADLY = Path(__file__).with_name("deadly")
EXAMPLES = Path(__file__).parents[1] / "examples"
KILLER = "<div>" * 502 + "<table><td><font><table><td></table> <div></font>"
DIED = "killer.html: error: its process died (signal 11)"


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Pages of a site, and two that end a process whose parser is unguarded."""
    folder = Path(shutil.copytree(EXAMPLES / "tea-room", tmp_path / "pages"))
    (folder / "killer.html").write_text(KILLER)
    (folder / "z-killer.html").write_text(KILLER.replace("font", "b"))
    return folder


def run(*arguments: object, folder: Path, given: str = "") -> subprocess.CompletedProcess[str]:
    """Run dehusk in a folder, without what it keeps from the parser."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(DEADLY), prepend=os.pathsep)
        done = dehusk(*arguments, given=given.encode(), cwd=folder, watched=True)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


COMMANDS = {
    "clean": ["clean", "pages"],
    "clean by two": ["clean", "pages", "--workers", "2"],
    "clean with a site": ["clean", "--site", "pages", "pages/pots.html"],
    "site learn": ["site", "learn", "pages", "-o", "site"],
    "site learn of wisdom": ["site", "learn", "--method", "wisdom", "pages", "-o", "site"],
    "toc": ["toc", "pages"],
    "vectors": ["vectors", "pages", "-o", "vectors.svm"],
    "cluster": ["cluster", "pages", "-k", "2", "-o", "clusters"],
    "classify": ["classify", "pages", "--labels", "labels.txt", "--hold-out", "page", "-o", "classes"],
    "records": ["records", "pages", "-o", "records.csv"],
    "colour": ["colour", "pages", "-o", "coloured"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_names_the_deadly_pages_and_does_the_rest(pages: Path, name: str) -> None:
    folder = pages.parent
    labels = [f"{path}\t{path.name < 'p'}" for path in sorted(pages.glob("*.html"))]
    (folder / "labels.txt").write_text("\n".join(labels).replace(str(folder) + "/", ""))
    done = run(*COMMANDS[name], folder=folder)
    for page in ("killer.html", "z-killer.html"):
        assert f"pages/{page}: error: its process died (signal 11)" in done.stderr
    assert done.returncode == (0 if name == "clean with a site" else 1), done.stderr
    written = {path.name for path in folder.iterdir()} - {"pages", "labels.txt"}
    assert done.stdout or written
    assert not [name for name in written if name.startswith(("core", "."))], "neither memory nor half a file is left"


def test_the_output_is_that_of_the_other_pages(pages: Path) -> None:
    died = run("records", "pages", folder=pages.parent).stdout
    for page in ("killer.html", "z-killer.html"):
        (pages / page).unlink()
    assert died == run("records", "pages", folder=pages.parent).stdout


def test_what_was_written_is_not_written_again(pages: Path) -> None:
    """The page ends its process when half of the output has been written, on a terminal too slow to buffer it."""
    done = run("clean", "pages/pots.html", "pages/killer.html", "pages/water.html", "-", folder=pages.parent)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["page"] for row in rows] == ["pages/pots.html", "pages/killer.html", "pages/water.html", "-"]
    assert [row["status"] for row in rows] == ["ok", "error", "ok", "no-content"]
    assert done.stderr.count("its process died") == 2


def test_standard_input_is_read_again(pages: Path) -> None:
    page = (EXAMPLES / "tea.html").read_text("utf-8")
    done = run("clean", "-", "pages/killer.html", "-", folder=pages.parent, given=page)
    assert "can be read only once" in done.stderr
    done = run("clean", "-", "pages/killer.html", folder=pages.parent, given=page)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["page"], row["status"]) for row in rows] == [("-", "ok"), ("pages/killer.html", "error")]
    assert rows[0]["text"].startswith("How to brew green tea")
    done = run("clean", "-", folder=pages.parent, given=KILLER)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1] == "dehusk: -: error: its process died (signal 11)"


def test_messages_come_once(pages: Path) -> None:
    (pages / "a.html").symlink_to("none.html")
    done = run("site", "learn", "pages", "-o", "site", folder=pages.parent)
    lines = done.stderr.splitlines()
    assert len([line for line in lines if "a.html" in line]) == 1
    assert len([line for line in lines if line.endswith("starts over without it")]) == 2


def test_a_command_that_dies_outside_of_pages_says_so() -> None:
    script = (
        "import os, sys, signal, dehusk.cli.read, dehusk.cli as cli\n"
        "dehusk.cli.read.find_inputs = lambda *_, **options: os.kill(os.getpid(), signal.SIGABRT)\n"
        "sys.argv = ['dehusk', 'read', 'x']\ncli.program()"
    )
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # numpy is imported before the process forks
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "dehusk: the command: its process died (signal 6)"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_to_the_parent_end_the_command(number: signal.Signals, code: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "dehusk", "clean", "-"], stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        child_of(process.pid)
        process.send_signal(number)
        assert process.wait(20) == code
        assert "Traceback" not in process.stderr.read()


FAILS = """
import os, signal, sys, time
from dehusk.base.processes.watched import run_watched
def run():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.kill(os.getppid(), signal.SIGINT)
    time.sleep(0.3)
    {}
sys.exit(run_watched(run, print))
"""


@pytest.mark.parametrize(
    ("ends", "code"),
    [("return 1", 130), ("os.kill(os.getpid(), signal.SIGSEGV)", 130), ("return 0", 0)],
    ids=["fails", "dies", "succeeds"],
)
def test_what_fails_after_a_signal_was_ended_by_it(ends: str, code: int) -> None:
    done = subprocess.run([sys.executable, "-c", FAILS.format(ends)], capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (code, b""), done.stderr.decode()


def test_a_killed_parent_leaves_no_process(pages: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "dehusk", "clean", "-", "pages"], stdin=subprocess.PIPE, cwd=pages.parent
    ) as process:
        child = child_of(process.pid)
        process.kill()
        process.wait()
        process.stdin.close()
    end = time.monotonic() + 20
    while Path(f"/proc/{child}").exists() and time.monotonic() < end:
        time.sleep(0.1)
    assert not Path(f"/proc/{child}").exists()


def child_of(process: int) -> int:
    """Return the child of a process, once it has had the time to wait for its input."""
    end = time.monotonic() + 30
    while not (found := Path(f"/proc/{process}/task/{process}/children").read_text().split()):
        assert time.monotonic() < end
        time.sleep(0.05)
    while "numpy" not in Path(f"/proc/{found[0]}/maps").read_text() and time.monotonic() < end:
        time.sleep(0.05)
    time.sleep(0.5)
    return int(found[0])


def test_the_studio_goes_on_without_the_deadly_page(pages: Path) -> None:
    """Its server parses the page that somebody opens; the browser asks again when nobody answers."""
    pytest.importorskip("starlette", reason="the extra studio is not installed")
    pytest.importorskip("uvicorn", reason="the extra studio is not installed")
    command = [sys.executable, "-m", "dehusk", "studio", "pages", "--no-open", "--workers", "1"]
    environment = {**os.environ, "PYTHONPATH": str(DEADLY)}
    with (
        subprocess.Popen(command, cwd=pages.parent, env=environment, stderr=subprocess.PIPE, text=True) as process,
        closing(Client(process.stderr.readline())) as client,
    ):
        try:
            while not client.ask("/api/adding")["done"]:
                time.sleep(0.1)
            rows = {Path(row["name"]).stem: row for row in client.ask("/api/pages")["rows"]}
            assert rows["killer"]["status"] == "error"
            for name in ("killer", "pots", "z-killer", "killer", "water"):
                found = patiently(client, f"/api/page/{rows[name]['id']}/outcome?format=text")
                died = ("error", "its process died (signal 11)")
                assert (found["status"], found["message"]) == (died if "killer" in name else ("ok", ""))
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(30) == 130
        told = process.stderr.read()
    assert told.count("a page: its process died (signal 11); the studio starts over without it") == 2


def patiently(client: Client, path: str) -> dict:
    for _ in range(20):
        try:
            return client.ask(path)
        except (OSError, http.client.HTTPException):
            client.connection.close()
            time.sleep(0.3)
    raise AssertionError(path)


def test_what_is_left_out_is_known_after_any_death() -> None:
    """Also if several pages were handled when the process died, so that none of them is to blame for sure."""
    noted = risk.Notes(0, False, 7, 3, frozenset({11, 12}), "")
    once = _with(risk.Deaths({}, {}), noted, set(), "died")
    assert (once.pages, once.written, once.told, once.is_first) == ({}, 7, 3, False)
    assert not risk.Watch(memoryview(bytearray(risk.SIZE)), once).is_first
    assert _with(once, noted._replace(handled=frozenset({12, 13})), {11, 12}, "died").pages == {12: "died"}
    assert _with(once, noted._replace(handled=frozenset({13})), {11, 12}, "died").pages == {13: "died"}


def test_notes_survive_their_process() -> None:
    shared = bytearray(risk.SIZE)
    one, two = risk.key_of(b"one"), risk.key_of("two")
    watch = risk.Watch(memoryview(shared), risk.Deaths({2: "died"}, {two: "died, too"}, 5, 1))
    watch.begin_block("first é" + "x" * 10_000)
    watch.replace_key(0, one)
    watch.replace_key(0, two)
    notes = risk.Notes.read(bytes(shared))
    assert (notes.blocks, notes.is_at_risk, notes.handled) == (1, True, {one, two})
    assert notes.name.startswith("first éx")
    watch.replace_key(one, 0)
    watch.end_block()
    assert risk.Notes.read(bytes(shared)) == (1, False, 0, 0, {two}, "")
    with pytest.raises(risk.DeadlyPageError, match=r"^died$"):
        watch.begin_block("second")
    assert [watch.deadly(one), watch.deadly(two)] == ["", "died, too"]
    assert bytes(watch.unwritten(memoryview(b"1234567"))) == b"67"
    watch.wrote(4)
    assert bytes(watch.unwritten(memoryview(b"567"))) == b"67"
    assert [watch.is_news(), watch.is_news()] == [False, True]
    assert risk.Notes.read(bytes(shared)).told == 2
