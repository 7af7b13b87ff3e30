"""Cleaned HTML: the original elements and texts of the kept blocks, pruned of everything else, and made safe.

The pruning (`write.prune`) is ours, the safety is turbohtml's sanitizer (`write.safety`), which reads what was written
here and lets through what is allowed. Elements without meaning outside of their page are renamed to what looks the
same: parts of forms to `div`, `textarea` and `xmp` to `pre`, unknown elements to `span`.
"""

import re
from collections.abc import Callable, Mapping
from html import escape
from types import MappingProxyType

import numpy as np

from dehusk.labels import Labels
from dehusk.tags import PREFORMATTED, numbers
from dehusk.write.base import Writer, from_labels
from dehusk.write.pruning import Pruned, prune
from dehusk.write.safety import BLOCK, EMPTY, attributes, base_address, sanitize

_PRE = numbers(PREFORMATTED)
_WHITE = re.compile(r"[ \t\n\f\r]+")
_LINES = BLOCK - {"td", "th"}

WriteText = Callable[[int, str], str]


def to_html(labels: Labels) -> str:
    """Return a complete document of the kept blocks."""
    meta = labels.blocks.page.meta
    language = f' lang="{escape(meta.language)}"' if meta.language else ""
    return (
        f'<!DOCTYPE html>\n<html{language}>\n<head>\n<meta charset="utf-8">\n<title>{escape(meta.title, quote=False)}'
        f"</title>\n</head>\n<body>\n{fragment(labels)}</body>\n</html>\n"
    )


def fragment(labels: Labels) -> str:
    """Return what stands in the body of the document."""
    return sanitize(serialise(prune(labels)))


def serialise(
    pruned: Pruned, write_text: WriteText | None = None, marks: Mapping[int, str] = MappingProxyType({})
) -> str:
    """Return pruned nodes as HTML that is not yet safe; a line ends after each block-level element but cells.

    Args:
        pruned: the nodes.
        write_text: from the number and the text of each text node to HTML; by default the text, in the link around it
            that Markdown needs.
        marks: node -> additional attributes for its start tag, written verbatim, each with a leading space.
    """
    page, base = pruned.page, base_address(pruned.page)
    nodes, starts, stops = pruned.nodes, page.text_start[pruned.nodes], page.text_end[pruned.nodes]
    in_pre = page.within(page.nodes_of(_PRE))[page.parent[nodes]] > 0
    out: list[str] = []
    opened: list[tuple[int, str]] = []
    columns = (nodes, pruned.names, page.end[nodes], starts, stops, in_pre)
    for node, name, end, start, stop, exact in zip(*map(np.ndarray.tolist, columns), strict=True):
        while opened and opened[-1][0] <= node:
            out.append(opened.pop()[1])
        if node in pruned.seams:
            out.append(pruned.seams[node])
        if not name:
            text = page.text[start:stop]
            # a carriage return, which came from a reference, would be read as the end of a line
            text = _WHITE.sub(" ", text) if pruned.fold and not exact else text.replace("\r", "" if exact else " ")
            out.append(write_text(node, text) if write_text else _text(pruned, node, text, base))
            continue
        given = page.attributes.get(node, ())
        out.append(f"<{name}{attributes(name, given, base) if given else ''}{marks.get(node, '')}>")
        if name not in EMPTY:
            opened.append((end, f"</{name}>\n" if name in _LINES and not exact else f"</{name}>"))
    out += [closing for _, closing in reversed(opened)]
    return "".join(out)


def _text(pruned: Pruned, node: int, text: str, base: str) -> str:
    """Return a text as HTML, with the link around it that Markdown needs."""
    written = escape(text, quote=False)
    if node not in pruned.links or not text.strip():
        return written
    link = attributes("a", pruned.page.attributes.get(pruned.links[node], ()), base)
    return f"<a{link}>{written}</a>"


WRITER = Writer(
    name="html",
    extension=".html",
    media_type="text/html",
    write=from_labels(to_html),
    aliases=("xhtml",),
)
