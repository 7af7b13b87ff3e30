"""Which words of a page are terms (section 3.1): stems, stop words, numbers, and words of Chinese and Japanese text.

All of it is optional: without options, terms are all words in lower case, and each Han or kana character is one,
which needs no knowledge of any language.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Protocol, cast

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.characters import CharClass, lower
from dehusk.errors import ConfigError, DehuskError
from dehusk.methods.wisdom.presets import Settings
from dehusk.site.hashing import Keys, span_keys
from dehusk.site.terms import Terms

_ENGLISH = (
    "a about above after again against all also although always am among an and another any anyone anything are "
    "around as at away be became because become been before behind being below between both but by came can cannot "
    "come could d did do does doing done down during each either else ever every everyone everything few for from "
    "further get gets got had has have having he her here hers herself him himself his how however i if in indeed "
    "into is it its itself just least less let like ll m many may me might mine more most much must my myself near "
    "neither never no nobody none nor not nothing now of off often on once one only onto or other others our ours "
    "ourselves out over own per perhaps quite rather re s said same say says shall she should since so some someone "
    "something still such t than that the their theirs them themselves then there therefore these they this those "
    "though through thus to together too toward towards under until up upon us ve very was we well were what "
    "whatever when where whether which while who whole whom whose why will with within without would yet you your "
    "yours yourself yourselves"
)
"""The commonest function words of English, with what is left of words that an apostrophe parts (it's, don't)."""


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 (Snowball's name)


def terms_of(words: Terms, settings: Settings) -> Terms:
    """Return the terms among the words of a page; their keys are those of stems where there is a stemmer.

    Raises:
        ConfigError: no stemmer for the language.
        DehuskError: a library that an option needs is not installed.
    """
    if settings.cjk:
        words = _segmented(words)
    kept = np.ones(len(words), dtype=np.bool_)
    if not settings.numbers:
        kept &= _has_letter(words)
    if settings.stop_words:
        listed = _ENGLISH.split() if settings.stop_words == "english" else sorted(settings.stop_words)
        kept &= ~np.isin(words.key, _stop_keys(tuple(listed)))
    if settings.stemmer:
        words = replace(words, key=_stems(words, settings.stemmer))
    if kept.all():
        return words
    return _rows(words, np.flatnonzero(kept))


def keys_of(texts: Sequence[str]) -> Keys:
    """Return the key of each text, shape (s,), as `dehusk.site.hashing.text_key` gives it."""
    points = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    end = np.cumsum(np.fromiter(map(len, texts), np.intp, len(texts)), dtype=np.intp)
    return span_keys(points, np.append(0, end)[: len(end)], end)


def _rows(words: Terms, rows: npt.NDArray[np.intp]) -> Terms:
    columns = {name: getattr(words, name).take(rows) for name in ("key", "start", "end", "block", "node")}
    return replace(words, **columns)


def _has_letter(words: Terms) -> npt.NDArray[np.bool_]:
    """Return which words, shape (w,), have a letter in them."""
    letters = np.append(0, np.cumsum(words.blocks.char_class == CharClass.ALPHA))
    mask: npt.NDArray[np.bool_] = letters.take(words.end) > letters.take(words.start)
    return mask


@lru_cache(maxsize=8)
def _stop_keys(listed: tuple[str, ...]) -> Keys:
    points = lower(np.frombuffer("".join(listed).encode("utf-32-le"), dtype=np.uint32))
    end = np.cumsum([len(word) for word in listed], dtype=np.intp)
    return span_keys(points, np.append(0, end)[: len(end)], end)


def _stems(words: Terms, language: str) -> Keys:
    """Return the key of the stem of each word, shape (w,)."""
    keys, texts = words.distinct
    stems = keys_of([_stem(language, text) for text in texts])
    return stems.take(np.searchsorted(keys, words.key))


@lru_cache(maxsize=1 << 16)
def _stem(language: str, word: str) -> str:
    return _stemmer(language).stemWord(word)


@lru_cache(maxsize=8)
def _stemmer(language: str) -> _Stemmer:
    try:
        import snowballstemmer  # noqa: PLC0415 (all but stems works without it)
    except ImportError as error:
        raise DehuskError("stems need snowballstemmer: pip install 'dehusk[words]'") from error
    if language not in snowballstemmer.algorithms():
        raise ConfigError(f"no stemmer for {language!r}; known: {', '.join(sorted(snowballstemmer.algorithms()))}")
    return cast("_Stemmer", snowballstemmer.stemmer(language))


def _segmented(words: Terms) -> Terms:
    """Join the Han and kana characters that ICU's dictionaries make words of; other words stay as they are."""
    alone = words.blocks.unspaced.take(words.start)
    beside = (words.start[1:] == words.end[:-1]) & (words.block[1:] == words.block[:-1])
    joins = np.append(False, alone[1:] & alone[:-1] & beside)[: len(words)]
    if not joins.any():
        return words
    joins &= ~_cuts(words.blocks, np.unique(words.block[joins])).take(words.start)
    first = np.flatnonzero(~joins)
    end = words.end[np.append(first[1:], len(words)) - 1]
    start = words.start[first]
    key = span_keys(lower(words.blocks.points), start, end)
    return replace(words, key=key, start=start, end=end, block=words.block[first], node=words.node[first])


def _cuts(blocks: Blocks, which: npt.NDArray[np.integer]) -> npt.NDArray[np.bool_]:
    """Return before which characters of all blocks' text, shape (len(text),), a word may begin; of some blocks only."""
    try:
        from icu4py.breakers import WordBreaker  # noqa: PLC0415 (all but words of Chinese and Japanese works without)
    except ImportError as error:
        raise DehuskError("words of Chinese and Japanese text need icu4py: pip install 'dehusk[words]'") from error
    cuts = np.zeros(len(blocks.text), dtype=np.bool_)
    for block in which.tolist():
        sizes = [len(piece) for piece in WordBreaker(blocks.texts[block], "zh")]
        cuts[int(blocks.start[block]) + np.cumsum(sizes) - sizes] = True
    return cuts
