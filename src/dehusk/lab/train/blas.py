"""One thread for BLAS: for the small products of a net, a pool of threads costs more than it brings."""

from __future__ import annotations

import os
from _thread import allocate_lock  # as `threading.Lock`, without the millisecond that importing it takes
from functools import cache
from typing import TYPE_CHECKING

from dehusk.base.extras import require

if TYPE_CHECKING:
    from threadpoolctl import LibController


class BlasLimit:
    """Limits BLAS to one thread while any thread of the program runs a net, and then restores what was set before.

    The number belongs to the whole process: if each call restored what it found, the last of several calls that run at
    the same time would restore the limit of another.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget the other threads, which do not exist in a child process; one may have held the lock."""
        self.lock, self.users = allocate_lock(), 0
        self.before: list[tuple[LibController, int]] = []  # what had more than one thread, and how many

    def __enter__(self) -> None:
        with self.lock:
            self.users += 1
            if self.users == 1:
                counts = [(library, library.get_num_threads()) for library in _blas()]
                self.before = [(library, number) for library, number in counts if number and number > 1]
                for library, _ in self.before:
                    library.set_num_threads(1)

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self.users -= 1
            if not self.users:
                for library, number in self.before:
                    library.set_num_threads(number)


@cache
def _blas() -> tuple[LibController, ...]:
    """Return the BLAS libraries of the process; finding them takes a millisecond."""
    control = require("threadpoolctl", extra="train", purpose="training")
    return tuple(library for library in control.ThreadpoolController().lib_controllers if library.user_api == "blas")


one_thread = BlasLimit()
"""`with one_thread:` limits BLAS to one thread, in all threads of the program."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=one_thread.reset)
