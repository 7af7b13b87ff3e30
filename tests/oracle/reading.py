"""What `dehusk.compiled.tree` reads: the columns of a page, by walks through the parser's tree."""

import re
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from turbohtml import Document, Element, Text

from dehusk.base.tags import DROPPED, PREFORMATTED, TAG_NUMBER
from dehusk.read.elements import parse_document
from dehusk.read.page import Attributes, Meta

RAW = {"iframe", "noembed", "noframes", "script", "style", "textarea", "title", "xmp"}
HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
BLOCK_END = re.compile(r"</(?:p|div|td|tr|li|h[1-6]|article|section|body|table|ul)\s*>", re.IGNORECASE)


class Row(NamedTuple):
    """A row of a page: an element, a text or a line of it, or the alternative text of an image."""

    node: Any
    text: str
    parent: int
    is_alt: bool = False
    starts_line: bool = False


@lru_cache(maxsize=4096)
def around(node: Any) -> list[Any]:
    """Return what a node lies in, innermost first, without the document."""
    found = []
    while not isinstance(node.parent, Document):
        node = node.parent
        found.append(node)
    return found


def tag(node: Any) -> str:
    """Return the tag of an element; "" of other nodes."""
    return node.tag if isinstance(node, Element) else ""


def is_in(node: Any, tags: set[str] | frozenset[str]) -> bool:
    """Return whether a node is, or lies in, an element with one of some tags."""
    return any(tag(each) in tags for each in [node, *around(node)])


def nodes_of(text: str, max_nodes: int) -> tuple[list[Any], bool]:
    """Return the nodes of a document that are read, and whether these are all."""
    nodes = list(parse_document(text).descendants)
    most = 2 * max_nodes + 1000
    return nodes[:most], len(nodes) <= most


def in_page(nodes: list[Any], max_depth: int) -> tuple[list[Any], int]:
    """Return the elements and texts that are rows of the page, and how many elements are too deep for that."""
    root = next((node for node in nodes if tag(node) in {"body", "frameset"}), None)
    found, deep = [], 0
    for node in nodes:
        if root in [node, *around(node)] and isinstance(node, Element | Text) and not is_in(node, DROPPED):
            if isinstance(node, Element) and node is not root and len(around(node)) > max_depth:
                deep += 1
            else:
                found.append(node)
    return found, deep


def rows_of(nodes: list[Any]) -> list[Row]:
    """Return all rows of a page."""
    rows, row_of, before = list[Row](), dict[Any, int](), ""
    for node in nodes:
        parent = next((row_of[each] for each in around(node) if each in row_of), -1)
        if isinstance(node, Text):
            is_pre = any(tag(each) in PREFORMATTED for each in around(node) if each in row_of)
            for line in re.findall(r"[^\n]*\n|[^\n]+", node.data) if is_pre else [node.data]:
                rows.append(Row(node, line, parent, starts_line=is_pre and before.endswith("\n")))
                before = line
        else:
            row_of[node] = len(rows)
            rows.append(Row(node, "", parent))
            if node.tag == "img" and (alt := (node.attr("alt") or "").strip()):
                rows.append(Row(None, alt, len(rows) - 1, is_alt=True))
    return rows


def ends_of(rows: list[Row]) -> list[int]:
    """Return for each row one past the last row that it is or that lies in it."""
    ends = [0] * len(rows)
    for row in range(len(rows)):
        outer = row
        while outer >= 0:
            ends[outer] = row + 1
            outer = rows[outer].parent
    return ends


def columns(text: str, max_nodes: int, max_depth: int) -> dict[str, object]:
    """Return what a page is read as."""
    nodes, is_whole = nodes_of(text, max_nodes)
    kept, deep = in_page(nodes, max_depth)
    every = rows_of(kept)
    rows = every[:max_nodes]
    whole, elements = "".join(row.text for row in rows), {i: row.node for i, row in enumerate(rows) if not row.text}
    before = list(accumulate((len(row.text) for row in rows), initial=0))
    place, numbers = {node: at for at, node in enumerate(nodes)}, list(accumulate(map(is_numbered, nodes)))
    return {
        "tags": [tag(row.node) for row in rows],
        "parent": [row.parent for row in rows],
        "end": (ends := ends_of(rows)),
        "text": whole,
        "spans": list(zip(before, [before[end] for end in ends], strict=False)),
        "alt_nodes": [i for i, row in enumerate(rows) if row.is_alt],
        "line_nodes": [i for i, row in enumerate(rows) if row.starts_line],
        "hidden": [i for i, node in elements.items() if is_hidden(node)],
        "attributes": {i: given for i, node in elements.items() if (given := attributes_of(node))},
        "places": [(place[node], numbers[place[node]]) for node in elements.values()],
        "extra_tags": list(dict.fromkeys(tag(each) for each in nodes if tag(each) not in {*TAG_NUMBER, ""})),
        "flattened": deep,
        "cut": len(every) > max_nodes or not is_whole,
        "capped": any(len(around(node)) >= 512 for node in nodes if isinstance(node, Element)),
        **declared(nodes, whole),
    }


def is_hidden(node: Element) -> bool:
    """Return whether an element is hidden by its own attributes."""
    by_state = node.attr("hidden") is not None or node.attr("aria-hidden") == "true"
    return by_state or HIDING.search(node.attr("style") or "") is not None


def attributes_of(node: Element) -> Attributes:
    """Return the attributes of an element as written."""
    return tuple((name, node.attr(name) or "") for name in node.attrs)


def is_numbered(node: Any) -> bool:
    """Return whether a node is an element in no template."""
    return isinstance(node, Element) and "template" not in map(tag, around(node))


def declared(nodes: list[Any], text: str) -> dict[str, object]:
    """Return what the page declares outside of its text."""
    in_tag = {
        name: "".join(node.data for node in nodes if isinstance(node, Text) and is_in(node, {name}))
        for name in ("noframes", "iframe")
    }
    swallowing = []
    for at, (node, inner) in enumerate(pairwise(nodes)):
        is_searched = len(text) < 8000 or at >= len(nodes) - 5 or tag(node) not in {"script", "style"}
        content = inner.data if is_searched and tag(node) in RAW and isinstance(inner, Text) else ""
        if len(content) >= 100 and BLOCK_END.search(content):
            swallowing.append((node.tag, content))
    return {
        "meta": meta_of(nodes),
        "frames": in_tag["noframes"],
        "swallowed": "</noscript" in in_tag["iframe"],
        "swallowing": tuple(swallowing),
        "has_templates": any(tag(node) and "template" in map(tag, around(node)) for node in nodes),
    }


def meta_of(nodes: list[Any]) -> Meta:
    """Return what html, base, link, meta and title elements say."""
    language, base, canonical, entries = list[str](), list[str](), list[str](), list[tuple[str, str]]()
    titles = [each for each in nodes if tag(each) == "title" and not is_in(each, {"svg", "template"})]
    for node in nodes:
        match tag(node):
            case "html":
                language.append(node.attr("lang") or node.attr("xml:lang") or "")
            case "base":
                base.append(node.attr("href") or "")
            case "link" if (node.attr("rel") or "").lower() == "canonical":
                canonical.append(node.attr("href") or "")
            case "meta" if name := node.attr("name") or node.attr("property"):
                entries.append((name, node.attr("content") or ""))
    inside = [each.data for each in nodes if isinstance(each, Text) and titles and titles[0] in around(each)]
    first = [next(filter(None, values), None) for values in (language, base, canonical)]
    return Meta(" ".join("".join(inside).split()), *first, tuple(entries))
