"""Judge methods on the pages with gold, in the background: a thread feeds one child process after another.

Each judgement is stored at once, so that nothing is lost if it is cancelled or the studio ends; what is there and up to
date is not computed again.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import PurePosixPath
from random import Random
from typing import NamedTuple

from dehusk.base.errors import ChildError, GoldError, InputError, counted
from dehusk.base.processes.child import Child
from dehusk.lab.evaluate.benchmark import ToolChild, tool_child, warm_up
from dehusk.lab.evaluate.predictions import Prediction
from dehusk.label.registry import declaration
from dehusk.measures.metrics import WordBag
from dehusk.studio.background import BackgroundWork, StepProgress
from dehusk.studio.bodies import read_body
from dehusk.studio.gold_pages import GoldPages, find_gold_pages
from dehusk.studio.judgements import (
    gold_words,
    missing_pages,
    pages_of_learned_sites,
    pages_with_company,
    stamps_of,
    store_judgement,
)
from dehusk.studio.judging import READY, JudgedItem, JudgingChoice, PageJudgement, begin_judging
from dehusk.studio.model_list import list_models
from dehusk.studio.opened import ViewSettings
from dehusk.studio.other_tools import installed_title, text_by_tool
from dehusk.studio.project import Project
from dehusk.studio.setups import name_of_setup, setup_of, setup_of_tool
from dehusk.studio.site_store import learns_from_whole_sites

_SECONDS = 60.0  # a page that takes longer counts as a failure
_MOST_NOTES = 20
_SEEN = 16  # digits of a page's hash in a prediction


@dataclass(frozen=True)
class ReportProgress(StepProgress):
    """How far the judging is, in pages, each once for each setup."""

    left: float | None = None
    """Seconds, about."""
    notes: tuple[str, ...] = ()
    """What was left out, and why."""


class _SetupTask(NamedTuple):
    """The pages to judge for one setup."""

    setup: str
    settings: ViewSettings | None
    items: list[JudgedItem]
    ms: dict[int, float | None] = {}  # noqa: RUF012 (never changed)
    failures: dict[int, str] = {}  # noqa: RUF012
    tool: str = ""
    """Name of the tool that cleans the pages first; "" if their texts are there, or a method of dehusk does."""


class StudioReport(BackgroundWork[ReportProgress]):
    """The judging of a project: one at a time."""

    busy = "judging is under way"
    _child: Child[JudgedItem, PageJudgement | str] | None = None
    _tool: ToolChild | None = None
    _gold: GoldPages | None = None

    def gold(self, *, anew: bool = False) -> GoldPages:
        """Return the pages with gold, as they were when somebody last asked for them anew."""
        if anew or self._gold is None:
            self._gold = find_gold_pages(self._project)
        return self._gold

    def start(
        self,
        chosen: Sequence[ViewSettings],
        *,
        tools: Sequence[str] = (),
        most: int | None = None,
        again: bool = False,
    ) -> None:
        """Start to judge.

        Args:
            chosen: how pages are cleaned, one for each setup.
            tools: names of installed tools of others, each a setup too.
            most: judge a random sample of so many pages, always the same ones; None: all pages with gold.
            again: whether to judge pages that have an up-to-date judgement too, for example to measure times again.

        Raises:
            GoldError: no page has gold.
            InputError: nothing is chosen, there is no such tool, or judging is under way.
            MissingExtraError: a tool is not installed.
        """
        if not chosen and not tools:
            raise InputError("choose at least one method")
        gold = self.gold(anew=True)
        if not gold.stamps:
            raise GoldError("no page has gold")
        pages, notes = _sampled(list(gold.stamps), most), list[str]()
        tasks = [self._task(settings, gold, pages, notes, again=again) for settings in chosen]
        tasks += [self._task_of_tool(name, gold, pages, again=again) for name in tools]
        self._start(tasks, gold, notes)

    def add_predictions(self, predictions: Sequence[Prediction]) -> None:
        """Start to judge what other tools kept of the pages with gold.

        Raises:
            InputError: no prediction is of a page with gold, or judging is under way.
        """
        gold = self.gold(anew=True)
        names, tasks, strangers = _PageNames(self._project, gold), dict[str, _SetupTask](), 0
        for prediction in predictions:
            page = names.page_of(prediction)
            if page is None:
                strangers += 1
                continue
            setup = setup_of_tool(prediction.tool)
            task = tasks.setdefault(setup, _SetupTask(setup, None, [], {}, {}))
            task.items.append(JudgedItem(page, prediction.text))
            task.ms[page], task.failures[page] = prediction.ms, prediction.error
        if not tasks:
            given = counted(len(predictions), "prediction")
            raise InputError(f"none of {given} is of a page with gold in this project")
        notes = [f"{counted(strangers, 'prediction')} of no page with gold in this project"] if strangers else []
        self._start(list(tasks.values()), gold, notes)

    def cancel(self) -> None:
        """End at once; what was judged stays."""
        self._stopping.set()
        if self._tool is not None:
            self._tool.kill()
        if self._child is not None:
            self._child.kill_until_over(self._thread)

    def _task(
        self, settings: ViewSettings, gold: GoldPages, pages: list[int], notes: list[str], *, again: bool
    ) -> _SetupTask:
        setup, own = setup_of(settings), pages
        if declaration(settings.method).site == "required":
            is_learned = learns_from_whole_sites(settings.method)
            learned = pages_of_learned_sites(self._project) if is_learned else {}
            own = (
                [page for page in pages if page in learned] if is_learned else pages_with_company(self._project, pages)
            )
            if len(own) < len(pages):
                alone = counted(len(pages) - len(own), "page")
                why = "of sites that are not learned" if is_learned else "without another page of the same host"
                notes.append(f"{settings.method} is not judged on {alone} {why}")
        own = own if again else missing_pages(self._project, setup, gold, own)
        return _SetupTask(setup, settings, [JudgedItem(page) for page in own])

    def _task_of_tool(self, name: str, gold: GoldPages, pages: list[int], *, again: bool) -> _SetupTask:
        setup = setup_of_tool(installed_title(name))
        own = pages if again else missing_pages(self._project, setup, gold, pages)
        return _SetupTask(setup, None, [JudgedItem(page) for page in own], {}, {}, name)

    def _start(self, tasks: list[_SetupTask], gold: GoldPages, notes: list[str]) -> None:
        total = sum(len(task.items) for task in tasks)
        progress = ReportProgress(step="starting", of=total, notes=tuple(notes))
        self._begin(progress, lambda: self._judge_all(tasks, gold))

    def _judge_all(self, tasks: list[_SetupTask], gold: GoldPages) -> None:
        began = time.monotonic()
        for task in tasks:
            if task.items:
                self._judge(task, stamps_of(self._project, task.setup, gold), began)

    def _judge(self, task: _SetupTask, stamps: dict[int, str], began: float) -> None:
        name = name_of_setup(task.setup, list_models(self._project))
        choice = JudgingChoice(self._project.folder, task.settings)
        self._child = Child(begin_judging, choice, seconds=_SECONDS)
        self._tool = tool_child(task.tool, seconds=_SECONDS) if task.tool else None
        with self._child as child, self._tool or nullcontext():
            child.work(JudgedItem(READY))  # raises what concerns all pages, such as a damaged model
            if self._tool is not None:
                warm_up(self._tool)
            for number, item in enumerate(task.items):
                self._check()
                self._say(step=f"{name}: page {number + 1} of {len(task.items)}")
                cleaned = self._with_text(task, item)
                judged = self._judged(child, cleaned)
                if isinstance(judged, str):
                    self._note(f"page {item.page} is left out: it {judged}")
                else:
                    self._store(task, cleaned, stamps[item.page], judged)
                self._count(began)

    def _with_text(self, task: _SetupTask, item: JudgedItem) -> JudgedItem:
        """Return a page with the text that the tool of a task keeps of it; a page that cannot be read as it is."""
        if self._tool is None:
            return item
        try:
            body = read_body(self._project, item.page)
        except InputError:
            return item  # the process that judges says why
        cleaned = text_by_tool(self._tool, body)
        self._check()  # if it is cancelled, the tool may have failed because its process was killed
        task.ms[item.page], task.failures[item.page] = cleaned.ms, cleaned.failure
        return item._replace(text=cleaned.text)

    def _judged(self, child: Child[JudgedItem, PageJudgement | str], item: JudgedItem) -> PageJudgement | str:
        try:
            return child.work(item).result
        except ChildError as error:
            self._check()
            return PageJudgement(WordBag(0, 0, gold_words(self._project, item.page)), None, str(error))

    def _store(self, task: _SetupTask, item: JudgedItem, stamp: str, judged: PageJudgement) -> None:
        if task.settings is None:
            failure = task.failures.get(item.page, "") or judged.failure
            judged = judged._replace(ms=task.ms.get(item.page), failure=failure)
        store_judgement(self._project, item.page, task.setup, stamp, judged, item.text)

    def _count(self, began: float) -> None:
        done = self._now.done + 1
        self._say(done=done, left=(time.monotonic() - began) / done * (self._now.of - done))

    def _note(self, words: str) -> None:
        if len(self._now.notes) < _MOST_NOTES:
            self._say(notes=(*self._now.notes, words))


class _PageNames:
    """Finds the page that a prediction is of: by the hash of its bytes, else by its name."""

    def __init__(self, project: Project, gold: GoldPages) -> None:
        rows = [row for row in project.reading.execute("SELECT id, sha, name FROM page") if row["id"] in gold.stamps]
        self._by_hash = {row["sha"][:_SEEN]: row["id"] for row in rows}
        self._by_name: dict[str, list[int]] = {}
        for row in rows:
            path = PurePosixPath(row["name"])
            for name in {row["name"], path.name, path.stem}:
                self._by_name.setdefault(name, []).append(row["id"])

    def page_of(self, prediction: Prediction) -> int | None:
        """Return the number of the page; None if there is none, or several have the name."""
        if prediction.seen:
            return self._by_hash.get(prediction.seen)
        found = self._by_name.get(prediction.id, [])
        return found[0] if len(found) == 1 else None


def _sampled(pages: list[int], most: int | None) -> list[int]:
    """Return a random sample of pages, the same one of the same pages, in their order."""
    if most is None or most >= len(pages):
        return pages
    return sorted(Random(0).sample(pages, most))  # noqa: S311 (not for security)
