"""Cleaned HTML: the original elements and texts of the kept blocks, without everything else, made safe.

`write.pruning` chooses the nodes; each post of a thread starts with its author and date (`write.attribution`).
turbohtml's sanitizer (`write.safety`) then reads the HTML written here and lets through only what is allowed. Elements
that mean nothing outside of their page are renamed to elements that look the same: parts of forms to `div`, `textarea`
and `xmp` to `pre`, unknown elements to `span`. Images have the address that they are loaded from, however late; of a
formula, one of its forms is written: MathML, or TeX that only a script holds.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from html import escape
from types import MappingProxyType

import numpy as np

from dehusk.base.lazy import pattern
from dehusk.base.tags import KNOWN, PREFORMATTED, numbers
from dehusk.blocks.labels import Labels
from dehusk.read.addresses import Addresses
from dehusk.read.page import Attributes, Page
from dehusk.write.attribution import REPLY, Signature, shows_posts, signed
from dehusk.write.content.boxes import cents_apart
from dehusk.write.content.images import Images, find_images
from dehusk.write.inserts import dollars, formulas_of, tasks_of
from dehusk.write.interface import CleanedPage, Writer
from dehusk.write.options import IN_LINES, PostsChoice, WriteOptions
from dehusk.write.pruning import Pruned, prune
from dehusk.write.safety import BLOCK, EMPTY, attributes, sanitize

_PRE, _IMAGE = numbers(PREFORMATTED), numbers("img")
_RTL, _HEAD = pattern(r"<html\b[^>]*\sdir\s*=\s*[\"']?rtl\b", re.IGNORECASE), 5_000  # characters that are searched
_WHITE = pattern(r"[ \t\n\f\r]+")
_LINES = BLOCK - {"td", "th"}
_FLOW = frozenset(
    ("body", "div", "article", "section", "main", "li", "dd", "td", "th", "blockquote", "figure", "aside")
)
"""Elements in which paragraphs may stand."""

WriteText = Callable[[int, str], str]
"""Takes the number and the text of a text node and returns HTML."""


def to_html(labels: Labels, posts: PostsChoice = "auto") -> str:
    """Return the kept blocks as a complete document."""
    page = labels.blocks.page
    meta = page.meta
    language = f' lang="{escape(meta.language)}"' if meta.language else ""
    direction = ' dir="rtl"' if _is_rtl(page) else ""
    return (
        f"<!DOCTYPE html>\n<html{language}{direction}>\n<head>\n"
        f'<meta charset="utf-8">\n<title>{escape(meta.title, quote=False)}</title>\n</head>\n'
        f"<body>\n{fragment(labels, posts)}</body>\n</html>\n"
    )


def _is_rtl(page: Page) -> bool:
    """Return whether a page declares that it is written from right to left."""
    own = page.attribute(0, "dir") if len(page) else None
    return (own or "").lower() == "rtl" or _RTL.search(page.elements.text, 0, _HEAD) is not None


def fragment(labels: Labels, posts: PostsChoice = "auto") -> str:
    """Return the kept blocks as the content of a body element."""
    signatures: dict[int, Signature] = {}
    if shows_posts(labels, posts):
        labels, signatures = signed(labels)
    pruned = _with_signatures(_with_formulas(prune(labels)), labels, signatures)
    page = pruned.page
    tasks = {node: sign if page.text_of(node)[0].isspace() else f"{sign} " for node, sign in tasks_of(page).items()}
    return sanitize(serialise(replace(pruned, seams=pruned.seams | tasks | cents_apart(page))))


def _with_signatures(pruned: Pruned, labels: Labels, signatures: dict[int, Signature]) -> Pruned:
    """Return the nodes with a line of its author and date before the first text of each post."""
    seams, last = dict(pruned.seams), -1
    for block, first, end in zip(
        labels.written.tolist(),
        labels.blocks.first[labels.written].tolist(),
        labels.blocks.last[labels.written].tolist(),
        strict=True,
    ):
        if block in signatures:
            found = signatures[block]
            node, is_line = _start_of_post(pruned, first, found.node, last)
            author = f"<strong>{escape(found.author, quote=False)}</strong>" if found.author else ""
            line = REPLY * max(found.level - found.nested, 0) + author + escape(found.rest, quote=False)
            seams[node] = seams.get(node, "") + (f"{line}<br>" if is_line else f"<p>{line}</p>\n")
        last = end
    return replace(pruned, seams=seams)


def _start_of_post(pruned: Pruned, first: int, root: int, last: int) -> tuple[int, bool]:
    """Return the node before which to write who wrote a post, and whether this is within a line.

    It is the outermost one in the post that starts behind what is written before, where a paragraph may stand.

    Args:
        pruned: the kept nodes.
        first: the first text node of what follows.
        root: the element of the post.
        last: the last text node that is written before, -1 for none.
    """
    page, path = pruned.page, [first]
    while path[-1] > root and int(page.parent[path[-1]]) > max(last, 0):
        path.append(int(page.parent[path[-1]]))
    for node in path[::-1]:
        parent = int(page.parent[node])
        name = str(pruned.names[pruned.nodes.searchsorted(parent)]) if parent > 0 else "body"
        if node != root and name in _FLOW:
            return node, False
    return first, True


def _with_formulas(pruned: Pruned) -> Pruned:
    """Return the nodes without what repeats a formula, and with the formulas that only scripts hold, as TeX."""
    page, formulas = pruned.page, formulas_of(pruned.page)
    if not formulas:
        return pruned
    is_math = np.isin(page.tag, [KNOWN + index for index, name in enumerate(page.extra_tags) if name == "math"])
    maths, again = is_math.nonzero()[0], np.zeros(len(page), dtype=np.bool_)
    for root in formulas.roots:
        inside = maths[maths.searchsorted(root) : maths.searchsorted(page.end[root])]
        if len(inside):
            math = int(inside[0])
            again[root + 1 : math] = page.end[root + 1 : math] <= math
            again[page.end[math] : page.end[root]] = True
    for node in formulas.previews:
        again[node : page.end[node]] = True
    nodes = pruned.nodes[~again[pruned.nodes]]
    seams = dict(pruned.seams)
    places = [(int(page.end[node]), found) for node, found in formulas.after.items()]
    for place, found in places + [(node + 1, found) for node, found in formulas.first.items()]:
        at = int(nodes.searchsorted(place))
        if at < len(nodes):
            node = int(nodes[at])
            seams[node] = " ".join((*(escape(dollars(each), quote=False) for each in found), seams.get(node, "")))
    return replace(pruned, nodes=nodes, names=pruned.names[~again[pruned.nodes]], seams=seams)


def _loaded(images: Images, node: int, own: Attributes) -> Attributes:
    """Return the attributes of an image with the address that it is loaded from."""
    source = images.sources.get(node)
    return (("src", source), *((name, value) for name, value in own if name != "src")) if source else own


def serialise(
    pruned: Pruned, write_text: WriteText | None = None, marks: Mapping[int, str] = MappingProxyType({})
) -> str:
    """Return pruned nodes as HTML that is not safe yet; a line ends after each block-level element except cells.

    Args:
        pruned: the nodes.
        write_text: writes the text nodes; by default their text, inside the link that Markdown needs around it.
        marks: node -> additional attributes for its start tag, written verbatim, each with a leading space.
    """
    page, addresses = pruned.page, Addresses.of(pruned.page)
    nodes, starts, ends = pruned.nodes, page.text_start[pruned.nodes], page.text_end[pruned.nodes]
    in_pre = page.within(page.nodes_of(_PRE))[page.parent[nodes]] > 0
    kept = nodes[page.is_one_of(_IMAGE)[nodes]].tolist()
    images = find_images(page, addresses, kept) if kept else Images()
    out: list[str] = []
    opened: list[tuple[int, str]] = []
    columns = (nodes, pruned.names, page.end[nodes], starts, ends, in_pre)
    for node, name, end, text_start, text_end, preformatted in zip(*map(np.ndarray.tolist, columns), strict=True):
        while opened and opened[-1][0] <= node:
            out.append(opened.pop()[1])
        if node in pruned.seams:
            out.append(pruned.seams[node])
        if not name:
            text = page.text[text_start:text_end]
            # a carriage return, which came from a character reference, would be read back as a line end
            if pruned.fold and not preformatted:
                text = _WHITE.sub(" ", text)
            else:
                text = text.replace("\r", "" if preformatted else " ")
            out.append(write_text(node, text) if write_text else _text(pruned, node, text, addresses))
            continue
        if name == "img" and node in images.copies:
            continue
        own = page.attributes.get(node, ())
        own = _loaded(images, node, own) if name == "img" else own
        out.append(f"<{name}{attributes(name, own, addresses) if own else ''}{marks.get(node, '')}>")
        if name not in EMPTY:
            opened.append((end, f"</{name}>\n" if name in _LINES and not preformatted else f"</{name}>"))
    out += [closing for _, closing in reversed(opened)]
    return "".join(out)


def _text(pruned: Pruned, node: int, text: str, addresses: Addresses) -> str:
    """Return a text as HTML, inside the link that Markdown needs around it."""
    escaped = escape(text, quote=False)
    if node not in pruned.links or not text.strip():
        return escaped
    link = attributes("a", pruned.page.attributes.get(pruned.links[node], ()), addresses)
    return f"<a{link}>{escaped}</a>"


def write_html(cleaned: CleanedPage, options: WriteOptions) -> str:
    """Return a page as a complete document, with the authors of posts as the options say."""
    return to_html(cleaned.labels, options.posts or "auto")


WRITER = Writer(
    name="html",
    extension=".html",
    media_type="text/html",
    write=write_html,
    aliases=("xhtml",),
    options=frozenset({"posts"}),
    posts=IN_LINES,
)
