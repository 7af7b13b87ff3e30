"""What may go wrong with a remote file, in one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dehusk.base.errors import InputError


@contextmanager
def asking(address: str, doing: str = "read") -> Iterator[None]:
    """Turn what a library raises about an address into one line.

    Args:
        address: of the file or folder.
        doing: read, written or removed.

    Raises:
        FileNotFoundError: there is no such file.
        InputError: anything else.
    """
    try:
        yield
    except InputError:
        raise
    except FileNotFoundError as error:
        cause = error.__cause__  # fsspec says of whatever a web server answers, or does not, that the file is missing
        if cause is None or not address.startswith("http") or getattr(cause, "status", 0) == 404:
            raise
        raise InputError(f"{address}: cannot be {doing}: {reason(cause)}") from error
    except Exception as error:  # each store has its own, such as botocore's, which are no OSErrors
        raise InputError(f"{address}: cannot be {doing}: {reason(error)}") from error


def reason(error: BaseException) -> str:
    """Return what an error says, as one line."""
    return " ".join(str(error).split())[:300] or type(error).__name__
