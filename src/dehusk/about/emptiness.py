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
    likely = (each for each in kinds() if words <= each.words and _may_have_field(blocks.page, each.field))
    found = (each for each in likely if _says(each, head) and _has_field(blocks.page, each.field))
    return next((each.kind for each in found), None)


def _says(kind: Emptiness, head: str) -> bool:
    """Return whether a text matches a phrase of a kind; most phrases are not tried, as they need what it has not."""
    likely = [phrase for literal, phrase in zip(_literals(kind), kind.head, strict=True) if literal in head]
    return any(_compiled(phrase).search(head) for phrase in likely)


@cache
def kinds() -> tuple[Emptiness, ...]:
    """Return the kinds, in the order in which they are tried."""
    tables = tomllib.loads(files("dehusk.about").joinpath("emptiness.toml").read_text("utf-8"))
    return tuple(
        Emptiness(kind, table["words"], tuple(table["head"]), table.get("field")) for kind, table in tables.items()
    )


@cache
def _literals(kind: Emptiness) -> tuple[str, ...]:
    return tuple(map(literal_of, kind.head))


_SIGNS = re.compile(r"\\.|\[.*?\]|[()|.^$?*+]|\{.*?\}|[^\\\[\]()|.^$?*+{}]+")
"""The parts of the phrases: escapes, sets, signs, and runs of characters that stand for themselves."""


@cache
def literal_of(phrase: str) -> str:
    """Return the longest text that is in all that a regular expression matches, as far as its outermost level says."""
    depth, longest, run = 0, "", ""
    for sign in _SIGNS.findall(phrase):
        if sign == "|" and not depth:
            return ""
        depth += (sign == "(") - (sign == ")")
        is_text = (len(sign) > 1 and sign[0] not in "\\[{") or sign[0] not in "\\[{()|.^$?*+"
        if depth or not is_text:
            run = run[:-1] if sign[0] in "?*{" else run  # the character before it may be missing
            longest, run = max(longest, run, key=len), ""
        else:
            run += sign
    return max(longest, run, key=len)


@cache  # that of `re` forgets
def _compiled(phrase: str) -> re.Pattern[str]:
    return re.compile(phrase, re.MULTILINE)


def _may_have_field(page: Page, kind: str | None) -> bool:
    """Return whether the source of a page names a type of inputs, which costs less than to look at the inputs."""
    return kind is None or any(name in page.elements.text for name in (kind, kind.upper(), kind.title()))


def _has_field(page: Page, kind: str | None) -> bool:
    return kind is None or bool(page.elements.select(f'input[type="{kind}" i]'))
