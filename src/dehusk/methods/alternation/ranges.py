"""Range strings and alternation counts for any set of substrings, by their definitions (sections 2.1 and 2.2)."""

from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from dehusk.methods.alternation.grams import Spans


def range_string(x: str, substrings: Collection[str]) -> npt.NDArray[np.uint8]:
    """Return r_x(W), shape (len(x),): 0 where an occurrence of a substring covers the letter, else 1.

    Substrings may be of any lengths; each is searched for, so this is for small sets. `FindOptimal.range_string` serves
    the sets of a cut point.

    Raises:
        ValueError: an empty substring.
    """
    change = np.zeros(len(x) + 1, dtype=np.int64)
    for v in substrings:
        if not v:
            raise ValueError("a substring is empty")
        at = x.find(v)
        while at >= 0:
            change[at] += 1
            change[at + len(v)] -= 1
            at = x.find(v, at + 1)
    ranges: npt.NDArray[np.uint8] = (np.cumsum(change[:-1]) == 0).astype(np.uint8)
    return ranges


def alternation_count(ranges: npt.NDArray[np.integer]) -> int:
    """Return the number of boundaries between 0 and 1 on a range string (definition 2)."""
    return int(np.count_nonzero(ranges[1:] != ranges[:-1]))


def span_mask(spans: Spans, size: int) -> npt.NDArray[np.bool_]:
    """Return which of `size` places lie in the spans, which rise and do not overlap."""
    change = np.zeros(size + 1, dtype=np.int8)
    change[spans[:, 0]] = 1
    change[spans[:, 1]] -= 1
    mask: npt.NDArray[np.bool_] = np.cumsum(change[:size], dtype=np.int8) > 0
    return mask
