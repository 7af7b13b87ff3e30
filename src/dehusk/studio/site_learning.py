"""Learn sites in the background: a thread feeds a child process, so that the server stays quick and can stop it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from dehusk.base.atomic import replacing
from dehusk.base.errors import ChildError, DehuskError, InputError
from dehusk.base.processes.child import Child
from dehusk.counts.model import Site
from dehusk.studio.bodies import read_body
from dehusk.studio.project import Project
from dehusk.studio.site_keys import key_of, site_folder
from dehusk.studio.site_rows import choose_pages, site_facts
from dehusk.studio.site_steps import STEPS, StudyPage, StudyStep, begin_study
from dehusk.studio.site_store import RECORD, SITE, VERSION

_STEP_SECONDS = 300.0  # a step that takes longer is given up
_MOST_NOTES = 20


@dataclass(frozen=True)
class SiteProgress:
    """How far the learning of a site is."""

    key: str
    """Of the site; see `site_keys`."""
    state: str = "running"
    """"waiting", "running", "done", "cancelled" or "failed"."""
    step: str = ""
    """What is being done, in words."""
    done: int = 0
    """Steps that are done, of `of`."""
    of: int = 0
    message: str = ""
    """Why it failed."""


class _CancelledError(Exception):
    """Learning was cancelled."""


class SiteLearning:
    """A thread that learns one site; what it learned appears in the project as a whole, or not at all.

    Args:
        project: the project.
        host: of the site.
        then: called when it has ended, however it did.

    Raises:
        InputError: the site has too few pages.
    """

    def __init__(self, project: Project, host: str, then: Callable[[], None] = lambda: None) -> None:
        self._project = project
        self._host = host
        self._then = then
        self._pages = choose_pages(project, host)
        self.progress = SiteProgress(key_of(host), of=len(self._pages) + len(STEPS))
        self._child: Child[StudyPage | StudyStep, str] = Child(begin_study, None, seconds=_STEP_SECONDS)
        self._cancelled = threading.Event()
        self._thread = threading.Thread(target=self._run_then, name=f"learning {host}", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def cancel(self) -> None:
        """End at once, without a result; what was learned before stays."""
        self._cancelled.set()
        self._child.kill_until_over(self._thread)

    def run(self) -> SiteProgress:
        """Learn in this thread."""
        self._run()
        return self.progress

    def _run_then(self) -> None:
        try:
            self._run()
        finally:
            self._then()

    def _run(self) -> None:
        try:
            with self._child:
                self._learn()
            self.progress = replace(self.progress, state="done", step="", done=self.progress.of)
        except (_CancelledError, ChildError, DehuskError, OSError) as error:
            state = "cancelled" if self._cancelled.is_set() else "failed"
            message = "" if state == "cancelled" else " ".join(str(error).split())
            self.progress = replace(self.progress, state=state, step="", message=message)

    def _learn(self) -> None:
        began, notes, learned = time.monotonic(), list[str](), list[int]()
        for number, page in enumerate(self._pages):
            self._begin(f"reading page {number + 1} of {len(self._pages)}")
            problem = self._add(page)
            if problem:
                notes.append(f"page {page} {problem}")
            else:
                learned.append(page)
        if not learned:
            raise InputError(f"no page could be read: {'; '.join(notes[:3])}")
        folder = self._project.inside(site_folder(self._project, self._host))
        with replacing(folder, owner=str(threading.get_ident())) as temporary:
            temporary.mkdir(parents=True)
            for name, words in STEPS.items():
                self._begin(words)
                note = self._child.work(StudyStep(name, temporary)).result
                notes += [note] if note else []
            self._write_record(temporary, learned, notes, time.monotonic() - began)
            self._check()

    def _begin(self, words: str) -> None:
        self._check()
        done = self.progress.done + (self.progress.step != "")
        self.progress = replace(self.progress, step=words, done=done)

    def _check(self) -> None:
        if self._cancelled.is_set():
            raise _CancelledError

    def _add(self, page: int) -> str:
        try:
            body = read_body(self._project, page)
        except InputError as error:
            return f"left out: {error}"
        return self._child.work(StudyPage(body.data, body.url, dict(body.headers))).result

    def _write_record(self, folder: Path, learned: list[int], notes: list[str], seconds: float) -> None:
        tables = Site.load(folder / SITE).tables
        record = {
            "version": VERSION,
            "host": self._host,
            "pages": learned,
            "of_pages": site_facts(self._project, self._host)["pages"],
            "distinct": tables.distinct,
            "notes": notes[:_MOST_NOTES],
            "seconds": round(seconds, 2),
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        (folder / RECORD).write_text(json.dumps(record, ensure_ascii=True), "utf-8")


class SiteLearnings:
    """The learning of sites in a studio: one at a time, the others wait for their turn."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._lock = threading.RLock()
        self._latest: dict[str, SiteLearning] = {}
        self._waiting: list[str] = []
        self._stopped = False

    def start(self, host: str) -> SiteProgress:
        """Learn a site, or let it wait until those before it are learned; if either is so already, nothing changes.

        Raises:
            InputError: the site has too few pages.
        """
        with self._lock:
            running = self._running()
            if host not in self._waiting and (running is None or running.progress.key != key_of(host)):
                choose_pages(self._project, host)
                self._waiting.append(host)
                self._go_on()
            return self.progress(host) or SiteProgress(key_of(host))

    def cancel(self, host: str) -> None:
        """Cancel the learning of a site, if it is under way or waits."""
        with self._lock:
            if host in self._waiting:
                self._waiting.remove(host)
                return
            learning = self._latest.get(host)
        if learning is not None:
            learning.cancel()

    def progress(self, host: str) -> SiteProgress | None:
        """Return how far the learning of a site is, or how it ended; None if it was not started."""
        with self._lock:
            running = self._running()
            if host in self._waiting and running is not None:
                before = [running.progress.key, *map(key_of, self._waiting[: self._waiting.index(host)])]
                return SiteProgress(key_of(host), "waiting", f"waits until {', '.join(before)} is learned")
            learning = self._latest.get(host)
            return None if learning is None else learning.progress

    def stop(self) -> None:
        """Cancel everything."""
        with self._lock:
            self._stopped = True
            self._waiting.clear()
        for host in list(self._latest):
            self.cancel(host)

    def _running(self) -> SiteLearning | None:
        return next((one for one in self._latest.values() if one.progress.state == "running"), None)

    def _go_on(self) -> None:
        """Start what waits first, if nothing is under way; what can no longer be learned is passed over."""
        with self._lock:
            while self._waiting and self._running() is None and not self._stopped:
                host = self._waiting.pop(0)
                with suppress(InputError):  # its pages are gone
                    self._latest[host] = SiteLearning(self._project, host, self._go_on)
                    self._latest[host].start()
