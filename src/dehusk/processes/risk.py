"""What a child process notes of the pages that it handles, for the parent that watches it (`dehusk.processes.watched`).

A command that runs again on the same input does the same in the same order, so a page is known by its number: of the
blocks `at_risk` that begin, and of the calls of the parser. A page that ended the process before is an error then.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from struct import Struct
from typing import NamedTuple

SIZE = 8192
"""Bytes of the memory that both processes share."""
_NOTES = Struct("<QQ??QQH")
_NAME = SIZE - _NOTES.size  # bytes of a page's name


class DeadlyPageError(OSError):
    """The process died when it handled this page before."""


class Notes(NamedTuple):
    """What a process has noted."""

    pages: int = 0
    """Blocks `at_risk` that have begun."""
    parsed: int = 0
    """Calls of the parser that have begun."""
    is_at_risk: bool = False
    """Whether it is in such a block."""
    is_parsing: bool = False
    """Whether it is in such a call."""
    written: int = 0
    """Bytes written to standard output."""
    told: int = 0
    """Lines printed on standard error."""
    name: str = ""
    """The page of the latest block."""

    @classmethod
    def read(cls, shared: bytes) -> Notes:
        """Return what is in the shared memory."""
        *noted, size = _NOTES.unpack_from(shared)
        return cls._make([*noted, shared[_NOTES.size : _NOTES.size + size].decode("utf-8", "replace")])


class Deaths(NamedTuple):
    """What ended the process before: number -> why it is an error now."""

    pages: Mapping[int, str]
    parsed: Mapping[int, str]
    written: int
    """Bytes of standard output that are not to be written again."""
    told: int
    """Lines of standard error that are not to be printed again."""


class Watch:
    """Notes what this process does in memory that it shares with its parent."""

    def __init__(self, shared: memoryview, before: Deaths) -> None:
        self._shared, self._before, self.parent = shared, before, os.getppid()
        self._pages = self._parsed = self._written = self._told = 0
        self._is_at_risk = self._is_parsing = False
        self._name = b""

    def begin_page(self, name: str) -> None:
        """Note that a page is about to be handled.

        Raises:
            DeadlyPageError: it ended the process before.
        """
        if os.getppid() != self.parent:
            sys.exit(1)  # the parent was killed, so nobody waits for what this process does
        self._pages += 1
        if self._pages in self._before.pages:
            raise DeadlyPageError(self._before.pages[self._pages])
        self._name, self._is_at_risk = name.encode("utf-8", "replace")[:_NAME], True
        self._note()

    def end_page(self) -> None:
        """Note that the page was handled."""
        self._name, self._is_at_risk = b"", False
        self._note()

    def begin_parsing(self) -> str:
        """Note that the parser is about to be called; return why not to do so, if it ended the process before."""
        self._parsed += 1
        self._is_parsing = self._parsed not in self._before.parsed
        self._note()
        return self._before.parsed.get(self._parsed, "")

    def end_parsing(self) -> None:
        """Note that the parser has returned."""
        self._is_parsing = False
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
        counts = (self._pages, self._parsed, self._is_at_risk, self._is_parsing, self._written, self._told)
        _NOTES.pack_into(self._shared, 0, *counts, len(self._name))
        self._shared[_NOTES.size : _NOTES.size + len(self._name)] = self._name


watch: Watch | None = None
"""Of this process, if it is a child that runs a command."""


def begin_watch(shared: memoryview, before: Deaths) -> Watch:
    """Let this process note what it does; its own children do not."""
    global watch  # noqa: PLW0603 (a process runs one command)
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
    watch.begin_page(name)
    try:
        yield
    finally:
        watch.end_page()


def run_number() -> int:
    """Return the number of the process that runs the command: it stays the same when the command begins again."""
    return os.getpid() if watch is None else watch.parent


def begin_parsing() -> str:
    """Note that the parser is about to be called; return why not to do so, if it ended the process before."""
    return "" if watch is None else watch.begin_parsing()


def end_parsing() -> None:
    """Note that the parser has returned."""
    if watch is not None:
        watch.end_parsing()


def is_news() -> bool:
    """Return whether a line for standard error is to be printed; not if it was before the command began again."""
    return watch is None or watch.is_news()
