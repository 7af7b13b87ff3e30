"""Counts of the terms of a site that add up: any order and any split of the pages gives the same bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from dehusk.base.errors import ModelError
from dehusk.base.hashing import Keys
from dehusk.base.store import load_model, reading, save_model
from dehusk.blocks import Blocks
from dehusk.counts.entropy import TermCounter, TermCounts
from dehusk.counts.table import Table
from dehusk.counts.terms import page_terms
from dehusk.read.page import Page
from dehusk.sites.wisdom.link_estimates import anchored_terms
from dehusk.sites.wisdom.link_targets import linked_terms
from dehusk.sites.wisdom.presets import RECOMMENDED, Settings
from dehusk.sites.wisdom.term_selection import terms_of


@dataclass(frozen=True, eq=False)
class WisdomCounts:
    """The terms of the pages of a site, as integers, so that adding counts loses nothing."""

    name: ClassVar[str] = "wisdom"

    words: str
    """Which words are terms, as `Settings.words`; counts of different terms cannot be added."""
    terms: TermCounts
    """How often each page has each term."""
    linked: Table
    """(address, term) -> number of pages that have the address and contain the term; see `link_targets`."""
    anchored: Table
    """(place, target, term) -> number of links with the term, at the place, to the target; see `link_estimates`."""

    @property
    def pages(self) -> int:
        """Number of pages counted."""
        return self.terms.pages

    @classmethod
    def of(cls, pages: Iterable[Page | Blocks]) -> WisdomCounts:
        """Return the counts of the recommended settings; a preset of the paper has `count_terms`."""
        return count_terms(pages, RECOMMENDED)

    def __add__(self, other: WisdomCounts) -> WisdomCounts:
        return WisdomCounts.total([self, other])

    @classmethod
    def total(cls, parts: Sequence[WisdomCounts]) -> WisdomCounts:
        """Return the sum of one or more counts.

        Raises:
            ValueError: there are no counts, or they are of different terms.
        """
        words = sorted({part.words for part in parts})
        if len(words) != 1:
            raise ValueError(f"cannot add counts of {len(words)} definitions of terms: {'; '.join(words)}")
        return cls(
            words=words[0],
            terms=TermCounts.total([part.terms for part in parts]),
            linked=Table.total([part.linked for part in parts]),
            anchored=Table.total([part.anchored for part in parts]),
        )

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the counts as named arrays, for `numpy.savez` or any other file; equal counts give equal bytes."""
        words = np.frombuffer(self.words.encode(), dtype=np.uint8)
        return {
            "words": words,
            **self.terms.arrays(),
            "linked_keys": self.linked.keys,
            "linked_counts": self.linked.counts,
            "anchored_keys": self.anchored.keys,
            "anchored_counts": self.anchored.counts,
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> WisdomCounts:
        """Return the counts that `arrays` returned as arrays.

        Raises:
            ValueError: arrays are missing or do not fit together.
        """
        try:
            words = arrays["words"].tobytes().decode()
            linked = Table.stored(arrays["linked_keys"], arrays["linked_counts"], 2)
            anchored = Table.stored(arrays["anchored_keys"], arrays["anchored_counts"], 3)
        except (KeyError, ValueError) as error:
            raise ValueError(f"not the arrays of WISDOM counts: {error!r}") from error
        return cls(words, TermCounts.from_arrays(arrays), linked, anchored)


def count_terms(pages: Iterable[Page | Blocks], settings: Settings) -> WisdomCounts:
    """Count the terms of the pages of a site; each page is read once and not kept in memory."""
    counter, none = TermCounter(), np.zeros(0, dtype=np.uint64)
    linked, anchored = [(none,) * 2], [(none,) * 3]
    for page in pages:
        words = terms_of(page_terms(page), settings)
        counter.add(words.key)
        linked.append(linked_terms(words))
        anchored.append(anchored_terms(words))
        words.blocks.page.release()
    # Sorted once at the end: unlike terms, hardly any pairs repeat, so intermediate sums would save nothing.
    return WisdomCounts(settings.words, counter.counts(), _table(linked), _table(anchored))


def _table(rows: Sequence[tuple[Keys, ...]]) -> Table:
    return Table.of(*(np.concatenate(column) for column in zip(*rows, strict=True)))


# ---------------------------------------------------------------- model folders
# They have the settings, and the counts of the site's terms and link targets; nothing is pickled.

CARD = "wisdom"
"""What the card of a WISDOM model names as its method."""

VERSION = 2
"""Version of what is counted; a model of another version is refused."""


def save_counts(folder: str | Path, settings: Settings, counts: WisdomCounts) -> None:
    """Write a model folder; equal settings and counts give equal bytes.

    Raises:
        ModelError: the folder cannot be written.
    """
    arrays = counts.arrays()
    card = {
        "method": CARD,
        "version": VERSION,
        "pages": counts.pages,
        "settings": settings.values(),
        "hash": _hash(arrays),
    }
    save_model(folder, card, arrays)


def load_counts(folder: str | Path) -> tuple[Settings, WisdomCounts]:
    """Read a model folder.

    Raises:
        ModelError: the folder is missing, damaged, of another version or of another method.
    """
    card, arrays = load_model(folder, CARD)
    if card.get("version") != VERSION:
        raise ModelError(f"model {folder} is of another version of dehusk: learn the site again")
    with reading(folder):
        if card["hash"] != _hash(arrays):
            raise ValueError("the card and the arrays disagree")
        settings, counts = Settings.of_values(card["settings"]), WisdomCounts.from_arrays(arrays)
        if settings.words != counts.words:
            raise ValueError("the settings and the counts have different terms")
        if not counts.pages:
            raise ValueError("no pages")
    return settings, counts


def _hash(arrays: Mapping[str, npt.NDArray[Any]]) -> str:
    """Return a hash of named arrays: of their types, shapes and values."""
    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()
