"""The language of a text by py3langid, loaded on first use; docs/decisions/0002-metadata.md explains the choice."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from dehusk.about.metadata.facts import DetectedLanguage

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

_PIECES, _PIECE = 6, 200
"""Of a long text, so many pieces of so many characters are read, spread over the text."""
_LEAST_BYTES = 40
"""Shorter texts have no language: bytes of UTF-8 of their letters, so that 14 Chinese characters suffice."""
_LEAST = 0.5
"""Lowest probability of a language."""
_NO_LANGUAGE = "zxx"
"""What the identifier names lists of numbers and names."""
_LEAST_OF = {"pcm": 0.9}
"""Lowest probability of languages that short English lists are taken for: Nigerian Pidgin had .58 and .61 on two of 560
pages, both English registers, and no other page had it."""

_SPOKEN, _SEVERAL = frozenset("嘅咗唔佢哋啲冇喺嚟嘢咁睇"), 2
"""Characters of written Cantonese, and how many make a text Cantonese; else it is written Chinese."""


def detect_language(text: str) -> DetectedLanguage | None:
    """Return the language of a text; None if the text is too short, or no language is probable."""
    sample = _sample(text)
    letters = "".join(filter(str.isalpha, sample))
    if len(letters.encode("utf-8", "replace")) < _LEAST_BYTES:
        return None
    code, probability = _identifier().classify(sample)
    if code in ("yue", "zh") and len(_SPOKEN.intersection(sample)) < _SEVERAL:
        ranks = dict(_identifier().rank(sample))
        code, probability = "zh", ranks["yue"] + ranks["zh"]
    if code == _NO_LANGUAGE or probability < _LEAST_OF.get(str(code), _LEAST):
        return None
    return DetectedLanguage(str(code), round(float(probability), 4))


def _sample(text: str) -> str:
    """Return at most `_PIECES` pieces of a text, white space folded."""
    if len(text) > 20 * _PIECES * _PIECE:  # fold only what is needed of a long text
        step = len(text) // _PIECES
        text = " ".join(text[start : start + 4 * _PIECE] for start in range(0, step * _PIECES, step))
    folded = " ".join(text.split())
    if len(folded) <= _PIECES * _PIECE:
        return folded
    step = len(folded) // _PIECES
    return " ".join(folded[start : start + _PIECE] for start in range(0, step * _PIECES, step))


@cache
def _identifier() -> LanguageIdentifier:
    """Return the identifier; loading it takes most of a second."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # noqa: PLC0415 (slow to import)

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
