"""`char.*`, `token.*`, `word-ratio` and `sentence*`: what the text of a block looks like (thesis, section 4.2).

All counts are computed over the characters of the whole page at once.
"""

import numpy as np

from dehusk.base.characters import CharClass
from dehusk.blocks import Blocks
from dehusk.compiled import features
from dehusk.compiled.features import character_features, sentence_end_features, token_features
from dehusk.label.features.family import Columns, Family, FeatureSettings
from dehusk.label.features.sentences import sentence_counts

_CHARS = {"alpha": CharClass.ALPHA, "num": CharClass.DIGIT, "punct": CharClass.PUNCT, "white": CharClass.WHITE}
_TOKENS = ("other", "alpha", "num", "mix")


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
)
