"""Characters and words: their classes, searches through texts, addresses and data."""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from dehusk.read.addresses import Addresses
from dehusk.read.islands.literals import Strings, Value
from dehusk.read.nodes import NodeColumns

def text_of(code_points: npt.NDArray[np.uint32]) -> str:
    """Return the text that code points, shape (m,), stand for."""

def lower(code_points: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """Return each code point in lower case, shape unchanged.

    Every character maps to a single one: İ, for which `str.lower` returns two, becomes i. Final ς becomes σ, the lower
    case of Σ, so that a Greek word equals the same word in capitals.
    """

def classify(code_points: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint8]:
    """Return the `CharClass` of each code point, shape unchanged.

    Letters and combining marks are ALPHA, numbers DIGIT, punctuation PUNCT, white space and control characters WHITE.
    Characters of the classes below WHITE have ink.
    """

def have_ink(text: str, starts: npt.NDArray[np.int32], ends: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """Return whether each part of a text has a character with ink; the parts start and end at offsets, shape (k,).

    Raises:
        ValueError: offsets that are not in the text.
    """

def text_key(text: str) -> int:
    """Return the key of one string, as computed by `span_keys`."""

def decoded_again(text: str) -> str | None:
    """Return the text of valid UTF-8 whose bytes a text has as characters; None for others, and for ASCII."""

def strict_utf8(data: bytes) -> tuple[str, int] | None:
    """Return the text of valid UTF-8 and how often it has U+FFFD; None if the bytes are not valid."""

def signs_in(source: str) -> tuple[tuple[str, ...], bool, tuple[str, ...], bool, bool, tuple[int, ...], bool, bool]: ...
def places_of(source: str, text: bytes) -> list[int]:
    """Return where a text is in a source: faster than `str.find` where its first and last characters are far apart.

    Raises:
        ValueError: the text is empty, or not of ASCII.
    """

class WordTable:
    """The words of some phrases, all of which are looked for in one pass over a text."""

    def __init__(self, words: Iterable[Sequence[str]]) -> None:
        """Take the words of each phrase.

        Raises:
            ValueError: a word of less than two characters, or so many words that there is no room for them.
        """

    def found_in(self, texts: Sequence[str], in_lower_case: bool = False) -> dict[int, list[int]]:
        """Return phrase -> the texts that have one of its words, ascending; only the phrases that have such a text.

        Args:
            texts: the texts.
            in_lower_case: look for the words in the texts in lower case, rather than as they are.
        """

def strings_of(source: str, island: int, is_json: bool, tokens: int, objects: int, families: int) -> Strings:
    """Return the strings of an island.

    Args:
        source: its data.
        island: its number.
        is_json: whether it is JSON rather than a script.
        tokens: number of tokens in islands before.
        objects: number of objects in islands before.
        families: number of families in islands before.
    """

def is_shown(values: list[Value], shown: list[str]) -> bool:
    """Return whether strings of the data that the page shows make up much of its running text.

    A string counts as shown if half of it is, and if its object holds no much longer text that is not: the first lines
    of an article, or its description, stand for it on a page that keeps the text in its data.
    """

def chars_of_texts(columns: NodeColumns, shortest: int, enough: int) -> int:
    """Return the number of characters in texts without white space around them; counting stops when there are `enough`.

    Args:
        columns: those of a page.
        shortest: characters, with white space, of a text that counts.
        enough: how many to count.
    """

def resolve_all(addresses: Addresses, given: Sequence[str | None]) -> list[str | None]:
    """Return several addresses as `Addresses.resolve` does each; None for those that are missing."""
