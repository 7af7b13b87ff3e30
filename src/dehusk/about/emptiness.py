"""Pages that say that there is nothing: not found, error, log-in, consent, challenge, empty result, parked, moved.

Such a page keeps little text, and its title, a heading or one of its first lines says what it is. The less is kept, the
fewer phrases of `emptiness.toml` and `emptiness_languages.toml` must be there to say so.
"""

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dehusk.about import MOST_WORDS
from dehusk.base.lazy import pattern
from dehusk.blocks.headlines import HEADING_TAGS
from dehusk.blocks.labels import Labels
from dehusk.blocks.phrases import Phrases, compiled
from dehusk.compiled.decide import heading_levels
from dehusk.read.page import Page
from dehusk.read.parsing import FROM_FRAMES

_TITLE = 120
"""Characters of the title that are read; what comes later in it is the name of the site."""
_LINES, _LINE, _CHARS = 12, 400, 900
"""Lines of kept text that are read, characters of each, and of all."""
_QUOTED = pattern(r'"[^"\n]{1,100}"|“[^”“\n]{1,100}”|„[^“”„\n]{1,100}[“”]|«[^»«\n]{1,100}»|「[^」「\n]{1,60}」')
_CHARACTERS = pattern(r"[\u3040-\u30ff\u3400-\u9fff]")  # of Chinese and Japanese, each of which counts as a word
_FEW, _ALL, _SENTENCE = 25, 150, 3
"""Kept and all words of a page of which dropped lines are read, too, and words of such a line, at least."""
_BESIDE = 25
"""Kept words beside the headings of a page that only its title or a heading tells to be empty."""
_WITHOUT_FIELD = (1, 2)
"""What a page without the field that its kind has must have more: one of the fewest words of `_NEEDED`, others."""
_NO_FRAMES = 50
"""Kept words of a page of frames that says no more than that browsers should show them; by hand, on site-webkb."""
_SOURCE = 100_000
"""Characters of the source in which the script of a challenge is looked for."""
_PAIRS = (
    ("not-found", "page", ".{0,50}?", "gone"),
    ("not-found", "lost", ".{0,30}?", "page"),
    ("empty-result", "no", ".{0,40}?", "hits"),
    ("empty-result", "hits", ".{0,40}?", "none"),
)
"""Kind, list of words, what may be between, list of words: phrases that each language has by its lists."""
_ROLES = {name for _, first, _, second in _PAIRS for name in (first, second)}
_WEIGHT = {"language": 1, "says": 2, "demands": 3, "products": 5}
"""What a phrase is worth: one of a list by language, a whole sentence, one that also pages without the field of their
kind say, the fixed text of a product."""
_NEEDED = ((30, 1), (50, 2), (70, 3), (100, 4), (170, 5), (MOST_WORDS, 6))
"""Kept words, at most, and what the phrases that are found must be worth: by hand, on the mock-ups of development."""


class Emptiness(NamedTuple):
    """A kind of pages without a kernel."""

    kind: str
    words: int
    """Kept words of such a page, at most."""
    phrases: dict[str, tuple[str, ...]]
    """Of `_WEIGHT`, what a phrase is -> regular expressions."""
    source: tuple[str, ...]
    """Regular expressions on the source of a page that has no text."""
    field: str | None
    """The type of an input that such a page has, unless it demands what the input is for, or is that of a product."""


class _Statement(NamedTuple):
    """What a page says first."""

    head: str
    """Title and headings, one a line."""
    body: str
    """Kept lines that are no headings."""
    words: int
    """Kept words; two characters of Chinese or Japanese are one."""
    beyond: int
    """Those that are not in headings."""


