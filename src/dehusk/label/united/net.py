"""A small net over the blocks of a page, as arrays.

Each block has a vector h of d numbers. The input layer makes it from the block's columns (in logarithms, centred and
scaled), its tags, the means of the embeddings of its words, and the style s:

    h = W x + b + S[s]

In each layer, a block sees its neighbours at distance k and the groups that it is in (blocks of the same path, of each
enclosing container, of the page). With LN the layer normalisation (Ba et al. 2016) and ReLU(x) = max(x, 0):

    u = LN(h)    z = ReLU(A u + a)    v = V u + c
    f = z[i], z[i - k], z[i + k], and the mean and the maximum of v over each group of block i
    h = h + P ReLU(O f + o) + p

The log-odds of being content are w LN(h) + w₀. All that a matrix multiplies is rounded to whole numbers of 8 bits
(`dehusk.label.united.rounding`): within the layers to sixteenths from -127/16 to 127/16. Pools over sets are those of
Zaheer et al., *Deep sets*, 2017; neighbours at growing distances those of van den Oord et al., *WaveNet*, 2016.
`dehusk.lab.train.net` trains the net with PyTorch; `dehusk.compiled.net` runs it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_property
from dehusk.blocks import Blocks
from dehusk.compiled import net as loops
from dehusk.label.united.inputs import GROUP_COUNT, NAME_ROWS, TAG_ROWS, TAGS, TEXT_ROWS, NetInputs
from dehusk.label.united.rounding import (
    ARITHMETIC,
    MOST_INPUTS,
    ROW_STEPS,
    STEPS,
    VECTOR_STEPS,
    Affine,
    whole_numbers,
    whole_rows,
)

Floats = npt.NDArray[np.float32]
Reals = npt.NDArray[np.float64]

_SCALES = ".scales"  # suffix of the array with the scales of the rows of a matrix of 8-bit integers
_COLUMNS = ("columns.is_log", "columns.mean", "columns.scale")
_TABLES = ("tag", "name", "text")


@dataclass(frozen=True)
class LeftOut:
    """Inputs to leave out, to see what they contribute: they get the values of a typical block."""

    columns: Sequence[int] = ()
    tags: bool = False
    names: bool = False
    texts: bool = False


@dataclass(frozen=True, eq=False)
class Layer:
    """One layer: its linear maps, and the distance k."""

    a: Affine
    v: Affine
    o: Affine
    """Its inputs: z of the block, of the one before it, of the one after it, and the pools of each kind of groups."""
    p: Affine
    distance: int

    @classmethod
    def of(cls, weights: Mapping[str, Floats], number: int) -> Layer:
        """Return a layer of a net."""
        a, v, o = (Affine.of(weights, f"layer.{number}.{name}", steps=STEPS) for name in "avo")
        p = Affine.of(weights, f"layer.{number}.p", steps=VECTOR_STEPS)
        return cls(a, v, o, p, int(weights["distances"][number]))


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
        """Return the log-odds of each block, shape (b,); raises ValueError if the inputs do not fit the net.

        Args:
            inputs: the inputs of a page.
            style: row of the style's vector.
            left_out: inputs to leave out.
        """
        return loops.scores(self, inputs, style, left_out)

    def scores_of(self, blocks: Blocks, style: int) -> Reals:
        """Return the log-odds of each block of a page, shape (b,); `style` as in `scores`."""
        return loops.scores_of(self, blocks, style)

    def last_vectors(self, inputs: NetInputs, style: int) -> Floats:
        """Return LN(h) of each block after the last layer, shape (b, d); arguments as in `scores`."""
        return loops.last_vectors(self, inputs, style)

    @property
    def styles(self) -> int:
        """Number of styles that have a vector."""
        return len(self.weights["style.weight"])

    @cached_property
    def tables(self) -> dict[str, Floats]:
        """The embeddings, in whole numbers."""
        return {name: whole_rows(self.weights[f"{name}.weight"]).astype(np.float32) for name in _TABLES}

    @cached_property
    def inputs(self) -> list[Affine]:
        """W and b + S[s], for each style s."""
        rows, scales = whole_numbers(self.weights["style.weight"])
        to_vectors = Affine.of(self.weights, "inp", steps=VECTOR_STEPS)
        moves = rows.astype(np.float32) * scales[:, None] * np.float32(VECTOR_STEPS)
        return [replace(to_vectors, bias=to_vectors.bias + move) for move in moves]

    @cached_property
    def layers(self) -> list[Layer]:
        """The layers, ready to run."""
        return [Layer.of(self.weights, number) for number in range(len(self.weights["distances"]))]

    @cached_property
    def out(self) -> Affine:
        """The map to log-odds: w and w₀."""
        return Affine.of(self.weights, "out", steps=1)

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
            "inp.bias": (d,),
            "steps": ARITHMETIC.shape,
            "distances": (weights["distances"].size,),
        }
        for number in range(weights["distances"].size):
            layer, v = f"layer.{number}.", weights[f"layer.{number}.v.bias"].size
            matrices = {"a": (d, d), "v": (v, d), "o": (d, 3 * d + 2 * v), "p": (d, d)}
            for part, size in matrices.items():
                shapes |= {f"{layer}{part}.weight": size, f"{layer}{part}.bias": size[:1]}
        return shapes

    def _check_values(self) -> None:
        for name, array in self.weights.items():
            if not np.isfinite(array).all():
                raise ValueError(f"array {name} of the net is not finite")
        if not (self.weights["columns.scale"] > 0).all():
            raise ValueError("the scale of a column is not positive")
        if not (self.weights["distances"] >= 1).all():
            raise ValueError("the distance of a layer is less than 1")
        if not np.array_equal(self.weights["steps"], ARITHMETIC):
            raise ValueError("the net was trained to round numbers in another way: train it again")
        if any(
            array.ndim == 2 and name[:-7] not in _TABLES and array.shape[1] > MOST_INPUTS
            for name, array in self.weights.items()
        ):
            raise ValueError(f"a matrix of the net has more than {MOST_INPUTS} inputs: a narrower net is needed")
        if any(len(layer.v.bias) % GROUP_COUNT for layer in self.layers):
            raise ValueError(f"the pools of a layer cannot be divided among {GROUP_COUNT} kinds of groups")

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the arrays of a model folder; matrices as 8-bit integers with one scale per row, or in `ROW_STEPS`."""
        arrays: dict[str, npt.NDArray[Any]] = {}
        for name, array in self.weights.items():
            if array.ndim < 2:
                arrays[name] = array
            elif name.removesuffix(".weight") in _TABLES:
                arrays[name] = whole_rows(array)
            else:
                arrays[name], arrays[name + _SCALES] = whole_numbers(array)
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> Net:
        """Return the net of a model folder; raises ValueError if arrays are missing or invalid."""
        weights = {
            name: array if array.ndim != 2 else np.multiply(array, _scales_of(name, arrays), dtype=np.float32)
            for name, array in arrays.items()
            if not name.endswith(_SCALES)
        }
        return cls({name: np.ascontiguousarray(array, dtype=np.float32) for name, array in weights.items()})


def _scales_of(name: str, arrays: Mapping[str, npt.NDArray[Any]]) -> Floats | np.float32:
    """Return the scales of the rows of a matrix, shape (rows, 1), or of all rows of a table."""
    if name.removesuffix(".weight") in _TABLES:
        return np.float32(1 / ROW_STEPS)
    scales = arrays.get(name + _SCALES)
    if scales is None or scales.shape != arrays[name].shape[:1]:
        raise ValueError(f"array {name} of the net lacks a scale for each row")
    column: Floats = scales.astype(np.float32)[:, None]
    return column
