"""Programs that are forks of a process which has imported what they need, as imports take longer than their work.

What starts such a program starts a small one, this one, which hands its arguments, folder, environment and streams to
the fork, waits for it, and ends as it does.
"""

import json
import os
import select
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

LONGEST = 1 << 20
"""Bytes of a request: the arguments and the environment."""


def start_server(*command: str) -> str:
    """Start a program that serves until this process ends, and is told where; return the path of its socket."""
    import atexit  # what is started for each fork imports none of these
    import subprocess
    from tempfile import TemporaryDirectory

    folder = TemporaryDirectory()
    path = str(Path(folder.name) / "forks")
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # a process with threads is not forked
    server = subprocess.Popen([*command, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
    assert server.stdout is not None
    assert server.stdout.readline() == b"ready\n"
    atexit.register(folder.cleanup)
    atexit.register(server.communicate)
    return path


def serve(path: str, be: Callable[[], None]) -> None:
    """Fork a process for each connection, which then is the program, until standard input ends."""
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
                return _wait(connection, be)
            connection.close()
    return None


def _wait(connection: socket.socket, be: Callable[[], None]) -> None:
    """Fork the program, and report its end."""
    received, streams, _, _ = socket.recv_fds(connection, LONGEST, 3)
    child = os.fork()
    if child == 0:
        connection.close()
        become(json.loads(received), streams)
        return be()
    for number in streams:
        os.close(number)
    with suppress(OSError):  # the one that waits was killed
        connection.send(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())
    os._exit(0)


def become(wanted: dict[str, Any], streams: list[int]) -> None:
    """Take over what a program is started with."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(wanted["cwd"])
    os.environ.clear()
    os.environ.update(wanted["environ"])
    sys.argv[1:] = wanted["argv"]


def end_as_fork(path: str, arguments: list[str]) -> None:
    """Hand everything to a new fork, wait for it, and end as it does."""
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
    end_as_fork(sys.argv[1], sys.argv[2:])
