"""Characters that nobody sees and that carry a message: tags, runs of zero-width ones, overrides of direction.

They are inside texts that can be seen, so they are replaced where they stand by a word joiner, which is part of no
block and keeps all offsets.
"""

import re
from collections.abc import Callable
from dataclasses import replace

from dehusk.base.lazy import pattern
from dehusk.compiled.blocks import suspicions as _suspicions
from dehusk.read.page import Page

_REPLACEMENT = "\u2060"
_FLAG = "\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f"  # England, Scotland, Wales
_TAGS = pattern(f"{_FLAG}|([\U000e0000-\U000e007f]+|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{{3,}})")
_LONG_RUN = 8
_ZERO_WIDTH = pattern(f"[\u200b-\u200f\u2060-\u2064\ufeff]{{{_LONG_RUN},}}")
_OVERRIDES = pattern("[\u202d\u202e]")
_LEAST_KINDS = 2  # a message needs two signs; a run of one is padding


def without_smuggled(page: Page, *, drop: bool) -> tuple[Page, tuple[str, ...]]:
    """Return a page without invisible characters that carry a message, and notes that count them.

    Args:
        page: the page.
        drop: whether to replace the characters; otherwise they are only counted.
    """
    text, notes = page.text, []
    for is_there, (find, what) in zip(_suspicions(page), _SEARCHES, strict=True):
        if is_there:
            text, count = find(text)
            if count:
                fate = "dropped" if drop else "kept"
                notes.append(f"{count} invisible {what} {fate}: they change what a machine reads")
    if not notes:
        return page, ()
    return replace(page, text=text, parsed_text=page.text) if drop else page, tuple(notes)


def _tags(text: str) -> tuple[str, int]:
    """Replace tag characters, except in flags, and runs of variation selectors."""
    count = sum(len(match[1] or "") for match in _TAGS.finditer(text))
    return _TAGS.sub(lambda match: _REPLACEMENT * len(match[1]) if match[1] else match[0], text), count


def _messages(text: str) -> tuple[str, int]:
    """Replace runs of zero-width characters that carry a message."""
    count = 0

    def without(run: re.Match[str]) -> str:
        nonlocal count
        if len(set(run[0])) < _LEAST_KINDS:
            return run[0]
        count += len(run[0])
        return _REPLACEMENT * len(run[0])

    return _ZERO_WIDTH.sub(without, text), count


def _turned(text: str) -> tuple[str, int]:
    """Replace overrides of direction, which make people read a text backwards."""
    return _OVERRIDES.subn(_REPLACEMENT, text)


_SEARCHES: tuple[tuple[Callable[[str], tuple[str, int]], str], ...] = (
    (_tags, "tag characters"),
    (_messages, "zero-width characters"),
    (_turned, "overrides of direction"),
)
"""The replacement, and what to call the characters."""
