"""`char.*`, `token.*` and `sentence.*`: what the text of a block looks like (thesis, section 4.2).

All of it is counted over the page's characters at once; ends of blocks are offsets.
"""

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.characters import CharClass
from dehusk.features.settings import Columns, FeatureSettings

_CHARS = {"alpha": CharClass.ALPHA, "num": CharClass.DIGIT, "punct": CharClass.PUNCT, "white": CharClass.WHITE}
_TOKENS = ("other", "alpha", "num", "mix")

DOC = {
    "char.alpha-rel": "Share of letters among the characters.",
    "char.num-rel": "Share of digits among the characters.",
    "char.punct-rel": "Share of punctuation among the characters.",
    "char.white-rel": "Share of white space among the characters.",
    "char.other-rel": "Share of other characters (symbols, marks without letters) among the characters.",
    "char.count": "Characters in the block.",
    "token.alpha-rel": "Share of tokens that are words: letters and no digit.",
    "token.num-rel": "Share of tokens that are numbers: digits and no letter.",
    "token.mix-rel": "Share of tokens that mix letters and digits.",
    "token.other-rel": "Share of tokens without letters and digits.",
    "token.alpha-abs": "Tokens that are words.",
    "token.num-abs": "Tokens that are numbers.",
    "token.mix-abs": "Tokens that mix letters and digits.",
    "token.other-abs": "Tokens without letters and digits.",
    "word-ratio": "Share of the page's words that stand in the block.",
    "sentence.count": "Sentences: runs of . ! ? (and their full-width forms) before white space or the block's end.",
    "sentence.avg-length": "Words a sentence; all words where no sentence ends.",
    "document.sentence-count": "Sentences of the page.",
    "sentence-begin": "1 where the first letter is no lower-case one.",
    "sentence-end": "1 where the last character, quotes and brackets aside, ends a sentence.",
}


def _table(characters: str) -> npt.NDArray[np.bool_]:
    table = np.zeros(0x10000, dtype=np.bool_)
    table[[ord(character) for character in characters]] = True
    return table


_ENDERS = _table(".!?。！？…؟।")
_CLOSERS = _table("\"'»“”‘’)]}）」』")


def characters(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return shares of the character classes and the number of characters, shape (b,) each."""
    b = len(blocks)
    counts = np.bincount(blocks.block_of * 5 + blocks.char_class, minlength=5 * b).reshape(b, 5)
    share = counts / np.maximum(blocks.chars, 1)[:, None]
    columns: Columns = {f"char.{name}-rel": share[:, kind] for name, kind in _CHARS.items()}
    columns["char.other-rel"] = share[:, CharClass.OTHER]
    columns["char.count"] = blocks.chars
    return columns


def tokens(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return counts and shares of the classes of tokens, shape (b,) each."""
    counts = token_counts(blocks)
    share = counts / np.maximum(counts.sum(axis=1), 1)[:, None]
    columns: Columns = {f"token.{name}-abs": counts[:, kind] for kind, name in enumerate(_TOKENS)}
    columns |= {f"token.{name}-rel": share[:, kind] for kind, name in enumerate(_TOKENS)}
    words = counts[:, 1]
    columns["word-ratio"] = words / max(int(words.sum()), 1)
    return columns


def token_counts(blocks: Blocks) -> npt.NDArray[np.int64]:
    """Return how many tokens of each block are other, words, numbers, mixed: shape (b, 4)."""
    b, starts = len(blocks), np.flatnonzero(blocks.token_start)
    if not len(starts):
        return np.zeros((b, 4), dtype=np.int64)
    holds = np.array([0, 1, 2, 0, 0], dtype=np.uint8).take(blocks.char_class)
    kind = np.bitwise_or.reduceat(holds, starts)  # 1 letters, 2 digits, 3 both: the white space after holds none
    return np.bincount(blocks.block_of.take(starts) * 4 + kind, minlength=4 * b).reshape(b, 4)


def sentences(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return the number and length of sentences and whether one begins or ends, shape (b,) each."""
    count = blocks.sums(sentence_ends(blocks))
    return {
        "sentence.count": count,
        "document.sentence-count": np.full(len(blocks), int(count.sum())),
        "sentence.avg-length": blocks.words / np.maximum(count, 1),
        "sentence-begin": _begins(blocks),
    }


def endings(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return `sentence-end` alone, shape (b,), which takes no time."""
    return {"sentence-end": _ends(blocks)}


def sentence_ends(blocks: Blocks) -> npt.NDArray[np.bool_]:
    """Return which characters, shape (len(text),), end a sentence."""
    points = blocks.points
    ender = _among(points, _ENDERS)
    at = np.flatnonzero(ender)
    after = np.minimum(at + 1, len(points) - 1)
    follows = (blocks.char_class.take(after) == CharClass.WHITE) | _among(points.take(after), _CLOSERS)
    follows |= points.take(at) > 0x2FFF  # no space follows a full-width stop
    ender[at] = follows
    last = blocks.end - 1
    ender[last] = _among(points.take(last), _ENDERS)
    return ender


def _among(points: npt.NDArray[np.uint32], table: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    mask: npt.NDArray[np.bool_] = table.take(points, mode="clip")
    return mask


def _begins(blocks: Blocks) -> npt.NDArray[np.bool_]:
    letters = np.flatnonzero(blocks.char_class == CharClass.ALPHA)
    begins = np.zeros(len(blocks), dtype=np.bool_)
    if not len(letters):
        return begins
    found = np.searchsorted(letters, blocks.start)
    first = letters[np.minimum(found, len(letters) - 1)]
    has = (found < len(letters)) & (first < blocks.end)
    text = blocks.text
    begins[has] = [not text[i].islower() for i in first[has].tolist()]
    return begins


def _ends(blocks: Blocks) -> npt.NDArray[np.bool_]:
    """Return whether the last character that is no closer ends a sentence; three closers at most are passed over."""
    last, points = blocks.end - 1, blocks.points
    for _ in range(3):
        back = _among(points[last], _CLOSERS) & (last > blocks.start)
        last = last - back
    return _among(points[last], _ENDERS)
