"""Range strings and alternation counts of any set of substrings, by their definitions (sections 2.1 and 2.2)."""

from collections.abc import Collection

import numpy as np
import numpy.typing as npt

from dehusk.sites.alternation.grams import Spans


def range_string(x: str, substrings: Collection[str]) -> npt.NDArray[np.uint8]:
    """Return r_x(W), shape (len(x),): 0 for characters that an occurrence of a substring covers, else 1.

    Substrings can have any lengths. Each is searched separately, so the set should be small;
    `FindOptimal.range_string` is for the sets of cut points.

    Raises:
        ValueError: a substring is empty.
    """
    change = np.zeros(len(x) + 1, dtype=np.int64)
    for v in substrings:
        if not v:
            raise ValueError("substrings must not be empty")
        offset = x.find(v)
        while offset >= 0:
            change[offset] += 1
            change[offset + len(v)] -= 1
            offset = x.find(v, offset + 1)
    ranges: npt.NDArray[np.uint8] = (np.cumsum(change[:-1]) == 0).astype(np.uint8)
    return ranges


def alternation_count(ranges: npt.NDArray[np.integer]) -> int:
    """Return the number of boundaries between 0 and 1 in a range string (definition 2)."""
    return int(np.count_nonzero(ranges[1:] != ranges[:-1]))


def span_mask(spans: Spans, size: int) -> npt.NDArray[np.bool_]:
    """Return a mask of shape (size,) of the positions in the spans, which are ascending and do not overlap."""
    change = np.zeros(size + 1, dtype=np.int8)
    change[spans[:, 0]] = 1
    change[spans[:, 1]] -= 1
    mask: npt.NDArray[np.bool_] = np.cumsum(change[:size], dtype=np.int8) > 0
    return mask
