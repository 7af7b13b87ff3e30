"""Choose the nodes of a cleaned page: those of the kept blocks, and those that structure them.

These nodes are kept: the text nodes of kept blocks that are not omitted, all elements above them, the white space
between them, the empty cells of rows with kept text, and `br`, `hr`, `wbr` and images between two kept blocks, or next
to one with no block-level boundary in between; an image is also kept in a `figure` with kept text, in a paragraph of
pictures beside it, and if it is the picture that the page declares as its own. If everything between two kept blocks is
dropped, a `br` (or a space) replaces it, so that words do not run together; so does a space between two boxes in a
line. Forums' own quotes are `blockquote`; those that an engine makes of whole posts are not.
"""

import re
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from dehusk.base.lazy import pattern
from dehusk.base.tags import TAG_NUMBER, numbers
from dehusk.blocks.labels import Labels
from dehusk.blocks.layout import Nodes
from dehusk.compiled.tokens import element_names
from dehusk.compiled.write import kept_nodes
from dehusk.read.names import NamePattern
from dehusk.read.page import Bools, Page
from dehusk.read.signs import source_signs
from dehusk.write.content.bare_headings import without_bare_headings
from dehusk.write.content.boxes import texts_apart
from dehusk.write.content.callouts import with_callouts
from dehusk.write.content.headline import with_heading_roles, with_headline
from dehusk.write.content.lists import with_lists
from dehusk.write.content.own_picture import declared_picture
from dehusk.write.content.pairs import with_pairs
from dehusk.write.content.picture_paragraphs import paragraphs_of_pictures

_TABLE, _BLOCKQUOTE = numbers("table"), numbers("blockquote")
_PARTS = numbers("thead tbody tfoot caption td th tr")
_HEADER, _CELL, _LINK, _ROW = TAG_NUMBER["th"], numbers("td th"), numbers("a"), numbers("tr")
_SORTS = pattern(r"[?&;]\w{0,20}(?:sort|order)\w{0,20}=|/sort/", re.IGNORECASE)
"""Addresses that order the rows of a table anew."""
_HEAD = 200  # characters of a cell that names its column, at most, with white space
_POST = NamePattern(r"(?:^|\s)(?:postcontent|messagetext)(?:$|\s)", "postcontent messagetext")
"""Classes of the `blockquote` that vBulletin 4 and XenForo 1 write around the text of each post."""
_QUOTE = NamePattern(r"(?:^|\s)bbcode_quote(?:$|\s)", "bbcode_quote")
"""The class of the `div` that is a quote in a post of vBulletin 4 to 6."""

_ROLES = dict(
    **dict.fromkeys(("table", "grid"), "table"),
    **dict.fromkeys(("cell", "gridcell"), "td"),
    **dict.fromkeys(("columnheader", "rowheader"), "th"),
    rowgroup="tbody",
    row="tr",
)
"""The elements that roles stand for."""
_AROUND = {"tbody": ("table",), "tr": ("table", "tbody"), "td": ("tr",), "th": ("tr",)}
_ROWS = 2  # of a table that roles make, at least


@dataclass(frozen=True, eq=False)
class Pruned:
    """The m nodes of a cleaned page, in document order, without the root."""

    page: Page
    nodes: Nodes
    """(m,) node numbers."""
    names: npt.NDArray[np.object_]
    """(m,) name of each element in the output; "" for text nodes."""
    seams: dict[int, str]
    """Text node (or image) -> what to write before it, because all that separated it from the text before is gone, or
    is not text."""
    links: dict[int, int] = field(default_factory=dict)
    """Text node -> the link to write around just this text, since the link's own element is not written."""
    fold: bool = False
    """Whether to fold white space outside of preformatted text to one space, as browsers show it."""


def prune(labels: Labels) -> Pruned:
    """Return the nodes of a page reduced to its kept blocks."""
    page, (nodes, seams) = labels.blocks.page, kept_nodes(labels)
    nodes = _with_pictures(labels, nodes)
    names, apart = with_pairs(page, nodes, _with_quotes(page, nodes, element_names(page, nodes)))
    names = with_headline(labels, nodes, with_lists(page, nodes, _with_table_roles(page, nodes, names)))
    names = with_callouts(page, nodes, with_heading_roles(page, nodes, names))
    names = _without_sorting(page, nodes, without_bare_headings(page, nodes, names))
    return Pruned(page, nodes, names, dict.fromkeys(texts_apart(page), " ") | apart | seams)


