"""What the process that trains does: it reads labelled pages, trains, and judges the models on pages kept aside."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import dehusk
from dehusk.base.errors import ConfigError, DehuskError, unknown
from dehusk.blocks import segment
from dehusk.blocks.annotation import UNLABELLED, Annotation, Codes
from dehusk.blocks.labels import OTHER
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
from dehusk.label.victor import Victor, load_config
from dehusk.read import parse
from dehusk.read.page import Page
from dehusk.studio.suggesting import suggested_codes

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
        self._trained: PageMethod | None = None

    def add(self, item: TrainingPage) -> str:
        """Take a page; return why it cannot be used, "" if it can."""
        page = parse(item.data, item.url or None, item.headers)
        codes, blocks = np.frombuffer(item.codes, dtype=np.int8), segment(page)
        if len(codes) != len(blocks):
            return "its labels are of another version of the page"
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
        """Return for each page kept aside the overlap of words before and after, as plain values."""
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
            page.release()
            rows.append(row)
        return rows

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
