"""The command `dehusk` in a process of its own for each call, forked from one that has imported what it needs.

An interpreter that imports the package takes half a second, as long as twenty commands. So the first call starts a
process that imports all commands and cleans a page, and each command is a fork of it, with its own streams, folder
and environment. What an interpreter imports for a command, and how it starts one, is tested without this
(`test_cli_conventions.py`, `test_watched.py`).
"""

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Lock

import forked_programs

COMMAND = "from dehusk.cli import main; main()"
SERVER = "import sys; sys.path.insert(0, sys.argv[2]); import command_line; command_line.serve(int(sys.argv[1]))"
EXAMPLE = Path(__file__).parents[1] / "examples" / "tea.html"
_LOCK = Lock()


def dehusk(
    *arguments: object, given: bytes = b"", cwd: Path | None = None, timeout: float = 120, watched: bool = False
) -> subprocess.CompletedProcess[bytes]:
    """Run the command with arguments and standard input, in a folder; `watched`, a dead process does not end it."""
    words = list(map(str, arguments))
    if sys.platform != "linux":
        command = [sys.executable, *(["-m", "dehusk"] if watched else ["-c", COMMAND]), *words]
        return subprocess.run(command, input=given, capture_output=True, check=False, cwd=cwd, timeout=timeout)
    with _LOCK, ExitStack() as files:
        streams = [files.enter_context(tempfile.TemporaryFile()) for _ in range(3)]
        streams[0].write(given)
        streams[0].seek(0)
        request = {"argv": words, "cwd": str(cwd or Path.cwd()), "environ": dict(os.environ), "watched": watched}
        code = _server(_start()).run(json.dumps(request).encode(), [each.fileno() for each in streams], timeout)
        for each in streams:
            each.seek(0)
        return subprocess.CompletedProcess(["dehusk", *words], code, streams[1].read(), streams[2].read())


def _start() -> tuple[tuple[str, str], ...]:
    """Return the settings that an interpreter reads when it starts."""
    return tuple(sorted((name, value) for name, value in os.environ.items() if name.startswith("PYTHON")))


class _Server:
    """The process that others are forked from, as its parent sees it."""

    def __init__(self) -> None:
        self.socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        for each in (self.socket, theirs):
            each.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, forked_programs.LONGEST)
        command = [sys.executable, "-c", SERVER, str(theirs.fileno()), str(Path(__file__).parent)]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},  # a process with threads is not forked
            start_new_session=True,
        )
        theirs.close()
        atexit.register(self.close)

    def run(self, request: bytes, streams: list[int], timeout: float) -> int:
        """Return the exit code of the command."""
        socket.send_fds(self.socket, [request], streams)
        if not select.select([self.socket], [], [], timeout)[0]:
            os.killpg(self.process.pid, signal.SIGKILL)
            _server.cache_clear()
            raise subprocess.TimeoutExpired("dehusk", timeout)
        return int(self.socket.recv(100))

    def close(self) -> None:
        """End the process."""
        self.socket.close()
        self.process.wait()


@cache
def _server(_start: tuple[tuple[str, str], ...]) -> _Server:
    return _Server()


@cache
def script() -> str:
    """Return the last line of a shell script that is the program `dehusk`; several may run at a time."""
    if sys.platform != "linux":
        return f'exec "{sys.executable}" -m dehusk "$@"'
    start = "import sys; sys.path.insert(0, sys.argv[1]); import command_line; command_line.serve_programs(sys.argv[2])"
    path = forked_programs.start_server(sys.executable, "-c", start, str(Path(__file__).parent))
    return f'exec "{sys.executable}" -S "{forked_programs.__file__}" "{path}" "$@"'


def serve_programs(path: str) -> None:
    """Fork a process for each run of the program `dehusk`, until the parent ends."""
    _import_all()
    forked_programs.serve(path, lambda: _be_command(watched=True))


def serve(number: int) -> None:
    """Fork a process for each request, until the parent ends."""
    _import_all()
    with socket.socket(fileno=number) as connection:
        while (received := socket.recv_fds(connection, forked_programs.LONGEST, 3))[0]:
            streams = received[1]
            child = os.fork()
            if child == 0:
                connection.close()
                wanted = json.loads(received[0])
                forked_programs.become(wanted, streams)
                return _be_command(watched=wanted["watched"])
            for each in streams:
                os.close(each)
            connection.send(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())
    return None


def _import_all() -> None:
    from dehusk import clean
    from dehusk.cli.commands import SUBCOMMANDS

    for place in SUBCOMMANDS.values():
        import_module(place.partition(":")[0])
    clean(EXAMPLE.read_bytes()).render("json")


def _be_command(*, watched: bool) -> None:
    import crawl_workers
    from dehusk.cli import main, program
    from dehusk.many.crawl import worker_process

    if workers := os.environ.get(crawl_workers.SOCKET):
        worker_process.__dict__["subprocess"] = crawl_workers.fork_workers(workers)
    (program if watched else main)()
