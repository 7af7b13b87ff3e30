"""The typed face of `characters.pyx`."""

import numpy as np
import numpy.typing as npt

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

def text_key(text: str) -> int:
    """Return the key of one string, as computed by `span_keys`."""
