"""The papers whose main experiment `dehusk paper` runs, with the library that each needs."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Final

from dehusk.base.errors import InputError
from dehusk.base.extras import require
from dehusk.lab.papers.experiment import Experiment


@dataclass(frozen=True)
class Paper:
    """A paper: where its experiment stands, and what it needs."""

    module: str
    library: str
    extra: str
    takes_data: bool = True
    """Whether there are open sets for its experiment; the others run on generated pages only."""


PAPERS: Final[Mapping[str, Paper]] = {
    "victor": Paper("victor", "pycrfsuite", "victor"),
    "cst": Paper("cst", "sklearn", "sklearn", takes_data=False),
    "wisdom": Paper("wisdom", "rapidfuzz", "evaluate"),
    "findoptimal": Paper("findoptimal", "pydivsufsort", "findoptimal"),
}
"""Name -> paper."""


def run_paper(name: str, data: Path | None = None) -> Experiment:
    """Run the main experiment of a paper.

    Args:
        name: one of `PAPERS`.
        data: folder of the open sets (docs/data.md); by default pages are generated.

    Raises:
        InputError: the folder lacks a set, or no open set has the design of the paper.
        MissingExtraError: a library is not installed.
    """
    paper = PAPERS[name]
    if data is not None and not paper.takes_data:
        raise InputError(f"{name} takes no DATA: its pages are generated, because no open set has the paper's design")
    require(paper.library, extra=paper.extra, purpose=f"dehusk paper {name}")
    module = import_module(f"dehusk.lab.papers.{paper.module}")
    found: Experiment = module.experiment(data)
    return found
