"""Start a studio: open the project, add pages in the background, serve until interrupted."""

from __future__ import annotations

import gc
import json
import os
import secrets
import signal
import socket
import sqlite3
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import IO, NamedTuple

import uvicorn

from dehusk.base.errors import InputError
from dehusk.base.listening import LOCAL, listen
from dehusk.base.processes import risk
from dehusk.base.processes.watched import end_with_parent, run_watched
from dehusk.cleaning import clean
from dehusk.many.files.inputs import Input
from dehusk.many.files.options import Columns
from dehusk.studio.adding import Adding
from dehusk.studio.labelling import checked_annotator
from dehusk.studio.page_columns import columns_of
from dehusk.studio.places import FORMATS, outcome_text
from dehusk.studio.project import Project
from dehusk.studio.web.app import make_app
from dehusk.studio.web.security import KEY
from dehusk.studio.web.state import Studio

# ---------------------------------------------------------------- one studio
# One studio per project: the second one on the same folder is told which one has it.

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


# ---------------------------------------------------------------- serving

_WARMING = "<title>Tea</title><h1>Tea</h1><p>Leaves are harvested by hand, and sorted on the same day.</p>"


def serve(  # noqa: PLR0913 (keyword arguments of a public function)
    folder: Path,
    inputs: Sequence[Input] = (),
    *,
    port: int = 0,
    browse: bool = True,
    workers: int = 1,
    annotator: str = "me",
    columns: Columns | None = None,
    announce: Callable[[str], None] = print,
) -> int:
    """Serve a project on this machine until interrupted.

    Args:
        folder: folder of the project; created if missing.
        inputs: files and folders whose pages are added to it.
        port: to listen on; 0 for a free one.
        browse: whether to open a browser.
        workers: processes that clean pages while they are added.
        annotator: name of who labels.
        columns: columns of tables with pages.
        announce: receives the address, with the secret that it needs, and lines for people.

    Returns:
        The exit code. If a page ends the process that serves, another one goes on, without that page.

    Raises:
        ConfigError: the annotator's name is none.
        InputError: the project cannot be opened, another studio has it, or the port is in use.
    """
    annotator = checked_annotator(annotator)
    secret, ticket = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
    with listen(port) as listener:
        start = _Start(folder, inputs, browse, workers, annotator, columns, announce, listener, secret, ticket)
        return run_watched(partial(_serve, start), announce, what="the studio")


class _Start(NamedTuple):
    """How to start the process that serves, also after a page ended it."""

    folder: Path
    inputs: Sequence[Input]
    browse: bool
    workers: int
    annotator: str
    columns: Columns | None
    announce: Callable[[str], None]
    listener: socket.socket
    secret: str
    ticket: str
    """Another secret, which admits once."""


def _serve(start: _Start) -> int:
    if risk.watch is not None:
        end_with_parent(signal.SIGKILL)  # what it has confirmed is stored
    project = Project(start.folder)
    with closing(project):
        port = start.listener.getsockname()[1]
        with only_studio(project, port):
            studio = Studio(project, annotator=start.annotator, workers=start.workers)
            if start.inputs:
                studio.adding = Adding(project, start.inputs, workers=start.workers, columns=start.columns)
                studio.adding.start()
            studio.autosave.wake()  # labels of a run that was killed
            threading.Thread(target=_warm_up, args=(project,), name="warming up", daemon=True).start()
            if risk.is_first_run():
                _announce(start, port)
            try:
                with _rare_collections():
                    ticket = start.ticket if risk.is_first_run() else ""
                    server = make_server(studio, secret=start.secret, port=port, ticket=ticket)
                    server.run(sockets=[start.listener])
            finally:
                _stop(studio)
    return 0


def _announce(start: _Start, port: int) -> None:
    address = f"http://{LOCAL}:{port}/?{KEY}="
    start.announce(f"studio: {address}{start.secret} (Ctrl-C ends it)")
    if start.browse:
        webbrowser.open(address + start.ticket)


def _stop(studio: Studio) -> None:
    studio.training.cancel()
    studio.sites.stop()
    studio.again.cancel()
    studio.exports.cancel()
    studio.report.cancel()
    if studio.adding:
        studio.adding.stop()
    studio.autosave.stop()


def _warm_up(project: Project) -> None:
    """Read and import what the first views need, so that they wait less."""
    with suppress(sqlite3.Error):  # the project was closed meanwhile
        columns_of(project).now()
        document = clean(_WARMING)
        for format_name in FORMATS:
            outcome_text(document, format_name)


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Let Python search for garbage less often: answers about a long page have many objects, but no cycles.

    Each full search takes 50 ms, most of it on what the modules of the studio have made for good.
    """
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def make_server(studio: Studio, *, secret: str, port: int, ticket: str = "") -> uvicorn.Server:
    """Return the server of a studio.

    Args:
        studio: what it serves.
        secret: that requests need.
        port: that it will listen on.
        ticket: another secret, which admits once.
    """
    config = uvicorn.Config(
        make_app(studio, secret=secret, port=port, ticket=ticket),
        log_level="warning",
        access_log=False,  # the first request has the secret in its address
        server_header=False,
        proxy_headers=False,
        ws="none",
        lifespan="off",
    )
    return uvicorn.Server(config)
