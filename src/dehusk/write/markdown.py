"""Markdown (GitHub's flavour): turbohtml's renderer over the cleaned HTML, adapted first to what Markdown can say.

turbohtml was chosen over markdownify because it loses no text, is iterative (depth 512 is nothing to it, markdownify
recurses), takes milliseconds for 40,000 blocks, and falls back to HTML where Markdown has no means: emphasis next to
letters and punctuation, tables with spans, numbering that jumps. Adapted before, because it would lose or add text or
structure:

- A link around block-level elements: the heading in a linked card would be gone. The link is written around each text
  in it instead. `code` around block-level elements or images and emphasis around several blocks of a table's cell
  become plain text, so do bold in bold and italics in italics.
- A table that makes up the layout (`layout.grids`) would put a whole article into one cell: its cells become blocks.
- A list that begins with something else than an item would be indented like code: it becomes a block.
- Block-level elements in `pre` would end the code: they become its lines.
- A `br` before or after a block would become a stray backslash: it is left away; two of them divide paragraphs.
- `sub` and `sup` would be left out (10<sup>6</sup> is not 106): they are written as HTML, which Markdown allows, where
  they follow text in their line.
- `rp`, whose text would be left out, and `q`, which would get quotation marks that the page does not have, are plain.

What remains: a caption that stands after rows of its table comes before it, as browsers show it; `dl` becomes
paragraphs.
"""

from dataclasses import replace
from html import escape

import numpy as np
from turbohtml import Element, Markdown, parse

from dehusk.labels import Labels
from dehusk.layout import Nodes, boundaries, counts_before, grids, has_ink, is_holder
from dehusk.page import Bools
from dehusk.tags import PREFORMATTED, TAG_NUMBER, numbers
from dehusk.write.base import Writer, from_labels
from dehusk.write.html import serialise
from dehusk.write.pruning import Pruned, dissolve, prune
from dehusk.write.safety import sanitize

_CODE = numbers("code kbd samp tt")
_PRE = numbers(PREFORMATTED)
_LINK = numbers("a")
_TABLE = numbers("table")
_LIST = numbers("ul ol menu dir")
_ITEM = numbers("li")
_RAISED = numbers("sub sup")
_EMPHASIS = (numbers("b strong"), numbers("i em"), numbers("s strike del"))
_PLAIN = numbers("rp q")
_EMPTY = numbers("br hr img")
_LINE_TAGS = numbers("br hr")
_RULE = numbers("hr")


def to_markdown(labels: Labels) -> str:
    """Return the kept blocks as Markdown; it ends with a line end where it is not empty."""
    fragment = sanitize(serialise(_adapted(labels)))
    text = parse(fragment).to_markdown(_STYLE)
    return f"{text}\n" if text else ""


def _raised(element: Element, text: str) -> str:
    return f"<{element.tag}>{text}</{element.tag}>"


_STYLE = Markdown(converters={"sub": _raised, "sup": _raised})


def _adapted(labels: Labels) -> Pruned:
    """Return what is left of the page in terms that Markdown has; elements without any effect are left away."""
    pruned = prune(labels)
    page, nodes = pruned.page, pruned.nodes
    is_grid = grids(labels.blocks, np.flatnonzero(labels.kept))
    names = dissolve(pruned, ~is_grid)
    in_cell = np.append(is_grid, False)[page.nearest(page.is_one_of(_TABLE))]
    line_breaks, paragraph_breaks = _breaks(pruned, in_cell)
    names[_blocks(pruned)[nodes] | paragraph_breaks[nodes]] = "div"
    plain = _plain(pruned, in_cell) | ((page.tag == TAG_NUMBER["br"]) & ~line_breaks & ~paragraph_breaks)
    stays = ~plain[nodes] & (names != "span")
    seams = pruned.seams | _alternatives(labels)
    return replace(pruned, nodes=nodes[stays], names=names[stays], seams=seams, links=_links(pruned), fold=True)


def _plain(pruned: Pruned, in_cell: Bools) -> Bools:
    """Return which inline elements, shape (n,), are written as their text alone."""
    page = pruned.page
    around_blocks = _hold(pruned, is_holder(page))
    around_others = around_blocks | _hold(pruned, page.is_one_of(_EMPTY))
    plain = page.is_one_of(_PLAIN) | (page.is_one_of(_LINK) & around_blocks)
    plain |= page.is_one_of(_CODE) & around_others
    for tags in _EMPHASIS:
        emphasis = page.is_one_of(tags)
        plain |= emphasis & (page.within(np.flatnonzero(emphasis)) > 1)
        plain |= emphasis & around_blocks & in_cell
    raised = page.nodes_of(_RAISED)
    plain[raised] |= (page.within(raised)[raised] > 1) | ~_follows_text(pruned, raised)
    for node in raised[~plain[raised]].tolist():
        plain[node] = "|" in page.text[page.text_start[node] : page.text_end[node]]  # escaped twice in a cell
    return plain


