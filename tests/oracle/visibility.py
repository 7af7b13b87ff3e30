"""What `dehusk.compiled.blocks` finds of characters that nobody sees, and of texts that are numbers."""

import re
from collections.abc import Sequence

from dehusk.read.page import Page

ZERO_WIDTH = "\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff"


def suspicions(page: Page) -> tuple[bool, bool, bool]:
    """Return whether a text has tags or runs of variation selectors, many zero-width characters, and overrides."""
    selectors = re.search("[\ufe00-\ufe0f]{3}", page.text)
    tags = selectors is not None or any(character >= "\U000e0000" for character in page.text)
    zero_widths = sum(character in ZERO_WIDTH for character in page.text)
    return tags, zero_widths >= 8, "\u202d" in page.text or "\u202e" in page.text


def line_numbers(page: Page, nodes: Sequence[int]) -> list[tuple[int, int]]:
    """Return those of some text nodes that are a number of few digits, and it."""
    texts = [(node, page.text[page.text_start[node] : page.text_end[node]]) for node in nodes]
    return [(node, int(text)) for node, text in texts if len(text) <= 8 and re.fullmatch("[0-9]+", text.strip())]
