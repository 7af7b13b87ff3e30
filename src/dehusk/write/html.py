"""Cleaned HTML: the original elements and texts of the kept blocks, without everything else, made safe.

`write.pruning` chooses the nodes. turbohtml's sanitizer (`write.safety`) then reads the HTML written here and lets
through only what is allowed. Elements that mean nothing outside of their page are renamed to elements that look the
same: parts of forms to `div`, `textarea` and `xmp` to `pre`, unknown elements to `span`.
"""

from collections.abc import Callable, Mapping
from html import escape
from types import MappingProxyType

import numpy as np

from dehusk.base.lazy import pattern
from dehusk.base.tags import PREFORMATTED, numbers
from dehusk.blocks.labels import Labels
from dehusk.read.addresses import Addresses
from dehusk.write.interface import Writer, from_labels
from dehusk.write.pruning import Pruned, prune
from dehusk.write.safety import BLOCK, EMPTY, attributes, sanitize

_PRE = numbers(PREFORMATTED)
_WHITE = pattern(r"[ \t\n\f\r]+")
_LINES = BLOCK - {"td", "th"}

WriteText = Callable[[int, str], str]
"""Takes the number and the text of a text node and returns HTML."""


def to_html(labels: Labels) -> str:
    """Return the kept blocks as a complete document."""
    meta = labels.blocks.page.meta
    language = f' lang="{escape(meta.language)}"' if meta.language else ""
    return (
        f'<!DOCTYPE html>\n<html{language}>\n<head>\n<meta charset="utf-8">\n<title>{escape(meta.title, quote=False)}'
        f"</title>\n</head>\n<body>\n{fragment(labels)}</body>\n</html>\n"
    )


def fragment(labels: Labels) -> str:
    """Return the kept blocks as the content of a body element."""
    return sanitize(serialise(prune(labels)))


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
        own = page.attributes.get(node, ())
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


WRITER = Writer(
    name="html",
    extension=".html",
    media_type="text/html",
    write=from_labels(to_html),
    aliases=("xhtml",),
)
