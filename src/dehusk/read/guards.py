"""Guards for the parser and the columns: too many tags, formatting that multiplies, control characters."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from dehusk.backends import kernel
from dehusk.lazy import pattern
from dehusk.read.tag_names import named, packed

MARKUP = 3
"""How many tags and comments are read for each node that a page may have."""
_FORMATTING = ("b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u")
_FORMATTING_TAG = pattern(rf"</?(?:{'|'.join(_FORMATTING)})(?=[\s>/])[^>]*>?", re.IGNORECASE)
_PACKED = packed(_FORMATTING)
_CONTROLS = [chr(c) for c in range(32) if c not in (9, 10, 12, 13)]
_CONTROL = pattern(r"[\x00-\x08\x0b\x0e-\x1f]")


def cut_markup(text: str, raw: bytes, most: int) -> str | None:
    """Return a source up to the first of more than `most` "<"; None if it has no more.

    The parser's tree takes 200 bytes per tag and comment, however few of them become nodes of the page.

    Args:
        text: the page.
        raw: its bytes in an encoding like ASCII, which are counted first, in less time.
        most: how many "<" may be read.
    """
    if len(text) <= most or _count_tags(raw) <= most or text.count("<") <= most:
        return None
    return text[: int((np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32) == ord("<")).nonzero()[0][most])]


@kernel("guards.count_tags")
def _count_tags(raw: bytes) -> int:
    """Return the number of "<" in a source."""
    return int(np.count_nonzero(np.frombuffer(raw, dtype=np.uint8) == ord("<")))


def is_binary(text: str) -> bool:
    """Return whether more than one in twenty of the first characters is a control character; no page has that many."""
    head = text[:4096]
    return without_controls(head) is not head and len(_CONTROL.findall(head)) > max(4, len(head) // 20)


@kernel("guards.without_controls")
def without_controls(text: str) -> str:
    """Replace control characters by spaces."""
    if not any(map(text.__contains__, _CONTROLS)):  # searching for each is faster than one regular expression
        return text
    return _CONTROL.sub(" ", text)


def without_formatting(text: str, raw: bytes, most: int) -> tuple[str, tuple[str, ...]]:
    """Drop formatting tags if the parser might multiply them beyond the node limit.

    The adoption agency algorithm reopens all unclosed formatting elements in each following block, so a page of 70 KB
    can produce millions of nodes. The number of tags times the number of unclosed formatting elements is an upper
    bound. Both are counted in the bytes, which is faster than in the text.

    Args:
        text: the page.
        raw: its bytes in an encoding like ASCII.
        most: the number of nodes that the parser may make.
    """
    if not _may_multiply(raw, most):
        return text, ()
    return _FORMATTING_TAG.sub("", text), ("formatting tags dropped because too many are not closed",)


@kernel("guards.may_multiply")
def _may_multiply(raw: bytes, most: int) -> bool:
    """Return whether a source of some bytes may hold more than `most` nodes because of its formatting elements."""
    source = np.frombuffer(raw, dtype=np.uint8)
    tags = (source[:-2] == ord("<")).nonzero()[0]
    if not len(tags) or len(tags) * 2 < most // 512:
        return False
    return len(tags) * min(_count_unclosed(source, tags + 1, most // len(tags)), 512) > most


def _count_unclosed(source: npt.NDArray[np.uint8], after_bracket: npt.NDArray[np.intp], few: int) -> int:
    """Return how many more formatting elements a source opens than it closes; 0 if they are quickly seen to be few.

    Args:
        source: the bytes of the page.
        after_bracket: offset after the "<" of each tag.
        few: the number up to which they need not be counted.
    """
    name_start = after_bracket + (source.take(after_bracket) == ord("/"))
    first_two = source.take(name_start) | 32, source.take(name_start + 1, mode="clip") | 32
    name_start = name_start[_MAY_START_FORMATTING[first_two]]
    if len(name_start) <= few:
        return 0
    name_start = name_start[named(source, name_start, _PACKED)]
    return max(0, len(name_start) - 2 * int((source.take(name_start - 1) == ord("/")).sum()))


def _first_characters() -> npt.NDArray[np.bool_]:
    """Return which pairs of characters in lower case, shape (256, 256), may start the name of a formatting element."""
    table = np.zeros((256, 256), dtype=np.bool_)
    for name in _FORMATTING:
        table[ord(name[0]), [ord(name[1])] if name[1:] else [ord(end) | 32 for end in " >/\t\n\f\r"]] = True
    return table


_MAY_START_FORMATTING = _first_characters()
