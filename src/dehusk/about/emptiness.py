"""Pages that say that there is nothing: not found, error, log-in, consent, challenge, empty result, parked, moved.

Such a page keeps little text, and its title or the start of that text says what it is in the words of `emptiness.toml`.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from dehusk.blocks.labels import Labels
from dehusk.read.page import Page

_HEAD = 160
"""Characters at the start of the kept text in which the page says what it is."""
_TITLE = 120
"""Characters of the title that are read; what comes later in it is the name of the site."""


@dataclass(frozen=True, eq=False)
class Emptiness:
    """A kind of pages without a kernel."""

    kind: str
    words: int
    """Kept words of such a page, at most; set by hand, before any page was measured."""
    head: tuple[str, ...]
    field: str | None
    """The type of an input that such a page has."""


def emptiness_of(labels: Labels) -> str | None:
    """Return which page without a kernel a page is, of the kinds of `emptiness.toml`; None if it is another page."""
    blocks, kept = labels.blocks, labels.written
    words = int(blocks.words[kept].sum())
    start = " ".join(labels.texts[block] for block in kept[:8].tolist())
    head = "\n".join(" ".join(text.lower().split()) for text in (blocks.page.meta.title[:_TITLE], start[:_HEAD]))
    likely = _likely_phrases(head)
    for kind in kinds():
        if words <= kind.words and likely.get(kind.kind) and _may_have_field(blocks.page, kind.field):
            says = any(_compiled(phrase).search(head) for phrase in likely[kind.kind])
            if says and _has_field(blocks.page, kind.field):
                return kind.kind
    return None


def _likely_phrases(head: str) -> dict[str, list[str]]:
    """Return kind -> the phrases that may match a text; most need a text that it has not, and are not tried."""
    likely: dict[str, list[str]] = {}
    starts = {head[at : at + 3] for at in range(len(head))} | {head[at : at + 2] for at in range(len(head))}
    for start in _phrases().keys() & starts:
        for literal, kind, phrase in _phrases()[start]:
            if literal in head:
                likely.setdefault(kind, []).append(phrase)
    return likely


@cache
def kinds() -> tuple[Emptiness, ...]:
    """Return the kinds, in the order in which they are tried."""
    tables = tomllib.loads(files("dehusk.about").joinpath("emptiness.toml").read_text("utf-8"))
    return tuple(
        Emptiness(kind, table["words"], tuple(table["head"]), table.get("field")) for kind, table in tables.items()
    )


@cache
def _phrases() -> dict[str, list[tuple[str, str, str]]]:
    """Return the start of a literal -> the literal, and the kind and the phrase that need it or another one."""
    table: dict[str, list[tuple[str, str, str]]] = {}
    for kind in kinds():
        for phrase in kind.head:
            for literal in literals_of(phrase):
                table.setdefault(literal[:3], []).append((literal, kind.kind, phrase))
    return table


_SIGNS = re.compile(r"\\.|\[.*?\]|\(\?:|[()|.^$?*+]|\{.*?\}|[^\\\[\]()|.^$?*+{}]")
"""The parts of the phrases: escapes, sets, signs, and characters that stand for themselves."""


def literals_of(phrase: str) -> tuple[str, ...]:
    """Return texts of two characters or more, of which all that a regular expression matches has one.

    Raises:
        ValueError: there are none.
    """
    signs = _SIGNS.findall(phrase)
    literals = _alternatives(signs)
    if min(map(len, literals)) < 2:
        raise ValueError(f"each phrase must need a text of two characters or more: {phrase}")
    return tuple(sorted(literals))


def _alternatives(signs: list[str]) -> set[str]:
    """Return the literals of what is between the bars; takes signs up to the end of the group."""
    found: set[str] = set()
    while True:
        found |= _needed(signs)
        if not signs or signs.pop(0) == ")":
            return found


def _needed(signs: list[str]) -> set[str]:
    """Return the literals of the part of a sequence whose shortest one is longest; takes the signs up to its end."""
    best, run = {""}, ""
    while signs and signs[0] not in ("|", ")"):
        sign = signs.pop(0)
        part = _alternatives(signs) if sign in ("(", "(?:") else {""}
        is_text = (len(sign) == 2 and not sign[1].isalnum()) or (len(sign) == 1 and sign not in ".^$?*+")
        optional = bool(signs) and signs[0][0] in "?*{"  # what it says may be missing
        if is_text and not optional:
            run += sign[-1]
            continue
        best, run = max(best, {run}, {""} if optional else part, key=lambda each: min(map(len, each))), ""
    return max(best, {run}, key=lambda each: min(map(len, each)))


@cache  # that of `re` forgets
def _compiled(phrase: str) -> re.Pattern[str]:
    return re.compile(phrase, re.MULTILINE)


def _may_have_field(page: Page, kind: str | None) -> bool:
    """Return whether the source of a page names a type of inputs, which costs less than to look at the inputs."""
    return kind is None or any(name in page.elements.text for name in (kind, kind.upper(), kind.title()))


def _has_field(page: Page, kind: str | None) -> bool:
    return kind is None or bool(page.elements.select(f'input[type="{kind}" i]'))
