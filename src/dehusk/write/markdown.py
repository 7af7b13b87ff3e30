"""Markdown (GitHub's flavour): turbohtml's renderer, on cleaned HTML adapted to what Markdown can express.

turbohtml was chosen over markdownify because it loses no text, is iterative (markdownify recurses and fails at depth
512), takes milliseconds for 40,000 blocks, and falls back to HTML for what Markdown cannot express: emphasis next to
letters and punctuation, tables with spans, numbering with gaps. These cases are adapted first, because turbohtml would
lose or add text or structure:

- A link around block-level elements would lose the heading in a linked card. The link is written around each text in
  it instead. `code` around block-level elements or images, emphasis around several blocks of a table cell, bold in bold
  and italics in italics become plain text.
- A layout table (`layout.grids`) would put a whole article into one cell. Its cells become blocks.
- A list that starts with something other than an item would be indented like code. It becomes a block.
- Block-level elements in `pre` would end the code. They become its lines.
- A `br` before or after a block would become a stray backslash. It is dropped; two of them separate paragraphs.
- `sub` and `sup` would be dropped (10<sup>6</sup> is not 106). If they follow text on their line, they are written as
  HTML, which Markdown allows.
- `rp` would lose its text, and `q` would gain quotation marks that the page does not have. Both become plain text.

Remaining differences: a caption that follows rows of its table comes first, as in browsers; `dl` becomes paragraphs.
"""

from dataclasses import replace
from html import escape

import numpy as np
from turbohtml import Element, Markdown, parse

from dehusk.labels import Labels
from dehusk.layout import Nodes, boundaries, counts_before, grids, has_ink, is_holder
from dehusk.page import Bools
from dehusk.tags import PREFORMATTED, TAG_NUMBER, numbers
from dehusk.write.html import serialise
from dehusk.write.interface import Writer, from_labels
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
    """Return the kept blocks as Markdown; unless empty, it ends with a line end."""
    fragment = sanitize(serialise(_adapted(labels)))
    text = parse(fragment).to_markdown(_STYLE)
    return f"{text}\n" if text else ""


def _raised(element: Element, text: str) -> str:
    return f"<{element.tag}>{text}</{element.tag}>"


_STYLE = Markdown(converters={"sub": _raised, "sup": _raised})


def _adapted(labels: Labels) -> Pruned:
    """Return the kept nodes in terms that Markdown has; elements without effect are dropped."""
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
    """Return which inline elements, shape (n,), are written as plain text."""
    page = pruned.page
    around_blocks = _contains(pruned, is_holder(page))
    around_others = around_blocks | _contains(pruned, page.is_one_of(_EMPTY))
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
    """Return which of some inline elements have no boundary inside, nor between them and the text before them."""
    page = pruned.page
    text = _content(pruned)
    divided = boundaries(page, _divisions(pruned))
    before = np.append(0, text)[np.searchsorted(text, elements)]
    seams = counts_before(page, np.array(list(pruned.seams), dtype=np.intp))
    undivided = (divided[page.end[elements] - 1] == divided[before]) & (seams[page.end[elements]] == seams[elements])
    follows: Bools = undivided & (before > 0)
    return follows


def _breaks(pruned: Pruned, in_cell: Bools) -> tuple[Bools, Bools]:
    """Return which `br`, shape (n,), end lines and which separate paragraphs; all others separate nothing."""
    page, content = pruned.page, _content(pruned)
    lines, paragraphs = np.zeros(len(page), dtype=np.bool_), np.zeros(len(page), dtype=np.bool_)
    nodes = pruned.nodes[page.tag[pruned.nodes] == TAG_NUMBER["br"]]
    position = np.searchsorted(content, nodes)
    around = np.concatenate(([0], content, [len(page)]))
    hard = boundaries(page, _divisions(pruned, lines=False))
    between = hard[around[position + 1]] == hard[around[position]]
    between &= (position > 0) & (position < len(content))
    in_pre = page.within(page.nodes_of(_PRE))[nodes] > 0
    several = (np.bincount(position, minlength=len(content) + 1)[position] > 1) & ~in_cell[nodes]
    is_first = np.append(True, position[1:] != position[:-1])[: len(nodes)]
    lines[nodes[in_pre | (between & ~several)]] = True
    paragraphs[nodes[~in_pre & between & several & is_first]] = True
    return lines, paragraphs


def _content(pruned: Pruned) -> Nodes:
    """Return the kept nodes that show something: text with ink, and images."""
    page, nodes = pruned.page, pruned.nodes
    inked = (page.is_text & has_ink(page))[nodes]
    content: Nodes = nodes[inked | (page.tag[nodes] == TAG_NUMBER["img"])]
    return content


def _divisions(pruned: Pruned, *, lines: bool = True) -> Nodes:
    """Return the starts and ends of the kept block-level elements, and each `hr` (and `br`, with `lines`)."""
    page, nodes = pruned.page, pruned.nodes
    holders = nodes[is_holder(page)[nodes]]
    rules = nodes[page.is_one_of(_LINE_TAGS if lines else _RULE)[nodes]]
    return np.concatenate((holders, page.end[holders], rules))


def _blocks(pruned: Pruned) -> Bools:
    """Return which block-level elements, shape (n,), are written as generic blocks."""
    page, nodes = pruned.page, pruned.nodes
    first = np.append(nodes[1:], 0) if len(nodes) else nodes
    odd = np.zeros(len(page), dtype=np.bool_)
    odd[nodes] = ~page.is_one_of(_ITEM)[first]
    odd &= page.is_one_of(_LIST)
    odd |= is_holder(page) & _inside_pre(pruned)
    return odd


def _links(pruned: Pruned) -> dict[int, int]:
    """Return text node -> its innermost link, for links around block-level elements."""
    page, nodes = pruned.page, pruned.nodes
    links = page.is_one_of(_LINK)
    around_blocks = links & _contains(pruned, is_holder(page))
    if not around_blocks.any():
        return {}
    link = page.nearest(links)[nodes]
    linked = page.is_text[nodes] & (link >= 0) & around_blocks[link]
    return dict(zip(nodes[linked].tolist(), link[linked].tolist(), strict=True))


def _alternatives(labels: Labels) -> dict[int, str]:
    """Return image -> its alternative text, for kept images in `pre`, where Markdown cannot show an image."""
    blocks = labels.blocks
    page = blocks.page
    in_pre = labels.kept & blocks.is_alt & blocks.in_pre
    texts = zip(page.parent[blocks.first[in_pre]].tolist(), np.flatnonzero(in_pre).tolist(), strict=True)
    return {image: f" {escape(blocks.texts[block])} " for image, block in texts}


def _inside_pre(pruned: Pruned) -> Bools:
    page = pruned.page
    inside: Bools = page.within(page.nodes_of(_PRE))[page.parent] > 0
    return inside


def _contains(pruned: Pruned, targets: Bools) -> Bools:
    """Return which nodes, shape (n,), contain a kept node of the mask `targets`."""
    before = counts_before(pruned.page, pruned.nodes[targets[pruned.nodes]])
    contains: Bools = before[pruned.page.end] > before[1:]
    return contains


WRITER = Writer(
    name="markdown",
    extension=".md",
    media_type="text/markdown",
    write=from_labels(to_markdown),
    aliases=("gfm", "commonmark"),
    text_only=True,
)
