"""The page's title before its text, unless the text has it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dehusk.about.metadata import page_title
from dehusk.base.tags import HEADINGS, numbers
from dehusk.blocks.headlines import START, says_title, words_of
from dehusk.blocks.labels import Labels
from dehusk.blocks.layout import Nodes
from dehusk.read.page import Bools
from dehusk.write.interface import CleanedPage
from dehusk.write.options import TitleChoice

ALIKE, ALIKE_SHARE = 3, 0.6
"""Words that a first heading has in common with the title that the page declares, at least, and of the shorter one what
share is exceeded: it says the title in other words. Set by hand."""
_MAIN_HEADING, _HEADINGS = numbers("h1"), numbers(HEADINGS)


def title_to_add(cleaned: CleanedPage, choice: TitleChoice) -> str | None:
    """Return the title to write before a text; None if there is none, it is not wanted, or the text has it.

    Args:
        cleaned: the cleaned page.
        choice: whether a title is wanted; "auto" means if neither a main heading starts the text nor a heading or one
            of its first lines is the title.
    """
    labels = cleaned.labels
    if choice == "never" or not len(labels.written) or (choice == "auto" and _has_main_heading(labels)):
        return None
    title = page_title(cleaned.page, labels)
    if not title or choice == "always":
        return title
    words = words_of(title)
    is_heading = _is_in(labels, labels.written, _HEADINGS)
    is_heading[:START] = True
    shown = [words_of(labels.texts[block]) for block in labels.written[is_heading].tolist()]
    first, own = "".join(shown[0]), "".join(words)  # joined, as "Set9556" is a name and a number without a space
    if first.startswith(own) or first.endswith(own) or any(says_title(line, words) for line in shown):
        return None
    if _is_in(labels, labels.written[:1], _HEADINGS)[0] and (
        _is_most_of(shown[0], words) or _is_alike(shown[0], words)
    ):
        return None
    return title


def _is_alike(line: list[str], title: list[str]) -> bool:
    """Return whether a line and a title have most words of the shorter one, and two or more, in common."""
    shared = len({*line} & {*title})
    return shared >= ALIKE and shared > ALIKE_SHARE * min(len({*line}), len({*title}))


def _is_most_of(line: list[str], title: list[str]) -> bool:
    """Return whether the words of a line are half of a title or more, one after the other."""
    size = len(line)
    return 2 * size >= len(title) and any(title[at : at + size] == line for at in range(len(title) - size + 1))


def _has_main_heading(labels: Labels) -> bool:
    """Return whether one of the first lines of the text is in an h1."""
    return bool(_is_in(labels, labels.written[:START], _MAIN_HEADING).any())


def _is_in(labels: Labels, blocks: Nodes, tags: npt.NDArray[np.uint16]) -> Bools:
    """Return which of some blocks are in elements with some tags."""
    page, first = labels.blocks.page, labels.blocks.first[blocks]
    nodes = page.nodes_of(tags)
    if not len(nodes):
        return np.zeros(len(first), dtype=np.bool_)
    before = nodes.searchsorted(first, "right")
    inside: Bools = np.maximum.accumulate(page.end[nodes])[before - 1] > first
    inside[before == 0] = False
    return inside
