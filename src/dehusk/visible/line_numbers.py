"""Find the line numbers of listings: a column of ascending numbers beside the code, or a number before each line."""

import re
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from dehusk.base.lazy import pattern
from dehusk.base.tags import PREFORMATTED, numbers
from dehusk.blocks.layout import Nodes, counts_before, is_holder
from dehusk.compiled.blocks import line_numbers as _numbers
from dehusk.read.names import NamePattern
from dehusk.read.page import Page

_PRE = numbers(PREFORMATTED)
_CELL = numbers("td th")
_ROW = numbers("tr")
_OF_GUTTER = r"gutter|line-?no|line-?num|\blnos?\b|hljs-ln-n"
_GUTTER = NamePattern(_OF_GUTTER, "gutter lineno line-no linenum line-num lno hljs-ln")
_NUMBER = pattern(rf"{_OF_GUTTER}|\bln[tn]?\b", re.IGNORECASE)
"""The classes of gutters, and of the number of one line."""
_LITERAL = pattern(r"(?:^|[\s_-])(?:number|literal|m|mi|mf|il)(?:$|\s)", re.IGNORECASE)
"""The classes by which highlighters mark a number in the code."""
_LEAST_LINES = 3


def find_line_numbers(page: Page, text: Nodes) -> Iterator[int]:
    """Yield the text nodes that are line numbers.

    Args:
        page: a page with listings.
        text: the text nodes to judge, ascending.
    """
    labels = _numbers(page, text)
    if not labels:
        return
    before = counts_before(page, text)
    holder = _holders(page, before)
    groups: dict[int, list[tuple[int, int]]] = {}
    for node, number in labels:
        if holder[node] >= 0:
            groups.setdefault(int(holder[node]), []).append((node, number))
    blocks = page.nearest(is_holder(page))
    for element, numbered in groups.items():
        if before[page.end[element]] - before[element] == len(numbered):
            if (
                (len(numbered) >= _LEAST_LINES or _are_named(page, [node for node, _ in numbered]))
                and _ascend(numbered)
                and _is_beside_code(page, element)
            ):
                yield from (node for node, _ in numbered)
            continue
        starting = [each for each in numbered if _starts_line(page, element, int(blocks[each[0]]), each[0])]
        if starting and _ascend(starting) and _count_lines(page, element, [node for node, _ in starting]):
            yield from (node for node, _ in starting)


def _are_named(page: Page, numbered: list[int]) -> bool:
    """Return whether the classes around some numbers say of each that it counts a line."""
    return all(_NUMBER.search(page.class_names[page.class_code[page.parent[node]]]) for node in numbered)


def _ascend(numbered: list[tuple[int, int]]) -> bool:
    """Return whether each number is the one after the number before it."""
    return all(after == before + 1 for (_, before), (_, after) in pairwise(numbered))


def _count_lines(page: Page, listing: int, numbered: list[int]) -> bool:
    """Return whether numbers at the starts of lines count them: by their classes, or because each line has one."""
    if _are_named(page, numbered):
        return True
    around = [page.class_names[page.class_code[page.parent[node]]] for node in numbered]
    lines = page.text_of(listing).strip().count("\n") + 1
    return 1 < len(numbered) >= lines and not any(map(_LITERAL.search, around))


def _holders(page: Page, before: npt.NDArray[np.int64]) -> Nodes:
    """Return the innermost listing or gutter around each node, shape (n,); -1 if there is none."""
    pres, named = page.nodes_of(_PRE), page.classes.named(_GUTTER)
    gutters = page.has_class(named).nonzero()[0] if named else pres[:0]
    gutters = gutters[before[page.end[gutters]] - before[gutters] > 1]  # not those of single lines
    mask = np.zeros(len(page), dtype=np.bool_)
    mask[pres] = mask[gutters] = True
    holders: Nodes = page.nearest(mask).astype(np.intp)
    return holders


def _is_beside_code(page: Page, element: int) -> bool:
    """Return whether an element of numbers is named a gutter, or is in a row whose other cells contain a listing."""
    if int(page.class_code[element]) in page.classes.named(_GUTTER):
        return True
    row = int(page.nearest(page.is_one_of(_ROW))[element])
    cell = int(page.nearest(page.is_one_of(_CELL))[element])
    if row < 0 or cell < row:
        return False
    pres = page.nodes_of(_PRE)
    inside = pres[(pres > row) & (pres < page.end[row])]
    return bool(((inside < cell) | (inside >= page.end[cell])).any())


def _starts_line(page: Page, listing: int, block: int, node: int) -> bool:
    """Return whether a number has an element of its own at the start of a line: of the listing, or of a block in it."""
    start, end = int(page.text_start[node]), int(page.text_end[node])
    parent = int(page.parent[node])
    if parent == listing or page.text_end[parent] - page.text_start[parent] != end - start:
        return False
    if _NUMBER.search(page.class_names[page.class_code[parent]]):
        return True
    at_start = start in (page.text_start[listing], page.text_start[block]) or page.text[start - 1] == "\n"
    return at_start and page.text[end : end + 1] not in (".", ")", ":")  # an entry of a table of contents
