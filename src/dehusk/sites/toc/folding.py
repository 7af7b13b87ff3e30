"""Trees as HTML that folds without scripts: an element `details` for each node that has children."""

from __future__ import annotations

from collections.abc import Sequence

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""The files load nothing and run nothing, whatever is in them."""

TREE_STYLE = """
.tree details{margin-left:1rem;border-left:1px solid #ddd}
.tree p{margin:0 0 0 1rem;padding-left:1rem;overflow-wrap:anywhere}
.tree summary{cursor:pointer;padding-left:.2rem;overflow-wrap:anywhere}
"""


def foldable(parents: Sequence[int], contents: Sequence[str], is_open: Sequence[bool]) -> str:
    """Return a tree as nested elements `details`.

    Args:
        parents: index of the parent of each node, -1 for roots; nodes are in document order.
        contents: HTML of each node, already escaped.
        is_open: whether each node is unfolded at first.
    """
    has_children = set(parents)
    parts, above = ['<div class="tree">'], list[int]()
    for index, (parent, content, unfolded) in enumerate(zip(parents, contents, is_open, strict=True)):
        while above and above[-1] != parent:
            above.pop()
            parts.append("</details>")
        if index in has_children:
            parts.append(f"<details{' open' if unfolded else ''}><summary>{content}</summary>")
            above.append(index)
        else:
            parts.append(f"<p>{content}</p>")
    return "".join([*parts, "</details>" * len(above), "</div>"])
