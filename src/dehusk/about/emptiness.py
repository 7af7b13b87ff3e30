"""Pages that say that there is nothing: not found, error, log-in, consent, challenge, empty result, parked, moved.

Such a page keeps little text, and its title or the start of that text says what it is in the words of `emptiness.toml`.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from dehusk.base.caching import cached_property
from dehusk.blocks.labels import Labels
from dehusk.read.page import Page

_HEAD = 160
"""Characters at the start of the kept text in which the page says what it is."""
_TITLE = 120


@dataclass(frozen=True)
class Emptiness:
    """A kind of pages without a kernel."""

    kind: str
    words: int
    head: tuple[str, ...]
    field: str | None
    """The type of an input that such a page has."""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What its title or the start of its text matches; only short pages need it."""
        return re.compile("|".join(f"(?:{one})" for one in self.head))


def emptiness_of(labels: Labels) -> str | None:
    """Return which page without a kernel a page is, of the kinds of `emptiness.toml`; None if it is another page."""
    blocks, kept = labels.blocks, labels.written
    words = int(blocks.words[kept].sum())
    start = " ".join(labels.texts[block] for block in kept[:8].tolist())
    heads = [" ".join(text.lower().split()) for text in (blocks.page.meta.title[:_TITLE], start[:_HEAD])]
    for each in kinds():
        if words <= each.words and any(map(each.pattern.search, heads)) and _has_field(blocks.page, each.field):
            return each.kind
    return None


@cache
def kinds() -> tuple[Emptiness, ...]:
    """Return the kinds, in the order in which they are tried."""
    tables = tomllib.loads(files("dehusk.about").joinpath("emptiness.toml").read_text("utf-8"))
    return tuple(
        Emptiness(kind, table["words"], tuple(table["head"]), table.get("field")) for kind, table in tables.items()
    )


def _has_field(page: Page, kind: str | None) -> bool:
    return kind is None or bool(page.elements.select(f'input[type="{kind}" i]'))
