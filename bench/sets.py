"""Locate the sets and write results."""

import argparse
import json
import re
import sys
from functools import cache
from pathlib import Path

from shipped import RESULTS, Judges, note_judged

OPEN_SETS = (
    "wcxb-dev",
    "dragnet-a",
    "chaos-a",
    "scrapinghub-a",
    "big9-2013",
    "big9-2005",
    "cleaneval-dev",
    "cleaneval-final",
    "cleanportaleval-a",
    "l3s-gn1-a",
    "readability-a",
)
_UNSPACED = re.compile("([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])")


def data_argument(description: str) -> Path:
    """Return the folder of sets, the only argument of most benches."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("data", type=Path, help="folder with the sets, each a folder or a .tar.xz")
    return parser.parse_args().data


def set_path(data: Path, name: str) -> Path:
    """Return the folder of a set, or its archive if the folder does not exist."""
    folder = data / name
    return folder if folder.is_dir() else data / f"{name}.tar.xz"


@cache
def sets_found(data: Path, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of some sets that a folder holds; name the others, so that no figure is without them silently."""
    found = tuple(name for name in names if set_path(data, name).exists())
    if missing := [name for name in names if name not in found]:
        print(f"{data} holds no {', '.join(missing)}: trained and judged without them", file=sys.stderr)
    return found


def spaced(text: str) -> str:
    """Return a text in which each character of a script without spaces is a word."""
    return _UNSPACED.sub(r" \1 ", text)


def write_results(name: str, text: str, values: object, *, judges: Judges) -> None:
    """Print a report, and write it, its values (as JSON) and what it judges to the results."""
    print(text)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.md").write_text(text, "utf-8")
    (RESULTS / f"{name}.json").write_text(json.dumps(values, indent=1) + "\n", "utf-8")
    note_judged(name, judges)
