"""Counts in several files give what their sum gives, whichever pages are in which file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

import numpy as np
import pytest

from dehusk import Site, parse
from dehusk.counts.counting import PartedCounts, SiteCounts
from dehusk.counts.shared import find_shared
from dehusk.many.corpus.packed_counts import CountsSlice, open_counts, pack_counts
from made_sites import HOST, article, page, site, words

PAGES = [
    *site(9),
    page([*article(3), words(900, 6)]),  # nearly a copy
    site(2)[1].replace("<p>", "<div><p>"),  # the same words as page 1, in other elements
]


class Unkept(Mapping[str, np.ndarray]):
    """Arrays that count how often each was asked for."""

    def __init__(self, arrays: Mapping[str, np.ndarray]) -> None:
        self.arrays, self.asked = arrays, dict.fromkeys(arrays, 0)

    def __getitem__(self, name: str) -> np.ndarray:
        self.asked[name] += 1
        return self.arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.arrays)

    def __len__(self) -> int:
        return len(self.arrays)


def counts_of(pages: list[str]) -> SiteCounts:
    counted = Site()
    for number, text in enumerate(pages):
        counted.add(parse(text, f"https://{HOST}/{number}"))
    return counted.counts()


def shared_bytes(parts: list[Mapping[str, np.ndarray]]) -> dict[str, bytes]:
    parted = PartedCounts(parts)
    shared = find_shared(parted.total, parted.keys_on_pages)
    return {name: array.tobytes() for name, array in shared.as_counts().arrays().items()} | {
        "seen": shared.seen,
        "distinct": shared.distinct,
    }


@pytest.mark.parametrize("seed", range(8))
def test_any_split_gives_what_the_sum_gives(seed: int) -> None:
    chance = Random(seed)  # noqa: S311 (nothing secret)
    pages = PAGES if seed % 2 else PAGES[:-1]  # with and without pages of the same words in two parts
    split: list[list[str]] = [[] for _ in range(chance.randint(1, 4))]
    for text in pages:
        chance.choice(split).append(text)
    parts = [counts_of(own) for own in split if own]
    shared = find_shared(SiteCounts.total(parts))
    expected = {name: array.tobytes() for name, array in shared.as_counts().arrays().items()}
    assert shared.distinct < shared.seen == len(pages)
    found = shared_bytes([part.arrays() for part in parts])
    assert found == expected | {"seen": shared.seen, "distinct": shared.distinct}
    assert len(shared.shingles) > 20


def test_the_largest_arrays_are_read_once_and_counts_of_rows_never() -> None:
    parts = [Unkept(counts_of(PAGES[:4]).arrays()), Unkept(counts_of(PAGES[4:-1]).arrays())]
    assert shared_bytes(parts)["seen"] == len(PAGES) - 1
    for part in parts:
        assert [part.asked[f"{name}_keys"] for name in ("shingles", "prose", "slots")] == [1, 1, 1]
        assert [part.asked[f"{name}_counts"] for name in ("shingles", "prose", "slots")] == [0, 0, 0]


def test_packed_counts_are_read_from_bytes_and_from_a_part_of_a_file(tmp_path) -> None:
    counts = counts_of(PAGES)
    packed = pack_counts(counts.arrays())
    (tmp_path / "counts").write_bytes(b"before" + packed + b"behind")
    for part in (packed, CountsSlice(str(tmp_path / "counts"), 6, len(packed))):
        with open_counts(part) as arrays:
            found = {name: arrays[name] for name in arrays}
        assert {name: array.tobytes() for name, array in found.items()} == {
            name: array.tobytes() for name, array in counts.arrays().items()
        }


@pytest.mark.parametrize("name", ["shingles_pages", "prose_keys", "pages_counts"])
def test_inconsistent_counts_are_refused(name: str) -> None:
    arrays = counts_of(PAGES).arrays()
    with pytest.raises(ValueError, match=r"type or shape|count below 1|not the arrays|broadcast"):
        shared_bytes([arrays | {name: arrays[name][:-1]}, counts_of(PAGES[:2]).arrays()])
