"""The output folder of a run: pages, site models, and the notes by which a run that was ended goes on.

pages/<input>.<end>      rows of one input file
sites/<site>/            a model folder for each site
summary.json             what the run came to
state/                   index and counts of each input, and a marker for each finished part; may be removed
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote

from dehusk.atomic import remove, replacing
from dehusk.errors import InputError

_LONGEST = 150  # characters of a file's name


class Folder:
    """The output folder.

    Args:
        root: made where it is missing.
        shard: (i, n): this run does every n-th file from the i-th on, from 1; its temporaries carry both numbers.
        attempt: a name that temporaries carry, too, where several processes may write the same thing at once.
    """

    def __init__(self, root: Path, shard: tuple[int, int] = (1, 1), *, attempt: str = "") -> None:
        self.root = root
        self.shard = f"{shard[0]}of{shard[1]}"
        self.tag = f"{self.shard}-{attempt}" if attempt else self.shard
        self.pages = root / "pages"
        self.sites = root / "sites"
        self.state = root / "state"
        self._end = "" if shard[1] == 1 else f"-{self.shard}"
        self.summary = root / f"summary{self._end}.json"

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the folder for this run alone, and remove what a run that was killed left half written.

        Raises:
            InputError: another run of this shard is at work, or the folder cannot be written.
        """
        try:
            self.state.mkdir(parents=True, exist_ok=True)
            lock = (self.state / f"lock-{self.shard}").open("w")
        except OSError as error:
            raise InputError(f"{self.root} cannot be written: {error.strerror}") from error
        with lock:
            if not _lock(lock.fileno()):
                raise InputError(f"another run is at work in {self.root}")
            for place in (self.pages, self.sites, self.state):
                for left in [*place.rglob(f".*.{self.shard}.tmp"), *place.rglob(f".*.{self.shard}-*.tmp")]:
                    remove(left)
            yield

    def forget(self) -> None:
        """Remove the notes of what is done."""
        for part in ("index", "counts", "done", "sites"):
            remove(self.state / part)

    def foreign(self, names: Sequence[str], end: str) -> list[str]:
        """Return the files among the pages that are of none of these inputs.

        Args:
            names: of the inputs.
            end: of the names of their pages' files.
        """
        own = {f"{name}{end}" for name in names}
        found = [path.relative_to(self.pages).as_posix() for path in sorted(self.pages.rglob("*")) if path.is_file()]
        found = [name for name in found if not (name.rpartition("/")[2].startswith(".") and name.endswith(".tmp"))]
        return [name for name in found if own.isdisjoint([name, *map(str, PurePosixPath(name).parents)])]

    def site(self, site: str) -> Path:
        """Return the folder of a site's model."""
        return self.sites / file_name(site)

    def index(self, name: str) -> Path:
        """Return where the index of an input is kept."""
        return self.state / "index" / f"{name}.json"

    def counts(self, name: str) -> Path:
        """Return where the counts of an input are kept; their marker has the same name and .json."""
        return self.state / "counts" / f"{name}{self._end}.bin"  # another shard counts other sites of it

    def marker(self, name: str) -> Path:
        """Return the marker of an input that is cleaned."""
        return self.state / "done" / f"{name}.json"

    def site_marker(self, site: str) -> Path:
        """Return the marker of a site that is learned."""
        return self.state / "sites" / f"{file_name(site)}.json"

    def write(self, path: Path, values: Any) -> None:
        """Write values as JSON, at once and as a whole."""
        with replacing(path, owner=self.tag) as temporary:
            temporary.write_text(json.dumps(values, ensure_ascii=True) + "\n", "utf-8")


def read_values(path: Path) -> Any:
    """Return what a file of JSON holds, None where it is missing or damaged."""
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None


def digest(*values: Any) -> str:
    """Return a short hash of plain values."""
    text = json.dumps(values, sort_keys=True, ensure_ascii=True)
    return blake2b(text.encode(), digest_size=16).hexdigest()


def file_name(site: str) -> str:
    """Return a file name for a site: itself where it can be one."""
    plain = quote(site, safe="").replace(".", "%2E", 1) if site.startswith(".") else quote(site, safe="")
    if len(plain) <= _LONGEST:
        return plain
    return f"{plain[:_LONGEST]}-{blake2b(site.encode(), digest_size=8).hexdigest()}"


def _lock(number: int) -> bool:
    if os.name != "posix":
        return True
    import fcntl  # noqa: PLC0415 (not on every system)

    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