def _follows_text(pruned: Pruned, elements: Nodes) -> Bools:
    """Return which of some inline elements have no boundary in them nor between them and the text before them."""
    page = pruned.page
    text = _content(pruned)
    divided = boundaries(page, _divisions(pruned))
    before = np.append(0, text)[np.searchsorted(text, elements)]
    seams = counts_before(page, np.array(list(pruned.seams), dtype=np.intp))
    whole = (divided[page.end[elements] - 1] == divided[before]) & (seams[page.end[elements]] == seams[elements])
    follows: Bools = whole & (before > 0)
    return follows


def _breaks(pruned: Pruned, in_cell: Bools) -> tuple[Bools, Bools]:
    """Return which `br`, shape (n,), end lines and which divide paragraphs; the others have nothing to divide."""
    page, content = pruned.page, _content(pruned)
    lines, paragraphs = np.zeros(len(page), dtype=np.bool_), np.zeros(len(page), dtype=np.bool_)
    nodes = pruned.nodes[page.tag[pruned.nodes] == TAG_NUMBER["br"]]
    place = np.searchsorted(content, nodes)
    around = np.concatenate(([0], content, [len(page)]))
    hard = boundaries(page, _divisions(pruned, lines=False))
    between = hard[around[place + 1]] == hard[around[place]]
    between &= (place > 0) & (place < len(content))
    in_pre = page.within(page.nodes_of(_PRE))[nodes] > 0
    several = (np.bincount(place, minlength=len(content) + 1)[place] > 1) & ~in_cell[nodes]
    is_first = np.append(True, place[1:] != place[:-1])[: len(nodes)]
    lines[nodes[in_pre | (between & ~several)]] = True
    paragraphs[nodes[~in_pre & between & several & is_first]] = True
    return lines, paragraphs


def _content(pruned: Pruned) -> Nodes:
    """Return the nodes that stay and show something: text with ink, and images."""
    page, nodes = pruned.page, pruned.nodes
    inked = (page.is_text & has_ink(page))[nodes]
    content: Nodes = nodes[inked | (page.tag[nodes] == TAG_NUMBER["img"])]
    return content


def _divisions(pruned: Pruned, *, lines: bool = True) -> Nodes:
    """Return where block-level elements that stay begin and end, and where `hr` stand (and `br`, with `lines`)."""
    page, nodes = pruned.page, pruned.nodes
    holders = nodes[is_holder(page)[nodes]]
    rules = nodes[page.is_one_of(_LINE_TAGS if lines else _RULE)[nodes]]
    return np.concatenate((holders, page.end[holders], rules))


def _blocks(pruned: Pruned) -> Bools:
    """Return which block-level elements, shape (n,), are written as blocks without a meaning of their own."""
    page, nodes = pruned.page, pruned.nodes
    first = np.append(nodes[1:], 0) if len(nodes) else nodes
    odd = np.zeros(len(page), dtype=np.bool_)
    odd[nodes] = ~page.is_one_of(_ITEM)[first]
    odd &= page.is_one_of(_LIST)
    odd |= is_holder(page) & _inside_pre(pruned)
    return odd


def _links(pruned: Pruned) -> dict[int, int]:
    """Return the innermost link of each text node where that link is around block-level elements."""
    page, nodes = pruned.page, pruned.nodes
    links = page.is_one_of(_LINK)
    around_blocks = links & _hold(pruned, is_holder(page))
    if not around_blocks.any():
        return {}
    link = page.nearest(links)[nodes]
    linked = page.is_text[nodes] & (link >= 0) & around_blocks[link]
    return dict(zip(nodes[linked].tolist(), link[linked].tolist(), strict=True))


def _alternatives(labels: Labels) -> dict[int, str]:
    """Return the alternative texts that are kept blocks where Markdown cannot hold the image: in preformatted text."""
    blocks = labels.blocks
    page = blocks.page
    in_pre = labels.kept & blocks.is_alt & blocks.in_pre
    texts = zip(page.parent[blocks.first[in_pre]].tolist(), np.flatnonzero(in_pre).tolist(), strict=True)
    return {image: f" {escape(blocks.texts[block])} " for image, block in texts}


def _inside_pre(pruned: Pruned) -> Bools:
    page = pruned.page
    inside: Bools = page.within(page.nodes_of(_PRE))[page.parent] > 0
    return inside


def _hold(pruned: Pruned, targets: Bools) -> Bools:
    """Return which nodes, shape (n,), have one of the targets that stay below them."""
    before = counts_before(pruned.page, pruned.nodes[targets[pruned.nodes]])
    held: Bools = before[pruned.page.end] > before[1:]
    return held


WRITER = Writer(
    name="markdown",
    extension=".md",
    media_type="text/markdown",
    write=from_labels(to_markdown),
    aliases=("gfm", "commonmark"),
    text_only=True,
)
