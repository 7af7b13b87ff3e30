"""What a process notes of the pages that it handles, for the parent that watches it (`dehusk.base.processes.watched`).

A command that runs again on the same input does the same in the same order, so a block `at_risk` is known by its
number. A page that is parsed or labelled is known by its bytes, since several threads may do so. A page that ended the
process before is an error when it comes again.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from struct import Struct
from threading import Lock
from typing import NamedTuple

SIZE = 8192
"""Bytes of the memory that both processes share."""
_SLOTS = 32  # pages that threads handle at a time; further ones are not noted
_NOTES = Struct(f"<Q?QQ{_SLOTS}QH")
_NAME = SIZE - _NOTES.size  # bytes of a page's name


class DeadlyPageError(OSError):
    """The process died when it handled this page before."""


class Notes(NamedTuple):
    """What a process has noted."""

    blocks: int
    """Blocks `at_risk` that have begun."""
    is_at_risk: bool
    """Whether it is in such a block."""
    written: int
    """Bytes written to standard output."""
    told: int
    """Lines printed on standard error."""
    handled: frozenset[int]
    """Keys of the pages that it is parsing or labelling."""
    name: str
    """The page of the block that it is in."""

    @classmethod
    def read(cls, shared: bytes) -> Notes:
        """Return what is in the shared memory."""
        blocks, is_at_risk, written, told, *keys, size = _NOTES.unpack_from(shared)
        name = shared[_NOTES.size : _NOTES.size + size].decode("utf-8", "replace")
        return cls(blocks, is_at_risk, written, told, frozenset(keys) - {0}, name)


class Deaths(NamedTuple):
    """What ended the process before, and what it had done."""

    blocks: Mapping[int, str]
    """Number of a block `at_risk` -> why it is an error now."""
    pages: Mapping[int, str]
    """Key of a page -> why it is an error now."""
    written: int = 0
    """Bytes of standard output that are not to be written again."""
    told: int = 0
    """Lines of standard error that are not to be printed again."""
    is_first: bool = True
    """Whether the command has not started over."""


class Watch:
    """Notes what this process does in memory that it shares with its parent; safe to use from several threads."""

    def __init__(self, shared: memoryview, before: Deaths) -> None:
        self._shared, self._before, self.parent = shared, before, os.getppid()
        self._blocks = self._written = self._told = 0
        self._is_at_risk, self._name = False, b""
        self._keys = [0] * _SLOTS
        self._noting = Lock()

    @property
    def is_first(self) -> bool:
        """Whether the command has not started over."""
        return self._before.is_first

    def begin_block(self, name: str) -> None:
        """Note that a page is about to be handled.

        Raises:
            DeadlyPageError: it ended the process before.
        """
        if os.getppid() != self.parent:
            sys.exit(1)  # the parent was killed, so nobody waits for what this process does
        self._blocks += 1
        if self._blocks in self._before.blocks:
            raise DeadlyPageError(self._before.blocks[self._blocks])
        self._name, self._is_at_risk = name.encode("utf-8", "replace")[:_NAME], True
        self._note()

    def end_block(self) -> None:
        """Note that the page was handled."""
        self._name, self._is_at_risk = b"", False
        self._note()

    def deadly(self, key: int) -> str:
        """Return why a page is an error, because it ended the process before; "" if it did not."""
        return self._before.pages.get(key, "")

    def replace_key(self, old: int, new: int) -> None:
        """Note that a page is being parsed or labelled now (from 0 to its key), or that this has ended."""
        with self._noting:
            if old in self._keys:
                self._keys[self._keys.index(old)] = new
        self._note()

    def unwritten(self, data: memoryview) -> memoryview:
        """Return the part of the next output that has not been written before."""
        return data[max(0, self._before.written - self._written) :]

    def wrote(self, size: int) -> None:
        """Note that bytes of the output have been written, now or before."""
        self._written += size
        self._note()

    def is_news(self) -> bool:
        """Return whether the next line for standard error has not been printed before."""
        self._told += 1
        self._note()
        return self._told > self._before.told

    def _note(self) -> None:
        with self._noting:
            counts = (self._blocks, self._is_at_risk, self._written, self._told)
            _NOTES.pack_into(self._shared, 0, *counts, *self._keys, len(self._name))
            self._shared[_NOTES.size : _NOTES.size + len(self._name)] = self._name


watch: Watch | None = None
"""Of this process, if it is a child that is watched."""


def begin_watch(shared: memoryview, before: Deaths) -> Watch:
    """Let this process note what it does; its own children do not."""
    global watch  # noqa: PLW0603 (there is one)
    watch = Watch(shared, before)
    os.register_at_fork(after_in_child=_end_watch)
    return watch


def _end_watch() -> None:
    global watch  # noqa: PLW0603
    watch = None


@contextmanager
def at_risk(name: str) -> Iterator[None]:
    """Handle a page in this block; if that ends the process, the command runs again without the page.

    Args:
        name: of the page, for messages.

    Raises:
        DeadlyPageError: this page ended the process before.
    """
    if watch is None:
        yield
        return
    watch.begin_block(name)
    try:
        yield
    finally:
        watch.end_block()


class Handling:
    """The parsing or the labelling of a page; a context.

    Args:
        data: the page as it was given.
    """

    def __init__(self, data: bytes | bytearray | memoryview | str) -> None:
        self._key = 0 if watch is None else key_of(data)

    @property
    def deadly(self) -> str:
        """Why not to do it, because it ended the process before; "" if it did not."""
        return "" if watch is None else watch.deadly(self._key)

    def __enter__(self) -> None:
        if watch is not None:
            watch.replace_key(0, self._key)

    def __exit__(self, *_: object) -> None:
        if watch is not None:
            watch.replace_key(self._key, 0)


def key_of(data: bytes | bytearray | memoryview | str) -> int:
    """Return the key of a page: the same in all processes that are forked from one."""
    data = data.encode("utf-8", "replace") if isinstance(data, str) else bytes(data)
    return hash(data) & ((1 << 64) - 1) | 1


def run_number() -> int:
    """Return the number of the process that runs the command: it stays the same when the command starts over."""
    return os.getpid() if watch is None else watch.parent


def is_first_run() -> bool:
    """Return whether the command has not started over because a page ended its process."""
    return watch is None or watch.is_first


def is_news() -> bool:
    """Return whether a line for standard error is to be printed; not if it was before the command started over."""
    return watch is None or watch.is_news()
