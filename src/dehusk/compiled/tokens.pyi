"""The kept content of a page as tokens."""

import numpy as np
import numpy.typing as npt

from dehusk.blocks.layout import Nodes
from dehusk.read.page import Page
from dehusk.write.token_reader import KeptContent
from dehusk.write.tokens import Token

def marks_of(page: Page) -> tuple[bool, bool, bool, bool]:
    """Return the fields of `dehusk.blocks.units.marks.Marks`."""

def element_names(page: Page, nodes: Nodes) -> npt.NDArray[np.object_]:
    """Return the name in the output of the kept nodes of a page, shape (m,), "" for text nodes.

    Args:
        page: the page.
        nodes: (m,) the kept nodes, ascending.
    """

def tokens_of(kept: KeptContent) -> list[Token]:
    """Return kept content as tokens, in document order; containers are balanced."""
