"""One studio per project: the second one on the same folder is told which one has it."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from dehusk.base.errors import InputError
from dehusk.studio.project import Project

_NAME = "studio.lock"
_PATIENCE = 1.0  # seconds, for a studio that has just been killed


@contextmanager
def only_studio(project: Project, port: int) -> Iterator[None]:
    """Hold a project's folder while a studio runs; a killed studio holds it no longer.

    Args:
        project: the project.
        port: that the studio listens on.

    Raises:
        InputError: another studio has it, or its lock cannot be written or is a link out of the project.
    """
    path = project.inside(project.folder / _NAME)
    try:
        with path.open("a+", encoding="utf-8") as file:
            end = time.monotonic() + _PATIENCE
            while not (is_locked := _locked(file)) and time.monotonic() < end:
                time.sleep(_PATIENCE / 20)
            if not is_locked:
                raise InputError(
                    f"project {project.folder} is open in another studio{_which(path)}: use that one, or end it"
                )
            file.truncate(0)
            file.write(json.dumps({"process": os.getpid(), "port": port}))
            file.flush()
            yield
            file.truncate(0)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from error


def _which(path: Path) -> str:
    try:
        known = json.loads(path.read_text("utf-8"))
        return f", at http://127.0.0.1:{int(known['port'])} (process {int(known['process'])})"
    except (OSError, ValueError, TypeError, KeyError):
        return ""


def _locked(file: IO[str]) -> bool:
    if os.name != "posix":
        return True
    import fcntl  # noqa: PLC0415 (not available on every system)

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
