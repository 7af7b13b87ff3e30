"""The exit codes of every command, in one table."""

from collections.abc import Mapping
from enum import IntEnum

from dehusk.base.errors import Status


class ExitCode(IntEnum):
    """The exit code of a command."""

    OK = 0
    """All pages were processed, and at least one gave text."""
    SOME_FAILED = 1
    """Some pages failed, part of an input was lost, a required quality was missed, or the installation is broken."""
    USAGE = 2
    """The command cannot run as typed: wrong usage, or an input or output that cannot be used."""
    NOTHING = 3
    """No page failed, but none gave any text."""
    INTERRUPTED = 130
    """SIGINT (Ctrl-C) ended the command."""
    TERMINATED = 143
    """SIGTERM ended the command."""


def exit_code(statuses: Mapping[str, int], extracted: int, *, lost: int = 0) -> ExitCode:
    """Return the exit code of a run over pages.

    Args:
        statuses: number of pages by `Status`.
        extracted: number of pages that gave text.
        lost: number of damaged or missing parts of the inputs.
    """
    if lost or any(count for status, count in statuses.items() if not Status(status).is_fine):
        return ExitCode.SOME_FAILED
    return ExitCode.OK if extracted else ExitCode.NOTHING
