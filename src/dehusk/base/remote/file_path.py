"""What functions ask of a path that may be local or remote. Needed for annotations only, so it is never imported."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Literal, Protocol, Self

from dehusk.base.remote.stores import FileStatus


class FilePath(Protocol):
    """What `pathlib.Path` and `RemotePath` have in common."""

    @property
    def name(self) -> str:
        """The last part."""

    @property
    def stem(self) -> str:
        """The name without its suffix."""

    @property
    def suffix(self) -> str:
        """The last suffix of the name, with its dot."""

    @property
    def parent(self) -> Self:
        """The folder."""

    def __truediv__(self, name: str, /) -> Self:
        """Return the path of a file or folder in this folder."""

    def __lt__(self, other: Self, /) -> bool:
        """Compare part by part."""

    def absolute(self) -> Self:
        """Return the path as another process can use it."""

    def exists(self) -> bool:
        """Return whether there is such a file or folder."""

    def is_dir(self) -> bool:
        """Return whether there is such a folder."""

    def is_file(self) -> bool:
        """Return whether there is such a file."""

    def is_symlink(self) -> bool:
        """Return whether this is a link."""

    def open(self, mode: Literal["rb"]) -> IO[bytes]:
        """Open the file for reading."""

    def read_text(self, encoding: str) -> str:
        """Return the content of a text file."""

    def relative_to(self, other: Self, /) -> PurePosixPath | Path:
        """Return the path from a folder to this file."""

    def resolve(self) -> Self:
        """Return the path without links."""

    def rglob(self, pattern: str) -> Iterator[Self]:
        """Yield the files and folders below this folder."""

    def stat(self) -> FileStatus | os.stat_result:
        """Return size and time of the file."""

    def with_name(self, name: str) -> Self:
        """Return a path beside this one."""

    def with_suffix(self, suffix: str) -> Self:
        """Return the path with another last suffix."""
