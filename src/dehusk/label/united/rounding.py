"""The net counts in whole numbers: its matrices and all that they multiply are integers of 8 bits.

A product of such integers and the sum of `MOST_INPUTS` of them are exact in float32, in whichever order they are added,
with fused operations or without. Plain loops and the integer instructions of a processor therefore give the same bits,
on all machines. What is not a product of a matrix is computed number by number, in float32.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

LARGEST = 127
"""Largest whole number that a matrix holds or multiplies, and the negative of the smallest."""
STEPS, COLUMN_STEPS, ROW_STEPS, MEAN_STEPS = 16, 25, 64, 128
"""Whole numbers to one unit: inside of the layers, of scaled columns, of rows of embeddings, of the means of rows."""
VECTOR_STEPS = 1 << 10
"""Whole numbers to one unit of the vectors of blocks, which are only added to and normalised."""
FARTHEST = np.float32(1 << 20)
"""Numbers of the vectors of blocks are clipped to ±FARTHEST, so that the sums of their squares are exact in float64."""
MOST_INPUTS = 1 << 10
"""Largest number of inputs of a matrix: 127 * 127 * 1024 is less than 2^24."""
ARITHMETIC = np.array([STEPS, COLUMN_STEPS, ROW_STEPS, MEAN_STEPS, VECTOR_STEPS], dtype=np.float32)
"""What a model folder says of these; a net that was trained for other steps is refused."""

_SCALE_STEPS = 1 << 16


@dataclass(frozen=True, eq=False)
class Affine:
    """A linear map of whole numbers: y = s x M + c."""

    matrix: Floats
    """(inputs, outputs) M"""
    scale: Floats
    """(outputs,) s"""
    bias: Floats
    """(outputs,) c"""

    @classmethod
    def of(cls, weights: Mapping[str, Floats], name: str, *, steps: int) -> Affine:
        """Return a linear map of a net.

        Args:
            weights: the arrays of the net.
            name: the name of the map, before ".weight" and ".bias".
            steps: whole numbers to one unit of its outputs; its inputs have `STEPS`.
        """
        matrix, scales = whole_numbers(weights[f"{name}.weight"])
        transposed = np.ascontiguousarray(matrix.T.astype(np.float32))
        return cls(transposed, scales * np.float32(steps / STEPS), weights[f"{name}.bias"] * np.float32(steps))


def whole_numbers(matrix: Floats) -> tuple[npt.NDArray[np.int8], Floats]:
    """Return a matrix as 8-bit integers, and the scale of each row.

    The scales have 16 binary digits, so that products are exact: a net that is read and written again is the same.
    """
    digits, exponent = np.frexp(np.maximum(np.abs(matrix).max(axis=1), 1e-12) / LARGEST)
    scales = np.ldexp(np.ceil(digits * _SCALE_STEPS) / _SCALE_STEPS, exponent).astype(np.float32)
    return np.rint(matrix / scales[:, None]).astype(np.int8), scales


def whole_rows(table: Floats) -> npt.NDArray[np.int8]:
    """Return a table of embeddings as 8-bit integers, `ROW_STEPS` to one unit."""
    rows: npt.NDArray[np.int8] = np.rint((table * np.float32(ROW_STEPS)).clip(-LARGEST, LARGEST)).astype(np.int8)
    return rows
