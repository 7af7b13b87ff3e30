"""The sum of counts that lie in several files, of which one table at a time is in memory.

The counts of a site's sampled pages add up to a hundred megabytes if the pages are long. What they share takes little.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.counts.counting import ByPage, SiteCounts, page_numbers
from dehusk.counts.table import KeysOnPages, order_of


class PartedCounts:
    """The sum of counts, as `dehusk.counts.shared.find_shared` reads it.

    Attributes:
        total: the sum of the counts without the tables that have keys of pages, which are empty.

    Args:
        parts: the arrays of each part, as `SiteCounts.arrays` returned them; at least one part. An array is asked for
            when it is needed, and not kept.

    Raises:
        ValueError: arrays are missing or inconsistent; so do the methods.
    """

    def __init__(self, parts: Sequence[Mapping[str, npt.NDArray[Any]]]) -> None:
        self._parts = parts
        self.total = SiteCounts.total([SiteCounts.from_arrays(part, by_page=False) for part in parts])
        self._pages = self.total.pages.keys[:, 0]
        self._index = [self._pages.searchsorted(part["pages_keys"][:, 0]).astype(np.int32) for part in parts]

    def keys_on_pages(self, name: ByPage) -> KeysOnPages:
        """Return the rows of a table of all parts, without their counts."""
        columns = [part[f"{name}_keys"] for part in self._parts]
        page = np.concatenate(
            [
                index.take(page_numbers(part, name, len(column)))
                for index, part, column in zip(self._index, self._parts, columns, strict=True)
            ]
        )
        key = np.concatenate(columns)
        is_split = len(columns) > 1
        del columns
        if is_split:
            order = order_of([key, page])
            key, page = key.take(order), page.take(order)
        if is_split and sum(map(len, self._index)) > len(self._pages):  # a page in several parts: rows may be equal
            differ = np.append(True, (key[1:] != key[:-1]) | (page[1:] != page[:-1]))[: len(key)]
            key, page = key.compress(differ), page.compress(differ)
        return KeysOnPages(key, page)
