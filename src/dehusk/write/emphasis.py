"""Fit styles to what CommonMark can say: where emphasis may start and end, and which styles may touch.

A mark such as `**` opens emphasis only if no white space follows it, and if punctuation follows it only after white
space or punctuation; closing is the mirror image (CommonMark 0.31, section 6.2). `**Note:**text` is not strong, so
punctuation leaves the emphasis where it must: `**Note**:text`. Emphasis that would still be misread is dropped.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from dehusk.write.tokens import Style

MARKS = {Style.STRONG: "**", Style.EMPHASIS: "*", Style.STRIKE: "~~"}
_STARS = Style.STRONG | Style.EMPHASIS


@dataclass
class StyledText:
    """A piece of a line that is written as one: raw text, or Markdown."""

    text: str
    style: int
    is_written: bool = False
    """Whether the text is Markdown already."""

    def edge(self, index: int) -> str:
        """Return the first or last character, for 0 or -1; a space if there is none."""
        return self.text[index] if self.text else " "


def fit_styles(pieces: list[StyledText]) -> list[StyledText]:
    """Return the pieces with every style starting and ending where Markdown can say so."""
    pieces = [piece for piece in pieces if piece.text]
    present = 0
    for piece in pieces:
        present |= piece.style
    if not present:
        return pieces
    for style in MARKS:
        if present & style:
            _flank(pieces, style)
    for _ in range(2):  # a style that is dropped may leave two marks side by side
        _separate(pieces)
        _nest(pieces)
    return pieces


def _flank(pieces: list[StyledText], style: int) -> None:
    """Take a style from the characters at its start and end that keep it from starting and ending there."""
    index = 0
    while index < len(pieces):
        if not pieces[index].style & style:
            index += 1
            continue
        end = index
        while end < len(pieces) and pieces[end].style & style:
            end += 1
        end += _trim(pieces, index, end, style)
        index = end


def _trim(pieces: list[StyledText], start: int, end: int, style: int) -> int:
    """Trim a style from both ends of the pieces start:end; return by how many pieces the list has grown."""
    size = len(pieces)
    while start < end:
        before = pieces[start - 1].edge(-1) if start else " "
        if _may_touch(pieces[start].edge(0), before):
            break
        if _split(pieces, start, _leading(pieces[start], before), style):
            end += 1
        start += 1
    while start < end:
        after = pieces[end].edge(0) if end < len(pieces) else " "
        if _may_touch(pieces[end - 1].edge(-1), after):
            break
        piece = pieces[end - 1]
        if not _split_end(pieces, end - 1, len(piece.text) - _trailing(piece, after), style):
            end -= 1
    return len(pieces) - size


def _may_touch(inside: str, outside: str) -> bool:
    """Return whether a mark may stand between a character of the emphasised text and one outside of it."""
    if inside.isspace():
        return False
    return not _is_sign(inside) or outside.isspace() or unicodedata.category(outside)[0] == "P" or _is_ascii(outside)


def _is_sign(char: str) -> bool:
    return unicodedata.category(char)[0] in "PS"


def _is_ascii(char: str) -> bool:
    return char.isascii() and _is_sign(char)


def _leading(piece: StyledText, before: str) -> int:
    """Return how many characters at the start of a piece a style cannot include; all, if it is Markdown."""
    if piece.is_written:
        return len(piece.text)
    for index, char in enumerate(piece.text):
        if _may_touch(char, piece.text[index - 1] if index else before):
            return index
    return len(piece.text)


def _trailing(piece: StyledText, after: str) -> int:
    """Return how many characters at the end of a piece a style cannot include; all, if it is Markdown."""
    if piece.is_written:
        return len(piece.text)
    text = piece.text
    for index in range(len(text)):
        if _may_touch(text[-1 - index], text[-index] if index else after):
            return index
    return len(text)


def _split(pieces: list[StyledText], index: int, size: int, style: int) -> bool:
    """Take a style from the first `size` characters of a piece; return whether that has split the piece."""
    piece = pieces[index]
    if size >= len(piece.text):
        piece.style &= ~style
        return False
    head = StyledText(piece.text[:size], piece.style & ~style)
    pieces[index : index + 1] = [head, StyledText(piece.text[size:], piece.style)]
    return True


def _split_end(pieces: list[StyledText], index: int, size: int, style: int) -> bool:
    """Take a style from all but the first `size` characters of a piece; return whether that has split the piece."""
    piece = pieces[index]
    if size <= 0:
        piece.style &= ~style
        return False
    tail = StyledText(piece.text[size:], piece.style & ~style)
    pieces[index : index + 1] = [StyledText(piece.text[:size], piece.style), tail]
    return True


def _separate(pieces: list[StyledText]) -> None:
    """Drop styles whose marks would stand next to those of another style that they could be taken for."""
    for index in range(1, len(pieces)):
        before, style = pieces[index - 1].style & _STARS, pieces[index].style & _STARS
        if before & ~style and style & ~before:
            _drop(pieces, index, style & ~before)
        elif before & style and before != style:
            last, first = pieces[index - 1].edge(-1), pieces[index].edge(0)
            if not _is_clear(first, last):
                _drop(pieces, index, style & ~before)
            if not _is_clear(last, first):
                _drop_before(pieces, index, before & ~style)
        _drop_with_strike(pieces, index)


def _nest(pieces: list[StyledText]) -> None:
    """Drop the rest of styles that go on where one around them ends."""
    opened: list[int] = []
    for index, piece in enumerate(pieces):
        while opened and not opened[-1] & piece.style:
            opened.pop()
        while style := next((each for each in opened if not each & piece.style), None):
            above = opened[opened.index(style) + 1 :]
            for each in above:
                _drop(pieces, index, each)
            del opened[opened.index(style) :]
        opened += starting(pieces, index, opened)


def starting(pieces: list[StyledText], index: int, opened: list[int]) -> list[int]:
    """Return the styles that start at a piece, those that end last first."""
    if not pieces[index].style:
        return []
    new = [style for style in MARKS if pieces[index].style & style and style not in opened]
    if len(new) < 2:
        return new
    ends = {}
    for style in new:
        end = index
        while end < len(pieces) and pieces[end].style & style:
            end += 1
        ends[style] = end
    return sorted(new, key=lambda style: -ends[style])


def _drop(pieces: list[StyledText], index: int, styles: int) -> None:
    """Take styles from the pieces from an index on, as far as each goes."""
    for style in MARKS:
        if styles & style:
            for piece in pieces[index:]:
                if not piece.style & style:
                    break
                piece.style &= ~style


def _drop_before(pieces: list[StyledText], index: int, styles: int) -> None:
    """Take styles from the pieces before an index, as far as each goes."""
    for style in MARKS:
        if styles & style:
            for piece in reversed(pieces[:index]):
                if not piece.style & style:
                    break
                piece.style &= ~style


def _drop_with_strike(pieces: list[StyledText], index: int) -> None:
    """Drop stars that start, or end, together with a strike inside of a word: marks are signs to each other."""
    before, style = pieces[index - 1].style, pieces[index].style
    starts, ends = style & ~before, before & ~style
    if starts & Style.STRIKE and not _is_clear("a", pieces[index - 1].edge(-1)):
        _drop(pieces, index, starts & _STARS)
    if ends & Style.STRIKE and not _is_clear("a", pieces[index].edge(0)):
        _drop_before(pieces, index, ends & _STARS)


def _is_clear(inside: str, outside: str) -> bool:
    """Return whether a star inside of strong, between emphasised and other text, can only mean that."""
    return outside.isspace() or (_is_sign(outside) and not _is_sign(inside))
