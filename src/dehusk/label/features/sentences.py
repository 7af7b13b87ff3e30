"""Ends of sentences: by punctuation, or by a library that knows the abbreviations of a language.

The thesis counts stops, exclamation and question marks in English, and uses a module that knows abbreviations for Czech
(section 4.2). sentencex, Wikimedia's splitter, does the latter for some hundred languages.
"""

import numpy as np
import numpy.typing as npt

from dehusk.base.characters import CharClass
from dehusk.base.extras import require
from dehusk.blocks import Blocks

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
