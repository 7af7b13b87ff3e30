"""The strings of a JSON document or of a script that assigns data, with the keys above them.

A page's data is often broken, cut, or JavaScript instead of JSON, such as `window.__NUXT__=(function(a,b){return …})`.
Therefore nothing is parsed: one regular expression finds the tokens, a list holds the open brackets, and nothing is
executed. Neither depth nor damage can fail, and the time is linear. Strings that contain JSON are read in the same way.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from dehusk.base.lazy import pattern
from dehusk.compiled.text import strings_of

MAX_TOKENS = 400_000
"""Tokens that are read of all data of a page, some 8 MB of usual data; the rest is left, and a note says so."""
_MAX_LEVELS = 5  # of data within strings of data
_ESCAPE = pattern(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|.))", re.DOTALL)
_PLAIN_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": " ", "f": " ", "v": " ", "0": " ", "\n": "", "\r\n": ""}
_NESTED = pattern(r"\s*(?:\[\s*(?:[\[{\"]|-?\d)|\{\s*[\"'}])")
_ENCODED = pattern(r"%(?:7B|5B)%", re.IGNORECASE)
_RAW_TEXT = pattern(rb"(?<![\w\"])[0-9a-f]{1,6}:T([0-9a-f]{1,7}),")
_INLINE = pattern(
    r'",\["\$","(?:strong|em|b|i|a|code|span|u|mark|sup|sub)",(?:null|"[^"]*+"),'
    r'\{(?>(?:"[\w-]++":(?:"[^"]*+"|\w++),)*)"children":"((?>(?:[^"\\]++|\\.)*))"[^][{}]*+\}\],"'
)
_LETTER = pattern(r"[^\W\d_]")
_NUMBERED = pattern(r"[\W_]*\d[\w-]*")
_MAX_KEY = 40


class Value(NamedTuple):
    """A string among the data of a page."""

    text: str
    path: tuple[str, ...]
    """The keys above it, outermost first; numbers and long keys are "*"."""
    owners: tuple[int, ...]
    """Numbers of the objects around it, innermost first, at most five."""
    island: int
    """Which of the page's islands holds it."""
    family: int
    """A number that all strings of an island with the same keys above them share, and no others."""


class Strings(NamedTuple):
    """The strings of one island, and numbers that go on from island to island."""

    values: list[Value]
    tokens: int
    """Number of tokens that were read so far."""
    objects: int
    """Number of objects so far."""
    families: int
    """Number of families so far."""


@dataclass
class Reader:
    """Reads the strings of all islands of a page.

    Attributes:
        values: the strings with a letter, in order.
        tokens: number of tokens read.
    """

    values: list[Value] = field(default_factory=list)
    tokens: int = 0
    _objects: int = 0
    _families: int = 0

    @property
    def cut(self) -> bool:
        """Whether data was left because there is too much of it."""
        return self.tokens > MAX_TOKENS

    def read(self, source: str, island: int, *, is_json: bool) -> None:
        """Read the strings of one island.

        Args:
            source: its data.
            island: its number.
            is_json: whether it is JSON rather than a script; then strings may contain line ends, as in broken JSON.
        """
        found = strings_of(source, island, is_json, self.tokens, self._objects, self._families)
        self.values += found.values
        self.tokens, self._objects, self._families = found[1:]

    def add(self, text: str, path: tuple[str, ...], owner: int, island: int) -> None:
        """Add a string that is an island of its own."""
        self.values.append(Value(text, path, (owner,), island, self._families))
        self._families += 1

    def read_stream(self, pieces: list[str], island: int) -> None:
        """Read data that scripts push in pieces, each a string; texts of a given length stand in it without quotes."""
        rest, texts = _without_raw_texts("".join(_decoded(piece[1:-1]) for piece in pieces))
        for text in filter(_LETTER.search, texts):
            self._objects += 1
            self.values.append(Value(text, ("T",), (self._objects,), island, self._families))
        self._families += 1
        self.read(_INLINE.sub(r"\1", rest), island, is_json=True)  # a text with emphasis in it is one text


@lru_cache(maxsize=4096)
def _plain_key(key: str) -> str:
    return "*" if _NUMBERED.fullmatch(key) else key


def _without_raw_texts(stream: str) -> tuple[str, list[str]]:
    """Return a stream without its rows of raw text, `id:Tlength,text` (length in bytes), and the texts of these."""
    data, texts, kept, done = stream.encode(), [], [], 0
    for match in _RAW_TEXT.finditer(data):
        if match.start() >= done:
            kept.append(data[done : match.start()])
            done = match.end() + int(match[1], 16)
            texts.append(data[match.end() : done].decode("utf-8", "replace").strip())
    return b"".join([*kept, data[done:]]).decode("utf-8", "replace"), texts


def _decoded(text: str) -> str:
    """Return a string without its escapes, be they JSON's or JavaScript's; lone surrogates become U+FFFD."""
    if "\\" not in text:
        return text
    try:
        text = json.loads(f'"{text}"', strict=False)
    except ValueError:
        text = _ESCAPE.sub(_unescaped, text)
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code is None:
        return _PLAIN_ESCAPES.get(match[4], match[4])
    number = int(code, 16)
    return chr(number) if number < 0x110000 else "\ufffd"
