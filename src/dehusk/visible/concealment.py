"""What declarations of CSS do to the text they apply to: how they conceal it, and its colours."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

from dehusk.base.lazy import pattern


class Suspicion(StrEnum):
    """What declarations that conceal text say about the page's author."""

    ALWAYS = "always"
    """Nothing that readers do brings the text to sight."""
    SPOKEN = "spoken"
    """The shape of labels that screen readers speak, and of headings that pictures replace; suspicious if long."""
    UNLESS_FOUND = "unless found"
    """Scripts fade such text in; not if the element has neither class nor id by which a script could find it."""
    FOLDED = "folded"
    """Scripts show such text again: previews, tabs, animations. It is suspicious only by what it says."""


@dataclass(frozen=True)
class Concealment:
    """How declarations conceal text."""

    reason: str
    suspicion: Suspicion
    inherited: bool = True
    """Whether elements inside cannot show their text again; a font size they can set anew."""


_SIGNS = ("indent", "clip", "opacity", "visibility", "translate", "overflow")
"""What a style attribute that conceals text contains, or `_FAR` or `_FONT`; others are not parsed, which takes long."""
CONCEALING, COLOURING = (*_SIGNS, ":-", ": -", "font"), ("ackground", "olor")
"""What a style attribute contains, in lower case, that may conceal or colour text: a fast look for the core."""
_FAR = pattern(r":\s*-(?:\d\d|[\d.]+(?:e|in))", re.IGNORECASE)
_FONT = pattern(r"font(?:-size)?\s*:[^;]*?(?<![\d.#\w-])(?:0|1|0?\.\d+)(?![\d.])", re.IGNORECASE)
_OFF_SCREEN = -500.0
"""Pixels; shifts of sprites and menus are smaller."""
_TINY = 1.0
_UNITS = {"px": 1.0, "pt": 4 / 3, "em": 16.0, "rem": 16.0, "ex": 8.0, "ch": 8.0, "cm": 38.0, "mm": 3.8, "in": 96.0}
_EDGES = ("left", "top", "right", "bottom", "inset", "inset-inline-start", "inset-block-start")
_ANIMATED = ("transition", "animation", "transition-property", "animation-name", "will-change")
_MAX_STYLE = 2000  # characters; the rest of a style attribute is not read

Declarations = Mapping[str, list[Any]]
"""Property in lower case -> tokens of its value, as tinycss2 returns them."""


@lru_cache(maxsize=4096)
def declarations_of(style: str) -> Declarations:
    """Return the declarations of a style attribute; of several of a property the last one."""
    import tinycss2  # noqa: PLC0415 (few pages need it)

    return collected(tinycss2.parse_blocks_contents(style[:_MAX_STYLE], skip_comments=True, skip_whitespace=True))


@lru_cache(maxsize=4096)
def concealment_of(style: str) -> Concealment | None:
    """Return how a style attribute conceals the text of its element; None if it does not."""
    if any(map(style.lower().__contains__, _SIGNS)) or _FAR.search(style) or _FONT.search(style):
        return conceals(declarations_of(style))
    return None


def collected(nodes: Iterable[Any]) -> Declarations:
    """Return the declarations among tinycss2's nodes; important ones win."""
    plain: dict[str, list[Any]] = {}
    important: dict[str, list[Any]] = {}
    for node in nodes:
        if node.type == "declaration":
            values = [token for token in node.value if token.type not in ("whitespace", "comment")]
            chosen = important if node.important else plain
            if node.lower_name == "font":  # which sets the size, too
                chosen.pop("font-size", None)
            chosen[node.lower_name] = values
    return plain | important


def conceals(declared: Declarations) -> Concealment | None:
    """Return how declarations conceal the text of the elements they apply to; None if they do not."""
    for check in (_off_screen, _clipped, _tiny, _empty_box, _transparent, _not_shown):
        if found := check(declared):
            return found
    return None


