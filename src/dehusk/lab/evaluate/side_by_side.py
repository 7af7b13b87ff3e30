"""What dehusk and other tools keep of one page, block by block.

A tool's text is aligned with the blocks of the page as gold texts are (`dehusk.lab.gold.alignment`): the tool keeps a
block if at least half of its words are matched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dehusk.base.version import __version__
from dehusk.blocks.labels import OTHER
from dehusk.document import Document
from dehusk.lab.evaluate.benchmark import BenchmarkPlan, run_benchmark
from dehusk.lab.gold.alignment import label_blocks
from dehusk.lab.gold.datasets import Sample
from dehusk.measures.metrics import word_bag
from dehusk.measures.tokens import words


@dataclass(frozen=True)
class KeptBlocks:
    """What one tool keeps of a page."""

    title: str
    """Name and version."""
    text: str
    kept: npt.NDArray[np.bool_]
    """(b,) whether it keeps each block."""
    elsewhere: int = 0
    """Words of the text that are in none of the blocks."""
    problem: str = ""
    """Why the tool failed; "" if it did not."""


@dataclass(frozen=True)
class SideBySide:
    """What dehusk and other tools keep of a page."""

    name: str
    texts: Sequence[str]
    """The text of each block that has words, as long as what each tool keeps."""
    own: KeptBlocks
    others: tuple[KeptBlocks, ...]

    def share(self, other: KeptBlocks) -> dict[str, Any]:
        """Return how much both keep, only dehusk, and only the other tool, in blocks and words; and word F1."""
        own, theirs = self.own.kept, other.kept
        sizes = np.array([len(words(text)) for text in self.texts], dtype=np.int64)
        parts = {"both": own & theirs, "only_dehusk": own & ~theirs, "only_tool": ~own & theirs}
        return {
            "f1": round(word_bag(self.own.text, other.text).f1, 4),
            **{name: {"blocks": int(part.sum()), "words": int(sizes[part].sum())} for name, part in parts.items()},
            "elsewhere": other.elsewhere,
        }

    def record(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        everyone = (self.own, *self.others)
        return {
            "page": self.name,
            "dehusk": {"tool": self.own.title, "words": len(words(self.own.text))},
            "tools": [
                {"tool": other.title, "words": len(words(other.text)), "problem": other.problem, **self.share(other)}
                for other in self.others
            ],
            "blocks": [
                {"text": text, "kept_by": [each.title for each in everyone if each.kept[number]]}
                for number, text in enumerate(self.texts)
            ],
        }


def compare_page(
    name: str, data: bytes, document: Document, tools: Sequence[str], *, url: str | None = None, seconds: float
) -> SideBySide:
    """Run tools on a page, and compare what they keep with a document of it.

    Args:
        name: name of the page.
        data: its bytes; all tools get them decoded by dehusk, as in a benchmark.
        document: what dehusk makes of it.
        tools: names of tools (`dehusk.lab.evaluate.tools`).
        url: the page's address.
        seconds: wall time that each tool may take.
    """
    sample = Sample(set="", id=name, data=data, url=url, site=None, type=None, gold=None)
    blocks = document.labels.blocks
    has_words = np.array([bool(words(text)) for text in blocks.texts], dtype=np.bool_)
    others = []
    for prediction in run_benchmark(BenchmarkPlan(tuple(tools), (sample,), seconds)):
        labels, agreement = label_blocks(blocks, [("paragraph", prediction.text)])
        kept = labels != OTHER
        elsewhere = agreement.gold_words - agreement.matched
        others.append(KeptBlocks(prediction.tool, prediction.text, kept[has_words], elsewhere, prediction.error))
    own = KeptBlocks(f"dehusk {__version__}", document.text, document.labels.kept[has_words])
    texts = [text for text, has in zip(blocks.texts, has_words.tolist(), strict=True) if has]
    return SideBySide(name, texts, own, tuple(others))
