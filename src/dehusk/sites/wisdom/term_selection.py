"""Which words of a page are terms (section 3.1): stems, stop words, numbers, and words of Chinese and Japanese text.

All of these are optional and off by default: terms are then all words in lower case, each Han or kana character is a
word, and nothing depends on the language.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dehusk.base.characters import CharClass
from dehusk.base.extras import require
from dehusk.base.hashing import Keys, span_keys, text_keys
from dehusk.blocks import Blocks
from dehusk.compiled.text import lower
from dehusk.counts.terms import Terms
from dehusk.label.stemming import stem
from dehusk.sites.wisdom.presets import Settings

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
"""The most common function words of English, and the parts of words that an apostrophe splits (it's, don't)."""


def terms_of(words: Terms, settings: Settings) -> Terms:
    """Return the terms among the words of a page; with a stemmer, their keys are those of the stems.

    Raises:
        ConfigError: there is no stemmer for the language.
        MissingExtraError: a library that a setting needs is not installed.
    """
    if settings.cjk:
        words = _segmented(words)
    kept = np.ones(len(words), dtype=np.bool_)
    if not settings.numbers:
        kept &= _has_letter(words)
    if settings.stop_words:
        stop_words = _ENGLISH.split() if settings.stop_words == "english" else sorted(settings.stop_words)
        kept &= ~np.isin(words.key, _stop_keys(tuple(stop_words)))
    if settings.stemmer:
        words = replace(words, key=_stems(words, settings.stemmer))
    if kept.all():
        return words
    return _rows(words, np.flatnonzero(kept))


def _rows(words: Terms, rows: npt.NDArray[np.intp]) -> Terms:
    columns = {name: getattr(words, name).take(rows) for name in ("key", "start", "end", "block", "node")}
    return replace(words, **columns)


def _has_letter(words: Terms) -> npt.NDArray[np.bool_]:
    """Return which words, shape (w,), contain a letter."""
    letters = np.append(0, np.cumsum(words.blocks.char_class == CharClass.ALPHA))
    mask: npt.NDArray[np.bool_] = letters.take(words.end) > letters.take(words.start)
    return mask


@lru_cache(maxsize=8)
def _stop_keys(stop_words: tuple[str, ...]) -> Keys:
    points = lower(np.frombuffer("".join(stop_words).encode("utf-32-le"), dtype=np.uint32))
    end = np.cumsum([len(word) for word in stop_words], dtype=np.intp)
    return span_keys(points, np.append(0, end)[: len(end)], end)


def _stems(words: Terms, language: str) -> Keys:
    """Return the key of the stem of each word, shape (w,)."""
    keys, texts = words.distinct
    stems = text_keys([stem(language, text) for text in texts])
    return stems.take(np.searchsorted(keys, words.key))


def _segmented(words: Terms) -> Terms:
    """Join the Han and kana characters that form words by ICU's dictionaries; other words stay as they are."""
    is_single = words.blocks.is_han_or_kana.take(words.start)
    is_adjacent = (words.start[1:] == words.end[:-1]) & (words.block[1:] == words.block[:-1])
    joins = np.append(False, is_single[1:] & is_single[:-1] & is_adjacent)[: len(words)]
    if not joins.any():
        return words
    joins &= ~_word_starts(words.blocks, np.unique(words.block[joins])).take(words.start)
    first = np.flatnonzero(~joins)
    end = words.end[np.append(first[1:], len(words)) - 1]
    start = words.start[first]
    key = span_keys(lower(words.blocks.code_points), start, end)
    return replace(words, key=key, start=start, end=end, block=words.block[first], node=words.node[first])


def _word_starts(blocks: Blocks, chosen: npt.NDArray[np.integer]) -> npt.NDArray[np.bool_]:
    """Return the characters, shape (len(blocks.text),), at which ICU starts a word; False outside of chosen blocks."""
    breakers = require("icu4py.breakers", extra="words", purpose="segmenting Chinese and Japanese text")
    starts = np.zeros(len(blocks.text), dtype=np.bool_)
    for block in chosen.tolist():
        sizes = [len(piece) for piece in breakers.WordBreaker(blocks.texts[block], "zh")]
        starts[int(blocks.start[block]) + np.cumsum(sizes) - sizes] = True
    return starts
