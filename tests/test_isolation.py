"""Documents in child processes: the same values, whatever happens to the processes."""

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

import dehusk
from dehusk.base.errors import ChildDiedError
from dehusk.document import Document
from dehusk.isolation import PROPERTIES, DocumentPool

TEA = (Path(__file__).parents[1] / "examples" / "tea.html").read_bytes()
DEADLY = Path(__file__).with_name("deadly")
KILLER = "<div>" * 502 + "<table><td><font><table><td></table> <div></font>"
METHODS = {
    "render": ("tei",),
    "chunks": (),
    "locate": ("a kettle",),
    "source_span": ((0, 3),),
    "text_span": ((0, 300),),
    "within": (),
    "record": (),
    "facts": (),
    "_repr_html_": (),
    "__repr__": (),
}


@pytest.fixture(scope="module")
def pool() -> Iterator[dehusk.Pool]:
    with dehusk.Pool(2) as pool:
        yield pool


@pytest.fixture
def children(pool: dehusk.Pool) -> list[int]:
    """Return the processes of the pool, after each has cleaned a page."""
    list(pool.map([TEA] * 10))
    return [child.pid for child in pool._documents.children._children if child.pid]


@pytest.mark.parametrize("name", [*PROPERTIES, "status", "message", "model", "kind", "page"])
def test_properties_are_those_of_the_document(pool: dehusk.Pool, name: str) -> None:
    found, expected = getattr(pool.clean(TEA), name), getattr(dehusk.clean(TEA), name)
    if name == "labels":
        found, expected = found.probability.tolist(), expected.probability.tolist()
    if name == "page":
        found, expected = found.text, expected.text
    assert found == expected


@pytest.mark.parametrize("name", METHODS)
def test_methods_return_what_those_of_the_document_do(pool: dehusk.Pool, name: str) -> None:
    documents = pool.clean(TEA, url="https://tea.example/"), dehusk.clean(TEA, url="https://tea.example/")
    found, expected = (getattr(document, name)(*METHODS[name]) for document in documents)
    assert found == expected


def test_every_public_name_of_a_document_is_asked_of_the_child() -> None:
    """A new property of `Document` must not compute anything of a page in the parent."""
    names = {name for name in dir(Document) if not name.startswith("_")}
    own = {"labels", "_repr_html_", "__repr__"}  # a field without a default, and what people see in notebooks
    assert names == {*PROPERTIES, *METHODS, "model", "kind", "page"} - own


def test_options_are_those_of_clean(pool: dehusk.Pool, tmp_path: Path) -> None:
    site = dehusk.Site(mixed=True).fit([TEA, TEA.replace(b"green", b"black")])
    for options in (
        {"style": "body"},
        {"favour": 0.9},
        {"method": "victor"},
        {"method": "site", "site": site},
        {"method": dehusk.load_method("keep-all")},
        {"limits": dehusk.Limits(bytes=2000)},
        {"explain": True, "hidden": "keep", "url": "https://tea.example/", "headers": {"content-type": "text/html"}},
    ):
        found, expected = pool.clean(TEA, **options), dehusk.clean(TEA, **options)
        assert found.record(evidence=True) == expected.record(evidence=True)
    (tmp_path / "tea.html").write_bytes(TEA)
    assert pool.clean(tmp_path / "tea.html").text == pool.clean(TEA.decode()).text == pool.clean(bytearray(TEA)).text
    assert pool.clean(tmp_path / "none.html").status == "error"


