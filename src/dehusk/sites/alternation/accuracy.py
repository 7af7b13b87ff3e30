"""Accuracy, recall and precision of range strings, given correct strings defined by delimiters (section 4.1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from dehusk.sites.alternation.ranges import span_mask


@dataclass(frozen=True, slots=True)
class RangeAgreement:
    """How far a range string r agrees with a correct string c; agreements of several documents add up.

    The figures of several sites are those of all their characters, as in table 1. A share of an empty whole is 1.
    """

    both: int = 0
    """[c & r]_1, the number of characters that are useful in both."""
    correct: int = 0
    """[c]_1, the number of correct characters."""
    kept: int = 0
    """[r]_1, the number of characters that the range string keeps."""
    size: int = 0
    """|r|, the number of characters."""

    def __add__(self, other: Self) -> Self:
        return type(self)(
            self.both + other.both, self.correct + other.correct, self.kept + other.kept, self.size + other.size
        )

    @property
    def accuracy(self) -> float:
        """[c ^ r]_0 / |r|, the share of characters on which both agree."""
        return 1 - (self.correct + self.kept - 2 * self.both) / self.size if self.size else 1.0

    @property
    def recall(self) -> float:
        """[c & r]_1 / [c]_1."""
        return self.both / self.correct if self.correct else 1.0

    @property
    def precision(self) -> float:
        """[c & r]_1 / [r]_1."""
        return self.both / self.kept if self.kept else 1.0


def agreement(correct: npt.NDArray[np.integer], ranges: npt.NDArray[np.integer]) -> RangeAgreement:
    """Count how far a correct string and a range string agree.

    Args:
        correct: the correct string c, binary.
        ranges: the range string r, binary and of the same length.

    Raises:
        ValueError: the lengths differ.
    """
    if len(correct) != len(ranges):
        raise ValueError(f"the correct string has {len(correct)} characters, the range string {len(ranges)}")
    c, r = correct != 0, ranges != 0
    return RangeAgreement(int((c & r).sum()), int(c.sum()), int(r.sum()), len(r))


def correct_string(document: str, delimiters: Sequence[tuple[str, str]]) -> npt.NDArray[np.uint8]:
    """Return the correct string of a document, shape (len(document),): 1 between the delimiters of any pair, else 0.

    The paper's "u = 11…1 if lur is a substring" is ambiguous if delimiters recur. Here u starts after an l and ends
    before the next r, the following u starts after the next l behind that r, and an l without an r starts nothing.

    Args:
        document: the document as the method sees it; in the paper, after folding.
        delimiters: pairs (l, r) of non-empty strings.

    Raises:
        ValueError: a delimiter is empty.
    """
    correct = np.zeros(len(document), dtype=np.uint8)
    for left, right in delimiters:
        if not left or not right:
            raise ValueError("delimiters must not be empty")
        spans, end = [], 0
        while (start := document.find(left, end)) >= 0 and (end := document.find(right, start + len(left))) >= 0:
            spans.append((start + len(left), end))
        correct |= span_mask(np.array(spans, dtype=np.int64).reshape(-1, 2), len(document))
    return correct
