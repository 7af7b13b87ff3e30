"""Two texts of one page as a word diff, and how many words they share."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from dehusk.lab.gold.alignment import align_words
from dehusk.measures.metrics import word_bag

Run = tuple[str, str]
"""("=", text in both as the left one has it), ("-", only left) or ("+", only right)."""

MOST_CHARACTERS = 2_000_000
"""Of a text that is compared."""

_LONG = 4  # spaces in a line that identifies its place
_WORD = re.compile(r"\w+|[^\w\s]")


def word_diff(left: str, right: str) -> list[Run]:
    """Return how one text becomes the other, word by word.

    Lines that both have are aligned first, the words between them afterwards, both as gold texts are
    (`dehusk.lab.gold.alignment`): runs that occur once in both anchor the alignment, so that a moved or repeated line
    does not spoil the rest.

    Returns:
        Runs. "=" and "-" together are the left text, character by character; "+" are pieces of the right text.
    """
    return list(_merged(_by_line(left, right)))


def _by_line(left: str, right: str) -> Iterator[Run]:
    lines, others = left.splitlines(keepends=True), right.splitlines(keepends=True)
    done, other_done = 0, 0
    for (first, end), (other_first, other_end) in _equal_lines(lines, others):
        yield from _by_word("".join(lines[done:first]), "".join(others[other_done:other_first]))
        yield "=", "".join(lines[first:end])
        done, other_done = end, other_end
    yield from _by_word("".join(lines[done:]), "".join(others[other_done:]))


def _equal_lines(lines: list[str], others: list[str]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield (first, end) on both sides of runs of equal lines; each has a line that is long enough to identify it."""
    long, other_long = ([index for index, line in enumerate(side) if _is_long(line)] for side in (lines, others))
    match = align_words([lines[index] for index in long], [others[index] for index in other_long])
    done, other_done = 0, 0
    for place in np.flatnonzero(match >= 0).tolist():
        first, other = long[place], other_long[match[place]]
        if first < done or other < other_done:
            continue
        end, other_end = first + 1, other + 1
        while first > done and other > other_done and lines[first - 1] == others[other - 1]:
            first, other = first - 1, other - 1
        while end < len(lines) and other_end < len(others) and lines[end] == others[other_end]:
            end, other_end = end + 1, other_end + 1
        yield (first, end), (other, other_end)
        done, other_done = end, other_end


def _is_long(line: str) -> bool:
    return line.count(" ") >= _LONG


def _by_word(left: str, right: str) -> Iterator[Run]:
    if not left.strip() or not right.strip():
        yield from ((sign, text) for sign, text in (("-" if left.strip() else "=", left), ("+", right.strip())) if text)
        return
    spans, others = ([match.span() for match in _WORD.finditer(text)] for text in (left, right))
    words = [left[start:end] for start, end in spans]
    match = align_words(words, [right[start:end] for start, end in others])
    left_starts = [*(start for start, _ in spans), len(left)]
    right_starts = [*(start for start, _ in others), len(right)]
    yield from _runs(left, right, left_starts, right_starts, match.tolist())


def _runs(left: str, right: str, starts: list[int], others: list[int], match: list[int]) -> Iterator[Run]:
    if starts[0]:
        yield "=", left[: starts[0]]
    taken = 0
    for index, other in enumerate(match):
        if other >= 0 and other > taken:
            yield "+", right[others[taken] : others[other]]
        taken = max(taken, other + 1)
        yield "=" if other >= 0 else "-", left[starts[index] : starts[index + 1]]
    if taken < len(others) - 1:
        yield "+", right[others[taken] :]


def _merged(runs: Iterator[Run]) -> Iterator[Run]:
    """Join runs of the same kind; of what replaces something, what is removed comes first."""
    pending: dict[str, list[str]] = {"-": [], "+": []}
    equal: list[str] = []
    for sign, text in runs:
        if sign == "=":
            yield from ((other, "".join(pending[other])) for other in "-+" if pending[other])
            pending = {"-": [], "+": []}
            equal.append(text)
        else:
            if equal:
                yield "=", "".join(equal)
                equal = []
            pending[sign].append(text)
    if equal:
        yield "=", "".join(equal)
    yield from ((other, "".join(pending[other])) for other in "-+" if pending[other])


def comparison(left: str, right: str) -> dict[str, Any]:
    """Return a word diff of two texts with its figures, as plain values: the right text is what should be."""
    left, right = left[:MOST_CHARACTERS], right[:MOST_CHARACTERS]
    shared = word_bag(left, right)
    runs = word_diff(left, right)
    sizes = {sign: sum(len(re.findall(r"\w+", text)) for kind, text in runs if kind == sign) for sign in "=-+"}
    return {
        "runs": runs,
        "words": {"common": sizes["="], "left": sizes["-"], "right": sizes["+"]},
        "f1": _finite(shared.f1),
        "precision": _finite(shared.precision),
        "recall": _finite(shared.recall),
    }


def _finite(value: float) -> float | None:
    return round(value, 4) if np.isfinite(value) else None