def _off_screen(declared: Declarations) -> Concealment | None:
    positioned = _word(declared, "position") in ("absolute", "fixed")
    if positioned and any(_pixels(declared, edge, 0.0) <= _OFF_SCREEN for edge in _EDGES):
        return Concealment("off screen", Suspicion.ALWAYS)
    if _pixels(declared, "text-indent", 0.0) <= _OFF_SCREEN:
        return Concealment("indented off the screen", Suspicion.SPOKEN)
    for token in declared.get("transform", ()):
        if token.type == "function" and token.lower_name.startswith("translate"):
            shifts = [_token_pixels(argument) for argument in token.arguments]
            if any(shift is not None and shift <= _OFF_SCREEN for shift in shifts):
                return Concealment("moved off the screen", Suspicion.ALWAYS)
    return None


def _clipped(declared: Declarations) -> Concealment | None:
    positioned = _word(declared, "position") in ("absolute", "fixed")
    for name in ("clip", "clip-path"):
        for token in declared.get(name, ()):
            if token.type == "function" and _shows_nothing(token) and (positioned or name == "clip-path"):
                return Concealment("clipped to nothing", Suspicion.SPOKEN)
    return None


def _shows_nothing(shape: Any) -> bool:
    """Return whether a shape of `clip` or `clip-path` has no area."""
    numbers = [token for token in shape.arguments if token.type in ("number", "dimension", "percentage")]
    values = [float(token.value) for token in numbers]
    if shape.lower_name == "rect":
        return len(values) == 4 and values[0] >= values[2] - _TINY and values[1] <= values[3] + _TINY
    if shape.lower_name == "inset":
        return bool(numbers) and all(token.type == "percentage" and token.value >= 50 for token in numbers)
    if shape.lower_name in ("circle", "ellipse"):
        return bool(values) and values[0] == 0
    return shape.lower_name == "polygon" and bool(values) and not any(values)


def _tiny(declared: Declarations) -> Concealment | None:
    tokens = declared.get("font-size") or declared.get("font", [])
    sizes = [size for token in tokens if (size := _token_pixels(token)) is not None and token.type != "number"]
    sizes += [0.0 for token in tokens if token.type == "number" and token.value == 0]
    if sizes and 0 <= sizes[0] <= _TINY:  # a negative size is no size
        return Concealment("font size 0" if sizes[0] == 0 else "font size 1 or less", Suspicion.ALWAYS, inherited=False)
    return None


def _empty_box(declared: Declarations) -> Concealment | None:
    if _word(declared, "overflow") not in ("hidden", "clip"):
        return None
    sides = [min(_pixels(declared, name, 99.0), _pixels(declared, f"max-{name}", 99.0)) for name in ("width", "height")]
    if max(sides) <= _TINY:
        return Concealment("in a box without size", Suspicion.ALWAYS)
    return Concealment("folded away", Suspicion.FOLDED) if sides[1] <= _TINY else None


def _transparent(declared: Declarations) -> Concealment | None:
    for token in declared.get("opacity", ())[:1]:
        if token.type in ("number", "percentage") and token.value <= (0.02 if token.type == "number" else 2):
            moves = any(name in declared for name in (*_ANIMATED, "transform"))
            return Concealment("opacity 0", Suspicion.FOLDED if moves else Suspicion.UNLESS_FOUND)
    return None


def _not_shown(declared: Declarations) -> Concealment | None:
    if _word(declared, "visibility") == "hidden":
        return Concealment("visibility hidden", Suspicion.UNLESS_FOUND)
    return Concealment("not displayed", Suspicion.FOLDED) if _word(declared, "display") == "none" else None


def _word(declared: Declarations, name: str) -> str:
    tokens = declared.get(name, [])
    return str(tokens[0].lower_value) if tokens and tokens[0].type == "ident" else ""


def _pixels(declared: Declarations, name: str, default: float) -> float:
    """Return the first length of a property in pixels."""
    lengths = (_token_pixels(token) for token in declared.get(name, ()))
    return next((length for length in lengths if length is not None), default)


def _token_pixels(token: Any) -> float | None:
    if token.type == "dimension" and token.lower_unit in _UNITS:
        return float(token.value) * _UNITS[token.lower_unit]
    if token.type in ("number", "percentage"):
        return float(token.value)  # of a percentage: only large ones count, and those are off any screen
    return None
