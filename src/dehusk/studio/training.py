"""Train a model on the labelled pages of a project, in the background, to be accepted or discarded.

A thread feeds a child process, so that the server stays quick and training can be cancelled at once. The result lies in
the project's folder `training` until somebody decides, also if the studio is closed in between.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import reduce
from importlib.util import find_spec
from operator import add
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import dehusk
from dehusk.base.atomic import remove, replacing
from dehusk.base.errors import ConfigError, DehuskError, InputError, explaining, unknown
from dehusk.base.processes.child import Child
from dehusk.blocks import Blocks, segment
from dehusk.blocks.annotation import UNLABELLED, Annotation, Codes
from dehusk.blocks.labels import OTHER
from dehusk.counts.model import SiteModel
from dehusk.lab.evaluate.verdicts import judge
from dehusk.lab.gold.datasets import Sample
from dehusk.lab.gold.page_keys import save_keys
from dehusk.lab.train.labelled_pages import LabelledPage
from dehusk.lab.train.last_layer import fit_last_layer
from dehusk.lab.train.net import Schedule
from dehusk.lab.train.united import TrainingSet, train_united
from dehusk.lab.train.victor import train_victor
from dehusk.label import load_method
from dehusk.label.base import PageMethod
from dehusk.label.registry import DEFAULT, model_folder
from dehusk.label.united import United
from dehusk.label.united.declaration import ShippedOdds, label_odds
from dehusk.label.victor import Victor, load_config
from dehusk.measures.metrics import WordBag
from dehusk.read import parse
from dehusk.read.page import Page
from dehusk.studio.background import BackgroundWork, StepProgress
from dehusk.studio.bodies import read_body
from dehusk.studio.model_list import default_settings, set_default_model
from dehusk.studio.outcome import suggested_codes
from dehusk.studio.project import Project
from dehusk.studio.training_set import LabelledRow, TrainingPlan, plan_training, require_trainable

# ---------------------------------------------------------------- training work
# What the process that trains does: it reads labelled pages, trains, and judges the models on pages kept aside.

_SCHEDULE = Schedule(epochs=20, pages=4)  # of few pages, larger batches would make too few steps
_UNCHANGED = (
    "No other last layer is better on sites left out: the model is the one that ships with dehusk. "
    "Correct more pages, above all those that are cleaned wrongly."
)


class Recipe(NamedTuple):
    """How a model is trained."""

    run_by: str
    """The method that runs it."""
    untrained: Callable[[], PageMethod]
    """Returns a method that segments pages as training needs them."""
    fit: Callable[[list[LabelledPage]], Victor | United]


def _start() -> United:
    return United.load(model_folder(DEFAULT))


def _training_set(pages: list[LabelledPage]) -> TrainingSet:
    training = TrainingSet()
    training.add(pages)
    return training


METHODS: Mapping[str, Recipe] = {
    "united": Recipe(DEFAULT, load_method, lambda pages: fit_last_layer(_training_set(pages), _start())),
    "united-net": Recipe(
        DEFAULT, load_method, lambda pages: train_united(_training_set(pages), _SCHEDULE, start=_start())
    ),
    "victor": Recipe(
        "victor", lambda: Victor(load_config("web")), lambda pages: train_victor(load_config("web"), pages)
    ),
}
"""What the studio trains: the last layer of the shipped net, all of that net, or Victor."""


class TrainingChoice(NamedTuple):
    """What to train, and what to compare it with."""

    method: str
    before: tuple[str, str | None]
    """Method and model that the project uses now."""
    fill: bool
    """Whether blocks without a label count, on training pages, as the project's method decides."""


class TrainingPage(NamedTuple):
    """A labelled page, as sent to the process."""

    page: int
    title: str
    site: str
    source: str
    data: bytes
    url: str
    headers: Mapping[str, str]
    codes: bytes
    is_aside: bool


class _Labelled(NamedTuple):
    blocks: Blocks
    """The common blocks of a page."""
    codes: Codes


