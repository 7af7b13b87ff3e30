"""Which net a report judges, so that figures of another net than the shipped one never stand in the documentation.

`results/judged.json` has for each report its date, the commit, and the hash of the net: of the arrays of the shipped one, or
of the recipe by which the nets of folds were trained.
"""

import datetime as dt
import hashlib
import json
import subprocess
from pathlib import Path
from typing import Literal

RESULTS = Path(__file__).parent / "results"
MODEL = Path(__file__).parents[1] / "src" / "dehusk" / "models" / "united"

Judges = Literal["shipped", "folds", "none"]
"""The shipped net; nets trained as it is, each without a third of the sites; or neither: another method, or tools."""


def card(folder: Path = MODEL) -> dict:
    """Return the card of a model."""
    return json.loads((folder / "card.json").read_text("utf-8"))


def recipe(folder: Path = MODEL) -> str:
    """Return a hash of how a net is trained: its features, its schedule and that of its teacher, but not its pages."""
    facts = card(folder)
    teacher = {key: value for key, value in facts["teacher"]["schedule"].items() if key != "labels"}  # it has no hints
    parts = [facts["features"], facts["schedule"], teacher]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


def net_hash(judges: Judges) -> str:
    """Return the hash of the net that a report made now would judge; empty for none."""
    return {"shipped": card()["arrays-sha256"][:16], "folds": recipe(), "none": ""}[judges]


def judged(results: Path = RESULTS) -> dict[str, dict[str, str]]:
    """Return for each report of a folder what it judges: date, commit, judges, net."""
    path = results / "judged.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def note_judged(name: str, judges: Judges) -> None:
    """Note what a report judges that is made now."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=MODEL, capture_output=True, text=True, check=False
    )
    entry = {"date": str(dt.date.today()), "commit": commit.stdout.strip(), "judges": judges, "net": net_hash(judges)}
    lines = [
        f"{json.dumps(key)}: {json.dumps(value)}" for key, value in sorted((judged(RESULTS) | {name: entry}).items())
    ]
    (RESULTS / "judged.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


def check_judged(name: str, results: Path = RESULTS) -> None:
    """Check that a report is of the net that is shipped now.

    Raises:
        ValueError: it is of another one, or does not say of which.
    """
    entry = judged(results).get(name)
    if entry is None:
        raise ValueError(f"judged.json does not say which net {name}.md judges: run its bench again")
    if entry["net"] != net_hash(entry["judges"]):
        raise ValueError(f"{name}.md judges a net that is not shipped any more: run its bench again")
