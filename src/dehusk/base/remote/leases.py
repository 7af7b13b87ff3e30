"""Leases: one run at a time in a remote folder, where nothing can be locked.

A run writes a small file and changes it every few seconds. Another run that finds such a file waits to see whether it
changes: if it does not, the run that wrote it has been killed.
"""

from __future__ import annotations

import json
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from dehusk.base.errors import InputError
from dehusk.base.remote.paths import RemotePath

BEAT = 10.0
"""Seconds between changes."""
PATIENCE = 35.0
"""Seconds that another run waits for a change."""


@contextmanager
def leased(path: RemotePath) -> Iterator[bool]:
    """Yield whether this run may go on: no other holds the lease.

    Args:
        path: the file of the lease.

    Raises:
        InputError: the file cannot be written.
    """
    if _is_alive(path):
        yield False
        return
    run, ended = uuid.uuid4().hex, threading.Event()
    path.write_text(_content(run, 0))
    beating = threading.Thread(target=_beat, args=(path, run, ended), daemon=True)
    beating.start()
    try:
        yield True
    finally:
        ended.set()
        beating.join()
        with suppress(InputError):  # the next run waits, but finds it unchanged
            path.remove()


def _content(run: str, beats: int) -> str:
    return json.dumps({"run": run, "beats": beats}) + "\n"


def _read(path: RemotePath) -> str:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        return ""


def _is_alive(path: RemotePath) -> bool:
    """Return whether another run changes or removes the file within a while; if it removes it, it has ended."""
    first = _read(path)
    until = time.monotonic() + PATIENCE
    while first and time.monotonic() < until:
        time.sleep(min(1.0, PATIENCE))
        if (now := _read(path)) != first:
            return bool(now)
    return False


def _beat(path: RemotePath, run: str, ended: threading.Event) -> None:
    beats = 0
    while not ended.wait(BEAT):
        beats += 1
        with suppress(InputError):  # the next beat may succeed
            path.write_text(_content(run, beats))
