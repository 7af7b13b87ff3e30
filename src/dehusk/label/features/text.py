"""`char.*`, `token.*`, `word-ratio`, `sentence*`, `*duplicate*` and `title.*`: what the text of a block looks like.

They are those of the thesis, section 4.2, except `title.*`, which is for the modern web. All counts are computed over
the characters of the whole page at once.
"""

import numpy as np
import numpy.typing as npt

from dehusk.base.caching import cached_per_object
from dehusk.base.characters import CharClass
from dehusk.base.extras import require
from dehusk.blocks import Blocks
from dehusk.compiled import features
from dehusk.compiled.features import (
    character_features,
    duplicate_features,
    sentence_end_features,
    title_features,
    token_features,
)
from dehusk.label.features.family import Columns, Family, FeatureSettings

# ---------------------------------------------------------------- sentences
# Ends of sentences: by punctuation, or by a library that knows the abbreviations of a language.
#
# The thesis counts stops, exclamation and question marks in English, and uses a module that knows abbreviations for
# Czech (section 4.2). sentencex, Wikimedia's splitter, does the latter for some hundred languages.

Mask = npt.NDArray[np.bool_]


def _table(characters: str) -> Mask:
    """Return a mask over code points, shape (65536,), that is true for the characters."""
    table = np.zeros(0x10000, dtype=np.bool_)
    table[[ord(character) for character in characters]] = True
    return table


_IS_ENDER = _table(".!?。！？｡．…؟۔।॥։።။។")
_CLOSERS = "\"'»“”‘’)]}）」』"
_IS_CLOSER = _table(_CLOSERS)


def sentence_counts(blocks: Blocks, language: str) -> npt.NDArray[np.int32]:
    """Return how many sentences end in each block, shape (b,).

    Args:
        blocks: the blocks of a page.
        language: a language code such as "cs", whose abbreviations end no sentence; "" counts punctuation.

    Raises:
        MissingExtraError: a language is given, but sentencex is not installed.
    """
    ends = sentence_ends(blocks)
    if language:
        ends &= _library_ends(blocks, language, (blocks.sums(ends) > 0).nonzero()[0].tolist())
    return blocks.sums(ends)


def _library_ends(blocks: Blocks, language: str, numbers: list[int]) -> Mask:
    """Return the characters up to which the library cuts some blocks, shape (len(text),).

    White space and closing marks after a sentence belong to it, so its end is the last character that ends sentences.
    """
    library = require("sentencex", extra="words", purpose="finding sentences by language")
    points = blocks.code_points
    is_end = np.zeros(len(points), dtype=np.bool_)
    for block in numbers:  # blocks with a stop, mostly running text
        start = int(blocks.start[block])
        text = blocks.text[start : int(blocks.end[block])]
        for sentence in library.segment(language, text):
            body = sentence.rstrip()
            closed = body.rstrip(_CLOSERS)
            if closed:
                is_end[start + len(closed) - 1] = True
            start += len(sentence)
    return is_end


def sentence_ends(blocks: Blocks) -> Mask:
    """Return which characters end a sentence, shape (len(text),)."""
    points = blocks.code_points
    ends = _look_up(points, _IS_ENDER)
    enders = ends.nonzero()[0]
    following = np.minimum(enders + 1, len(points) - 1)
    is_end = (blocks.char_class.take(following) == CharClass.WHITE) | _look_up(points.take(following), _IS_CLOSER)
    is_end |= points.take(enders) > 0x2FFF  # no space follows a full-width stop
    ends[enders] = is_end
    last = blocks.end - 1
    ends[last] = _look_up(points.take(last), _IS_ENDER)
    return ends


def _look_up(points: npt.NDArray[np.uint32], table: Mask) -> Mask:
    mask: Mask = table.take(points, mode="clip")
    return mask


# ---------------------------------------------------------------- text

_MAX_TITLE = 500  # characters: each block is searched for in the title, so a huge title would take too long
_MIN_TITLE = 8  # characters: shorter texts occur in many titles by chance

match_title = cached_per_object(features.match_title)
"""Return 2 for blocks that are part of the page's title, 1 for blocks that contain it, else 0, shape (b,)."""


def sentence_features(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return the number and length of sentences and whether the block starts one, shape (b,) each."""
    columns = features.sentence_features(blocks, settings)
    if settings.language:
        count = columns["sentence.count"] = sentence_counts(blocks, settings.language)
        columns["document.sentence-count"] = np.full(len(blocks), int(count.sum()))
        columns["sentence.avg-length"] = blocks.words / np.maximum(count, 1)
    return columns


FAMILIES = (
    Family(
        character_features,
        {
            "char.alpha-rel": "Share of letters among the block's characters.",
            "char.num-rel": "Share of digits among the block's characters.",
            "char.punct-rel": "Share of punctuation among the block's characters.",
            "char.white-rel": "Share of white space among the block's characters.",
            "char.other-rel": "Share of other characters (symbols, for example) among the block's characters.",
            "char.count": "Characters in the block.",
        },
    ),
    Family(
        token_features,
        {
            "token.alpha-rel": "Share of words among the block's tokens: tokens with letters and without digits.",
            "token.num-rel": "Share of numbers among the block's tokens: tokens with digits and without letters.",
            "token.mix-rel": "Share of tokens with both letters and digits.",
            "token.other-rel": "Share of tokens with neither letters nor digits.",
            "token.alpha-abs": "Tokens that are words.",
            "token.num-abs": "Tokens that are numbers.",
            "token.mix-abs": "Tokens with both letters and digits.",
            "token.other-abs": "Tokens with neither letters nor digits.",
            "word-ratio": "Share of the page's words in the block.",
        },
    ),
    Family(
        sentence_features,
        {
            "sentence.count": "Sentences in the block: runs of . ! ? (or their full-width forms) before white space or "
            "the block's end; with `sentences.language`, not after the abbreviations of the language.",
            "sentence.avg-length": "Words per sentence; all words of the block if no sentence ends in it.",
            "document.sentence-count": "Sentences on the page.",
            "sentence-begin": "1 if the block's first letter is not in lower case, else 0.",
        },
    ),
    Family(
        sentence_end_features,
        {"sentence-end": "1 if the block's last character, ignoring quotes and brackets, ends a sentence, else 0."},
    ),
    Family(
        duplicate_features,
        {
            "duplicate-count": "Number of blocks on the page with the same letters; case and all other characters are "
            "ignored.",
            "first-duplicate": "1 for the first of two or more duplicates, else 0.",
        },
    ),
    Family(
        title_features,
        {
            "title.match": "2 if the block is the page's title or part of it, 1 if it contains the title, else 0.",
            "title.seen": "1 from the first block that is the page's title or part of it, else 0.",
        },
    ),
)
