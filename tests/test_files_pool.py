"""The pages that arguments name, and processes and threads that work on many items."""

import io
import os
import signal
import threading
import time
from collections.abc import Callable
from itertools import count, islice
from pathlib import Path

import pytest

from dehusk.base.errors import ChildDiedError, ChildError, InputError
from dehusk.base.processes.pool import ChildPool, in_order
from dehusk.base.processes.threads import StoppedError, run_in_threads
from dehusk.read.files import PageLocation, find_pages


@pytest.fixture
def tree(tmp_path, monkeypatch) -> Path:
    """Return the working directory: a folder with pages and other files."""
    for name in (
        "b.html",
        "a.htm",
        "notes.txt",
        "sub/C.HTML",
        "sub/deep/d.php",
        "sub/e.css",
        "x[1].html",
        "none/f.txt",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def named(*arguments: str, lists: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    return [(source.name, source.relative) for source in find_pages(arguments, lists).sources]


@pytest.mark.usefixtures("tree")
def test_a_single_file_is_read_whatever_its_name():
    pages = find_pages(["sub/e.css"])
    assert pages.sources == (PageLocation("sub/e.css", "e.css"),)
    assert not pages.many
    assert pages.sources[0].read(100) == b"sub/e.css"


def test_a_folder_stands_for_the_pages_in_it_sorted(tree):
    relative = ["a.htm", "b.html", "sub/C.HTML", "sub/deep/d.php", "x[1].html"]
    assert named(str(tree)) == [(str(tree / name), name) for name in relative]
    assert [relative for _, relative in named("sub")] == ["C.HTML", "deep/d.php"]
    assert find_pages(["sub"]).many
    assert find_pages(["sub/deep"]).many  # one page, but there could be more


@pytest.mark.usefixtures("tree")
def test_globs_match_files_and_files_may_be_named_like_globs():
    assert named("*.h*") == [("a.htm", "a.htm"), ("b.html", "b.html"), ("x[1].html", "x[1].html")]
    assert [relative for _, relative in named("sub/**/*.*")] == ["C.HTML", "deep/d.php", "e.css"]
    assert (named("x[1].html"), find_pages(["x[1].html"]).many) == ([("x[1].html", "x[1].html")], False)
    assert find_pages(["a.*"]).many


def test_arguments_keep_their_order_and_lists_come_after_them(tree):
    (tree / "list").write_text("a.htm\n\nsub/deep\r\nb.html\n", "utf-8")
    assert [relative for _, relative in named("notes.txt", lists=("list",))] == [
        "notes.txt",
        "a.htm",
        "d.php",
        "b.html",
    ]
    assert find_pages(["b.html", "a.htm"]).many
    assert find_pages([], ["list"]).many


@pytest.mark.usefixtures("tree")
def test_standard_input_is_a_page_or_a_list(monkeypatch):
    assert named("-") == [("-", "-")]
    assert not find_pages(["-"]).many
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"<p>stdin"), "utf-8"))
    assert find_pages(["-"]).sources[0].read(100) == b"<p>stdin"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"b.html\na.htm\n"), "ascii"))
    assert [name for name, _ in named(lists=("-",))] == ["b.html", "a.htm"]


def test_standard_input_can_be_read_only_once(tree, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b""), "ascii"))
    (tree / "list").write_text("-\n", "utf-8")
    for arguments, lists in ((["-", "-"], []), (["-"], ["-"]), (["-"], ["list"]), ([], ["list", "list"])):
        with pytest.raises(InputError, match="standard input can be read only once"):
            find_pages(arguments, lists)


def addresses(*arguments: str, lists: tuple[str, ...] = ()) -> dict[str, str | None]:
    return {source.name: source.url for source in find_pages(arguments, lists, remote=True).sources}


def test_a_list_may_give_the_address_of_each_page(tree):
    lines = "a.htm\thttps://tea.example/a\r\nb.html\nodd\tname.html\nhttp://tea.example/x y/\n"
    (tree / "list").write_bytes(b"\xef\xbb\xbf" + lines.encode())
    assert addresses(lists=("list",)) == {
        "a.htm": "https://tea.example/a",
        "b.html": None,
        "odd\tname.html": None,
        "http://tea.example/x y/": "http://tea.example/x y/",
    }
    (tree / "list").write_text("*.h*\thttps://tea.example/a\n", "utf-8")
    with pytest.raises(InputError, match=r"\*\.h\* names several pages, which cannot share the address"):
        find_pages([], ["list"])


