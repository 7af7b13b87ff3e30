"""What became of the pages: failures in a column of their own.

A tool that fails on a page scores 0 there, which looks the same as a tool that keeps the wrong text. So failures are
counted beside every figure, never left out of it: the mean over pages still has them as empty predictions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dehusk.errors import Status
from dehusk.measures.metrics import Counts
from dehusk.measures.tokens import WORD

FAILED: Final = frozenset({Status.NOT_HTML, Status.UNDECODABLE, Status.LIMIT, Status.ERROR})
"""Outcomes that are failures: the page was not read as it is. A truncated page is counted apart."""


@dataclass(frozen=True, slots=True)
class Outcomes(Counts):
    """Pages by what became of them; see `outcome`.

    Attributes:
        pages: all pages.
        failed: pages with a status of `FAILED`; for another tool, pages where it raised or was stopped.
        truncated: pages cut short by a size limit.
        lost: pages that did not fail and have gold text, of which no word was kept.
        invented: pages without gold text of which words were kept.
    """

    pages: int = 0
    failed: int = 0
    truncated: int = 0
    lost: int = 0
    invented: int = 0

    @property
    def failure_rate(self) -> float:
        """``failed / pages``; 0 if there are none."""
        return self.failed / self.pages if self.pages else 0.0


def outcome(status: Status, predicted: str, gold: str) -> Outcomes:
    """Count one page.

    Args:
        status: how the page ended; `Status.ERROR` for a tool that raised.
        predicted: the text that was kept, "" if there is none.
        gold: the text that should have been kept.
    """
    failed = status in FAILED
    found, wanted = (WORD.search(text) is not None for text in (predicted, gold))
    return Outcomes(
        pages=1,
        failed=int(failed),
        truncated=int(status == Status.TRUNCATED),
        lost=int(wanted and not found and not failed),
        invented=int(found and not wanted),
    )
