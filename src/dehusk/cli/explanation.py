"""The text of `dehusk clean --explain`: every block with its label, its probability and the reason."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import TextIO
from unicodedata import combining, east_asian_width

import click

from dehusk.base.errors import printable
from dehusk.document import Block, Document

_MAX_TEXT = 100
_FACT_INDENT, _BLOCK_INDENT, _NARROW_INDENT = 12, 30, 4
_NARROW = 60  # columns below which blocks are indented less


@dataclass(frozen=True)
class Appearance:
    """Width and colours of text for people."""

    width: int | None = None
    """Columns at which lines are folded; None: never."""
    colour: bool = False


PLAIN = Appearance()


def appearance_on(stream: TextIO) -> Appearance:
    """Return the appearance of text on a stream: folded and coloured on a terminal, plain elsewhere.

    There is no colour if the environment variable NO_COLOR is set, or if TERM is `dumb`.
    """
    if not stream.isatty():
        return PLAIN
    colour = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Appearance(shutil.get_terminal_size().columns, colour)


def explain_document(document: Document, appearance: Appearance = PLAIN) -> str:
    """Return a line for each unit of several blocks, and two for each block.

    The line of a unit gives its mean probability, its kind, its members, and how many of its blocks are kept. The lines
    of a block give whether it is kept, its probability, label and text; then the reason.
    """
    encoding = document.page.encoding
    facts = [
        ("status", f"{document.status} {document.message}".rstrip()),
        ("encoding", f"{encoding.name} ({encoding.evidence})"),
        ("confidence", f"{document.confidence:.2f}"),
        *(("note", note) for note in document.notes),
        *(("warning", warning.message) for warning in document.warnings),
    ]
    lines = [line for name, fact in facts for line in _folded(f"{name:>10}  {fact}", _FACT_INDENT, appearance)]
    lines.append("")
    units = _unit_lines(document, appearance)
    for number, block in enumerate(document.blocks):
        lines += units.get(number, [])
        lines += _block_lines(block, appearance)
    return "\n".join(lines) + "\n"


def _unit_lines(document: Document, appearance: Appearance) -> dict[int, list[str]]:
    """Return block -> lines of the units of several blocks that start with it."""
    kept = [0, *accumulate(block.kept for block in document.blocks)]
    lines: dict[int, list[str]] = {}
    for unit in document.units:
        first, end = unit.blocks
        if end - first > 1:
            members = f"{unit.members} members, " if unit.members else ""
            text = f"{members}{kept[end] - kept[first]} of {end - first} blocks kept"
            probability = "   -" if unit.probability is None else f"{unit.probability:.2f}"
            folded = _folded(f"{'unit':>10}  {probability} {unit.kind:<12} {text}", _BLOCK_INDENT, appearance)
            lines.setdefault(first, []).extend(
                click.style(line, fg="blue") if appearance.colour else line for line in folded
            )
    return lines


def _block_lines(block: Block, appearance: Appearance) -> Iterator[str]:
    text = block.text if len(block.text) <= _MAX_TEXT else block.text[: _MAX_TEXT - 1] + "…"
    head = f"{'keep' if block.kept else 'drop':>10}  {block.probability:.2f} {block.label:<12} "
    for number, line in enumerate(_folded(head + text, _BLOCK_INDENT, appearance)):
        yield _coloured(line, block) if appearance.colour and number == 0 else line
    indent = _fitting(_BLOCK_INDENT, appearance)
    reason = f"{block.reason}; hidden text: {block.hidden}" if block.hidden and block.kept else block.reason
    for line in _folded(f"{'':{indent}}{reason}", indent, appearance):
        yield click.style(line, dim=True) if appearance.colour else line


def _coloured(line: str, block: Block) -> str:
    """Return the first line of a block with its verdict, probability and label in colour."""
    verdict, probability, label, text = line[:12], line[12:16], line[16:_BLOCK_INDENT], line[_BLOCK_INDENT:]
    colour = "green" if block.kept else "red"
    return "".join(
        [
            click.style(verdict, fg=colour, bold=True),
            click.style(probability, fg=colour),
            click.style(label, fg="cyan"),
            text,
        ]
    )


def _folded(line: str, indent: int, appearance: Appearance) -> list[str]:
    """Return a line as lines of the appearance's width, broken between words; all but the first are indented.

    A word that is wider than a line is broken anywhere. Nothing in the line controls a terminal.
    """
    line = printable(line)
    width = appearance.width
    if width is None or _columns(line) <= width:
        return [line]
    indent = _fitting(indent, appearance)
    start = len(line) - len(line.lstrip())
    lines, current = [], line[:start]
    for word in line[start:].split(" "):
        glue = "" if current.isspace() or not current else " "
        if _columns(current + glue + word) > width and current.strip():
            lines.append(current)
            current, glue = " " * indent, ""
        current += glue + word
        while _columns(current) > width:
            cut = _cut(current, width)
            lines.append(current[:cut])
            current = " " * indent + current[cut:]
    return [*lines, current]


def _fitting(indent: int, appearance: Appearance) -> int:
    narrow = appearance.width is not None and appearance.width < _NARROW
    return _NARROW_INDENT if narrow else indent


def _cut(text: str, width: int) -> int:
    """Return how many characters fit into a number of columns, at least one more than the indentation."""
    least = len(text) - len(text.lstrip()) + 1
    columns = 0
    for index, char in enumerate(text):
        columns += _columns(char)
        if columns > width:
            return max(index, least)
    return len(text)


def _columns(text: str) -> int:
    """Return the width of text on a terminal: wide characters take two columns, combining ones none."""
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)
