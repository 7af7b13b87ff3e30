"""Tools on pages, all in one way: the same decoded page, a process of its own, a time limit; resumable."""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from dehusk.errors import InputError
from dehusk.evaluate.predictions import Prediction, read_predictions
from dehusk.evaluate.rivals import TOOLS, make
from dehusk.gold.datasets import Sample, read_set
from dehusk.read.decode import decode
from dehusk.run.child import Child, ChildError

SECONDS = 20.0
_WARM = "<html><body><article><h1>A page</h1><p>Some words to begin with, so that all is loaded.</p></article></html>"


@dataclass(frozen=True)
class Task:
    """What is measured."""

    tools: tuple[str, ...]
    samples: tuple[Sample, ...]
    seconds: float = SECONDS
    """Wall time that a page may take."""

    @property
    def size(self) -> int:
        """Predictions in all."""
        return len(self.tools) * len(self.samples)


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


def missing(task: Task, done: Iterable[Prediction]) -> dict[str, list[Sample]]:
    """Return tool -> pages that it has no prediction for yet; tools that are ready are not there."""
    known = {(one.tool, one.set, one.id) for one in done}
    left: dict[str, list[Sample]] = {}
    for name in task.tools:
        own = [one for one in task.samples if (title(name), one.set, one.id) not in known]
        if own:
            left[name] = own
    return left


def title(name: str) -> str:
    """Return what a tool's predictions are called: with its version, so that another version is measured anew.

    Raises:
        InputError: no such tool.
    """
    if name not in TOOLS:
        raise InputError(f"no tool {name!r}; known: {', '.join(TOOLS)}")
    return f"{name} {TOOLS[name].version or 'not installed'}"


def run(task: Task, done: Iterable[Prediction] = ()) -> Iterator[Prediction]:
    """Yield the predictions that are not done yet, tool by tool; a failure is a prediction with an error."""
    for name, samples in missing(task, done).items():
        with Child(make, name, seconds=task.seconds) as child:
            warm(child)
            for sample in samples:
                yield _predict(child, title(name), sample)


def warm(child: Child[str, str]) -> None:
    """Give a tool a first page, which loads what it loads; what it says of it is of no matter."""
    try:
        child.work(_WARM)
    except ChildError:
        return


def _predict(child: Child[str, str], tool: str, sample: Sample) -> Prediction:
    try:
        text, seconds = child.work(decode(sample.bare).text)
    except ChildError as error:
        return Prediction(sample.set, sample.id, tool, "", error=str(error))
    return Prediction(
        sample.set, sample.id, tool, text.encode("utf-8", "replace").decode(), ms=round(1000 * seconds, 3)
    )


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
