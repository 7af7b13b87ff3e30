"""A small net over the blocks of a page, as arrays.

Each block has a vector h of d numbers. The input layer makes it from the block's columns (in logarithms, centred and
scaled), its tags, the means of the embeddings of its words, and the style s:

    h = W x + b + S[s]

In each layer, a block sees its neighbours at distance k and the groups that it is in (blocks of the same path, of each
enclosing container, of the page). With LN the layer normalisation (Ba et al. 2016) and ReLU(x) = max(x, 0):

    u = LN(h)    z = ReLU(A u + a)    v = V u + c
    f = z[i], z[i - k], z[i + k], and the mean and the maximum of v over each group of block i
    h = h + P ReLU(O f + o) + p

The log-odds of being content are w LN(h) + w₀. Pools over sets are those of Zaheer et al., *Deep sets*, 2017;
neighbours at growing distances those of van den Oord et al., *WaveNet*, 2016. `dehusk.train.net` trains the net with
PyTorch; numpy runs it, in one thread: for products this small, a pool of BLAS threads costs more than it brings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.blas import one_thread
from dehusk.caching import cached_property
from dehusk.methods.united.inputs import GROUP_COUNT, NAME_ROWS, NO_TAG, TAG_ROWS, TAGS, TEXT_ROWS, Bags, NetInputs

Floats = npt.NDArray[np.float32]
Reals = npt.NDArray[np.float64]

CLIP = 5.0
"""Scaled columns are clipped to ±CLIP."""
_EPSILON = np.float32(1e-5)
_SCALES = ".scales"  # suffix of the array with the scales of the rows of a matrix of 8-bit integers
_SCALE_STEPS = 1 << 16
_COLUMNS = ("columns.is_log", "columns.mean", "columns.scale")


@dataclass(frozen=True)
class LeftOut:
    """Inputs to leave out, to see what they contribute: they get the values of a typical block."""

    columns: Sequence[int] = ()
    tags: bool = False
    names: bool = False
    texts: bool = False


@dataclass(frozen=True, eq=False)
class Net:
    """The weights of a net: name -> array; matrices have the shape (outputs, inputs).

    Raises:
        ValueError: an array is missing, is not finite or does not fit the others.
    """

    weights: Mapping[str, Floats]

    def __post_init__(self) -> None:
        try:
            shapes = self._shapes()
            wrong = [name for name, shape in shapes.items() if self.weights[name].shape != shape]
        except KeyError as error:
            raise ValueError(f"the net lacks the array {error}") from error
        except IndexError as error:
            raise ValueError("a matrix of the net is not a matrix") from error
        if unknown := sorted(self.weights.keys() - shapes.keys()):
            raise ValueError(f"array {unknown[0]} of the net belongs to no layer")
        if wrong:
            name = wrong[0]
            raise ValueError(f"array {name} of the net has the shape {self.weights[name].shape}, not {shapes[name]}")
        self._check_values()

    def scores(self, inputs: NetInputs, style: int, left_out: LeftOut | None = None) -> Reals:
        """Return the log-odds of each block, shape (b,).

        Args:
            inputs: the inputs of a page.
            style: row of the style's vector.
            left_out: inputs to leave out.
        """
        with one_thread:
            h = self._embed(inputs, style, left_out or LeftOut())
            groups = _Groups.of(inputs.groups)
            for layer in self._layers:
                layer.update(h, groups)
            scores = _linear(_normalise(h), *_normalised(self.weights, "out", "ln"))
        reals: Reals = scores[:, 0].astype(np.float64)
        return reals

    @property
    def styles(self) -> int:
        """Number of styles that have a vector."""
        return len(self.weights["style.weight"])

    def _embed(self, inputs: NetInputs, style: int, left_out: LeftOut) -> Floats:
        """Return the vectors of the blocks before the first layer, shape (b, d)."""
        weights = self.weights
        columns = scale_columns(inputs.columns, *(weights[name] for name in _COLUMNS))
        columns[:, list(left_out.columns)] = 0
        tags = weights["tag.weight"].take(inputs.tags, axis=0).reshape(len(inputs), -1)
        names = _means(weights["name.weight"], inputs.names).take(inputs.chain, axis=0)
        texts = _means(weights["text.weight"], inputs.texts)
        no_tags = np.tile(weights["tag.weight"][NO_TAG], TAGS)
        for part, is_left_out, instead in (
            (tags, left_out.tags, no_tags),
            (names, left_out.names, np.float32(0)),
            (texts, left_out.texts, np.float32(0)),
        ):
            if is_left_out:
                part[:] = instead
        x = np.concatenate([columns, tags, names, texts], axis=1)
        return _linear(x, self._input, weights["inp.bias"] + weights["style.weight"][style])

    @cached_property
    def _input(self) -> Floats:
        """W, transposed."""
        return np.ascontiguousarray(self.weights["inp.weight"].T)

    @cached_property
    def _layers(self) -> list[_Layer]:
        return [_Layer.of(self.weights, number) for number in range(len(self.weights["distances"]))]

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the shapes that the arrays must have to fit each other."""
        weights = self.weights
        d, k, styles = weights["inp.weight"].shape[0], weights["columns.mean"].size, weights["style.weight"].shape[0]
        tag, name, text = (weights[f"{part}.weight"].shape[1] for part in ("tag", "name", "text"))
        shapes: dict[str, tuple[int, ...]] = {
            **dict.fromkeys(_COLUMNS, (k,)),
            "tag.weight": (TAG_ROWS, tag),
            "name.weight": (NAME_ROWS, name),
            "text.weight": (TEXT_ROWS, text),
            "style.weight": (styles, d),
            "inp.weight": (d, k + TAGS * tag + name + text),
            "out.weight": (1, d),
            "out.bias": (1,),
            "distances": (weights["distances"].size,),
            **dict.fromkeys(("inp.bias", "ln.weight", "ln.bias"), (d,)),
        }
        for number in range(weights["distances"].size):
            layer, v = f"layer.{number}.", weights[f"layer.{number}.v.bias"].size
            matrices = {"a": (d, d), "v": (v, d), "o": (d, 3 * d + 2 * v), "p": (d, d)}
            for part, size in matrices.items():
                shapes |= {f"{layer}{part}.weight": size, f"{layer}{part}.bias": size[:1]}
            shapes |= {f"{layer}ln.weight": (d,), f"{layer}ln.bias": (d,)}
        return shapes

    def _check_values(self) -> None:
        for name, array in self.weights.items():
            if not np.isfinite(array).all():
                raise ValueError(f"array {name} of the net is not finite")
        if not (self.weights["columns.scale"] > 0).all():
            raise ValueError("the scale of a column is not positive")
        if not (self.weights["distances"] >= 1).all():
            raise ValueError("the distance of a layer is less than 1")
        if any(len(layer.v[1]) % GROUP_COUNT for layer in self._layers):
            raise ValueError(f"the pools of a layer cannot be divided among {GROUP_COUNT} kinds of groups")

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays of a model folder; matrices as 8-bit integers with one scale per row."""
        arrays: dict[str, npt.NDArray[Any]] = {}
        for name, array in self.weights.items():
            if array.ndim < 2:
                arrays[name] = array
            else:
                arrays[name], arrays[name + _SCALES] = _quantise(array)
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> Net:
        """Return the net of a model folder; raises ValueError if arrays are missing or invalid."""
        weights = {
            name: array if array.ndim != 2 else array.astype(np.float32) * _scales_of(name, arrays)
            for name, array in arrays.items()
            if not name.endswith(_SCALES)
        }
        return cls({name: np.ascontiguousarray(array, dtype=np.float32) for name, array in weights.items()})


@dataclass(frozen=True, eq=False)
class _Groups:
    """The g groups of all partitions of the blocks, and how to pool values over all of them at once.

    The values are one matrix with a column per partition, flattened: the value of block i for partition j is row
    i * partitions + j. Groups of a single block are not pooled: the mean and the maximum are its value.
    """

    number: npt.NDArray[np.intp]
    """(partitions, b) group of each block in its partition."""
    bounds: list[int]
    """(partitions + 1,) the first group of each partition."""
    lead: npt.NDArray[np.intp]
    """(g,) row of the first block of each group."""
    several: npt.NDArray[np.intp]
    """(m,) the groups of more than one block."""
    rows: npt.NDArray[np.intp]
    """Rows of the blocks of these groups, group by group."""
    start: npt.NDArray[np.intp]
    """(m,) start of each of these groups in `rows`."""
    size: Floats
    """(m, 1) number of blocks of each of these groups."""

    @classmethod
    def of(cls, partitions: Sequence[npt.NDArray[np.intp]]) -> _Groups:
        """Sort the groups; of each partition, each number from 0 to the largest has a block."""
        number = np.array(partitions)
        bounds = np.append(0, np.cumsum(number.max(axis=1) + 1))
        group = (number + bounds[:-1, None]).ravel()
        order = np.argsort(group, kind="stable")
        size = np.bincount(group)
        blocks = number.shape[1]
        rows = order % blocks * len(number) + order // blocks
        several = np.flatnonzero(size > 1)
        pooled = size.take(several)
        return cls(
            number=number,
            bounds=bounds.tolist(),
            lead=rows.take(np.cumsum(size) - size),
            several=several,
            rows=np.compress(np.repeat(size > 1, size), rows),
            start=np.cumsum(pooled) - pooled,
            size=pooled[:, None].astype(np.float32),
        )

    def pool(self, values: Floats) -> Floats:
        """Return the mean and the maximum of each group, shape (g, 2e), of values of shape (b * partitions, e)."""
        lead = values.take(self.lead, axis=0)
        pooled = np.concatenate([lead, lead], axis=1)
        if len(self.several):
            ordered, e = values.take(self.rows, axis=0), values.shape[1]
            pooled[self.several, :e] = _sums(ordered, self.start) / self.size
            pooled[self.several, e:] = np.maximum.reduceat(ordered, self.start, axis=0)
        return pooled


@dataclass(frozen=True, eq=False)
class _Layer:
    """One layer: matrices as numpy multiplies them fastest, those with the same factor side by side; the distance k."""

    a: tuple[Floats, Floats]
    """(d, d), (d,) A and a, with the weights of the layer normalisation."""
    v: tuple[Floats, Floats]
    """(d, pools), (pools,) V and c, with the weights of the layer normalisation."""
    near: Floats
    """(d, 3d) the parts of O for z of the block, of the one before it and of the one after it."""
    pools: Floats
    """(pools of all groups, d) the part of O for the groups."""
    o: Floats
    """(d,)"""
    p: tuple[Floats, Floats]
    distance: int

    @classmethod
    def of(cls, weights: Mapping[str, Floats], number: int) -> _Layer:
        """Return a layer of a net."""

        def array(name: str) -> Floats:
            return weights[f"layer.{number}.{name}"]

        d = len(array("a.bias"))
        o = array("o.weight")
        norm = f"layer.{number}.ln"
        return cls(
            a=_normalised(weights, f"layer.{number}.a", norm),
            v=_normalised(weights, f"layer.{number}.v", norm),
            near=np.ascontiguousarray(np.concatenate([o[:, part * d : (part + 1) * d] for part in range(3)]).T),
            pools=np.ascontiguousarray(o[:, 3 * d :].T),
            o=array("o.bias"),
            p=(np.ascontiguousarray(array("p.weight").T), array("p.bias")),
            distance=int(weights["distances"][number]),
        )

    def update(self, h: Floats, groups: _Groups) -> None:
        """Add the layer's output to the vectors of the blocks, shape (b, d), in place."""
        b, d = h.shape
        u = _normalise(h)
        z = _linear(u, *self.a)
        near = np.maximum(z, 0, out=z) @ self.near
        hidden, k = near[:, :d] + self.o, min(self.distance, b)
        hidden[k:] += near[: b - k, d : 2 * d]
        hidden[: b - k] += near[k:, 2 * d :]
        pooled = groups.pool(_linear(u, *self.v).reshape(b * len(groups.number), -1))
        width, taken = pooled.shape[1], np.empty_like(hidden)
        for j, number in enumerate(groups.number):
            seen = pooled[groups.bounds[j] : groups.bounds[j + 1]] @ self.pools[j * width : (j + 1) * width]
            hidden += seen.take(number, axis=0, out=taken, mode="clip") if len(seen) > 1 else seen
        h += _linear(np.maximum(hidden, 0, out=hidden), *self.p)


