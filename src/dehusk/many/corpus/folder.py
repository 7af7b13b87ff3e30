"""The output folder of a run: rows, site models, and the state that makes an interrupted run resumable.

pages/<input>.<suffix>   the rows of one input file
sites/<site>/            the model folder of each site
summary.json             the results of the run
state/                   where the inputs are; index and counts of each, and a marker for each finished part; safe to
                         delete
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from dehusk.base.atomic import remove, replacing
from dehusk.base.errors import InputError, explaining
from dehusk.base.remote.leases import leased
from dehusk.base.remote.paths import RemotePath

if TYPE_CHECKING:
    from dehusk.base.remote.file_path import FilePath

_MAX_NAME = 150  # characters of a file name


class RunFolder:
    """The output folder of a run.

    Args:
        root: a local folder, created if missing, or a remote one.
        shard: (i, n): the run cleans every n-th file, starting with the i-th, counted from 1; part of the names of its
            temporary files.
        attempt: added to the names of temporary files, because several processes may write the same file at once.
    """

    def __init__(self, root: FilePath, shard: tuple[int, int] = (1, 1), *, attempt: str = "") -> None:
        self.root = root
        self.shard = f"{shard[0]}of{shard[1]}"
        self.tag = f"{self.shard}-{attempt}" if attempt else self.shard
        self.pages = root / "pages"
        self.sites = root / "sites"
        self.state = root / "state"
        self._suffix = "" if shard[1] == 1 else f"-{self.shard}"
        self.summary = root / f"summary{self._suffix}.json"
        self.inputs = self.state / "inputs.json"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Reserve the folder for this run, and remove temporary files that a killed run left behind.

        Raises:
            InputError: another run of this shard is using the folder, or the folder cannot be written.
        """
        if isinstance(self.root, RemotePath):
            self.root.check_writable()
            with leased(self.root / "state" / f"lock-{self.shard}") as is_free:
                if not is_free:
                    raise self._in_use()
                self._remove_leftovers()
                yield
            return
        assert isinstance(self.state, Path)  # noqa: S101 (there are no other paths)
        with explaining(f"{self.root} cannot be written"):
            self.state.mkdir(parents=True, exist_ok=True)
            lock = (self.state / f"lock-{self.shard}").open("w")
        with lock:
            if not _lock(lock.fileno()):
                raise self._in_use()
            self._remove_leftovers()
            yield

    def _in_use(self) -> InputError:
        return InputError(f"another run is using {self.root}: wait until it ends, or choose another folder")

    def _remove_leftovers(self) -> None:
        if isinstance(self.root, RemotePath) and not self.root.has_folders:
            return  # a file appears there once it is complete
        patterns = (f".*.{self.shard}.tmp", f".*.{self.shard}-*.tmp")
        for folder in (self.pages, self.sites, self.state):
            for leftover in [path for pattern in patterns for path in folder.rglob(pattern)]:
                remove(leftover)

    def forget(self) -> None:
        """Remove the state of an earlier run, so that all work is done again."""
        for part in ("index", "counts", "done", "sites"):
            remove(self.state / part)

    def foreign(self, names: Sequence[str], suffix: str) -> list[str]:
        """Return the files in `pages/` that belong to none of the inputs.

        Args:
            names: the names of the inputs.
            suffix: the suffix of their output files.
        """
        expected = {f"{name}{suffix}" for name in names}
        files = [path.relative_to(self.pages).as_posix() for path in sorted(self.pages.rglob("*")) if path.is_file()]
        files = [name for name in files if not (name.rpartition("/")[2].startswith(".") and name.endswith(".tmp"))]
        return [name for name in files if expected.isdisjoint([name, *map(str, PurePosixPath(name).parents)])]

    def site(self, site: str) -> FilePath:
        """Return the path of a site's model folder."""
        return self.sites / file_name(site)

    def index(self, name: str) -> FilePath:
        """Return the path of an input's index."""
        return self.state / "index" / f"{name}.json"

    def counts(self, name: str) -> FilePath:
        """Return the path of an input's counts; their marker has the same path with the suffix `.json`."""
        return self.state / "counts" / f"{name}{self._suffix}.bin"  # other shards count other sites of the same input

    def marker(self, name: str) -> FilePath:
        """Return the path of the marker for an input that has been cleaned."""
        return self.state / "done" / f"{name}.json"

    def site_marker(self, site: str) -> FilePath:
        """Return the path of the marker for a site that has been learned."""
        return self.state / "sites" / f"{file_name(site)}.json"

    def write(self, path: FilePath, values: Any) -> None:
        """Write values to a JSON file atomically."""
        with replacing(path, owner=self.tag) as temporary:
            temporary.write_text(json.dumps(values, ensure_ascii=True) + "\n", "utf-8")


def read_json(path: FilePath) -> Any:
    """Return the content of a JSON file; None if it is missing or damaged."""
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None


def read_values(path: FilePath) -> Any:
    """Return the values in a marker, which has a digest of what they depend on; None if it is missing or damaged."""
    values = read_json(path)
    return values if isinstance(values, dict) and "digest" in values else None


def digest(*values: Any) -> str:
    """Return a short hash of plain values."""
    text = json.dumps(values, sort_keys=True, ensure_ascii=True)
    return blake2b(text.encode(), digest_size=16).hexdigest()


def file_name(site: str) -> str:
    """Return a file name for a site: the site's name itself if that is safe."""
    escaped = quote(site, safe="").replace(".", "%2E", 1) if site.startswith(".") else quote(site, safe="")
    if len(escaped) <= _MAX_NAME:
        return escaped
    return f"{escaped[:_MAX_NAME]}-{blake2b(site.encode(), digest_size=8).hexdigest()}"


def _lock(descriptor: int) -> bool:
    if os.name != "posix":
        return True
    import fcntl  # noqa: PLC0415 (not available on every system)

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
