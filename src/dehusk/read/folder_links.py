"""Files in folders and behind globs, without those that links lead to elsewhere.

An archive of strangers may hold a link to any file of this computer, so that whoever cleans the unpacked folder would
publish that file. What a user names is followed, whatever it is; a link within a folder to another part of it leads to
nothing new.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from dehusk.base.errors import counted, listed

if TYPE_CHECKING:
    from dehusk.base.remote.file_path import FilePath


@dataclass(frozen=True)
class FolderLinks:
    """Whether links out of folders are followed, and which were not."""

    follow: bool = False
    skipped: set[str] = field(default_factory=set)
    """Links that lead out of the folder that was searched."""

    def files(self, folder: FilePath, wanted: Callable[[FilePath], bool]) -> list[FilePath]:
        """Return the files below a folder that are wanted, and links to nothing, sorted by path."""
        found = self._below(folder, wanted) if isinstance(folder, Path) else folder.rglob("*")
        return sorted(path for path in found if wanted(path) and may_be_read(path))

    def matches(self, pattern: str) -> list[str]:
        """Return the paths that match a glob, sorted; links may lead to its innermost folder that has no pattern."""
        root = _real(folder_of_glob(pattern))
        names = sorted(glob.glob(pattern, recursive=True))
        return [name for name in names if self._stays(Path(name), root)]

    def describe(self) -> str:
        """Return a line on what was skipped, "" if nothing was."""
        if not self.skipped:
            return ""
        links = counted(len(self.skipped), "link")
        return f"{links} out of the folder not followed ({listed(sorted(self.skipped))}): name what is to be read"

    def _below(self, folder: Path, wanted: Callable[[Path], bool]) -> Iterator[Path]:
        """Yield what is below a folder; folders behind links are searched if links are followed, each one once."""
        root = _real(folder)
        searched, waiting = [root], [folder]
        while waiting:
            for path in waiting.pop().rglob("*"):
                if not path.is_symlink():
                    yield path
                elif not path.is_dir():
                    if not wanted(path) or self._stays(path, root):
                        yield path
                elif self._stays(path, root) and not any(_real(path).is_relative_to(known) for known in searched):
                    searched.append(_real(path))
                    waiting.append(path)

    def _stays(self, path: Path, root: Path) -> bool:
        """Return whether a path may be read: it is in the folder, leads to nothing, or links are followed."""
        if self.follow or _real(path).is_relative_to(root) or not path.exists():
            return True
        self.skipped.add(str(path))
        return False


def may_be_read(path: FilePath) -> bool:
    """Return whether a path is a file, or a link to nothing: reading that fails, and says so."""
    return path.is_file() or (path.is_symlink() and not path.exists())


def folder_of_glob(pattern: str) -> Path:
    """Return the innermost folder that contains all matches of a glob."""
    parts = Path(pattern).parts[:-1]
    length = next((depth for depth, part in enumerate(parts) if glob.has_magic(part)), len(parts))
    return Path(*parts[:length])


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))  # `Path.resolve` raises for a link to itself
