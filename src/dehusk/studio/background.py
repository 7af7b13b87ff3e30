"""Work of a studio in a thread of its own: one run at a time, which tells how far it is and can be cancelled."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar, Generic, TypeVar

from dehusk.base.errors import ChildError, InputError
from dehusk.studio.project import Project


@dataclass(frozen=True)
class RunProgress:
    """How far a run is."""

    state: str = "running"
    """"running", "done", "cancelled" or "failed"."""
    done: int = 0
    """Pages or steps, of `of`."""
    of: int = 0
    message: str = ""
    """Why it failed."""


@dataclass(frozen=True)
class StepProgress(RunProgress):
    """How far a run is that tells what it does."""

    step: str = ""
    """What is being done, in words; "" once it has ended."""


class RunCancelledError(Exception):
    """A run was cancelled."""


P = TypeVar("P", bound=RunProgress)


class BackgroundWork(Generic[P]):
    """The runs of one kind of work; a subclass begins them.

    Args:
        project: the project.
        workers: processes that clean pages.
    """

    busy: ClassVar[str]
    """What a second run is told while one is under way."""

    def __init__(self, project: Project, *, workers: int = 1) -> None:
        self.progress: P | None = None
        self._project = project
        self._workers = workers
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def cancel(self) -> None:
        """End after the pages that are being cleaned."""
        self._stopping.set()
        if self._thread is not None and self._thread.is_alive():
            self._thread.join(30)

    def _begin(self, progress: P, work: Callable[[], None]) -> None:
        """Start in a thread.

        Raises:
            InputError: a run is under way.
        """
        with self._lock:
            if self.progress is not None and self.progress.state == "running":
                raise InputError(f"{self.busy}: wait for it, or cancel it")
            self._stopping.clear()
            self.progress = progress
            self._thread = threading.Thread(target=self._run, args=(work,), name=type(self).__name__, daemon=True)
            self._thread.start()

    def _run(self, work: Callable[[], None]) -> None:
        try:
            work()
            self._end(state="done")
        except Exception as error:  # (whatever happened, the browser must learn that it has ended)
            if self._stopping.is_set() and isinstance(error, RunCancelledError | ChildError):
                self._end(state="cancelled")
            else:
                self._end(state="failed", message=" ".join(str(error).split()))

    def _end(self, **values: Any) -> None:
        if isinstance(self.progress, StepProgress):
            values["step"] = ""
        self._say(**values)

    def _check(self) -> None:
        """Raise an error if the run is to end."""
        if self._stopping.is_set():
            raise RunCancelledError

    def plain(self) -> dict[str, Any] | None:
        """Return how far it is, as plain values; None before the first run."""
        return None if self.progress is None else asdict(self.progress)

    @property
    def _now(self) -> P:
        if self.progress is None:
            raise RuntimeError("nothing has begun")
        return self.progress

    def _say(self, **values: Any) -> None:
        self.progress = replace(self._now, **values)
