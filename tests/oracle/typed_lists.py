"""Which lines of paragraphs are items of lists that an author typed, by the marks of all lines."""

import re


def mark_of(line: str) -> tuple[str, int] | None:
    """Return the sign of a line and its number, 0 for none."""
    match = re.match(r"(?:(\d{1,3})([.)])|([-+*]))(?=\s)", line)
    return match and (match[2] or match[3], int(match[1] or 0))


def items_among(paragraphs: list[list[str]]) -> list[list[bool]]:
    """Return whether each line of each paragraph, one right after the other, is such an item."""
    found: list[list[bool]] = []
    for at, lines in enumerate(paragraphs):
        found.append([])
        for line, own in enumerate(map(mark_of, lines)):
            ended = max((place for place in range(at) if not any(found[place])), default=-1)
            before = [item for place in range(ended + 1, at + 1) for item in items_of(paragraphs[place], found[place])]
            found[-1].append(own is not None and is_item(own, before, marks_after(paragraphs, at, line)))
    return found


def items_of(lines: list[str], found: list[bool]) -> list[tuple[str, int]]:
    """Return the marks of the lines that are known to be items."""
    return [mark for line, is_one in zip(lines, found, strict=False) if is_one and (mark := mark_of(line))]


def is_item(own: tuple[str, int], before: list[tuple[str, int]], after: list[tuple[str, int]]) -> bool:
    """Return whether a line is an item, by its mark, the marks of the items before it, and the marks after it."""
    sign, number = own
    if sign in "-+*":
        signs = [mark for mark in before if mark[0] in "-+*"]
        return signs[-1:] == [own] or after[:1] == [own]
    numbers = [mark for mark in before if mark[0] in ".)"]
    if numbers and numbers[-1][0] == sign:
        return numbers[-1][1] + 1 == number
    return [mark for mark in after if mark[0] in ".)"][:1] == [(sign, number + 1)]


def marks_after(paragraphs: list[list[str]], paragraph: int, line: int) -> list[tuple[str, int]]:
    """Return the marks after a line: of the paragraph, and of the first line of the next one."""
    following = [lines[0] for lines in paragraphs[paragraph + 1 : paragraph + 2]]
    return [mark for mark in map(mark_of, paragraphs[paragraph][line + 1 :] + following) if mark]