def _linear(x: Floats, matrix: Floats, bias: Floats) -> Floats:
    y: Floats = x @ matrix
    y += bias
    return y


def scale_columns(columns: Floats, is_log: Floats, mean: Floats, scale: Floats) -> Floats:
    """Return columns, shape (k, b), as inputs of the net, shape (b, k).

    Args:
        columns: (k, b) the columns.
        is_log: (k,) 1 for columns of which sign(x) log(1 + |x|) is taken.
        mean: (k,) mean of the column, after the logarithm.
        scale: (k,) its standard deviation.
    """
    x = columns.astype(np.float32)
    logs = np.flatnonzero(is_log)
    values = x.take(logs, axis=0)
    x[logs] = np.copysign(np.log1p(np.abs(values)), values)
    x -= mean[:, None]
    x /= scale[:, None]
    return np.ascontiguousarray(np.clip(x, -CLIP, CLIP, out=x).T)


def _means(embedding: Floats, bags: Bags) -> Floats:
    """Return the mean of the rows of each bag, shape (bags, e); zeros for an empty bag."""
    size = np.diff(bags.start)
    filled = np.flatnonzero(size)
    means = np.zeros((len(size), embedding.shape[1]), dtype=np.float32)
    if len(filled):
        sums = _sums(embedding.take(bags.row, axis=0), bags.start.take(filled))
        means[filled] = sums / size.take(filled)[:, None].astype(np.float32)
    return means


