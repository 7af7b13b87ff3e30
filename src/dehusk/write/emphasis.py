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
class Span:
    """A piece of a line that is written as one: raw text, or Markdown."""

    text: str
    style: Style
    is_written: bool = False
    """Whether the text is Markdown already."""

    def edge(self, index: int) -> str:
        """Return the first or last character, for 0 or -1; a space if there is none."""
        return self.text[index] if self.text else " "


def fit_styles(spans: list[Span]) -> list[Span]:
    """Return the pieces with every style starting and ending where Markdown can say so."""
    spans = [span for span in spans if span.text]
    for style in MARKS:
        _flank(spans, style)
    for _ in range(2):  # a style that is dropped may leave two marks side by side
        _separate(spans)
        _nest(spans)
    return spans


def _flank(spans: list[Span], style: Style) -> None:
    """Take a style from the characters at its start and end that keep it from starting and ending there."""
    index = 0
    while index < len(spans):
        if not spans[index].style & style:
            index += 1
            continue
        end = index
        while end < len(spans) and spans[end].style & style:
            end += 1
        end += _trim(spans, index, end, style)
        index = end


def _trim(spans: list[Span], start: int, end: int, style: Style) -> int:
    """Trim a style from both ends of the pieces start:end; return by how many pieces the list has grown."""
    size = len(spans)
    while start < end:
        before = spans[start - 1].edge(-1) if start else " "
        if _may_touch(spans[start].edge(0), before):
            break
        if _split(spans, start, _leading(spans[start], before), style):
            end += 1
        start += 1
    while start < end:
        after = spans[end].edge(0) if end < len(spans) else " "
        if _may_touch(spans[end - 1].edge(-1), after):
            break
        span = spans[end - 1]
        if not _split_end(spans, end - 1, len(span.text) - _trailing(span, after), style):
            end -= 1
    return len(spans) - size


def _may_touch(inside: str, outside: str) -> bool:
    """Return whether a mark may stand between a character of the emphasised text and one outside of it."""
    if inside.isspace():
        return False
    return not _is_sign(inside) or outside.isspace() or unicodedata.category(outside)[0] == "P" or _is_ascii(outside)


def _is_sign(char: str) -> bool:
    return unicodedata.category(char)[0] in "PS"


def _is_ascii(char: str) -> bool:
    return char.isascii() and _is_sign(char)


def _leading(span: Span, before: str) -> int:
    """Return how many characters at the start of a piece a style cannot include; all, if it is Markdown."""
    if span.is_written:
        return len(span.text)
    for index, char in enumerate(span.text):
        if _may_touch(char, span.text[index - 1] if index else before):
            return index
    return len(span.text)


def _trailing(span: Span, after: str) -> int:
    """Return how many characters at the end of a piece a style cannot include; all, if it is Markdown."""
    if span.is_written:
        return len(span.text)
    text = span.text
    for index in range(len(text)):
        if _may_touch(text[-1 - index], text[-index] if index else after):
            return index
    return len(text)


def _split(spans: list[Span], index: int, size: int, style: Style) -> bool:
    """Take a style from the first `size` characters of a piece; return whether that has split the piece."""
    span = spans[index]
    if size >= len(span.text):
        span.style &= ~style
        return False
    head = Span(span.text[:size], span.style & ~style)
    spans[index : index + 1] = [head, Span(span.text[size:], span.style)]
    return True


def _split_end(spans: list[Span], index: int, size: int, style: Style) -> bool:
    """Take a style from all but the first `size` characters of a piece; return whether that has split the piece."""
    span = spans[index]
    if size <= 0:
        span.style &= ~style
        return False
    tail = Span(span.text[size:], span.style & ~style)
    spans[index : index + 1] = [Span(span.text[:size], span.style), tail]
    return True


def _separate(spans: list[Span]) -> None:
    """Drop styles whose marks would stand next to those of another style that they could be taken for."""
    for index in range(1, len(spans)):
        before, style = spans[index - 1].style & _STARS, spans[index].style & _STARS
        if before & ~style and style & ~before:
            _drop(spans, index, style & ~before)
        elif before & style and before != style:
            last, first = spans[index - 1].edge(-1), spans[index].edge(0)
            if not _is_clear(first, last):
                _drop(spans, index, style & ~before)
            if not _is_clear(last, first):
                _drop_before(spans, index, before & ~style)
        _drop_with_strike(spans, index)


def _nest(spans: list[Span]) -> None:
    """Drop the rest of styles that go on where one around them ends."""
    opened: list[Style] = []
    for index, span in enumerate(spans):
        while opened and not opened[-1] & span.style:
            opened.pop()
        while style := next((each for each in opened if not each & span.style), None):
            above = opened[opened.index(style) + 1 :]
            for each in above:
                _drop(spans, index, each)
            del opened[opened.index(style) :]
        opened += starting(spans, index, opened)


def starting(spans: list[Span], index: int, opened: list[Style]) -> list[Style]:
    """Return the styles that start at a piece, those that end last first."""
    new = [style for style in MARKS if spans[index].style & style and style not in opened]
    if len(new) < 2:
        return new
    ends = {}
    for style in new:
        end = index
        while end < len(spans) and spans[end].style & style:
            end += 1
        ends[style] = end
    return sorted(new, key=lambda style: -ends[style])


def _drop(spans: list[Span], index: int, styles: Style) -> None:
    """Take styles from the pieces from an index on, as far as each goes."""
    for style in MARKS:
        if styles & style:
            for span in spans[index:]:
                if not span.style & style:
                    break
                span.style &= ~style


def _drop_before(spans: list[Span], index: int, styles: Style) -> None:
    """Take styles from the pieces before an index, as far as each goes."""
    for style in MARKS:
        if styles & style:
            for span in reversed(spans[:index]):
                if not span.style & style:
                    break
                span.style &= ~style


def _drop_with_strike(spans: list[Span], index: int) -> None:
    """Drop stars that start, or end, together with a strike inside of a word: marks are signs to each other."""
    before, style = spans[index - 1].style, spans[index].style
    starts, ends = style & ~before, before & ~style
    if starts & Style.STRIKE and not _is_clear("a", spans[index - 1].edge(-1)):
        _drop(spans, index, starts & _STARS)
    if ends & Style.STRIKE and not _is_clear("a", spans[index].edge(0)):
        _drop_before(spans, index, ends & _STARS)


def _is_clear(inside: str, outside: str) -> bool:
    """Return whether a star inside of strong, between emphasised and other text, can only mean that."""
    return outside.isspace() or (_is_sign(outside) and not _is_sign(inside))
