"""Gold of the structure of pages, apart from the pages: one JSON object per line, without any text of the pages.

`{"set": "wcxb-dev", "id": "0446", "page": "<SHA-256>", "text": "<SHA-256>", "kernel": [[5, 90], …],
"elements": [["heading", [2], [[5, 17]]], ["link", [], [[40, 44]]], ["image", [3], []], …], "optional": […]}`

`page` and `text` are as in files of labels (`dehusk.lab.gold.hand_labels`). `kernel` is the kept text. An element is
its kind, its place, and the spans of its text; `labels/README.md` describes the places.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dehusk.base.errors import GoldError, explaining
from dehusk.blocks.annotation import text_digest
from dehusk.read.page import Page, digest
from elements import ELEMENT_KINDS

Span = tuple[int, int]

_KEYS = ("set", "id", "page", "text", "kernel", "elements", "optional")


@dataclass(frozen=True)
class PlacedElement:
    """An element of a page."""

    kind: str
    """One of `elements.ELEMENT_KINDS`."""
    place: tuple[int | str, ...]
    """(level,) of a heading, (depth, "ul" or "ol") of an item, (row, column, rows, columns) of a cell, (number,) of an
    image among the page's; () of a line of code and of a link."""
    spans: tuple[Span, ...]
    """Where its text is: (start, end) in characters of `page.text`; () for an image."""


@dataclass(frozen=True)
class StructureLabels:
    """The structure of one page."""

    set: str
    id: str
    page: str
    """SHA-256 of the page's bytes."""
    text: str
    """SHA-256 of `page.text`."""
    kernel: tuple[Span, ...]
    """The text of the kernel, ascending."""
    elements: tuple[PlacedElement, ...]
    optional: tuple[PlacedElement, ...]
    """Elements that are as right to have as not to have."""

    @property
    def name(self) -> str:
        """The page as "<set>/<id>"."""
        return f"{self.set}/{self.id}"

    def check(self, data: bytes, page: Page) -> None:
        """Check that the labels belong to a page.

        Raises:
            GoldError: the bytes or the text of the page are others.
        """
        if digest(data) != self.page:
            raise GoldError(f"{self.name}: the page has changed since its structure was labelled")
        if text_digest(page) != self.text:
            raise GoldError(f"{self.name}: the page's text is read otherwise than when its structure was labelled")

    def line(self) -> str:
        """Return the labels as one line of JSON."""
        row = {key: getattr(self, key) for key in _KEYS}
        for key in ("elements", "optional"):
            row[key] = [(each.kind, each.place, each.spans) for each in row[key]]
        return json.dumps(row, separators=(",", ":")) + "\n"


def of_page(set_name: str, page_id: str, data: bytes, page: Page, **parts: Any) -> StructureLabels:
    """Return the labels of a page, with its hashes; `parts` are `kernel`, `elements` and `optional`."""
    return StructureLabels(set_name, page_id, digest(data), text_digest(page), **parts)


def read_structure_labels(path: Path) -> list[StructureLabels]:
    """Read a file of labels, in its order.

    Raises:
        InputError: the file cannot be read.
        GoldError: a line is malformed.
    """
    with explaining(f"{path}: cannot be read"):
        lines = path.read_text("utf-8").splitlines()
    labels = []
    for number, line in enumerate(lines, 1):
        try:
            labels.append(_from_row(json.loads(line)))
        except (ValueError, TypeError, KeyError) as error:
            raise GoldError(f"{path}: line {number}: malformed labels of structure: {error}") from None
    return labels


def _from_row(row: dict[str, Any]) -> StructureLabels:
    if sorted(row) != sorted(_KEYS):
        raise ValueError(f"the keys must be {', '.join(_KEYS)}")
    return StructureLabels(
        set=row["set"],
        id=row["id"],
        page=row["page"],
        text=row["text"],
        kernel=_spans(row["kernel"]),
        elements=tuple(map(_element, row["elements"])),
        optional=tuple(map(_element, row["optional"])),
    )


def _element(row: list[Any]) -> PlacedElement:
    kind, place, spans = row
    if kind not in ELEMENT_KINDS:
        raise ValueError(f"unknown kind {kind!r}")
    return PlacedElement(kind, tuple(place), _spans(spans))


def _spans(rows: list[list[int]]) -> tuple[Span, ...]:
    spans = tuple((start, end) for start, end in rows)
    ends = [position for span in spans for position in span]
    if ends != sorted(ends) or any(start >= end for start, end in spans):
        raise ValueError("spans must ascend")
    return spans
