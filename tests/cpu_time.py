"""Measures of time that hold on any machine: CPU time of this process, without the garbage collector.

The collector's full collections cost as much as all objects of the tests before, and wall time as much as other
programs take. So what a test says of time is a budget of at least ten times the usual, or a ratio of two sizes.
"""

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import repeat
from typing import TypeVar

_T = TypeVar("_T")
_FLOOR = 0.02
"""Seconds; what takes less is too short to be compared."""


@contextmanager
def _no_collector() -> Iterator[None]:
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def cpu_seconds(work: Callable[[], object]) -> float:
    """Return the CPU time that a call takes."""
    with _no_collector():
        start = time.process_time()
        work()
        return time.process_time() - start


def assert_quick(work: Callable[[], _T], seconds: float) -> _T:
    """Return what `work` returns; it must take less CPU time than `seconds`, at least ten times what is usual."""
    results: list[_T] = []
    taken = cpu_seconds(lambda: results.append(work()))
    assert taken < seconds, f"took {taken:.2f} s of CPU time, not less than {seconds:g} s"
    return results[0]


def assert_linear(
    prepare: Callable[[int], Callable[[], object]], small: int, *, factor: int = 8, attempts: int = 4
) -> None:
    """Assert that work on `factor` times the items takes less than `factor` ** 1.5 times as long.

    Between linear (8 times as long for 8 times the items) and quadratic (64), the bound (22.6) is far from both.
    A failure is measured again; the work of each measure is prepared anew, and what prepares it is not measured.

    Args:
        prepare: From the number of items, returns the work; the work of another call must not be cheaper for it.
        small: Number of items of the smaller size; quadratic work on `factor` times as many must take over half a
            second, as 20 ms are the least that is compared.
        factor: The larger size, in smaller ones.
        attempts: Measures before the test fails.
    """
    measures = []
    for _ in range(attempts):
        short = max(min(cpu_seconds(prepare(small)) for _ in repeat(None, 2)), _FLOOR)
        long = cpu_seconds(prepare(small * factor))
        if long < factor**1.5 * short:
            return
        measures.append(f"{long:.3f} s instead of {short:.3f} s")
    raise AssertionError(f"{factor} times the items take more than {factor**1.5:.1f} times: {', '.join(measures)}")
