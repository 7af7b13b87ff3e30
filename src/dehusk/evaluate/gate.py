"""Floors that quality must not fall under: pinned figures with the hash of the pages that they were measured on."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from dehusk.errors import InputError
from dehusk.evaluate.scores import Row

EPSILON = 0.005
"""How much a figure may be below its floor: other versions of libraries move it by that."""


@dataclass(frozen=True)
class Floor:
    """A tool's mean word-bag F1 on a set."""

    tool: str
    """Name without version."""
    set: str
    hash: str
    """Of the set's contents; other pages are another figure."""
    pages: int
    f1: float


def floors_of(rows: Sequence[Row], hashes: Mapping[str, str]) -> list[Floor]:
    """Return what a run measured as floors; of a run with failures too, which are part of the figure."""
    return [Floor(row.tool.split(" ")[0], row.group, hashes[row.group], row.pages, round(row.f1, 4)) for row in rows]


def read_floors(path: Path) -> list[Floor]:
    """Read pinned floors.

    Raises:
        InputError: the file is missing, or holds something else.
    """
    try:
        return [Floor(**row) for row in json.loads(path.read_text("utf-8"))["floors"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} has no floors: {' '.join(str(error).split())}") from error


def failures(pinned: Sequence[Floor], measured: Sequence[Floor]) -> list[str]:
    """Return one line for each floor that is not kept; floors of sets and tools that were not run are passed over.

    Raises:
        InputError: none of the floors is of what was measured.
    """
    found = {(one.tool, one.set): one for one in measured}
    checked = [(floor, found[floor.tool, floor.set]) for floor in pinned if (floor.tool, floor.set) in found]
    if not checked:
        raise InputError("none of the floors is for the tools and sets that were run")
    said = []
    for floor, now in checked:
        name = f"{floor.tool} on {floor.set}"
        if now.hash != floor.hash or now.pages != floor.pages:
            said.append(f"{name}: other pages ({now.pages}, {now.hash}) than pinned ({floor.pages}, {floor.hash})")
        elif now.f1 < floor.f1 - EPSILON:
            said.append(f"{name}: F1 {now.f1:.4f} is under the floor {floor.f1:.4f}")
    return said


def pin(path: Path, measured: Sequence[Floor], *, lower: bool) -> None:
    """Write floors into a file; those of other tools and sets stay.

    Args:
        path: the file, made where it is missing.
        measured: what is pinned.
        lower: allow a floor to become lower.

    Raises:
        InputError: a floor would become lower, or the file cannot be written.
    """
    known = {(one.tool, one.set): one for one in read_floors(path)} if path.exists() else {}
    for one in measured:
        before = known.get((one.tool, one.set))
        if before and before.hash == one.hash and one.f1 < before.f1 and not lower:
            raise InputError(f"{one.tool} on {one.set}: {one.f1:.4f} is lower than the floor {before.f1:.4f}")
        known[one.tool, one.set] = one
    rows = [asdict(known[key]) for key in sorted(known)]
    try:
        path.write_text(json.dumps({"floors": rows}, indent=1) + "\n", "utf-8")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error
