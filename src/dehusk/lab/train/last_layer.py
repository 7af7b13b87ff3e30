"""Fit the last layer of the united labeller to a few labelled pages, without PyTorch.

The net's last vectors LN(h) say what each block is like; the last layer, w and w₀, says which of that is content.
Fifteen pages do not suffice to train 300,000 numbers, but they do for these 65: they are fitted by logistic regression
with a Gaussian prior around the values s that they start from,

    min over w   sum over blocks of  weight * cross-entropy  +  strength / 2 * |w - s|²

by Newton's method; there is one solution. A strong prior leaves the model as it is, a weak one follows
the pages. The strength is chosen by cross-validation over sites, by the cross-entropy of pages of sites left out: the
strongest prior that is within one standard error of the best (Breiman et al., *Classification and regression trees*,
1984). "As it is" is among the choices, so that pages labelled by the usual convention do no harm.

The result is a model like the one it starts from, and as fast.
"""

from __future__ import annotations

import os
from _thread import allocate_lock  # as `threading.Lock`, without the millisecond that importing it takes
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dehusk.base.extras import require
from dehusk.lab.gold.splits import folds_by_page
from dehusk.lab.train.labelled_pages import model_card
from dehusk.lab.train.net_pages import NetPage
from dehusk.lab.train.united import TrainingSet, require_labels
from dehusk.label.united import United
from dehusk.label.united.net import Net

Reals = npt.NDArray[np.float64]


if TYPE_CHECKING:
    from threadpoolctl import LibController

STRENGTHS = (100.0, 30.0, 10.0, 3.0, 1.0, 0.3, 0.1, 0.03, 0.01)
"""Strengths of the prior that are tried, from strong to weak; the labels of a page weigh about 1 together."""
_FOLDS = 8
_MOST_STEPS, _MOST_HALVINGS = 50, 30
_CLOSE = 1e-9  # a step that lowers the loss by a smaller share is the last


@dataclass(frozen=True, eq=False)
class _Examples:
    """The labelled blocks of a page."""

    vectors: Reals
    """(b, d + 1) the last vectors, and 1 for w₀."""
    content: Reals
    weight: Reals

    @classmethod
    def of(cls, page: NetPage, net: Net) -> _Examples:
        labelled = np.flatnonzero(page.weight > 0)
        vectors = net.last_vectors(page.inputs, page.styles[0])[labelled]
        ones = np.ones((len(labelled), 1))
        return cls(
            np.hstack([vectors, ones]), page.content[labelled].astype(float), page.weight[labelled].astype(float)
        )

    def loss(self, layer: Reals) -> float:
        """Return the weighted cross-entropy."""
        scores = self.vectors @ layer
        return float(self.weight @ (np.logaddexp(0, scores) - self.content * scores))

    def slopes(self, layer: Reals) -> tuple[Reals, Reals]:
        """Return the gradient, shape (d + 1,), and the matrix of second derivatives of the loss."""
        p = 0.5 * (1 + np.tanh(0.5 * (self.vectors @ layer)))
        curvature = self.vectors.T @ (self.vectors * (self.weight * p * (1 - p))[:, None])
        return self.vectors.T @ (self.weight * (p - self.content)), curvature


def fit_last_layer(pages: TrainingSet, start: United) -> United:
    """Return a model with another last layer, or with the same one if no other is better on sites left out.

    The card says by `prior` which strength was chosen, None if the layer is as it was, and by `held-out` the mean
    cross-entropy of a page of a site left out, before and after.

    Args:
        pages: pages with labels, all of one style.
        start: the model to start from.

    Raises:
        GoldError: no page is usable, or the usable pages contain only content or only noise.
    """
    used = [(page, inputs) for page, inputs in zip(pages.pages, pages.inputs, strict=True) if inputs is not None]
    require_labels([inputs for _, inputs in used])
    own = [page for page, _ in used]
    with one_thread:
        examples = [_Examples.of(inputs, start.net) for _, inputs in used]
        layer = np.concatenate([start.net.weights["out.weight"][0], start.net.weights["out.bias"]]).astype(float)
        losses = _held_out(examples, _folds([page.site for page in own]), layer)
        best = _strongest(losses)
        if best:
            layer = _paths(examples, layer, STRENGTHS[:best])[-1]
    model = United(start.net if not best else _with_layer(start.net, layer), start.weights, styles=start.styles)
    chosen = {"prior": STRENGTHS[best - 1] if best else None, "held-out": losses[[0, best]].mean(axis=1).tolist()}
    model.card = {**model_card(own), "start": {key: start.card.get(key) for key in ("version", "pages-hash")}, **chosen}
    return model


