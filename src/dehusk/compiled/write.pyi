"""Outputs: plain text, Markdown, and the nodes of cleaned HTML."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from dehusk.blocks.labels import Labels
from dehusk.blocks.layout import Nodes
from dehusk.read.page import Page
from dehusk.write.options import WriteOptions
from dehusk.write.token_reader import KeptContent
from dehusk.write.tokens import Token

def to_text(labels: Labels) -> str:
    """Return the kept blocks as plain text; unless empty, it ends with a line end."""

def text_with_places(labels: Labels) -> tuple[str, npt.NDArray[np.int64]]:
    """Return the plain text, and where in it each written block starts and ends, (k, 2).

    A block starts with the indentation and the mark of its item, after what separates it from the block before.
    """

def touching_texts(page: Page) -> list[tuple[int, int, int]]:
    """Return (text node, the one after it, the block-level element around both) of texts in a line that touch.

    The one ends and the other begins with a letter or a digit. Not two single characters: titles that move have each
    of their letters in an element.
    """

def kept_nodes(labels: Labels) -> tuple[Nodes, dict[int, str]]:
    """Return the nodes of the cleaned page, shape (m,), and the `seams` of a `dehusk.write.pruning.Pruned`."""

def content_written(kept: KeptContent, options: WriteOptions, title: str = "") -> str:
    """Return the kept content of a page as Markdown, after a title; unless empty, it ends with a line end."""

def part_writer(
    labels: Labels, tokens: list[Token], options: WriteOptions | None = None
) -> Callable[[list[Token]], str]:
    """Return a function that writes parts of a page, each of balanced tokens; all keep to the bounds of the one page.

    Args:
        labels: the labels of the page.
        tokens: all tokens of the page.
        options: what is written.
    """
