"""Texts that read as instructions to a machine; the phrases are in wording.toml."""

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

_MAX_TEXT = 5000  # characters of a text that are read


class _Language(NamedTuple):
    words: tuple[str, ...]
    phrases: re.Pattern[str]


def instructing(texts: Sequence[str]) -> list[bool]:
    """Return whether each text reads as instructions to a machine, such as "ignore all previous instructions"."""
    folded = [" ".join(text[:_MAX_TEXT].lower().split()) for text in texts]
    together = "\n".join(folded)
    found = [False] * len(texts)
    for language in _languages():
        words = list(filter(together.__contains__, language.words))
        for number, text in enumerate(folded) if words else ():
            if any(map(text.__contains__, words)) and language.phrases.search(text):
                found[number] = True
    return found


@cache
def _languages() -> tuple[_Language, ...]:
    import tomllib  # noqa: PLC0415 (few pages conceal text, and this takes long)
    from importlib.resources import files  # noqa: PLC0415

    document = tomllib.loads(files("dehusk.visibility").joinpath("wording.toml").read_text("utf-8"))
    return tuple(
        _Language(tuple(entry["words"]), re.compile("|".join(f"(?:{pattern})" for pattern in entry["patterns"])))
        for entry in document.values()
    )
