"""Quality gate: pinned figures that must not fall, each with the hash of the pages it was measured on."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from dehusk.base.errors import InputError, explaining
from dehusk.lab.evaluate.scores import FigureRow

EPSILON = 0.005
"""How far a figure may fall below its floor: about as much as other versions of libraries shift it."""


@dataclass(frozen=True)
class Floor:
    """The mean word-bag F1 that a tool must reach on a set."""

    tool: str
    """Its name, without the version."""
    set: str
    hash: str
    """Hash of the set's contents; figures on other pages cannot be compared."""
    pages: int
    f1: float


def floors_of(rows: Sequence[FigureRow], hashes: Mapping[str, str]) -> list[Floor]:
    """Return the figures of a run as floors; a figure includes failures."""
    return [Floor(row.tool.split(" ")[0], row.group, hashes[row.group], row.pages, round(row.f1, 4)) for row in rows]


def read_floors(path: Path) -> list[Floor]:
    """Read pinned floors: the list `floors` of a JSON object.

    Raises:
        InputError: the file is missing, or contains something else.
    """
    try:
        pinned = json.loads(path.read_text("utf-8"))
        if not isinstance(pinned, dict) or not all(isinstance(row, dict) for row in pinned["floors"]):
            raise ValueError('it must be a JSON object whose "floors" are a list of objects')
        return [Floor(**row) for row in pinned["floors"]]
    except KeyError as error:
        raise InputError(f"{path}: floors cannot be read: it has no {error}") from error
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"{path}: floors cannot be read: {' '.join(str(error).split())}") from error


def missed_floors(pinned: Sequence[Floor], measured: Sequence[Floor]) -> list[str]:
    """Return one line for each floor that is missed; ignore floors of tools and sets that were not measured.

    Raises:
        InputError: none of the floors is for a tool and set that was measured.
    """
    by_name = {(floor.tool, floor.set): floor for floor in measured}
    checked = [(floor, by_name[floor.tool, floor.set]) for floor in pinned if (floor.tool, floor.set) in by_name]
    if not checked:
        raise InputError("the file contains no floor for the tools and sets of this run")
    lines = []
    for floor, now in checked:
        name = f"{floor.tool} on {floor.set}"
        if now.hash != floor.hash or now.pages != floor.pages:
            lines.append(
                f"{name}: the pages differ: measured on {now.pages} ({now.hash}), "
                f"pinned on {floor.pages} ({floor.hash})"
            )
        elif now.f1 < floor.f1 - EPSILON:
            lines.append(f"{name}: F1 {now.f1:.4f} is below the floor {floor.f1:.4f}")
    return lines


def pin_floors(path: Path, measured: Sequence[Floor], *, lower: bool) -> None:
    """Write floors to a file and keep its floors of other tools and sets.

    Args:
        path: the file; created if missing.
        measured: the floors to pin.
        lower: allow a floor to become lower.

    Raises:
        InputError: a floor would become lower, or the file cannot be written.
    """
    floors = {(floor.tool, floor.set): floor for floor in read_floors(path)} if path.exists() else {}
    for floor in measured:
        before = floors.get((floor.tool, floor.set))
        if before and before.hash == floor.hash and floor.f1 < before.f1 and not lower:
            raise InputError(
                f"{floor.tool} on {floor.set}: F1 {floor.f1:.4f} is below the pinned {before.f1:.4f}; "
                "--lower allows a lower floor"
            )
        floors[floor.tool, floor.set] = floor
    rows = [asdict(floors[name]) for name in sorted(floors)]
    with explaining(f"{path}: cannot be written"):
        path.write_text(json.dumps({"floors": rows}, indent=1) + "\n", "utf-8")
