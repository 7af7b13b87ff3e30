"""Texts in the colour of their background, as far as style attributes and the colours of HTML 4 tell.

A style sheet may colour whatever has a class or an id, and links. So both colour and background must be set at such an
element or inside it; and white text without a background is white on white only on pages without style sheets.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dehusk.base.lazy import pattern
from dehusk.base.tags import numbers
from dehusk.blocks.layout import Nodes
from dehusk.read.page import Bools, Page
from dehusk.visible.suspects import Suspects

_LINK = numbers("a")
_BACKED = numbers("body table thead tbody tfoot tr td th")
_TEXT_COLOUR = pattern(r"(?<![\w-])color\s*:\s*([^;!]+)", re.IGNORECASE)
_BACKGROUND = pattern(r"(?<![\w-])background(?:-color|-image)?\s*:\s*([^;!]+)", re.IGNORECASE)
_SHEETS = pattern(r"<style|<link[^>]{1,300}stylesheet", re.IGNORECASE)
_NO_BACKGROUND = ("transparent", "none", "unset", "initial")
_NEAR = 8
"""Two colours whose channels differ by at most this much, of 255, look the same."""

Colour = tuple[int, int, int]
_WHITE: Colour = (255, 255, 255)
_UNKNOWN: Colour = (-1000, -1000, -1000)


def on_own_colour(page: Page, suspects: Suspects) -> tuple[Nodes, Nodes]:
    """Return the texts in the colour of their background, and the white texts whose background is not known.

    Args:
        page: the page.
        suspects: the text nodes to judge, and what is around them.
    """
    text, above, styles = suspects.text, suspects.above, suspects.styles
    none = text[:0]
    foreground = _foreground(page, suspects.fonts, styles)
    if all(colour[0] < 0 for colour in foreground.values()):
        return none, none
    background = _background(page, above, styles)
    if not any(_near(colour, other) for colour in set(foreground.values()) for other in {_WHITE, *background.values()}):
        return none, none
    has_sheets = _SHEETS.search(page.elements.text) is not None
    unsure = _unsure(page) if has_sheets else np.zeros(len(page), dtype=np.bool_)
    links = page.is_one_of(_LINK)
    links[list(foreground)] = False
    limit = np.maximum(page.nearest(unsure), page.nearest(links))[text]
    fore, back = (page.nearest(_is_among(list(each), page))[text] for each in (foreground, background))
    rows = [foreground.get(node, _UNKNOWN) for node in fore.tolist()]
    colour = np.array(rows, dtype=np.int32).reshape(-1, 3)
    ground = np.array([background.get(node, _WHITE) for node in back.tolist()], dtype=np.int32).reshape(-1, 3)
    same = (np.abs(colour - ground).max(axis=1) <= _NEAR) & (fore >= 0) & (colour[:, 0] >= 0)
    known = (fore >= limit) & ((back >= limit) if has_sheets else True) & ((back >= 0) | (not has_sheets))
    white_on_unknown = same & ~known & (back < 0)
    return text[same & known], text[white_on_unknown]


def _foreground(page: Page, fonts: list[int], styles: Mapping[int, str]) -> dict[int, Colour]:
    """Return element -> the colour it sets for its text."""
    found: dict[int, Colour] = {}
    values = page.elements.values(np.array(fonts, dtype=np.intp), "color") if fonts else ()
    for node, value in zip(fonts, values, strict=True):
        if value:
            found[node] = parsed_colour(value) or _UNKNOWN
    for node, style in styles.items():
        if "olor" in style and (colour := _text_colour(style)):
            found[node] = colour
    return found


@lru_cache(maxsize=4096)
def _text_colour(style: str) -> Colour | None:
    matches = _TEXT_COLOUR.findall(style)
    return (parsed_colour(matches[-1].strip()) or _UNKNOWN) if matches else None


def _background(page: Page, above: Nodes, styles: Mapping[int, str]) -> dict[int, Colour]:
    """Return element -> its background; `_UNKNOWN` for pictures and the like."""
    found: dict[int, Colour] = {}
    backed = page.nodes_of(_BACKED)
    backed = backed[_is_among(above, page)[backed]]
    for name in ("bgcolor", "background"):
        for node, value in zip(backed.tolist(), page.elements.values(backed, name), strict=True):
            if value:
                found[node] = (parsed_colour(value) if name == "bgcolor" else None) or _UNKNOWN
    for node, style in styles.items():
        for value in _BACKGROUND.findall(style) if "ackground" in style else ():
            if value.strip().lower() not in _NO_BACKGROUND:
                found[node] = _plain_background(value) or found.get(node, _UNKNOWN)
    return found


def _plain_background(value: str) -> Colour | None:
    if "(" in value.replace("rgb(", "").replace("rgba(", ""):
        return None
    if colour := parsed_colour(value.strip()):
        return colour
    return next((colour for word in value.split() if (colour := parsed_colour(word))), None)


@lru_cache(maxsize=4096)
def parsed_colour(value: str) -> Colour | None:
    """Return the channels of an opaque colour, 0 to 255; None for other values."""
    from tinycss2.color3 import parse_color  # noqa: PLC0415 (few pages need it)

    bare = len(value) in (3, 6) and re.fullmatch("[0-9a-fA-F]+", value)
    colour = parse_color(f"#{value}" if bare else value[:100])
    if colour is None or isinstance(colour, str) or colour.alpha < 1:
        return None
    return round(colour.red * 255), round(colour.green * 255), round(colour.blue * 255)


def _near(colour: Colour, other: Colour) -> bool:
    return colour[0] >= 0 and all(abs(a - b) <= _NEAR for a, b in zip(colour, other, strict=True))


def _unsure(page: Page) -> Bools:
    """Return which elements, shape (n,), a style sheet may colour."""
    unsure: Bools = (page.class_code > 0) | (page.id_code > 0)
    return unsure


def _is_among(nodes: Nodes | list[int], page: Page) -> Bools:
    """Return which nodes of a page, shape (n,), are some nodes."""
    mask: npt.NDArray[np.bool_] = np.zeros(len(page), dtype=np.bool_)
    mask[nodes] = True
    return mask
