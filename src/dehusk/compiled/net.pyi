"""The typed face of `net.pyx`."""

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.methods.united.inputs import NetInputs
from dehusk.methods.united.net import LeftOut, Net

Reals = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]

BEST: int
"""The kind of loops for this processor; those of all kinds from 0, plain C, give the same bits."""

def scores(
    net: Net,
    inputs: NetInputs,
    style: int,
    left_out: LeftOut | None = None,
    *,
    vectors: Floats | None = None,
    kind: int = ...,
) -> Reals:
    """Return the log-odds of each block, shape (b,).

    Args:
        net: the net.
        inputs: the inputs of a page.
        style: row of the style's vector.
        left_out: inputs to leave out.
        vectors: (b, d) what is filled with LN(h) of each block after the last layer.
        kind: the kind of loops, from 0 to `BEST`.

    Raises:
        ValueError: the inputs do not fit the net.
    """

def scores_of(net: Net, blocks: Blocks, style: int) -> Reals:
    """Return the log-odds of each block of a page, shape (b,); `style` as in `scores`."""

def last_vectors(net: Net, inputs: NetInputs, style: int) -> Floats:
    """Return LN(h) of each block after the last layer, shape (b, d); arguments as in `scores`."""
