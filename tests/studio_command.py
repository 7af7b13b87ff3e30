"""The command `dehusk studio`, as a fork of a process that has imported it: imports are most of what it takes to start.

`test_studio_cli.py` also starts an interpreter for it.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path

import command_line
import forked_programs

START = "import sys; sys.path.insert(0, sys.argv[1]); import studio_command; studio_command.serve(sys.argv[2])"
IMPORTED = ("dehusk.studio.adding", "dehusk.studio.page_facts", "dehusk.studio.serving", "dehusk.studio.web.app")


class Studio:
    """A studio that was started; it is used like `subprocess.Popen` with text."""

    def __init__(self, arguments: list[str], folder: Path) -> None:
        (out, stdout), (err, stderr) = os.pipe(), os.pipe()
        self.stdout, self.stderr = (os.fdopen(number, encoding="utf-8") for number in (out, err))
        self.returncode: int | None = None
        self._connection = socket.socket(socket.AF_UNIX)
        self._connection.connect(_server())
        request = {"argv": ["studio", *arguments], "cwd": str(folder), "environ": dict(os.environ), "tells": True}
        with Path(os.devnull).open("rb") as nothing:
            socket.send_fds(self._connection, [json.dumps(request).encode()], [nothing.fileno(), stdout, stderr])
        for number in (stdout, stderr):
            os.close(number)
        self._told = self._connection.makefile("r")
        self.pid = int(self._told.readline())

    def send_signal(self, number: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def wait(self, timeout: float) -> int:
        if self.returncode is None:
            if not select.select([self._connection], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("dehusk studio", timeout)
            self.returncode = int(self._told.readline())
        return self.returncode

    def communicate(self, timeout: float) -> tuple[str, str]:
        """Wait for its end; return what it printed since, which is less than a pipe holds."""
        self.wait(timeout)
        return self.stdout.read(), self.stderr.read()

    def __enter__(self) -> Studio:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.wait(60)
        except subprocess.TimeoutExpired:
            self.send_signal(signal.SIGKILL)
            raise
        finally:
            self.close()

    def close(self) -> None:
        for file in (self.stdout, self.stderr, self._told, self._connection):
            file.close()


def start(*arguments: str, folder: Path) -> Studio | subprocess.Popen[str]:
    """Start a studio in a folder."""
    if sys.platform == "linux":
        return Studio(list(arguments), folder)
    command = [sys.executable, "-m", "dehusk", "studio", *arguments]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@cache
def _server() -> str:
    return forked_programs.start_server(sys.executable, "-c", START, str(Path(__file__).parent))


def serve(path: str) -> None:
    """Fork a studio for each request, until the parent ends."""
    for name in IMPORTED:
        import_module(name)
    command_line.serve_programs(path)
