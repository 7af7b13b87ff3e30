"""The formulas of `dehusk.label.united.net` in PyTorch, which computes their gradients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from dehusk.label.united.inputs import GROUP_COUNT, NAME_ROWS, TAG_ROWS, TAGS, TEXT_ROWS, Bags
from dehusk.label.united.net import Net
from dehusk.label.united.rounding import ARITHMETIC, COLUMN_STEPS, LARGEST, MEAN_STEPS, ROW_STEPS, STEPS

if TYPE_CHECKING:
    import torch

    from dehusk.lab.train.net_pages import Batch

Floats = npt.NDArray[np.float32]
Index = npt.NDArray[np.intp]
Parameters = dict[str, "torch.Tensor"]

_FIXED = ("columns.is_log", "columns.mean", "columns.scale", "distances")
"""Arrays of a net that are not trained."""
_LOWEST = -1e9
_EMBEDDING = 0.3  # standard deviation of the embeddings at the start


@dataclass(frozen=True)
class Shape:
    """The shape of a net."""

    columns: int
    styles: int
    width: int
    pooled: int
    word_width: int
    tag_width: int
    layers: int

    @property
    def inputs(self) -> int:
        """Number of inputs of a block."""
        return self.columns + TAGS * self.tag_width + 2 * self.word_width


def random_parameters(shape: Shape, random: np.random.Generator) -> Parameters:
    """Return parameters to start from: a net that gives every block the log-odds of its bias."""
    d, pools = shape.width, GROUP_COUNT * shape.pooled
    linear = {"inp": (d, shape.inputs), "out": (1, d)}
    for layer in range(shape.layers):
        for name, size in {"a": (d, d), "v": (pools, d), "o": (d, 3 * d + 2 * pools), "p": (d, d)}.items():
            linear[f"layer.{layer}.{name}"] = size
    arrays: dict[str, Floats] = {}
    for name, size in linear.items():
        bound = 0.0 if name.endswith(".p") else size[1] ** -0.5
        arrays[f"{name}.weight"] = random.uniform(-bound, bound, size).astype(np.float32)
        arrays[f"{name}.bias"] = random.uniform(-bound, bound, size[0]).astype(np.float32)
    tables = {
        "tag": (TAG_ROWS, shape.tag_width),
        "name": (NAME_ROWS, shape.word_width),
        "text": (TEXT_ROWS, shape.word_width),
    }
    for name, size in tables.items():
        arrays[f"{name}.weight"] = random.normal(0, _EMBEDDING, size).astype(np.float32)
    arrays["style.weight"] = np.zeros((shape.styles, d), dtype=np.float32)
    return _tensors(arrays)


def as_parameters(net: Net) -> Parameters:
    """Return the arrays of a net that are trained; its inputs are not in whole numbers here, but in units."""
    arrays = {name: array for name, array in net.weights.items() if name not in (*_FIXED, "steps")}
    return _tensors({**arrays, "inp.weight": arrays["inp.weight"] / _units(arrays)})


def as_net(parameters: Mapping[str, torch.Tensor], fixed: Mapping[str, Floats]) -> Net:
    """Return the net of parameters and of the arrays that are not trained."""
    weights = {name: value.detach().numpy().copy() for name, value in parameters.items()}
    weights["inp.weight"] *= _units(weights)
    return Net({**weights, **fixed, "steps": ARITHMETIC})


def fixed_arrays(net: Net) -> dict[str, Floats]:
    """Return the arrays of a net that are not trained."""
    return {name: net.weights[name] for name in _FIXED}


def _tensors(arrays: Mapping[str, Floats]) -> Parameters:
    import torch

    return {name: torch.tensor(array, requires_grad=True) for name, array in arrays.items()}


def _units(weights: Mapping[str, Floats]) -> Floats:
    """Return what one unit of each input is in units of whole numbers within the layers, shape (inputs,)."""
    tag, name, text = (weights[f"{part}.weight"].shape[1] for part in ("tag", "name", "text"))
    rows, means = TAGS * tag, name + text
    columns = weights["inp.weight"].shape[1] - rows - means
    steps = np.repeat([COLUMN_STEPS, ROW_STEPS, MEAN_STEPS], [columns, rows, means])
    return (STEPS / steps).astype(np.float32)


@dataclass(frozen=True, eq=False)
class Feed:
    """What the net sees of a batch, as tensors."""

    columns: torch.Tensor
    tags: torch.Tensor
    names: tuple[torch.Tensor, torch.Tensor]
    chain: torch.Tensor
    texts: tuple[torch.Tensor, torch.Tensor]
    groups: Sequence[torch.Tensor]
    style: torch.Tensor
    first: Index
    end: Index

    @classmethod
    def of(cls, batch: Batch, columns: Floats) -> Feed:
        """Convert a batch, with its scaled columns."""
        import torch

        inputs = batch.inputs
        return cls(
            columns=torch.from_numpy(columns),
            tags=torch.from_numpy(inputs.tags.astype(np.int64)),
            names=_bag_tensors(inputs.names),
            chain=torch.from_numpy(inputs.chain.astype(np.int64)),
            texts=_bag_tensors(inputs.texts),
            groups=[torch.from_numpy(group.astype(np.int64)) for group in inputs.groups],
            style=torch.from_numpy(batch.style.astype(np.int64)),
            first=batch.first,
            end=batch.end,
        )


def forward(parameters: Parameters, feed: Feed, distances: Sequence[int], dropout: float) -> torch.Tensor:
    """Return the log-odds of the blocks, shape (b,).

    Args:
        parameters: the parameters of the net.
        feed: what it sees.
        distances: distance of the neighbours of each layer.
        dropout: share of the numbers in the layers that are dropped; 0 for none.
    """
    import torch
    from torch.nn import functional

    tables = {name: _rounded(parameters[f"{name}.weight"], ROW_STEPS) for name in ("tag", "name", "text")}
    tags = tables["tag"][feed.tags].flatten(1)
    names = functional.embedding_bag(feed.names[0], tables["name"], feed.names[1], mode="mean")[feed.chain]
    texts = functional.embedding_bag(feed.texts[0], tables["text"], feed.texts[1], mode="mean")
    means = [_rounded(mean, MEAN_STEPS) for mean in (names, texts)]
    x = torch.cat([_rounded(feed.columns, COLUMN_STEPS), tags, *means], dim=1)
    h = _linear(parameters, "inp", x) + parameters["style.weight"][feed.style]
    sizes = [torch.bincount(group).clamp(min=1)[:, None].float() for group in feed.groups]
    for number, distance in enumerate(distances):
        h = h + _layer(parameters, f"layer.{number}", h, feed, sizes, distance=distance, dropout=dropout)
    return _linear(parameters, "out", _norm(h))[:, 0]


def _layer(  # noqa: PLR0913 (the parts of the formula)
    parameters: Parameters,
    name: str,
    h: torch.Tensor,
    feed: Feed,
    sizes: Sequence[torch.Tensor],
    *,
    distance: int,
    dropout: float,
) -> torch.Tensor:
    import torch
    from torch.nn import functional

    u = _norm(h)
    z = _rounded(functional.relu(_linear(parameters, f"{name}.a", u)), STEPS)
    v = _rounded(_linear(parameters, f"{name}.v", u), STEPS)
    padded = torch.cat([z, z.new_zeros(1, z.shape[1])])
    parts = [z, *(padded[_neighbours(feed, offset)] for offset in (-distance, distance))]
    for values, group, size in zip(v.chunk(len(feed.groups), dim=1), feed.groups, sizes, strict=True):
        mean = values.new_zeros(len(size), values.shape[1]).index_add(0, group, values) / size
        lowest = values.new_full((len(size), values.shape[1]), _LOWEST)
        highest = lowest.scatter_reduce(0, group[:, None].expand_as(values), values, "amax")
        parts += [_rounded(mean, STEPS)[group], highest[group]]
    hidden = _rounded(functional.relu(_linear(parameters, f"{name}.o", torch.cat(parts, dim=1))), STEPS)
    return _linear(parameters, f"{name}.p", functional.dropout(hidden, dropout, training=dropout > 0))


def _neighbours(feed: Feed, offset: int) -> torch.Tensor:
    """Return the block at a distance from each block on the same page; the number of blocks where there is none."""
    import torch

    index = np.arange(len(feed.first)) + offset
    index[(index < feed.first) | (index >= feed.end)] = len(index)
    return torch.from_numpy(index)


def _linear(parameters: Parameters, name: str, x: torch.Tensor) -> torch.Tensor:
    return x @ parameters[f"{name}.weight"].T + parameters[f"{name}.bias"]


def _norm(h: torch.Tensor) -> torch.Tensor:
    from torch.nn import functional

    return _rounded(functional.layer_norm(h, h.shape[1:], eps=1e-5), STEPS)


def _rounded(x: torch.Tensor, steps: float) -> torch.Tensor:
    """Return values as the net rounds them to 8-bit integers; the gradient is that of clipping alone."""
    clipped = x.clamp(-LARGEST / steps, LARGEST / steps)
    return clipped + ((clipped * steps).round() / steps - clipped).detach()


def _bag_tensors(bags: Bags) -> tuple[torch.Tensor, torch.Tensor]:
    import torch

    return torch.from_numpy(bags.row.astype(np.int64)), torch.from_numpy(bags.start[:-1].astype(np.int64))
