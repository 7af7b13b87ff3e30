"""The process that crawls, forked from one that has imported Scrapy, instead of an interpreter that imports it.

Importing Scrapy takes longer than the crawls of the tests. A test module that imports the fixture `forked_workers`
crawls this way, also by commands (`command_line.py`). What the package starts is a small program, this one, which hands
its streams to the fork, waits for it, and ends as it does. Workers without this are started by `test_crawl_hostile.py`
and by the commands that `test_cli_crawl.py` and `test_crawl_along.py` start in interpreters of their own.
"""

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

SOCKET = "DEHUSK_TESTS_CRAWL_WORKERS"
WORKER = ["-m", "dehusk.many.crawl.worker"]
LONGEST = 1 << 20
"""Bytes of a request: the arguments and the environment."""


def fork_workers(path: str) -> SimpleNamespace:
    """Let this process start its workers by the server; return what the package knows as `subprocess` then."""

    def start(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
        assert command[1:3] == WORKER, command
        return subprocess.Popen([command[0], "-S", __file__, path, *command[3:]], **options)

    return SimpleNamespace(Popen=start, PIPE=subprocess.PIPE)


if "pytest" in sys.modules:  # a worker does not need it
    import pytest

    @cache
    def started() -> str:
        """Start the process that workers are forked from, once; return the path of its socket."""
        folder = TemporaryDirectory()
        path = str(Path(folder.name) / "workers")
        server = subprocess.Popen(
            [sys.executable, __file__, "serve", path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert server.stdout is not None
        assert server.stdout.readline() == b"ready\n"
        atexit.register(folder.cleanup)
        atexit.register(server.communicate)
        return path

    @pytest.fixture(scope="module", autouse=sys.platform == "linux")
    def forked_workers() -> Iterator[None]:
        """Crawl with forks."""
        from dehusk.many.crawl import worker_process

        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(SOCKET, started())
            patch.setattr(worker_process, "subprocess", fork_workers(started()))
            yield


def serve(path: str) -> None:
    """Fork a worker for each connection, until standard input ends."""
    import dehusk.many.crawl.worker  # noqa: F401

    assert "twisted.internet.reactor" not in sys.modules
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(64)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those that wait
        print("ready", flush=True)  # noqa: T201 (for the parent)
        while 0 not in select.select([0, listener.fileno()], [], [])[0]:
            connection, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                return _wait(connection)
            connection.close()
    return None


def _wait(connection: socket.socket) -> None:
    """Fork the worker, and report its end."""
    received, streams, _, _ = socket.recv_fds(connection, LONGEST, 3)
    child = os.fork()
    if child == 0:
        connection.close()
        return _work(json.loads(received), streams)
    for number in streams:
        os.close(number)
    with suppress(OSError):  # the one that waits was killed
        connection.send(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())
    os._exit(0)


def _work(wanted: dict[str, Any], streams: list[int]) -> None:
    """Be the worker."""
    import runpy

    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(wanted["cwd"])
    os.environ.clear()
    os.environ.update(wanted["environ"])
    sys.argv[1:] = wanted["argv"]
    del sys.modules["dehusk.many.crawl.worker"]  # it runs once more, as the program
    runpy.run_module("dehusk.many.crawl.worker", run_name="__main__", alter_sys=True)


def end_as_worker(path: str, arguments: list[str]) -> None:
    """Hand the streams to a new worker, wait for it, and end as it does."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        request = {"argv": arguments, "cwd": str(Path.cwd()), "environ": dict(os.environ)}
        socket.send_fds(connection, [json.dumps(request).encode()], [0, 1, 2])
        code = int(connection.recv(100))
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    sys.exit(code)


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(sys.argv[2])
    else:
        end_as_worker(sys.argv[1], sys.argv[2:])
