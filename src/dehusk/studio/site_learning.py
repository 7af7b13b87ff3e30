"""Learn sites in the background: a thread feeds a child process, so that the server stays quick and can stop it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import dehusk
from dehusk.base.atomic import replacing
from dehusk.base.errors import ChildError, DehuskError, InputError, MissingExtraError
from dehusk.base.processes.child import Child
from dehusk.counts.model import SiteModel
from dehusk.label.sites import Site
from dehusk.read.page import Page
from dehusk.sites.alternation import Alternation, FindOptimal, page_string
from dehusk.sites.alternation.find_optimal import Search
from dehusk.sites.wisdom import Wisdom, WisdomCounts
from dehusk.studio.background import RunCancelledError, StepProgress
from dehusk.studio.bodies import read_body
from dehusk.studio.project import Project
from dehusk.studio.site_rows import choose_pages, site_facts
from dehusk.studio.site_store import (
    ALTERNATION,
    RECORD,
    SITE,
    SURFACE,
    VERSION,
    WISDOM,
    key_of,
    site_folder,
    write_documents,
)

# ---------------------------------------------------------------- site steps
# What a child process does to learn a site: read its pages one by one, then learn step by step.

MOST_CHARACTERS = 2_000_000
"""Characters of the documents that the surface is computed of; further pages are left out of it."""
_MOST_BYTES = 60_000_000  # of all pages
_PATHS: dict[str, dict[str, Any]] = {"as printed": {}, "looking 4 steps ahead": {"look_ahead": 4}}
_LENGTHS, _PERCENTS, _MARGIN = 60, 40, 4  # least extent of a surface, and what is shown beyond the end of a path
_MOST_LENGTHS = 150


class StudyPage(NamedTuple):
    """A page to learn from."""

    data: bytes
    url: str
    headers: Mapping[str, str]


class StudyStep(NamedTuple):
    """One step after the pages: its name in `STEPS`, and the folder to write to."""

    name: str
    folder: Path


STEPS = {
    "site": "what the pages share, and the structure tree",
    "wisdom": "the entropy of words, and links",
    "alternation": "frequent n-grams",
    "surface": "FindOptimal's search and surface",
}
"""Step -> what it learns."""


class SiteStudy:
    """Collects pages and learns from them; used in a child process."""

    def __init__(self) -> None:
        self._pages: list[Page] = []
        self._bytes = 0

    def work(self, item: StudyPage | StudyStep) -> str:
        """Do one step; return what people should know about it, in one line, or ""."""
        if isinstance(item, StudyPage):
            return self._add(item)
        steps: dict[str, Callable[[Path], str]] = {
            "site": self._site,
            "wisdom": self._wisdom,
            "alternation": self._alternation,
            "surface": self._surface,
        }
        return steps[item.name](item.folder)

    def _add(self, given: StudyPage) -> str:
        self._bytes += len(given.data)
        if self._bytes > _MOST_BYTES:
            return f"left out: the pages are larger than {_MOST_BYTES // 1_000_000} MB together"
        page = dehusk.parse(given.data, given.url or None, given.headers)
        if not len(page):
            return f"left out: {page.message or 'it has no content'}"
        self._pages.append(page)
        return ""

    def _site(self, folder: Path) -> str:
        site = Site(mixed=True).fit(self._pages)  # one site by the host of the pages' addresses
        site.save(folder / SITE)
        return site.warning

    def _wisdom(self, folder: Path) -> str:
        for preset, name in WISDOM.items():
            try:
                _wisdom_of(self._pages, preset).save(folder / name)
            except MissingExtraError as error:
                return f"WISDOM with the paper's terms: {error}"
        return ""

    def _alternation(self, folder: Path) -> str:
        method = Alternation().fit(self._pages)
        method.save(folder / ALTERNATION)
        return method.warning

    def _surface(self, folder: Path) -> str:
        documents, size = list[str](), 0
        for page in self._pages:
            text = page_string(page).text
            size += len(text)
            if len(documents) > 1 and size > MOST_CHARACTERS:
                break
            documents.append(text[:MOST_CHARACTERS])
        write_documents(folder, documents)
        (folder / SURFACE).write_text(json.dumps(surface_record(documents)), "utf-8")
        left = len(self._pages) - len(documents)
        return f"the surface is of the first {len(documents)} pages, {size:,} characters" if left else ""


def begin_study(_argument: None) -> Callable[[StudyPage | StudyStep], str]:
    """Return the function that does the steps of one site."""
    return SiteStudy().work


def surface_record(documents: list[str]) -> dict[str, Any]:
    """Return the alternation counts of documents over n and a, and the paths of the search, as plain values."""
    search: Search = "printed"
    found = {name: FindOptimal(search, **options).fit(documents) for name, options in _PATHS.items()}
    ends = [cut.path_[-1] for cut in found.values()]
    lengths = range(2, min(_MOST_LENGTHS, max(_LENGTHS, *(end.n + _MARGIN for end in ends))) + 1)
    percents = range(1, min(100, max(_PERCENTS, *(end.a + _MARGIN for end in ends))) + 1)
    grid = FindOptimal(search).surface(documents, lengths, percents)
    return {
        "documents": len(documents),
        "characters": sum(map(len, documents)),
        "lengths": list(lengths),
        "percents": list(percents),
        "alternation": grid.alternation.tolist(),
        "threshold": grid.threshold.tolist(),
        "paths": [
            {"name": name, "points": [list(point) for point in cut.path_], "warning": cut.warning}
            for name, cut in found.items()
        ],
    }


def _wisdom_of(pages: list[Page], preset: str) -> Wisdom:
    method = Wisdom(preset=preset)  # type: ignore[arg-type]
    return method.fit_counts(WisdomCounts.total([method.count([page]) for page in pages]))


# ---------------------------------------------------------------- site learning

_STEP_SECONDS = 300.0  # a step that takes longer is given up
_MOST_NOTES = 20


@dataclass(frozen=True)
class SiteProgress(StepProgress):
    """How far the learning of a site is, in steps; its state is "waiting" while others are learned."""

    key: str = ""
    """Of the site; see `site_store.key_of`."""


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
        self.progress = SiteProgress(key=key_of(host), of=len(self._pages) + len(STEPS))
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
        except (RunCancelledError, ChildError, DehuskError, OSError) as error:
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
            raise RunCancelledError

    def _add(self, page: int) -> str:
        try:
            body = read_body(self._project, page)
        except InputError as error:
            return f"left out: {error}"
        return self._child.work(StudyPage(body.data, body.url, dict(body.headers))).result

    def _write_record(self, folder: Path, learned: list[int], notes: list[str], seconds: float) -> None:
        tables = SiteModel.load(folder / SITE).tables
        record = {
            "version": VERSION,
            "host": self._host,
            "pages": learned,
            "of_pages": site_facts(self._project, self._host)["pages"],
            "distinct": tables.distinct,
            "notes": notes[:_MOST_NOTES],
            "seconds": round(seconds, 2),
            "at": datetime.now(UTC).isoformat(timespec="microseconds"),
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
            return self.progress(host) or SiteProgress(key=key_of(host))

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
                return SiteProgress(
                    key=key_of(host), state="waiting", step=f"waits until {', '.join(before)} is learned"
                )
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