def emptiness_of(labels: Labels) -> str | None:
    """Return which page without a kernel a page is, of the kinds of `emptiness.toml`; None if it is another page."""
    page, said = labels.blocks.page, _statement(labels)
    if said.words <= _NO_FRAMES and _has_frames(page):
        return "frames"
    needed = next((worth for words, worth in _NEEDED if said.words <= words), None)
    if needed is None:
        return None
    for shown in (said, *(said._replace(body=body) for body in _dropped(labels, said) if body)):
        text = f"{shown.head}\n{shown.body}"
        if needed >= _WEIGHT["products"] and not _says(text):
            continue  # words of the lists by language prove nothing in so long a text: do not even load them
        likely = _likely(text)
        possible = (kind for kind in kinds() if said.words <= kind.words and kind.kind in likely)
        found = {kind.kind: _worth(kind, shown, needed, page, likely[kind.kind]) for kind in possible}
        best = max(found, key=lambda kind: found[kind], default="")  # the first of several
        if found.get(best, 0) >= needed:
            return best
    return None if said.words else challenge_of(page)


def challenge_of(page: Page) -> str | None:
    """Return "challenge" if a page without text has the scripts or the title of one; otherwise None."""
    kind = kinds()[0]
    source, title = page.elements.text[:_SOURCE].lower(), _folded(page.meta.title)[:_TITLE]
    phrases = _likely(title).get(kind.kind, {}).get("says", ())
    says = any(compiled(phrase).search(title) for phrase in phrases)
    return kind.kind if says or any(compiled(mark).search(source) for mark in kind.source) else None


def _worth(kind: Emptiness, said: _Statement, needed: int, page: Page, likely: Mapping[str, Sequence[str]]) -> int:
    """Return what those phrases of a kind are worth that a page has, of the likely ones; 0 if it cannot be enough."""
    if needed >= _WEIGHT["products"] and likely.keys() == {"language"}:
        return 0  # the sentence is of another kind
    if 2 * sum(_WEIGHT[name] * len(phrases) for name, phrases in likely.items()) < needed:
        return 0
    lacks = kind.field is not None and not _has_field(page, kind.field)
    strengths = {name: phrases for name, phrases in likely.items() if name != "says" or not lacks}
    body, head = (_weight(text, strengths) for text in (said.body, said.head))
    if said.beyond > _BESIDE:
        head = max(min(head, body, 1), _weight(said.head, {"products": strengths.get("products", ())}))
    return body + head - _WITHOUT_FIELD[said.words > _NEEDED[0][0]] * lacks


def _weight(text: str, phrases: Mapping[str, Iterable[str]]) -> int:
    """Return what the phrases that are in a text are worth; of those that overlap, only the best one counts."""
    worth, taken = 0, list[tuple[int, int]]()
    for strength in reversed(_WEIGHT):
        for phrase in phrases.get(strength, ()):
            match = compiled(phrase).search(text)
            if match and all(match.end() <= start or end <= match.start() for start, end in taken):
                taken.append(match.span())
                worth += _WEIGHT[strength]
    return worth


def _statement(labels: Labels) -> _Statement:
    """Return what a page says first: its title, headings and first lines."""
    blocks, kept = labels.blocks, labels.written
    is_heading = heading_levels(blocks, HEADING_TAGS) > 0
    lines = {block: _folded(labels.texts[block][:_LINE]) for block in kept[: 2 * _LINES].tolist()}
    words = _words(labels, kept)
    head = [_folded(blocks.page.meta.title[:_TITLE]), *(line for block, line in lines.items() if is_heading[block])]
    body = [line for block, line in lines.items() if not is_heading[block]]
    beyond = _words(labels, kept[~is_heading[kept]])
    return _Statement("\n".join(head)[:_CHARS], "\n".join(body)[:_CHARS], words, beyond)


def _dropped(labels: Labels, said: _Statement) -> Iterator[str]:
    """Yield the lines that a page with little text drops: the statement may be in a box that looks like an aside."""
    if said.words <= _FEW and int(labels.blocks.words.sum()) <= _ALL:
        dropped = (~labels.kept & (labels.blocks.words >= _SENTENCE)).nonzero()[0][:_LINES].tolist()
        yield "\n".join(_folded(labels.blocks.text_of(block)[:_LINE]) for block in dropped)[:_CHARS]


