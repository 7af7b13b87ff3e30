"""Bounds on the work a single page may cost."""

import time
from dataclasses import dataclass

from dehusk.errors import ConfigError


@dataclass(frozen=True)
class Limits:
    """What one page may cost; a page that reaches a bound gets a status, never a hang.

    Raises:
        ConfigError: a bound is not positive.
    """

    bytes: int = 20_000_000
    """Longer input is cut there: status `truncated`. 20 MB is 200 times a usual page."""
    nodes: int = 1_000_000
    """Elements and text nodes; what comes after is not read: status `truncated`."""
    depth: int = 512
    """Elements nested deeper are flattened into their ancestor, as browsers do; no text is lost.
    The parser itself stops at 512."""
    seconds: float = 30.0
    """Time for one page from bytes to blocks; when it is over: status `limit`."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not value > 0:
                raise ConfigError(f"limit {name} must be positive, not {value}")


class Deadline:
    """A moment after which work on a page stops; asked between stages, so no signal and no thread is needed."""

    def __init__(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds
        self.message = f"took longer than {seconds:g} s"

    def passed(self) -> bool:
        """Return whether the time is over."""
        return time.monotonic() > self._until
