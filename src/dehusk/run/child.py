"""A child process that works on one item after the other and may be slow, hang or die."""

from __future__ import annotations

import time
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")

_START = 60.0  # seconds that a child may take to import what it needs


class ChildError(Exception):
    """The child gave no result; the text says why in one line."""


class Child(Generic[T, R]):
    """One process for many items: started when it is needed, replaced when it hangs or dies.

    Args:
        make: a function of a module; called in the child, it returns the function that works on an item.
        argument: what `make` is called with; crosses the process border, as items and results do.
        seconds: wall time that an item may take.
    """

    def __init__(self, make: Callable[[Any], Callable[[T], R]], argument: Any, *, seconds: float) -> None:
        self.make = make
        self.argument = argument
        self.seconds = seconds
        self._process: Any = None
        self._pipe: Connection | None = None

    def work(self, item: T) -> tuple[R, float]:
        """Return the result for an item and the CPU time in seconds that it took in the child.

        Raises:
            ChildError: the child raised, took too long, died, or could not be started.
        """
        pipe = self._started()
        try:
            pipe.send(item)
            if not pipe.poll(self.seconds):
                self.stop()
                raise ChildError(f"took longer than {self.seconds:g} s")
            result, spent, said = pipe.recv()
        except (EOFError, OSError) as error:
            self.stop()
            raise ChildError("its process died") from error
        if said:
            raise ChildError(said)
        return result, spent

    def stop(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None

    def __enter__(self) -> Child[T, R]:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _started(self) -> Connection:
        if self._pipe is not None:
            return self._pipe
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self.make, self.argument), daemon=True)
        self._process.start()
        theirs.close()
        try:
            if not self._pipe.poll(_START):
                self.stop()
                raise ChildError(f"was not ready after {_START:g} s")
            error = self._pipe.recv()
        except (EOFError, OSError) as problem:
            self.stop()
            raise ChildError("its process died at the start") from problem
        if error:
            self.stop()
            raise ChildError(error)
        return self._pipe


def _serve(pipe: Connection, make: Callable[[Any], Callable[[T], R]], argument: Any) -> None:
    """Work in the child: say whether it is ready, then answer item after item."""
    try:
        work = make(argument)
    except Exception as error:  # (whatever it is, the parent is told)
        pipe.send(_line(error))
        return
    pipe.send("")
    while True:
        try:
            item = pipe.recv()
        except EOFError:
            return
        start = time.process_time()
        result, said = None, ""
        try:
            result = work(item)
        except Exception as error:  # (the same)
            said = _line(error)
        pipe.send((result, time.process_time() - start, said))


def _line(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:500] or "error"
