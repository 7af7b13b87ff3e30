"""The blocks of a page: how they are made, what is between them, and what nobody sees."""

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.blocks.layout import Nodes
from dehusk.blocks.units.skeleton import Skeleton
from dehusk.read.page import Bools, Ints, Page

def gaps(blocks: Blocks, kept: Nodes) -> npt.NDArray[np.uint8]:
    """Return the `Gap` before each kept block, shape (k,); before the first it is BREAK.

    Args:
        blocks: the blocks of a page.
        kept: (k,) indices of the kept blocks, ascending.
    """

def counts(blocks: Blocks) -> tuple[Ints, Ints, Ints, Ints]:
    """Return the words, the words in links, the characters in links, and the digits of each block, shape (b,) each."""

def columns(
    page: Page, every_tag: bool, alt: bool
) -> tuple[Ints, Ints, Ints, npt.NDArray[np.uint32], Ints, Ints, npt.NDArray[np.uint8], Ints, Bools]:
    """Return the columns of the blocks of a page; see `segment`."""

def texts(blocks: Blocks) -> list[str]:
    """Return the folded text of each block."""

def skeleton_of(blocks: Blocks) -> Skeleton:
    """Return the elements in which blocks start."""

def suspicions(page: Page) -> tuple[bool, bool, bool]:
    """Return which of the searches may find something, by a quick look at all characters."""

def line_numbers(page: Page, text: Nodes) -> list[tuple[int, int]]:
    """Return the short text nodes that are a number, and it."""

def suspects_in(
    blocks: Blocks, kept: Bools, signs: frozenset[str], copying: frozenset[str], styling: bytes
) -> tuple[Nodes, Nodes, list[int], list[int], list[int], list[int], bool, list[int], list[int], dict[int, str]]:
    """Return the fields of `dehusk.visible.suspects.Suspects`.

    Args:
        blocks: the blocks of a page.
        kept: (b,) which of them are meant.
        signs: the texts of permalinks.
        copying: the texts of buttons that copy listings.
        styling: `dehusk.visible.suspects.STYLING`.
    """