def test_errors_of_the_caller_are_those_of_clean(pool: dehusk.Pool) -> None:
    with pytest.raises(dehusk.ConfigError, match=r"unknown method 'unitde'. Did you mean united"):
        pool.clean(TEA, method="unitde")
    with pytest.raises(TypeError, match="a page must be bytes, str or Path, not int"):
        pool.clean(5)
    with pytest.raises(dehusk.ConfigError, match="unknown format 'pdf'"):
        pool.clean(TEA).render("pdf")
    with pytest.raises(dehusk.ConfigError, match="cannot be sent to another process"):
        pool.clean(TEA, method=lambda: None)
    with pytest.raises(dehusk.ConfigError, match=r"unknown property 'markdwon'. Did you mean markdown"):
        pool.clean(TEA, ask=["markdwon"])
    with pytest.raises(dehusk.ConfigError, match="workers must be a whole number from 1 to 10,000, not 0"):
        dehusk.Pool(0)
    with pytest.raises(dehusk.ConfigError, match=r"workers must be a whole number from 1 to 10,000, not 1\.5"):
        dehusk.Pool(1.5)
    with pytest.raises(dehusk.ConfigError, match="cannot be sent to another process"):
        pool.clean(TEA).chunks(max_tokens=50, tokenizer=lambda text: len(text) // 3)


def test_pages_of_any_size_and_kind_arrive_as_they_are(pool: dehusk.Pool) -> None:
    big = TEA + b"<p>A paragraph of the page that is long enough to be kept. </p>" * 40_000
    for data in (b"", TEA, big, TEA.decode() + "\ud800", "\0", big.decode("latin-1") + "é"):
        assert pool.clean(data).text == dehusk.clean(data).text


def test_what_is_asked_at_once_needs_no_second_question(pool: dehusk.Pool, children: list[int]) -> None:
    documents = list(pool.map([TEA] * 4, ask=["markdown", "metadata"]))
    kill(children)
    assert {document.markdown for document in documents} == {dehusk.clean(TEA).markdown}
    assert documents[0].metadata.title == "How to brew green tea"


def test_what_was_asked_of_a_document_comes_with_the_next(pool: dehusk.Pool, children: list[int]) -> None:
    assert pool.clean(TEA).markdown
    document = pool.clean(TEA)
    kill(children)
    assert document.markdown == dehusk.clean(TEA).markdown
    pool.clean(TEA)  # of the last one it was asked, of this one not
    assert "markdown" not in pool.clean(TEA)._asking.foreseen


class _Deadly(Document):
    """A document whose Markdown ends the process."""

    @property
    def markdown(self) -> str:
        os._exit(7)


def make_deadly(page: memoryview) -> Document:
    document = dehusk.clean(page)
    if b"deadly" not in bytes(page):
        return document
    return _Deadly(document.status, document.message, document.labels, document.model)


def test_what_was_not_asked_for_costs_no_document() -> None:
    pool = DocumentPool(make_deadly, workers=1, memory=None)
    try:
        assert pool.document(TEA, {}, seconds=30).markdown
        document = pool.document(b"<p>deadly", {}, seconds=30)
        assert (document.status, document.text) == ("ok", "deadly\n")
        with pytest.raises(ChildDiedError):
            _ = document.markdown
    finally:
        pool.close()


def test_older_documents_are_made_again(pool: dehusk.Pool) -> None:
    pages = [TEA.replace(b"green", f"tea-{number}".encode()) for number in range(12)]
    documents = list(pool.map(pages))
    assert {document.message for document in documents} == {""}
    assert [document.title for document in documents] == [dehusk.clean(page).title for page in pages]
    assert [document.markdown for document in documents] == [dehusk.clean(page).markdown for page in pages]


def test_a_child_that_dies_between_two_pages_costs_none(pool: dehusk.Pool, children: list[int]) -> None:
    document = pool.clean(TEA)
    kill(children)
    assert document.markdown == dehusk.clean(TEA).markdown
    assert [pool.clean(TEA).status for _ in range(4)] == ["ok"] * 4


def test_a_child_that_dies_amid_a_question_is_an_error_of_it() -> None:
    with dehusk.Pool(1) as pool:
        document = pool.clean(TEA + b"<p>A paragraph of the page that is long enough to be kept. </p>" * 40_000)
        process = next(child.pid for child in pool._documents.children._children)
        threading.Timer(0.05, os.kill, [process, signal.SIGKILL]).start()
        with pytest.raises(ChildDiedError, match=r"its process died \(signal 9\)"):
            list(iter(document.record, None))  # until it dies
        assert document.title == "How to brew green tea | The Tea Room"


def kill(processes: list[int]) -> None:
    """Kill processes, and wait until they are dead."""
    for process in processes:
        os.kill(process, signal.SIGKILL)
        end = time.monotonic() + 10
        while is_running(process) and time.monotonic() < end:
            time.sleep(0.01)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit address space")
@pytest.mark.parametrize("memory", ["None", "float('inf')"])
def test_a_limit_of_memory_from_outside_stays_the_limit(memory: str) -> None:
    """As `ulimit -v` and batch systems set it: a child may not raise it, and need not."""
    program = (
        "import resource, dehusk; resource.setrlimit(resource.RLIMIT_AS, (2_000_000_000,) * 2); "
        f"pool = dehusk.Pool(1, memory={memory}); print(pool.clean('<p>Pour the water.').text); pool.close()"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False, timeout=120)
    assert run.stdout.strip() == b"Pour the water.", run.stderr.decode()


def test_a_page_that_takes_too_much_memory_is_an_error() -> None:
    with dehusk.Pool(1, memory=10) as pool:
        found = pool.clean(TEA + b"<p>word" * 250_000)
        assert (found.status, found.message.partition(":")[0]) == ("error", "MemoryError")
        assert pool.clean(TEA).status == "ok"


def test_any_number_of_threads_may_ask(pool: dehusk.Pool) -> None:
    pages = [TEA.replace(b"green", f"tea-{number}".encode()) for number in range(40)]
    expected = [dehusk.clean(page).markdown for page in pages]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(lambda page: pool.clean(page).markdown, pages)) == expected
        assert list(threads.map(lambda page: dehusk.clean(page, isolated=True).markdown, pages)) == expected


