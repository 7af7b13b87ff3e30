"""Pages that try to run scripts, load things or break markup: templates for each feature of the writers, and payloads.

`hostile/pages.json` has the templates, with places such as `{text}`, and `hostile/payloads.json` what is put there.
Every script on the pages marks the outermost window (`CANARY`), so a browser shows whether one has run.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

CANARY = "top.document.documentElement.setAttribute(/data-ran/.source,1)"
"""A script that may stand anywhere, without spaces, quotes, backticks and `<=>`; `{run}` in the files."""


def _read(name: str) -> str:
    text = (Path(__file__).parent / "hostile" / name).read_text(encoding="utf-8")
    return text.replace("{run}", CANARY)


_NESTED = "<ul><li>" * 30 + "<p>{text}" + "<pre>{text}\n{text}\n</pre>" * 20 + "</ul>" * 30 + "<blockquote>" * 30
TEMPLATES: list[str] = [*json.loads(_read("pages.json")), _NESTED + "<pre>x\n{text}</pre>"]
"""Pages with places for payloads, one or several for each feature of the writers."""
PAYLOADS: dict[str, list[str]] = json.loads(_read("payloads.json"))
"""Place -> what is put there; `_LONG` besides."""
_LONG = {
    "href": ["x" * 3_000],
    "name": ["language-" + "x" * 999],
    "date": ["9" * 5_000],
    "data": ["[" * 5_000, '{"a":' * 5_000, '{"@type":"Article","headline":"x","description":"' + "d " * 3_000 + '"}'],
}
_SIGNS = [
    "<",
    ">",
    '"',
    "'",
    "`",
    "[",
    "]",
    "(",
    ")",
    "\\",
    "$",
    "|",
    "\n",
    "&#10;",
    "&#13;",
    "\t",
    ":",
    "&",
    "#",
    "\x00",
    "\ud800",
]


def filled(template: str, chance: random.Random) -> str:
    """Return a template with a random payload in each place."""
    for name, payloads in PAYLOADS.items():
        choices = [*payloads, *_LONG.get(name, [])]
        first, *others = template.split(f"{{{name}}}")
        template = first + "".join(chance.choice(choices) + other for other in others)
    return template


def mutated(page: str, chance: random.Random) -> str:
    """Return a page with a few parts deleted, doubled, moved, or with signs put in."""
    for _ in range(chance.randrange(4)):
        start, place = chance.randrange(len(page) + 1), chance.randrange(len(page) + 1)
        part = page[start : start + chance.randrange(1, 30)]
        page = chance.choice(
            [
                page[:start] + page[start + len(part) :],
                page[:place] + part + page[place:],
                page[:place] + chance.choice(_SIGNS) * chance.randrange(1, 4) + page[place:],
                page[:place] + chance.choice(PAYLOADS["text"]) + page[place:],
            ]
        )
    return page


def hostile_pages(count: int, seed: int = 14) -> Iterator[str]:
    """Yield pages: each template in turn, filled, every second one mutated."""
    chance = random.Random(seed)  # noqa: S311 (the same pages each time)
    for number in range(count):
        page = filled(TEMPLATES[number % len(TEMPLATES)], chance)
        yield mutated(page, chance) if number // len(TEMPLATES) % 2 else page
