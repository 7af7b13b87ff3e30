"""Atomic writes: a file or folder appears as a whole, or not at all."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from dehusk.remote.paths import FilePath, RemotePath

_ATTEMPTS = 3  # at moving a folder into place while another process does the same


@contextmanager
def replacing(target: FilePath, *, owner: str = "") -> Iterator[Path]:
    """Yield a temporary local path; on success, what was written there replaces `target`.

    If the block raises, or leaves nothing at the temporary path, `target` stays as it was. The temporary path is beside
    `target`; for a remote `target` it is in the folder of temporary files, and what was written there is sent.

    Args:
        target: a file or folder; missing parent folders are created.
        owner: tells the temporary paths of concurrent writers apart; by default the process id.

    Raises:
        InputError: a remote target cannot be written.
    """
    owner = owner or str(os.getpid())
    if isinstance(target, RemotePath):
        with tempfile.TemporaryDirectory(prefix="dehusk-") as folder:
            yield (source := Path(folder) / target.name)
            if source.exists():
                target.put(source, owner=owner)
        return
    assert isinstance(target, Path)  # noqa: S101 (there are no other paths)
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
    if isinstance(path, RemotePath):
        path.remove()
        return
    assert isinstance(path, Path)  # noqa: S101 (there are no other paths)
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


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
