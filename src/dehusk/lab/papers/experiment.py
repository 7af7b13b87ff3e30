"""The experiments of papers that `dehusk paper` runs: what each needs, and what it reports.

That is tables, a picture, and the sentences that follow from the figures.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Final

from dehusk.base.errors import InputError
from dehusk.base.extras import require
from dehusk.lab.evaluate.text_tables import markdown_table
from dehusk.lab.gold.datasets import Sample, read_set

TableRows = list[list[str]]


@dataclass(frozen=True)
class Experiment:
    """The report of an experiment."""

    title: str
    about: str
    """Which pages, and what is done with them."""
    tables: Mapping[str, TableRows]
    """Caption -> table, in order; the first row of a table has the headings of its columns."""
    findings: Sequence[str]
    """What follows from the figures; the first says who wins."""
    pictures: Mapping[str, str] = field(default_factory=dict)
    """File name -> SVG."""

    def markdown(self, *, pictures: bool = True) -> str:
        """Return the report as Markdown, with the findings first, and with references to the pictures or without."""
        parts = [f"# {self.title}", *self.findings, self.about]
        for caption, rows in self.tables.items():
            parts += [f"## {caption}", markdown_table(rows).rstrip()]
        if pictures:
            parts += [f"![{self.title}]({name})" for name in self.pictures]
        return "\n\n".join(parts) + "\n"


def best(scores: Mapping[str, float]) -> str:
    """Return the name of the highest score; of equal ones, the first."""
    return max(scores, key=lambda name: scores[name])


def compared(ours: Mapping[str, float], others: Mapping[str, float], measure: str) -> str:
    """Say whether the best of some ways beats the best rival, with both figures; within .0005 they are level."""
    mine, theirs = best(ours), best(others)
    gap = ours[mine] - others[theirs]
    word = "level with" if abs(gap) < 0.0005 else "ahead of" if gap > 0 else "behind"
    return f"**{measure}: {mine} ({ours[mine]:.3f}) is {word} the best rival, {theirs} ({others[theirs]:.3f}).**"


def read_open_set(data: Path, name: str) -> list[Sample]:
    """Return the pages of an open set.

    Raises:
        InputError: the set is not in the folder, neither as a folder nor as an archive.
    """
    for path in (data / name, data / f"{name}.tar.xz"):
        if path.exists():
            return list(read_set(path))
    raise InputError(f"{data} has no set {name}: DATA is the folder of the open sets (docs/data.md)")


def read_gold(data: Path, names: Sequence[str]) -> list[Sample]:
    """Return the pages with gold texts of some open sets.

    Raises:
        InputError: as `read_open_set`.
    """
    return [sample for name in names for sample in read_open_set(data, name) if sample.gold is not None]


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
