r"""Formulas that stand in the text between delimiters of TeX, for a script to render: `$$…$$`, `\[…\]`, `\(…\)`, `$…$`.

    >>> pieces_of(r"It is \(E = mc^2\), for $5.")
    [('It is ', ''), ('E = mc^2', '\\('), (', for $5.', '')]

A single dollar sign opens a formula only before ink and closes one only after ink and not before a digit, as in Pandoc,
and what is between has a command, a script, a relation, or is one letter. So has what is between `\(` and `\)`.
"""

from collections.abc import Iterator

import numpy as np

from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.read.page import Page

_TOKEN = pattern(r"\\\\(?![(\[])|\\\$|\$\$|\\[()\[\]]|\$")
_CLOSING = {"$$": "$$", "\\(": "\\)", "\\[": "\\]", "$": "$"}
_LITERAL = numbers("pre code kbd samp tt listing xmp plaintext textarea")
_MAX_FORMULA = 4000  # characters
_SIGN = pattern(r"\\[a-zA-Z]|[\^_=<>]")
_LETTER = pattern(r"\s*[A-Za-z]'{0,3}\s*")

Piece = tuple[str, str]
"""(text, ""), or (TeX, the delimiter before it)."""


def has_raw_tex(text: str) -> bool:
    """Return whether a page's text may have delimiters of TeX."""
    return "\\" in text or "$$" in text


def raw_texts(page: Page) -> Iterator[tuple[int, list[Piece]]]:
    """Yield (text node, its pieces) for the text nodes with formulas, outside of code."""
    if not has_raw_tex(page.text):
        return
    nodes = np.flatnonzero(page.is_text & (page.within(page.nodes_of(_LITERAL)) == 0))
    nodes = nodes[page.text_end[nodes] - page.text_start[nodes] > 1]
    for node, start, end in zip(
        nodes.tolist(), page.text_start[nodes].tolist(), page.text_end[nodes].tolist(), strict=True
    ):
        text = page.text[start:end]
        if "$" in text or "\\" in text:
            pieces = pieces_of(text)
            if len(pieces) > 1 or pieces[0][1]:
                yield node, pieces


def pieces_of(text: str) -> list[Piece]:
    """Return the pieces of a text, in time proportional to its length."""
    pieces: list[Piece] = []
    done, opening, start = 0, "", 0
    for token in _TOKEN.finditer(text):
        sign, at, end = token[0], token.start(), token.end()
        if opening and sign == _CLOSING[opening] and _is_formula(text, start, at, opening):
            pieces += [(text[done : start - len(opening)], ""), (text[start:at], opening)]
            done, opening = end, ""
        elif opening and text[at - 1] == "\\":
            continue  # the space between two rows: \\[2pt]
        elif sign in _CLOSING and (sign != "$" or not text[end : end + 1].isspace()):
            opening, start = sign, end
    pieces.append((text[done:], ""))
    return [piece for piece in pieces if piece[0]] or [("", "")]


def _is_formula(text: str, start: int, end: int, opening: str) -> bool:
    """Return whether what is between delimiters is a formula."""
    if not 0 < end - start <= _MAX_FORMULA or (
        opening == "$" and (text[end - 1].isspace() or text[end + 1 : end + 2].isdigit())
    ):
        return False
    inside = text[start:end]
    return bool(inside.strip()) and (opening == "$$" or bool(_SIGN.search(inside) or _LETTER.fullmatch(inside)))
