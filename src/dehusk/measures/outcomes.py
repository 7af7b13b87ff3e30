"""Count pages by outcome, so that failures appear in their own column.

A tool that fails on a page scores 0 there, just like a tool that keeps the wrong text. Therefore failures are also
counted separately. They stay in the figures, too: the mean over pages includes them as empty predictions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dehusk.base.errors import Status
from dehusk.measures.metrics import Counts
from dehusk.measures.tokens import WORD

FAILED: Final = frozenset({Status.NOT_HTML, Status.UNDECODABLE, Status.LIMIT, Status.ERROR})
"""Statuses of failures: the page could not be read completely. Truncated pages are counted separately."""


@dataclass(frozen=True, slots=True)
class Outcomes(Counts):
    """Numbers of pages by outcome; see `outcome`.

    Attributes:
        pages: all pages.
        failed: pages with a status of `FAILED`; for other tools, pages on which they raised an error or were stopped.
        truncated: pages cut short by a size limit.
        lost: pages, except failures, with gold text of which no word was kept.
        invented: pages without gold text of which words were kept.
    """

    pages: int = 0
    failed: int = 0
    truncated: int = 0
    lost: int = 0
    invented: int = 0


def outcome(status: Status, predicted: str, gold: str) -> Outcomes:
    """Return the counts of one page.

    Args:
        status: the status of the page; `Status.ERROR` if the tool raised an error.
        predicted: the text that was kept, "" if there is none.
        gold: the text that should have been kept.
    """
    failed = status in FAILED
    has_words, needs_words = (WORD.search(text) is not None for text in (predicted, gold))
    return Outcomes(
        pages=1,
        failed=int(failed),
        truncated=int(status == Status.TRUNCATED),
        lost=int(needs_words and not has_words and not failed),
        invented=int(has_words and not needs_words),
    )
