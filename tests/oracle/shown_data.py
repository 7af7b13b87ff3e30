"""What `dehusk.compiled.text` finds about the text of a page and its data: how much it is, and whether it is shown."""

import re
from collections import defaultdict

from dehusk.read.islands.literals import Value
from dehusk.read.islands.prose import bare, unescaped
from dehusk.read.nodes import NodeColumns

WORD = re.compile(r"[\u3040-\u9fff\u0e00-\u0e7f]|[^\W_]+")


def chars_of_texts(columns: NodeColumns, shortest: int, enough: int) -> int:
    """Return the characters, without white space around them, of the texts that are not too short, until enough."""
    chars = 0
    for tag, start, end in zip(columns.tag, columns.text_start, columns.text_end, strict=True):
        if tag == 0 and end - start >= shortest:
            chars += len(columns.text[start:end].strip())
            if chars >= enough:
                break
    return chars


def runs(text: str) -> list[tuple[str, ...]]:
    """Return all runs of five words."""
    words = WORD.findall(text[:2_000_000].lower())
    return [tuple(words[at : at + 5]) for at in range(len(words) - 4)]


def is_shown(values: list[Value], shown: list[str]) -> bool:
    """Return whether a quarter of the runs of a page are in its data: in strings that are shown and stand for more."""
    of_page = {run for text in shown if len(text) > 60 for run in runs(text)}
    longest, parts, of_data = (
        defaultdict[int, int](int),
        list[tuple[int, list[tuple[str, ...]]]](),
        set[tuple[str, ...]](),
    )
    for value in values:
        if len(value.text) > 60:
            own, owner = runs(bare(unescaped(value.text))), value.owners[0]
            if 2 * sum(run in of_page for run in own) >= max(len(own), 1):
                parts.append((owner, own))
            else:
                longest[owner] = max(longest[owner], len(own))
    for owner, own in parts:
        if longest[owner] < 3 * len(own):
            of_data |= of_page.intersection(own)
    return len(of_page) >= 10 and len(of_data) > 0.25 * len(of_page)