class TrainingStep(NamedTuple):
    """What to do once all pages are there: "train" into the folder, or "judge"."""

    name: str
    folder: Path


def begin_training(choice: TrainingChoice) -> Callable[[TrainingPage | TrainingStep], Any]:
    """Return the function that handles pages and steps; called in the child process.

    Raises:
        ConfigError: a method that cannot be trained.
    """
    if choice.method not in METHODS:
        raise ConfigError(unknown("method", choice.method, METHODS))
    work = _TrainingWork(choice)

    def handle(item: TrainingPage | TrainingStep) -> Any:
        if isinstance(item, TrainingPage):
            return work.add(item)
        return work.train(item.folder) if item.name == "train" else work.judge()

    return handle


class _TrainingWork:
    def __init__(self, choice: TrainingChoice) -> None:
        self._choice = choice
        self._before = load_method(choice.before[0], model=choice.before[1])
        self._recipe = METHODS[choice.method]
        self._untrained = self._recipe.untrained()
        self._pages: list[LabelledPage] = []
        self._aside: list[tuple[TrainingPage, Page, Annotation]] = []
        self._by_site: dict[str, dict[int, _Labelled]] = defaultdict(dict)
        self._sites: dict[str, SiteModel] = {}
        self._trained: PageMethod | None = None

    def add(self, item: TrainingPage) -> str:
        """Take a page; return why it cannot be used, "" if it can."""
        page = parse(item.data, item.url or None, item.headers)
        codes, blocks = np.frombuffer(item.codes, dtype=np.int8), segment(page)
        if len(codes) != len(blocks):
            return "its labels are of another version of the page"
        self._by_site[item.site][item.page] = _Labelled(blocks, codes)
        if not item.is_aside and self._choice.fill:
            codes = self._filled(item, codes)
        annotation = Annotation.from_labels(item.data, blocks, codes)
        if item.is_aside:
            page.release()
            self._aside.append((item, page, annotation))
        else:
            self._pages.append(_labelled(item, page, annotation, self._untrained))
        return ""

    def train(self, folder: Path) -> str:
        """Train, and write the model; return what should be known of it, "" if nothing."""
        model = self._recipe.fit(self._pages)
        model.save(folder)
        save_keys(folder, [page.sample for page in self._pages])
        self._trained = load_method(self._recipe.run_by, model=folder)  # as it will be used
        return _UNCHANGED if isinstance(model, United) and model.card.get("prior", 0) is None else ""

    def judge(self) -> list[dict[str, Any]]:
        """Return for each page kept aside the overlap of words before and after, as plain values.

        "taught" is neither: the shipped model with the page's site, taught by the labels of the site's other pages.
        """
        if self._trained is None:
            raise ConfigError("train before judging")
        methods = {"before": self._before, "after": self._trained}
        if self._choice.before != (self._recipe.run_by, None):
            methods["shipped"] = load_method(self._recipe.run_by)
        rows = []
        for item, page, annotation in self._aside:
            row: dict[str, Any] = {"page": item.page, "title": item.title, "site": item.site, "source": item.source}
            for name, method in methods.items():
                words = judge(method, _labelled(item, page, annotation, method)).words
                row[name] = [words.tp, words.predicted, words.gold]
            taught = self._taught(item)
            words = judge(taught, _labelled(item, page, annotation, taught)).words
            row["taught"] = [words.tp, words.predicted, words.gold]
            page.release()
            rows.append(row)
        return rows

    def _taught(self, item: TrainingPage) -> PageMethod:
        """Return the shipped model with the site of a page, taught by the labels of the site's other pages."""
        pages = self._by_site[item.site]
        others = [number for number in pages if number != item.page]
        if not others:
            return load_method()
        if item.site not in self._sites:
            blocks = [page.blocks for page in pages.values()]
            self._sites[item.site] = SiteModel(mixed=True, structure=False, counts=(ShippedOdds,)).fit(blocks)
        site = self._sites[item.site]
        labels = [label_odds(site, pages[number].blocks, pages[number].codes) for number in others]
        return load_method(site=site.with_counts(ShippedOdds.total(labels)))

    def _filled(self, item: TrainingPage, codes: Codes) -> Codes:
        try:
            document = dehusk.clean(item.data, url=item.url or None, headers=item.headers, method=self._before)
            suggested = suggested_codes(document)
        except DehuskError:
            return codes
        return np.where(codes == UNLABELLED, suggested, codes) if len(suggested) == len(codes) else codes


