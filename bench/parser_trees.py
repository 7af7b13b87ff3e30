"""HTML parsers behind one interface: `python bench/parser_trees.py NAME JOB.json` does what `bench/parsers.py` asks for.

Nothing is imported but the parser that is asked for, so that each can run in a process and an environment of its own.
"""

from __future__ import annotations

import hashlib
import json
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

_TRACE = re.compile(
    r"""^\|\ (\ *)(?:"(?P<text>.*)"|<(?:(?:svg|math)\ )?(?P<tag>[^ !?>][^>]*)>|(?P<name>[^"].*?)="(?P<value>.*)"|.*)$""",
    re.DOTALL | re.VERBOSE,
)
_LOCAL = re.compile(r".*[:} ]")


class Element(NamedTuple):
    """An element as all parsers can tell it: without namespaces, and with small letters."""

    tag: str
    attributes: tuple[tuple[str, str], ...]


Row = tuple[int, str | Element]
"""Depth and content of a text or an element."""


@dataclass(frozen=True)
class Parser:
    """How a parser is called, and how its tree is read."""

    package: str
    parse: Callable[[str], Any]
    children: Callable[[Any], list[Any]]
    """The nodes in a node, or texts as str."""
    content: Callable[[Any], str | Element | None]
    """The content of a node; None for comments, doctypes and the like."""


def element(tag: str, attributes: dict[str, Any]) -> Element:
    pairs = ((_LOCAL.sub("", name).lower(), "" if value is None else str(value)) for name, value in attributes.items())
    return Element(_LOCAL.sub("", tag).lower(), tuple(sorted(pairs)))


def rows(parser: Parser, source: str) -> list[Row]:
    """Return the elements and texts of a tree in document order, without those in templates."""
    return joined(_walk(parser, parser.parse(source), 0))


def _walk(parser: Parser, node: Any, depth: int) -> Iterator[Row]:
    for child in parser.children(node):
        content = child if isinstance(child, str) else parser.content(child)
        if content is not None:
            yield depth, content
        if isinstance(content, Element) and content.tag != "template":
            yield from _walk(parser, child, depth + 1)


def joined(found: Iterator[Row]) -> list[Row]:
    """Join texts that only a comment parts, and drop empty ones."""
    kept: list[Row] = []
    for depth, content in found:
        if isinstance(content, str) and kept and kept[-1][0] == depth and isinstance(kept[-1][1], str):
            kept[-1] = depth, kept[-1][1] + content
        elif content != "":
            kept.append((depth, content))
    return kept


def expected_rows(document: str) -> list[Row]:
    """Return what a test of the web-platform-tests expects, as `rows` does."""
    found: list[Row] = []
    template = sys.maxsize  # depth of the template that is being skipped
    for trace in re.split(r"\n(?=\| )", document):
        line = _TRACE.match(trace)
        depth = len(line[1]) // 2 if line else 0
        template = template if depth > template else sys.maxsize
        if line is None or (template < sys.maxsize and (line["name"] is None or depth > template + 1)):
            continue
        if line["name"] is not None:
            place, owner = next((i, row) for i, row in reversed([*enumerate(found)]) if isinstance(row[1], Element))
            known = dict(owner[1].attributes) | {line["name"]: line["value"]}
            found[place] = owner[0], element(owner[1].tag, known)
        elif line["tag"] is not None:
            found.append((depth, element(line["tag"], {})))
            template = depth if line["tag"] == "template" else template
        elif line["text"] is not None:
            found.append((depth, line["text"]))
    return joined(iter(found))


def of_turbohtml() -> Parser:
    import turbohtml as t

    def content(node: Any) -> str | Element | None:
        if isinstance(node, t.Text):
            return node.data
        return (
            element(node.tag, {name: node.attr(name) for name in node.attrs or ()})
            if isinstance(node, t.Element)
            else None
        )

    def parse(source: str) -> Any:
        return t.parse(source, positions=False, allow_declarative_shadow_roots=False)

    return Parser("turbohtml", parse, lambda node: list(getattr(node, "children", ())), content)


def of_justhtml() -> Parser:
    from justhtml import JustHTML

    def content(node: Any) -> str | Element | None:
        if node.name == "#text":
            return node.data
        return None if node.name[0] in "#!" else element(node.name, node.attrs)

    def parse(source: str) -> Any:
        return JustHTML(source, scripting_enabled=False, sanitize=False).root

    return Parser("justhtml", parse, lambda node: node.children or [], content)


