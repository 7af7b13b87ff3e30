"""The process that crawls, forked from one that has imported Scrapy, instead of an interpreter that imports it.

Importing Scrapy takes longer than the crawls of the tests. A test module that imports the fixture `forked_workers`
crawls this way, also by commands (`command_line.py`). Workers without this are started by `test_crawl_hostile.py`
and by the commands that `test_cli_crawl.py` and `test_crawl_along.py` start in interpreters of their own.
"""

import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from types import SimpleNamespace
from typing import Any

import forked_programs

SOCKET = "DEHUSK_TESTS_CRAWL_WORKERS"
WORKER = ["-m", "dehusk.many.crawl.worker"]


def fork_workers(path: str) -> SimpleNamespace:
    """Let this process start its workers by the server; return what the package knows as `subprocess` then."""

    def start(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
        assert command[1:3] == WORKER, command
        return subprocess.Popen([command[0], "-S", forked_programs.__file__, path, *command[3:]], **options)

    return SimpleNamespace(Popen=start, PIPE=subprocess.PIPE)


if "pytest" in sys.modules:  # a worker does not need it
    import pytest

    @cache
    def started() -> str:
        """Start the process that workers are forked from, once; return the path of its socket."""
        return forked_programs.start_server(sys.executable, __file__)

    @pytest.fixture(scope="module", autouse=sys.platform == "linux")
    def forked_workers() -> Iterator[None]:
        """Crawl with forks."""
        from dehusk.many.crawl import worker_process

        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(SOCKET, started())
            patch.setattr(worker_process, "subprocess", fork_workers(started()))
            yield


def serve(path: str) -> None:
    """Fork workers, until standard input ends."""
    import dehusk.many.crawl.worker  # noqa: F401

    assert "twisted.internet.reactor" not in sys.modules
    forked_programs.serve(path, _work)


def _work() -> None:
    """Be the worker."""
    import runpy

    del sys.modules["dehusk.many.crawl.worker"]  # it runs once more, as the program
    runpy.run_module("dehusk.many.crawl.worker", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    serve(sys.argv[1])
