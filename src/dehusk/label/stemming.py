"""Stems of words, by Snowball."""

from functools import lru_cache
from typing import Protocol, cast

from dehusk.base.errors import ConfigError, unknown
from dehusk.base.extras import require


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 (Snowball's name)


@lru_cache(maxsize=1 << 16)
def stem(language: str, word: str) -> str:
    """Return the stem of a word in lower case.

    Args:
        language: a language of Snowball: "english", "german".
        word: the word.

    Raises:
        ConfigError: there is no stemmer for the language.
        MissingExtraError: the library is not installed.
    """
    return _stemmer(language).stemWord(word)


@lru_cache(maxsize=8)
def _stemmer(language: str) -> _Stemmer:
    snowball = require("snowballstemmer", extra="words", purpose="stemming")
    if language not in snowball.algorithms():
        raise ConfigError(unknown("stemmer", language, sorted(snowball.algorithms())))
    return cast("_Stemmer", snowball.stemmer(language))
