"""Start a studio: open the project, add pages in the background, serve until interrupted."""

from __future__ import annotations

import gc
import json
import os
import re
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

from dehusk.base.atomic import replacing
from dehusk.base.errors import InputError, explaining
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
from dehusk.studio.receiving import page_of_input, receive_address
from dehusk.studio.sources import PAGE
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
    with explaining(f"{path} cannot be written"), path.open("a+", encoding="utf-8") as file:
        end = time.monotonic() + _PATIENCE
        while not (is_locked := _locked(file)) and time.monotonic() < end:
            time.sleep(_PATIENCE / 20)
        if not is_locked:
            raise InputError(f"project {project.folder} is open in another studio: {_which(project)}")
        file.truncate(0)
        file.write(json.dumps({"process": os.getpid(), "port": port}))
        file.flush()
        yield
        file.truncate(0)


def _which(project: Project) -> str:
    try:
        known = json.loads((project.folder / _NAME).read_text("utf-8"))
        kept = _kept_admission(project.folder)
        key = f"?{KEY}={kept.key}" if kept else ""
        return f"end it (process {int(known['process'])}), or open http://{LOCAL}:{int(known['port'])}/{key}"
    except (OSError, ValueError, TypeError, KeyError):
        return "use that one, or end it"


def _locked(file: IO[str]) -> bool:
    if os.name != "posix":
        return True
    import fcntl  # noqa: PLC0415 (not available on every system)

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


# ---------------------------------------------------------------- key and port
# They stay with the project, so that tabs and bookmarks go on working after the studio was started again.

_KEY_NAME = "studio.key"
_KEY = re.compile(r"[\w-]{32}", re.ASCII)


class _Admission(NamedTuple):
    """Where a project is served, and what its requests need."""

    key: str
    port: int


def _kept_admission(folder: Path) -> _Admission | None:
    """Return the key and the port of earlier runs; None if there are none that nobody else can know.

    Whoever gave somebody a project knows the key in it. So the file has its own number in the file system, which a copy
    has not.
    """
    path = folder / _KEY_NAME
    try:
        about, known = path.lstat(), json.loads(path.read_text("utf-8")) if path.is_file() else {}
        is_private = os.name != "posix" or (about.st_uid == os.geteuid() and not about.st_mode & 0o077)
        if not is_private or known["file"] != about.st_ino or not _KEY.fullmatch(known["key"]):
            return None
        return _Admission(known["key"], int(known["port"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _keep(project: Project, admission: _Admission) -> None:
    """Store the key and the port; nobody else may read them."""
    if admission == _kept_admission(project.folder):
        return
    with replacing(project.inside(project.folder / _KEY_NAME)) as temporary:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "w", encoding="utf-8") as file:  # noqa: PTH123 (a descriptor)
            file.write(json.dumps({**admission._asdict(), "file": os.fstat(descriptor).st_ino}))


def _listen(port: int, kept: int) -> socket.socket:
    """Listen on the port that was asked for, else on that of earlier runs, else on a free one.

    Raises:
        InputError: the port that was asked for is in use.
    """
    end = time.monotonic() + _PATIENCE
    while kept and not port:
        try:
            return listen(kept)
        except (InputError, OverflowError):
            if time.monotonic() > end:
                break
        time.sleep(_PATIENCE / 20)
    return listen(port)


# ---------------------------------------------------------------- serving

_WARMING = "<title>Tea</title><h1>Tea</h1><p>Leaves are harvested by hand, and sorted on the same day.</p>"


def serve(  # noqa: PLR0913 (keyword arguments of a public function)
    folder: Path,
    inputs: Sequence[Input] = (),
    *,
    addresses: Sequence[str] = (),
    port: int = 0,
    browse: bool = True,
    workers: int = 1,
    annotator: str = "me",
    columns: Columns | None = None,
    new_key: bool = False,
    announce: Callable[[str], None] = print,
) -> int:
    """Serve a project on this machine until interrupted.

    Args:
        folder: folder of the project; created if missing.
        inputs: files and folders whose pages are added to it.
        addresses: of web pages that are fetched and added.
        port: to listen on; 0 for that of the project's earlier runs, or else a free one.
        browse: whether to open a browser.
        workers: processes that clean pages while they are added.
        annotator: name of who labels.
        columns: columns of tables with pages.
        new_key: whether the tabs and addresses of earlier runs stop working.
        announce: receives the address, with the key that it needs, and lines for people.

    Returns:
        The exit code. If a page ends the process that serves, another one goes on, without that page.

    Raises:
        ConfigError: the annotator's name is none.
        InputError: the project cannot be opened, another studio has it, or the port is in use.
        FetchError: an address cannot be fetched.
    """
    annotator = checked_annotator(annotator)
    kept = _kept_admission(folder)
    key = kept.key if kept and not new_key else secrets.token_urlsafe(24)
    with _listen(port, kept.port if kept else 0) as listener:
        admission = _Admission(key, port or (kept.port if kept else listener.getsockname()[1]))
        ticket = secrets.token_urlsafe(24)
        start = _Start(
            folder, inputs, addresses, browse, workers, annotator, columns, announce, listener, admission, ticket
        )
        return run_watched(partial(_serve, start), announce, what="the studio")


class _Start(NamedTuple):
    """How to start the process that serves, also after a page ended it."""

    folder: Path
    inputs: Sequence[Input]
    addresses: Sequence[str]
    browse: bool
    workers: int
    annotator: str
    columns: Columns | None
    announce: Callable[[str], None]
    listener: socket.socket
    admission: _Admission
    """The key, and the port of the next runs: not that of this one if another program has it now."""
    ticket: str
    """Another key, which admits once."""


def _serve(start: _Start) -> int:
    if risk.watch is not None:
        end_with_parent(signal.SIGKILL)  # what it has confirmed is stored
    project = Project(start.folder)
    with closing(project):
        port = start.listener.getsockname()[1]
        with only_studio(project, port):
            _keep(project, start.admission)
            studio = Studio(project, annotator=start.annotator, workers=start.workers)
            path = _begin(start, studio)
            studio.autosave.wake()  # labels of a run that was killed
            threading.Thread(target=_warm_up, args=(project,), name="warming up", daemon=True).start()
            if risk.is_first_run():
                _announce(start, port, path)
            try:
                with _rare_collections():
                    ticket = start.ticket if risk.is_first_run() else ""
                    server = make_server(studio, secret=start.admission.key, port=port, ticket=ticket)
                    server.run(sockets=[start.listener])
            finally:
                _stop(studio)
    return 0


def _begin(start: _Start, studio: Studio) -> str:
    """Add what the start names, more than a page in the background; return the path of the view that shows it."""
    pages: list[int | None] = []
    if risk.is_first_run():
        pages += [receive_address(studio.project, address).page for address in start.addresses]
    if start.inputs:
        studio.adding = Adding(studio.project, start.inputs, workers=start.workers, columns=start.columns)
        if len(start.inputs) == 1 and start.inputs[0].format == PAGE:
            studio.adding.run()
            pages.append(page_of_input(studio.project, start.inputs[0]))
        else:
            studio.adding.start()
            return "/"
    return f"/page/{pages[0]}" if len(pages) == 1 and pages[0] is not None else "/"


def _announce(start: _Start, port: int, path: str) -> None:
    address, kept = f"http://{LOCAL}:{port}{path}?{KEY}=", start.admission.port
    start.announce(f"studio: {address}{start.admission.key} (Ctrl-C ends it)")
    if port != kept:
        start.announce(f"port {kept} is in use: tabs and bookmarks with it work again once what uses it has ended")
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
