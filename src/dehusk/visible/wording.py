"""Texts that read as instructions to a machine; the phrases are in wording.toml."""

import re
from collections.abc import Sequence
from functools import cache

from dehusk.compiled.text import WordTable

_MAX_TEXT = 5000  # characters of a text that are read


def instructing(texts: Sequence[str]) -> list[bool]:
    """Return whether each text reads as instructions to a machine, such as "ignore all previous instructions"."""
    folded = [" ".join(text[:_MAX_TEXT].lower().split()) for text in texts]
    found = [False] * len(texts)
    words, patterns = _phrases()
    for phrase, numbers in words.found_in(folded).items():
        for number in numbers:
            found[number] = found[number] or patterns[phrase].search(folded[number]) is not None
    return found


@cache
def _phrases() -> tuple[WordTable, tuple[re.Pattern[str], ...]]:
    import tomllib  # noqa: PLC0415 (few pages conceal text, and these imports take 5 ms)
    from importlib.resources import files  # noqa: PLC0415

    document = tomllib.loads(files("dehusk.visible").joinpath("wording.toml").read_text("utf-8"))
    phrases = [phrase for language in document.values() for phrase in language]
    return WordTable(each["words"] for each in phrases), tuple(re.compile(each["pattern"]) for each in phrases)