def _sums(rows: Floats, start: npt.NDArray[np.intp]) -> Floats:
    """Return the sum of each run of rows; as pairs, complex numbers, two columns take the time of one."""
    if rows.shape[1] % 2:
        return np.add.reduceat(rows, start, axis=0)
    return np.add.reduceat(rows.view(np.complex64), start, axis=0).view(np.float32)


def _normalise(h: Floats) -> Floats:
    """Return each vector with mean 0 and variance 1, shape (b, d)."""
    share = np.full((h.shape[1], 1), 1 / h.shape[1], dtype=np.float32)
    centred: Floats = h - h @ share
    variance = np.einsum("ij,ij->i", centred, centred)[:, None] * share[0]
    centred *= 1 / np.sqrt(variance + _EPSILON)
    return centred


def _normalised(weights: Mapping[str, Floats], name: str, norm: str) -> tuple[Floats, Floats]:
    """Return the matrix, shape (inputs, outputs), and the bias of a linear map, to be applied to `_normalise`.

    They include the weight and the bias of the layer normalisation before the map.
    """
    matrix, scale, shift = (weights[part] for part in (f"{name}.weight", f"{norm}.weight", f"{norm}.bias"))
    return np.ascontiguousarray((matrix * scale).T), weights[f"{name}.bias"] + matrix @ shift


def _quantise(matrix: Floats) -> tuple[npt.NDArray[np.int8], Floats]:
    """Return a matrix as 8-bit integers, and the scale of each row.

    The scales have 16 binary digits, so that products are exact: a net that is read and written again is the same.
    """
    digits, exponent = np.frexp(np.maximum(np.abs(matrix).max(axis=1), 1e-12) / 127)
    scales = np.ldexp(np.ceil(digits * _SCALE_STEPS) / _SCALE_STEPS, exponent).astype(np.float32)
    return np.rint(matrix / scales[:, None]).astype(np.int8), scales


def _scales_of(name: str, arrays: Mapping[str, npt.NDArray[Any]]) -> Floats:
    """Return the scales of the rows of a matrix, shape (rows, 1)."""
    scales = arrays.get(name + _SCALES)
    if scales is None or scales.shape != arrays[name].shape[:1]:
        raise ValueError(f"array {name} of the net lacks a scale for each row")
    column: Floats = scales.astype(np.float32)[:, None]
    return column
