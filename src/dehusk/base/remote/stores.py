"""The stores that addresses name: fsspec's filesystems, and what they say of a file."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from email.utils import parsedate_to_datetime
from functools import lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple

from dehusk.base.errors import InputError, MissingExtraError
from dehusk.base.extras import require

_S3 = ("s3", "s3a")
_HADOOP = "hdfs:// needs Hadoop on this machine, webhdfs:// does not; "
_VERSIONS = ("ETag", "etag", "md5Hash", "content_md5", "Content-MD5")
_TIMES = (
    *("mtime", "LastModified", "last_modified", "updated", "modificationTime", "last_write_time", "modify"),
    *("Last-Modified", "created"),
)
_READ_TIMES = ("atime", "accessTime", "last_accessed", "last_access_time", "timeAccessed")


class FileStatus(NamedTuple):
    """What a store says of a file."""

    st_size: int
    st_mtime: float
    """Seconds since 1970; 0 if the store does not say."""
    st_mtime_ns: int
    """A hash of what changes with the content: the checksum that the store has, otherwise the time."""

    @property
    def version(self) -> tuple[int, int]:
        """What changes with the content."""
        return self.st_size, self.st_mtime_ns


class Store(NamedTuple):
    """A filesystem of fsspec."""

    filesystem: Any
    lock: AbstractContextManager[object]
    """Held while it is asked: some have one connection, on which only one thread can speak."""


@lru_cache(maxsize=32)
def store_of(root: str, _process: int) -> Store:
    """Return the store for a scheme and host or bucket: one for all threads.

    Args:
        root: such as s3://bucket.
        _process: the number of the process, because connections cannot be used in another.

    Raises:
        InputError: the scheme is unknown, or the store cannot be reached.
        MissingExtraError: a library is not installed.
    """
    scheme, _, name = root.lower().partition(":")
    if scheme in _S3 and not name.strip("/"):
        raise InputError(f"{root} names no bucket: write {scheme}://BUCKET/FOLDER")
    fsspec = require("fsspec", extra="remote", purpose=f"a {scheme}:// address")
    if scheme in _S3:
        require("s3fs", extra="remote", purpose=f"a {scheme}:// address")
    try:
        fsspec.get_filesystem_class(scheme)
    except ValueError as error:
        known = "known, such as s3, gs, abfs and hdfs, are those of fsspec"
        raise InputError(f"{root}: unknown scheme {scheme}://; {known}") from error
    except ImportError as error:
        message = f"a {scheme}:// address needs a library that is not installed: {reason(error)}"
        raise MissingExtraError(message) from error
    try:
        filesystem = fsspec.core.url_to_fs(root)[0]
    except Exception as error:  # of any library
        hint = _HADOOP if scheme == "hdfs" else ""
        raise InputError(f"{root} cannot be reached: {hint}{reason(error)}") from error
    return Store(filesystem, nullcontext() if filesystem.async_impl else threading.RLock())


def status_of(address: str, info: Mapping[str, Any]) -> FileStatus:
    """Return the status of a file.

    Args:
        address: for messages.
        info: what fsspec returns of the file.

    Raises:
        InputError: the size is not known.
    """
    if info.get("size") is None and info["type"] == "file":
        raise InputError(f"{address}: its server does not say its size, so parts cannot be read: download it first")
    modified = next((_seconds(key, info[key]) for key in _TIMES if info.get(key)), 0.0)
    version = next((str(info[key]) for key in _VERSIONS if info.get(key)), "") or str(int(modified) or "")
    if not version:
        version = str(sorted((key, str(value)) for key, value in info.items() if key not in _READ_TIMES))
    digest = blake2b(version.removeprefix("W/").strip('"').encode(), digest_size=8).digest()
    return FileStatus(int(info.get("size") or 0), modified, int.from_bytes(digest, "big") >> 1)


def _seconds(key: str, value: Any) -> float:
    if key == "modify":  # FTP
        value = dt.datetime.strptime(str(value)[:14], "%Y%m%d%H%M%S").replace(tzinfo=dt.UTC)
    elif isinstance(value, str):
        value = parsedate_to_datetime(value) if key == "Last-Modified" else dt.datetime.fromisoformat(value)
    if isinstance(value, dt.datetime):
        return value.timestamp()
    return float(value) / (1000 if key == "modificationTime" else 1)  # WebHDFS gives milliseconds


# ---------------------------------------------------------------- failures
# What may go wrong with a remote file, in one line.


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
