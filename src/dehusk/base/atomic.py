"""Atomic writes: a file or folder appears as a whole, or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from dehusk.base.processes.risk import run_number

if TYPE_CHECKING:
    from dehusk.base.remote.file_path import FilePath
    from dehusk.base.remote.paths import RemotePath

_ATTEMPTS = 3  # at moving a folder into place while another process does the same


@contextmanager
def replacing(target: FilePath, *, owner: str = "") -> Iterator[Path]:
    """Yield a temporary local path; on success, what was written there replaces `target`.

    If the block raises, or leaves nothing at the temporary path, `target` stays as it was. The temporary path is beside
    `target`; for a remote `target` it is in the folder of temporary files, and what was written there is sent.

    Args:
        target: a file or folder; missing parent folders are created.
        owner: tells the temporary paths of concurrent writers apart; by default the number of the process, or of the
            one that begins a command again, so that a process that dies leaves nothing for good.

    Raises:
        InputError: a remote target cannot be written.
    """
    owner = owner or str(run_number())
    if not isinstance(target, Path):
        import tempfile  # noqa: PLC0415 (local files do without)

        with tempfile.TemporaryDirectory(prefix="dehusk-") as folder:
            yield (source := Path(folder) / target.name)
            if source.exists():
                _remote(target).put(source, owner=owner)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.{owner}.tmp")
    remove(temporary)
    try:
        yield temporary
        if temporary.is_dir():
            _replace_folder(temporary, target)
        elif temporary.exists():
            temporary.replace(target)
    finally:
        remove(temporary)


def write_text(target: Path, text: str) -> None:
    """Write a text file atomically, as UTF-8 with the line ends of `text`."""
    with replacing(target) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="")


def remove(path: FilePath) -> None:
    """Remove a file or a whole folder, if it exists."""
    if not isinstance(path, Path):
        _remote(path).remove()
    elif path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _remote(path: FilePath) -> RemotePath:
    from dehusk.base.remote.paths import RemotePath  # noqa: PLC0415 (local paths do without it)

    assert isinstance(path, RemotePath)  # noqa: S101 (there are no other paths)
    return path


def _replace_folder(temporary: Path, target: Path) -> None:
    """Move a folder into place; `rename` cannot overwrite one, and another process may try at the same time."""
    previous = temporary.with_name(f"{temporary.name.removesuffix('.tmp')}-before.tmp")
    for attempt in range(_ATTEMPTS):
        remove(previous)
        with suppress(FileNotFoundError):
            target.replace(previous)
        try:
            temporary.replace(target)
            break
        except OSError:  # another process has just put a folder there
            if attempt == _ATTEMPTS - 1:
                raise
    remove(previous)
