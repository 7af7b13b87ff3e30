"""Markup: guards before the parser, and the columns of a page from the parser's tree."""

import numpy as np
import numpy.typing as npt

from dehusk.blocks.layout import Nodes
from dehusk.read.elements import ParsedElements
from dehusk.read.nodes import NodeColumns
from dehusk.read.page import Attributes, Bools, Ints, Page

def has_self_closed(raw: bytes) -> bool:
    """Return whether an element of HTML that is not void seems to end in `/>`."""

def has_text(raw: bytes, text: bytes, rare: int) -> bool:
    """Return whether a source has a text; `rare` is the index of the first of two bytes of it that are seldom together.

    Raises:
        ValueError: the text does not have two bytes from there on.
    """

def without_controls(text: str) -> str:
    """Replace control characters by spaces."""

def count_tags(raw: bytes) -> int:
    """Return the number of "<" in a source."""

def starts_as_xml(text: str) -> bool:
    """Return whether the start of the page could be XML, which few pages' starts could."""

def ends_template(raw: bytes) -> bool:
    """Return whether a source has the end tag of a template, in letters of any case."""

def draws_template(raw: bytes) -> bool:
    """Return whether a template starts between the tags of a drawing or a formula."""

def estimate(raw: bytes) -> tuple[int, int]:
    """Return how deep a source nests, and how many formatting elements it leaves open."""

def deep_parts(raw: bytes) -> list[tuple[int, int]]:
    """Return (start, end) of the names of the parts of tables that a source nests at least `DEEP` deep, in order."""

def read_nodes(text: str, *, max_nodes: int, max_depth: int) -> NodeColumns:
    """Parse a page and turn its nodes into columns, as `dehusk.read.nodes.read_nodes`."""

def attributes(elements: ParsedElements) -> dict[int, Attributes]: ...
def attribute(elements: ParsedElements, node: int, name: str) -> str | None: ...
def attributes_of(elements: ParsedElements, nodes: npt.NDArray[np.integer]) -> list[Attributes]: ...
def markup_of(
    elements: ParsedElements, nodes: npt.NDArray[np.integer], ends: npt.NDArray[np.integer], longest: int
) -> list[str]: ...
def attribute_values(elements: ParsedElements, nodes: npt.NDArray[np.integer], name: str) -> list[str | None]: ...
def attribute_columns(
    elements: ParsedElements, nodes: npt.NDArray[np.integer], names: tuple[str, ...]
) -> list[list[str | None]]: ...
def with_fragment(page: Page, links: Nodes) -> list[tuple[int, str]]:
    """Return (link, address) of the links with something after a `#` in an address that is not too long."""

def depth(page: Page) -> Ints:
    """Return the number of elements above each node, shape (n,); 0 for the root."""

def nearest(page: Page, targets: Bools) -> Ints:
    """Return for each node, shape (n,), the innermost target it lies in, or -1; `targets` is a mask over the nodes."""

def above(page: Page, bits: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return for each node, shape (n,), the bitwise or of its own bits and those of all elements above it."""

def order_of_tags(tag: npt.NDArray[np.uint16], tags: int) -> tuple[npt.NDArray[np.intp], list[int]]:
    """Return the indices of tag numbers below `tags`, sorted by number, then ascending; and where each starts."""

def nodes_of_tags(order: npt.NDArray[np.intp], starts: list[int], tags: npt.NDArray[np.uint16]) -> Nodes:
    """Return the nodes whose tag number is in `tags`, ascending; the others are what `order_of_tags` returns."""

def within(page: Page, nodes: npt.NDArray[np.integer]) -> Ints:
    """Return for each node, shape (n,), how many of `nodes`, which are distinct, it lies in; a node lies in itself."""

def within_at(page: Page, nodes: npt.NDArray[np.integer], rows: npt.NDArray[np.integer]) -> Nodes:
    """Return the same for some nodes, `rows` of shape (k,), in any order; `nodes` ascend."""
