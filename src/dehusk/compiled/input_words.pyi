"""The typed face of `input_words.pyx`."""

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.methods.united.inputs import Bags
from dehusk.page import Page

def text_bags(blocks: Blocks) -> Bags:
    """Return the bags of the texts' words; digits count as zeros."""

def name_bags(page: Page, levels: npt.NDArray[np.int32]) -> tuple[Bags, npt.NDArray[np.intp]]:
    """Return a bag for each distinct chain of names, and the chain of each block."""
