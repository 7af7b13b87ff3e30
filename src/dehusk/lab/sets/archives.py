"""Published archives: download them, resuming what was interrupted, and read the files or lines that a layout wants."""

import gzip
import http.client
import json
import shutil
import urllib.error
import urllib.request
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from dehusk.base.errors import FetchError, InputError
from dehusk.many.files.archives import read_tar, read_zip
from dehusk.many.files.options import ReadOptions
from dehusk.many.files.record import Loss

Files = Mapping[str, bytes]
"""Path in the archive -> contents, decompressed where the name ends in .gz (and then without this ending)."""
_CHUNK = 1 << 20
_PARTIAL = 206
_NO_MORE = 416
_MOST = 1 << 30
"""Most bytes of a file in an archive; a longer one is cut, and its hash fits no page."""


def download(address: str, target: Path, *, seconds: float = 60.0) -> None:
    """Download a file; `<target>.part`, which an interrupted download left, is resumed.

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
    """Return the files of an archive that a layout wants.

    The topmost folder, whose name changes with the version of a repository, is not part of a path.

    Args:
        path: a .zip, or a .tar that may be compressed.
        wanted: whether a path is wanted, with its ending .gz.

    Raises:
        InputError: it is missing, cut, encrypted or not an archive.
    """
    files: dict[str, bytes] = {}
    try:
        read = read_zip if zipfile.is_zipfile(path) else read_tar
        for part in read(path, ReadOptions(limit=_MOST)):
            if isinstance(part, Loss):
                raise InputError(f"{path} cannot be read: {part.message}; delete it and download it again")
            name = part.id.removeprefix("./").partition("/")[2]
            if wanted(name):
                files[name.removesuffix(".gz")] = gzip.decompress(part.raw) if name.endswith(".gz") else part.raw
    except FileNotFoundError:
        raise InputError(f"{path} does not exist") from None
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path} cannot be read: {error}; delete it and download it again") from error
    return files


def read_lines(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the objects of a published file of JSON Lines, one at a time: such a file can be larger than the memory.

    Raises:
        InputError: it is missing or cannot be read, or a line is not a JSON object.
    """
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    row = json.loads(line)
                    if not isinstance(row, dict):
                        raise InputError(f"{path} cannot be read: line {number} is not an object")
                    yield row
    except FileNotFoundError:
        raise InputError(f"{path} does not exist") from None
    except ValueError as error:
        raise InputError(
            f"{path} cannot be read: line {number} is not JSON; delete the file and download it again"
        ) from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
