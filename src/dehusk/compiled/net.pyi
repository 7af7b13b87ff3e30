"""The inputs of the net and the net."""

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.label.united.inputs import Bags, NetInputs
from dehusk.label.united.net import LeftOut, Net
from dehusk.read.page import Page

def text_bags(blocks: Blocks) -> Bags:
    """Return the bags of the texts' words; digits count as zeros."""

def name_bags(page: Page, levels: npt.NDArray[np.int32]) -> tuple[Bags, npt.NDArray[np.intp]]:
    """Return a bag for each distinct chain of names, and the chain of each block."""

def innermost_tags(blocks: Blocks) -> npt.NDArray[np.int32]: ...
def innermost_levels(blocks: Blocks) -> npt.NDArray[np.int32]:
    """Return the innermost elements around each block, shape (b, 10), -1 above the root."""

def groups_of(blocks: Blocks) -> tuple[npt.NDArray[np.intp], ...]: ...

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