def _labelled(item: TrainingPage, page: Page, annotation: Annotation, method: PageMethod) -> LabelledPage:
    blocks = method.segment(page)
    codes = annotation.labels_for(blocks)
    kept = " ".join(text for text, code in zip(blocks.texts, codes.tolist(), strict=True) if 0 <= code < OTHER)
    sample = Sample(item.source, str(item.page), item.data, item.url or None, None, None, kept)
    return LabelledPage(item.title, item.site, blocks, codes, sample, None)


# ---------------------------------------------------------------- training

_DATE = re.compile(r"\d{4}-\d\d-\d\dT")
_RECORD, _MODEL = "record.json", "model"
_SECONDS = 3600.0  # a step that takes longer is given up
_SIDES = ("before", "after", "shipped", "taught")


@dataclass(frozen=True)
class TrainingProgress(StepProgress):
    """How far training is, in steps."""

    method: str = ""
    seconds: float = 0.0


def trainable_methods() -> dict[str, str]:
    """Return method -> why it cannot be trained here, "" if it can."""
    needs = {
        "victor": ("pycrfsuite", "python-crfsuite: pip install 'dehusk[victor]'"),
        "united-net": ("torch", "PyTorch: pip install 'dehusk[train]'"),
    }
    missing = {name: f"needs {words}" for name, (module, words) in needs.items() if find_spec(module) is None}
    return {name: missing.get(name, "") for name in METHODS}


def result_of(project: Project) -> dict[str, Any] | None:
    """Return the result that waits for a decision; None if there is none."""
    try:
        record = json.loads((_folder(project) / _RECORD).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) and _is_result(record) else None


def _is_result(record: dict[str, Any]) -> bool:
    """Return whether a record has what names a model; the project may be somebody else's."""
    return record.get("method") in tuple(METHODS) and bool(_DATE.match(str(record.get("at")))) and "rows" in record


def discard(project: Project) -> None:
    """Remove the result that waits for a decision."""
    remove(_folder(project))


def accept(project: Project) -> str:
    """Make the trained model the one that the studio cleans by; return its name.

    Raises:
        InputError: there is none, or its folder cannot be moved; or a link leads out of the project.
    """
    record = result_of(project)
    if record is None:
        raise InputError("there is no trained model to accept")
    name = _free_name(project, f"{record['method']}-{record['at'][:10]}")
    with explaining(f"the model cannot be moved to {project.models}"):
        project.inside(project.models).mkdir(parents=True, exist_ok=True)
        (_folder(project) / _MODEL).rename(project.models / name)
    set_default_model(project, name)
    discard(project)
    return name


