"""Paths of remote files: what dehusk needs of pathlib, over fsspec."""

from __future__ import annotations

import glob
import io
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from dehusk.base.errors import InputError, MissingExtraError
from dehusk.base.remote.ranges import RangeReader, shared_file
from dehusk.base.remote.stores import FileStatus, asking, status_of, store_of

if TYPE_CHECKING:
    from dehusk.base.remote.file_path import FilePath

_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]*)://", re.IGNORECASE)
_LOCAL = ("file://", "local://")
_WEB = ("http", "https")
_OBJECT_STORES = frozenset({"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "adl", "oss", "oci", "r2", "memory"})
"""Schemes of stores without folders, where a file appears once it has been sent as a whole."""
_BUFFER = 65_536  # bytes


@dataclass(frozen=True)
class RemotePath:
    """A file or folder on a remote filesystem; it has the methods of `pathlib.Path` that dehusk needs.

    Settings and keys come from the environment and fsspec's configuration, so that a path is only its address.

    Args:
        address: with its scheme, without a slash at its end.
        status: what the store said of the file when it was listed; None if it is asked each time.

    Raises:
        InputError: from all methods that ask the store: it refuses, or cannot be reached.
        MissingExtraError: from the same: a library is not installed.
    """

    address: str
    status: FileStatus | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return self.address

    def __lt__(self, other: RemotePath, /) -> bool:
        return self.address.split("/") < other.address.split("/")

    def __truediv__(self, name: str, /) -> RemotePath:
        return RemotePath(f"{self.address}/{name}")

    @property
    def scheme(self) -> str:
        """The scheme in lower case."""
        return self.address.partition("://")[0].lower()

    @property
    def root(self) -> str:
        """The scheme, and the host or bucket."""
        return "/".join(self.address.split("/", 3)[:3])

    @property
    def has_folders(self) -> bool:
        """Whether the store has folders, and shows a file while it arrives."""
        return self.scheme not in _OBJECT_STORES

    @property
    def name(self) -> str:
        """The last part of the address; "" for a bucket or host."""
        path = urlsplit(self.address).path if self.scheme in _WEB else self.address.partition("://")[2]
        return path.rpartition("/")[2]

    @property
    def stem(self) -> str:
        """The name without its suffix."""
        return PurePosixPath(self.name).stem

    @property
    def suffix(self) -> str:
        """The last suffix of the name, with its dot."""
        return PurePosixPath(self.name).suffix

    @property
    def parent(self) -> RemotePath:
        """The folder."""
        return RemotePath(self.address.rpartition("/")[0])

    def with_name(self, name: str) -> RemotePath:
        """Return a path beside this one."""
        return self.parent / name

    def with_suffix(self, suffix: str) -> RemotePath:
        """Return the path with another last suffix."""
        return self.with_name(self.stem + suffix)

    def absolute(self) -> RemotePath:
        """Return the path itself."""
        return self

    def resolve(self) -> RemotePath:
        """Return the path itself."""
        return self

    def relative_to(self, other: RemotePath, /) -> PurePosixPath:
        """Return the path from a folder to this file."""
        return PurePosixPath(self.address[len(other.address) + 1 :])

    # ── ask the store ──

    @contextmanager
    def _asking(self, doing: str = "read") -> Iterator[tuple[Any, str]]:
        """Yield the filesystem of fsspec, and the path in it; turn errors into one line."""
        store = store_of(self.root, os.getpid())
        with store.lock, asking(self.address, doing):
            yield store.filesystem, store.filesystem._strip_protocol(self.address)

    def found(self) -> tuple[Literal["file", "folder", ""], RemotePath]:
        """Return what there is at this address, "" for nothing; and the path with its status if it is a file."""
        try:
            info = self._info()
        except FileNotFoundError:
            return "", self
        if info["type"] == "directory":
            return "folder", self
        return "file", RemotePath(self.address, status_of(self.address, info))

    def exists(self) -> bool:
        """Return whether there is such a file or folder."""
        return self.status is not None or bool(self.found()[0])

    def is_file(self) -> bool:
        """Return whether there is such a file."""
        return self.status is not None or self.found()[0] == "file"

    def is_dir(self) -> bool:
        """Return whether there is such a folder."""
        return self.status is None and self.found()[0] == "folder"

    def is_symlink(self) -> bool:
        """Return False: links are followed."""
        return False

    def stat(self) -> FileStatus:
        """Return what the store says of the file, or said when it was listed.

        Raises:
            FileNotFoundError: there is no such file.
        """
        return self.status or status_of(self.address, self._info())

    def _info(self) -> Mapping[str, Any]:
        with self._asking() as (store, path):
            store.invalidate_cache(path)  # another process may have written since
            info: Mapping[str, Any] = store.info(path)
        return info

    def rglob(self, pattern: str) -> Iterator[RemotePath]:
        """Yield the files below this folder whose names match a pattern, with their status."""
        with self._asking() as (store, path):
            store.invalidate_cache()
            found = store.find(path, detail=True)
        yield from (file for file in self._listed(path, found) if fnmatchcase(file.name, pattern))

    def glob(self) -> list[RemotePath]:
        """Return the files that match the address as a pattern, sorted."""
        magic = next(part for part in self.address.split("/") if glob.has_magic(part))
        folder = RemotePath(self.address.partition(f"/{magic}")[0])
        with self._asking() as (store, path), folder._asking() as (_, folder_path):
            store.invalidate_cache()
            found = store.glob(path, detail=True)
        return sorted(folder._listed(folder_path, found))

    def _listed(self, path: str, found: Mapping[str, Mapping[str, Any]]) -> Iterator[RemotePath]:
        for name, info in found.items():
            relative = name[len(path) :].lstrip("/")
            if info["type"] != "file" or not relative or relative.endswith("/"):  # a slash marks a folder
                continue
            address = f"{self.address}/{relative}"
            if ".." in relative.split("/"):
                raise InputError(f"{address}: its name contains .., so it has no place in an output folder: rename it")
            yield RemotePath(address, status_of(address, info))

    # ── read ──

    def open(self, _mode: Literal["rb"] = "rb") -> IO[bytes]:
        """Open the file for reading; only the ranges that are read are transferred.

        Raises:
            FileNotFoundError: there is no such file.
        """
        file = shared_file(self.address, self.status, self._open_handle, self._asking)
        return io.BufferedReader(RangeReader(file), _BUFFER)

    def _open_handle(self) -> tuple[Any, int]:
        status = status_of(self.address, self._info())
        if self.status is not None and status.version != self.status.version:
            raise InputError(f"{self.address} has changed since the run started: repeat the command")
        with self._asking() as (store, path):
            return store.open(path, "rb", cache_type="none"), status.st_size

    def read_bytes(self, start: int | None = None, end: int | None = None) -> bytes:
        """Return the content of a file, or of a part of it.

        Raises:
            FileNotFoundError: there is no such file.
        """
        with self._asking() as (store, path):
            data: bytes = store.cat_file(path, start=start, end=end)
        return data

    def read_text(self, encoding: str) -> str:
        """Return the content of a text file; errors are those of `read_bytes`."""
        return self.read_bytes().decode(encoding)

    # ── write ──

    def check_writable(self) -> None:
        """Raise InputError if files cannot be written here, whatever the settings."""
        if self.scheme in _WEB:
            raise InputError(
                f"{self.address} is on a web server, where nothing can be written: name a store, as s3://…"
            )

    def put(self, source: Path, *, owner: str) -> None:
        """Send a file or folder, which replaces what there is at this address.

        A file appears as a whole. The files of a folder appear one by one, in the order of their names, and those that
        are not in `source` are removed.

        Args:
            source: a local file or folder.
            owner: tells the temporary files of concurrent writers apart, where a store needs them.
        """
        if source.is_file():
            self._put_file(source, owner)
            return
        stale = {file.address for file in self.rglob("*")}
        for file in sorted(path for path in source.rglob("*") if path.is_file()):
            target = self / file.relative_to(source).as_posix()
            target._put_file(file, owner)
            stale.discard(target.address)
        for address in sorted(stale):
            RemotePath(address).remove()

    def _put_file(self, source: Path, owner: str) -> None:
        with self._asking("written") as (store, path):
            if not self.has_folders:
                store.put_file(str(source), path)
                return
            temporary = f"{path.rpartition('/')[0]}/.{self.name}.{owner}.tmp"
            store.makedirs(path.rpartition("/")[0], exist_ok=True)
            store.put_file(str(source), temporary)
            if store.exists(path):  # not every store replaces a file
                store.rm_file(path)
            store.mv(temporary, path)

    def write_text(self, text: str) -> None:
        """Write a small text file, as UTF-8."""
        with self._asking("written") as (store, path):
            if self.has_folders:
                store.makedirs(path.rpartition("/")[0], exist_ok=True)
            store.pipe_file(path, text.encode())

    def remove(self) -> None:
        """Remove a file or a whole folder, if it exists."""
        with suppress(FileNotFoundError), self._asking("removed") as (store, path):
            store.invalidate_cache()
            if self.found()[0] == "file":
                store.rm_file(path)
            else:
                store.rm(path, recursive=True)


def is_address(argument: str) -> bool:
    """Return whether an argument is the address of a remote file: it starts with a scheme other than that of files."""
    return _ADDRESS.match(argument) is not None and not argument.lower().startswith(_LOCAL)


def path_of(argument: str) -> Path | RemotePath:
    """Return the path that an argument names, local or remote.

    Raises:
        InputError: the address contains a password.
    """
    if not is_address(argument):
        scheme = next((scheme for scheme in _LOCAL if argument.lower().startswith(scheme)), "")
        return Path(argument[len(scheme) :])
    authority = argument.split("/", 3)[2]
    if ":" in authority.rpartition("@")[0]:
        scheme = argument.partition("://")[0]
        raise InputError(
            f"the {scheme}:// address contains a password: put it into the environment or fsspec's configuration"
        )
    return RemotePath(argument.rstrip("/"))


@contextmanager
def local_folder(path: FilePath) -> Iterator[Path]:
    """Yield a local folder as it is, of a remote one a temporary copy."""
    if isinstance(path, Path):
        yield path
        return
    assert isinstance(path, RemotePath)  # noqa: S101 (there are no other paths)
    with tempfile.TemporaryDirectory(prefix="dehusk-") as folder:
        for file in path.rglob("*"):
            target = Path(folder) / file.relative_to(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.read_bytes())
        yield Path(folder)


def one_in_each_store(paths: Iterable[FilePath]) -> tuple[RemotePath, ...]:
    """Return one of the remote paths for each scheme and host or bucket."""
    remote = [path for path in paths if isinstance(path, RemotePath)]
    return tuple({path.root: path for path in remote}.values())


def connect(paths: Iterable[RemotePath]) -> None:
    """Ask for each path, so that a process loads what its store needs before its memory is limited.

    What goes wrong is not reported: it goes wrong again when the path is used.
    """
    for path in paths:
        with suppress(InputError, MissingExtraError):
            RemotePath(path.address).exists()


def read_range(path: FilePath, offset: int, size: int) -> bytes:
    """Return some bytes of a file, with one request if it is remote."""
    if isinstance(path, RemotePath):
        return path.read_bytes(offset, offset + size)
    with path.open("rb") as stream:
        stream.seek(offset)
        return stream.read(size)
