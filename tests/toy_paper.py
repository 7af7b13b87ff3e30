"""A fifth paper in one module, as a package of its own has it: it keeps blocks that begin with a rare word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from dehusk import Blocks, Labels, Page, segment
from dehusk.blocks.labels import OTHER, PARAGRAPH
from dehusk.label.declaration import Declaration, Findings, Request
from dehusk.label.site_models import load_site


def first_words(page: Page) -> list[str]:
    """Return the first word of each block."""
    return [text.split()[0] if text.split() else "" for text in segment(page).texts]


@dataclass(frozen=True)
class FirstWords:
    """On how many pages a block begins with each word."""

    name: ClassVar[str] = "firstwords"
    pages: int
    counts: Counter[str]

    @classmethod
    def of(cls, pages: Iterable[Page]) -> FirstWords:
        """Return the counts of pages."""
        return cls.total([cls(1, Counter(set(first_words(page)))) for page in pages])

    @classmethod
    def total(cls, parts: Sequence[FirstWords]) -> FirstWords:
        """Return the sum of counts."""
        return cls(sum(part.pages for part in parts), sum((part.counts for part in parts), Counter[str]()))

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the counts as arrays."""
        words = sorted(self.counts)
        text = np.frombuffer("\n".join(words).encode(), dtype=np.uint8)
        return {
            "pages": np.array([self.pages]),
            "words": text,
            "counts": np.array([self.counts[word] for word in words]),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> FirstWords:
        """Return the counts that `arrays` returned as arrays."""
        words = arrays["words"].tobytes().decode().split("\n")
        return cls(int(arrays["pages"][0]), Counter(dict(zip(words, arrays["counts"].tolist(), strict=True))))


class RareBeginnings:
    """Keeps blocks that begin with a word with which few pages begin a block."""

    def __init__(self, counts: FirstWords, *, share: float = 0.5) -> None:
        self.counts = counts
        self.share = share

    def segment(self, page: Page) -> Blocks:
        """Split a page into common blocks."""
        return segment(page)

    def label(self, blocks: Blocks, *, explain: bool = False) -> Labels:  # noqa: ARG002 (has no reasons)
        """Keep what begins with a rare word."""
        most = self.share * self.counts.pages
        keep = np.array([self.counts.counts[word] < most for word in first_words(blocks.page)], dtype=np.bool_)
        return Labels(blocks, np.where(keep, PARAGRAPH, OTHER).astype(np.uint8), keep.astype(float), keep)


def _build(request: Request) -> RareBeginnings:
    assert request.site is not None
    return RareBeginnings(load_site(request.site).own_counts(FirstWords), **request.options)


def _rare(counts: FirstWords) -> Callable[[Page], dict[str, Any]]:
    return lambda page: {"rare": sum(counts.counts[word] < 2 for word in first_words(page))}


METHOD = Declaration(
    name="rare-beginnings",
    summary="Keeps blocks whose first word few pages of the site begin a block with.",
    method=RareBeginnings,
    build=_build,
    site="required",
    counts=(FirstWords,),
    findings=Findings(summary="rare beginnings", counts=FirstWords, fit=_rare, nothing={"rare": None}),
)