def test_pickled_documents_are_plain_ones(pool: dehusk.Pool) -> None:
    document = pickle.loads(pickle.dumps(pool.clean(TEA)))  # noqa: S301
    assert type(document) is Document
    assert document.markdown == dehusk.clean(TEA).markdown


def test_closing_ends_the_children() -> None:
    with dehusk.Pool(2) as pool:
        list(pool.map([TEA] * 10))
        [*processes] = [child.pid for child in pool._documents.children._children if child.pid]
    assert processes
    assert not any(Path(f"/proc/{process}").exists() for process in processes)


SCRIPT = """
import json, os, sys
import dehusk
page, killer = sys.stdin.read().split("\\0")
found = [dehusk.clean(each, isolated=True) for each in (page, killer, page, killer, page)]
print(json.dumps([[str(each.status), each.message, each.text[:9]] for each in found]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the known page may do something else")
def test_a_page_that_ends_its_process_is_an_error_of_that_page(tmp_path: Path) -> None:
    """In a program without a guard for `__main__`, whose parser has lost its own; no core file and no process stays."""
    mark = f"DEHUSK_TEST={tmp_path}"
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input=f"{TEA.decode()}\0{KILLER}",
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(DEADLY), "DEHUSK_TEST": str(tmp_path)},
        cwd=tmp_path,
        timeout=120,
        check=True,
    )
    died = ["error", "its process died (signal 11)", ""]
    good = ["ok", "", "How to br"]
    assert json.loads(done.stdout) == [good, died, good, died, good], done.stderr
    assert not list(tmp_path.iterdir())
    end = time.monotonic() + 10
    while (left := processes_with(mark)) and time.monotonic() < end:
        time.sleep(0.1)
    assert not left


def processes_with(mark: str) -> list[str]:
    """Return the processes that have a variable in their environment."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if mark.encode() in path.read_bytes():
                found.append(path.parent.name)
    return found


def is_running(process: int) -> bool:
    """Return whether a process has not ended; one whose end nobody has asked for yet has closed its files."""
    try:
        return Path(f"/proc/{process}/stat").read_text("ascii", "replace").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_forked_program_has_a_pool_of_its_own() -> None:
    script = (
        "import os, dehusk\n"
        "first = dehusk.clean('<p>Words that are kept, of a page.', isolated=True).status\n"
        "child = os.fork()\n"
        "again = dehusk.clean('<p>Words that are kept, of a page.', isolated=True).status\n"
        "code = os.waitpid(child, 0)[1] if child else 0\n"
        "print(first, again, code) if child else os._exit(again != 'ok')"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["ok", "ok", "0"]


def test_a_pool_of_the_program_is_used_by_a_fork_of_it_as_a_new_one() -> None:
    script = (
        "import os, dehusk\n"
        "pool = dehusk.Pool(1)\n"
        "page = '<p>Words that are kept, of a page.'\n"
        "first = pool.clean(page).status\n"
        "child = os.fork()\n"
        "found = {pool.clean(page + str(number)).text.strip()[-1] for number in range(9)}\n"
        "code = os.waitpid(child, 0)[1] if child else 0\n"
        "print(first, len(found), code, flush=True) if child else None\n"
        "pool.close()\n"
        "os._exit(len(found) != 9)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout.split(), done.returncode) == (["ok", "9", "0"], 0), done.stderr


def test_waiting_threads_end_when_a_pool_is_closed() -> None:
    pool = dehusk.Pool(1)
    pool.clean(TEA)
    statuses: list[str] = []
    big = TEA + b"<p>A paragraph of the page that is long enough to be kept. </p>" * 200_000
    thread = threading.Thread(target=lambda: statuses.append(str(pool.clean(big).status)))
    thread.start()
    time.sleep(0.2)
    pool.close()
    thread.join(20)
    assert statuses in (["error"], ["ok"], ["truncated"])
