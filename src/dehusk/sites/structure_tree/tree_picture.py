"""Pictures of a structure tree: indented text, and SVG in the style of the paper's figure 2."""

from colorsys import hls_to_rgb
from dataclasses import dataclass
from html import escape

import numpy as np
import numpy.typing as npt

from dehusk.sites.structure_tree.importance import StructureTree

_WIDTH, _HEIGHT, _GAP_X, _GAP_Y, _MARGIN = 176, 62, 14, 46, 12
_LETTERS = 22  # letters of a name that fit into a box


@dataclass(frozen=True)
class _Shown:
    """The elements of a tree that a picture shows, in pre-order."""

    rows: list[int]
    """Elements."""
    parent: list[int]
    """Index of each element's parent in `rows`, -1 for the root."""
    level: list[int]
    hidden: list[int]
    """Number of hidden elements whose nearest shown ancestor is this element."""


def tree_text(tree: StructureTree, *, least: int = 2, most: int = 200) -> str:
    """Return a tree as indented lines, one per element: Tag and Attr, m, styles or words, NodeImp, PathImp.

    Args:
        tree: the tree of a site.
        least: show only elements with at least this many tag nodes.
        most: show up to this many elements, those with the most tag nodes.
    """
    shown = _choose(tree, least, most)
    lines = []
    for row, level, hidden in zip(shown.rows, shown.level, shown.hidden, strict=True):
        name, *facts = _facts(tree, row)
        lines.append("  " * level + f"{name}  {' '.join(facts)}" + (f"  (+{hidden} below)" if hidden else ""))
    return "".join(f"{line}\n" for line in lines)


def tree_svg(tree: StructureTree, *, least: int = 2, most: int = 60) -> str:
    """Return a tree as a self-contained drawing: boxes with lines from parents to children.

    The greener a box, the higher the element's NodeImp. The arguments are those of `tree_text`.
    """
    shown = _choose(tree, least, most)
    x = _columns(shown)
    y = [_MARGIN + level * (_HEIGHT + _GAP_Y) for level in shown.level]
    width = int(max(x)) + _WIDTH + _MARGIN
    height = max(y) + _HEIGHT + _MARGIN
    lines, boxes = [], []
    for index, row in enumerate(shown.rows):
        above = shown.parent[index]
        if above >= 0:
            ends = (x[above] + _WIDTH / 2, y[above] + _HEIGHT, x[index] + _WIDTH / 2, y[index])
            lines.append('<path d="M{:g} {:g} L{:g} {:g}"/>'.format(*ends))
        boxes.append(_box(tree, row, shown.hidden[index], x[index], y[index]))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="#fff"/>'
        f'<g stroke="#888" fill="none">{"".join(lines)}</g>{"".join(boxes)}</svg>\n'
    )


def _facts(tree: StructureTree, row: int) -> tuple[str, str, str, str]:
    """Return name, m, number of styles or words, and importance of an element."""
    is_inner = tree.styles[row] > 0
    size = f"styles={tree.styles[row]}" if is_inner else f"words={tree.features[row]}"
    importance = f"NodeImp={tree.node_importance[row]:.2f} PathImp={tree.path_importance[row]:.2f}"
    return tree.names[int(tree.label[row])], f"m={tree.m[row]}", size, importance


def _box(tree: StructureTree, row: int, hidden: int, x: float, y: float) -> str:
    name, m, size, importance = _facts(tree, row)
    red, green, blue = hls_to_rgb(1 / 3, 0.96 - 0.36 * float(tree.node_importance[row]), 0.45)
    colour = f"#{round(255 * red):02x}{round(255 * green):02x}{round(255 * blue):02x}"
    short = name if len(name) <= _LETTERS else name[: _LETTERS - 1] + "…"
    lines = (short, f"{m} {size}" + (f" (+{hidden} below)" if hidden else ""), *importance.split(" "))
    shown = "".join(
        f'<text x="{x + 6:g}" y="{y + 14 + 14 * number:g}"{bold}>{escape(line)}</text>'
        for number, (line, bold) in enumerate(zip(lines, (' font-weight="bold"', "", "", ""), strict=True))
    )
    return (
        f'<g><title>{escape(" ".join((name, m, size, importance)))}</title><rect x="{x:g}" y="{y:g}" '
        f'width="{_WIDTH}" height="{_HEIGHT}" rx="4" stroke="#444" fill="{colour}"/>{shown}</g>'
    )


def _choose(tree: StructureTree, least: int, most: int) -> _Shown:
    """Choose the elements with the most tag nodes and everything above them; frequent children come first."""
    size = tree.m.copy()  # capped by the parent's: merged siblings can have more tag nodes than their parent
    for rows_of_level in tree.levels[1:]:
        size[rows_of_level] = np.minimum(size[rows_of_level], size[tree.parent[rows_of_level]])
    order = np.lexsort((tree.key, tree.level, -size))
    order = order[(size[order] >= least) | (tree.level[order] == 0)][: max(most, 1)]
    children: dict[int, list[int]] = {row: [] for row in order.tolist()}
    for row in sorted(order.tolist(), key=lambda row: (-tree.m[row], tree.names[int(tree.label[row])], tree.key[row])):
        if tree.level[row]:
            children[int(tree.parent[row])].append(row)
    rows: list[int] = []
    parents: list[int] = []
    stack = [(int(order[0]), -1)]
    while stack:
        row, above = stack.pop()
        stack += [(child, len(rows)) for child in reversed(children[row])]
        rows.append(row)
        parents.append(above)
    return _Shown(rows, parents, tree.level[rows].tolist(), _below(tree, order)[rows].tolist())


def _below(tree: StructureTree, shown: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Return for each element, shape (e,), the number of hidden elements whose nearest shown ancestor it is."""
    nearest = tree.parent.astype(np.intp)
    nearest[shown] = shown
    for rows in tree.levels:
        nearest[rows] = nearest[nearest[rows]]
    return np.bincount(nearest, minlength=len(tree)) - 1


def _columns(shown: _Shown) -> list[float]:
    """Return the left edge of each box: leaves are side by side, other elements centred above their children."""
    first, last = [-1.0] * len(shown.rows), [-1.0] * len(shown.rows)
    has_child = set(shown.parent)
    free = float(_MARGIN)
    for index in range(len(shown.rows)):
        if index not in has_child:
            first[index] = last[index] = free
            free += _WIDTH + _GAP_X
    for index in range(len(shown.rows) - 1, 0, -1):  # children come after their parents
        above, middle = shown.parent[index], (first[index] + last[index]) / 2
        first[above] = middle
        last[above] = middle if last[above] < 0 else last[above]
    return [(a + b) / 2 for a, b in zip(first, last, strict=True)]
