"""The outcome of a page as a text, with the places of its blocks, so that people can go from one to the other.

Offsets are in UTF-16 code units, as the strings of browsers have them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from dehusk.base.characters import CharClass
from dehusk.compiled.text import classify, text_of
from dehusk.document import Document
from dehusk.studio.outcome import common_of
from dehusk.write.outline import Part
from dehusk.write.text import separated_lines

FORMATS = ("text", "markdown", "json", "outline")
"""Formats in which the studio shows an outcome."""

Place = tuple[int, int, int]
"""(start, end, common block), end exclusive."""

_SURE = ((32, 4_000), (16, 1_000), (8, 250))  # letters that identify a place, and how far ahead they are searched for
_END = 12  # letters that identify the end of a block
_INSERTED = 500  # letters of markup that may be inside of a block
_TARGET = re.compile(r"\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)")  # the address of a link in Markdown
_SEPARATOR = ",\n   "
_PAIR = re.compile(rf"\[(\d+){_SEPARATOR}(\d+)\]")  # a span, on one line
_AFTER = re.compile(r"[^\w\s]{0,8}")  # what closes a block


def outcome_text(document: Document, format_name: str) -> tuple[str, list[Place]]:
    """Return the outcome in one of `FORMATS`, and the places of its blocks, ascending and without overlaps."""
    if format_name == "json":
        text, places = _json(document)
    elif format_name == "text":
        text, places = _text(document)
    else:
        text = _outline(document.outline) if format_name == "outline" else document.render(format_name)
        labels = document.labels
        written = labels.written.tolist()
        places = letter_places(text, [(block, labels.texts[block]) for block in written])
    common = common_of(document).tolist()
    return text, in_code_units(text, [(start, end, common[own]) for start, end, own in places])


def _text(document: Document) -> tuple[str, list[Place]]:
    """Return the plain text and its places, which are known exactly."""
    labels = document.labels
    separators, lines = separated_lines(labels)
    places, position = [], 0
    for block, separator, line in zip(labels.written.tolist(), separators, lines, strict=True):
        start = position + len(separator)
        position = start + len(line)
        places.append((start, position, block))
    return document.render("text"), places


def _outline(outline: Part) -> str:
    """Return the parts of a document, a line each and deeper the deeper they are: kind, what it has, and its text."""
    lines, waiting = list[str](), [(outline, 0)]
    while waiting:
        part, depth = waiting.pop()
        level = str(part.level) if part.level else ""
        probability = "" if part.probability is None else f"{part.probability:.2f}"
        about = " ".join(filter(None, (part.kind, level, part.date, probability)))
        lines.append(f"{'  ' * depth}{about}{': ' * bool(part.text)}{' '.join(part.text.split())}\n")
        waiting += [(one, depth + 1) for one in reversed(part.parts)]
    return "".join(lines)


def _json(document: Document) -> tuple[str, list[Place]]:
    """Return the record as JSON with a line per value; each record of a block is a place."""
    record = document.record()
    blocks = record.pop("blocks")
    head = json.dumps(record, ensure_ascii=False, indent=1).removesuffix("\n}") + ',\n "blocks": ['
    parts, position, places = [head], len(head), []
    for number, own in enumerate(_lines_of(blocks)):
        start = position + bool(number) + 3
        parts.append(f"{',' * bool(number)}\n  {own}")
        position = start + len(own)
        places.append((start, position, number))
    return "".join([*parts, "\n ]\n}\n"]), places


def _lines_of(blocks: object) -> Iterator[str]:
    """Yield the JSON of each block with a line per value; strings contain no line ends, so these separate values.

    The encoder with `indent` is written in Python, and takes ten times as long.
    """
    text = json.dumps(blocks, ensure_ascii=False, separators=(_SEPARATOR, ": "))
    for own in text[2:-2].split(f"}}{_SEPARATOR}{{") if blocks else ():
        with_spans = _PAIR.sub(r"[\1, \2]", own)
        yield f"{{\n   {with_spans}\n  }}"


def letter_places(text: str, blocks: Sequence[tuple[int, str]]) -> list[Place]:
    """Return where the texts of blocks are in an outcome, as far as their letters are found in their order.

    Only letters and digits are compared: a format adds markup, addresses and escapes.

    Args:
        text: the outcome, in any format.
        blocks: number and text of each block, in the order of the page.
    """
    letters, where, _ = _letters(_TARGET.sub(lambda target: " " * len(target[0]), text))
    sizes = np.cumsum([0, *(len(own) for _, own in blocks)])
    own_letters, _, before = _letters("".join(own for _, own in blocks))
    bounds = before[sizes].tolist()
    keys = [own_letters[start:end] for start, end in pairwise(bounds)]
    found = np.array(list(_found(letters, keys)), np.intp).reshape(-1, 3)
    starts, ends = where[found[:, 0]].tolist(), (where[found[:, 1] - 1] + 1).tolist()
    rows = zip(starts, ends, found[:, 2].tolist(), strict=True)
    return [(start, _past_marks(text, end), blocks[index][0]) for start, end, index in rows]


def _past_marks(text: str, end: int) -> int:
    """Return where the punctuation ends that follows the last letter of a block."""
    match = _AFTER.match(text, end)
    return match.end() if match else end


def _found(letters: str, keys: Sequence[str]) -> Iterator[Place]:
    """Yield (start, end, index) of the keys that are found in letters, in their order."""
    position = 0
    for index, key in enumerate(keys):
        start, size = _find(letters, key, position)
        if start < 0:
            continue
        tail = key[-_END:]
        last = letters.find(tail, start + max(0, len(key) - _END), start + len(key) + _INSERTED)
        position = last + len(tail) if last >= 0 else start + size
        yield start, position, index


def _find(letters: str, key: str, position: int) -> tuple[int, int]:
    """Return where the start of a key is, and how much of it was found there; (-1, 0) if it is not found."""
    for size, ahead in _SURE:
        if len(key) < size and size > _SURE[-1][0]:
            continue  # few letters stand everywhere: only near
        head = key[:size]
        if head and (at := letters.find(head, position, position + ahead + size)) >= 0:
            return at, len(head)
    return -1, 0


def _letters(text: str) -> tuple[str, npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return only the letters and digits of a text, the offset of each, and how many precede each offset."""
    code_points = _code_points(text)
    kinds = classify(code_points)
    is_letter = (kinds == CharClass.ALPHA) | (kinds == CharClass.DIGIT)
    before = np.concatenate(([0], np.cumsum(is_letter)))
    return text_of(code_points[is_letter]), np.flatnonzero(is_letter), before


def _code_points(text: str) -> npt.NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "replace"), dtype=np.uint32)


def in_code_units(text: str, places: list[Place]) -> list[Place]:
    """Return places in a text, given in characters, as a browser counts them."""
    if text.isascii() or not places:
        return places
    moved = np.array(places, dtype=np.int64)
    moved[:, :2] = code_unit_offsets(text)[moved[:, :2]]
    return [(start, end, block) for start, end, block in moved.tolist()]


def code_unit_offsets(text: str) -> npt.NDArray[np.int64]:
    """Return the offset in code units of each character of a text, and of its end; shape (len(text) + 1,)."""
    if text.isascii():
        return np.arange(len(text) + 1)
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return np.concatenate(([0], np.cumsum(1 + (points > 0xFFFF)))).astype(np.int64)