def test_a_page_gets_its_address_from_the_pages_jsonl_beside_it(tree):
    (tree / "html").mkdir()
    for name in ("html/1.html", "html/2.html"):
        (tree / name).write_text(name)
    rows = [
        '{"id": "1", "url": "https://tea.example/1"}',
        '{"id": "2"}',
        "",
        '{"id": "a", "url": "https://tea.example/a"}',
    ]
    (tree / "pages.jsonl").write_text("\n".join([*rows, '{"page": "b.html", "url": "https://tea.example/b"}']), "utf-8")
    assert addresses("html") == {"html/1.html": "https://tea.example/1", "html/2.html": None}
    assert addresses("html/1.html", "*.h*m*") == {
        "html/1.html": "https://tea.example/1", "a.htm": "https://tea.example/a", "b.html": None, "x[1].html": None,
    }  # fmt: skip
    (tree / "list").write_text("a.htm\thttps://tea.example/other\n", "utf-8")
    assert addresses(lists=("list",)) == {"a.htm": "https://tea.example/other"}
    for torn in ("{", "[1]"):
        (tree / "pages.jsonl").write_text(f'{{"id": "1", "url": "u"}}\n{torn}\n', "utf-8")
        with pytest.raises(InputError, match=r"pages\.jsonl, line 2: not a JSON object"):
            find_pages(["a.htm"])
    (tree / "pages.jsonl").write_bytes(b"\xff")
    with pytest.raises(InputError, match=r"pages\.jsonl cannot be read"):
        find_pages(["a.htm"])


@pytest.mark.parametrize(
    ("url", "relative"),
    [
        ("https://tea.example/", "tea.example/index"),
        ("https://tea.example", "tea.example/index"),
        ("HTTPS://Tea.Example:8000/a/../../b/./c.html?d=/e#f", "tea.example/a/b/c.html"),
        ("https://tea.example/a//", "tea.example/a/index"),
        ("http://../../x", "page/x"),
        ("http://[::1/x", "page"),
    ],
)
def test_a_web_address_is_a_page_if_allowed(url, relative):
    pages = find_pages([url], remote=True)
    assert pages.sources == (PageLocation(url, relative, url),)
    assert pages.sources[0].is_remote
    assert not pages.many
    with pytest.raises(InputError, match="is a web address, but a file is needed here"):
        find_pages([url])


@pytest.mark.usefixtures("tree")
def test_a_missing_file_is_found_and_fails_when_it_is_read():
    assert named("missing.html", "a.htm") == [("missing.html", "missing.html"), ("a.htm", "a.htm")]
    with pytest.raises(FileNotFoundError):
        find_pages(["missing.html"]).sources[0].read(10)


@pytest.mark.parametrize(
    ("arguments", "lists", "message"),
    [
        (["none"], [], "folder none contains no pages"),
        (["*.nosuch"], [], r"no file matches \*.nosuch"),
        (["[z].html"], [], "no file matches"),
        ([], ["missing"], "list missing cannot be read"),
        ([], ["latin"], "list latin cannot be read"),
        ([], ["sub"], "list sub cannot be read"),
    ],
)
def test_missing_pages_and_lists_are_reported(tree, arguments, lists, message):
    (tree / "latin").write_bytes(b"caf\xe9.html\n")
    with pytest.raises(InputError, match=message):
        find_pages(arguments, lists)


@pytest.mark.usefixtures("tree")
def test_a_source_returns_at_most_one_byte_more_than_the_limit():
    assert [find_pages(["a.htm"]).sources[0].read(limit) for limit in (1, 4, 5, 9)] == [
        b"a.",
        b"a.htm",
        b"a.htm",
        b"a.htm",
    ]


# running; the functions stand here because processes import them


def square(_: object) -> Callable[[int], int]:
    return lambda item: item * item


