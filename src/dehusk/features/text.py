"""`char.*`, `token.*`, `word-ratio` and `sentence*`: what the text of a block looks like (thesis, section 4.2).

All counts are computed over the characters of the whole page at once.
"""

import numpy as np
import numpy.typing as npt

from dehusk.backends import kernel
from dehusk.blocks import Blocks
from dehusk.characters import CharClass
from dehusk.features.family import Columns, Family, FeatureSettings
from dehusk.features.sentences import ends_sentence, sentence_counts

_CHARS = {"alpha": CharClass.ALPHA, "num": CharClass.DIGIT, "punct": CharClass.PUNCT, "white": CharClass.WHITE}
_TOKENS = ("other", "alpha", "num", "mix")


@kernel("features_text.character_features")
def character_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return the shares of the character classes and the number of characters, shape (b,) each."""
    b = len(blocks)
    counts = np.bincount(blocks.block_of * 5 + blocks.char_class, minlength=5 * b).reshape(b, 5)
    share = counts / np.maximum(blocks.chars, 1)[:, None]
    columns: Columns = {f"char.{name}-rel": share[:, char_class] for name, char_class in _CHARS.items()}
    columns["char.other-rel"] = share[:, CharClass.OTHER]
    columns["char.count"] = blocks.chars
    return columns


@kernel("features_text.token_features")
def token_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return the counts and shares of the token classes, shape (b,) each."""
    counts = count_tokens(blocks)
    share = counts / np.maximum(counts.sum(axis=1), 1)[:, None]
    columns: Columns = {f"token.{name}-abs": counts[:, column] for column, name in enumerate(_TOKENS)}
    columns |= {f"token.{name}-rel": share[:, column] for column, name in enumerate(_TOKENS)}
    words = counts[:, 1]
    columns["word-ratio"] = words / max(int(words.sum()), 1)
    return columns


def count_tokens(blocks: Blocks) -> npt.NDArray[np.int64]:
    """Return how many tokens of each block are other, words, numbers, mixed: shape (b, 4)."""
    b, starts = len(blocks), blocks.token_start.nonzero()[0]
    if not len(starts):
        return np.zeros((b, 4), dtype=np.int64)
    bits = np.array([0, 1, 2, 0, 0], dtype=np.uint8).take(blocks.char_class)
    token_class = np.bitwise_or.reduceat(bits, starts)  # 1 letters, 2 digits, 3 both; white space adds nothing
    return np.bincount(blocks.block_of.take(starts) * 4 + token_class, minlength=4 * b).reshape(b, 4)


@kernel("features_text.sentence_features")
def sentence_features(blocks: Blocks, settings: FeatureSettings) -> Columns:
    """Return the number and length of sentences and whether the block starts one, shape (b,) each."""
    count = sentence_counts(blocks, settings.language)
    return {
        "sentence.count": count,
        "document.sentence-count": np.full(len(blocks), int(count.sum())),
        "sentence.avg-length": blocks.words / np.maximum(count, 1),
        "sentence-begin": _starts_sentence(blocks),
    }


@kernel("features_text.sentence_end_features")
def sentence_end_features(blocks: Blocks, _settings: FeatureSettings) -> Columns:
    """Return `sentence-end`, shape (b,): a separate family because it costs almost nothing."""
    return {"sentence-end": ends_sentence(blocks)}


def _starts_sentence(blocks: Blocks) -> npt.NDArray[np.bool_]:
    """Return whether the first letter of each block is not in lower case; false for blocks without letters."""
    letters = (blocks.char_class == CharClass.ALPHA).nonzero()[0]
    starts = np.zeros(len(blocks), dtype=np.bool_)
    if not len(letters):
        return starts
    index = letters.searchsorted(blocks.start)
    first = letters[np.minimum(index, len(letters) - 1)]
    has_letter = (index < len(letters)) & (first < blocks.end)
    text = blocks.text
    starts[has_letter] = [not text[i].islower() for i in first[has_letter].tolist()]
    return starts


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
)
