"""How long a piece of text is: in words, or in tokens of a language model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral

import numpy as np
import numpy.typing as npt

from dehusk.base.errors import ConfigError, is_integer
from dehusk.write.chunks.kept_text import KeptText

DEFAULT_WORDS = 300
BYTES_PER_TOKEN = 3
"""Bytes of UTF-8 that the estimate counts as a token: English has about four, code and other languages fewer."""

TokenCounter = Callable[[str], int]


@dataclass(frozen=True)
class ChunkSize:
    """How long chunks may be.

    Raises:
        ConfigError: both limits, a limit below 1, an overlap of more than half the limit, or a tokenizer without
            `max_tokens`.
    """

    max_words: int | None = None
    max_tokens: int | None = None
    overlap: int = 0
    """In words or tokens, whichever the limit is in."""
    tokenizer: TokenCounter | None = None
    """Returns the number of tokens of a text; without it, tokens are estimated as `BYTES_PER_TOKEN` bytes each."""

    def __post_init__(self) -> None:
        if self.max_words is not None and self.max_tokens is not None:
            raise ConfigError("max_words and max_tokens cannot be used together")
        if self.tokenizer is not None and self.max_tokens is None:
            raise ConfigError("tokenizer counts tokens: it needs max_tokens")
        if self.tokenizer is not None and not callable(self.tokenizer):
            raise ConfigError("tokenizer must be a function from a text to its number of tokens")
        for name in ("max_words", "max_tokens", "overlap"):
            value, least = getattr(self, name), 0 if name == "overlap" else 1
            if value is None and name != "overlap":
                continue
            if not is_integer(value, least):
                raise ConfigError(f"{name} must be an integer, at least {least}, not {value!r}")
            object.__setattr__(self, name, int(value))  # a number of numpy's may be too small to be doubled
        if 2 * self.overlap > self.limit:
            raise ConfigError(f"overlap must be at most half of the limit of {self.limit}, not {self.overlap}")

    @property
    def limit(self) -> int:
        """The maximum, in words or tokens."""
        return self.max_tokens or self.max_words or DEFAULT_WORDS


class Measure:
    """Measures slices of the kept text of a page."""

    def __init__(self, kept: KeptText, size: ChunkSize) -> None:
        self._text, self._tokenizer = kept.text, size.tokenizer
        self._words = _running_sums(kept.word_starts)
        self._bytes = _running_sums(_utf8_lengths(kept.points)) if size.max_tokens and not size.tokenizer else None
        self.adds_up = size.tokenizer is None
        """Whether the size of two slices side by side is at most the sum of their sizes, and known without reading."""

    def words(self, start: int, end: int) -> int:
        """Return the number of words that start in a slice."""
        return int(self._words[end] - self._words[start])

    def size(self, start: int, end: int) -> int:
        """Return the size of a slice in the unit of the limit.

        Raises:
            ConfigError: the caller's tokenizer returned something other than a number.
        """
        if self._tokenizer is not None:
            count = self._tokenizer(self._text[start:end])
            if not isinstance(count, Integral):
                raise ConfigError(f"tokenizer must return the number of tokens, not {type(count).__name__}")
            return int(count)
        if self._bytes is not None:
            return -(-int(self._bytes[end] - self._bytes[start]) // BYTES_PER_TOKEN)
        return self.words(start, end)


def _running_sums(values: npt.NDArray[np.bool_] | npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    sums = np.zeros(len(values) + 1, dtype=np.int64)
    np.cumsum(values, out=sums[1:])
    return sums


def _utf8_lengths(points: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
    lengths = np.ones(len(points), dtype=np.int64)
    for first in (0x80, 0x800, 0x10000):
        lengths += points >= first
    return lengths