class StudioTraining(BackgroundWork[TrainingProgress]):
    """The training of a project: one at a time."""

    busy = "a training is under way"
    _child: Child[TrainingPage | TrainingStep, Any] | None = None

    def start(self, method: str, *, fill: bool = False, one_by_one: bool = False) -> None:
        """Start to train.

        Args:
            method: one of `METHODS`.
            fill: whether blocks without a label count, on training pages, as the project's method decides.
            one_by_one: whether to leave out labels that were given to a whole page, or a whole site, at once.

        Raises:
            ConfigError: the method is unknown, or cannot be trained here.
            GoldError: too few pages are labelled.
            InputError: a training is under way.
        """
        if method not in METHODS:
            raise ConfigError(unknown("method", method, METHODS))
        if problem := trainable_methods()[method]:
            raise ConfigError(f"{method} {problem}")
        plan, settings = plan_training(self._project, one_by_one=one_by_one), default_settings(self._project)
        require_trainable(plan)
        choice = TrainingChoice(method, (settings.method, settings.model), fill)
        progress = TrainingProgress(method=method, step="starting", of=len(plan.rows) + 2)
        self._begin(progress, lambda: self._train(plan, choice))

    def cancel(self) -> None:
        """End at once, without a result; one that waited before stays."""
        self._stopping.set()
        if self._child is not None:
            self._child.kill_until_over(self._thread)

    def _train(self, plan: TrainingPlan, choice: TrainingChoice) -> None:
        began = time.monotonic()
        self._child = Child(begin_training, choice, seconds=_SECONDS)
        with self._child as child:
            self._train_in(child, plan, choice, began)
        self._say(done=len(plan.rows) + 2, seconds=time.monotonic() - began)

    def _train_in(
        self, child: Child[TrainingPage | TrainingStep, Any], plan: TrainingPlan, choice: TrainingChoice, began: float
    ) -> None:
        notes = list(plan.notes)
        for number, row in enumerate(plan.rows):
            self._step(f"reading page {number + 1} of {len(plan.rows)}", number)
            if problem := child.work(self._page(row)).result:
                notes.append(f"page {row.page} is left out: {problem}")
        with replacing(_folder(self._project), owner=str(threading.get_ident())) as temporary:
            temporary.mkdir(parents=True)
            self._step(f"training {choice.method}", len(plan.rows))
            if note := child.work(TrainingStep("train", temporary / _MODEL)).result:
                notes.append(note)
            self._step("judging the pages kept aside", len(plan.rows) + 1)
            rows = child.work(TrainingStep("judge", temporary)).result
            facts = plan.plain() | {
                "notes": notes,
                "method": choice.method,
                "before": choice.before,
                "fill": choice.fill,
            }
            at, spent = datetime.now(UTC).isoformat(timespec="seconds"), round(time.monotonic() - began, 1)
            record = facts | {"rows": rows, "at": at, "seconds": spent}
            (temporary / _RECORD).write_text(json.dumps(record), "utf-8")
            self._check()

    def _page(self, row: LabelledRow) -> TrainingPage:
        body = read_body(self._project, row.page)
        return TrainingPage(
            row.page, row.title, row.site, row.source, body.data, body.url, dict(body.headers), row.codes, row.is_aside
        )

    def _step(self, step: str, done: int) -> None:
        self._check()
        self._say(step=step, done=done)


def figures(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return precision, recall and F1 of words before and after: of all pages, by input, by site and by page.

    Args:
        rows: of a result; each has for each side the words in common, kept, and of the gold.
    """
    sides = [side for side in _SIDES if rows and side in rows[0]]
    groups: dict[str, dict[str, list[dict[str, Any]]]] = {"source": defaultdict(list), "site": defaultdict(list)}
    for row in rows:
        for name, members in groups.items():
            members[row[name]].append(row)
    return {
        "sides": sides,
        "all": _figures_of(rows, sides),
        **{
            name: [{"name": key, "pages": len(own)} | _figures_of(own, sides) for key, own in sorted(members.items())]
            for name, members in groups.items()
        },
        "page": [{"page": row["page"], "name": row["title"]} | _figures_of([row], sides) for row in rows],
    }


def _figures_of(rows: Sequence[dict[str, Any]], sides: Sequence[str]) -> dict[str, Any]:
    """Return the mean F1 over pages, and precision and recall of all words together."""
    found = {}
    for side in sides:
        bags = [WordBag(*row[side]) for row in rows]
        pooled = reduce(add, bags)
        found[side] = {
            "f1": sum(bag.f1 for bag in bags) / len(bags),
            "precision": pooled.precision,
            "recall": pooled.recall,
        }
    return found


def _folder(project: Project) -> Path:
    return project.folder / "training"


def _free_name(project: Project, stem: str) -> str:
    number = 1
    while (project.models / (name := f"{stem}-{number}")).exists():
        number += 1
    return name
