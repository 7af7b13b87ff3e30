"""The columns of a page, which `dehusk.compiled.tree` fills from the parser's tree."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from dehusk.base.tags import TEXT
from dehusk.compiled import tree
from dehusk.read.elements import ParsedElements
from dehusk.read.page import Meta

PARSER_DEPTH = 512
"""Number of open elements at which the parser stops nesting, as browsers do."""
Rows = npt.NDArray[np.int32]


@dataclass
class NodeColumns:
    """The columns of a page, as `Page` documents them, and what had to be changed or dropped."""

    tag: npt.NDArray[np.uint16]
    parent: Rows
    end: Rows
    text: str
    text_start: Rows
    text_end: Rows
    alt_nodes: Rows
    line_nodes: Rows
    elements: ParsedElements
    classes: tuple[Rows, tuple[str, ...]]
    """`class_code` and `class_names`."""
    ids: tuple[Rows, tuple[str, ...]]
    """`id_code` and `id_names`."""
    hidden_nodes: Rows
    extra_tags: tuple[str, ...] = ()
    meta: Meta = field(default_factory=Meta)
    frames: str = ""
    """Text of the noframes elements, which is markup."""
    swallowing: tuple[tuple[str, str], ...] = ()
    """Tag and content of the elements of raw text that hold what looks like a part of the page."""
    swallowed: bool = False
    """Whether an iframe's text, which is never shown, contains the end of a noscript."""
    flattened: int = 0
    """Number of elements flattened because of `max_depth`."""
    cut: bool = False
    """Whether nodes were dropped because of `max_nodes`."""
    capped: bool = False
    """Whether nesting reaches `PARSER_DEPTH`; the parser makes deeper elements siblings."""

    @property
    def texts(self) -> list[str]:
        """The texts of the text nodes."""
        is_text = self.tag == TEXT
        bounds = zip(self.text_start[is_text].tolist(), self.text_end[is_text].tolist(), strict=True)
        return [self.text[start:end] for start, end in bounds]

    @classmethod
    def empty(cls) -> NodeColumns:
        """Return the columns of a page without nodes."""
        none = np.zeros(0, dtype=np.int32)
        return cls(
            none.astype(np.uint16),
            none,
            none,
            "",
            none,
            none,
            none,
            none,
            ParsedElements(none, "", none, none),
            (none, ("",)),
            (none, ("",)),
            none,
        )


def read_nodes(text: str, *, max_nodes: int, max_depth: int) -> NodeColumns:
    """Parse a page and turn its nodes into columns.

    Args:
        text: the page's source.
        max_nodes: further nodes are dropped, and `cut` is set.
        max_depth: deeper elements are replaced by their children, and counted in `flattened`.

    Raises:
        TooMuchMarkupError: the markup of its elements has too many characters.
    """
    return tree.read_nodes(text, max_nodes=max_nodes, max_depth=max_depth)
