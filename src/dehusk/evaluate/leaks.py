"""Pages that a tool has seen before, and pages that two sets share: what makes figures look better than they are."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from dehusk.evaluate.tools import TOOLS
from dehusk.gold.datasets import Sample
from dehusk.gold.page_keys import load_keys, sample_keys
from dehusk.measures.metrics import word_bag
from dehusk.methods import DEFAULT, model_folder, shipped_models
from dehusk.read import parse
from dehusk.store import load_model, method_of

LEAST_IN_PAGE = 0.5
"""Share of the gold text's words that a page must hold, whatever their order."""


def notes(tools: Iterable[str], samples: Sequence[Sample]) -> list[str]:
    """Return a line for our tools that were trained on the same of these sets, and for sets that share pages.

    Args:
        tools: titles as predictions have them, name and version.
        samples: the pages that are judged.
    """
    said: dict[str, list[str]] = {}
    for tool in tools:
        name = model_of(tool)
        if tool.split(" ")[0] in TOOLS and name in shipped_models():  # nothing is known of others' training
            for line in trained_on(model_folder(name), samples):
                said.setdefault(line, []).append(tool)
    return [f"{', '.join(own)}: {line}" for line, own in said.items()] + shared(samples)


def model_of(tool: str) -> str:
    """Return the name of the shipped model that a tool of ours uses; another tool's own name."""
    name = tool.split(" ", maxsplit=1)[0]
    return DEFAULT if name in ("dehusk", "dehusk-with-site") else name.removeprefix("dehusk-")


def no_measure(tools: Iterable[str], samples: Sequence[Sample]) -> frozenset[tuple[str, str]]:
    """Return (tool, set) for our models and the sets that their cards name: figures there are no measure."""
    sets = {sample.set for sample in samples}
    ours = [(tool, model_of(tool)) for tool in tools if tool.split(" ")[0] in TOOLS]
    return frozenset(
        (tool, name) for tool, own in ours if own in shipped_models() for name in _training(model_folder(own))[0] & sets
    )


def trained_on(folder: Path, samples: Sequence[Sample]) -> list[str]:
    """Return what a model has seen of these pages: a line for the sets that it names, and one for each other set.

    Args:
        folder: the model; one that does not say which pages it was trained on is asked for the names of its sets only.
        samples: the pages that are judged.

    Raises:
        ModelError: the model is missing or damaged.
    """
    names, known = _training(folder)
    pages: dict[str, list[bool]] = {}
    for sample in samples:
        pages.setdefault(sample.set, []).append(not known.isdisjoint(sample_keys(sample)))
    named = ", ".join(sorted(names & pages.keys()))
    said = [f"trained on pages of {named}, so that figures there are no measure"] if named else []
    return said + [
        f"trained on {sum(seen)} of the {len(seen)} pages of {name}, by address or gold text"
        for name, seen in sorted(pages.items())
        if name not in names and any(seen)
    ]


def _training(folder: Path) -> tuple[frozenset[str], frozenset[int]]:
    card, _ = load_model(folder, method_of(folder) or DEFAULT)
    return frozenset(card.get("sets", ())), load_keys(folder)


def shared(samples: Sequence[Sample]) -> list[str]:
    """Return one line for each pair of sets that have pages in common, by address or by gold text."""
    first: dict[int, Sample] = {}
    found: dict[tuple[str, str], set[str]] = {}
    for sample in samples:
        for key in sample_keys(sample):
            other = first.setdefault(key, sample)
            if other.set != sample.set:
                found.setdefault((other.set, sample.set), set()).add(sample.id)
    return [f"{a} and {b} share {len(pages)} pages" for (a, b), pages in sorted(found.items())]


def not_in_page(samples: Iterable[Sample]) -> list[str]:
    """Return one line for each set with pages that do not hold most of their gold text: no tool can find it there."""
    found: dict[str, list[str]] = {}
    for sample in samples:
        bag = word_bag(parse(sample.bare).text, sample.gold_text)
        if bag.gold and bag.recall < LEAST_IN_PAGE:
            found.setdefault(sample.set, []).append(sample.id)
    return [
        f"{name}: {len(ids)} pages hold less than half of the words of their gold text, the first {ids[0]}; "
        "no tool can find it there"
        for name, ids in found.items()
    ]
