"""The errors of the package, and the outcomes of a page.

    DehuskError
    ├── ConfigError        an option, a configuration or a declaration is invalid
    ├── ModelError         a model folder is missing, damaged, of another version, or does not fit
    ├── NotFittedError     a method is used before it is trained
    ├── InputError         a file, folder or list cannot be read
    │   └── FetchError     a URL cannot be fetched
    ├── BuildError         the compiled modules are missing, or were built for another Python
    ├── MissingExtraError  an optional dependency is not installed; the message names the `pip install` line
    ├── ChildError         a child process gave no result
    │   ├── ChildSlowError     it took too long, and was killed
    │   └── ChildDiedError     it ended unexpectedly
    └── GoldError          an annotation or a gold text is malformed, or belongs to another page

A page's content never raises an error: every page gets exactly one `Status`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from functools import partial
from numbers import Integral, Real
from types import UnionType


class DehuskError(Exception):
    """Base class of the errors that dehusk raises on purpose.

    A message is one line, whatever it quotes: a library's message, the name of a file, a key of a damaged model.
    """

    def __init__(self, message: object = "") -> None:
        super().__init__(" ".join(str(message).splitlines()))


class ConfigError(DehuskError):
    """An option, a configuration or a declaration names an unknown key or has an invalid value."""


class ModelError(DehuskError):
    """A model folder is missing, damaged, of another version, or does not fit the request."""


class NotFittedError(DehuskError):
    """A method that learns was used before `fit` or `load`."""


class InputError(DehuskError):
    """A file, folder or list that the caller named cannot be read."""


class FetchError(InputError):
    """A URL that the caller named cannot be fetched.

    Attributes:
        reason: why, in one word; see `dehusk.many.crawl.fetch`.
    """

    def __init__(self, message: str, *, reason: str) -> None:
        super().__init__(message)
        self.reason = reason

    def __reduce__(self) -> tuple[object, ...]:
        """Copy and pickle it with its reason, as pools of processes do."""
        return partial(FetchError, reason=self.reason), self.args


class BuildError(DehuskError, ImportError):
    """The compiled modules are missing, or were built for another Python; the message says how to install them."""


class MissingExtraError(DehuskError):
    """A feature needs an optional dependency that is not installed; the message names the `pip install` line."""


class ChildError(DehuskError):
    """A child process gave no result; the message says why."""


class ChildSlowError(ChildError):
    """An item took too long, and its process was killed."""


class ChildDiedError(ChildError):
    """The process of an item ended unexpectedly: it crashed, or the system killed it."""


class GoldError(DehuskError):
    """An annotation or gold text is malformed, or belongs to another page."""


def unknown(kind: str, name: object, known: Iterable[str], *, aliases: Mapping[str, str] | None = None) -> str:
    """Return the message for a name that does not exist: the nearest known name, and all of them.

    Args:
        kind: the type of thing that the name should denote: "format", "method".
        name: what the caller wrote.
        known: the names that exist, in the order in which to list them.
        aliases: other names that people try -> the known name to suggest; they are not listed.
    """
    from difflib import get_close_matches  # noqa: PLC0415 (a run without mistakes never needs it)

    names = list(known)
    targets = {**(aliases or {}), **dict(zip(names, names, strict=True))}
    nearest = get_close_matches(str(name).lower(), targets, n=1, cutoff=0.5)
    hint = f" Did you mean {targets[nearest[0]]}?" if nearest else ""
    return f"unknown {kind} {str(name)!r}.{hint} Known: {', '.join(names)}"


def printable(text: str, instead: str = "\ufffd") -> str:
    """Return a text on one line that no terminal obeys: pages and names of files must not move the cursor or the title.

    Args:
        text: any text.
        instead: what replaces an unprintable character; white space becomes a space.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c.isspace() else instead for c in text)


def encodable(text: str) -> str:
    """Return a text that UTF-8 can encode: halves of surrogate pairs, as in names of files, become question marks."""
    return text.encode("utf-8", "replace").decode()


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, for messages: "1 page", "2 pages"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listed(names: Sequence[str], most: int = 3) -> str:
    """Return the first of some names, for messages: "a, b, c and others"."""
    return ", ".join(names[:most]) + (" and others" if len(names) > most else "")


@contextmanager
def explaining(problem: str, kind: type[DehuskError] = InputError) -> Iterator[None]:
    """Turn an error of the system into one of dehusk, which says what could not be done, and why.

    Args:
        problem: "page.html cannot be read".
        kind: the error to raise.
    """
    try:
        yield
    except OSError as error:
        raise kind(f"{problem}: {error.strerror or error}") from error


def require_type(value: object, types: type | UnionType, rule: str) -> None:
    """Raise TypeError, with a rule such as "url must be a str", if a value is of another type."""
    if not isinstance(value, types):
        raise TypeError(f"{rule}, not {type(value).__name__}")


def is_integer(value: object, least: int, most: float = float("inf")) -> bool:
    """Return whether a value is an integer between two bounds, both included; True and False are not integers."""
    return isinstance(value, Integral) and not isinstance(value, bool) and least <= int(value) <= most


def is_number(value: object, least: float, most: float = float("inf")) -> bool:
    """Return whether a value is a number between two bounds, both included; NaN, True and False are not numbers."""
    return isinstance(value, Real) and not isinstance(value, bool) and least <= float(value) <= most


class Status(StrEnum):
    """The outcome of a page; every page has exactly one."""

    OK = "ok"
    """The page was processed, and some of its text is kept."""
    PARTIAL = "partial"
    """The page was processed, and shows only a part of its text: it asks to pay for the rest, is one of several, or is
    cut short; `message` says which."""
    NO_CONTENT = "no-content"
    """The page was processed, but nothing on it is content (or it contains no text at all)."""
    TRUNCATED = "truncated"
    """The page exceeds a size limit; the part within the limit was processed."""
    NOT_HTML = "not-html"
    """The bytes are something else: an image, a PDF, an archive."""
    UNDECODABLE = "undecodable"
    """No encoding turns the bytes into text; the decodable part was processed."""
    LIMIT = "limit"
    """The page was not finished within the time limit."""
    ERROR = "error"
    """The page could not be read or processed; the reason is in `message`."""

    @property
    def is_fine(self) -> bool:
        """Whether the page was processed completely: `ok`, `partial` or `no-content`. Others count as failures."""
        return self in (Status.OK, Status.PARTIAL, Status.NO_CONTENT)

    @property
    def is_readable(self) -> bool:
        """Whether the page's blocks can be used, for example to learn a site: fine, or truncated at a size limit."""
        return self.is_fine or self is Status.TRUNCATED
