"""What can go wrong, and what a page's outcome is called.

    DehuskError
    ├── ConfigError      a configuration names an unknown key or a value that cannot be
    ├── ModelError       a model folder is damaged, of another version, or does not fit
    ├── NotFittedError   a method is used before it was trained
    ├── InputError       a file, folder or list that the caller named cannot be read
    │   └── FetchError   a URL that the caller named cannot be fetched
    ├── MissingExtraError  an optional dependency is not installed; the message names the `pip install` line
    └── GoldError        an annotation or gold text is malformed or belongs to another page

A page never raises for what its bytes hold: it gets exactly one `Status`.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from enum import StrEnum


class DehuskError(Exception):
    """Every error that dehusk raises on purpose; its text is one line for a person."""


class ConfigError(DehuskError):
    """A configuration names an unknown key or holds a value that cannot be."""


class ModelError(DehuskError):
    """A model folder is damaged, was made by another version, or does not fit the request."""


class NotFittedError(DehuskError):
    """A method that learns was used before `fit` or `load`."""


class InputError(DehuskError):
    """A file, folder or list that the caller named cannot be read."""


class FetchError(InputError):
    """A URL that the caller named cannot be fetched.

    Attributes:
        reason: why, in one word; see `dehusk.crawl.fetch`.
    """

    def __init__(self, message: str, *, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


class MissingExtraError(DehuskError):
    """A feature needs an optional dependency that is not installed; the message names the `pip install` line."""


class GoldError(DehuskError):
    """An annotation or gold text is malformed, or belongs to another page."""


def unknown(kind: str, name: object, known: Iterable[str], *, aliases: Mapping[str, str] | None = None) -> str:
    """Return the message for a name that does not exist: the nearest known name, and all of them.

    Args:
        kind: what the name stands for: "format", "method".
        name: what the caller wrote.
        known: the names that exist, in the order in which to list them.
        aliases: other names that people try -> the known name to suggest; they are not listed.
    """
    names = list(known)
    targets = {**(aliases or {}), **dict(zip(names, names, strict=True))}
    nearest = get_close_matches(str(name).lower(), targets, n=1, cutoff=0.5)
    hint = f" Did you mean {targets[nearest[0]]}?" if nearest else ""
    return f"unknown {kind} {str(name)!r}.{hint} Known: {', '.join(names)}"


class Status(StrEnum):
    """What became of one page; every page gets exactly one."""

    OK = "ok"
    """Text was found and kept."""
    NO_CONTENT = "no-content"
    """The page was read completely, and nothing on it is worth keeping (or it holds no text at all)."""
    TRUNCATED = "truncated"
    """A size limit cut the page short; what was read up to there is given."""
    NOT_HTML = "not-html"
    """The bytes are something else: an image, a PDF, an archive."""
    UNDECODABLE = "undecodable"
    """No encoding makes text of these bytes; what could be decoded is given."""
    LIMIT = "limit"
    """The time limit ended the work on this page."""
    ERROR = "error"
    """The page could not be read or processed; the reason is in `message`."""

    @property
    def is_fine(self) -> bool:
        """Whether the page was processed completely: `ok` or `no-content`. Anything else counts as a failure."""
        return self in (Status.OK, Status.NO_CONTENT)

    @property
    def is_readable(self) -> bool:
        """Whether the page's blocks can be used, to learn a site from, say: fine, or cut short at a size limit."""
        return self.is_fine or self is Status.TRUNCATED
