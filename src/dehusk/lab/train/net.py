"""Train the net of the united labeller with PyTorch (extra `train`).

The formulas are those of `dehusk.label.united.net`, the rounding included, of which the gradient is that of clipping;
the parameters have the same names. The loss of a batch is the
cross-entropy of its blocks, weighted as `NetPage` says, plus `facts` times the mean of -log p over the blocks that hold
facts on pages that are unlabelled otherwise (positive-unlabelled pages: nothing is said of their other blocks). If a
teacher has left hints, its probabilities of all blocks, the loss is `labels` times this plus 1 - `labels` times the
cross-entropy with the hints (Hinton et al., *Distilling the knowledge in a neural network*, 2015). AdamW
(Loshchilov & Hutter 2019) takes the steps; the result is the exponential moving average of the parameters.

Against learning sites by heart: random stretches of a page are left out, columns get noise, and whole columns, words of
names, words of texts and tags are dropped page by page. A word of a name is dropped on the whole page, because one name
recurs in all blocks of a kind. Dropped inputs let the net work without them, so that `reasons` can leave them out.

The same pages in the same order with the same seed give the same bytes on one machine: one thread, fixed generators.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dehusk.base.extras import require
from dehusk.lab.train.net_pages import Batch, NetPage, drop_words, make_batch, without_stretch
from dehusk.lab.train.torch_net import Feed, Shape, as_net, as_parameters, fixed_arrays, forward, random_parameters
from dehusk.label.united.columns import GROUPS, NAMES
from dehusk.label.united.inputs import NAME_ROWS, NO_TAG
from dehusk.label.united.net import Net

if TYPE_CHECKING:
    import torch

Floats = npt.NDArray[np.float32]
Generator = np.random.Generator

CLIP = 5.0
"""Scaled columns are clipped to ±CLIP."""


@dataclass(frozen=True)
class Schedule:
    """The shape of the net and how it is trained; chosen by cross-validation over sites (docs/united-training.md)."""

    width: int = 64
    """d, numbers per block."""
    pooled: int = 16
    """Numbers per block that are pooled over each kind of group."""
    distances: tuple[int, ...] = (1, 2, 4)
    """Distance k of the neighbours that each layer sees; its length is the number of layers."""
    word_width: int = 16
    """Numbers per word."""
    tag_width: int = 8
    """Numbers per tag."""
    epochs: int = 10
    pages: int = 16
    """Pages per batch."""
    blocks: int = 12_000
    """Largest number of blocks in a batch of more than 4 pages; its longest pages wait for another epoch."""
    rate: float = 2e-3
    """Learning rate after the warm-up; it then falls as half a cosine wave."""
    warm_up: int = 100
    """Steps in which the rate grows to its full value; a tenth of all steps if that is less."""
    decay: float = 0.02
    """Weight decay."""
    dropout: float = 0.15
    facts: float = 0.3
    """Weight of pages of which only facts are known."""
    labels: float = 0.3
    """Weight of labels and facts if a teacher has left hints; the hints have the rest."""
    seed: int = 1


SHAPE = ("width", "pooled", "distances", "word_width", "tag_width")
"""The parts of a schedule that a net to start from replaces."""

_NOISE, _NO_COLUMN, _NO_LEXICON = 0.1, 0.08, 0.25
_STRETCH, _TAG_RATE, _NO_NAME, _NO_TEXT, _NO_WORDS = 0.3, 0.05, 0.4, 0.35, 0.15
_AVERAGE = 0.998
_CLIP = 1.0  # largest norm of a gradient
_SHORT = 10  # blocks of a page of which no stretch is left out
_FEW = 4  # pages of a batch that may have any number of blocks
_SAMPLE = 7  # columns are measured on every seventh block
_LOG = 2.0  # columns with values above are taken in logarithms
_LEXICON = np.array([GROUPS[name.partition(".")[0]] == "names of classes" for name in NAMES])


def train_net(
    pages: Sequence[NetPage], schedule: Schedule | None = None, *, styles: int, start: Net | None = None
) -> Net:
    """Train a net; its weights are rounded as in a model folder, so that it is judged as it is shipped.

    Args:
        pages: pages with labels.
        schedule: how to train.
        styles: number of styles.
        start: a net to start from, whose shape replaces that of the schedule; None to start from random numbers.

    Raises:
        MissingExtraError: PyTorch is not installed.
    """
    torch = require("torch", extra="train", purpose="training the united labeller")
    schedule = schedule or Schedule()
    torch.set_num_threads(1)
    torch.manual_seed(schedule.seed)
    trainer = _Trainer(pages, schedule, styles, start)
    for _ in range(schedule.epochs):
        trainer.epoch()
    return Net.from_arrays(as_net(trainer.average, trainer.fixed).arrays())


class _Trainer:
    """A net in training."""

    def __init__(self, pages: Sequence[NetPage], schedule: Schedule, styles: int, start: Net | None) -> None:
        import torch

        self.pages, self.schedule = pages, schedule
        self.random = np.random.default_rng(schedule.seed)
        if start is None:
            self.fixed = {**measure_columns(pages), "distances": np.array(schedule.distances, dtype=np.float32)}
            self.parameters = random_parameters(_shape(schedule, styles), self.random)
        else:
            self.fixed, self.parameters = fixed_arrays(start), as_parameters(start)
        self.average = {name: value.detach().clone() for name, value in self.parameters.items()}
        self.optimizer = torch.optim.AdamW(
            list(self.parameters.values()), lr=schedule.rate, weight_decay=schedule.decay, betas=(0.9, 0.98)
        )
        self.steps = max(1, schedule.epochs * math.ceil(len(pages) / schedule.pages))
        self.step = 0

    def epoch(self) -> None:
        """Train on the pages in random order, but for the longest of batches with too many blocks."""
        for numbers in self._batches():
            self._train([self.pages[number] for number in numbers])

    def _batches(self) -> Iterator[list[int]]:
        order = self.random.permutation(len(self.pages)).tolist()
        for start in range(0, len(order), self.schedule.pages):
            numbers = sorted(order[start : start + self.schedule.pages], key=lambda number: len(self.pages[number]))
            while len(numbers) > _FEW and sum(len(self.pages[n]) for n in numbers) > self.schedule.blocks:
                numbers.pop()
            yield numbers

    def _train(self, pages: Sequence[NetPage]) -> None:
        """Take one step."""
        import torch

        batch, columns = _augmented(pages, self.fixed, self.random)
        distances = self.fixed["distances"].astype(int).tolist()
        scores = forward(self.parameters, Feed.of(batch, columns), distances, self.schedule.dropout)
        loss = _loss(scores, batch, self.schedule)
        warmth = min(1.0, (self.step + 1) / max(1, min(self.schedule.warm_up, self.steps // 10)))
        fall = 0.51 + 0.5 * math.cos(math.pi * self.step / self.steps)
        for group in self.optimizer.param_groups:
            group["lr"] = self.schedule.rate * warmth * fall
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(list(self.parameters.values()), _CLIP)
        self.optimizer.step()
        self.step += 1
        weight = min(_AVERAGE, (1 + self.step) / (10 + self.step))
        with torch.no_grad():
            for name, value in self.parameters.items():
                self.average[name].lerp_(value, 1 - weight)


def _shape(schedule: Schedule, styles: int) -> Shape:
    return Shape(
        columns=len(NAMES),
        styles=styles,
        width=schedule.width,
        pooled=schedule.pooled,
        word_width=schedule.word_width,
        tag_width=schedule.tag_width,
        layers=len(schedule.distances),
    )


def measure_columns(pages: Sequence[NetPage]) -> dict[str, Floats]:
    """Return the arrays that scale the columns (`scale_columns`), each of shape (k,)."""
    columns = np.concatenate([page.inputs.columns for page in pages], axis=1)[:, ::_SAMPLE].astype(np.float32)
    is_log = columns.max(axis=1, initial=0) > _LOG
    columns[is_log] = np.copysign(np.log1p(np.abs(columns[is_log])), columns[is_log])
    return {
        "columns.is_log": is_log.astype(np.float32),
        "columns.mean": columns.mean(axis=1),
        "columns.scale": columns.std(axis=1) + np.float32(0.01),
    }


def scale_columns(columns: Floats, is_log: Floats, mean: Floats, scale: Floats) -> Floats:
    """Return columns, shape (k, b), as inputs of the net, shape (b, k).

    Args:
        columns: (k, b) the columns.
        is_log: (k,) 1 for columns of which sign(x) log(1 + |x|) is taken.
        mean: (k,) mean of the column, after the logarithm.
        scale: (k,) its standard deviation.
    """
    x = columns.astype(np.float32)
    logs = is_log.nonzero()[0]
    values = x.take(logs, axis=0)
    x[logs] = np.copysign(np.log1p(np.abs(values.astype(np.float64))), values)
    x -= mean[:, None]
    x /= scale[:, None]
    return np.ascontiguousarray(x.clip(-CLIP, CLIP, out=x).T)


def _augmented(pages: Sequence[NetPage], fixed: dict[str, Floats], random: Generator) -> tuple[Batch, Floats]:
    """Return a batch of pages and its scaled columns, changed at random."""
    cut = [
        without_stretch(page, random) if len(page) > _SHORT and random.random() < _STRETCH else page for page in pages
    ]
    batch = make_batch(cut, [int(random.choice(page.styles)) for page in pages])
    inputs = batch.inputs
    columns = scale_columns(inputs.columns, *(fixed[f"columns.{name}"] for name in ("is_log", "mean", "scale")))
    columns += random.normal(0, _NOISE, columns.shape).astype(np.float32)
    seen = random.random((len(pages), columns.shape[1])) >= _NO_COLUMN
    seen[np.ix_(random.random(len(pages)) < _NO_LEXICON, _LEXICON)] = False
    columns *= seen[batch.page]
    tags = np.where(random.random(inputs.tags.shape) < _TAG_RATE, NO_TAG, inputs.tags)
    page_of_chain = np.zeros(len(inputs.names.start) - 1, dtype=np.intp)
    page_of_chain[inputs.chain] = batch.page
    names = drop_words(
        inputs.names, _dropped_names(inputs.names.row, np.repeat(page_of_chain, np.diff(inputs.names.start)), random)
    )
    rate = np.where(random.random(len(pages)) < _NO_WORDS, 1.0, _NO_TEXT)[
        np.repeat(batch.page, np.diff(inputs.texts.start))
    ]
    texts = drop_words(inputs.texts, random.random(len(rate)) < rate)
    return replace(batch, inputs=replace(inputs, tags=tags, names=names, texts=texts)), columns


def _dropped_names(rows: npt.NDArray[np.int32], page: npt.NDArray[np.intp], random: Generator) -> npt.NDArray[np.bool_]:
    """Return which words of names are dropped; a word has the same fate on its whole page."""
    pages = int(page.max(initial=-1)) + 1
    rate = np.where(random.random(pages) < _NO_WORDS, 1.0, _NO_NAME)
    fate = random.random((pages, NAME_ROWS)) if pages else np.zeros((0, NAME_ROWS))
    dropped: npt.NDArray[np.bool_] = fate[page, rows] < rate[page]
    return dropped


def _loss(scores: torch.Tensor, batch: Batch, schedule: Schedule) -> torch.Tensor:
    import torch
    from torch.nn import functional

    def entropy(target: Floats, weight: Floats) -> torch.Tensor:
        return functional.binary_cross_entropy_with_logits(
            scores, torch.from_numpy(target), weight=torch.from_numpy(weight), reduction="sum"
        )

    facts = (torch.from_numpy(batch.positive) * functional.softplus(-scores)).sum()
    own = (entropy(batch.content, batch.weight) + schedule.facts * facts) / batch.labelled_pages
    if not batch.hint_weight.any():
        return own
    hints = entropy(batch.hint, batch.hint_weight) / (int(batch.page[-1]) + 1)
    return schedule.labels * own + (1 - schedule.labels) * hints
