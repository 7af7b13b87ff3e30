"""What WISDOM learns of a site, as counts that add up: any order and any split gives the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.blocks import Blocks
from dehusk.methods.wisdom.link_targets import linked_terms
from dehusk.methods.wisdom.presets import Settings
from dehusk.methods.wisdom.term_selection import terms_of
from dehusk.page import Page
from dehusk.site.entropy import TermCounter, TermCounts
from dehusk.site.table import Table
from dehusk.site.terms import page_terms


@dataclass(frozen=True, eq=False)
class WisdomCounts:
    """The terms of the pages of one site; whole numbers only, so that nothing is lost when counts are added."""

    words: str
    """Which words are terms, as `Settings.words`: counts of different terms do not add up."""
    terms: TermCounts
    """How often pages have each term."""
    linked: Table
    """(address, term) -> pages that are known by the address and have the term; see `links`."""

    @property
    def pages(self) -> int:
        """Pages that were counted."""
        return self.terms.pages

    def __add__(self, other: WisdomCounts) -> WisdomCounts:
        return WisdomCounts.total([self, other])

    @classmethod
    def total(cls, parts: Sequence[WisdomCounts]) -> WisdomCounts:
        """Return the sum of one or more counts.

        Raises:
            ValueError: none, or they are of different terms.
        """
        words = sorted({part.words for part in parts})
        if len(words) != 1:
            raise ValueError(f"counts to add must be of the same terms, not of {len(words)} kinds: {'; '.join(words)}")
        return cls(
            words=words[0],
            terms=TermCounts.total([part.terms for part in parts]),
            linked=Table.total([part.linked for part in parts]),
        )

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the counts as named arrays, for `numpy.savez` or any other file; equal counts are equal bytes."""
        words = np.frombuffer(self.words.encode(), dtype=np.uint8)
        return {
            "words": words,
            **self.terms.arrays(),
            "linked_keys": self.linked.keys,
            "linked_counts": self.linked.counts,
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> WisdomCounts:
        """Return counts from what `arrays` made.

        Raises:
            ValueError: arrays are missing or do not fit each other.
        """
        try:
            words, linked = arrays["words"].tobytes().decode(), Table(arrays["linked_keys"], arrays["linked_counts"])
        except (KeyError, ValueError) as error:
            raise ValueError(f"not the arrays of WISDOM's counts: {error!r}") from error
        if linked.keys.shape != (len(linked), 2):
            raise ValueError("not the arrays of WISDOM's counts: tables of wrong shape")
        return cls(words, TermCounts.from_arrays(arrays), linked)


def count_terms(pages: Iterable[Page | Blocks], settings: Settings) -> WisdomCounts:
    """Count the terms of the pages of one site; pages are read once and not held."""
    counter, linked = TermCounter(), [(np.zeros(0, dtype=np.uint64),) * 2]
    for one in pages:
        found = terms_of(page_terms(one), settings)
        counter.add(found.key)
        linked.append(linked_terms(found))
        found.blocks.page.release()
    # Sorted once at the end: unlike terms, hardly any two pairs are equal, so that sums on the way would save nothing.
    address, term = (np.concatenate(column) for column in zip(*linked, strict=True))
    return WisdomCounts(settings.words, counter.counts(), Table.of(address, term))
