"""Published archives: download them, resuming what was interrupted, and read the files that a layout wants."""

import gzip
import http.client
import lzma
import shutil
import tarfile
import urllib.error
import urllib.request
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from dehusk.base.errors import FetchError, InputError

Files = Mapping[str, bytes]
"""Path in the archive -> contents, decompressed where the name ends in .gz (and then without this ending)."""
_CHUNK = 1 << 20
_PARTIAL = 206
_NO_MORE = 416
_DAMAGED = (OSError, EOFError, ValueError, tarfile.TarError, zipfile.BadZipFile, lzma.LZMAError, zlib.error)


def download(address: str, target: Path, *, seconds: float = 60.0) -> None:
    """Download a file; what an interrupted download left as `<target>.part` is continued.

    Args:
        address: where it is published.
        target: where to write it; it appears only when it is complete.
        seconds: how long to wait for the server.

    Raises:
        FetchError: the server cannot be reached, refuses, or ends early.
        InputError: the file cannot be written.
    """
    part = target.with_name(f"{target.name}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        have = part.stat().st_size if part.exists() else 0
        request = urllib.request.Request(address, headers={"Range": f"bytes={have}-"} if have else {})  # noqa: S310
        with urllib.request.urlopen(request, timeout=seconds) as answer:  # noqa: S310
            expected = int(answer.headers.get("Content-Length") or -1)
            resumed = answer.status == _PARTIAL
            with part.open("ab" if resumed else "wb") as file:
                shutil.copyfileobj(answer, file, _CHUNK)
        got = part.stat().st_size - (have if resumed else 0)
        if expected >= 0 and got != expected:
            raise FetchError(f"{address}: {got} of {expected} bytes came; repeat to resume", reason="error")
    except urllib.error.HTTPError as error:
        if error.code != _NO_MORE:  # 416: the part is whole already
            raise FetchError(f"{address}: HTTP {error.code} {error.reason}", reason="http-error") from error
    except (urllib.error.URLError, TimeoutError, http.client.HTTPException, ConnectionError) as error:
        raise FetchError(f"{address}: {getattr(error, 'reason', error)}", reason="error") from error
    except OSError as error:
        raise InputError(f"{part} cannot be written: {error.strerror or error}") from error
    part.replace(target)


def read_archive(path: Path, wanted: Callable[[str], bool]) -> Files:
    """Return the files of an archive, or of a folder that holds what was in one, that a layout wants.

    The topmost folder, whose name changes with the version of a repository, is not part of a path.

    Args:
        path: a .zip, .tar, .tar.gz, .tar.xz, or a folder.
        wanted: whether a path is wanted, with its ending .gz.

    Raises:
        InputError: it is missing, cut or not an archive.
    """
    if not path.exists():
        raise InputError(f"{path} does not exist")
    read = _folder if path.is_dir() else _zip if zipfile.is_zipfile(path) else _tar
    try:
        return {_bare(name): _plain(name, data) for name, data in read(path, wanted)}
    except _DAMAGED as error:
        raise InputError(f"{path} cannot be read: {error}; delete it and download it again") from error


def _inner(name: str) -> str:
    return name.removeprefix("./").partition("/")[2]


def _bare(name: str) -> str:
    return name.removesuffix(".gz")


def _plain(name: str, data: bytes) -> bytes:
    return gzip.decompress(data) if name.endswith(".gz") else data


def _folder(path: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    for file in sorted(path.rglob("*")):
        name = file.relative_to(path).as_posix()
        if file.is_file() and wanted(name):
            yield name, file.read_bytes()


def _zip(path: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            if not name.endswith("/") and wanted(_inner(name)):
                yield _inner(name), archive.read(name)


def _tar(path: Path, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(path) as archive:
        for member in archive:
            stream = archive.extractfile(member) if member.isfile() and wanted(_inner(member.name)) else None
            if stream is not None:
                yield _inner(member.name), stream.read()
