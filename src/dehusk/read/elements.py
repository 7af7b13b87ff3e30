"""The parser's elements of a page, asked for when they are needed: most pages are cleaned without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import turbohtml
from turbohtml import Element

from dehusk.page import Attributes, Ints


def parsed(text: str) -> turbohtml.Document:
    """Return the parser's tree of a page's source."""
    return turbohtml.parse(text, positions=False, allow_declarative_shadow_roots=False)


def check_selector(selector: str) -> None:
    """Raise ValueError, saying where and why, for what is no CSS selector."""
    turbohtml.parse("").select(selector)


@dataclass
class ParsedElements:
    """The element nodes of a page; their attributes are read when they are asked for."""

    rows: npt.NDArray[np.integer]
    """(e,) the elements' numbers in the page."""
    text: str
    """The page's source."""
    places: npt.NDArray[np.integer]
    """(e,) which of the document's nodes each is."""
    nodes: list[Element] | None
    """The parser's elements; None when they were released."""

    def attributes(self) -> dict[int, Attributes]:
        """Return the attributes of the nodes that have any, values as written, "" where there is none."""
        return {
            row: tuple((name, _as_written(element, name, value)) for name, value in given.items())
            for row, element in zip(self.rows.tolist(), self._found(), strict=True)
            if (given := element.attrs)
        }

    def attribute(self, node: int, name: str) -> str | None:
        """Return an attribute's value; None where it is missing, "" where it has no value."""
        place = int(np.searchsorted(self.rows, node))
        if place == len(self.rows) or self.rows[place] != node:
            return None
        return self._found()[place].attr(name)

    def select(self, selector: str) -> list[Element]:
        """Return the parser's elements that a CSS selector names, in document order, head and scripts included.

        Raises:
            turbohtml.SelectorSyntaxError: the selector is not one (a ValueError).
        """
        found = self._found()
        top: Any = found[0] if found else parsed(self.text)
        while top.parent is not None:
            top = top.parent
        return list(top.select(selector))

    def rows_of(self, elements: Sequence[Element]) -> Ints:
        """Return the node of each of the parser's elements, shape (len(elements),); the html element is the body's.

        -1 stands for elements that are no nodes of the page: those of the head, what is dropped, what was flattened.
        """
        if not len(self.rows):
            return np.full(len(elements), -1, dtype=np.int32)
        row_of = dict(zip(map(id, self._found()), self.rows.tolist(), strict=True))
        rows = [0 if element.tag == "html" else row_of.get(id(element), -1) for element in elements]
        return np.array(rows, dtype=np.int32)

    def release(self) -> None:
        """Let go of the parser's tree, which takes several times the room of the columns."""
        self.nodes = None

    def _found(self) -> list[Element]:
        if self.nodes is None:
            nodes: list[Any] = list(parsed(self.text).descendants)
            self.nodes = [nodes[place] for place in self.places.tolist()]
        return self.nodes


def _as_written(element: Element, name: str, value: str | list[str] | None) -> str:
    """Return a value of `attrs`, which splits classes and the like; `attr` does not, but searches for its name."""
    return (element.attr(name) if isinstance(value, list) else value) or ""