def _words(labels: Labels, chosen: npt.NDArray[np.intp]) -> int:
    """Return the number of words of some blocks; two characters of Chinese or Japanese are one."""
    words = int(labels.blocks.words[chosen].sum())
    if not words or words > 2 * MOST_WORDS:
        return words
    texts = (text for block in chosen.tolist() if not (text := labels.texts[block]).isascii())
    return words - sum(len(_CHARACTERS.findall(text)) for text in texts) // 2


def _folded(text: str) -> str:
    """Return a line as the phrases have it: in lower case, without what it quotes."""
    return " ".join(_QUOTED.sub("“”", text).lower().replace("’", "'").split())


def _says(text: str) -> bool:
    """Return whether a text has a phrase that is more than words of a language, of any kind."""
    likely = _sentences().likely(text).get("says", ())
    return any(compiled(phrase).search(text) for phrase in likely)


@cache
def _sentences() -> Phrases[str]:
    """Return the whole sentences and the texts of products, of all kinds: a tenth of all phrases."""
    tables = _table("emptiness.toml").values()
    names = ("says", "demands", "products")
    return Phrases({"says": [phrase for table in tables for name in names for phrase in table.get(name, ())]})


@cache
def kinds() -> tuple[Emptiness, ...]:
    """Return the kinds; of those with equal evidence, the first is taken."""
    by_language = defaultdict[str, list[str]](list)
    for words in _table("emptiness_languages.toml").values():
        for kind, phrases in _of_language(words):
            by_language[kind].append(phrases)
    return tuple(
        Emptiness(
            kind,
            table.get("words", MOST_WORDS),
            {
                "language": tuple(by_language[kind]),
                **{name: tuple(table.get(name, ())) for name in ("says", "demands", "products")},
            },
            tuple(table.get("source", ())),
            table.get("field"),
        )
        for kind, table in _table("emptiness.toml").items()
    )


def _of_language(words: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    """Yield (kind, phrase) of a language: its whole phrases, and those made of its lists of words."""
    any_of = {name: f"(?:{'|'.join(phrases)})" for name, phrases in words.items()}
    for kind, first, gap, second in _PAIRS:
        if first in words and second in words:
            yield kind, f"{any_of[first]}{gap}{any_of[second]}"
    for name, phrases in words.items():
        if name not in _ROLES:
            yield from ((name, phrase) for phrase in phrases)


def _table(name: str) -> dict[str, Any]:
    return tomllib.loads(files("dehusk.about").joinpath(name).read_text("utf-8"))


def _likely(text: str) -> dict[str, dict[str, list[str]]]:
    """Return kind -> strength -> the phrases that may match a text, in one search for those of all kinds."""
    found: dict[str, dict[str, list[str]]] = {}
    for (kind, strength), phrases in _phrases().likely(text).items():
        found.setdefault(kind, {})[strength] = phrases
    return found


@cache
def _phrases() -> Phrases[tuple[str, str]]:
    return Phrases({(kind.kind, strength): found for kind in kinds() for strength, found in kind.phrases.items()})


def _has_frames(page: Page) -> bool:
    """Return whether a page has frames in place of a body."""
    if FROM_FRAMES in page.notes:
        return True
    may = any(name in page.elements.text for name in ("<frameset", "<FRAMESET", "<Frameset", "<FrameSet"))
    return may and bool(page.elements.select("frameset"))


def _has_field(page: Page, kind: str) -> bool:
    """Return whether a page has an input of a type; the source is looked at first, which costs less."""
    may = any(name in page.elements.text for name in (kind, kind.upper(), kind.title()))
    return may and bool(page.elements.select(f'input[type="{kind}" i]'))
