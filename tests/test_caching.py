"""Cached values: computed once per object, typed like their function, stored in the object, and without a lock."""

import gc
import os
import subprocess
import sys
import threading
import weakref
from dataclasses import dataclass, replace

import pytest

from dehusk.base.caching import cached_per_object, cached_property


@dataclass(frozen=True, eq=False)
class Square:
    side: int
    computed: list[str]

    @cached_property
    def area(self) -> int:
        """The area in square metres."""
        self.computed.append("area")
        return self.side**2


@cached_per_object
def scaled(square: Square, factor: object) -> tuple[int, object]:
    """Return the area and the factor."""
    square.computed.append(f"scaled by {factor}")
    return square.area, factor


def test_a_property_is_computed_at_its_first_use_only() -> None:
    square = Square(3, [])
    assert square.computed == []
    assert (square.area, square.area, square.computed) == (9, 9, ["area"])


def test_the_class_shows_the_property_and_its_documentation() -> None:
    assert isinstance(Square.area, cached_property)
    assert Square.area.__doc__ == "The area in square metres."


def test_a_changed_copy_computes_its_own_values() -> None:
    square = Square(3, [])
    assert (square.area, scaled(square, 2)) == (9, (9, 2))
    larger = replace(square, side=4)
    assert (larger.area, scaled(larger, 2)) == (16, (16, 2))


def test_a_function_is_computed_again_for_another_argument_only() -> None:
    square, first, equal = Square(3, []), ["a"], ["a"]
    assert scaled(square, first) is scaled(square, first)
    assert scaled(square, equal)[1] is equal  # equal, but another object
    assert square.computed == ["scaled by ['a']", "area", "scaled by ['a']"]
    assert scaled(Square(5, []), first)[0] == 25


def test_a_cached_value_does_not_keep_its_object_alive() -> None:
    gc.disable()
    try:
        square = Square(3, [])
        scaled(square, square.area)
        gone = weakref.ref(square)
        del square
        assert gone() is None
    finally:
        gc.enable()


def test_one_object_does_not_wait_for_another() -> None:
    """`functools.cached_property` of Python 3.11 waits here; in a forked process, it would wait forever."""
    started, release = threading.Event(), threading.Event()

    class Slow:
        def __init__(self, waits: bool) -> None:
            self.waits = waits

        @cached_property
        def value(self) -> bool:
            if self.waits:
                started.set()
                assert release.wait(30)
            return self.waits

    slow, values = Slow(True), []
    other = threading.Thread(target=lambda: values.append(Slow(False).value), daemon=True)
    thread = threading.Thread(target=lambda: slow.value, daemon=True)
    thread.start()
    assert started.wait(30)
    other.start()
    other.join(10)
    assert values == [False]
    release.set()
    thread.join(30)


FORK = """
import os, threading, time
from dehusk.base.caching import cached_property

started = threading.Event()

class Slow:
    def __init__(self, seconds):
        self.seconds = seconds

    @cached_property
    def value(self):
        if self.seconds:
            started.set()
        time.sleep(self.seconds)
        return "computed"

threading.Thread(target=lambda: Slow(600).value, daemon=True).start()
started.wait()
child = os.fork()
if child == 0:
    os._exit(0 if Slow(0).value == "computed" else 1)
for _ in range(1200):
    pid, status = os.waitpid(child, os.WNOHANG)
    if pid:
        os._exit(os.waitstatus_to_exitcode(status))
    time.sleep(0.05)
os.kill(child, 9)
os._exit(3)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_process_forked_during_a_computation_does_not_hang() -> None:
    assert subprocess.run([sys.executable, "-W", "ignore", "-c", FORK], timeout=120, check=False).returncode == 0
