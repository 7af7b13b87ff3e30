"""One thread for BLAS: for the small products of a net, a pool of threads costs more than it brings."""

from __future__ import annotations

import os
from contextlib import ExitStack
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController


class BlasLimit:
    """Limits BLAS to one thread while any thread of the program runs a net, and then restores what was set before.

    The number belongs to the whole process: if each call restored what it found, the last of several calls that run at
    the same time would restore the limit of another.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget the other threads, which do not exist in a child process; one may have held the lock."""
        self.lock, self.users, self.limit = Lock(), 0, ExitStack()

    def __enter__(self) -> None:
        with self.lock:
            self.users += 1
            if self.users == 1:
                self.limit.enter_context(_blas().limit(limits=1, user_api="blas"))

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self.users -= 1
            if not self.users:
                self.limit.close()


@cache
def _blas() -> ThreadpoolController:
    """Return the controller of the BLAS threads; creating it takes a millisecond."""
    from threadpoolctl import ThreadpoolController  # noqa: PLC0415 (the compiled net does without BLAS)

    return ThreadpoolController()


one_thread = BlasLimit()
"""`with one_thread:` limits BLAS to one thread, in all threads of the program."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=one_thread.reset)