def _linked(first: Callable[[Any], Any]) -> Callable[[Any], list[Any]]:
    """Return a function that lists children which are linked to each other."""

    def children(node: Any) -> list[Any]:
        found, child = [], first(node)
        while child is not None:
            found.append(child)
            child = child.next
        return found

    return children


def of_selectolax() -> Parser:
    from selectolax.lexbor import LexborHTMLParser

    def content(node: Any) -> str | Element | None:
        if node.is_text_node:
            return node.text_content or ""
        return element(node.tag, node.attributes) if node.is_element_node and node.tag else None

    children = _linked(lambda node: (node.root.parent if isinstance(node, LexborHTMLParser) else node).first_child)
    return Parser("selectolax", LexborHTMLParser, children, content)


def of_resiliparse() -> Parser:
    from resiliparse.parse.html import HTMLTree, NodeType

    def content(node: Any) -> str | Element | None:
        if node.type == NodeType.TEXT:
            return node.value or node.text
        return element(node.tag, {name: node[name] for name in node.attrs}) if node.type == NodeType.ELEMENT else None

    children = _linked(lambda node: (node.document if isinstance(node, HTMLTree) else node).first_child)
    return Parser("resiliparse", HTMLTree.parse, children, content)


def _etree_children(node: Any) -> list[Any]:
    """Return the children of an element of lxml or ElementTree; of what is parsed, its root."""
    if isinstance(node, tuple):
        return list(node)
    parts = [[node.text], *([child, child.tail] for child in node)]
    return [part for pair in parts for part in pair if part is not None]


def _etree_content(node: Any) -> Element | None:
    return element(node.tag, dict(node.attrib)) if isinstance(node.tag, str) else None


def of_html5lib() -> Parser:
    import html5lib

    def parse(source: str) -> Any:
        return (html5lib.parse(source, namespaceHTMLElements=False),)

    return Parser("html5lib", parse, _etree_children, _etree_content)


def of_html5_parser() -> Parser:
    import html5_parser

    def parse(source: str) -> Any:
        return (html5_parser.parse(source, namespace_elements=False),)

    return Parser("html5-parser", parse, _etree_children, _etree_content)


def of_lxml() -> Parser:
    from lxml import html

    utf8 = html.HTMLParser(encoding="utf-8", huge_tree=True)

    def parse(source: str) -> Any:
        return (html.document_fromstring(source.encode("utf-8", "replace"), parser=utf8),)

    return Parser("lxml", parse, _etree_children, _etree_content)


def of_fast5ever() -> Parser:
    import fast5ever as f

    def content(node: Any) -> str | Element | None:
        if isinstance(node, f.Text):
            return node.text
        return element(node.name, dict(node.attrs)) if isinstance(node, f.Element) else None

    return Parser("fast5ever", f.parse, lambda node: list(node.children), content)


PARSERS: dict[str, Callable[[], Parser]] = {
    "turbohtml": of_turbohtml,
    "selectolax": of_selectolax,
    "resiliparse": of_resiliparse,
    "fast5ever": of_fast5ever,
    "lxml": of_lxml,
    "html5-parser": of_html5_parser,
    "justhtml": of_justhtml,
    "html5lib": of_html5lib,
}


def milliseconds(parser: Parser, pages: list[str], rounds: int) -> list[float]:
    """Return the CPU time a page of each round; the trees are freed within it."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        for page in pages:
            parser.parse(page)
        times.append(1000 * (time.process_time() - start) / len(pages))
    return times


def tree_of(parser: Parser, source: str) -> list[Row] | None:
    """Return the rows of a tree; None if the parser refuses the page."""
    try:
        return rows(parser, source)
    except Exception:  # each parser has exceptions of its own
        return None


def digest(tree: list[Row] | None) -> str:
    return hashlib.sha256(repr(tree).encode("utf-8", "replace")).hexdigest()


def main() -> None:
    name, job = sys.argv[1], json.loads(Path(sys.argv[2]).read_text("utf-8"))
    parser = PARSERS[name]()
    times = milliseconds(parser, job["pages"], job["rounds"])
    right = sum(tree_of(parser, case["data"]) == expected_rows(case["document"]) for case in job["cases"])
    trees = [digest(tree_of(parser, source)) for source in job["soups"]]
    found = {"version": version(parser.package), "ms": statistics.median(times), "right": right, "trees": trees}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
