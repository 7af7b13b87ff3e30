"""The typed face of `wording.pyx`."""

from dehusk.visibility.wording import Words

def with_words(texts: list[str], words: Words) -> list[tuple[int, int]]:
    """Return (phrase, text) where a text has one of the words of a phrase, ascending."""
