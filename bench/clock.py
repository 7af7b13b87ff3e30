"""What a method costs when it is called again: CPU time, and pages as if they had just been cut."""

import time
from collections.abc import Callable, Iterable
from dataclasses import replace

from dehusk.blocks import Blocks

ROUNDS = 3


def cpu(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Return the least CPU seconds of some rounds."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def fresh(pages: Iterable[Blocks]) -> list[Blocks]:
    """Return blocks without what was remembered of them."""
    return [replace(one, memory={}) for one in pages]