def late(_: object) -> Callable[[int], tuple[int, int]]:
    def work(item: int) -> tuple[int, int]:
        time.sleep(0.2 if item == 0 else 0)  # the first item finishes last
        return item, os.getpid()

    return work


def failing(deadly: set[int]) -> Callable[[int], int]:
    def work(item: int) -> int:
        if item in deadly:
            os._exit(7)
        if item == 3:
            raise ValueError("three\nlines\nlong")
        return item

    return work


@pytest.mark.parametrize("workers", [1, 2])
def test_results_have_the_order_of_the_items(workers):
    with ChildPool(square, None, workers=workers, seconds=60) as pool:
        assert list(pool.map(range(40))) == [(n, n * n) for n in range(40)]
        assert list(pool.map([])) == []


def test_order_is_kept_if_later_items_finish_first():
    with ChildPool(late, None, workers=2, seconds=60) as pool:
        results = [result for _, result in pool.map(range(6))]
    assert [item for item, _ in results] == list(range(6))
    assert os.getpid() not in {pid for _, pid in results}
    with ChildPool(late, None, workers=1, seconds=60) as pool:
        pids = {pid for _, (_, pid) in pool.map(range(1, 3))}
    assert len(pids) == 1
    assert os.getpid() not in pids  # an item that ends its process must not end the run


@pytest.mark.parametrize("workers", [1, 2])
def test_items_are_read_only_as_needed(workers):
    read = []
    items = (read.append(item) or item for item in count())
    with ChildPool(square, None, workers=workers, seconds=60) as pool:
        assert list(islice(pool.map(items), 3)) == [(0, 0), (1, 1), (2, 4)]
    assert len(read) < 20


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("deadly", [{0}, {1, 2}, set()])
def test_an_item_that_fails_or_ends_its_process_costs_only_itself(deadly, workers):
    with ChildPool(failing, deadly, workers=workers, seconds=60) as pool:
        results = list(pool.map(range(6)))
    assert [item for item, _ in results] == list(range(6))
    assert [result for item, result in results if item not in {*deadly, 3}] == sorted({0, 1, 2, 4, 5} - deadly)
    died = [result for item, result in results if item in deadly]
    assert all(isinstance(result, ChildDiedError) for result in died)
    assert {str(result) for result in died} == ({"its process died (exit code 7)"} if deadly else set())
    assert isinstance(results[3][1], ChildError)
    assert str(results[3][1]) == "ValueError: three lines long"


def unsendable(_: object) -> Callable[[int], object]:
    return lambda item: (lambda: item) if item == 1 else item


def test_a_result_that_cannot_be_sent_costs_only_itself():
    with ChildPool(unsendable, None, workers=1, seconds=60) as pool:
        results = [result for _, result in pool.map(range(3))]
    assert [results[0], results[2]] == [0, 2]
    assert "pickle" in str(results[1])


def test_children_that_died_between_items_cost_nothing():
    with ChildPool(late, None, workers=1, seconds=60) as pool:
        _, process = pool.work(1)
        os.kill(process, signal.SIGKILL)
        time.sleep(0.2)
        assert pool.work(2)[0] == 2


def test_an_exception_of_a_thread_reaches_the_caller():
    def work(item: int) -> int:
        if item == 3:
            raise ValueError("three")
        return item

    results = in_order(range(9), work, workers=2)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match="three"):
        next(results)


def test_an_error_in_one_thread_aborts_the_others():
    stop = threading.Event()
    threads: list[threading.Thread] = []

    def work(own: threading.Event, task: str) -> None:
        threads.append(threading.current_thread())
        if task == "fail":
            raise ValueError("on purpose")
        own.wait()  # until it is aborted
        assert stop.is_set()
        raise StoppedError

    resources = [threading.Event(), threading.Event()]
    with pytest.raises(ValueError, match="on purpose"):
        run_in_threads(["wait", "fail", "never"], work, resources, stop=stop, abort=threading.Event.set)
    assert not any(thread.is_alive() for thread in threads)


def test_tasks_are_started_in_order_by_the_threads_that_own_resources():
    done: list[tuple[str, int]] = []
    run_in_threads(range(5), lambda own, task: done.append((own, task)), ["a"], stop=threading.Event(), abort=str)
    assert done == [("a", number) for number in range(5)]
