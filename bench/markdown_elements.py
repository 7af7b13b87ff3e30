"""Read Markdown back as a CommonMark parser with GitHub's tables does: its visible text and its elements."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from typing import Any

from dehusk.base.extras import require
from elements import Element, ink

_TAG = re.compile(r"</?([a-zA-Z][a-zA-Z0-9-]*)")
_ENTITY = re.compile(r"(?<!\\)&#(?:[0-9]+|[xX][0-9a-fA-F]+);")
_NOTE = re.compile(r"^\[\^([^\]\s]+)\]: ?", re.MULTILINE)
_REFERENCE = re.compile(r"(?<!\\)\[\^([^\]\s]+)\]")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_CELLS = frozenset({"td", "th"})


@dataclass
class MarkdownText:
    """What a reader of the rendered Markdown sees, and what its source contains."""

    text: str = ""
    """The visible text, with a line per block, a tab between the cells of a row, and no list markers."""
    elements: list[Element] = field(default_factory=list)
    raw_tags: list[str] = field(default_factory=list)
    """Names of the tags of raw HTML, opening and closing."""
    raw_cells: int = 0
    """Cells with text in tables of raw HTML; `elements` does not contain them."""
    headings_in_items: int = 0
    """Headings inside items of lists."""
    listings: int = 0
    """Fenced and indented code."""
    notes: int = 0
    """Footnotes; their text is part of `text`, without their labels. A reference to one is a link to `#^label`."""
    entities: int = 0
    """Numeric character references in the source, outside of code."""
    empty: int = 0
    """Links without text and image, and links and images without an address."""


def read_markdown(source: str) -> MarkdownText:
    """Parse Markdown.

    Raises:
        MissingExtraError: markdown-it-py is not installed.
    """
    parsers = require("markdown_it", extra="bench", purpose="reading Markdown")
    parser = parsers.MarkdownIt("commonmark").enable(["table", "strikethrough"])
    reader = _Reader()
    written, reader.out.notes = _with_links_to_notes(source)
    reader.read(parser.parse(written))
    return reader.result()


def _with_links_to_notes(source: str) -> tuple[str, int]:
    """Return Markdown with links to GitHub's footnotes and plain blocks for them, and the number of footnotes."""
    notes = set(_NOTE.findall(source))
    if not notes:
        return source, 0
    lines, in_note, fence = [], False, ""
    for line in source.split("\n"):
        start = None if fence else _NOTE.match(line)
        in_note = bool(start) or (in_note and (line.startswith("    ") or not line.strip()))
        bare = f"\n{line[start.end() :]}" if start else line[4:] if in_note else line
        mark = _FENCE.match(bare)
        if mark and (not fence or mark[1] == fence):
            fence = "" if fence else mark[1]
        lines.append(bare if fence else _REFERENCE.sub(lambda found: _link_to(found, notes), bare))
    return "\n".join(lines), len(notes)


def _link_to(reference: re.Match[str], notes: set[str]) -> str:
    return f"[{reference[1]}](#^{reference[1]})" if reference[1] in notes else reference[0]


@dataclass
class _Open:
    """An element that is being read."""

    kind: str
    place: tuple[int | str, ...]
    at: int
    """Where it goes in the list of elements, so that they are in the order of their starts."""
    parts: list[str] = field(default_factory=list)
    has_image: bool = False


