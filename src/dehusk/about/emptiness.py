"""Pages that say that there is nothing: not found, error, log-in, consent, challenge, empty result, parked, moved.

Such a page keeps little text, and its title or the start of that text says what it is in the words of `emptiness.toml`.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from dehusk.about.phrases import Phrases, compiled
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
    likely = _phrases().likely(head)
    for kind in kinds():
        if words <= kind.words and likely.get(kind.kind) and _may_have_field(blocks.page, kind.field):
            says = any(compiled(phrase).search(head) for phrase in likely[kind.kind])
            if says and _has_field(blocks.page, kind.field):
                return kind.kind
    return None


@cache
def kinds() -> tuple[Emptiness, ...]:
    """Return the kinds, in the order in which they are tried."""
    tables = tomllib.loads(files("dehusk.about").joinpath("emptiness.toml").read_text("utf-8"))
    return tuple(
        Emptiness(kind, table["words"], tuple(table["head"]), table.get("field")) for kind, table in tables.items()
    )


@cache
def _phrases() -> Phrases:
    return Phrases({kind.kind: kind.head for kind in kinds()})


def _may_have_field(page: Page, kind: str | None) -> bool:
    """Return whether the source of a page names a type of inputs, which costs less than to look at the inputs."""
    return kind is None or any(name in page.elements.text for name in (kind, kind.upper(), kind.title()))


def _has_field(page: Page, kind: str | None) -> bool:
    return kind is None or bool(page.elements.select(f'input[type="{kind}" i]'))
