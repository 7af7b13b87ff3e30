"""Find training pages among the pages to judge, and pages that two sets share: both make figures look too good."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from dehusk.base.errors import counted
from dehusk.base.store import load_model, method_of
from dehusk.lab.evaluate.tools import find_by_title
from dehusk.lab.gold.datasets import Sample
from dehusk.lab.gold.page_keys import load_keys, sample_keys
from dehusk.label.registry import DEFAULT, model_folder
from dehusk.measures.metrics import word_bag
from dehusk.read import parse

MIN_RECALL = 0.5
"""Minimum share of the gold text's words that a page should contain, in any order."""


def leak_notes(tools: Iterable[str], samples: Sequence[Sample]) -> list[str]:
    """Return a line for each set that tools of dehusk were trained on, and for each pair of sets that share pages.

    Args:
        tools: names with versions, as in predictions.
        samples: the pages that are judged.
    """
    tools_by_line: dict[str, list[str]] = {}
    for tool in tools:
        if folder := _model_of(tool):
            for line in training_notes(folder, samples):
                tools_by_line.setdefault(line, []).append(tool)
    return [f"{', '.join(names)}: {line}" for line, names in tools_by_line.items()] + shared_page_notes(samples)


def _model_of(tool: str) -> Path | None:
    """Return the folder of the shipped model that a tool uses; None for tools without one or from elsewhere."""
    known_tool = find_by_title(tool)
    return model_folder(known_tool.model) if known_tool and known_tool.model else None


def trained_sets(tools: Iterable[str], samples: Sequence[Sample]) -> frozenset[tuple[str, str]]:
    """Return (tool, set) for each set that the model card of the tool names as training data."""
    sets = {sample.set for sample in samples}
    folders = [(tool, folder) for tool in tools if (folder := _model_of(tool))]
    return frozenset((tool, name) for tool, folder in folders for name in _training_data(folder)[0] & sets)


def training_notes(folder: Path, samples: Sequence[Sample]) -> list[str]:
    """Return which of the pages a model was trained on: a line for the sets that its card names, and one per other set.

    Args:
        folder: the model; if it does not list its training pages, only the names of its training sets are compared.
        samples: the pages that are judged.

    Raises:
        ModelError: the model is missing or damaged.
    """
    names, keys = _training_data(folder)
    seen: dict[str, list[bool]] = {}
    for sample in samples:
        seen.setdefault(sample.set, []).append(not keys.isdisjoint(sample_keys(sample)))
    in_training = ", ".join(sorted(names & seen.keys()))
    lines = [f"trained on {in_training}; figures on it do not show quality on unseen pages"] if in_training else []
    return lines + [
        f"trained on {sum(pages)} of the {len(pages)} pages of {name}, by URL or gold text"
        for name, pages in sorted(seen.items())
        if name not in names and any(pages)
    ]


def _training_data(folder: Path) -> tuple[frozenset[str], frozenset[int]]:
    """Return the names of the sets and the keys of the pages that a model was trained on."""
    card, _ = load_model(folder, method_of(folder) or DEFAULT)
    return frozenset(card.get("sets", ())), load_keys(folder)


def shared_page_notes(samples: Sequence[Sample]) -> list[str]:
    """Return one line for each pair of sets that have pages in common, by URL or by gold text."""
    known: dict[int, set[str]] = {}
    shared: dict[tuple[str, str], set[str]] = {}
    for sample in samples:
        for key in sample_keys(sample):
            sets = known.setdefault(key, set())
            for other in sets - {sample.set}:
                shared.setdefault((min(other, sample.set), max(other, sample.set)), set()).add(sample.id)
            sets.add(sample.set)
    return [f"{a} and {b} share {counted(len(ids), 'page')}" for (a, b), ids in sorted(shared.items())]


def gold_not_on_page_notes(samples: Iterable[Sample]) -> list[str]:
    """Return one line for each set with pages that lack most of their gold text, which therefore no tool can find."""
    lacking: dict[str, list[str]] = {}
    for sample in samples:
        if sample.gold is None:
            continue
        bag = word_bag(parse(sample.bare).text, sample.gold_text)
        if bag.gold and bag.recall < MIN_RECALL:
            lacking.setdefault(sample.set, []).append(sample.id)
    return [
        f"{name}: {counted(len(ids), 'page')} (first: {ids[0]}) with less than half of the words of the gold text; "
        "no tool can find the rest"
        for name, ids in lacking.items()
    ]