def _folds(sites: Sequence[str]) -> npt.NDArray[np.int64]:
    """Return the fold of each page: by site, by page if there is one site."""
    names = sorted(set(sites))
    if len(names) == 1:
        return folds_by_page(len(sites), min(_FOLDS, len(sites))) if len(sites) > 1 else np.zeros(1, dtype=np.int64)
    of_site = dict(zip(names, folds_by_page(len(names), min(_FOLDS, len(names))).tolist(), strict=True))
    return np.array([of_site[site] for site in sites], dtype=np.int64)


def _held_out(examples: Sequence[_Examples], folds: npt.NDArray[np.int64], layer: Reals) -> Reals:
    """Return the loss of each page when it is left out, with the layer as it is and for each of `STRENGTHS`.

    The shape is (1 + strengths, pages).
    """
    losses = np.zeros((1 + len(STRENGTHS), len(examples)))
    for fold in np.unique(folds).tolist():
        seen = [own for own, number in zip(examples, folds, strict=True) if number != fold]
        layers = [layer, *(_paths(seen, layer, STRENGTHS) if seen else [layer] * len(STRENGTHS))]
        for page in np.flatnonzero(folds == fold).tolist():
            losses[:, page] = [examples[page].loss(each) for each in layers]
    return losses


def _strongest(losses: Reals) -> int:
    """Return the first choice whose mean loss is within one standard error of the least."""
    beyond = losses - losses[losses.mean(axis=1).argmin()]
    error = beyond.std(axis=1, ddof=1) / np.sqrt(losses.shape[1]) if losses.shape[1] > 1 else np.zeros(len(losses))
    return int(np.argmax(beyond.mean(axis=1) <= error))


def _paths(examples: Sequence[_Examples], start: Reals, strengths: Sequence[float]) -> list[Reals]:
    """Return the layer for each strength; each begins at the one before, which is near."""
    layers = [start]
    for strength in strengths:
        layers.append(_fitted(examples, start, strength, layers[-1]))
    return layers[1:]


def _fitted(examples: Sequence[_Examples], prior: Reals, strength: float, layer: Reals) -> Reals:
    def loss(each: Reals) -> float:
        return sum(own.loss(each) for own in examples) + 0.5 * strength * float((each - prior) @ (each - prior))

    now = loss(layer)
    for _ in range(_MOST_STEPS):
        slopes = [own.slopes(layer) for own in examples]
        gradient = np.sum([first for first, _ in slopes], axis=0) + strength * (layer - prior)
        curvature = np.sum([second for _, second in slopes], axis=0) + strength * np.eye(len(layer))
        step = np.linalg.solve(curvature, gradient)
        tried = ((each := layer - step / 2**halved, loss(each)) for halved in range(_MOST_HALVINGS))
        lower = next((found for found in tried if found[1] < now), None)
        if lower is None:
            break
        before, (layer, now) = now, lower
        if before - now <= _CLOSE * before:
            break
    return layer


def _with_layer(net: Net, layer: Reals) -> Net:
    """Return a net with another last layer, rounded as in a model folder."""
    own = {"out.weight": layer[None, :-1].astype(np.float32), "out.bias": layer[-1:].astype(np.float32)}
    return Net.from_arrays(Net({**net.weights, **own}).arrays())


# ---------------------------------------------------------------- threads
# For the small products of a net, a pool of threads of BLAS costs more than it brings.


class BlasLimit:
    """Limits BLAS to one thread while any thread of the program runs a net, and then restores what was set before.

    The number belongs to the whole process: if each call restored what it found, the last of several calls that run at
    the same time would restore the limit of another.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget the other threads, which do not exist in a child process; one may have held the lock."""
        self.lock, self.users = allocate_lock(), 0
        self.before: list[tuple[LibController, int]] = []  # what had more than one thread, and how many

    def __enter__(self) -> None:
        with self.lock:
            self.users += 1
            if self.users == 1:
                counts = [(library, library.get_num_threads()) for library in _blas()]
                self.before = [(library, number) for library, number in counts if number and number > 1]
                for library, _ in self.before:
                    library.set_num_threads(1)

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self.users -= 1
            if not self.users:
                for library, number in self.before:
                    library.set_num_threads(number)


@cache
def _blas() -> tuple[LibController, ...]:
    """Return the BLAS libraries of the process; finding them takes a millisecond."""
    control = require("threadpoolctl", extra="train", purpose="training")
    return tuple(library for library in control.ThreadpoolController().lib_controllers if library.user_api == "blas")


one_thread = BlasLimit()
"""`with one_thread:` limits BLAS to one thread, in all threads of the program."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=one_thread.reset)
