"""Limits on the size of a page and the time it may take."""

import sys
import time
from dataclasses import dataclass
from numbers import Integral, Real

from dehusk.base.errors import ConfigError, DehuskError


class TooMuchMarkupError(DehuskError):
    """A page's tree is too large to be read, although its source is not; the message says what of it."""


@dataclass(frozen=True)
class Limits:
    """Limits for one page; a page that exceeds a limit gets a status.

    Raises:
        ConfigError: a limit is not a positive number, or one other than `seconds` is not a whole number, or it is
            beyond what this machine can count.
    """

    bytes: int = 20_000_000
    """Maximum size of the input; the rest is cut off, with status `truncated`. 20 MB is 200 times a typical page."""
    nodes: int = 300_000
    """Maximum number of elements and text nodes; the rest is ignored, with status `truncated`. The largest of 9,319
    pages of the open sets has 37,000; a page of 300,000 needs up to 530 MB of memory and a few seconds. If a source
    has more than three times as many tags and comments, its rest is not read."""
    depth: int = 512
    """Maximum nesting of elements; deeper elements are flattened into their ancestors without loss of text, as in
    browsers. The parser itself nests no deeper than 512."""
    seconds: float = 30.0
    """Maximum seconds for reading and labelling one page; after that, the page gets the status `limit`. This is checked
    between steps; a run of `dehusk` gives up a page within a step at `latest`."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            kind, what = (Real, "") if name == "seconds" else (Integral, "whole ")
            if isinstance(value, Integral) and int(value) >= sys.maxsize:  # no such number of bytes can be asked for
                raise ConfigError(f"limit {name} must be below {sys.maxsize}")
            if not isinstance(value, kind) or isinstance(value, bool) or not float(value) > 0:
                raise ConfigError(f"limit {name} must be a positive {what}number, not {value!r}")

    @property
    def latest(self) -> float:
        """Seconds after which commands interrupt a step, or kill its process; `seconds` should end a page earlier."""
        return 1.25 * self.seconds + 0.5


class Deadline:
    """The time by which a page must be finished; checked between stages, so it needs no signal or thread."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self._until = seconds, time.monotonic() + seconds

    @property
    def message(self) -> str:
        """What to say of a page that is not finished by then."""
        return f"took longer than {self.seconds:g} s"

    def passed(self) -> bool:
        """Return whether the deadline has passed."""
        return time.monotonic() > self._until
