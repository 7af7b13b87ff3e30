"""Section 4.1: range strings against correct strings, which pairs of delimiters define."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from dehusk.methods.alternation.ranges import span_mask


@dataclass(frozen=True, slots=True)
class RangeAgreement:
    """How a range string r agrees with a correct string c; agreements of several documents add up.

    Figures of a set of sites are thus those of all its characters, as in Table 1. A share of nothing is 1.
    """

    both: int = 0
    """[c & r]_1, characters that are rightly not useless."""
    correct: int = 0
    """[c]_1"""
    found: int = 0
    """[r]_1"""
    size: int = 0
    """|r|"""

    def __add__(self, other: Self) -> Self:
        return type(self)(
            self.both + other.both, self.correct + other.correct, self.found + other.found, self.size + other.size
        )

    @property
    def accuracy(self) -> float:
        """[c ^ r]_0 / |r|, the share of characters where both agree."""
        return 1 - (self.correct + self.found - 2 * self.both) / self.size if self.size else 1.0

    @property
    def recall(self) -> float:
        """[c & r]_1 / [c]_1."""
        return self.both / self.correct if self.correct else 1.0

    @property
    def precision(self) -> float:
        """[c & r]_1 / [r]_1."""
        return self.both / self.found if self.found else 1.0


def agreement(correct: npt.NDArray[np.integer], found: npt.NDArray[np.integer]) -> RangeAgreement:
    """Count how two binary strings of the same length agree.

    Raises:
        ValueError: they differ in length.
    """
    if len(correct) != len(found):
        raise ValueError(f"a correct string of {len(correct)} characters for a range string of {len(found)}")
    c, r = correct != 0, found != 0
    return RangeAgreement(int((c & r).sum()), int(c.sum()), int(r.sum()), len(r))


def correct_string(document: str, delimiters: Sequence[tuple[str, str]]) -> npt.NDArray[np.uint8]:
    """Return the correct string of a document, shape (len(document),): 1 between the delimiters of any pair, else 0.

    The paper's "u = 11…1 if lur is a substring" fits several u where delimiters recur; read here from left to right: u
    begins behind the first l that is not yet passed and ends before the next r. An l without an r opens nothing.

    Args:
        document: as the method sees it (the paper: after folding).
        delimiters: pairs (l, r), neither of them empty.

    Raises:
        ValueError: an empty delimiter.
    """
    correct = np.zeros(len(document), dtype=np.uint8)
    for left, right in delimiters:
        if not left or not right:
            raise ValueError("a delimiter is empty")
        spans, end = [], 0
        while (start := document.find(left, end)) >= 0 and (end := document.find(right, start + len(left))) >= 0:
            spans.append((start + len(left), end))
        correct |= span_mask(np.array(spans, dtype=np.int64).reshape(-1, 2), len(document))
    return correct