def _with_pictures(labels: Labels, nodes: Nodes) -> Nodes:
    """Return the kept nodes with the picture that the page declares as its own, and with paragraphs of pictures."""
    added = {*declared_picture(labels, nodes), *paragraphs_of_pictures(labels, nodes).tolist()}
    above, parent = set[int](), labels.blocks.page.parent
    for node in added:
        while (node := int(parent[node])) > 0 and node not in above:
            above.add(node)
    return np.union1d(nodes, sorted(added | above)) if added else nodes


def _with_quotes(page: Page, nodes: Nodes, names: npt.NDArray[np.object_]) -> npt.NDArray[np.object_]:
    """Return the names, shape (m,), with what is quoted in posts in a `blockquote`, and whole posts in a `div`."""
    posts, quotes = page.classes.named(_POST), page.classes.named(_QUOTE)
    if not posts and not quotes:
        return names
    is_post, is_quote = page.has_class(posts)[nodes], page.has_class(quotes)[nodes]
    names = np.where(is_post & page.is_one_of(_BLOCKQUOTE)[nodes], "div", names)
    return np.where(is_quote & (names == "div"), "blockquote", names)


def _with_table_roles(page: Page, nodes: Nodes, names: npt.NDArray[np.object_]) -> npt.NDArray[np.object_]:
    """Return the names, shape (m,), with the elements that roles make tables with header cells, and parts of such."""
    if not source_signs(page).columns:
        return names
    places = (names == "div").nonzero()[0]
    (roles,) = page.elements.columns(nodes[places], ("role",))
    of_table, parts = dict[int, int](), dict[int, dict[int, str]]()
    for place, node, role in zip(places.tolist(), nodes[places].tolist(), roles, strict=True):
        name, around = _ROLES.get(role or "", ""), int(page.parent[node])
        if name == "table":
            of_table[node], parts[node] = node, {place: name}
        elif name and around in of_table:
            own = parts[of_table[around]]
            if own[int(nodes.searchsorted(around))] in _AROUND[name]:
                of_table[node], own[place] = of_table[around], name
    names = names.copy()
    for own in parts.values():
        if "th" in own.values() and [*own.values()].count("tr") >= _ROWS:
            names[[*own]] = [*own.values()]
    return names


def _without_sorting(page: Page, nodes: Nodes, names: npt.NDArray[np.object_]) -> npt.NDArray[np.object_]:
    """Return the names, shape (m,), with links that sort a table as `span`: they are all of a cell in its head."""
    rows, links = page.nodes_of(_ROW), page.nodes_of(_LINK)
    if not len(rows) or not len(links):
        return names
    cell, table = page.nearest(page.is_one_of(_CELL)), page.nearest(page.is_one_of(_TABLE))[rows]
    top = page.within_at(rows[np.append(True, table[1:] != table[:-1])], links) > 0
    is_header = page.tag[cell[links]] == _HEADER
    is_short = page.text_end[cell[links]] - page.text_start[cell[links]] <= _HEAD
    links = links[(cell[links] >= 0) & (is_header | top) & is_short]
    hrefs, found = page.elements.values(links, "href"), list[int]()
    for link, href in zip(links.tolist(), hrefs, strict=True):
        own = page.text_of(link).strip() if _SORTS.search((href or "").strip()) else ""
        found += [link] if own and own == page.text_of(int(cell[link])).strip() else []
    return np.where(np.isin(nodes, found) & (names == "a"), "span", names) if found else names


def dissolve(pruned: Pruned, tables: Bools) -> npt.NDArray[np.object_]:
    """Return the names, shape (m,), with the elements of some tables renamed to div; `tables` is a mask over nodes."""
    page, nodes = pruned.page, pruned.nodes
    if not len(page.nodes_of(_TABLE)):
        return pruned.names
    parts = page.is_one_of(_PARTS) | page.is_one_of(_TABLE)
    affected = (parts & np.append(tables, False)[page.nearest(page.is_one_of(_TABLE))])[nodes]
    return np.where(affected, "div", pruned.names)