class _Reader:
    """Reads the tokens of a document one after the other."""

    def __init__(self) -> None:
        self.out = MarkdownText()
        self._parts: list[str] = []
        self._found: list[Element | None] = []
        self._open: list[_Open] = []
        self._lists: list[str] = []
        self._row = self._column = self._table = -1
        self._row_filled = False

    def result(self) -> MarkdownText:
        self.out.text = "".join(self._parts)
        self.out.elements = [element for element in self._found if element is not None]
        return self.out

    def read(self, tokens: Sequence[Any]) -> None:
        for token in tokens:
            name, _, step = token.type.rpartition("_")
            if step in ("open", "close"):
                getattr(self, f"_{step}_block")(name, token)
            elif token.type == "inline":
                code = sum(
                    len(_ENTITY.findall(child.content)) for child in token.children if child.type == "code_inline"
                )
                self.out.entities += len(_ENTITY.findall(token.content)) - code
                self._inline(token.children)
            elif token.type in ("fence", "code_block"):
                self._listing(token.content)
            elif token.type == "html_block":
                self._raw(token.content)

    def _open_block(self, name: str, token: Any) -> None:
        if name == "heading":
            self._start("heading", (int(token.tag[1]),))
            self.out.headings_in_items += bool(self._lists)
        elif name in ("bullet_list", "ordered_list"):
            self._lists.append(token.tag)
        elif name == "list_item":
            self._start("item", (len(self._lists) - 1, self._lists[-1]))
        elif name == "table":
            self._row, self._row_filled, self._table = -1, True, len(self._found)
        elif name == "tr":
            self._row += self._row_filled
            self._column, self._row_filled = -1, False
        elif name in _CELLS:
            self._column += 1
            self._start("cell", (self._row, self._column))

    def _close_block(self, name: str, token: Any) -> None:  # noqa: ARG002
        if name in ("bullet_list", "ordered_list"):
            self._lists.pop()
        elif name == "table":
            self._found[self._table :] = without_empty_columns(self._found[self._table :])
        elif name in ("heading", "list_item", *_CELLS):
            filled = self._finish()
            self._row_filled |= filled and name in _CELLS
        if name in ("heading", "paragraph", "tr"):
            self._parts.append("\n")
        elif name in _CELLS:
            self._parts.append("\t")

    def _inline(self, children: Sequence[Any]) -> None:
        for child in children:
            if child.type in ("text", "code_inline", "text_special"):
                self._add(child.content)
            elif child.type in ("softbreak", "hardbreak"):
                self._add("\n")
            elif child.type == "link_open":
                self._start("link", (child.attrs.get("href", ""),))
            elif child.type == "link_close":
                link = self._open[-1]
                self.out.empty += not link.place[0] or not (self._finish() or link.has_image)
            elif child.type == "image":
                self._image(child)
            elif child.type == "html_inline":
                self.out.raw_tags += _TAG.findall(child.content)

    def _image(self, token: Any) -> None:
        address = token.attrs.get("src", "")
        self.out.empty += not address
        self._found.append(Element("image", "", (address,)))
        for opened in self._open:
            opened.has_image = True

    def _listing(self, content: str) -> None:
        self.out.listings += 1
        for line in content.splitlines():
            if ink(line):
                self._found.append(Element("code", line.rstrip()))
        self._parts.append(f"{content}\n")

    def _raw(self, content: str) -> None:
        self.out.raw_tags += _TAG.findall(content)
        raw = _RawHtml()
        raw.feed(content)
        raw.close()
        self.out.raw_cells += raw.cells
        self._add(f"{''.join(raw.parts)}\n")

    def _start(self, kind: str, place: tuple[int | str, ...]) -> None:
        self._open.append(_Open(kind, place, len(self._found)))
        self._found.append(None)

    def _finish(self) -> bool:
        """Close the innermost open element; it counts if it has text."""
        done = self._open.pop()
        text = ink("".join(done.parts))
        if text:
            self._found[done.at] = Element(done.kind, text, done.place)
        return bool(text)

    def _add(self, text: str) -> None:
        """Add text to the page and to the open elements, up to the innermost item or cell."""
        self._parts.append(text)
        for opened in reversed(self._open):
            opened.parts.append(text)
            if opened.kind in ("item", "cell"):
                break


def without_empty_columns(table: Sequence[Element | None]) -> list[Element | None]:
    """Return the elements of one table, with its filled columns numbered from 0."""
    cells = (element.place for element in table if element and element.kind == "cell")
    rank = {column: index for index, column in enumerate(sorted({place[1] for place in cells}, key=int))}
    return [
        replace(element, place=(element.place[0], rank[element.place[1]]))
        if element and element.kind == "cell"
        else element
        for element in table
    ]


class _RawHtml(HTMLParser):
    """The text and the filled cells of raw HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.cells = 0
        self._fresh = False

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002
        self._fresh = tag in _CELLS or (self._fresh and tag != "tr")
        self.parts.append(" ")

    def handle_data(self, data: str) -> None:
        self.parts.append(data)
        self.cells += self._fresh and bool(ink(data))
        self._fresh = self._fresh and not ink(data)
