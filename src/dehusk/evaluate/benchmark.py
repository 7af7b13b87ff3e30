"""Tools on pages, all in one way: the same decoded page, a process of its own, a time limit; resumable."""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dehusk.errors import InputError
from dehusk.evaluate.predictions import Output, Prediction, key, read_predictions
from dehusk.evaluate.site_groups import groups, peers
from dehusk.evaluate.tools import TOOLS, View, make, told
from dehusk.gold.datasets import Sample, read_set
from dehusk.processes.child import Child, ChildError
from dehusk.read import decode

SECONDS = 20.0
_WARM = "<html><body><article><h1>A page</h1><p>Some words to begin with, so that all is loaded.</p></article></html>"


@dataclass(frozen=True)
class BenchmarkPlan:
    """What is measured."""

    tools: tuple[str, ...]
    samples: tuple[Sample, ...]
    seconds: float = SECONDS
    """Wall time that a page may take; a site may take so long for each of its pages."""


def choose(paths: Sequence[Path], *, sample: int | None, seed: int = 0) -> tuple[Sample, ...]:
    """Return the pages of sets that have gold, at most so many of each set, chosen by the seed.

    Raises:
        InputError: a set is missing or damaged, two have the same name, or there is no page with gold.
    """
    found: list[Sample] = []
    names: set[str] = set()
    for path in paths:
        pages = [one for one in read_set(path) if one.gold is not None]
        if pages and pages[0].set in names:
            raise InputError(f"two sets are called {pages[0].set}")
        names.update(one.set for one in pages[:1])
        if sample is not None and sample < len(pages):
            chosen = sorted(random.Random(seed).sample(range(len(pages)), sample))  # noqa: S311 (a sample, no secret)
            pages = [pages[number] for number in chosen]
        found += pages
    if not found:
        raise InputError("the sets hold no page with gold text")
    return tuple(found)


Group = list[Sample]
"""Pages that a tool sees together: of one site, or one page."""


def missing(task: BenchmarkPlan, done: Iterable[Prediction]) -> dict[str, list[Group]]:
    """Return tool -> pages that it has no prediction for yet; tools that are ready are not there.

    Of a site whose pages are not all done, all are seen again, because they are cleaned together.
    """
    known = {identity(one) for one in done}
    left: dict[str, list[Group]] = {}
    for name in task.tools:
        own = [group for group in seen_by(name, task.samples) if not known.issuperset(_wanted(name, group))]
        if own:
            left[name] = own
    return left


def seen_by(name: str, samples: Sequence[Sample]) -> list[Group]:
    """Return the pages as a tool sees them: those of a site together where it learns from them, else each alone."""
    return groups(samples) if TOOLS[name].by_site else [[sample] for sample in samples]


def identity(one: Prediction) -> tuple[str, ...]:
    """Return what tells a prediction from all others, with what its tool saw."""
    return (one.tool, one.set, one.id, one.seen, one.peers)


def current(task: BenchmarkPlan, done: Iterable[Prediction]) -> list[Prediction]:
    """Return the predictions that are of the task: of its tools, of these pages, seen with these neighbours."""
    wanted = {one for name in task.tools for group in seen_by(name, task.samples) for one in _wanted(name, group)}
    found = {identity(one): one for one in done}
    return [one for known, one in found.items() if known in wanted]


def _wanted(name: str, group: Group) -> list[tuple[str, ...]]:
    together = peers(group) if TOOLS[name].by_site else ""
    return [(title(name), sample.set, sample.id, key(sample), together) for sample in group]


def title(name: str) -> str:
    """Return what a tool's predictions are called: with its version, so that another version is measured anew.

    Raises:
        InputError: no such tool.
    """
    if name not in TOOLS:
        raise InputError(f"no tool {name!r}; known: {', '.join(TOOLS)}")
    return f"{name} {TOOLS[name].version or 'not installed'}"


def run(task: BenchmarkPlan, done: Iterable[Prediction] = ()) -> Iterator[Prediction]:
    """Yield the predictions that are not done yet, tool by tool; a failure is a prediction with an error."""
    for name, left in missing(task, done).items():
        with Child(make, name, seconds=task.seconds, finish=told) as child:
            warm(child)
            for group in left:
                yield from _predict(child, name, group)


def warm(child: Child[Sequence[View], list[Output]]) -> None:
    """Give a tool a first page, which loads what it loads; what it says of it is of no matter."""
    try:
        child.work([View(_WARM)])
    except ChildError:
        return


def _predict(child: Child[Sequence[View], list[Output]], name: str, group: Group) -> list[Prediction]:
    """Return the predictions for pages that are seen together; a page may take as long as the task says, on average."""
    views = [View(decode(sample.bare).text, sample.url or "") for sample in group]
    wanted = _wanted(name, group)
    try:
        found, seconds = child.work(views, seconds=child.seconds * len(group))
        peak = child.peak()
    except ChildError as error:
        return [
            Prediction(set_, id_, tool, "", error=str(error), seen=seen, peers=together)
            for tool, set_, id_, seen, together in wanted
        ]
    return [
        Prediction(
            set=set_,
            id=id_,
            tool=tool,
            text=_writable(output.text),
            ms=round(1000 * seconds / len(group), 3),
            mb=None if peak is None else round(peak, 1),
            seen=seen,
            peers=together,
            cleaneval=_writable(output.cleaneval),
            blocks=output.blocks,
        )
        for (tool, set_, id_, seen, together), output in zip(wanted, found, strict=True)
    ]


def _writable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def resumed(path: Path) -> list[Prediction]:
    """Return the predictions of a file that a run wrote, and cut off a last line that is not whole.

    Raises:
        InputError: the file holds something else.
    """
    if not path.exists():
        return []
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        path.write_bytes(whole)
    return list(read_predictions(path))
